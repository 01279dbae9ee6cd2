// The integers. `Int` and `UInt` have the kinds of `Int64` and `UInt64`.

extension FixedWidthInteger where Self: JSONScalarBindable {
    /// The value of a number that is an integer within the type's range; nil for all other scalars.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let value = scalar.integer(as: Self.self) else { return nil }
        self = value
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Self.zero)
        return true
    }

    /// The type's name.
    public static var jsonExpectation: String { "\(Self.self)" }
}

extension Int: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int64, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(Int64(self)) }
}

extension Int8: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int8, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(Int64(self)) }
}

extension Int16: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int16, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(Int64(self)) }
}

extension Int32: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int32, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(Int64(self)) }
}

extension Int64: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int64, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension Int128: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.int128, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension UInt: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint64, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(UInt64(self)) }
}

extension UInt8: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint8, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(UInt64(self)) }
}

extension UInt16: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint16, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(UInt64(self)) }
}

extension UInt32: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint32, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(UInt64(self)) }
}

extension UInt64: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint64, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}

extension UInt128: JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.uint128, self, expectation: jsonExpectation)
    }
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(self) }
}
