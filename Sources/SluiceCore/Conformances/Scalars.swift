// The standard library's scalars. Each has a kind of its own, so that the reader stores it without a call.

extension Bool: JSONScalarBindable {
    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(false)
        return true
    }
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.bool, self, expectation: jsonExpectation)
    }
    /// The value of `true` or `false`.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.boolean else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
    public static var jsonExpectation: String { "Bool" }
}

extension String: JSONScalarBindable {
    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store("")
        return true
    }
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.string, self, expectation: jsonExpectation)
    }
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
    public static var jsonExpectation: String { "String" }
}

extension Double: JSONScalarBindable {
    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(0.0)
        return true
    }
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.double, self, expectation: jsonExpectation)
    }
    /// The nearest double of a number.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.double else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(self) }
    public static var jsonExpectation: String { "Double" }
}

extension Float: JSONScalarBindable {
    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Float(0))
        return true
    }
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.float, self, expectation: jsonExpectation)
    }
    /// The nearest float of a number.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.float else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(self) }
    public static var jsonExpectation: String { "Float" }
}
