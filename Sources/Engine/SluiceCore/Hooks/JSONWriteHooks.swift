// Hooks that a model may run before and after it is written. A model without hooks pays nothing for them.

/// A model that may refuse to be written.
///
/// ```swift
/// extension Message: JSONWillWrite {
///     func willWrite() -> Bool { time != nil }
/// }
/// ```
public protocol JSONWillWrite: _JSONWriteHook {
    /// Checks the model before it is written.
    ///
    /// - Returns: Whether the model is written. False leaves it out: the element, the property with its key, or the dictionary's
    ///   pair. At the top level writing fails with an error of kind `rejected`.
    /// - Throws: Any error that makes the model unfit. It is reported as one of kind `notWritable`; a ``JSONError`` is passed on as
    ///   it is.
    func willWrite() throws -> Bool
}

/// A model that changes or completes its JSON object before the object becomes text.
///
/// The object is first built as a tree, which is slow.
///
/// ```swift
/// extension Message: JSONDidWrite {
///     func didWrite(_ object: inout JSONObject) -> Bool {
///         object["time"] = JSONValue.number(JSONNumber(Int(seconds * 1000)))
///         return true
///     }
/// }
/// ```
public protocol JSONDidWrite: _JSONWriteHook {
    /// Changes the JSON object that was made from the model.
    ///
    /// - Returns: Whether the model is written. False leaves it out, as with ``JSONWillWrite/willWrite()``.
    /// - Throws: Any error that makes the model unfit. It is reported as one of kind `notWritable`; a ``JSONError`` is passed on as
    ///   it is.
    func didWrite(_ object: inout JSONObject) throws -> Bool
}

extension JSONModel where Self: JSONWillWrite {
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        try _askWillWrite(writer)
        try writer.model(self, Self._jsonTable)
    }
}

extension JSONModel where Self: JSONDidWrite {
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try _writeHooked(to: &writer) }
}

extension JSONModel where Self: JSONWillWrite & JSONDidWrite {
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        try _askWillWrite(writer)
        try _writeHooked(to: &writer)
    }
}

extension JSONWillWrite {
    func _askWillWrite(_ writer: borrowing JSONWriter) throws(JSONError) {
        // Descriptions, comparisons and archives show the model itself, so they do not run the hook.
        guard writer.context.form == nil else { return }
        try JSONError.ask("willWrite", of: Self.self, elseThrow: .notWritable) { try willWrite() }
    }
}

extension JSONDidWrite {
    func _writeHooked(to writer: inout JSONWriter) throws(JSONError) {
        guard writer.context.form == nil else { return try writer.model(self, Self._jsonTable) }
        var own = JSONWriter(options: writer.options, context: writer.context)
        own.pendingTags = writer.pendingTags
        own.nesting = writer.nesting
        try own.model(self, Self._jsonTable)
        writer.pendingTags = []
        var value = try unsafe own.withBytes { bytes throws(JSONError) in
            try unsafe JSONValue(json: bytes, options: JSONReader.Options(maximumDepth: writer.options.maximumDepth))
        }
        guard case .object(var object) = value else { return try value._write(to: &writer) }
        try JSONError.ask("didWrite", of: Self.self, elseThrow: .notWritable) { try didWrite(&object) }
        value = .object(object)
        try value._write(to: &writer)
    }
}
