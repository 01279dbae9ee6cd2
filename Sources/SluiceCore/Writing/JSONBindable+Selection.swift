// The public calls that write only selected properties of a value.

extension JSONReadable where Self: JSONWritable {
    /// The value as JSON text in UTF-8; its models have only the properties named.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(include: ["name", "address.city"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a name that no written property has.
    public func jsonBytes(include names: JSONSelection, options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        try jsonBytes(options, selecting(names, isIncluding: true, options))
    }

    /// The value as JSON text in UTF-8; its models have all properties but those named.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(exclude: ["password"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a name that no written property has.
    public func jsonBytes(exclude names: JSONSelection, options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        try jsonBytes(options, selecting(names, isIncluding: false, options))
    }

    /// The value as JSON text; its models have only the properties named.
    ///
    /// ```swift
    /// try users.jsonString(include: ["name"])        // [{"name":"Ann"},{"name":"Bo"}]
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a name that no written property has.
    public func jsonString(include names: JSONSelection, options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        String(decoding: try jsonBytes(include: names, options: options), as: UTF8.self)
    }

    /// The value as JSON text; its models have all properties but those named.
    ///
    /// ```swift
    /// try users.jsonString(exclude: ["password", "address.street"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a name that no written property has.
    public func jsonString(exclude names: JSONSelection, options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        String(decoding: try jsonBytes(exclude: names, options: options), as: UTF8.self)
    }

    /// Writes the value to a sink; its models have only the properties named.
    ///
    /// ```swift
    /// try user.write(to: &sink, include: ["name"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `write(to:options:)` does, and of kind `notWritable` for a name that no written property has.
    public func write(
        to sink: inout some ByteSink, include names: JSONSelection, options: JSONWriter.Options = .init()
    ) throws(JSONError) {
        try write(to: &sink, options, selecting(names, isIncluding: true, options))
    }

    /// Writes the value to a sink; its models have all properties but those named.
    ///
    /// ```swift
    /// try user.write(to: &sink, exclude: ["password"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `write(to:options:)` does, and of kind `notWritable` for a name that no written property has.
    public func write(
        to sink: inout some ByteSink, exclude names: JSONSelection, options: JSONWriter.Options = .init()
    ) throws(JSONError) {
        try write(to: &sink, options, selecting(names, isIncluding: false, options))
    }

    private func selecting(
        _ names: JSONSelection, isIncluding: Bool, _ options: JSONWriter.Options
    ) throws(JSONError) -> WriteContext {
        let binding = BindingRegistry.shared.binding(for: Self.self)
        guard SelectedProperties.leadsToModel(binding.pointer) else {
            throw JSONError.notWritable("a model, or a collection of models, to select properties of", found: "\(Self.self)")
        }
        return WriteContext(options, selection: SelectedProperties(names, isIncluding: isIncluding))
    }
}

extension JSONModel {
    /// The model as JSON text in UTF-8, with only these properties; nested models are complete.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(include: [\.name, \.address])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a property that is not written.
    public func jsonBytes(
        include keyPaths: Set<PartialKeyPath<Self>>, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> [UInt8] {
        try jsonBytes(include: JSONSelection(keyPaths), options: options)
    }

    /// The model as JSON text in UTF-8, without these properties; nested models are complete.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(exclude: [\.password])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a property that is not written.
    public func jsonBytes(
        exclude keyPaths: Set<PartialKeyPath<Self>>, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> [UInt8] {
        try jsonBytes(exclude: JSONSelection(keyPaths), options: options)
    }

    /// The model as JSON text, with only these properties; nested models are complete.
    ///
    /// ```swift
    /// try user.jsonString(include: [\.id, \.name])       // {"id":7,"name":"Ann"}
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a property that is not written.
    public func jsonString(
        include keyPaths: Set<PartialKeyPath<Self>>, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> String {
        try jsonString(include: JSONSelection(keyPaths), options: options)
    }

    /// The model as JSON text, without these properties; nested models are complete.
    ///
    /// ```swift
    /// try user.jsonString(exclude: [\.password])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a property that is not written.
    public func jsonString(
        exclude keyPaths: Set<PartialKeyPath<Self>>, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> String {
        try jsonString(exclude: JSONSelection(keyPaths), options: options)
    }
}
