// Turns records into lines of CSV or TSV, straight from their bytes: numbers keep their digits, and each column takes any value.

internal import SluiceCore

/// Writes the fields of records in one thread.
final class DelimitedRecords: RecordText {
    // Unchecked: one thread uses it, and nothing that it calls uses this object again.
    @safe @exclusivity(unchecked) private var writer: FieldWriter

    /// - Parameter hidesText: Whether errors must not show the text of a record.
    init(_ columns: [JSONColumn], _ form: DelimitedText, hidesText: Bool) {
        writer = FieldWriter(columns, form, hidesText: hidesText)
    }

    func append(_ record: UnsafeRawBufferPointer, at position: SourcePosition) -> JSONError? {
        unsafe writer.append(record, at: position)
    }

    var count: Int { writer.lines.count }

    func take() -> [UInt8] { writer.lines.take() }

    func takeUnknownKeys() -> CountedKeys { writer.fields.takeUnknownKeys() }

    var unseenColumns: Set<Int> { writer.fields.unseen }
}

/// The fields of records, and the lines that they have become.
private struct FieldWriter: ~Copyable {
    var fields: RecordFields
    var lines: DelimitedLines
    /// The text of the JSON field that is being written.
    private var scratch: [UInt8] = []

    init(_ columns: [JSONColumn], _ form: DelimitedText, hidesText: Bool) {
        fields = RecordFields(paths: columns.map(\.keys[0].components), hidesText: hidesText)
        lines = DelimitedLines(form)
    }

    mutating func append(_ record: UnsafeRawBufferPointer, at position: SourcePosition) -> JSONError? {
        do throws(JSONError) {
            try unsafe fields.read(record, at: position)
        } catch {
            return error
        }
        let tape = fields.tape
        // Read once, because the fields belong to another module: each access is a call.
        let entries = fields.entries
        for column in entries.indices {
            if column > 0 { lines.endField() }
            if entries[column] > 0 { write(tape, entries[column]) }
        }
        lines.endLine()
        return nil
    }

    @inline(__always)
    private mutating func write(_ tape: JSONTape, _ index: Int) {
        let entry = tape[index]
        switch entry.kind {
        case .string where entry.flags & TapeEntry.isNotPlain != 0: writeEscaped(tape, index)
        case .array, .object: writeJSON(tape, index)
        case .string: unsafe lines.append(plain: tape.text(at: index))
        default: unsafe lines.append(bare: tape.text(at: index))
        }
    }

    @inline(never)
    private mutating func writeEscaped(_ tape: JSONTape, _ index: Int) {
        // The record has been checked, so the string can be decoded.
        var text = tape.string(at: index) ?? ""
        text.withUTF8 { unsafe lines.append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func writeJSON(_ tape: JSONTape, _ index: Int) {
        let text = unsafe tape.text(at: index)
        scratch.removeAll(keepingCapacity: true)
        if unsafe !UnicodeValidation.hasBackslash(in: text) {
            unsafe TextLayout.appendCompact(text, to: &scratch)
        } else {
            // Escapes are written as few as possible.
            scratch = unsafe (try? JSONValue(json: text).jsonBytes()) ?? []
        }
        unsafe scratch.withUnsafeBytes { unsafe lines.append($0) }
    }
}
