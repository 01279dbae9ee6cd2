// One document of schemas: its text, the tape of its values, and where each of them is. It lives as long as the compilation.

internal import SluiceCore

/// The text of a schema document, as values that are found by their index on the tape.
final class SchemaText {
    /// The URI that the document was found by; empty if it has none.
    let uri: String
    private var records = RecordTape()
    private var tape: JSONTape { records.tape }

    /// - Throws: ``JSONError`` if the text is not JSON.
    init(_ text: UnsafeRawBufferPointer, uri: String) throws(JSONError) {
        self.uri = uri
        try unsafe records.scan(text)
        records.tape.keepText()
    }

    /// The index of the document's value.
    static var root: Int { 1 }

    func kind(_ index: Int) -> TapeEntry.Kind { tape[index].kind }

    func isObject(_ index: Int) -> Bool { tape[index].kind == .object }

    /// The members of an object, with the index of each value: of repeated keys the last one. Empty for other values.
    func members(_ index: Int) -> [(key: String, value: Int)] {
        guard isObject(index) else { return [] }
        var found: [(key: String, value: Int)] = []
        var places: [String: Int] = [:]
        var member = index + 2
        while member < tape[index].next {
            if let key = tape.string(at: member) {
                if let place = places[key] {
                    found[place].value = member + 1
                } else {
                    places[key] = found.count
                    found.append((key, member + 1))
                }
            }
            member = tape.index(after: member + 1)
        }
        return found
    }

    /// The value of a key; nil if there is none.
    func value(of key: String, in index: Int) -> Int? {
        guard isObject(index) else { return nil }
        var found: Int?
        var member = index + 2
        while member < tape[index].next {
            if tape.string(at: member) == key { found = member + 1 }
            member = tape.index(after: member + 1)
        }
        return found
    }

    /// The elements of an array; nil for other values.
    func elements(_ index: Int) -> [Int]? {
        guard tape[index].kind == .array else { return nil }
        var found: [Int] = []
        var element = index + 2
        while element < tape[index].next {
            found.append(element)
            element = tape.index(after: element)
        }
        return found
    }

    /// The string at an index; nil for other values.
    func string(_ index: Int) -> String? { tape[index].kind == .string ? tape.string(at: index) : nil }

    /// The boolean at an index; nil for other values.
    func boolean(_ index: Int) -> Bool? {
        switch tape[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The number at an index; nil for other values.
    func number(_ index: Int) -> SchemaNumber? {
        guard tape[index].isNumber else { return nil }
        return unsafe SchemaNumber(tape.text(at: index))
    }

    /// The value's text, as written.
    func words(_ index: Int) -> String {
        let text = unsafe String(decoding: tape.text(at: index), as: UTF8.self)
        return tape[index].kind == .string ? "\"\(text)\"" : text
    }

    /// The value in the form in which values are compared.
    func canonical(_ index: Int) -> [UInt8] {
        unsafe CanonicalValue(entries: tape.entries, text: tape.start, tape: tape).bytes(of: index)
    }

    /// An error at a value of the text.
    ///
    /// - Parameter pointer: The JSON Pointer of the value.
    func error(at index: Int, _ pointer: String, expected: String = "", found: String, hint: String? = nil) -> JSONError {
        let offset = tape.offset(of: index)
        return JSONError(
            .invalidSchema, path: (uri.isEmpty ? "" : uri) + "#" + pointer, position: tape.position(of: offset),
            expected: expected,
            found: found, hint: hint, excerpt: tape.excerpt(at: offset))
    }

    /// What a value is, in words.
    func description(_ index: Int) -> String {
        switch tape[index].kind {
        case .object: "an object"
        case .array: "an array"
        default: SchemaWords.short(words(index))
        }
    }
}
