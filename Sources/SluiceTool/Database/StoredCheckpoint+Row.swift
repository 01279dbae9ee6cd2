// Reads a checkpoint from a row of the table of checkpoints.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

extension StoredCheckpoint {
    init?(_ row: Row) {
        guard let token: Data = row["checkpoint"], let feed = try? JSONDecoder().decode(JSONCheckpoint.self, from: token),
            let text: String = row["state"], let state = try? JSONValue(json: text)
        else { return nil }
        self.feed = feed
        rejected = row["rejected"]
        isComplete = row["is_complete"]
        columns = state["columns"]?.array?.compactMap { TableColumn(json: $0) } ?? []
        signature = state["signature"]?.string ?? ""
        passedOver = state["passed_over"]?.int ?? 0
        cutOff.file = state["cut_off"]?["file"]?.string ?? ""
        let kinds = state["cut_off"]?["kinds"]?.array?.compactMap(\.string) ?? []
        let offsets = state["cut_off"]?["offsets"]?.array?.compactMap(\.int) ?? []
        for (index, offset) in offsets.enumerated() {
            // Earlier versions read only records again whose text ended too early, and stored no kinds.
            let kind = index < kinds.count ? kinds[index] : "\(JSONError.Kind.unexpectedEnd)"
            cutOff.records.append(CutOff.Record(offset: offset, kind: kind))
        }
    }
}
#endif
