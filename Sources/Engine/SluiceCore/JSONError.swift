// What went wrong, where, and what was expected there. Every throwing call of Sluice throws this one type.

/// An error met while reading or writing JSON.
///
/// It is one pointer wide and built only when thrown. Offsets count bytes from the start of the input (0-based), lines and
/// columns count from 1, and a column counts bytes.
///
/// ```swift
/// do {
///     _ = try Book(json: #"{"name": [7]}"#)
/// } catch {
///     print(error.kind, error.path, error.position.offset)   // typeMismatch name 9
///     print(error)                                  // the same with an excerpt and a caret
/// }
/// ```
public struct JSONError: Error, Sendable {
    /// What kind of error it is: decide by this, and show ``JSONError/description``.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The text is not JSON.
        case syntax
        /// The input ends inside a value, or holds none.
        case unexpectedEnd
        /// Something other than white space follows the value.
        case trailingContent
        /// A value has another JSON type than its property.
        case typeMismatch
        /// A value has the right JSON type but impossible content: a number too large, an unknown enum case, a string that is no
        /// date.
        case invalidValue
        /// A value does not meet the ``JSONConstraint`` of its property, or a rule of a JSON Schema; the error's key is the schema's keyword.
        case constraint
        /// One or more required keys are absent, or null.
        case missingKeys
        /// A model's own hook refused the value.
        case rejected
        /// A key occurs twice in one object, and the options forbid it.
        case duplicateKey
        /// An object has a key that no property binds, and the options refuse such keys.
        case unknownKey
        /// A string is not valid Unicode: bytes that are not UTF-8, or half a surrogate pair.
        case invalidUnicode
        /// The text is UTF-16 or UTF-32; JSON that is exchanged is UTF-8 (RFC 8259, section 8.1).
        case unsupportedEncoding
        /// Containers are nested deeper than the options allow.
        case depthLimit
        /// A record is longer than the options allow.
        case sizeLimit
        /// A model's description cannot be compiled into a property table.
        case invalidModel
        /// A JSON Schema cannot be compiled; the error's path is the JSON Pointer of the keyword.
        case invalidSchema
        /// A value has no JSON form, such as a number that is not finite.
        case notWritable
        /// A file could not be opened, read or written.
        case inputOutput
        /// Bytes are not an archive of the requested type: they are something else, damaged, or of a newer format.
        case unusableArchive
        /// A checkpoint belongs to another feed, or to another version of it or of its model.
        case unusableCheckpoint
        /// More records of a feed were rejected than the options allow.
        case tooManyErrors
    }

    private struct Contents: Sendable {
        let kind: Kind
        var path: String
        var position: SourcePosition
        let expected: String
        let found: String
        let keys: [String]
        /// The keys in the words of the message, if they need more than quotes: `'a' or 'b'`, `'c' (null)`.
        let keyWords: [String]
        var hint: String
        /// The position that the hint ends with.
        var hintPosition: SourcePosition?
        let excerpt: SourceExcerpt?
        let hidesText: Bool
    }

    private final class Storage: Sendable {
        let contents: Contents

        init(_ contents: Contents) { self.contents = contents }
    }

    private let storage: Storage

    private init(_ contents: Contents) { storage = Storage(contents) }

    /// - Parameters:
    ///   - keyWords: The keys in the words of the message, if they need more than quotes.
    ///   - hintPosition: A second position, after the words of the hint: it moves with the error's own.
    ///   - hidesText: Whether the document may hold a sensitive value, so that later layers must not add text of it to the error.
    package init(
        _ kind: Kind, path: String = "", position: SourcePosition = .start, expected: String = "", found: String = "",
        keys: [String] = [], keyWords: [String] = [], hint: String? = nil, hintPosition: SourcePosition? = nil,
        excerpt: SourceExcerpt? = nil, hidesText: Bool = false
    ) {
        self.init(
            Contents(
                kind: kind, path: path, position: position, expected: expected, found: found, keys: keys, keyWords: keyWords,
                hint: hint ?? "", hintPosition: hintPosition, excerpt: excerpt, hidesText: hidesText))
    }

    /// What kind of error it is.
    public var kind: Kind { storage.contents.kind }

    /// The way from the top-level value to the position, such as `statuses[3].user.id`; empty at the top level: the empty path leads to the
    /// value itself, so that a path after another one is always a path.
    public var path: String { storage.contents.path }

    /// Where the error is: the byte offset from the start of the input, the line, and the column in it.
    public var position: SourcePosition { storage.contents.position }

    /// The byte offset of the position from the start of the input.
    public var offset: Int { position.offset }

    /// The line of the position, counted from 1.
    public var line: Int { position.line }

    /// The column of the position in its line, counted in bytes from 1.
    public var column: Int { position.column }

    /// What would have been accepted, in words; empty if there is no short description.
    public var expected: String { storage.contents.expected }

    /// What was found instead, in words.
    public var found: String { storage.contents.found }

    /// The keys concerned: all keys that are missing or null, with the alternatives of each, or the key that appears twice.
    public var keys: [String] { storage.contents.keys }

    /// The keys as the message shows them; empty if it shows them in quotes.
    package var keyWords: [String] { storage.contents.keyWords }

    /// What may help, in a few words: the remedy, a likely reason, or a second position; nil where nothing does.
    ///
    /// ```swift
    /// do { _ = try Book(json: #"{"name": "Emma",}"#) } catch { print(error.hint ?? "-") }    // remove the comma before '}'
    /// ```
    public var hint: String? {
        guard !storage.contents.hint.isEmpty else { return nil }
        guard let position = storage.contents.hintPosition else { return storage.contents.hint }
        return storage.contents.hint + " line \(position.line), column \(position.column)"
    }

    /// Whether the error's document may hold a sensitive value: no text of it may be added.
    package var hidesText: Bool { storage.contents.hidesText }

    /// An error of a value that has no JSON form, for types that write themselves.
    public static func notWritable(_ expected: String, found: String) -> JSONError {
        JSONError(.notWritable, expected: expected, found: found)
    }

    /// An error of kind `inputOutput`, for a ``ByteSource`` or ``ByteSink`` of one's own.
    ///
    /// ```swift
    /// struct Body: ByteSource {
    ///     mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
    ///         throw .inputOutput("the server closed the connection")
    ///     }
    /// }
    /// ```
    public static func inputOutput(_ reason: String) -> JSONError { JSONError(.inputOutput, found: reason) }

    /// The error for a class that inherits its superclass's conformance but has no table of its own.
    static func unmarkedSubclass(_ type: Any.Type, of superclass: Any.Type) -> JSONError {
        let remedy = "mark it '@JSONSubclass(of: \(superclass).self)'"
        return JSONError(
            .invalidModel, found: "'\(type)' is a subclass of the model '\(superclass)', but no model itself; \(remedy)")
    }

    /// Runs a hook of a model. A refusal becomes an error of kind `rejected`; a thrown error one of `kind`, unless it is a
    /// ``JSONError``.
    static func ask(
        _ hook: StaticString, of type: Any.Type, elseThrow kind: Kind, _ isAccepted: () throws -> Bool
    ) throws(JSONError) {
        do {
            if try isAccepted() { return }
        } catch {
            // The hook has seen the values: its error may quote them.
            let isQuoting = SensitiveTypes.hold(type)
            let expected = "a \(type) that '\(hook)' accepts"
            if let error = error as? JSONError {
                throw isQuoting ? JSONError(error.kind, expected: expected, hidesText: true) : error
            }
            let found = isQuoting ? "an error of type \(Swift.type(of: error))" : "\(error)"
            throw JSONError(kind, expected: expected, found: found)
        }
        throw JSONError(.rejected, expected: "what '\(hook)' of \(type) accepts", found: "something else")
    }

    private func changed(_ change: (inout Contents) -> Void) -> JSONError {
        var contents = storage.contents
        change(&contents)
        return JSONError(contents)
    }

    /// The same error with its positions shifted: an offset in a record becomes an offset in the file.
    package func shifted(by base: SourcePosition) -> JSONError {
        changed {
            $0.position = $0.position.shifted(by: base)
            $0.hintPosition = $0.hintPosition?.shifted(by: base)
        }
    }

    /// The same error at another path.
    package func at(path: String) -> JSONError { changed { $0.path = path } }

    /// The same error with a hint.
    package func hinting(_ hint: String) -> JSONError { changed { ($0.hint, $0.hintPosition) = (hint, nil) } }

    /// The same error seen from the object with the value's key.
    package func prefixed(byKey key: String) -> JSONError { prefixed(by: PathSyntax.text(ofKeys: [key])) }

    /// The same error seen from the value of a key, which lies before it by a number of bytes of the same line.
    package func moved(into key: String, after count: Int) -> JSONError {
        let inner = path.hasPrefix(key + ".") ? path.dropFirst(key.count + 1) : path.dropFirst(key.count)
        let isInside = path == key || path.hasPrefix(key + ".") || path.hasPrefix(key + "[")
        let moved = isInside ? at(path: String(inner)) : self
        guard position.offset >= count else { return moved }
        return moved.shifted(by: SourcePosition(offset: -count, line: 1, column: 1 - count))
    }

    /// The same error seen from an enclosing value: its path continues `prefix`.
    package func prefixed(by prefix: String) -> JSONError {
        if prefix.isEmpty { return self }
        return at(path: path.isEmpty ? prefix : path.hasPrefix("[") ? prefix + path : prefix + "." + path)
    }
}

extension JSONError: CustomStringConvertible {
    /// The summary on one line, followed, if the input is available, by the line of input with a caret under the position.
    public var description: String {
        var text = summary
        if let excerpt = storage.contents.excerpt {
            text += "\n" + excerpt.description
        }
        return text
    }

    /// The first line of the description: kind, position, expected, found and hint.
    public var summary: String {
        var text = headline
        if !path.isEmpty { text += " at \(path)" }
        if kind.hasPosition { text += " (line \(line), column \(column), byte \(offset))" }
        var clauses: [String] = []
        if !expected.isEmpty { clauses.append("expected \(expected)") }
        // Missing keys have no found value to show.
        if !found.isEmpty, kind != .missingKeys { clauses.append(expected.isEmpty ? found : "found \(found)") }
        if !clauses.isEmpty { text += ": " + clauses.joined(separator: ", ") }
        if let hint { text += "; " + hint }
        return text.printable
    }

    /// The kind of the error and its keys: "missing keys 'a', 'b'".
    private var headline: String {
        guard !keys.isEmpty else { return Self.words(for: kind) }
        let names = keyWords.isEmpty ? keys.map { "'\($0)'" } : keyWords
        let words = kind == .missingKeys && names.count == 1 ? "missing key" : Self.words(for: kind)
        return words + " " + names.joined(separator: ", ")
    }

    private static func words(for kind: Kind) -> String {
        switch kind {
        case .syntax: "invalid JSON"
        case .unexpectedEnd: "unexpected end of input"
        case .trailingContent: "unexpected content after the value"
        case .typeMismatch: "type mismatch"
        case .invalidValue: "invalid value"
        case .constraint: "constraint"
        case .missingKeys: "missing keys"
        case .rejected: "rejected"
        case .duplicateKey: "duplicate key"
        case .unknownKey: "unknown key"
        case .invalidUnicode: "invalid Unicode"
        case .unsupportedEncoding: "unsupported encoding"
        case .depthLimit: "nested too deep"
        case .sizeLimit: "too long"
        case .invalidModel: "invalid model"
        case .invalidSchema: "invalid schema"
        case .notWritable: "not writable as JSON"
        case .inputOutput: "input/output error"
        case .unusableArchive: "unusable archive"
        case .unusableCheckpoint: "unusable checkpoint"
        case .tooManyErrors: "too many rejected records"
        }
    }
}

extension JSONError.Kind {
    /// Whether such errors have a position in the text.
    fileprivate var hasPosition: Bool {
        switch self {
        case .inputOutput, .notWritable, .invalidModel, .unusableArchive, .unusableCheckpoint: false
        default: true
        }
    }
}

extension JSONError: Equatable {
    /// Errors are equal when kind, path, position, expected, found, keys and hint are; the excerpt is for people only.
    public static func == (left: JSONError, right: JSONError) -> Bool {
        left.kind == right.kind && left.path == right.path && left.position == right.position
            && left.expected == right.expected && left.found == right.found && left.keys == right.keys
            && left.hint == right.hint
    }
}
