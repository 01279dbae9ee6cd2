// The calls that turn text into a value.

extension JSONReadable {
    /// Reads a value from a string, an array of UTF-8 bytes, a part of either, a buffer or Foundation's `Data`.
    ///
    /// ```swift
    /// let books = try [Book](json: text)
    /// let prices = try [String: Double](json: #"{"tea": 2.5}"#)
    /// ```
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    // So that `map(String.init)` and `map(Array.init)` mean Swift's own.
    @_disfavoredOverload @inlinable
    public init(json text: some JSONBytes) throws(JSONError) {
        let reader = unsafe JSONReader.borrowed()
        defer { unsafe JSONReader.giveBack(reader) }
        self = try unsafe reader.pointee.read(Self.self, from: text)
    }

    /// Reads a value from text, as the options say.
    ///
    /// ```swift
    /// let tags = try [Int](json: #"[1, "x", 2]"#, options: .tolerant)     // [1, 2]
    /// ```
    ///
    /// It is a call of its own, so that one without options neither makes nor compares any.
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json text: some JSONBytes, options: JSONReader.Options) throws(JSONError) {
        if options.areDefaults {
            self = try Self(json: text)
        } else {
            var reader = JSONReader(options: options)
            self = try reader.read(Self.self, from: text)
        }
    }

    /// Reads a value from a span of UTF-8 bytes; throws the same errors as for a string.
    @inlinable
    public init(json bytes: RawSpan, options: JSONReader.Options = .init()) throws(JSONError) {
        self = try unsafe bytes.withUnsafeBytes { bytes throws(JSONError) in try unsafe Self(json: bytes, options: options) }
    }

    /// Reads a value from a file that lies in memory while it is read; `JSONFeed` reads files of any size record by record.
    ///
    /// ```swift
    /// let settings = try Settings(jsonFile: "settings.json")
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if the file cannot be read; for its text, the same errors as for a string.
    public init(jsonFile path: String, options: JSONReader.Options = .init()) throws(JSONError) {
        self = try Self(json: WholeFile.read(path), options: options)
    }

    /// Reads a value from text, together with the report of what was left out of it.
    ///
    /// ```swift
    /// let (tags, report) = try [Int].reading(json: #"[1, "x", 2]"#, options: .tolerant)
    /// tags                                 // [1, 2]
    /// report.droppedCount                  // 1
    /// report.issues.first?.path            // "[1]"
    /// ```
    ///
    /// Nothing is left out unless the options, a policy of the model or the veto of one of its hooks say so.
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public static func reading(
        json text: some JSONBytes, options: JSONReader.Options = .init()
    ) throws(JSONError) -> (value: Self, report: JSONReadReport) {
        var reader = JSONReader(options: options)
        let value = try reader.read(Self.self, from: text)
        return (value, reader.report)
    }
}
