// Turns the cells of rows into lines of JSON, CSV or TSV.

internal import SluiceCore

/// Writes rows as text.
struct RowText: ~Copyable {
    private let form: FileSink.Form
    private var lines: DelimitedLines
    /// For each column of the row, its cell and one more; 0 if the row has none.
    private var cells: [Int] = []
    /// The columns' names in the form in which they come before the values.
    private var keys: [[UInt8]] = []

    init(_ form: FileSink.Form) {
        self.form = form
        lines = DelimitedLines(form.delimited ?? .csv)
    }

    /// The line of the columns' names.
    static func header(_ names: [String], _ form: DelimitedText) -> [UInt8] {
        var lines = DelimitedLines(form)
        for (index, var name) in names.enumerated() {
            if index > 0 { lines.endField() }
            name.withUTF8 { unsafe lines.append(UnsafeRawBufferPointer($0)) }
        }
        lines.endLine()
        return lines.take()
    }

    mutating func append(_ batch: RowBatch, columns: [IngestColumn], to buffer: inout [UInt8]) {
        if form.delimited != nil {
            appendLines(batch, columns, to: &buffer)
        } else {
            appendObjects(batch, columns, to: &buffer)
        }
    }

    // MARK: CSV and TSV

    private mutating func appendLines(_ batch: RowBatch, _ columns: [IngestColumn], to buffer: inout [UInt8]) {
        cells = Array(repeating: 0, count: columns.count)
        batch.forEachRow { _, row in
            for cell in row.cellIndices { cells[row.column(cell)] = cell + 1 }
            for (index, column) in columns.enumerated() {
                if index > 0 { lines.endField() }
                if cells[index] > 0 {
                    RowText.append(row.value(cells[index] - 1), column.type, to: &lines)
                    cells[index] = 0
                } else if let (column, name) = row.fileName, column == index {
                    RowText.append(name, to: &lines)
                }
            }
            lines.endLine()
            unsafe lines.withText { unsafe buffer.append(contentsOf: $0) }
            lines.truncate(to: 0)
        }
    }

    private static func append(_ value: CellValue, _ type: ColumnType, to lines: inout DelimitedLines) {
        switch value {
        case .null: break
        case .integer(let number): append(type == .bool ? (number == 0 ? "false" : "true") : "\(number)", to: &lines)
        case .real(let number): append(JSONNumber(number)?.description ?? "", to: &lines)
        case .text(let bytes): unsafe lines.append(UnsafeRawBufferPointer(bytes))
        }
    }

    private static func append(_ text: String, to lines: inout DelimitedLines) {
        var text = text
        text.withUTF8 { unsafe lines.append(UnsafeRawBufferPointer($0)) }
    }

    // MARK: JSON

    private mutating func appendObjects(_ batch: RowBatch, _ columns: [IngestColumn], to buffer: inout [UInt8]) {
        for column in columns.dropFirst(keys.count) {
            var key: [UInt8] = []
            RowText.appendString(column.name.utf8, to: &key)
            keys.append(key + [UInt8(ascii: ":")])
        }
        batch.forEachRow { _, row in
            buffer.append(contentsOf: (form == .json ? ",\n{" : "{").utf8)
            var isFirst = true
            func begin(_ column: Int) {
                if !isFirst { buffer.append(UInt8(ascii: ",")) }
                isFirst = false
                buffer.append(contentsOf: keys[column])
            }
            for cell in row.cellIndices {
                begin(row.column(cell))
                RowText.append(row.value(cell), columns[row.column(cell)].type, isOffType: row.isOffType(cell), to: &buffer)
            }
            if let (column, name) = row.fileName {
                begin(column)
                RowText.appendString(name.utf8, to: &buffer)
            }
            buffer.append(contentsOf: (form == .json ? "}" : "}\n").utf8)
        }
    }

    private static func append(_ value: CellValue, _ type: ColumnType, isOffType: Bool, to buffer: inout [UInt8]) {
        switch value {
        case .null: buffer.append(contentsOf: "null".utf8)
        case .integer(let number):
            buffer.append(contentsOf: (type == .bool ? (number == 0 ? "false" : "true") : "\(number)").utf8)
        case .real(let number): buffer.append(contentsOf: (JSONNumber(number)?.description ?? "null").utf8)
        case .text(let bytes):
            // A column of doubles has the digits of a number that no double holds.
            if type == .json || type == .real && !isOffType {
                unsafe buffer.append(contentsOf: bytes)
            } else {
                unsafe appendString(bytes, to: &buffer)
            }
        }
    }

    /// Appends a text with its quotes and escapes.
    static func appendString(_ text: some Sequence<UInt8>, to buffer: inout [UInt8]) {
        buffer.append(.quote)
        for byte in text {
            switch byte {
            case .quote, .backslash: buffer += [.backslash, byte]
            case UInt8(ascii: "\n"): buffer.append(contentsOf: #"\n"#.utf8)
            case UInt8(ascii: "\r"): buffer.append(contentsOf: #"\r"#.utf8)
            case UInt8(ascii: "\t"): buffer.append(contentsOf: #"\t"#.utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                buffer.append(contentsOf: (#"\u00"# + (byte < 16 ? "0" : "") + digits).utf8)
            default: buffer.append(byte)
            }
        }
        buffer.append(.quote)
    }
}
