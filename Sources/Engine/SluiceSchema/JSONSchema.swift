// A JSON Schema is compiled once, and checks any number of values.

public import SluiceCore

/// A compiled JSON Schema, draft 2020-12.
///
/// ```swift
/// let schema = try JSONSchema(json: #"{"required": ["id"], "properties": {"age": {"type": "integer", "minimum": 0}}}"#)
/// try schema.isValid(#"{"id": 1, "age": 30}"#)               // true
/// for breach in try schema.validate(#"{"age": -1}"#).breaches {
///     print(breach.keyword, breach.path, breach.line)          // required, then minimum /age
/// }
/// ```
///
/// Numbers are compared exactly, whatever their size. A pattern takes time in proportion to the text; look-around and back-references are
/// refused when the schema is compiled. Nothing is ever fetched from a network: what a `$ref` needs is handed over
/// (``Options/documents``) or is in a folder (``Options/folder``).
///
/// If a key is repeated in an object, each of its values is checked.
public struct JSONSchema: Sendable {
    /// How a schema is compiled, and what a check may take.
    public struct Options: Sendable {
        /// The URI that relative references of the schema are resolved against, unless its `$id` is absolute.
        public var baseURI = ""
        /// The texts of schemas that references need, by their URIs.
        public var documents: [String: [UInt8]] = [:]
        /// A folder in which schemas are looked for that references need: by the path of the reference, or by their `$id`. A path never leads
        /// out of the folder.
        public var folder: String?
        /// Whether strings must have the format that `format` names; ``JSONSchema/uncheckedFormats`` lists the formats that are not known.
        /// By default, `format` is an annotation, as the standard has it.
        public var assertsFormats = false
        /// How many subschemas may apply to one value, each counted once.
        public var maximumActiveSubschemas = 10_000
        /// The most bytes of a schema document, and of a value that is checked.
        public var maximumSize = 256 << 20
        /// Which parser reads the values. Both lead to the same breaches.
        public var parser = JSONReader.Options.Parser.automatic

        /// Options, each of which has the value described at its property unless it is given.
        public init(
            baseURI: String = "", documents: [String: [UInt8]] = [:], folder: String? = nil, assertsFormats: Bool = false
        ) {
            self.baseURI = baseURI
            self.documents = documents
            self.folder = folder
            self.assertsFormats = assertsFormats
        }
    }

    /// How many breaches are wanted.
    public enum Limit: Sendable, Hashable {
        /// All of them. More than 100,000 are not kept.
        case all
        /// The first one in the text.
        case first
        /// The first ones in the text.
        case atMost(Int)
    }

    /// An output of the standard (section 12 of the core specification).
    public enum Output: String, Sendable, Hashable, CaseIterable {
        /// Only whether the value is valid.
        case flag
        /// The breaches as a list.
        case basic
        /// The breaches in the structure of the schema.
        case detailed
    }

    /// The formats that the schema names and that are not checked, although formats are asserted.
    public let uncheckedFormats: [String]
    let program: SchemaProgram
    let options: Options
    private let pool = CheckerPool()

    /// Compiles the schema of a text.
    ///
    /// - Throws: ``JSONError`` of kind `invalidSchema` with the place of the keyword that cannot be compiled, or that of text that is not JSON.
    public init(json text: some JSONBytes, options: Options = Options()) throws(JSONError) {
        let result: Result<SchemaProgram, JSONError> = unsafe text.withJSONBytes { bytes in
            do throws(JSONError) { return .success(try unsafe JSONSchema.compile(bytes, options)) } catch {
                return .failure(error)
            }
        }
        program = try result.get()
        self.options = options
        uncheckedFormats = program.contents.uncheckedFormats
    }

    /// Compiles the schema of a file. Schemas that references need are looked for in its folder, unless the options name another one.
    ///
    /// - Throws: ``JSONError`` of kind `invalidSchema` with the place of the keyword that cannot be compiled, that of text that is not JSON, or
    ///   one of kind `inputOutput`.
    public init(path: String, options: Options = Options()) throws(JSONError) {
        var options = options
        if options.folder == nil {
            options.folder =
                path.utf8.lastIndex(of: UInt8(ascii: "/")).map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        }
        try self.init(json: WholeFile.read(path), options: options)
    }

    private static func compile(_ text: UnsafeRawBufferPointer, _ options: Options) throws(JSONError) -> SchemaProgram {
        let library = SchemaLibrary(options: options)
        let root = try unsafe library.add(text, uri: options.baseURI)
        return try SchemaCompiler.compile(library.resources[root].location, of: library)
    }

    // MARK: Checks

    /// Whether the schema accepts a value. The check ends at the first breach.
    ///
    /// - Throws: ``JSONError`` if the text is not JSON, or if a limit is exceeded.
    public func isValid(_ text: some JSONBytes) throws(JSONError) -> Bool {
        try unsafe check(text) { checker, bytes throws(JSONError) in try unsafe checker.accepts(bytes) }
    }

    /// Checks a value.
    ///
    /// - Parameter limit: How many breaches the result has at most.
    /// - Throws: ``JSONError`` if the text is not JSON, or if a limit is exceeded.
    public func validate(_ text: some JSONBytes, limit: Limit = .all) throws(JSONError) -> JSONSchemaResult {
        let most =
            switch limit {
            case .all: Int.max
            case .first: 1
            case .atMost(let count): max(count, 1)
            }
        return try unsafe check(text) { checker, bytes throws(JSONError) in
            JSONSchemaResult(breaches: try unsafe checker.report(bytes) { $0.breaches(most) })
        }
    }

    /// Checks a value, and returns an output of the standard as JSON.
    ///
    /// ```swift
    /// print(try schema.output(.basic, of: text))     // {"valid":false,"errors":[{"valid":false,"keywordLocation":"/required",…
    /// ```
    ///
    /// - Throws: ``JSONError`` if the text is not JSON, or if a limit is exceeded.
    public func output(_ output: Output, of text: some JSONBytes) throws(JSONError) -> String {
        let value: JSONValue? = try unsafe check(text) { checker, bytes throws(JSONError) in
            if output == .flag { return try unsafe checker.accepts(bytes) ? nil : .object(["valid": .bool(false)]) }
            return try unsafe checker.report(bytes) { $0.output(isDetailed: output == .detailed) }
        }
        return try (value ?? .object(["valid": .bool(true)])).jsonString()
    }

    /// What all copies of the schema have in common.
    package var identity: ObjectIdentifier { ObjectIdentifier(program) }

    func takeChecker() -> SchemaChecker { pool.take() ?? SchemaChecker(program, options) }
    func giveBack(_ checker: SchemaChecker) { pool.keep(checker) }

    private func check<Value>(
        _ text: some JSONBytes, _ body: (SchemaChecker, UnsafeRawBufferPointer) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        let checker = takeChecker()
        defer { giveBack(checker) }
        var failure: JSONError?
        let value: Value? = unsafe text.withJSONBytes { bytes in
            do throws(JSONError) { return try unsafe body(checker, bytes) } catch {
                failure = error
                return nil
            }
        }
        if let value { return value }
        throw failure ?? JSONError(.syntax)
    }
}

/// What a check has found.
public struct JSONSchemaResult: Sendable, Hashable {
    /// Whether the schema accepts the value.
    public let isValid: Bool
    /// The breaches, in the order of the text.
    public let breaches: [JSONSchemaBreach]

    /// - Parameter breaches: The breaches of a value that is refused; nil for one that is accepted.
    init(breaches: [JSONSchemaBreach]?) {
        isValid = breaches == nil
        self.breaches = breaches ?? []
    }
}
