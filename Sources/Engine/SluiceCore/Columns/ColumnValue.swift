// The typed part of a column that no plain cell holds: an enum, a date, an array, a type of one's own. The value lies in the memory of a
// record as the binder has stored it, and is written as the model would write it.

/// The values of a property, in optionals as the binder stores them.
class ColumnValue: @unchecked Sendable {
    // Safe: all are set before the column is published.
    let size: Int
    let alignment: Int
    /// Whether the bits of a value can be dropped.
    let isTrivial: Bool
    /// The type of its column.
    var columnType = ColumnType.json
    /// The form of dates and binary data; nil for that of the writer's options.
    var date: JSONDateFormat?
    var data: JSONDataFormat?

    fileprivate init(size: Int, alignment: Int, isTrivial: Bool) {
        (self.size, self.alignment, self.isTrivial) = (size, alignment, isTrivial)
    }

    /// Stores nil.
    func initialize(_ address: UnsafeMutableRawPointer) {}
    func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {}
    func destroy(_ address: UnsafeMutableRawPointer) {}
    /// Writes the value; false if it is nil.
    func write(_ address: UnsafeMutableRawPointer, to writer: inout JSONWriter) throws(JSONError) -> Bool { false }
}

private final class TypedColumnValue<Stored>: ColumnValue, @unchecked Sendable {
    typealias Write = @Sendable (Stored, inout JSONWriter) throws(JSONError) -> Bool

    private let none: Stored
    private let writeValue: Write

    init(_ none: Stored, isTrivial: Bool, _ write: @escaping Write) {
        self.none = none
        writeValue = write
        super.init(
            size: MemoryLayout<Stored>.size, alignment: MemoryLayout<Stored>.alignment, isTrivial: isTrivial)
    }

    // Safe, in all of these: a record's table was compiled with this type at the position.

    override func initialize(_ address: UnsafeMutableRawPointer) { unsafe address.initializeMemory(as: Stored.self, to: none) }

    override func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        unsafe target.moveInitializeMemory(as: Stored.self, from: source.assumingMemoryBound(to: Stored.self), count: 1)
    }

    override func destroy(_ address: UnsafeMutableRawPointer) {
        unsafe address.assumingMemoryBound(to: Stored.self).deinitialize(count: 1)
    }

    override func write(_ address: UnsafeMutableRawPointer, to writer: inout JSONWriter) throws(JSONError) -> Bool {
        try unsafe writeValue(address.assumingMemoryBound(to: Stored.self).pointee, &writer)
    }
}

extension ColumnValue {
    /// The values of a binding; nil if its type cannot be written.
    ///
    /// - Parameter depth: How many optionals surround a value, as for ``_Destination``.
    static func make(of binding: BindingHandle, depth: UInt8) -> ColumnValue? {
        if let adapter = binding.type as? any _JSONAdapter.Type { return adapted(adapter, depth) }
        return (binding.type as? any JSONWritable.Type).map { written($0, depth) }
    }

    private static func adapted<Adapter: _JSONAdapter>(_ type: Adapter.Type, _ depth: UInt8) -> ColumnValue {
        make(Adapter.Value.self, depth) { value, writer throws(JSONError) in
            try Adapter._write(value, to: &writer)
            return true
        }
    }

    private static func written<Value: JSONWritable>(_ type: Value.Type, _ depth: UInt8) -> ColumnValue {
        make(Value.self, depth) { value, writer throws(JSONError) in
            if value._isNil { return false }
            try value._write(to: &writer)
            return true
        }
    }

    private static func make<Value>(
        _ type: Value.Type, _ depth: UInt8,
        _ write: @escaping @Sendable (Value, inout JSONWriter) throws(JSONError) -> Bool
    ) -> ColumnValue {
        let isTrivial = _isPOD(Value.self)
        switch depth {
        case 1:
            return TypedColumnValue<Value?>(nil, isTrivial: isTrivial) { value, writer throws(JSONError) in
                guard let value else { return false }
                return try write(value, &writer)
            }
        case 2:
            return TypedColumnValue<Value??>(nil, isTrivial: isTrivial) { value, writer throws(JSONError) in
                guard let value = value ?? nil else { return false }
                return try write(value, &writer)
            }
        case 3:
            return TypedColumnValue<Value???>(nil, isTrivial: isTrivial) { value, writer throws(JSONError) in
                guard let value = (value ?? nil) ?? nil else { return false }
                return try write(value, &writer)
            }
        default:
            return TypedColumnValue<JSONField<Value>?>(nil, isTrivial: isTrivial) { value, writer throws(JSONError) in
                guard let value = value?.value else { return false }
                return try write(value, &writer)
            }
        }
    }
}
