// A value that comes in pieces is gathered, and checked when it is whole.

public import SluiceCore

/// A value that comes in pieces.
///
/// ```swift
/// var stream = schema.stream()
/// for piece in pieces { try stream.push(piece) }
/// let result = try stream.finish()
/// ```
public struct JSONSchemaStream: Sendable {
    private let schema: JSONSchema
    private let maximumSize: Int
    private var bytes: [UInt8] = []

    fileprivate init(_ schema: JSONSchema, maximumSize: Int) {
        self.schema = schema
        self.maximumSize = maximumSize
    }

    /// Adds the next piece.
    ///
    /// - Throws: ``JSONError`` of kind `sizeLimit` if the value has more bytes than ``JSONSchema/Options/maximumSize``.
    public mutating func push(_ piece: some JSONBytes) throws(JSONError) {
        let isSmall = unsafe piece.withJSONBytes { piece in
            guard piece.count <= maximumSize - bytes.count else { return false }
            unsafe bytes.append(contentsOf: piece)
            return true
        }
        if !isSmall { throw JSONError(.sizeLimit, expected: "a value of at most \(maximumSize) bytes", found: "more") }
    }

    /// Checks the value, and begins another one.
    ///
    /// - Throws: ``JSONError`` if the text is not JSON, or if a limit is exceeded.
    public mutating func finish(limit: JSONSchema.Limit = .all) throws(JSONError) -> JSONSchemaResult {
        defer { bytes.removeAll(keepingCapacity: true) }
        return try schema.validate(bytes, limit: limit)
    }
}

extension JSONSchema {
    /// Checks values that come in pieces.
    public func stream() -> JSONSchemaStream { JSONSchemaStream(self, maximumSize: options.maximumSize) }
}
