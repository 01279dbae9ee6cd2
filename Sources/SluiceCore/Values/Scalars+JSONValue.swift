// The standard library's scalars: each has a kind of its own, so that the reader stores it without a call.

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
    public static var jsonExpectation: String { "a boolean" }
}

extension String: JSONScalarBindable {
    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store("")
        return true
    }
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.string, self, expectation: jsonExpectation)
    }
    /// The text of a string.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.string else { return nil }
        self = value
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
    public static var jsonExpectation: String { "a string" }
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
    public static var jsonExpectation: String { "a number" }
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
    public static var jsonExpectation: String { "a number of single precision" }
}
