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
///     print(error.kind, error.path, error.offset)   // typeMismatch name 9
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
        /// A value has the right JSON type but not a possible content: a number too large, no such enum case, no date.
        case invalidValue
        /// One or more required keys are absent, or null.
        case missingKeys
        /// A model's own hook refused the value.
        case rejected
        /// A key stands twice in one object, and the options forbid it.
        case duplicateKey
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
        /// A value has no JSON form, such as a number that is not finite.
        case notWritable
        /// A file could not be opened, read or written.
        case inputOutput
        /// Bytes are no archive of the type that is asked for: of something else, damaged, or of a newer format.
        case unusableArchive
        /// The yajl library found at run time is not safe to use.
        case incompatibleParser
    }

    private final class Storage: Sendable {
        let kind: Kind
        let path: String
        let position: SourcePosition
        let expected: String
        let found: String
        let keys: [String]
        let excerpt: SourceExcerpt?

        init(
            kind: Kind, path: String, position: SourcePosition, expected: String, found: String, keys: [String],
            excerpt: SourceExcerpt?
        ) {
            self.kind = kind
            self.path = path
            self.position = position
            self.expected = expected
            self.found = found
            self.keys = keys
            self.excerpt = excerpt
        }
    }

    private let storage: Storage

    package init(
        _ kind: Kind, path: String = "", position: SourcePosition = .start, expected: String = "", found: String = "",
        keys: [String] = [], excerpt: SourceExcerpt? = nil
    ) {
        storage = Storage(
            kind: kind, path: path, position: position, expected: expected, found: found, keys: keys, excerpt: excerpt)
    }

    /// What kind of error it is.
    public var kind: Kind { storage.kind }

    /// The way from the top-level value to the place, such as `statuses[3].user.id`; empty at the top level.
    public var path: String { storage.path }

    /// The byte offset of the place from the start of the input.
    public var offset: Int { storage.position.offset }

    /// The line of the place, counted from 1.
    public var line: Int { storage.position.line }

    /// The column of the place in its line, counted in bytes from 1.
    public var column: Int { storage.position.column }

    /// Offset, line and column together.
    public var position: SourcePosition { storage.position }

    /// What would have been accepted, in words; empty where that has no short answer.
    public var expected: String { storage.expected }

    /// What stood there instead, in words.
    public var found: String { storage.found }

    /// The keys concerned: all that are missing, or the one that stands twice.
    public var keys: [String] { storage.keys }

    /// An error of a value that has no JSON form, for types that write themselves.
    public static func notWritable(_ expected: String, found: String) -> JSONError {
        JSONError(.notWritable, expected: expected, found: found)
    }

    /// An error of a class that has the conformance of its superclass, but no table of its own.
    static func unmarkedSubclass(_ type: Any.Type, of superclass: Any.Type) -> JSONError {
        let remedy = "mark it '@JSONSubclass(of: \(superclass).self)'"
        return JSONError(
            .invalidModel, found: "'\(type)' is a subclass of the model '\(superclass)', but no model itself; \(remedy)")
    }

    /// Runs a hook of a model; what it refuses or throws becomes an error.
    static func ask(
        _ hook: StaticString, of type: Any.Type, elseThrow kind: Kind, _ isAccepted: () throws -> Bool
    ) throws(JSONError) {
        do {
            if try isAccepted() { return }
        } catch let error as JSONError {
            throw error
        } catch {
            throw JSONError(kind, expected: "a \(type) that '\(hook)' accepts", found: "\(error)")
        }
        throw JSONError(.rejected, expected: "what '\(hook)' of \(type) accepts", found: "something else")
    }

    /// The same error with its position moved: a record's own offset becomes one in the file that it came from.
    package func shifted(by base: SourcePosition) -> JSONError {
        JSONError(
            kind, path: path, position: storage.position.shifted(by: base), expected: expected, found: found, keys: keys,
            excerpt: storage.excerpt)
    }

    /// The same error seen from an enclosing value: its path continues `prefix`.
    package func prefixed(by prefix: String) -> JSONError {
        let joined =
            switch (prefix.isEmpty, path.isEmpty) {
            case (true, _): path
            case (_, true): prefix
            default: path.hasPrefix("[") ? prefix + path : prefix + "." + path
            }
        return JSONError(
            kind, path: joined, position: storage.position, expected: expected, found: found, keys: keys,
            excerpt: storage.excerpt)
    }
}

extension JSONError: CustomStringConvertible {
    /// One line that says all, followed by the line of input with a caret under the place where the input is at hand.
    public var description: String {
        var text = summary
        if let excerpt = storage.excerpt {
            text += "\n" + excerpt.description
        }
        return text
    }

    /// The first line of the description: kind, place, expected and found.
    public var summary: String {
        var text = Self.words(for: kind)
        if !path.isEmpty { text += " at \(path)" }
        if kind != .inputOutput && kind != .notWritable && kind != .incompatibleParser && kind != .invalidModel
            && kind != .unusableArchive
        {
            text += " (line \(line), column \(column), byte \(offset))"
        }
        var clauses: [String] = []
        if !keys.isEmpty { clauses.append(keys.map { "'\($0)'" }.joined(separator: ", ")) }
        if !expected.isEmpty { clauses.append("expected \(expected)") }
        if !found.isEmpty { clauses.append(clauses.isEmpty || expected.isEmpty ? found : "found \(found)") }
        if !clauses.isEmpty { text += ": " + clauses.joined(separator: ", ") }
        return text
    }

    private static func words(for kind: Kind) -> String {
        switch kind {
        case .syntax: "invalid JSON"
        case .unexpectedEnd: "unexpected end of input"
        case .trailingContent: "unexpected content after the value"
        case .typeMismatch: "type mismatch"
        case .invalidValue: "invalid value"
        case .missingKeys: "missing keys"
        case .rejected: "rejected"
        case .duplicateKey: "duplicate key"
        case .invalidUnicode: "invalid Unicode"
        case .unsupportedEncoding: "unsupported encoding"
        case .depthLimit: "nested too deep"
        case .sizeLimit: "too long"
        case .invalidModel: "invalid model"
        case .notWritable: "not writable as JSON"
        case .inputOutput: "input/output error"
        case .unusableArchive: "unusable archive"
        case .incompatibleParser: "incompatible yajl library"
        }
    }
}

extension JSONError: Equatable {
    /// Errors are equal when kind, path, position, expected, found and keys are; the excerpt is for people only.
    public static func == (left: JSONError, right: JSONError) -> Bool {
        left.kind == right.kind && left.path == right.path && left.position == right.position
            && left.expected == right.expected && left.found == right.found && left.keys == right.keys
    }
}
