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
package final class ResultText: ResultWriter {
    private let form: FileSink.Form
    private var sink: any ByteSink
    private var columns: [ResultColumn] = []
    private var rows: RowWriter
    private var hasRows = false
    private static let fullSize = 64 << 10

    package init(_ form: FileSink.Form, to sink: any ByteSink) {
        self.form = form
        self.sink = sink
        rows = RowWriter(form)
    }

    package func begin(_ columns: [ResultColumn]) {
        self.columns = columns
        let names = columns.map(\.name)
        // An object has one value for each key.
        rows.setColumns(RowObjects.distinct(names))
        rows.begin(names)
    }

    package func append(_ row: [ResultValue]) throws(JSONError) {
        rows.append(row, columns)
        if rows.count >= ResultText.fullSize { try write() }
    }

    package func finish() throws(JSONError) { try write(form == .json ? "\n]\n" : "") }

    /// Writes the rows so far, and an end.
    private func write(_ end: String = "") throws(JSONError) {
        var text: [UInt8] = []
        rows.flush(into: &text)
        // Each row of an array begins with a comma, which the first one does not need.
        if form == .json, !hasRows, text.count > 1 { text.remove(at: 1) }
        hasRows = true
        try sink.put(text + Array(end.utf8))
    }
}

extension RowWriter {
    /// Writes a row of an answer.
    fileprivate mutating func append(_ row: [ResultValue], _ columns: [ResultColumn]) {
        for (index, value) in row.enumerated() {
            switch value {
            case .null: put(index, .null)
            case .integer(let number): put(index, .integer(number), isBool: columns[index].isBool && (number == 0 || number == 1))
            case .real(let number) where number.isFinite: put(index, .real(number))
            case .text(let bytes):
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    let isJSON =
                        unsafe !hasLines && columns[index].isJSON && (try? JSONValue(json: UnsafeRawBufferPointer(bytes))) != nil
                    unsafe put(index, .text(bytes), isJSON: isJSON)
                }
            // JSON has no infinity: its word is a string, as the conversion `nonFiniteStrings` reads it.
            case .real, .blob: unsafe value.field(columns[index]).withUnsafeBufferPointer { unsafe put(index, .text($0)) }
            }
        }
        endRow()
    }
}
