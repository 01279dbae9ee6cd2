// How far an input has been read into a table, and what the next run must know to go on.

internal import Foundation
package import SluiceCore
package import SluiceFeed

/// How far an input has been read into a table, and with which options.
///
/// A sink stores it as ``text``, beside the rows.
package struct StoredCheckpoint: Hashable, Sendable {
    /// The position after the last record that was read.
    package var feed: JSONCheckpoint
    /// Records before that position that were rejected.
    package var rejected = 0
    /// Records before that position that do not match `--where`.
    package var passedOver = 0
    /// What the records before that position have lost.
    package var losses = StoredLosses()
    /// Whether the input has been read to its end.
    package var isComplete = false
    /// The columns of the table at that time.
    package var columns: [IngestColumn] = []
    /// The child tables at that time, as JSON.
    package var children: [JSONValue] = []
    /// The input's number, if its records have numbers; see ``RecordNumbers``.
    package var recordInput: Int?
    /// The load that has noted the keys of all records before that position; nil if no load has. A run that finds no missing rows
    /// notes no keys, so it leaves this out.
    package var load: String?
    /// The options of the run that must not change when it is resumed.
    package var signature = ""
    /// The records in which the input ended. They were rejected, and the next run reads them again.
    package var cutOff = CutOffRecords()
    /// By what the text of a rotated log is known again; nil for other inputs.
    package var evidence: ContentEvidence?
    /// When it was stored, as `2026-11-25T16:03:05.123Z`; nil if an earlier version has stored it.
    package var time: String?

    package init(feed: JSONCheckpoint) { self.feed = feed }

    /// The columns and the child tables.
    package var layout: TableLayout {
        var layout = TableLayout(columns)
        for child in children.compactMap({ ChildTable(json: $0, in: layout) }) { layout.append(child) }
        return layout
    }

    /// How many bytes of the input have been read.
    package var offset: Int { feed.offset }
    /// How many records have been read, rejected ones included.
    package var recordCount: Int { feed.recordIndex }

    /// Rejected records that are not read again.
    package var lastingRejections: Int { max(0, rejected - cutOff.records.count) }
}

/// An optional value on the heap. A missing value takes no room, and copies share one value.
@propertyWrapper
package indirect enum Apart<Value: Sendable>: Sendable {
    case missing
    case there(Value)

    package init(wrappedValue: Value?) { self = wrappedValue.map { .there($0) } ?? .missing }

    package var wrappedValue: Value? {
        get { if case .there(let value) = self { value } else { nil } }
        set { self = Apart(wrappedValue: newValue) }
    }
}

/// Rejected records of one input that are read again, because the input ended in them.
package struct CutOffRecords: Hashable, Sendable {
    /// A rejected record: the byte offset at which it begins, and the kind of its error.
    package struct Record: Hashable, Sendable {
        package var offset: Int
        package var kind: String
        /// The ``RejectedRecord/digest`` of the rejection, because another input may have a rejection at the same position: names
        /// are shown as the user gave them. Nil if an earlier version has stored the checkpoint.
        package var digest: String?

        package init(offset: Int, kind: String, digest: String? = nil) {
            (self.offset, self.kind, self.digest) = (offset, kind, digest)
        }
    }

    /// The input's name in the rejections.
    package var file = ""
    package var records: [Record] = []
}

// MARK: As text

extension StoredCheckpoint {
    /// The checkpoint as one line of JSON, to be stored.
    package var text: String {
        let value: JSONValue = [
            "feed": .string(feedText), "rejected": .number(JSONNumber(rejected)), "is_complete": .bool(isComplete),
            "state": state,
        ]
        return (try? value.jsonString()) ?? ""
    }

    /// - Returns: nil if this version does not understand the text as a checkpoint.
    package init?(text: String) {
        guard let value = try? JSONValue(json: text), let feed = value["feed"]?.string, let state = value["state"] else {
            return nil
        }
        self.init(
            feedText: feed, state: state, rejected: value["rejected"]?.int ?? 0, isComplete: value["is_complete"]?.bool ?? false)
    }

    /// The position as JSON.
    package var feedText: String { (try? JSONEncoder().encode(feed)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// The parts that only an ingest needs to read, as JSON.
    package var state: JSONValue {
        var members: [JSONObject.Member] = [
            ("columns", .array(columns.map(\.json))), ("signature", .string(signature)),
            ("passed_over", .number(JSONNumber(passedOver))),
            (
                "cut_off",
                [
                    "file": .string(cutOff.file), "offsets": .array(cutOff.records.map { .number(JSONNumber($0.offset)) }),
                    "kinds": .array(cutOff.records.map { .string($0.kind) }),
                    "digests": .array(cutOff.records.map { $0.digest.map(JSONValue.string) ?? .null }),
                ]
            ),
        ]
        if !children.isEmpty { members.append(("children", .array(children))) }
        if !losses.isEmpty { members.append(("losses", losses.json)) }
        if let recordInput { members.append(("record_input", .number(JSONNumber(recordInput)))) }
        if let load { members.append(("load", .string(load))) }
        if let evidence { members.append(("content", evidence.json)) }
        // A member, and no column: earlier versions go on to read the table, and a role that does not own it cannot add a column.
        if let time { members.append(("written_at", .string(time))) }
        return .object(JSONObject(members))
    }

    package init?(feedText: String, state: JSONValue, rejected: Int, isComplete: Bool) {
        guard let feed = try? JSONDecoder().decode(JSONCheckpoint.self, from: Data(feedText.utf8)) else { return nil }
        self.init(feed: feed)
        self.rejected = rejected
        self.isComplete = isComplete
        columns = state["columns"]?.array?.compactMap { IngestColumn(json: $0) } ?? []
        children = state["children"]?.array ?? []
        losses = StoredLosses(json: state["losses"])
        recordInput = state["record_input"]?.int
        load = state["load"]?.string
        evidence = ContentEvidence(json: state["content"])
        time = state["written_at"]?.string
        signature = state["signature"]?.string ?? ""
        passedOver = state["passed_over"]?.int ?? 0
        cutOff.file = state["cut_off"]?["file"]?.string ?? ""
        let kinds = state["cut_off"]?["kinds"]?.array?.compactMap(\.string) ?? []
        let offsets = state["cut_off"]?["offsets"]?.array?.compactMap(\.int) ?? []
        let digests = state["cut_off"]?["digests"]?.array?.map(\.string) ?? []
        for (index, offset) in offsets.enumerated() {
            // Earlier versions read only records again whose text ended too early, and stored no kinds.
            let kind = index < kinds.count ? kinds[index] : "\(JSONError.Kind.unexpectedEnd)"
            let digest = index < digests.count ? digests[index] : nil
            cutOff.records.append(CutOffRecords.Record(offset: offset, kind: kind, digest: digest))
        }
    }
}
