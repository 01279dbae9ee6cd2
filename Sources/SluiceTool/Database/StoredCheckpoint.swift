// How far an input has been read into a table, and what the next run must know to go on.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceFeed

/// How far an input has been read into a table, and with which options.
struct StoredCheckpoint: Hashable, Sendable {
    /// The place after the last record that was read.
    var feed: JSONCheckpoint
    /// Records before that place that were rejected.
    var rejected = 0
    /// Records before that place that do not match `--where`.
    var passedOver = 0
    /// Whether the input has been read to its end.
    var isComplete = false
    /// The columns of the table at that time.
    var columns: [TableColumn] = []
    /// The options of the run that must not change when it is resumed.
    var signature = ""
    /// The records in which the input ended. They were rejected, and the next run reads them again.
    var cutOff = CutOff()

    /// Rejected records that are read again, and the input's name in their rejections.
    struct CutOff: Hashable, Sendable {
        /// A rejected record: the byte offset at which it begins, and the kind of its error.
        struct Record: Hashable, Sendable {
            var offset: Int
            var kind: String
        }

        var file = ""
        var records: [Record] = []
    }

    /// Rejected records that are not read again.
    var lastingRejections: Int { max(0, rejected - cutOff.records.count) }

    /// The parts that only this tool needs to read, as JSON.
    var state: JSONValue {
        [
            "columns": .array(columns.map(\.json)), "signature": .string(signature),
            "passed_over": .number(JSONNumber(passedOver)),
            "cut_off": [
                "file": .string(cutOff.file), "offsets": .array(cutOff.records.map { .number(JSONNumber($0.offset)) }),
                "kinds": .array(cutOff.records.map { .string($0.kind) }),
            ],
        ]
    }
}

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
