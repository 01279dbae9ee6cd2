// The rejections of records that are read again, among those in a table or file of rejects. Other inputs may have the same name there,
// and other databases may write to the same file. So a rejection is compared as a whole, and only one is taken for each record.

internal import SluiceCore

/// What is left to find of the rejections of some records.
package struct CutOffSearch {
    private var left: [CutOffRecords.Record: Int] = [:]
    private let file: String

    package init(_ wanted: CutOffRecords) {
        file = wanted.file
        for record in wanted.records { left[record, default: 0] += 1 }
    }

    /// Whether a rejection is one of those that are left. It is then no longer left.
    package mutating func take(_ found: RejectedRecord) -> Bool {
        guard found.file == file else { return false }
        for digest in [found.digest, nil] {
            let record = CutOffRecords.Record(offset: found.record.offset, kind: found.kind, digest: digest)
            guard let count = left[record], count > 0 else { continue }
            left[record] = count - 1
            return true
        }
        return false
    }
}

extension CutOffRecords {
    /// The records whose rejections are in a table or file of rejects. One that no run has kept has an empty digest, and one without a
    /// digest is that of an earlier version, which did not say.
    package var keptRecords: [Record] { records.filter { $0.digest?.isEmpty == false } }
}

extension RejectedRecord {
    private static let unfinishedEnding = " (unfinished)"

    /// The rejection of a record that the input ended in, if the input may grow. The kind says so, as in `unexpectedEnd (unfinished)`:
    /// an ingest reads the record again when its rest is there, so a replay must not store it. Otherwise it would be stored twice.
    package var unfinished: RejectedRecord {
        // A part is no record, and a replay leaves it alone.
        guard !RejectedRecord.isPart(kind), !RejectedRecord.isUnfinished(kind) else { return self }
        return RejectedRecord(
            file: file, record: record, position: position, column: column, kind: kind + RejectedRecord.unfinishedEnding,
            text: text, reason: reason)
    }

    /// Whether a kind is that of such a rejection.
    package static func isUnfinished(_ kind: String) -> Bool { kind.hasSuffix(unfinishedEnding) }

    /// A number for the rejection's columns, as text. It is the same for a rejection that was read from a table or file.
    package var digest: String {
        // A sink may not keep the character U+0000, or what follows it.
        func kept(_ text: String) -> Substring { text.prefix { $0 != "\0" && $0 != "\u{FFFD}" } }
        let texts = [kind, column, text, reason].map { kept($0) }
        let numbers = "\(record.line) \(record.offset) \(position.offset)"
        return String(NameHash.value(of: "\(numbers)\n" + texts.joined(separator: "\u{1F}")), radix: 16)
    }
}
