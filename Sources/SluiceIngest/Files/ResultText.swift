// The rows of a query's answer become text: JSON, CSV, TSV, or an aligned table for a terminal.

package import SluiceCore
internal import SluiceFeed

/// A column of an answer.
package struct ResultColumn: Sendable, Hashable {
    package let name: String
    /// Whether texts of the column are JSON, which JSON can hold as it is.
    package let isJSON: Bool
    /// Whether 0 and 1 stand for false and true.
    package let isBool: Bool

    package init(name: String, isJSON: Bool = false, isBool: Bool = false) {
        (self.name, self.isJSON, self.isBool) = (name, isJSON, isBool)
    }
}

/// A value of an answer.
package enum ResultValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// The value as a field of CSV or of a table: its text.
    func field(_ column: ResultColumn) -> [UInt8] {
        switch self {
        case .null: []
        case .integer(let number):
            Array((column.isBool && (number == 0 || number == 1) ? number == 1 ? "true" : "false" : "\(number)").utf8)
        case .real(let number): Array((JSONNumber(number)?.description ?? ResultValue.word(number)).utf8)
        case .text(let bytes): bytes
        case .blob(let bytes): ResultValue.digits(bytes)
        }
    }

    /// The word for a double that is not a number of JSON.
    private static func word(_ number: Double) -> String {
        number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
    }

    /// Bytes as digits of base 16, two for each.
    package static func digits(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { Array(($0 < 16 ? "0" : "").utf8) + Array(String($0, radix: 16).utf8) }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real: true
        case .null, .text, .blob: false
        }
    }
}

/// Takes the rows of an answer.
package protocol ResultWriter {
    /// Begins the answer. It is called once, before the first row.
    mutating func begin(_ columns: [ResultColumn])
    mutating func append(_ row: [ResultValue]) throws(JSONError)
    /// Ends the answer: its last rows are written.
    mutating func finish() throws(JSONError)
}

/// Writes an answer in the form of a file.
package struct ResultText: ResultWriter {
    private let form: FileSink.Form
    private var sink: any ByteSink
    private var columns: [ResultColumn] = []
    /// The names in the form in which they come before the values of an object.
    private var keys: [[UInt8]] = []
    private var buffer: [UInt8] = []
    private var hasRows = false
    private static let fullSize = 64 << 10

    package init(_ form: FileSink.Form, to sink: any ByteSink) {
        self.form = form
        self.sink = sink
    }

    package mutating func begin(_ columns: [ResultColumn]) {
        self.columns = columns
        if let delimited = form.delimited {
            buffer += RowText.header(columns.map(\.name), delimited)
            return
        }
        // An object has one value for each key.
        keys = RowObjects.distinct(columns.map(\.name)).map { name in
            var key: [UInt8] = []
            RowText.appendString(name.utf8, to: &key)
            return key + [UInt8(ascii: ":")]
        }
        if form == .json { buffer.append(UInt8(ascii: "[")) }
    }

    package mutating func append(_ row: [ResultValue]) throws(JSONError) {
        if let delimited = form.delimited { appendLine(row, delimited) } else { appendObject(row) }
        hasRows = true
        if buffer.count >= ResultText.fullSize { try write() }
    }

    package mutating func finish() throws(JSONError) {
        if form == .json { buffer += Array("\n]\n".utf8) }
        try write()
    }

    private func write(_ lines: inout DelimitedLines, _ value: ResultValue, _ column: ResultColumn) {
        // A missing value is an empty field, and an empty text a quoted one.
        if value == .null { return }
        unsafe value.field(column).withUnsafeBytes { unsafe lines.append($0) }
    }

    private mutating func appendLine(_ row: [ResultValue], _ delimited: DelimitedText) {
        var lines = DelimitedLines(delimited, capacity: 1 << 10)
        for (index, value) in row.enumerated() {
            if index > 0 { lines.endField() }
            write(&lines, value, columns[index])
        }
        lines.endLine()
        unsafe lines.withText { unsafe buffer.append(contentsOf: $0) }
    }

    private mutating func appendObject(_ row: [ResultValue]) {
        if form == .json { buffer += Array((hasRows ? ",\n" : "\n").utf8) }
        buffer.append(UInt8(ascii: "{"))
        for (index, value) in row.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            buffer += keys[index]
            appendJSON(value, columns[index])
        }
        buffer += Array((form == .json ? "}" : "}\n").utf8)
    }

    private mutating func appendJSON(_ value: ResultValue, _ column: ResultColumn) {
        switch value {
        case .null: buffer += Array("null".utf8)
        case .integer: buffer += value.field(column)
        // JSON has no infinity: its word is a string, as the conversion `nonFiniteStrings` reads it.
        case .real(let number) where !number.isFinite: RowText.appendString(value.field(column), to: &buffer)
        case .real: buffer += value.field(column)
        case .blob: RowText.appendString(value.field(column), to: &buffer)
        case .text(let bytes):
            let isJSON = unsafe column.isJSON && bytes.withUnsafeBytes { unsafe (try? JSONValue(json: $0)) != nil }
            if isJSON { buffer += bytes } else { RowText.appendString(bytes, to: &buffer) }
        }
    }

    private mutating func write() throws(JSONError) {
        try sink.put(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
