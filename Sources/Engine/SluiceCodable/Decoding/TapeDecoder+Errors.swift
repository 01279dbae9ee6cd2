// Foundation's errors, extended by what Foundation does not give: the position in the text.

internal import Foundation
internal import SluiceCore

extension TapeDecoder {
    /// The error for a text that is not valid JSON.
    static func syntaxError(_ error: JSONError) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "The given data was not valid JSON. \(error)", underlyingError: error))
    }

    /// The error for a value of another JSON type than the requested one, or for null.
    @inline(never)
    func misfit(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        let kind = entry(index).kind
        let isNull = kind == .null && type != Bool.self
        let words = failures.words(type, Int(kind.rawValue)) {
            isNull
                ? TapeDecoder.wordsForNull(type)
                : "Expected to decode \(type) but found \(TapeDecoder.words(for: kind)) instead."
        }
        let context = DecodingError.Context(
            codingPath: path, debugDescription: words, underlyingError: failures.misfit(at: index))
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value of the right JSON type with impossible content, in Foundation's words and with the value's path.
    @inline(never)
    func corruption(_ words: String, at index: Int, _ path: [any CodingKey], expected: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: words, underlyingError: failures.mark(index, .content(expected: expected))))
    }

    /// The error for a number that its type cannot represent. Foundation gives no path.
    @inline(never)
    func unfit(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        let words = failures.words(type, -1) { "The number is not representable as \(type)." }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: words, underlyingError: failures.mark(index, .number(type, path))))
    }

    /// The error for a string or number that is not valid JSON. Foundation gives no path.
    @inline(never)
    func damage(at index: Int, _ path: [any CodingKey]) -> DecodingError {
        TapeDecoder.syntaxError(tape.fault(at: index).prefixed(by: TapeDecoder.words(for: path)))
    }

    /// The error for a key that an object does not have.
    @inline(never)
    func missing<Key: CodingKey>(_ key: Key, in head: Int, _ path: [any CodingKey]) -> DecodingError {
        func words() -> String { "No value associated with key \(key) (\"\(key.stringValue)\")." }
        let text = Key.isCaseOfByte ? failures.words(Key.self, 256 + key.byte, words) : words()
        return .keyNotFound(
            key, DecodingError.Context(codingPath: path, debugDescription: text, underlyingError: failures.mark(head, .missing)))
    }

    /// The error for an array that has no more elements.
    @inline(never)
    func exhausted(_ type: Any.Type, in head: Int, _ path: [any CodingKey]) -> DecodingError {
        let words =
            type == (any Decoder).self
            ? "Cannot get superDecoder() -- unkeyed container is at end." : "Unkeyed container is at end."
        return .valueNotFound(
            type,
            DecodingError.Context(codingPath: path, debugDescription: words, underlyingError: failures.mark(head, .exhausted)))
    }

    // MARK: Errors that leave the document

    /// An error that leaves the top-level call: completed by its position in the text. Types that try one thing after another do not
    /// need the position.
    @inline(never)
    func completed(_ error: any Error) -> any Error {
        if let error = error as? DecodingError { completed(error) } else { error }
    }

    private func completed(_ error: DecodingError) -> DecodingError {
        switch error {
        case .typeMismatch(let type, let context):
            .typeMismatch(type, completed(context) { misfit($0, TapeDecoder.words(for: type), context.codingPath) })
        case .valueNotFound(let type, let context):
            .valueNotFound(type, completed(context) { misfit($0, TapeDecoder.words(for: type), context.codingPath) })
        case .keyNotFound(let key, let context):
            .keyNotFound(
                key,
                completed(context) {
                    placed(.missingKeys, at: tape.offset(of: $0), context.codingPath, keys: [key.stringValue])
                })
        case .dataCorrupted(let context):
            .dataCorrupted(completed(context) { misfit($0, "another value", context.codingPath) })
        @unknown default: error
        }
    }

    /// - Parameter other: Makes the error for an index on the tape, unless the mark itself says what it is.
    private func completed(_ context: DecodingError.Context, _ other: (Int) -> JSONError) -> DecodingError.Context {
        var words = context.debugDescription
        let underlying: (any Error)?
        switch context.underlyingError {
        case let error as DecodingError:
            underlying = completed(error)
        case let mark as TapeMark where mark.document == failures.document:
            let index = Int(mark.index)
            let found: JSONError
            switch mark.cause {
            case .misfit, .missing: found = other(index)
            case .content(let expected):
                found = placed(.invalidValue, at: tape.offset(of: index), context.codingPath, expected, self.found(at: index))
            case .number(let type, let path):
                let number = self.found(at: index)
                if !hidesWords { words = "The number \(number) is not representable as \(type)." }
                found = placed(.invalidValue, at: tape.offset(of: index), path, "\(type)", number)
            case .exhausted:
                found = placed(.missingKeys, at: Int(entry(index + 1).offset) - 1, context.codingPath, "an element more")
            }
            words += " \(found)"
            underlying = found
        case let error where !hidesWords || error is JSONError: return context
        default:
            // A type's own words, or those of the standard library for an enum's raw value, may quote the value.
            words = "A type does not take its value."
            underlying = nil
        }
        return DecodingError.Context(codingPath: context.codingPath, debugDescription: words, underlyingError: underlying)
    }

    private func misfit(_ index: Int, _ expected: String, _ path: [any CodingKey]) -> JSONError {
        let found = TapeDecoder.words(for: entry(index).kind)
        return placed(.typeMismatch, at: tape.offset(of: index), path, expected, found)
    }

    private func placed(
        _ kind: JSONError.Kind, at offset: Int, _ path: [any CodingKey], _ expected: String = "", _ found: String = "",
        keys: [String] = []
    ) -> JSONError {
        JSONError(
            kind, path: TapeDecoder.words(for: path), position: tape.position(of: offset), expected: expected, found: found,
            keys: keys, excerpt: tape.excerpt(at: offset))
    }

    /// Turns the error of reading a model through its table into Foundation's.
    func modelError(_ error: JSONError, _ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let whole = (options.hidesText ? error.withoutWords() : error).prefixed(by: TapeDecoder.words(for: path))
        let path = path + TapeDecoder.keys(of: error.path)
        let context = DecodingError.Context(codingPath: path, debugDescription: "\(whole)", underlyingError: whole)
        switch error.kind {
        case .typeMismatch where error.found == "null": return .valueNotFound(type, context)
        case .typeMismatch: return .typeMismatch(type, context)
        case .missingKeys where error.keys.count > 0:
            return .keyNotFound(PathKey(stringValue: error.keys[0]), context)
        // The text itself is whole: what ends too early is JSON in a string.
        case .syntax, .trailingContent, .invalidUnicode, .depthLimit: return TapeDecoder.syntaxError(whole)
        default: return .dataCorrupted(context)
        }
    }

    /// The error for a model that its property table has refused: Foundation's, which the type's own `init(from:)` throws. It is the one of the
    /// table, `own`, if that initializer takes the value, or asks for a key that the table does not have.
    @inline(never)
    func refusal<Model: Decodable>(_ own: any Error, of type: Model.Type, at index: Int, _ step: CodingStep) -> any Error {
        // Such a type is also decoded by its table.
        guard !(type is any JSONCodableModel.Type), let table = type as? any JSONModel.Type else { return own }
        do {
            _ = try initialize(type, at: index, step)
            return own
        } catch DecodingError.keyNotFound(let key, _)
            where !table.schema.properties.contains(where: { $0.keys.contains { $0.components.first == key.stringValue } })
        {
            return own
        } catch {
            return error is JSONError ? own : error
        }
    }

    // MARK: Words

    /// Whether errors must not quote the document: because of an option, or because it has led to a model with a sensitive property.
    private var hidesWords: Bool { options.hidesText || tape.hidesText }

    /// The beginning of the value's text.
    private func found(at index: Int) -> String {
        hidesWords ? TapeDecoder.words(for: entry(index).kind) : unsafe ErrorWords.beginning(of: tape.text(at: index))
    }

    private static func words(for kind: TapeEntry.Kind) -> String {
        switch kind {
        case .null: "null"
        case .false, .true: "bool"
        case .integer, .double, .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object, .bounds: "a dictionary"
        }
    }

    private static func wordsForNull(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "Cannot get keyed decoding container -- found null value instead" }
        if type == [Any].self { return "Cannot get unkeyed decoding container -- found null value instead" }
        return "Cannot get value of type \(type) -- found null value instead"
    }

    private static func words(for type: Any.Type) -> String {
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }

    /// A coding path in the form of ``JSONError/path``: `statuses[3].user.id`.
    static func words(for path: [any CodingKey]) -> String {
        var words = ""
        for key in path {
            if let index = (key as? PathKey)?.elementIndex {
                words += "[\(index)]"
            } else {
                PathSyntax.append(key.stringValue, to: &words)
            }
        }
        return words
    }

    /// The keys of a path in the form of ``JSONError/path``.
    private static func keys(of words: String) -> [any CodingKey] {
        guard !words.isEmpty, let steps = try? PathSyntax.steps(of: words) else { return [] }
        return steps.compactMap { step in
            switch step {
            case .key(let key): PathKey(stringValue: key)
            case .index(let index): PathKey(index: index)
            case .any: nil
            }
        }
    }
}

extension JSONError {
    /// The index that the path begins with; nil if it begins with a key, or is empty.
    var elementIndex: Int? {
        guard case .index(let index)? = (try? PathSyntax.steps(of: path))?.first else { return nil }
        return index
    }
}
