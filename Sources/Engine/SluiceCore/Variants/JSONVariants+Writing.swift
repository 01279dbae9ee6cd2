// Writes a variant together with the tag that distinguishes it. In JSON, the tag's form decides how. In a stored form (a copy or an
// archive) the variant's name is always written, because reading it must give the same variant.
//
//     .key("t")                       {"t":"circle","radius":1}
//     .key("t", content: "value")     {"t":"circle","value":{"radius":1}}
//     .key("t", content: "data.object") {"t":"circle","data":{"object":{"radius":1}}}
//     .external                       {"circle":{"radius":1}}
//     .presence, .function, .untagged {"radius":1}
//     a stored form                   {"#circle":{"radius":1}}

extension ModelVariant {
    /// The steps from the variant's JSON to the model in it.
    var steps: [JSONStep] {
        switch form {
        case .adjacent(_, let content): [.member(content.components)]
        case .external: [.member([name])]
        case .key, .presence, .untagged, .function: []
        }
    }

    /// Calls `value` to write the variant, and adds the tag.
    func write(to writer: inout JSONWriter, _ value: (inout JSONWriter) throws(JSONError) -> Void) throws(JSONError) {
        switch form {
        case .key(let key):
            let outer = (context: writer.context, tags: writer.pendingTags)
            defer {
                writer.context = outer.context
                // A value that is not written leaves its tag pending; the tag must not go to another model.
                writer.pendingTags = []
            }
            if !outer.tags.contains(where: { $0.key == key }) { writer.pendingTags.append(VariantTag(key: key, name: name)) }
            writer.context.isSpecial = true
            try value(&writer)
            if !writer.pendingTags.isEmpty {
                throw JSONError(
                    .notWritable, expected: "a model, whose object has room for the key '\(key)'", found: "a value of '\(name)'")
            }
        case .adjacent(let key, let content):
            try writer.beginObject()
            try writer.member(key, name)
            try writer.write(value, at: content.components[...])
            writer.endObject()
        case .external: try writer.writeWrapped(name, value)
        case .presence, .function, .untagged: try value(&writer)
        }
    }
}

extension JSONVariants {
    /// Writes a variant without a value.
    public func _write(_ name: String, to writer: inout JSONWriter) throws(JSONError) {
        if writer.isStoring { return try writer.writeWrapped(VariantTag.stored(name)) { $0.writeNull() } }
        switch table.tag.form {
        case .key(let key), .adjacent(let key, _):
            try writer.beginObject()
            try writer.member(key, name)
            writer.endObject()
        case .external: writer.write(name)
        case .presence, .function, .untagged: writer.writeNull()
        }
    }

    /// Writes a variant and its value.
    public func _write<Value: JSONBindable>(_ name: String, _ value: Value, to writer: inout JSONWriter) throws(JSONError) {
        if writer.isStoring {
            return try writer.writeWrapped(VariantTag.stored(name)) { (writer) throws(JSONError) in try value._write(to: &writer)
            }
        }
        try ModelVariant(form: table.tag.form, name: name).write(to: &writer) { (writer) throws(JSONError) in
            try value._write(to: &writer)
        }
    }

    /// Writes a value that matched no variant when it was read.
    public func _writeUnknown(_ value: RawJSON, to writer: inout JSONWriter) throws(JSONError) {
        guard writer.isStoring else { return try value._write(to: &writer) }
        try writer.writeWrapped(VariantTag.stored("")) { (writer) throws(JSONError) in try value._write(to: &writer) }
    }
}

extension JSONWriter {
    /// Writes a member, inside an object for each key of a path but the last.
    fileprivate mutating func write(
        _ value: (inout JSONWriter) throws(JSONError) -> Void, at path: ArraySlice<String>
    ) throws(JSONError) {
        guard let key = path.first, path.count > 1 else { return try member(path.first ?? "", value) }
        try member(key) { (writer) throws(JSONError) in
            try writer.beginObject()
            try writer.write(value, at: path.dropFirst())
            writer.endObject()
        }
    }

    /// Whether the stored form is written: for a copy or an archive.
    fileprivate var isStoring: Bool { form?.purpose.isStored == true }

    /// Writes an object with one member.
    fileprivate mutating func writeWrapped(
        _ key: String, _ value: (inout JSONWriter) throws(JSONError) -> Void
    ) throws(JSONError) {
        try beginObject()
        try member(key, value)
        endObject()
    }
}
