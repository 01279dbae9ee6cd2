// The calls that turn a value into text.

extension JSONWritable {
    /// The value as JSON text in UTF-8.
    ///
    /// ```swift
    /// let bytes = try book.jsonBytes()
    /// let sorted = try books.jsonBytes(options: .sortedKeys)
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func jsonBytes(options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        try jsonBytes(options, WriteContext(options))
    }

    /// The value as JSON text.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func jsonString(options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        // What was written is UTF-8 by construction: strings are, and all else is ASCII.
        String(decoding: try jsonBytes(options: options), as: UTF8.self)
    }

    /// Writes the value as JSON text in UTF-8 to a sink.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable`, `depthLimit`, or whatever the sink throws.
    public func write(to sink: inout some ByteSink, options: JSONWriter.Options = .init()) throws(JSONError) {
        try write(to: &sink, options, WriteContext(options))
    }

    func jsonBytes(_ options: JSONWriter.Options, _ context: WriteContext) throws(JSONError) -> [UInt8] {
        var generator = try YajlGenerator()
        try write(into: generator, options, context)
        return generator.takeBytes()
    }

    func write(
        to sink: inout some ByteSink, _ options: JSONWriter.Options, _ context: WriteContext
    ) throws(JSONError) {
        var generator = try YajlGenerator()
        try write(into: generator, options, context)
        try generator.flush(into: &sink)
    }

    private func write(
        into generator: borrowing YajlGenerator, _ options: JSONWriter.Options, _ context: WriteContext
    ) throws(JSONError) {
        var writer = JSONWriter(options: options, context: context)
        try _write(to: &writer)
        let value = generator.value
        try unsafe writer.withBytes { text throws(JSONError) in try unsafe value.splice(text) }
    }
}
