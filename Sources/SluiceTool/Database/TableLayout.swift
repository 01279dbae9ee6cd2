// The columns of a table, and what goes into each. The list only grows: a column that is found late comes last.

#if CommandLine
internal import SluiceCore

/// A column of the table.
struct TableColumn: Hashable, Sendable {
    /// What goes into a column.
    enum Source: Hashable, Sendable {
        /// The value at a path.
        case value(Column)
        /// What stands at a path where other columns read an object's keys, and is no object.
        case variant([String])
        /// The name of the input.
        case fileName
        /// What no other column takes.
        case overflow
    }

    let name: String
    let type: Column.ColumnType
    let source: Source

    init(_ column: Column) {
        name = column.name
        type = column.type
        source = .value(column)
    }

    init(name: String, type: Column.ColumnType, source: Source) {
        self.name = name
        self.type = type
        self.source = source
    }

    /// The column as a reader of records knows it.
    var column: Column? { if case .value(let column) = source { column } else { nil } }

    /// The way to its value.
    var path: [String]? {
        switch source {
        case .value(let column): column.keys[0].components
        case .variant(let path): path
        case .fileName, .overflow: nil
        }
    }
}

/// The columns of a table, with names that SQLite can tell apart.
struct TableLayout: Sendable {
    private(set) var columns: [TableColumn] = []
    private var taken: Set<[UInt8]> = []

    init(_ columns: [TableColumn] = []) { for column in columns { append(column) } }

    mutating func append(_ column: TableColumn) {
        taken.insert(ColumnName.folded(column.name))
        columns.append(column)
    }

    /// A name like the wanted one that no column has.
    func freeName(like wanted: String) -> String {
        // A name of SQL ends at a NUL, and must not be empty.
        let plain = wanted.replacing("\0", with: "_")
        let base = plain.isEmpty ? "column" : plain
        var name = base
        var number = 2
        while taken.contains(ColumnName.folded(name)) {
            name = "\(base)_\(number)"
            number += 1
        }
        return name
    }

    /// The place of a column that is meant by a name, or by the path to its value.
    func index(of name: String) -> Int? {
        columns.firstIndex { ColumnName.areEqual($0.name, name) }
            ?? columns.firstIndex { $0.path?.joined(separator: ".") == name }
    }

    /// The column whose name is most like another.
    func closest(to name: String) -> String? {
        KeyLikeness.closest(to: name, among: columns.map(\.name))
    }
}

extension TableColumn {
    /// The column as JSON, to be read again by the run that goes on.
    var json: JSONValue {
        var members: [JSONObject.Member] = [("name", .string(name)), ("type", .string(type.name))]
        if let path { members.append(("path", .array(path.map { .string($0) }))) }
        switch source {
        case .value(let column): members.append(("tolerant", .bool(column.isTolerant)))
        case .variant: members.append(("source", "variant"))
        case .fileName: members.append(("source", "file"))
        case .overflow: members.append(("source", "overflow"))
        }
        return .object(JSONObject(members))
    }

    /// - Returns: nil if the value is no column.
    init?(json: JSONValue) {
        guard let name = json["name"]?.string, let type = json["type"]?.string.flatMap({ Column.ColumnType.named($0) }) else {
            return nil
        }
        let path = json["path"]?.array?.compactMap(\.string) ?? []
        switch json["source"]?.string {
        case "file": self.init(name: name, type: type, source: .fileName)
        case "overflow": self.init(name: name, type: type, source: .overflow)
        case "variant" where !path.isEmpty: self.init(name: name, type: type, source: .variant(path))
        case nil where !path.isEmpty:
            self.init(
                Column(
                    name: name, type: type, keys: [JSONKeyPath(components: path)], isTolerant: json["tolerant"]?.bool ?? true))
        default: return nil
        }
    }
}
#endif
