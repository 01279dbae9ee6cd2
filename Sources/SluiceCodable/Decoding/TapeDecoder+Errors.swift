// Foundation's errors, extended by what Foundation does not give: the place in the text.

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
        let wanted = TapeDecoder.words(for: type)
        let context = context(.typeMismatch, at: index, path, expected: wanted, found: TapeDecoder.words(for: kind)) {
            isNull
                ? "Cannot get value of type \(type) -- found null value instead"
                : "Expected to decode \(type) but found \(TapeDecoder.words(for: kind)) instead."
        }
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// The error for a value of the right JSON type with impossible content, in Foundation's words and with the value's path.
    @inline(never)
    func corruption(_ words: String, at index: Int, _ path: [any CodingKey], expected: String) -> DecodingError {
        .dataCorrupted(context(.invalidValue, at: index, path, expected: expected, found: found(at: index)) { words })
    }

    /// The error for a number that its type cannot represent. Foundation gives no path.
    @inline(never)
    func unfit(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        let context = context(.invalidValue, at: index, path, expected: "\(type)", found: found(at: index)) {
            "The number \(found(at: index)) is not representable as \(type)."
        }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: context.debugDescription, underlyingError: context.underlyingError))
    }

    /// The error for a string or number that is not valid JSON. Foundation gives no path.
    @inline(never)
    func damage(at index: Int, _ path: [any CodingKey]) -> DecodingError {
        TapeDecoder.syntaxError(tape.fault(at: index).prefixed(by: TapeDecoder.words(for: path)))
    }

    /// The error for a key that an object does not have.
    @inline(never)
    func missing(_ key: any CodingKey, in head: Int, _ path: [any CodingKey]) -> DecodingError {
        let offset = tape.offset(of: head)
        let error = JSONError(
            .missingKeys, path: TapeDecoder.words(for: path), position: tape.position(of: offset), keys: [key.stringValue],
            excerpt: tape.excerpt(at: offset))
        let words = "No value associated with key \(key) (\"\(key.stringValue)\"). \(error)"
        return .keyNotFound(key, DecodingError.Context(codingPath: path, debugDescription: words, underlyingError: error))
    }

    /// The error for an array that has no more elements.
    @inline(never)
    func exhausted(_ type: Any.Type, in head: Int, _ path: [any CodingKey]) -> DecodingError {
        let offset = Int(entry(head + 1).offset) - 1
        let error = JSONError(
            .missingKeys, path: TapeDecoder.words(for: path), position: tape.position(of: offset),
            expected: "an element more", excerpt: tape.excerpt(at: offset))
        let words = "Unkeyed container is at end. \(error)"
        return .valueNotFound(type, DecodingError.Context(codingPath: path, debugDescription: words, underlyingError: error))
    }

    /// Turns the error of reading a model through its table into Foundation's.
    func modelError(_ error: JSONError, _ type: Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let whole = error.prefixed(by: TapeDecoder.words(for: path))
        let path = path + TapeDecoder.keys(of: error.path)
        let context = DecodingError.Context(codingPath: path, debugDescription: "\(whole)", underlyingError: whole)
        switch error.kind {
        case .typeMismatch where error.found == "null": return .valueNotFound(type, context)
        case .typeMismatch: return .typeMismatch(type, context)
        case .missingKeys where error.keys.count > 0:
            return .keyNotFound(PathKey(stringValue: error.keys[0]), context)
        case .syntax, .unexpectedEnd, .trailingContent, .invalidUnicode, .depthLimit:
            return TapeDecoder.syntaxError(whole)
        default: return .dataCorrupted(context)
        }
    }

    // MARK: Words

    private func context(
        _ kind: JSONError.Kind, at index: Int, _ path: [any CodingKey], expected: String, found: String, _ words: () -> String
    ) -> DecodingError.Context {
        let offset = tape.offset(of: index)
        let error = JSONError(
            kind, path: TapeDecoder.words(for: path), position: tape.position(of: offset), expected: expected, found: found,
            excerpt: tape.excerpt(at: offset))
        return DecodingError.Context(codingPath: path, debugDescription: "\(words()) \(error)", underlyingError: error)
    }

    /// The beginning of the value's text.
    private func found(at index: Int) -> String { unsafe ErrorWords.beginning(of: tape.text(at: index)) }

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

    private static func words(for type: Any.Type) -> String {
        if type == [String: Any].self { return "an object" }
        if type == [Any].self { return "an array" }
        return "\(type)"
    }

    /// A coding path in the form of ``JSONError/path``: `statuses[3].user.id`.
    static func words(for path: [any CodingKey]) -> String {
        var words = ""
        for key in path {
            if let index = key.intValue, key is PathKey, key.stringValue != "\(index)" {
                words += "[\(index)]"
            } else {
                words += words.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        return words
    }

    /// The keys of a path in the form of ``JSONError/path``. A key that contains a dot or a bracket is split into several.
    private static func keys(of words: String) -> [any CodingKey] {
        words.split { $0 == "." || $0 == "[" }.map { part in
            if part.hasSuffix("]"), let index = Int(part.dropLast()) { return PathKey(index: index) }
            return PathKey(stringValue: String(part))
        }
    }
}
