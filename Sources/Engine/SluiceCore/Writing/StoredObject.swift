// An object that is written apart from the properties that refer to it: see ``StoredObjects``, which reads it.

/// An object to be stored: its class, and its text.
struct StoredObject {
    let type: any (JSONModel & AnyObject).Type
    let text: [UInt8]
}

extension ModelRendering {
    /// Stores an object separately, and writes a reference to it.
    func writeReference<Object: JSONModel & AnyObject>(
        to object: Object, _ table: PropertyTable, _ writer: inout JSONWriter
    ) throws(JSONError) {
        var own = JSONWriter(options: writer.options, context: writer.context)
        own.nesting = writer.nesting
        try write(object, table, to: &own)
        // Safe: the bytes are copied while the writer lives.
        // The dynamic type: the caller may know only the type of its variable.
        objects.append(StoredObject(type: type(of: object), text: unsafe own.withBytes { unsafe Array($0) }))
        try writer.beginObject()
        try writer.member("@", objects.count - 1)
        writer.endObject()
    }
}
