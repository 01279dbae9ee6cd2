// How the library's containers are made from the contents that the reader has gathered. Where contents are concerned, a type of
// this file takes the place of the container's own type, so that these steps do not belong to the container's interface.

/// The way of a type whose contents are elements, one after the other.
package protocol ElementAssembly: Assembly {
    associatedtype Whole: JSONReadable
    associatedtype Element: JSONReadable
}

extension ElementAssembly {
    // An assembly has no binding of its own: values are bound to the container's type.
    package static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { Whole._bind(&compiler) }

    package static func _destroy(_ contents: _Contents) {
        unsafe contents.elements(of: Element.self).deinitialize(count: contents.count)
    }

    package static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.move(Element.self, to: address)
    }
}

extension ElementAssembly where Whole: RangeReplaceableCollection, Whole.Element == Element {
    static func storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Whole())
        return true
    }

    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Whole.self) else { return false }
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.append((contents.elements() + index).move()) }
        destination.store(whole)
        return true
    }
}

enum ArrayAssembly<Element: JSONReadable>: ElementAssembly {
    typealias Whole = [Element]

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        unsafe destination.store(Array(movingUnknown: contents.elements(of: Element.self), count: contents.count))
    }
}

enum CollectionAssembly<Whole: JSONCollection>: ElementAssembly {
    typealias Element = Whole.Element

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let elements = unsafe contents.elements(of: Element.self)
        var result = Whole()
        result.reserveCapacity(contents.count)
        for index in 0..<contents.count {
            // Safe: each element is moved out once.
            unsafe result.append((elements + index).move())
        }
        destination.store(result)
    }
}

enum SetAssembly<Element: JSONReadable & Hashable>: ElementAssembly {
    typealias Whole = Set<Element>

    static func storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Whole())
        return true
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let elements = unsafe contents.elements(of: Element.self)
        var result = Set<Element>(minimumCapacity: contents.count)
        for index in 0..<contents.count {
            // Safe: each element is moved out once.
            unsafe result.insert((elements + index).move())
        }
        destination.store(result)
    }

    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Whole.self) else { return false }
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.insert((contents.elements() + index).move()) }
        destination.store(whole)
        return true
    }
}

enum DictionaryAssembly<Key: JSONKeyBindable, Value: JSONReadable>: Assembly {
    typealias Whole = [Key: Value]

    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { Whole._bind(&compiler) }

    static func problem(ofKey key: String) -> JSONError? {
        guard Key(jsonKey: key) == nil else { return nil }
        return JSONError(.invalidValue, expected: "keys of \(Key.self)", found: "the key \"\(key)\"")
    }

    static func mayMerge(_ key: String, isASCII: Bool) -> Bool {
        // Strings are equal in Swift if they look alike. An integer has one spelling.
        Key.self == String.self ? !isASCII : !(Key.self is any FixedWidthInteger.Type)
    }

    static func merged(_ key: String) -> AnyHashable {
        if let key = Key(jsonKey: key) { AnyHashable(key) } else { AnyHashable(key) }
    }

    static func storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Whole())
        return true
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // The types of most dictionaries: for them the compiler specialises the code here, so that no pair needs a look at its types.
        if Whole.self == [String: Int].self { return contents.storeDictionary(of: Int.self, at: destination) }
        if Whole.self == [String: Double].self { return contents.storeDictionary(of: Double.self, at: destination) }
        if Whole.self == [String: String].self { return contents.storeDictionary(of: String.self, at: destination) }
        if Whole.self == [String: Substring].self { return contents.storeDictionary(of: Substring.self, at: destination) }
        if Whole.self == [String: Bool].self { return contents.storeDictionary(of: Bool.self, at: destination) }
        if Whole.self == [String: JSONValue].self { return contents.storeDictionary(of: JSONValue.self, at: destination) }
        var result = Whole(minimumCapacity: contents.count)
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let text = unsafe contents.key(at: index).move()
            let value = unsafe contents.value(at: index, as: Value.self).move()
            // The reader has already refused every key that the type does not have.
            if let key = Key(jsonKey: text) { result.updateValue(value, forKey: key) }
        }
        destination.store(result)
    }

    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard let old = destination.load(Whole.self) else { return false }
        try _complete(contents, at: destination)
        guard let new = destination.load(Whole.self) else { return true }
        destination.store(old.merging(new) { $1 })
        return true
    }

    static func _destroy(_ contents: _Contents) { contents.destroyPairs(of: Value.self, from: 0) }

    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.movePairs(of: Value.self, to: address)
    }
}

/// A tree: its contents are those of an array or of an object.
enum ValueAssembly: Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { JSONValue._bind(&compiler) }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.isKeyed else {
            unsafe destination.store(JSONValue.array(Array(moving: contents.elements(), count: contents.count)))
            return
        }
        guard contents.count > 0 else { return destination.store(JSONValue.object(JSONObject())) }
        destination.store(JSONValue.object(JSONObject(contents.members)))
    }

    static func _destroy(_ contents: _Contents) {
        if contents.isKeyed {
            contents.destroyPairs(of: JSONValue.self, from: 0)
        } else {
            unsafe contents.elements(of: JSONValue.self).deinitialize(count: contents.count)
        }
    }

    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        if contents.isKeyed {
            unsafe contents.movePairs(of: JSONValue.self, to: address)
        } else {
            unsafe contents.move(JSONValue.self, to: address)
        }
    }
}

enum ObjectAssembly: Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { JSONObject._bind(&compiler) }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        destination.store(JSONObject(contents.members))
    }

    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(JSONObject.self) else { return false }
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let key = unsafe contents.key(at: index).move()
            whole[key] = unsafe contents.value(at: index, as: JSONValue.self).move()
        }
        destination.store(whole)
        return true
    }

    static func storeEmpty(at destination: _Destination) -> Bool {
        destination.store(JSONObject())
        return true
    }

    static func _destroy(_ contents: _Contents) { contents.destroyPairs(of: JSONValue.self, from: 0) }

    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.movePairs(of: JSONValue.self, to: address)
    }
}

extension _Contents {
    /// The members made from the pairs, which are moved out of their memory.
    fileprivate var members: [JSONObject.Member] {
        // A tuple has the memory layout of a pair: each part is at the first multiple of its alignment after the part before.
        if stride == MemoryLayout<JSONObject.Member>.stride, valueOffset == MemoryLayout<String>.stride {
            // Safe: `count` pairs are initialised.
            return unsafe Array(moving: base.assumingMemoryBound(to: JSONObject.Member.self), count: count)
        }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(count)
        for index in 0..<count {
            // Safe: each pair is moved out once.
            let key = unsafe key(at: index).move()
            members.append((key: key, value: unsafe value(at: index, as: JSONValue.self).move()))
        }
        return members
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
