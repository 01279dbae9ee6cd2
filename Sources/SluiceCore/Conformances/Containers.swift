// Optional, Array, Set and Dictionary of bindable types.

extension Optional: JSONReadable where Wrapped: JSONReadable {
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

extension Array: JSONReadable where Element: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Element.self, isBuiltinArray: true)
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Self())
        return true
    }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        unsafe destination.store(Array(movingUnknown: contents.elements(), count: contents.count))
    }

    public static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Self.self) else { return false }
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.append((contents.elements() + index).move()) }
        destination.store(whole)
        return true
    }

    public static func _destroy(_ contents: _Contents) {
        unsafe contents.elements(of: Element.self).deinitialize(count: contents.count)
    }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.move(Element.self, to: address)
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
                    writer.beginElement()
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

extension Set: JSONReadable where Element: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Element.self, isBuiltinArray: false)
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Self())
        return true
    }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let elements = unsafe contents.elements(of: Element.self)
        var result = Set(minimumCapacity: contents.count)
        for index in 0..<contents.count {
            // Safe: each element is moved out once.
            unsafe result.insert((elements + index).move())
        }
        destination.store(result)
    }

    public static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Self.self) else { return false }
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.insert((contents.elements() + index).move()) }
        destination.store(whole)
        return true
    }

    public static func _destroy(_ contents: _Contents) {
        unsafe contents.elements(of: Element.self).deinitialize(count: contents.count)
    }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.move(Element.self, to: address)
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

/// A type of dictionary keys: a `String`, or a type that is made from one.
///
/// ```swift
/// enum Size: String, JSONKeyBindable { case small, large }
/// let prices = try [Size: Double](json: #"{"small": 1.5, "large": 2}"#)
/// ```
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
    public var jsonKey: String { self }
}

extension JSONKeyBindable where Self: RawRepresentable, RawValue == String {
    /// The case with this raw value.
    public init?(jsonKey text: String) { self.init(rawValue: text) }
    /// The raw value.
    public var jsonKey: String { rawValue }
}

extension Dictionary: JSONReadable where Key: JSONKeyBindable, Value: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.dictionary(self, of: Value.self, checksKeys: Key.self != String.self)
    }

    public static func _problem(ofKey key: String) -> JSONError? {
        guard Key(jsonKey: key) == nil else { return nil }
        return JSONError(.invalidValue, expected: "keys of \(Key.self)", found: "the key \"\(key)\"")
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Self())
        return true
    }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // The types of most dictionaries: for them the compiler specialises the code here, so that no pair needs a look at its types.
        if Self.self == [String: Int].self { return contents.storeDictionary(of: Int.self, at: destination) }
        if Self.self == [String: Double].self { return contents.storeDictionary(of: Double.self, at: destination) }
        if Self.self == [String: String].self { return contents.storeDictionary(of: String.self, at: destination) }
        if Self.self == [String: Bool].self { return contents.storeDictionary(of: Bool.self, at: destination) }
        if Self.self == [String: JSONValue].self { return contents.storeDictionary(of: JSONValue.self, at: destination) }
        var result = Dictionary(minimumCapacity: contents.count)
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let text = unsafe contents.key(at: index).move()
            let value = unsafe contents.value(at: index, as: Value.self).move()
            // The reader has already refused every key that the type does not have.
            if let key = Key(jsonKey: text) { result.updateValue(value, forKey: key) }
        }
        destination.store(result)
    }

    public static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard let old = destination.load(Self.self) else { return false }
        try _complete(contents, at: destination)
        guard let new = destination.load(Self.self) else { return true }
        destination.store(old.merging(new) { $1 })
        return true
    }

    public static func _destroy(_ contents: _Contents) { contents.destroyPairs(of: Value.self, from: 0) }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.movePairs(of: Value.self, to: address)
    }
}

extension Dictionary: JSONWritable where Key: JSONKeyBindable, Value: JSONWritable {
    /// Writes the pairs in the dictionary's own order, or sorted by key if the writer's options say so. A nil is written as null,
    /// because its key is part of the value.
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginObject()
        if writer.options.sortedKeys {
            let pairs = map { (text: $0.key.jsonKey, value: $0.value) }
                .sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
            for pair in pairs { try writer.member(pair.text, pair.value) }
        } else {
            for pair in self { try writer.member(pair.key.jsonKey, pair.value) }
        }
        writer.endObject()
    }
}

extension _Contents {
    /// The elements' memory.
    func elements<Element>(of type: Element.Type = Element.self) -> UnsafeMutablePointer<Element> {
        // Safe: the table was compiled with this element type.
        unsafe base.assumingMemoryBound(to: Element.self)
    }

    /// Makes a dictionary of the pairs, consuming them, and stores it; the last value of a key wins.
    func storeDictionary<Value>(of type: Value.Type, at destination: _Destination) {
        var result = [String: Value](minimumCapacity: count)
        for index in 0..<count {
            // Safe: each pair is moved out once.
            unsafe result[key(at: index).move()] = unsafe value(at: index, as: type).move()
        }
        destination.store(result)
    }

    func move<Element>(_ type: Element.Type, to address: UnsafeMutableRawPointer) {
        unsafe address.assumingMemoryBound(to: Element.self).moveInitialize(from: elements(of: type), count: count)
    }

    func destroyPairs<Value>(of type: Value.Type, from start: Int) {
        for index in start..<max(count, start) {
            unsafe key(at: index).deinitialize(count: 1)
            unsafe value(at: index, as: type).deinitialize(count: 1)
        }
        if hasPendingKey { unsafe key(at: count).deinitialize(count: 1) }
    }

    func movePairs<Value>(of type: Value.Type, to address: UnsafeMutableRawPointer) {
        for index in 0..<count {
            let target = unsafe address + index * stride
            unsafe target.assumingMemoryBound(to: String.self).moveInitialize(from: key(at: index), count: 1)
            unsafe (target + valueOffset).assumingMemoryBound(to: Value.self)
                .moveInitialize(from: value(at: index, as: type), count: 1)
        }
    }
}
