// Writes values as text, in the form that their type or a strategy gives them.

internal import Foundation
internal import SluiceCore

extension FragmentEncoder {
    /// Writes a value of any type.
    @inline(__always)
    func write<T: Encodable>(_ value: T, _ step: CodingStep) throws {
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
    func write<T: Encodable>(at address: UnsafePointer<T>, _ step: CodingStep) throws {
        let record = unsafe types.record(of: T.self) { TypeWriter.of(T.self) }
        switch unsafe record.pointee.way {
        case .itself: try unsafe encode(address.pointee, step)
        case .worker: try unsafe record.pointee.worker.unsafelyUnwrapped.write(self, UnsafeRawPointer(address), step)
        default: try unsafe write(address.pointee, step)
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
    func encode<T: Encodable>(_ value: T, _ step: CodingStep) throws {
        try fill(step) { try value.encode(to: self) }
    }

    /// Writes the value that a closure encodes, or an empty object if the closure encodes nothing. Without a step, the value is that of
    /// the innermost level, which the caller completes.
    @inline(__always)
    func fill(_ step: CodingStep, _ body: () throws -> Void) throws {
        if step.isNone { return try body() }
        push(step)
        do {
            try body()
            try openIfEmpty()
            close()
        } catch {
            pop()
            throw error
        }
        pop()
    }

    /// Makes the innermost level's value an empty object if it has none.
    @inline(__always)
    func openIfEmpty() throws(JSONError) {
        guard level.state == .empty else { return }
        level.object = try fragment.beginObject()
        level.state = .object
    }

    /// Writes a whole value at once. Without a step, it becomes the value of the innermost level. If that level already has a
    /// container, the container stays, and the new value is removed.
    @inline(__always)
    func whole(_ step: CodingStep, _ write: () throws -> Void) throws {
        if step.isNone { try wholeLevel(write) } else { try write() }
    }

    private func wholeLevel(_ write: () throws -> Void) throws {
        let before = fragment.mark
        do {
            try write()
        } catch {
            fragment.goBack(to: before)
            throw error
        }
        guard level.state != .empty else {
            level.object = before.count
            return level.state = .text
        }
        fragment.goBack(to: before)
        level.single = .ignored
    }

    /// Whether a container can be written at once: it has a step, or the innermost level, whose value it is, has no container yet.
    @inline(__always)
    func takesWhole(_ step: CodingStep) -> Bool { !step.isNone || level.state == .empty }

    /// Writes a value at a level of its own, although no step leads to it.
    func separately(_ body: () throws -> Void) throws {
        push(.none)
        defer { pop() }
        try body()
        try openIfEmpty()
        close()
    }

    /// Writes the document's value.
    ///
    /// - Returns: Whether it has encoded anything.
    func writeDocument(_ body: () throws -> Void) throws -> Bool {
        push(.none)
        defer { pop() }
        try body()
        if let fault { throw fault }
        close()
        return level.state != .empty
    }

    @inline(__always)
    func double(_ value: Double, _ path: () -> [any CodingKey]) throws {
        if value.isFinite { return fragment.finite(value) }
        try spell(value, path)
    }

    /// Writes a double for which the options have no other text.
    func finiteDouble(_ value: Double, _ path: () -> [any CodingKey]) throws {
        guard value.isFinite else { throw notFinite(value, path()) }
        fragment.finite(value)
    }

    func float(_ value: Float, _ path: () -> [any CodingKey]) throws {
        if value.isFinite { return fragment.finite(value) }
        try spell(value, path)
    }

    /// Writes the text that the options have for an infinity or NaN, or throws.
    @inline(never)
    private func spell<Value: BinaryFloatingPoint>(_ value: Value, _ path: () -> [any CodingKey]) throws {
        guard case .convertToString(let infinity, let negative, let nan) = options.floats else {
            throw notFinite(value, path())
        }
        fragment.text(value.isNaN ? nan : value < 0 ? negative : infinity)
    }

    private func notFinite<Value: BinaryFloatingPoint>(_ value: Value, _ path: [any CodingKey]) -> EncodingError {
        invalid(value, path, "Unable to encode \(Value.self).\(value) directly in JSON.")
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
        guard level.state == .empty else { return try secondSingle(write) }
        try write()
        level.state = .value
    }

    /// Leaves out the only value of a level that has a container: as in Foundation, the container counts.
    @inline(never)
    private func secondSingle(_ write: () throws -> Void) throws {
        try beginSingle()
        let before = fragment.mark
        defer { fragment.goBack(to: before) }
        try write()
        level.single = .ignored
    }

    @inline(__always)
    private func beginSingle() throws {
        switch level.state {
        case .empty: return
        case .object, .array: if level.single == .none { return }
        case .value, .text: break
        case .closed: throw refusal(.closed)
        }
        throw clash()
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

    func encode<T: Encodable>(_ value: T) throws {
        try beginSingle()
        let record = unsafe types.record(of: T.self) { TypeWriter.of(T.self) }
        switch unsafe record.pointee.way {
        case .itself:
            try value.encode(to: self)
            level.single = .none
        case .string: return try encode(`as`(value) as String)
        case .int: return try encode(`as`(value) as Int)
        case .double: return try encode(`as`(value) as Double)
        case .bool: return try encode(`as`(value) as Bool)
        case .worker:
            try unsafe withUnsafePointer(to: value) {
                try unsafe record.pointee.worker.unsafelyUnwrapped.write(self, UnsafeRawPointer($0), .none)
            }
        }
        try openIfEmpty()
        guard level.state != .value, level.state != .text, level.single == .none else { return }
        take()
    }

    /// Writes the value of the innermost level, as a single-value container does, but leaves it to the caller if the value encodes nothing.
    func encodeHere<T: Encodable>(_ value: T) throws {
        let record = unsafe types.record(of: T.self) { TypeWriter.of(T.self) }
        switch unsafe record.pointee.way {
        case .itself: try value.encode(to: self)
        default: try encode(value)
        }
    }
}
