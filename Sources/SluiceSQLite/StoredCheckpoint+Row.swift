// Reads a checkpoint from a row of the table of checkpoints.

#if SQLite
internal import Foundation
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

extension StoredCheckpoint {
    init?(_ row: Row) {
        guard let feed: String = row["checkpoint"], let text: String = row["state"], let state = try? JSONValue(json: text)
        else { return nil }
        self.init(feedText: feed, state: state, rejected: row["rejected"], isComplete: row["is_complete"])
    }
}
#endif
