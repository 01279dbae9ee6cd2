// Turns records into lines of CSV or TSV, straight from their bytes.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// Writes the fields of records in one thread.
struct DelimitedRecords: ~Copyable, RecordWorker {
    /// What some records have become.
    // Safe: the first records are requested only after the last record, and then the worker no longer changes the inference.
    struct Output: @unchecked Sendable {
        let text: [UInt8]
        let unknownKeys: [(path: String, count: Int)]
        /// The columns that none of the worker's records has had a key for.
        let unseen: Set<Int>
        /// The worker's first records, from which a misspelt path is recognised.
        let firstRecords: ColumnInference
    }

    private var fields: RecordFields
    private var lines: DelimitedLines
    private let firstRecords = ColumnInference()
    private static let firstRecordCount = 100
    /// The text of the JSON field that is being written.
    private var scratch: [UInt8] = []

    /// - Parameter hidesText: Whether errors must not show the text of a record.
    init(_ columns: [Column], _ form: DelimitedText, hidesText: Bool) {
        fields = RecordFields(paths: columns.map(\.keys[0].components), hidesText: hidesText)
        lines = DelimitedLines(form)
    }

    /// The line of the columns' names.
    static func header(_ columns: [Column], _ form: DelimitedText) -> [UInt8] {
        var lines = DelimitedLines(form)
        for (index, column) in columns.enumerated() {
            if index > 0 { lines.endField() }
            var name = column.name
            name.withUTF8 { unsafe lines.append(UnsafeRawBufferPointer($0)) }
        }
        lines.endLine()
        return lines.take()
    }

    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
        do throws(JSONError) {
            try unsafe fields.read(record)
        } catch {
            return error
        }
        let tape = fields.tape
        if !fields.unseen.isEmpty, firstRecords.records < DelimitedRecords.firstRecordCount { firstRecords.shapes.observe(tape) }
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

    var isFull: Bool { lines.count >= RecordPass.fullSize }

    mutating func takeOutput() -> Output {
        Output(text: lines.take(), unknownKeys: fields.takeUnknownKeys(), unseen: fields.unseen, firstRecords: firstRecords)
    }
}
#endif
