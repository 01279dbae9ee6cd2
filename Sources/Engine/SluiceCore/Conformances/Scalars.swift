// The standard library's scalars. Each has a kind of its own, so that the reader stores it without a call.

extension Bool: JSONScalarBindable {
    /// The value of `true` or `false`.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.boolean else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension String: JSONScalarBindable {
    /// The text of a string. If the scalar's ``JSONScalar/conversions`` are not strict, also the text of a number, as written, or of a
    /// boolean. So an enum with string raw values accepts the same scalars as a string property.
    public init?(jsonScalar scalar: JSONScalar) {
        if let value = scalar.string {
            self = value
            return
        }
        let profile = scalar.conversions.profile
        guard profile != .strict else { return nil }
        if let truth = scalar.boolean {
            self = profile == .yyModel ? (truth ? "1" : "0") : (truth ? "true" : "false")
        } else {
            guard let text = scalar.numberText else { return nil }
            self = text
        }
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

/// Read from UTF-8 that lies in memory, it is a slice of one copy of the text that all such properties nearby share; a short string, or one
/// with escapes, has memory of its own. So it keeps up to 64 KiB of text alive: `compacted()` makes a copy that does not.
extension Substring: JSONScalarBindable {
    public init?(jsonScalar scalar: JSONScalar) {
        guard let text = String(jsonScalar: scalar) else { return nil }
        self.init(text)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension Double: JSONScalarBindable {
    /// The nearest double of a number.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.double else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(self) }
}

extension Float: JSONScalarBindable {
    /// The nearest float of a number.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.float else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(self) }
}
