// Turns a record into the texts of its columns, and counts the values that no column takes.

#if CommandLine
internal import SluiceCore

/// Flattens records: each column reads the value at one key path.
struct FlatRecord {
    /// A node in the tree of the columns' key paths.
    private final class Level {
        /// The columns that read the value here.
        var columns: [Int] = []
        // Keys are compared by bytes. Swift's String treats composed and decomposed "é" as equal; JSON does not.
        var children: [[UInt8]: Level] = [:]
    }

    let names: [String]
    private let root = Level()
    /// The fields of the current record; nil for a column that it has no value for.
    private(set) var fields: [String?]
    /// Values that no column took: for each key path, the number of values; in order of first appearance.
    private(set) var lost: [(path: String, count: Int)] = []
    private var lostIndex: [[UInt8]: Int] = [:]

    /// The columns that no record has had a key for.
    private(set) var unseen: Set<Int>
    /// The paths of the first records, from which a misspelt path is recognised.
    private var firstRecords = ColumnInference()
    private static let firstRecordCount = 100

    init(columns: [Column]) {
        unseen = Set(columns.indices)
        names = columns.map(\.name)
        fields = Array(repeating: nil, count: columns.count)
        for (index, column) in columns.enumerated() {
            var level = root
            for key in column.keys[0].components {
                let bytes = Array(key.utf8)
                let next = level.children[bytes] ?? Level()
                level.children[bytes] = next
                level = next
            }
            level.columns.append(index)
        }
    }

    /// Fills ``fields`` from a record.
    mutating func read(_ record: JSONValue) throws(JSONError) {
        for index in fields.indices { fields[index] = nil }
        if !unseen.isEmpty, firstRecords.records < FlatRecord.firstRecordCount { firstRecords.observe(record) }
        guard case .object(let object) = record else { return lose("a value that is no object") }
        try read(object, root, [])
    }

    private mutating func read(_ object: JSONObject, _ level: Level, _ path: [String]) throws(JSONError) {
        for member in object.members {
            if let next = level.children[Array(member.key.utf8)] {
                try read(member.value, next, path, member.key)
            } else if !member.value.isNull {
                lose(PathSyntax.text(ofKeys: path + [member.key]))
            }
        }
    }

    /// Reads a value that columns read, or values inside of it.
    private mutating func read(_ value: JSONValue, _ level: Level, _ path: [String], _ key: String) throws(JSONError) {
        if !level.columns.isEmpty {
            let text = try text(of: value)
            for column in level.columns {
                unseen.remove(column)
                if text != nil { fields[column] = text }
            }
        }
        if level.children.isEmpty || value.isNull { return }
        switch value {
        case .object(let object): try read(object, level, path + [key])
        case .array(let elements):
            var isRead = !level.columns.isEmpty
            for (index, element) in elements.enumerated() {
                let digits = String(index)
                guard let next = level.children[Array(digits.utf8)] else { continue }
                isRead = true
                try read(element, next, path + [key], digits)
            }
            if !isRead { lose(PathSyntax.text(ofKeys: path + [key])) }
        default: if level.columns.isEmpty { lose(PathSyntax.text(ofKeys: path + [key])) }
        }
    }

    /// The paths of columns that no record has had.
    func unseenPaths(of columns: [Column]) -> [UnseenPath] {
        guard firstRecords.records > 0 else { return [] }
        return unseen.sorted().map {
            UnseenPath(columns[$0].keys[0].components, reader: .column(columns[$0].name), among: firstRecords.paths)
        }
    }

    private func text(of value: JSONValue) throws(JSONError) -> String? {
        switch value {
        case .null: nil
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .number(let number): number.lexeme
        case .string(let text): text
        case .array, .object: try value.jsonString()
        }
    }

    private mutating func lose(_ path: String) {
        if let known = lostIndex[Array(path.utf8)] {
            lost[known].count += 1
        } else {
            lostIndex[Array(path.utf8)] = lost.count
            lost.append((path, 1))
        }
    }
}
#endif
