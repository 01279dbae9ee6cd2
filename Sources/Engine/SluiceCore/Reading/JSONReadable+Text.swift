// The calls that turn text into a value.

extension JSONReadable {
    /// Reads a value from a string.
    ///
    /// ```swift
    /// let books = try [Book](json: text)
    /// let prices = try [String: Double](json: #"{"tea": 2.5}"#)
    /// ```
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json text: String) throws(JSONError) {
        let reader = unsafe JSONReader.borrowed()
        defer { unsafe JSONReader.giveBack(reader) }
        self = try unsafe reader.pointee.read(Self.self, from: text)
    }

    /// Reads a value from UTF-8 bytes; throws the same errors as for a string.
    @inlinable
    public init(json bytes: [UInt8]) throws(JSONError) {
        let reader = unsafe JSONReader.borrowed()
        defer { unsafe JSONReader.giveBack(reader) }
        self = try unsafe reader.pointee.read(Self.self, from: bytes)
    }

    /// Reads a value from UTF-8 bytes; throws the same errors as for a string.
    @inlinable
    public init(json bytes: UnsafeRawBufferPointer) throws(JSONError) {
        let reader = unsafe JSONReader.borrowed()
        defer { unsafe JSONReader.giveBack(reader) }
        self = try unsafe reader.pointee.read(Self.self, from: bytes)
    }

    /// Reads a value from UTF-8 bytes; throws the same errors as for a string.
    @inlinable
    public init(json bytes: RawSpan) throws(JSONError) {
        let reader = unsafe JSONReader.borrowed()
        defer { unsafe JSONReader.giveBack(reader) }
        self = try unsafe reader.pointee.read(Self.self, from: bytes)
    }

    /// Reads a value from a part of a string; offsets in errors count from the part's start.
    ///
    /// ```swift
    /// let price = try Double(json: line.dropFirst("data: ".count))
    /// ```
    @_disfavoredOverload @inlinable
    public init(json text: Substring, options: JSONReader.Options = .init()) throws(JSONError) {
        self = try Self(json: String(text), options: options)
    }

    /// Reads a value from a part of an array of UTF-8 bytes; offsets in errors count from the part's start.
    @_disfavoredOverload @inlinable
    public init(json bytes: ArraySlice<UInt8>, options: JSONReader.Options = .init()) throws(JSONError) {
        self = try Self(json: Array(bytes), options: options)
    }

    // The same with options. They are calls of their own, so that a call without options neither makes nor compares any.

    /// Reads a value from a string, as the options say.
    ///
    /// ```swift
    /// let tags = try [Int](json: #"[1, "x", 2]"#, options: .tolerant)     // [1, 2]
    /// ```
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json text: String, options: JSONReader.Options) throws(JSONError) {
        if options.areDefaults {
            self = try Self(json: text)
        } else {
            var reader = JSONReader(options: options)
            self = try reader.read(Self.self, from: text)
        }
    }

    /// Reads a value from UTF-8 bytes, as the options say.
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json bytes: [UInt8], options: JSONReader.Options) throws(JSONError) {
        if options.areDefaults {
            self = try Self(json: bytes)
        } else {
            var reader = JSONReader(options: options)
            self = try reader.read(Self.self, from: bytes)
        }
    }

    /// Reads a value from UTF-8 bytes, as the options say.
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json bytes: UnsafeRawBufferPointer, options: JSONReader.Options) throws(JSONError) {
        if options.areDefaults {
            self = try unsafe Self(json: bytes)
        } else {
            var reader = JSONReader(options: options)
            self = try unsafe reader.read(Self.self, from: bytes)
        }
    }

    /// Reads a value from a span of UTF-8 bytes, as the options say.
    ///
    /// - Throws: ``JSONError`` with the kind, path, byte offset, line and column of what is wrong.
    @inlinable
    public init(json bytes: RawSpan, options: JSONReader.Options) throws(JSONError) {
        if options.areDefaults {
            self = try Self(json: bytes)
        } else {
            var reader = JSONReader(options: options)
            self = try reader.read(Self.self, from: bytes)
        }
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
}

// MARK: With the report

extension JSONReadable {
    /// Reads a value from a string, together with the report of what was left out of it.
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
        json text: String, options: JSONReader.Options = .init()
    ) throws(JSONError) -> (value: Self, report: JSONReadReport) {
        var reader = JSONReader(options: options)
        let value = try reader.read(Self.self, from: text)
        return (value, reader.report)
    }

    /// Reads a value from UTF-8 bytes, together with the report of what was left out of it: see
    /// ``reading(json:options:)-(String,_)``.
    @inlinable
    public static func reading(
        json bytes: [UInt8], options: JSONReader.Options = .init()
    ) throws(JSONError) -> (value: Self, report: JSONReadReport) {
        var reader = JSONReader(options: options)
        let value = try reader.read(Self.self, from: bytes)
        return (value, reader.report)
    }

    /// Reads a value from UTF-8 bytes, together with the report of what was left out of it: see
    /// ``reading(json:options:)-(String,_)``.
    package static func reading(
        json bytes: UnsafeRawBufferPointer, options: JSONReader.Options = .init()
    ) throws(JSONError) -> (value: Self, report: JSONReadReport) {
        var reader = JSONReader(options: options)
        let value = try unsafe reader.read(Self.self, from: bytes)
        return (value, reader.report)
    }
}
