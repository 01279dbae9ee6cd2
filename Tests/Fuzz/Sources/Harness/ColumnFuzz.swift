// Columns that are known only at run time, against the same record read as a dictionary of raw JSON.

import Glibc
import SluiceTestSupport

@testable import SluiceCore

enum ColumnFuzz: FuzzTarget {
    static let name = "column"

    private static let keys = ["a", "b", "c", "d", "é", "id"]
    private static let paths: [JSONKeyPath] = ["a", "b", "c", "d", "é", "id", "a.b", "c.0", "d.é", "c.1.a", "b.a.d"]

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        let members = keys.shuffled(using: &random).prefix(random.below(keys.count + 1)).map {
            SampleJSON.Member($0, .random(&random, depth: random.below(4), keys: keys))
        }
        return Array(SampleJSON.object(members).text(&random).utf8)
    }

    /// Tables live as long as the process, so there are few of them.
    private static func columns(_ knobs: Knobs) -> [JSONColumn] {
        var random = SplitMix64(seed: UInt64(knobs.choice))
        return (0..<(1 + random.below(7))).map { number in
            let keys = paths.shuffled(using: &random).prefix(random.pick([1, 1, 2]))
            let type = random.pick(ColumnType.ofTables)
            let forms: [JSONDateFormat?] = [nil, .unix, .milliseconds, .format("dd.MM.yyyy")]
            let dates = type.isOfDates ? random.pick(forms) : nil
            return JSONColumn(
                name: "column\(number)", type: type, keys: Array(keys), isTolerant: random.below(2) == 0, dates: dates)
        }
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        let columns = columns(input.knobs)
        var options = JSONReader.Options.strict
        options.validation = random.pick([.bound, .full])
        options.maximumDepth = random.pick([512, 5])
        let reader = ColumnReader(columns: columns, options: options)
        // Twice: nothing of the first reading may show in the second.
        for _ in 0..<2 {
            do throws(JSONError) {
                try reader.read(input.text)
            } catch {
                promise(error.offset >= 0 && error.offset <= input.text.count, "a place outside the text: \(error)")
                continue
            }
            checkCells(reader, columns, input, options)
        }
    }

    private static func checkCells(
        _ reader: ColumnReader, _ columns: [JSONColumn], _ input: FuzzInput, _ options: JSONReader.Options
    ) {
        if options.validation == .full {
            promise(PlainGrammar(input.text).isJSON, "a record was read from text that is not JSON")
        }
        var dictionaryReader = JSONReader(options: options)
        let members = try? dictionaryReader.read([String: RawJSON].self, from: input.text)
        for (index, column) in columns.enumerated() {
            let cell = reader.value(at: index)
            let words = { "column \(column): \(describe(cell))" }
            if case .text(let bytes) = cell {
                promise(String(validating: bytes, as: UTF8.self) != nil, "text that is not UTF-8: \(words())")
            }
            if !column.isTolerant {
                switch (column.type, cell) {
                case (_, .null), (.integer, .integer), (.real, .real), (.text, .text), (.bool, .integer), (.date, .text),
                    (.timestamp, .text), (.json, .text):
                    break
                // A number that no double holds keeps its digits.
                case (.real, .integer(let value)): promise(Int64(exactly: Double(value)) != value, "an integer, \(words())")
                case (.real, .text(let digits)):
                    promise(!isKept(String(decoding: digits, as: UTF8.self)), "a text, \(words())")
                default: finding("a cell of another type, \(words())")
                }
            }
            guard let members, column.keys.count == 1, column.keys[0].components.count == 1 else { continue }
            checkCell(cell, column, members[column.keys[0].components[0]], words())
        }
    }

    /// Whether a double is a number: equal to an integer; or, written with as many digits as the number has or with the fewest, the same.
    private static func isKept(_ text: String) -> Bool {
        let value = strtod(text, nil)
        let own = digits(text)
        if text.utf8.allSatisfy({ $0 != 0x2E && $0 | 0x20 != 0x65 }) {
            // Integers beyond 128 bits are kept as text, whatever they are.
            return own.power <= 38 && own == digits(printed(value, "%.*f", 0))
        }
        return own == digits("\(value)") || own == digits(printed(value, "%.*e", max(own.digits.count, 1) - 1))
    }

    private static func printed(_ value: Double, _ format: String, _ digits: Int) -> String {
        var bytes = [CChar](repeating: 0, count: digits + 400)
        let count = withVaList([Int32(digits), value]) { vsnprintf(&bytes, bytes.count, format, $0) }
        return String(decoding: bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The digits of a decimal number without zeros around them, and the power of ten of the first one, plus one.
    private static func digits(_ text: String) -> (digits: [UInt8], power: Int) {
        let parts = text.lowercased().split(separator: "e")
        let number = parts[0].utf8.filter { $0 != UInt8(ascii: "-") }
        let whole = number.prefix { $0 != UInt8(ascii: ".") }.count
        let all = number.filter { $0 != UInt8(ascii: ".") }
        let zeros = all.prefix { $0 == UInt8(ascii: "0") }.count
        var digits = Array(all.dropFirst(zeros))
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return digits.isEmpty ? ([], 0) : (digits, whole - zeros + (parts.count > 1 ? Int(parts[1]) ?? 1 << 40 : 0))
    }

    /// A column with one plain key holds what the dictionary has there.
    private static func checkCell(_ cell: RawCellValue, _ column: JSONColumn, _ member: RawJSON?, _ words: String) {
        guard let member, let value = try? JSONValue(json: member.text), value != .null else {
            if case .null = cell { return }
            finding("a cell that should be null, \(words)")
        }
        switch (column.type, cell, value) {
        case (.json, .text(let bytes), _):
            let own = try? JSONValue(json: String(decoding: bytes, as: UTF8.self))
            promise(own == value, "JSON of another value, \(words), not \(value)")
        case (.integer, .integer(let integer), .number(let number)):
            promise(
                Int64(exactly: number.double ?? 0) == integer || number.lexeme == "\(integer)" || abs(integer) > 1 << 53, words)
        case (.real, .real(let real), .number(let number)):
            promise(number.double == real && isKept(number.lexeme), words)
        case (.real, .text(let digits), .number(let number)): promise(number.lexeme.utf8.elementsEqual(digits), words)
        case (.text, .text(let bytes), .string(let text)):
            promise(text.utf8.elementsEqual(bytes), "another text, \(words), not \(text)")
        case (_, .null, _): finding("a cell without its value, \(words), not \(value)")
        default: break
        }
    }

    private static func describe(_ cell: RawCellValue) -> String {
        switch cell {
        case .null: "null"
        case .integer(let value): "integer \(value)"
        case .real(let value): "real \(value)"
        case .text(let bytes): "text '\(String(decoding: bytes, as: UTF8.self))'"
        }
    }
}
