// The text that a mirror shows instead of a sensitive value.

/// The value of a sensitive property in a model's mirror. For generated code: see `@JSONSensitive`.
public struct _JSONRedacted: Sendable, CustomStringConvertible {
    public init() {}

    /// The words that descriptions show instead of a sensitive value.
    public var description: String { JSONError.redacted }
}
