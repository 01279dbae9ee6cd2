// The calls that turn text into a value.

extension JSONBindable {
    /// Reads a value from a string.
    ///
    /// ```swift
    /// let books = try [Book](json: text)
    /// let prices = try [String: Double](json: #"{"tea": 2.5}"#)
    /// ```
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json text: String, options: JSONReader.Options = .init()) throws(JSONError) {
        var reader = JSONReader(options: options)
        self = try reader.read(Self.self, from: text)
    }

    /// Reads a value from UTF-8 bytes.
    @inlinable
    public init(json bytes: [UInt8], options: JSONReader.Options = .init()) throws(JSONError) {
        var reader = JSONReader(options: options)
        self = try reader.read(Self.self, from: bytes)
    }

    /// Reads a value from UTF-8 bytes.
    @inlinable
    public init(json bytes: UnsafeRawBufferPointer, options: JSONReader.Options = .init()) throws(JSONError) {
        var reader = JSONReader(options: options)
        self = try unsafe reader.read(Self.self, from: bytes)
    }

    /// Reads a value from UTF-8 bytes.
    @inlinable
    public init(json bytes: RawSpan, options: JSONReader.Options = .init()) throws(JSONError) {
        var reader = JSONReader(options: options)
        self = try reader.read(Self.self, from: bytes)
    }

    /// Reads a value from a file that lies in memory while it is read; `JSONFeed` reads files of any size record by record.
    ///
    /// ```swift
    /// let settings = try Settings(jsonFile: "settings.json")
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if the file cannot be read, and otherwise as above.
    public init(jsonFile path: String, options: JSONReader.Options = .init()) throws(JSONError) {
        self = try Self(json: WholeFile.read(path), options: options)
    }
}
