// A tree is read from the same contents as arrays and dictionaries, and written recursively.

extension JSONValue: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.value(self) }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.isKeyed else {
            unsafe destination.store(JSONValue.array(Array(moving: contents.elements(), count: contents.count)))
            return
        }
        guard contents.count > 0 else { return destination.store(JSONValue.object(JSONObject())) }
        destination.store(JSONValue.object(JSONObject(contents.members)))
    }

    public static func _destroy(_ contents: _Contents) {
        if contents.isKeyed {
            contents.destroyPairs(of: JSONValue.self, from: 0)
        } else {
            unsafe contents.elements(of: JSONValue.self).deinitialize(count: contents.count)
        }
    }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        if contents.isKeyed {
            unsafe contents.movePairs(of: JSONValue.self, to: address)
        } else {
            unsafe contents.move(JSONValue.self, to: address)
        }
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let number): writer.writeNumber(number)
        case .string(let text): writer.write(text)
        case .array(let elements): try elements._write(to: &writer)
        case .object(let object): try object._write(to: &writer)
        }
    }
}

extension _Contents {
    /// The members made from the pairs, which are moved out of their memory.
    fileprivate var members: [JSONObject.Member] {
        // A tuple has the memory layout of a pair: each part is at the first multiple of its alignment behind the part before.
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

extension JSONObject: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.dictionary(self, of: JSONValue.self, checksKeys: false)
    }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        destination.store(JSONObject(contents.members))
    }

    public static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool {
        guard var whole = destination.load(Self.self) else { return false }
        for index in 0..<contents.count {
            // Safe: each pair is moved out once.
            let key = unsafe contents.key(at: index).move()
            whole[key] = unsafe contents.value(at: index, as: JSONValue.self).move()
        }
        destination.store(whole)
        return true
    }

    public static func _storeEmpty(at destination: _Destination) -> Bool {
        destination.store(Self())
        return true
    }

    public static func _destroy(_ contents: _Contents) { contents.destroyPairs(of: JSONValue.self, from: 0) }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe contents.movePairs(of: JSONValue.self, to: address)
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginObject()
        try writer.members(of: self)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes the members of an object, in the object's order or sorted by key if the writer's options say so.
    fileprivate mutating func members(of object: JSONObject, except table: PropertyTable? = nil) throws(JSONError) {
        let members =
            options.sortedKeys
            ? object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } : object.members
        for member in members where table?.binds(member.key) != true { try self.member(member.key, member.value) }
    }

    /// Writes the members that a model has collected, behind its own. A member whose key belongs to a property is left out.
    public mutating func _collected(_ rest: some _JSONMemberCollection, _ table: PropertyTable) throws(JSONError) {
        if form != nil { return try property(rest._collected) }
        try members(of: rest._collected, except: table)
    }
}

extension PropertyTable {
    /// Whether a key of the model's own object is bound to a property or begins a key path.
    func binds(_ key: String) -> Bool {
        guard let layout = binding.model else { return false }
        return unsafe Array(key.utf8).withUnsafeBufferPointer { key in
            // Safe: the address has `key.count` bytes.
            unsafe layout.level.row(forKey: key.baseAddress ?? NoBytes.address, key.count) != nil
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { (try? jsonString()) ?? "" }
}
