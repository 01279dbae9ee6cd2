// What stands for a sensitive value in a mirror.

/// The value of a sensitive property in a model's mirror. For generated code: see `@JSONSensitive`.
public struct _JSONRedacted: Sendable, CustomStringConvertible {
    public init() {}

    /// The words that descriptions show instead of a sensitive value.
    public var description: String { JSONError.redacted }
}
