// Writes values as text, in the form that their type or a strategy gives them.

internal import Foundation
internal import SluiceCore

extension FragmentEncoder {
    /// Writes a value of any type.
    @inline(__always)
    func write<T: Encodable>(_ value: T, _ step: PathStep) throws {
        let record = unsafe types.record(of: T.self) { TypeWriter.of(T.self) }
        switch unsafe record.pointee.way {
        case .itself: try encode(value, step)
        case .string: fragment.text(`as`(value))
        case .int: fragment.integer(`as`(value) as Int)
        case .double: try double(`as`(value)) { path(to: step) }
        case .bool: fragment.bool(`as`(value))
        case .worker:
            try unsafe withUnsafePointer(to: value) {
                try unsafe record.pointee.worker.unsafelyUnwrapped.write(self, UnsafeRawPointer($0), step)
            }
        }
    }

    /// Writes the value at an address, without copying it first.
    @inline(__always)
    func write<T: Encodable>(at place: UnsafePointer<T>, _ step: PathStep) throws {
        let record = unsafe types.record(of: T.self) { TypeWriter.of(T.self) }
        switch unsafe record.pointee.way {
        case .itself: try unsafe encode(place.pointee, step)
        case .worker: try unsafe record.pointee.worker.unsafelyUnwrapped.write(self, UnsafeRawPointer(place), step)
        default: try unsafe write(place.pointee, step)
        }
    }

    /// Casts a value to the generic type, which is known to be the value's own type.
    @inline(__always)
    private func `as`<T, Value>(_ value: T) -> Value {
        // Safe: the type's record says that `T` is `Value`.
        unsafe unsafeBitCast(value, to: Value.self)
    }

    /// Calls a value's `encode(to:)`. A value that encodes nothing is written as an empty object.
    @inline(__always)
    func encode<T: Encodable>(_ value: T, _ step: PathStep) throws {
        push(step)
        do {
            try value.encode(to: self)
            try complete()
        } catch {
            pop()
            throw error
        }
        pop()
    }

    /// Writes the value that a closure encodes, or an empty object if the closure encodes nothing.
    func fill(_ step: PathStep, _ body: () throws -> Void) throws {
        push(step)
        defer { pop() }
        try body()
        try complete()
    }

    /// Closes the container of the innermost level. A value that wrote nothing is an empty object; at the top, the caller throws an
    /// error.
    @inline(__always)
    private func complete() throws(JSONError) {
        if level.state == .empty, !isTop {
            level.object = try fragment.beginObject()
            level.state = .object
        }
        close()
    }

    @inline(__always)
    func double(_ value: Double, _ path: () -> [any CodingKey]) throws {
        if value.isFinite { return fragment.finite(value) }
        try spell(value, path)
    }

    func float(_ value: Float, _ path: () -> [any CodingKey]) throws {
        if value.isFinite { return fragment.finite(value) }
        try spell(value, path)
    }

    /// Writes the text that the options have for an infinity or NaN, or throws.
    @inline(never)
    private func spell<Value: BinaryFloatingPoint>(_ value: Value, _ path: () -> [any CodingKey]) throws {
        guard case .convertToString(let infinity, let negative, let nan) = options.floats else {
            throw invalid(value, path(), "Unable to encode \(Value.self).\(value) directly in JSON.")
        }
        fragment.text(value.isNaN ? nan : value < 0 ? negative : infinity)
    }

    func invalid(_ value: Any, _ path: [any CodingKey], _ words: String) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: path, debugDescription: words,
                underlyingError: JSONError(.notWritable, expected: "a value that JSON has", found: "\(value)")))
    }
}

extension FragmentEncoder: SingleValueEncodingContainer {
    /// Writes the only value of the innermost level.
    @inline(__always)
    private func single(_ write: () throws -> Void) throws {
        guard level.state == .empty else { throw refusal(Mark(depth: 0, serial: 0)) }
        try write()
        level.state = .value
    }

    func encodeNil() throws { try single { fragment.null() } }
    func encode(_ value: Bool) throws { try single { fragment.bool(value) } }
    func encode(_ value: String) throws { try single { fragment.text(value) } }
    func encode(_ value: Double) throws { try single { try double(value) { codingPath } } }
    func encode(_ value: Float) throws { try single { try float(value) { codingPath } } }
    func encode(_ value: Int) throws { try single { fragment.integer(value) } }
    func encode(_ value: Int8) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: Int16) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: Int32) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: Int64) throws { try single { fragment.integer(value) } }
    func encode(_ value: Int128) throws { try single { fragment.integer(value) } }
    func encode(_ value: UInt) throws { try single { fragment.integer(value) } }
    func encode(_ value: UInt8) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: UInt16) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: UInt32) throws { try single { fragment.integer(Int(value)) } }
    func encode(_ value: UInt64) throws { try single { fragment.integer(value) } }
    func encode(_ value: UInt128) throws { try single { fragment.integer(value) } }
    func encode<T: Encodable>(_ value: T) throws { try single { try write(value, .none) } }
}
