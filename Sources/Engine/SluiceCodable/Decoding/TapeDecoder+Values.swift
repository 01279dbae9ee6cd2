// Reads the value at an entry as the requested type. Each scalar has a fast path and, out of line, a path for all other valid
// forms.

internal import Foundation
internal import SluiceCore

extension TapeDecoder {
    @inline(__always)
    func bool(at index: Int, _ path: () -> [any CodingKey]) throws -> Bool {
        switch entry(index).kind {
        case .true: return true
        case .false: return false
        default: throw misfit(Bool.self, at: index, path())
        }
    }

    @inline(__always)
    func string(at index: Int, _ path: () -> [any CodingKey]) throws -> String {
        guard entry(index).kind == .string else { throw misfit(String.self, at: index, path()) }
        guard let text = tape.string(at: index) else { throw damage(at: index, path()) }
        return text
    }

    @inline(__always)
    func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, at index: Int, _ path: () -> [any CodingKey]
    ) throws -> Value {
        if let number = entry(index).integer, let value = Value(exactly: number) { return value }
        return try otherInteger(type, at: index, path)
    }

    @inline(never)
    private func otherInteger<Value: FixedWidthInteger>(
        _ type: Value.Type, at index: Int, _ path: () -> [any CodingKey]
    ) throws -> Value {
        guard entry(index).isNumber else { throw misfit(type, at: index, path()) }
        switch tape.otherInteger(type, at: index) {
        case .value(let value): return value
        case .unfit: throw unfit(type, at: index, path())
        case .damaged: throw damage(at: index, path())
        }
    }

    @inline(__always)
    func double(at index: Int, _ path: () -> [any CodingKey]) throws -> Double {
        if let value = entry(index).double { return value }
        return try otherDouble(at: index, path)
    }

    @inline(never)
    private func otherDouble(at index: Int, _ path: () -> [any CodingKey]) throws -> Double {
        guard entry(index).isNumber else { return try spelledFloat(Double.self, at: index, path) }
        switch tape.otherDouble(at: index) {
        case .value(let value): return value
        case .unfit: throw unfit(Double.self, at: index, path())
        case .damaged: throw damage(at: index, path())
        }
    }

    @inline(never)
    func float(at index: Int, _ path: () -> [any CodingKey]) throws -> Float {
        guard entry(index).isNumber else { return try spelledFloat(Float.self, at: index, path) }
        switch tape.float(at: index) {
        case .value(let value): return value
        case .unfit: throw unfit(Float.self, at: index, path())
        case .damaged: throw damage(at: index, path())
        }
    }

    /// The infinity or NaN for a text that the options assign to it; throws for any other value.
    private func spelledFloat<Value: BinaryFloatingPoint>(
        _ type: Value.Type, at index: Int, _ path: () -> [any CodingKey]
    ) throws -> Value {
        if case .convertFromString(let infinity, let negative, let nan) = options.floats, entry(index).kind == .string,
            entry(index).flags & TapeEntry.isNotPlain == 0
        {
            let text = unsafe tape.text(at: index)
            if unsafe text.elementsEqual(infinity.utf8) { return .infinity }
            if unsafe text.elementsEqual(negative.utf8) { return -.infinity }
            if unsafe text.elementsEqual(nan.utf8) { return .nan }
        }
        throw misfit(type, at: index, path())
    }

    // MARK: Any type

    /// The path of a value that is one step away from the current value.
    func path(to step: CodingStep) -> [any CodingKey] {
        var path = codingPath
        if let key = codingKey(of: step) { path.append(key) }
        return path
    }

    /// Decodes the value at an index, which is one step away from the current value.
    ///
    /// The step is on the stack while the type decodes itself. A container that has outlived the call that made it no longer has its path
    /// on the stack, so it decodes through a separate decoder, see ``other(at:path:)``.
    @inline(__always)
    func make<T: Decodable>(_ type: T.Type, at index: Int, _ step: CodingStep) throws -> T {
        let record = unsafe types.record(of: type) { TypeReader.of(type) }
        switch unsafe record.pointee.way {
        case .itself:
            return try initialize(type, at: index, step)
        case .string:
            return try `as`(type) { try string(at: index) { path(to: step) } }
        case .int:
            return try `as`(type) { try integer(Int.self, at: index) { path(to: step) } }
        case .double:
            return try `as`(type) { try double(at: index) { path(to: step) } }
        case .bool:
            return try `as`(type) { try bool(at: index) { path(to: step) } }
        case .worker:
            // Safe: a record of this kind has a reader, and it is the one of this type.
            return try unsafe unsafeDowncast(record.pointee.worker.unsafelyUnwrapped, to: TypedReader<T>.self)
                .read(self, at: index, step)
        }
    }

    /// Calls the type's own `init(from:)` for the value at an index.
    @inline(__always)
    func initialize<T: Decodable>(_ type: T.Type, at index: Int, _ step: CodingStep) throws -> T {
        try stand(at: index, step) { try type.init(from: self) }
    }

    /// Casts a value to the generic type, which is known to be the value's own type.
    @inline(__always)
    private func `as`<T, Value>(_ type: T.Type, _ value: () throws -> Value) rethrows -> T {
        // Safe: the type's record says that `T` is `Value`.
        unsafe unsafeBitCast(try value(), to: type)
    }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { entry(value).kind == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try bool(at: value) { codingPath } }
    func decode(_ type: String.Type) throws -> String { try string(at: value) { codingPath } }
    func decode(_ type: Double.Type) throws -> Double { try double(at: value) { codingPath } }
    func decode(_ type: Float.Type) throws -> Float { try float(at: value) { codingPath } }
    func decode(_ type: Int.Type) throws -> Int { try integer(type, at: value) { codingPath } }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type, at: value) { codingPath } }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type, at: value) { codingPath } }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type, at: value) { codingPath } }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type, at: value) { codingPath } }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type, at: value) { codingPath } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type, at: value) { codingPath } }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try make(type, at: value, .none) }
}

extension TapeEntry {
    /// The integer that the entry has, if it has one.
    @inline(__always)
    var integer: Int? { kind == .integer ? Int(truncatingIfNeeded: bits) : nil }

    /// The number that the entry has, if it has one.
    @inline(__always)
    var double: Double? {
        if kind == .double { return Double(bitPattern: bits) }
        // Exact: an integer at an entry has at most 15 digits.
        return integer.map(Double.init)
    }
}
