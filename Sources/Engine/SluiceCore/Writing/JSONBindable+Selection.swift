// The public calls that write only selected properties of a value.

extension JSONReadable where Self: JSONWritable {
    /// The value as JSON text in UTF-8. Its models have only some properties: those that `include` names, or all of them if it is nil,
    /// without those that `exclude` names.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(include: ["name", "address"], exclude: ["address.street"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a name that no written property has.
    @_disfavoredOverload
    public func jsonBytes(
        include: JSONSelection? = nil, exclude: JSONSelection? = nil, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> [UInt8] {
        try jsonBytes(options, selecting(include, exclude))
    }

    /// The value as JSON text; its models have only some properties, as with `jsonBytes(include:exclude:options:)`.
    ///
    /// ```swift
    /// try users.jsonString(include: ["name"])        // [{"name":"Ann"},{"name":"Bo"}]
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a name that no written property has.
    @_disfavoredOverload
    public func jsonString(
        include: JSONSelection? = nil, exclude: JSONSelection? = nil, options: JSONWriter.Options = .init()
    ) throws(JSONError) -> String {
        try jsonString(options, selecting(include, exclude))
    }

    /// Writes the value to a sink; its models have only some properties, as with
    /// `jsonBytes(include:exclude:options:)`.
    ///
    /// ```swift
    /// try user.write(to: &sink, exclude: ["password"])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `write(to:options:)` does, and of kind `notWritable` for a name that no written property has.
    @_disfavoredOverload
    public func write(
        to sink: inout some ByteSink, include: JSONSelection? = nil, exclude: JSONSelection? = nil,
        options: JSONWriter.Options = .init()
    ) throws(JSONError) {
        try write(to: &sink, options, selecting(include, exclude))
    }

    private func selecting(
        _ include: JSONSelection?, _ exclude: JSONSelection?
    ) throws(JSONError) -> SelectedProperties? {
        guard include != nil || exclude != nil else { return nil }
        let binding = BindingRegistry.shared.binding(for: Self.self)
        guard SelectedProperties.leadsToModel(binding.pointer) else {
            throw JSONError.notWritable("a model, or a collection of models, to select properties of", found: "\(Self.self)")
        }
        return SelectedProperties(include: include, exclude: exclude)
    }
}

extension JSONModel {
    /// The model as JSON text in UTF-8, with only some properties: those to `include`, or all of them if it is nil, without those to
    /// `exclude`. Nested models are complete.
    ///
    /// ```swift
    /// let bytes = try user.jsonBytes(include: [\.name, \.address])
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonBytes(options:)` does, and of kind `notWritable` for a property that is not written.
    @_disfavoredOverload
    public func jsonBytes(
        include: Set<PartialKeyPath<Self>>? = nil, exclude: Set<PartialKeyPath<Self>>? = nil,
        options: JSONWriter.Options = .init()
    ) throws(JSONError) -> [UInt8] {
        try jsonBytes(include: JSONSelection(include), exclude: JSONSelection(exclude), options: options)
    }

    /// The model as JSON text with only some properties, as with
    /// `jsonBytes(include:exclude:options:)`.
    ///
    /// ```swift
    /// try user.jsonString(include: [\.id, \.name])       // {"id":7,"name":"Ann"}
    /// ```
    ///
    /// - Throws: ``JSONError`` as `jsonString(options:)` does, and of kind `notWritable` for a property that is not written.
    @_disfavoredOverload
    public func jsonString(
        include: Set<PartialKeyPath<Self>>? = nil, exclude: Set<PartialKeyPath<Self>>? = nil,
        options: JSONWriter.Options = .init()
    ) throws(JSONError) -> String {
        try jsonString(include: JSONSelection(include), exclude: JSONSelection(exclude), options: options)
    }
}
