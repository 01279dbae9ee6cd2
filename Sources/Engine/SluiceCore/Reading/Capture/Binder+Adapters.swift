// If a string holds JSON of its own, or a value is read by its type's `Decodable`, another reader reads it. Its errors then give two
// positions: that of the value in the document, and the one inside the value.

/// A reader for the JSON in strings, kept from one string to the next.
final class TextReader {
    let options: JSONReader.Options
    var reader: JSONReader

    init(options: JSONReader.Options) {
        self.options = options
        reader = JSONReader(options: options)
    }
}

extension _CapturedValue {
    /// Reads the JSON in the string.
    ///
    /// - Throws: ``JSONError`` with the path and the position inside the string.
    func readText<Value: JSONReadable>(_ type: Value.Type) throws(JSONError) -> Value {
        guard case .scalar(let scalar) = content, let start = unsafe scalar.start else {
            throw JSONError(.typeMismatch, expected: "a string of JSON")
        }
        let options = self.options
        let kept = binder.state.capture.textReader
        // JSON in a string inside this JSON needs another reader.
        binder.state.capture.textReader = nil
        let text = if let kept, kept.options == options { kept } else { TextReader(options: options) }
        defer { binder.state.capture.textReader = text }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: scalar.count)
        text.reader.binder.state.policy.isWithinSensitive = binder.state.isSensitive
        do throws(JSONError) {
            let value = try unsafe text.reader.read(type, from: bytes)
            binder.state.take(text.reader.report)
            return value
        } catch {
            throw error.isMisfitOfText ? error : error.ofText
        }
    }

    /// The options for reading the value: the reader's, changed by the policy of its property.
    package var options: JSONReader.Options {
        let policy = binder.state.policy
        var options = binder.state.document.attemptDepth > 0 ? Binder.Policy.ofAttempt(policy.options) : policy.options
        options.duplicateKeys = policy.duplicateKeys
        options.maximumDepth = max(policy.maximumDepth - binder.state.document.nesting, 0)
        guard let own = unsafe binder.state.document.frame.row.policy?.pointee else { return options }
        options.conversions = own.conversions ?? options.conversions
        options.nulls = own.nulls ?? options.nulls
        options.mismatch = own.mismatch ?? options.mismatch
        options.elements = own.elements ?? options.elements
        options.dates = own.date ?? options.dates
        return options
    }
}

extension JSONScalar {
    /// Whether a string holds the JSON `null`, and nothing else.
    fileprivate var isTextOfNull: Bool {
        // Safe: the scalar's own bytes.
        let text = unsafe UnsafeBufferPointer(start: start, count: count).drop { JSONWhiteSpace.contains($0) }
        return unsafe text.starts(with: "null".utf8) && text.dropFirst(4).allSatisfy { JSONWhiteSpace.contains($0) }
    }
}

extension JSONError {
    /// Whether the string is JSON, and a value in it does not fit.
    fileprivate var isMisfitOfText: Bool {
        switch kind {
        case .syntax, .unexpectedEnd, .trailingContent, .unsupportedEncoding: false
        default: true
        }
    }

    /// The error as one of a string that is not JSON. That its text is cut off is worth a try again; other damage is not.
    fileprivate var ofText: JSONError {
        JSONError(
            kind == .unexpectedEnd && offset > 0 ? .unexpectedEnd : .invalidValue, path: path, position: position,
            expected: expected.isEmpty ? "a string of JSON" : "a string of JSON: \(expected)", found: found, hint: hint,
            hidesText: hidesText)
    }
}

extension Binder {
    /// Stores a scalar through the adapter of its type.
    mutating func storeAdapted(_ scalar: JSONScalar) -> Bool {
        if document.frame.row.binding.adapter == .text {
            guard scalar.kind == .string else { return mismatch(scalar) }
            if document.frame.row.flags.contains(.nullable), scalar.isTextOfNull { return boundNull() }
        }
        if case .failure(let failure) = bind(.scalar(scalar)) { return unsafe failInside(failure, at: document.token.start) }
        return advance()
    }

    /// Adds the report about the JSON inside a string to this reader's.
    mutating func take(_ inner: JSONReadReport) {
        guard !inner.isBlank else { return }
        document.findings.report.unknownKeyCount += inner.unknownKeyCount
        document.findings.report.droppedCount += inner.droppedCount
        for issue in inner.issues where document.findings.issueCount < policy.options.reportLimit {
            document.findings.report.issues.append(unsafe described(issue, at: document.token.start))
        }
    }

    /// Raises an error that another reader has found inside the current value.
    mutating func failInside(_ inner: JSONError, at address: UnsafePointer<UInt8>) -> Bool {
        let whole = unsafe described(inner, at: address)
        // The document goes on after a string whose JSON is cut off.
        if whole.kind.isTolerable || whole.kind == .unexpectedEnd { return raise(whole) }
        document.error = whole
        return false
    }

    /// The error as one of this document: its path goes on inside the value, and for a string the hint gives the position inside.
    private mutating func described(_ inner: JSONError, at address: UnsafePointer<UInt8>) -> JSONError {
        let isText = document.frame.row.binding.adapter == .text
        // An error in a string has already hidden sensitive text. The words of a Codable type may quote anything.
        let inner = !isText && isHidden ? inner.withoutWords() : inner
        // Its path may go on through the keys of a dictionary.
        let path = !isText && isSensitive ? path() : inner.prefixed(by: path()).path
        let inside = "byte \(inner.offset) of the string's own text (line \(inner.line), column \(inner.column))"
        let hint = isText ? [inner.hint, inside].compactMap(\.self).joined(separator: "; ") : inner.hint ?? ""
        return unsafe JSONError(
            inner.kind, path: path, position: positionInOrder(at: address), expected: inner.expected, found: inner.found,
            keys: inner.keys, keyWords: inner.keyWords, hint: hint, excerpt: inner.hidesText ? nil : excerpt(at: address),
            hidesText: inner.hidesText || mayHoldSensitive)
    }
}
