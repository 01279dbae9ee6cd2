// An answer for people: columns that are aligned, as wide as the first rows need and the terminal allows.
//
//     id  login
//     --  -----
//      1  ann
//      2  bob
//     2 rows

package import SluiceCore

/// Writes an answer as an aligned table.
package struct ResultGrid: ResultWriter {
    private var sink: any ByteSink
    private let width: Int
    private var columns: [ResultColumn] = []
    /// The rows that decide how wide the columns are, until they are written.
    private var waiting: [[ResultValue]] = []
    private var widths: [Int] = []
    private var areNumbers: [Bool] = []
    private var count = 0
    private var isBegun = false
    /// How many rows decide.
    private static let sample = 1_000
    /// A column is not made narrower than this.
    private static let least = 8

    /// - Parameter width: The width of the terminal in columns.
    package init(width: Int, to sink: any ByteSink) {
        self.width = max(width, 20)
        self.sink = sink
    }

    package mutating func begin(_ columns: [ResultColumn]) { self.columns = columns }

    package mutating func append(_ row: [ResultValue]) throws(JSONError) {
        count += 1
        guard isBegun else {
            waiting.append(row)
            if waiting.count >= ResultGrid.sample { try writeWaiting() }
            return
        }
        try put(line(of: row) + "\n")
    }

    package mutating func finish() throws(JSONError) {
        if !isBegun { try writeWaiting() }
        try put(counted(count, "row") + "\n")
    }

    private mutating func writeWaiting() throws(JSONError) {
        isBegun = true
        let names = columns.map { ResultGrid.shown(Array($0.name.utf8)) }
        let cells = waiting.map { row in zip(row, columns).map { ResultGrid.shown($0.field($1)) } }
        widths = columns.indices.map { index in
            cells.reduce(max(1, ResultGrid.width(of: names[index]))) { max($0, ResultGrid.width(of: $1[index])) }
        }
        areNumbers = columns.indices.map { index in
            !columns[index].isBool && waiting.contains { $0[index] != .null }
                && waiting.allSatisfy { $0[index] == .null || $0[index].isNumber }
        }
        fit()
        var text = line(names) + "\n" + line(widths.map { String(repeating: "-", count: $0) }) + "\n"
        for row in cells { text += line(row) + "\n" }
        waiting = []
        try put(text)
    }

    /// Makes the widest columns narrower until a row fits, or until no column can be narrower.
    private mutating func fit() {
        let gaps = max(0, widths.count - 1) * 2
        while widths.reduce(0, +) + gaps > width, let widest = widths.max(), widest > ResultGrid.least,
            let index = widths.firstIndex(of: widest)
        {
            let excess = widths.reduce(0, +) + gaps - width
            let next = widths.filter { $0 < widest }.max() ?? ResultGrid.least
            widths[index] = max(ResultGrid.least, widest - excess, min(next, widest - 1))
        }
    }

    private func line(of row: [ResultValue]) -> String { line(zip(row, columns).map { ResultGrid.shown($0.field($1)) }) }

    private func line(_ cells: [String]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "  " }
            // Digits that are cut off would show another number.
            let cut = areNumbers[index] ? cell : ResultGrid.cut(cell, to: widths[index])
            let blanks = String(repeating: " ", count: max(0, widths[index] - ResultGrid.width(of: cut)))
            text += areNumbers[index] ? blanks + cut : index == cells.count - 1 ? cut : cut + blanks
        }
        return text
    }

    private static func shown(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).printable }

    private static func cut(_ text: String, to width: Int) -> String {
        guard ResultGrid.width(of: text) > width else { return text }
        var (result, used) = ("", 0)
        for character in text {
            let next = ResultGrid.width(of: character)
            if used + next > width - 1 { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    package static func width(of text: String) -> Int { text.reduce(0) { $0 + width(of: $1) } }

    /// How many columns of a terminal a character takes: two for those of East Asian scripts and for pictures.
    private static func width(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    private mutating func put(_ text: String) throws(JSONError) {
        try sink.put(Array(text.utf8))
    }
}
