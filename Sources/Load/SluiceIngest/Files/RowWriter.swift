// Turns the values of rows into lines of JSON, CSV or TSV: the cells of a batch, and the rows of a query's answer.

internal import SluiceCore

/// Writes rows as text.
struct RowWriter: ~Copyable {
    private let form: FileSink.Form
    /// Whether rows are lines of fields, and not objects.
    let hasLines: Bool
    private var lines: DelimitedLines
    /// The text of objects; in lines, that of the number that is being written.
    private var json = JSONWriter()
    /// The columns' names in the form in which they come before the values of an object.
    private var keys: [[UInt8]] = []
    private var hasMembers = false

    init(_ form: FileSink.Form) {
        self.form = form
        hasLines = form.delimited != nil
        lines = DelimitedLines(form.delimited ?? .csv)
    }

    var count: Int { hasLines ? lines.count : json.count }

    /// Moves the text to the end of a buffer.
    mutating func flush(into buffer: inout [UInt8]) {
        if hasLines {
            unsafe lines.withText { unsafe buffer.append(contentsOf: $0) }
            lines.truncate(to: 0)
        } else {
            unsafe json.withBytes { unsafe buffer.append(contentsOf: $0) }
            json.removeAll()
        }
    }

    /// Says which columns the next rows have.
    mutating func setColumns(_ names: [String]) {
        keys = names.map { name in
            var key = JSONWriter()
            key.write(name)
            return unsafe key.withBytes { unsafe Array($0) } + [UInt8(ascii: ":")]
        }
    }

    /// Writes what comes before all rows: the bracket of an array, or the line of the columns' names.
    mutating func begin(_ names: [String]) {
        if form == .json { json.append(UInt8(ascii: "[")) }
        guard hasLines, !names.isEmpty else { return }
        for (index, name) in names.enumerated() { put(index, name) }
        endRow()
    }

    /// Writes the value of a column. A line needs a value for each column, in the order of the columns. An object may have only some
    /// of them.
    ///
    /// - Parameters:
    ///   - isBool: Whether an integer is a truth value.
    ///   - isJSON: Whether a text is JSON, which an object can hold as it is.
    mutating func put(_ column: Int, _ value: RawCellValue, isBool: Bool = false, isJSON: Bool = false) {
        if hasLines {
            if column > 0 { lines.endField() }
            // A missing value is an empty field, and an empty text a quoted one.
            if case .null = value { return }
            if case .text(let bytes) = value { return unsafe lines.append(UnsafeRawBufferPointer(bytes)) }
            json.removeAll()
        } else {
            if hasMembers { json.append(UInt8(ascii: ",")) } else { beginObject() }
            unsafe keys[column].withUnsafeBufferPointer { unsafe json.append($0) }
        }
        switch value {
        case .null: json.writeNull()
        case .integer(let number): if isBool { json.write(number != 0) } else { json.write(number) }
        // An infinity is a missing value.
        case .real(let number): if (try? json.write(number)) == nil, !hasLines { json.writeNull() }
        case .text(let bytes): if isJSON { unsafe json.append(bytes) } else { unsafe json.writeString(bytes) }
        }
        if hasLines { unsafe json.withBytes { unsafe lines.append(bare: $0) } }
    }

    /// Writes a text as the value of a column.
    mutating func put(_ column: Int, _ text: String) {
        var text = text
        text.withUTF8 { unsafe put(column, .text($0)) }
    }

    private mutating func beginObject() {
        // The comma of the first one is removed later.
        if form == .json { for byte in ",\n".utf8 { json.append(byte) } }
        json.append(UInt8(ascii: "{"))
        hasMembers = true
    }

    mutating func endRow() {
        if hasLines { return lines.endLine() }
        if !hasMembers { beginObject() }
        hasMembers = false
        json.append(UInt8(ascii: "}"))
        if form == .ndjson { json.append(UInt8(ascii: "\n")) }
    }

    // MARK: Batches

    /// Writes the cells of a batch.
    mutating func append(_ batch: RowBatch, columns: [IngestColumn]) {
        let forms = columns.map { Form($0.type) }
        // For each column of a line, its cell and one more; 0 if the row has none.
        var cells = Array(repeating: 0, count: forms.count)
        batch.forEachRow { _, row in
            if !hasLines {
                for cell in row.cellIndices { put(row, cell, forms) }
            } else {
                for cell in row.cellIndices { cells[row.column(cell)] = cell + 1 }
                for column in forms.indices {
                    if cells[column] > 0 {
                        put(row, cells[column] - 1, forms)
                        cells[column] = 0
                    } else {
                        put(column, .null)
                    }
                }
            }
            endRow()
        }
    }

    /// What the values of a column are written as. A type itself may have references, which are counted when it is copied.
    private enum Form {
        case json, real, bool, other

        init(_ type: ColumnType) {
            self =
                switch type {
                case .json: .json
                case .real: .real
                case .bool: .bool
                default: .other
                }
        }
    }

    private mutating func put(_ row: RowCells, _ cell: Int, _ forms: [Form]) {
        let form = forms[row.column(cell)]
        // A column of doubles has the digits of a number that no double holds.
        let isJSON = form == .json || form == .real && !row.isOffType(cell)
        put(row.column(cell), row.value(cell), isBool: form == .bool, isJSON: isJSON)
    }
}
