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

extension RejectedRecord {
    /// A number for the rejection's columns, as text. It is the same for a rejection that was read from a table or file.
    package var digest: String {
        // A sink may not keep the character U+0000, or what follows it.
        func kept(_ text: String) -> Substring { text.prefix { $0 != "\0" && $0 != "\u{FFFD}" } }
        let texts = [kind, column, text, reason].map { kept($0) }
        let numbers = "\(record.line) \(record.offset) \(place.offset)"
        return String(NameHash.value(of: "\(numbers)\n" + texts.joined(separator: "\u{1F}")), radix: 16)
    }
}
