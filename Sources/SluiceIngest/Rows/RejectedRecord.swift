// A record that is not stored, and why.

public import SluiceCore

/// A record that was rejected, with the reason.
public struct RejectedRecord: Hashable, Sendable {
    public let file: String
    /// The position of the record's first byte.
    public let record: SourcePosition
    /// The position of the error.
    public let place: SourcePosition
    public let column: String
    public let kind: String
    /// The text of the record; empty if it is not available.
    public let text: String
    public let reason: String
}

extension RejectedRecord {
    /// The most bytes of a rejected record that are kept.
    package static let keptBytes = 1 << 20

    package init(_ error: JSONError, _ bytes: UnsafeRawBufferPointer?, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, place: error.position, column: error.path, kind: "\(error.kind)",
            text: bytes.map { unsafe String(decoding: $0.prefix(RejectedRecord.keptBytes), as: UTF8.self) } ?? "",
            reason: error.description)
    }

    /// - Parameters:
    ///   - place: The place of the value that was refused, if it is not the record's.
    ///   - column: Its path.
    package init(
        constraint reason: String, _ bytes: UnsafeRawBufferPointer, at record: SourcePosition, of file: String,
        place: SourcePosition? = nil, column: String = ""
    ) {
        unsafe self.init(
            file: file, record: record, place: place ?? record, column: column, kind: "constraint",
            text: String(decoding: bytes.prefix(RejectedRecord.keptBytes), as: UTF8.self), reason: reason)
    }
}

extension JSONError {
    /// Whether the error concerns more than one record, so that the work must end.
    package var endsIngest: Bool { kind == .inputOutput || kind == .invalidModel }
}
