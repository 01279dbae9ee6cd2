// Conversions between values and trees: a model as a `JSONObject` to inspect or change, and a model read from one.

extension JSONWritable {
    /// The value as a tree.
    ///
    /// ```swift
    /// let tree = try books.jsonValue()
    /// tree[0]?["name"]?.string            // "Emma"
    /// ```
    ///
    /// The tree equals what reading the value's JSON text gives: numbers keep the text that is written, and the options apply.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func jsonValue(options: JSONWriter.Options = .init()) throws(JSONError) -> JSONValue {
        try TreeText.value(of: jsonBytes(options: options.compact), options)
    }

    /// The value as an object.
    ///
    /// ```swift
    /// var object = try book.jsonObject()
    /// object["isNew"] = true
    /// ```
    ///
    /// - Throws: ``JSONError`` as ``jsonValue(options:)`` does, and of kind `notWritable` for a value that is not written as an
    ///   object.
    public func jsonObject(options: JSONWriter.Options = .init()) throws(JSONError) -> JSONObject {
        try TreeText.object(jsonValue(options: options))
    }
}

extension JSONReadable where Self: JSONWritable {
    /// The value as an object. Its models have only some properties: those that `include` names, or all except those that
    /// `exclude` names.
    ///
    /// ```swift
    /// let object = try user.jsonObject(include: ["name", "address.city"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonObject(options:)` does, and of kind `notWritable` for a name that is not written.
    @_disfavoredOverload
    public func jsonObject(
        include: JSONSelection? = nil, exclude: JSONSelection? = nil, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> JSONObject {
        try TreeText.object(
            TreeText.value(of: jsonBytes(include: include, exclude: exclude, options: options.compact), options))
    }
}

extension JSONReadable {
    /// Reads a value from a tree.
    ///
    /// ```swift
    /// let book = try Book(json: tree["books"]?[0] ?? .null)
    /// ```
    ///
    /// The tree is written as text and read again, so an error's offset, line and column refer to that text; its path is more useful.
    ///
    /// - Throws: ``JSONError`` with the kind and path of the error.
    @_disfavoredOverload
    public init(json value: JSONValue, options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: value.jsonBytes(options: .init(maximumDepth: options.maximumDepth)), options: options)
    }

    /// Reads a value from an object.
    ///
    /// ```swift
    /// let book = try Book(json: ["name": "Emma", "pages": 474])
    /// ```
    ///
    /// - Throws: ``JSONError`` with the kind and path of the error.
    public init(json object: JSONObject, options: JSONReader.Options = .init()) throws(JSONError) {
        try self.init(json: JSONValue.object(object), options: options)
    }
}

extension JSONModel {
    /// The model as an object with only some properties: those to `include`, or all except those to `exclude`. Models inside it
    /// are complete.
    ///
    /// ```swift
    /// let object = try user.jsonObject(include: [\.id, \.host])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonObject(options:)` does, and of kind `notWritable` for a property that is not written.
    @_disfavoredOverload
    public func jsonObject(
        include: Set<PartialKeyPath<Self>>? = nil, exclude: Set<PartialKeyPath<Self>>? = nil,
        options: JSONWriter.Options = .init()
    ) throws(JSONError) -> JSONObject {
        try jsonObject(include: JSONSelection(include), exclude: JSONSelection(exclude), options: options)
    }
}

/// Turns text that was just written into a tree.
private enum TreeText {
    static func value(of bytes: [UInt8], _ options: JSONWriter.Options) throws(JSONError) -> JSONValue {
        try JSONValue(json: bytes, options: .init(maximumDepth: options.maximumDepth))
    }

    static func object(_ value: JSONValue) throws(JSONError) -> JSONObject {
        if case .object(let object) = value { return object }
        let found =
            switch value {
            case .array: "an array"
            case .null: "null"
            default: "a scalar"
            }
        throw JSONError.notWritable("a value that is written as an object", found: found)
    }
}
