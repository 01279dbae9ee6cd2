// Writes arrays of JSON as PostgreSQL reads them: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
//
//     [1, null, "a \"b\""]     {1,NULL,"a \\"b\\""}
//     [[1, 2], [3, 4]]          {{1,2},{3,4}}
//
// The server reads the elements, and refuses one that is not of their type. An array whose inner arrays have different lengths is refused
// by the server, too.

#if PostgreSQL
internal import SluiceCore

/// What is expected instead of a value that is not an array.
struct ArrayFault: Error {
    let expected: String
}

/// The text of an array.
enum ArrayText {
    /// Writes a value as an array.
    ///
    /// - Parameters:
    ///   - isJSON: Whether the text is JSON. Otherwise it is an array as PostgreSQL writes it.
    ///   - isOfJSON: Whether the elements are JSON, so that each keeps its own form.
    static func text(of text: UnsafeRawBufferPointer, isJSON: Bool, isOfJSON: Bool) throws(ArrayFault) -> String {
        let text = unsafe String(decoding: text, as: UTF8.self)
        let null = ArrayFault(expected: CopyReader.noNull)
        guard isJSON else {
            if text.utf8.contains(0) { throw null }
            return text
        }
        let value = try? JSONValue(json: text)
        switch value {
        case .string(let text)?:
            if text.utf8.contains(0) { throw null }
            return text
        case .array(let elements)?:
            var written = ""
            try append(elements, isOfJSON, to: &written)
            // A string of JSON may have it as an escape, which jsonb refuses itself.
            if written.utf8.contains(0) { throw null }
            return written
        default: throw ArrayFault(expected: "an array")
        }
    }

    private static func append(_ elements: [JSONValue], _ isOfJSON: Bool, to text: inout String) throws(ArrayFault) {
        text += "{"
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            switch element {
            case .null: text += "NULL"
            case _ where isOfJSON: appendQuoted(json(element), to: &text)
            case .array(let inner): try append(inner, false, to: &text)
            case .string(let string): appendQuoted(string, to: &text)
            case .bool, .number: text += json(element)
            case .object: throw ArrayFault(expected: "an array of values that are no objects")
            }
        }
        text += "}"
    }

    static func json(_ value: JSONValue) -> String { (try? value.jsonString()) ?? "" }

    private static func appendQuoted(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
    }
}
#endif
