// Optional, Array, Set and Dictionary of bindable types.

extension Optional: _JSONReadable, JSONReadable where Wrapped: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.optional(of: Wrapped.self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .some(let value): try value._write(to: &writer)
        case .none: writer.writeNull()
        }
    }

    @inlinable
    public var _isNil: Bool {
        switch self {
        case .some(let value): value._isNil
        case .none: true
        }
    }
}

extension Array: _JSONReadable, JSONReadable where Element: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Element.self, by: ArrayAssembly<Element>.self, isBuiltinArray: true)
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        // Safe: the comparison has shown that the array has this type.
        if Element.self == Double.self { return try writer.doubles(unsafe unsafeBitCast(self, to: [Double].self)) }
        if Element.self == Int.self { return try writer.integers(unsafe unsafeBitCast(self, to: [Int].self)) }
        let isWritten = unsafe withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return false }
            return unsafe Element._writeArray(UnsafeRawPointer(first), elements.count, to: &writer)
        }
        if isWritten { return }
        try writer.beginArray()
        var failure: JSONError?
        unsafe withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress else { return }
            // Safe: nothing writes to an element. It is passed as `inout`, because any other way makes generic code copy it, and retain all
            // its strings.
            let lent = unsafe UnsafeMutablePointer(mutating: first)
            do throws(JSONError) {
                for index in elements.indices {
                    do throws(JSONError) {
                        try unsafe writer.element(&lent[index])
                    } catch {
                        try writer.leaveOutElement(error, index)
                        continue
                    }
                    writer.endElement()
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        writer.endArray()
    }
}

extension Set: _JSONReadable, JSONReadable where Element: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Element.self, by: SetAssembly<Element>.self)
    }
}

extension Set: JSONWritable where Element: JSONWritable {
    /// Writes the elements in the set's own order; with sorted keys, in the order of their JSON text, so that equal sets give
    /// equal text.
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        guard writer.options.sortedKeys else { return try Array(self)._write(to: &writer) }
        var ordered: [(text: [UInt8], element: Element)] = []
        for element in self {
            var own = JSONWriter(options: writer.options, context: writer.context)
            do throws(JSONError) {
                try element._write(to: &own)
            } catch {
                guard writer.isOmission(error) else { throw error }
                continue
            }
            ordered.append((text: unsafe own.withBytes { unsafe Array($0) }, element: element))
        }
        ordered.sort { $0.text.lexicographicallyPrecedes($1.text) }
        try ordered.map(\.element)._write(to: &writer)
    }
}

/// A type of dictionary keys: a `String`, an integer, a `UUID`, an enum, or a type of your own that is made from a string.
///
/// ```swift
/// enum Size: String, JSONKeyBindable { case small, large }
/// let prices = try [Size: Double](json: #"{"small": 1.5, "large": 2}"#)
/// let names = try [Int: String](json: #"{"7": "Ann"}"#)
/// ```
///
/// An enum of raw values that are strings or integers declares the conformance and needs no code.
public protocol JSONKeyBindable: Hashable {
    /// The key that a text denotes, or nil.
    init?(jsonKey text: String)
    /// The text of the key in JSON.
    var jsonKey: String { get }
}

extension String: JSONKeyBindable {
    /// The text itself.
    public init?(jsonKey text: String) { self = text }
    /// The text itself.
    @inlinable
    public var jsonKey: String { self }
}

extension JSONKeyBindable where Self: RawRepresentable, RawValue: JSONKeyBindable {
    /// The case with this raw value.
    public init?(jsonKey text: String) {
        guard let raw = RawValue(jsonKey: text) else { return nil }
        self.init(rawValue: raw)
    }
    /// The raw value.
    public var jsonKey: String { rawValue.jsonKey }
}

extension JSONKeyBindable where Self: FixedWidthInteger {
    /// The integer with these digits. Other spellings are refused: `007` and `+7` would be the same key as `7`, and one of the
    /// values would be lost.
    public init?(jsonKey text: String) {
        guard let value = Self(text, radix: 10), String(value) == text else { return nil }
        self = value
    }
    /// The digits.
    public var jsonKey: String { String(self) }
}

extension Dictionary: _JSONReadable, JSONReadable where Key: JSONKeyBindable, Value: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.dictionary(self, of: Value.self, by: DictionaryAssembly<Key, Value>.self, checksKeys: Key.self != String.self)
    }
}

extension Dictionary: JSONWritable where Key: JSONKeyBindable, Value: JSONWritable {
    /// Writes the pairs in the dictionary's own order, or sorted by key if the writer's options say so. A nil is written as null,
    /// because its key is part of the value.
    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        if writer.options.sortedKeys { return try writeSorted(to: &writer) }
        if Self.self == [String: Int].self {
            // Safe: the comparison has shown that the dictionary has this type.
            return try writer.integers(unsafe unsafeBitCast(self, to: [String: Int].self))
        }
        try writer.beginObject()
        for (key, value) in self { try writer.member(key.jsonKey, value) }
        writer.endObject()
    }

    @usableFromInline @inline(never)
    func writeSorted(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginObject()
        let pairs = map { (text: $0.key.jsonKey, value: $0.value) }
            .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        for pair in pairs { try writer.member(pair.text, pair.value) }
        writer.endObject()
    }
}
