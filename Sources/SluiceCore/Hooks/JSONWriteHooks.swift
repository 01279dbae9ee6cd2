// What a model may do itself before and after it is written. A model that conforms to none of these pays nothing for them.

/// A model that may refuse to be written.
///
/// ```swift
/// extension Message: JSONWillWrite {
///     func willWrite() -> Bool { time != nil }
/// }
/// ```
public protocol JSONWillWrite: JSONModel {
    /// Checks the model before it is written.
    ///
    /// - Returns: Whether the model is written. False leaves it out: a property's key, an element, a dictionary's pair; at the top
    ///   level it is an error of kind `rejected`.
    /// - Throws: Whatever makes the model unfit; it is reported as an error of kind `notWritable`.
    func willWrite() throws -> Bool
}

/// A model that changes or completes its object before that becomes text.
///
/// The object is made as a tree first, so this is the slow way.
///
/// ```swift
/// extension Message: JSONDidWrite {
///     func didWrite(_ object: inout JSONObject) -> Bool {
///         object["time"] = JSONValue.number(JSONNumber(Int(seconds * 1000)))
///         return true
///     }
/// }
/// ```
public protocol JSONDidWrite: JSONModel {
    /// Changes the object that the model has become.
    ///
    /// - Returns: Whether the model is written. False leaves it out, as with ``JSONWillWrite/willWrite()``.
    /// - Throws: Whatever makes the model unfit; it is reported as an error of kind `notWritable`.
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

// Each model is asked: so arrays of them are written one by one, and a model around one asks it as well.

extension JSONModel where Self: JSONWillWrite {
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool { false }

    public static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool { false }
}

extension JSONModel where Self: JSONDidWrite {
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool { false }

    public static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool { false }
}

extension JSONModel where Self: JSONWillWrite & JSONDidWrite {
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool { false }

    public static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool { false }
}

extension JSONWillWrite {
    func _askWillWrite(_ writer: borrowing JSONWriter) throws(JSONError) {
        // Descriptions, comparisons and archives are of the model itself.
        guard writer.context.form == nil else { return }
        try JSONError.ask("willWrite", of: Self.self, elseThrow: .notWritable) { try willWrite() }
    }
}

extension JSONDidWrite {
    func _writeHooked(to writer: inout JSONWriter) throws(JSONError) {
        guard writer.context.form == nil else { return try writer.model(self, Self._jsonTable) }
        var options = writer.options
        options.isPretty = false
        var own = JSONWriter(options: options, context: writer.context)
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
