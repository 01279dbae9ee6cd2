// A schema as a contract of readers and feeds: each document is checked before it is read.

public import SluiceCore

extension JSONReader.Options {
    /// The options by default, and a schema that each document must fit.
    ///
    /// ```swift
    /// let options = JSONReader.Options(schema: try JSONSchema(path: "event.schema.json"))
    /// let event = try Event(json: text, options: options)
    /// ```
    public init(schema: JSONSchema) {
        self.init()
        self.schema = schema
    }

    /// The schema that each document must fit; nil if it need only be what is read.
    ///
    /// The first breach is an error of kind `constraint` with its keyword, the place in the schema, and the position in the document. Nothing
    /// is read then. The document is checked as a whole: one that comes from a source is gathered first, up to the schema's `maximumSize`.
    public var schema: JSONSchema? {
        get { contract?.contract as? JSONSchema }
        set { contract = newValue.map { JSONReader.ContractOption($0) } }
    }
}

extension JSONSchema: DocumentContract {
    package var maximumSize: Int { options.maximumSize }
    package func makeChecker() -> any DocumentChecker { BorrowedChecker(self) }
}

/// A checker of the schema's pool, for as long as a reader has it.
private final class BorrowedChecker: DocumentChecker {
    private let schema: JSONSchema
    private let checker: SchemaChecker

    init(_ schema: JSONSchema) {
        self.schema = schema
        checker = schema.takeChecker()
    }

    deinit { schema.giveBack(checker) }

    func fault(in text: UnsafeRawBufferPointer, hidesText: Bool) -> JSONError? {
        do throws(JSONError) {
            return try unsafe checker.report(text) { $0.firstError(hidesText: hidesText) } ?? nil
        } catch {
            return hidesText ? error.withoutWords() : error
        }
    }
}
