// The public calls that write a value as JSON text.

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
        try jsonBytes(options, nil)
    }

    /// The value as JSON text.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func jsonString(options: JSONWriter.Options = .init()) throws(JSONError) -> String {
        try jsonString(options, nil)
    }

    /// Appends the value as JSON text in UTF-8 to bytes. If they are kept for the next value, no memory is allocated for it:
    ///
    /// ```swift
    /// var bytes: [UInt8] = []
    /// for book in books {
    ///     bytes.removeAll(keepingCapacity: true)
    ///     try book.write(into: &bytes)
    ///     send(bytes)
    /// }
    /// ```
    ///
    /// After an error, the bytes are as they were.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`.
    public func write(into bytes: inout [UInt8], options: JSONWriter.Options = .init()) throws(JSONError) {
        if options.isPretty { return try unsafe withJSON(options, nil) { unsafe bytes.append(contentsOf: $0) } }
        try append(to: &bytes, options, nil)
    }

    /// Calls a closure with the value as JSON text in UTF-8, in the writer's own memory: compact text is not copied. Each thread keeps up
    /// to 4 MiB of it.
    ///
    /// ```swift
    /// let size = try book.withJSONText { $0.byteCount }
    /// ```
    ///
    /// - Parameter body: Its span is valid during the call only.
    /// - Throws: ``JSONError`` of kind `notWritable` (a number that is not finite) or `depthLimit`, or the closure's error.
    public func withJSONText<Result>(
        options: JSONWriter.Options = .init(), _ body: (RawSpan) throws -> Result
    ) throws -> Result {
        // Safe: the closure cannot keep a span.
        let result = try unsafe withJSON(options, nil) { text in
            Swift.Result { try unsafe body(text.bytes) }
        }
        return try result.get()
    }

    /// Writes the value as JSON text in UTF-8 to a sink.
    ///
    /// An array of models is passed to the sink in pieces of 64 KiB, each of which ends at the end of an element, so it is written in
    /// constant memory. After an error, the sink has whole pieces only. If the error is the sink's, its ``JSONError/hint`` says how many
    /// elements were written before.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` or `depthLimit`, or the sink's error.
    public func write(to sink: inout some ByteSink, options: JSONWriter.Options = .init()) throws(JSONError) {
        try write(to: &sink, options, nil)
    }

    func jsonBytes(_ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) -> [UInt8] {
        let pool = unsafe BufferPool.ofThread
        if let expected = unsafe pool?.pointee.expectedTextCount, expected > 0, !options.isPretty {
            return try largeBytes(expected, options, selection)
        }
        return try unsafe withJSON(options, selection, of: pool) { text in
            unsafe pool?.pointee.noteText(ofSize: text.count)
            return unsafe Array(text)
        }
    }

    func jsonString(_ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) -> String {
        // The bytes are valid UTF-8: Swift's strings are, and all other text is ASCII.
        try unsafe withJSON(options, selection) { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Calls a closure with the value's text in the writer's memory.
    package func withJSON<Result>(
        options: JSONWriter.Options, _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try unsafe withJSON(options, nil, body)
    }

    @inline(__always)
    private func withJSON<Result>(
        _ options: JSONWriter.Options, _ selection: SelectedProperties?,
        of pool: UnsafeMutablePointer<BufferPool>? = unsafe BufferPool.ofThread,
        _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        var writer = unsafe JSONWriter(options, selection, of: pool)
        writer.marksVerbatim = options.isPretty
        try _write(to: &writer)
        // Safe: the closure reads the bytes during the call only.
        return try unsafe writer.withBytes { (text) throws(JSONError) in try unsafe TextLayout.with(options.style, text, body) }
    }

    func write(
        to sink: inout some ByteSink, _ options: JSONWriter.Options, _ selection: SelectedProperties?
    ) throws(JSONError) {
        if let models = self as? any StreamedModels { return try models.stream(to: &sink, options, selection) }
        try unsafe withJSON(options, selection) { (text) throws(JSONError) in try unsafe sink.write(text) }
    }
}
