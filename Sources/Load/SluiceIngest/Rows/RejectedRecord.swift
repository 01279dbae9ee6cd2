// A record that is not stored, and why.

package import SluiceCore

/// A record that was rejected, with the reason.
package struct RejectedRecord: Hashable, Sendable {
    package let file: String
    /// The position of the record's first byte.
    package let record: SourcePosition
    /// The position of the error.
    package let position: SourcePosition
    package let column: String
    package let kind: String
    /// The text of the record; empty if it is not available. A byte that is not UTF-8 is written as `\xE9`.
    package let text: String
    package let reason: String

    package init(
        file: String, record: SourcePosition, position: SourcePosition, column: String, kind: String, text: String, reason: String
    ) {
        (self.file, self.record, self.position) = (file, record, position)
        (self.column, self.kind, self.text, self.reason) = (column, kind, text, reason)
    }

    /// The columns of a table of rejected records.
    package static let columns = [
        "file", "line", "line_byte_position", "byte_position", "column_name", "error_type", "json_line", "error_message",
    ]
}

extension RejectedRecord {
    /// What the text of a rejection is, if it is not a record that can be stored by itself. The kind ends with it, as in
    /// `constraint (element)`, so a replay leaves the rejection alone.
    package enum Part: String, CaseIterable {
        /// An element of an array, whose record is stored.
        case element
        /// The document around records. Some of them may be stored.
        case document
        /// A record without the key that it stands under, which is one of its columns.
        case value

        fileprivate var ending: String { " (\(rawValue))" }
    }

    /// The rejection of a part.
    package func of(_ part: Part) -> RejectedRecord {
        guard !RejectedRecord.isPart(kind) else { return self }
        return RejectedRecord(
            file: file, record: record, position: position, column: column, kind: kind + part.ending, text: text, reason: reason)
    }

    /// Whether a kind is that of a part.
    package static func isPart(_ kind: String) -> Bool { Part.allCases.contains { kind.hasSuffix($0.ending) } }

    /// The most bytes of a rejected record that are kept.
    package static let keptBytes = 1 << 20

    package init(_ error: JSONError, _ bytes: UnsafeRawBufferPointer?, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, position: error.position, column: error.path, kind: "\(error.kind)",
            text: bytes.map { unsafe RejectedRecord.text(of: $0) } ?? "",
            reason: error.loaderText)
    }

    /// - Parameters:
    ///   - position: The position of the value that was refused, if it is not the record's.
    ///   - column: Its path.
    package init(
        constraint reason: String, _ bytes: UnsafeRawBufferPointer, at record: SourcePosition, of file: String,
        position: SourcePosition? = nil, column: String = ""
    ) {
        unsafe self.init(
            file: file, record: record, position: position ?? record, column: column, kind: "constraint",
            text: RejectedRecord.text(of: bytes), reason: reason.printable)
    }

    /// The text of a record's bytes. JSON has no escape `\x`, so a replay does not take the text for mended as long as it contains
    /// one. U+FFFD would be a character like any other.
    static func text(of bytes: UnsafeRawBufferPointer) -> String {
        let kept = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(keptBytes))
        if unsafe !kept.contains(0), let text = unsafe String(validating: kept, as: UTF8.self) { return text }
        var text: [UInt8] = []
        var rest = unsafe kept.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var offset = 0
        // Whether a backslash stands in front, which begins the escape.
        var isEscaped = false
        func escape(_ count: Int) {
            let escaped = unsafe Array(kept[offset..<min(offset + count, kept.count)])
            for byte in escaped {
                let digits = String(byte, radix: 16, uppercase: true)
                text += Array(((isEscaped ? "x" : "\\x") + (byte < 16 ? "0" : "") + digits).utf8)
                isEscaped = false
            }
            offset += count
        }
        while true {
            switch unsafe parser.parseScalar(from: &rest) {
            case .emptyInput: return String(decoding: text, as: UTF8.self)
            case .error(let length): escape(length)
            case .valid(let scalar) where scalar.first == 0: escape(1)
            case .valid(let scalar):
                isEscaped = scalar.first == UInt8(ascii: "\\") && !isEscaped
                text += scalar
                offset += scalar.count
            }
        }
    }
}

extension JSONError {
    /// Whether the error concerns more than one record, so that the run must end.
    package var endsIngest: Bool { kind == .inputOutput || kind == .invalidModel }
}
