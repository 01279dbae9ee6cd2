// A tree is read from the same contents as arrays and dictionaries, and written recursively.

extension JSONValue: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.value(self, by: ValueAssembly.self) }

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

extension JSONObject: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.dictionary(self, of: JSONValue.self, by: ObjectAssembly.self, checksKeys: false)
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

    /// Writes the members that a model has collected, after its own. A member whose key belongs to a property is left out.
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
