// How the library's containers are made from the contents that the reader has gathered. Where contents are concerned, a type of
// this file takes the place of the container's own type, so that these steps do not belong to the container's interface.

/// The way of a type whose contents are elements, one after the other, or pairs of a key and an element.
package protocol ElementAssembly: Assembly {
    associatedtype Whole: JSONReadable
    associatedtype Element: JSONReadable
}

extension ElementAssembly {
    // An assembly has no binding of its own: values are bound to the container's type.
    package static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { Whole._bind(&compiler) }
    package static func _destroy(_ contents: _Contents) { contents.destroyElements(Element.self) }
    package static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.moveElements(Element.self, to: address)
    }
}

/// The way of a container that contents can be added to.
protocol GrowingAssembly: ElementAssembly {
    static var empty: Whole { get }
    /// Moves the contents into a container.
    static func add(_ contents: _Contents, to whole: inout Whole)
}

extension GrowingAssembly {
    static func storeEmpty(at destination: _Destination) -> Bool {
        destination.store(empty)
        return true
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        var whole = empty
        add(contents, to: &whole)
        destination.store(whole)
    }

    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Whole.self) else { return false }
        add(contents, to: &whole)
        destination.store(whole)
        return true
    }
}

extension GrowingAssembly where Whole: RangeReplaceableCollection, Whole.Element == Element {
    static var empty: Whole { Whole() }
    static func add(_ contents: _Contents, to whole: inout Whole) {
        whole.reserveCapacity(whole.count + contents.count)
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.append((contents.elements() + index).move()) }
    }
}

enum ArrayAssembly<Element: JSONReadable>: GrowingAssembly {
    typealias Whole = [Element]

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        unsafe destination.store(Array(movingUnknown: contents.elements(of: Element.self), count: contents.count))
    }
}

enum CollectionAssembly<Whole: JSONCollection>: GrowingAssembly {
    typealias Element = Whole.Element
}

enum SetAssembly<Element: JSONReadable & Hashable>: GrowingAssembly {
    typealias Whole = Set<Element>

    static var empty: Whole { [] }
    static func add(_ contents: _Contents, to whole: inout Whole) {
        whole.reserveCapacity(whole.count + contents.count)
        // Safe: each element is moved out once.
        for index in 0..<contents.count { unsafe whole.insert((contents.elements() + index).move()) }
    }
}

enum DictionaryAssembly<Key: JSONKeyBindable, Element: JSONReadable>: GrowingAssembly {
    typealias Whole = [Key: Element]

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

    static var empty: Whole { [:] }
    static func add(_ contents: _Contents, to whole: inout Whole) {
        whole.reserveCapacity(whole.count + contents.count)
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let text = unsafe contents.key(at: index).move()
            let value = unsafe contents.value(at: index, as: Element.self).move()
            // The reader has already refused every key that the type does not have.
            if let key = Key(jsonKey: text) { whole.updateValue(value, forKey: key) }
        }
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // The types of most dictionaries: for them the compiler specialises the code here, so that no pair needs a look at its types.
        if Whole.self == [String: Int].self { return contents.storeDictionary(of: Int.self, at: destination) }
        if Whole.self == [String: Double].self { return contents.storeDictionary(of: Double.self, at: destination) }
        if Whole.self == [String: String].self { return contents.storeDictionary(of: String.self, at: destination) }
        if Whole.self == [String: Substring].self { return contents.storeDictionary(of: Substring.self, at: destination) }
        if Whole.self == [String: Bool].self { return contents.storeDictionary(of: Bool.self, at: destination) }
        if Whole.self == [String: JSONValue].self { return contents.storeDictionary(of: JSONValue.self, at: destination) }
        var whole = empty
        add(contents, to: &whole)
        destination.store(whole)
    }
}

/// A tree: its contents are those of an array or of an object.
enum ValueAssembly: ElementAssembly {
    typealias Whole = JSONValue
    typealias Element = JSONValue

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.isKeyed else {
            unsafe destination.store(JSONValue.array(Array(moving: contents.elements(), count: contents.count)))
            return
        }
        guard contents.count > 0 else { return destination.store(JSONValue.object(JSONObject())) }
        destination.store(JSONValue.object(JSONObject(contents.members)))
    }
}

enum ObjectAssembly: GrowingAssembly {
    typealias Whole = JSONObject
    typealias Element = JSONValue

    static var empty: Whole { JSONObject() }
    static func add(_ contents: _Contents, to whole: inout Whole) {
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let key = unsafe contents.key(at: index).move()
            whole[key] = unsafe contents.value(at: index, as: JSONValue.self).move()
        }
    }

    // All members are kept, also those whose keys come twice.
    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        destination.store(JSONObject(contents.members))
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

    /// Destroys the elements, and their keys.
    func destroyElements<Element>(_ type: Element.Type) {
        guard isKeyed else {
            unsafe elements(of: type).deinitialize(count: count)
            return
        }
        for index in 0..<count {
            unsafe key(at: index).deinitialize(count: 1)
            unsafe value(at: index, as: type).deinitialize(count: 1)
        }
        if hasPendingKey { unsafe key(at: count).deinitialize(count: 1) }
    }

    /// Moves the elements, and their keys, to other memory.
    func moveElements<Element>(_ type: Element.Type, to address: UnsafeMutableRawPointer) {
        guard isKeyed else {
            return unsafe address.assumingMemoryBound(to: Element.self).moveInitialize(from: elements(of: type), count: count)
        }
        for index in 0..<count {
            let target = unsafe address + index * stride
            unsafe target.assumingMemoryBound(to: String.self).moveInitialize(from: key(at: index), count: 1)
            unsafe (target + valueOffset).assumingMemoryBound(to: Element.self)
                .moveInitialize(from: value(at: index, as: type), count: 1)
        }
    }
}
