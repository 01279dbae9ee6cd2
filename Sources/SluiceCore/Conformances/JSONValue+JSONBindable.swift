// A tree is made of the same contents as arrays and dictionaries, and written by a walk over it.

extension JSONValue: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.value(self) }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.isKeyed else {
            unsafe destination.store(JSONValue.array(Array(moving: contents.elements(), count: contents.count)))
            return
        }
        guard contents.count > 0 else { return destination.store(JSONValue.object(JSONObject())) }
        let members = unsafe [JSONObject.Member](unsafeUninitializedCapacity: contents.count) { buffer, initialized in
            for index in 0..<contents.count {
                // Safe: each pair is moved once, into memory of exactly as many members.
                unsafe (buffer.baseAddress.unsafelyUnwrapped + index).initialize(
                    to: (contents.key(at: index).move(), contents.value(at: index, as: JSONValue.self).move()))
            }
            initialized = contents.count
        }
        destination.store(JSONValue.object(JSONObject(members)))
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

extension JSONObject {
    func _write(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginObject()
        if writer.options.sortedKeys {
            for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                try writer.member(member.key, member.value)
            }
        } else {
            for member in members { try writer.member(member.key, member.value) }
        }
        writer.endObject()
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { (try? jsonString()) ?? "" }
}
