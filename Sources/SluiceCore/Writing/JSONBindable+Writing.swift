// The calls that turn a value into text.

extension JSONBindable {
    /// The value as JSON text in UTF-8.
    ///
    /// ```swift
    /// let bytes = try book.jsonBytes()
    /// let sorted = try books.jsonBytes(options: .sortedKeys)
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func jsonBytes(options: JSONWriter.Options = .init()) throws(JSONError) -> [UInt8] {
        var generator = try YajlGenerator()
        try write(into: generator, options)
        return generator.takeBytes()
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
        var generator = try YajlGenerator()
        try write(into: generator, options)
        try generator.flush(into: &sink)
    }

    private func write(into generator: borrowing YajlGenerator, _ options: JSONWriter.Options) throws(JSONError) {
        var writer = JSONWriter(options: options)
        try _write(to: &writer)
        let value = generator.value
        try unsafe writer.withBytes { text throws(JSONError) in try unsafe value.splice(text) }
    }
}
