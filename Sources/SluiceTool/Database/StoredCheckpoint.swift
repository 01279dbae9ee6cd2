// How far an input has been read into a table, and what the next run must know to go on.

#if CommandLine
internal import Foundation
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
#endif
