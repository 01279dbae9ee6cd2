// A table for the elements of an array that the records have.
//
//     {"id": 7, "items": [{"sku": "a"}, {"sku": "b"}]}      events         id 7
//                                                            events_items   events_id 7, position 0, sku a
//                                                                           events_id 7, position 1, sku b
//
// The first columns are the key of the parent's row, and then the position: together they are the key of the child's row. So each row
// of any depth has a key that depends on nothing but the feed.

package import SluiceCore

/// The names of the tables of a run.
package final class TableNames {
    /// The names in small letters. Two Unicode spellings of one name count as one here: files and people take them for the same.
    private var taken: Set<String> = []

    package init() {}

    package func take(_ name: String) { taken.insert(TableNames.folded(name)) }

    private static func folded(_ name: String) -> String { String(decoding: ColumnName.folded(name), as: UTF8.self) }

    /// The wanted name if no table has it, or the name with a number. From now on it is taken.
    package func free(like wanted: String) -> String {
        let name = ColumnName.free(like: ColumnName.withoutNUL(wanted)) { taken.contains(TableNames.folded($0)) }
        take(name)
        return name
    }
}

/// An array of the records, whose elements go into a table of their own.
package struct ChildTable: Sendable {
    /// What the elements are.
    package enum Kind: String, Sendable {
        /// The elements of an array.
        case array
        /// The members of an object, whose keys are data.
        case map
    }

    /// The path of the array in the parent's records.
    package let path: [String]
    package let kind: Kind
    package let name: String
    /// The columns: first those of the key, then those of the elements. An element that is not an object is the value of `value`.
    package internal(set) var layout: TableLayout
    /// The indices of the key's columns in the parent's layout.
    package let parentKey: [Int]
    /// Whether the array lies in a value that this run takes whole. Earlier runs have filled the table, and this one removes the rows of
    /// the records that it reads.
    package private(set) var isCovered = false

    /// How many tables may lie below each other. A record with thousands of brackets would make as many tables, and each has the
    /// positions of all tables above it in its key, and its path in its name, of which PostgreSQL keeps 63 bytes.
    package static let maximumLevels = 8

    /// How many tables the arrays of one table may have: their indices have 16 bits in a row's cells.
    package static let most = 16_384

    /// The key of an element that is not an object.
    package static let valueKey = "value"

    /// The index of a child table in a list of column indices: a negative number.
    package static func index(of number: Int, _ kind: Kind) -> Int { -1 - 2 * number - (kind == .map ? 1 : 0) }

    /// The number of the child table that an index stands for.
    package static func number(of index: Int) -> Int { (-1 - index) / 2 }

    /// The first byte of a value whose parts are rows of the child table with this index.
    package static func bracket(of index: Int) -> UInt8 {
        (-1 - index) & 1 == 1 ? UInt8(ascii: "{") : UInt8(ascii: "[")
    }

    /// How many columns are the row's key: those of the parent's key, and the position.
    package var keyCount: Int { parentKey.count + 1 }

    /// The names of the columns of the key.
    package var key: [String] { layout.columns.prefix(keyCount).map(\.name) }

    /// The column that reads the array in the parent's records.
    package var column: JSONColumn {
        JSONColumn(name: name, type: .json, keys: [JSONKeyPath(components: path)], isTolerant: true)
    }

    /// A table with its key's columns.
    ///
    /// - Parameters:
    ///   - key: The indices of the key's columns in the parent's layout.
    ///   - parent: The name of the parent's table.
    ///   - end: What stands after it; nil for the path.
    package init(
        path: [String], kind: Kind, parent: String, _ parentLayout: TableLayout, key: [Int], names: TableNames,
        named end: String? = nil
    ) {
        self.path = path
        self.kind = kind
        parentKey = key
        name = names.free(like: ([parent] + (end.map { [$0] } ?? path)).joined(separator: "_"))
        var layout = parentLayout.child(at: path)
        for index in key {
            let column = parentLayout.columns[index]
            let name =
                switch column.source {
                case .recordNumber, .parentKey: column.name
                case .position: "\(parentLayout.home.last ?? parent)_\(column.name)"
                case .value, .variant, .covered, .fileName, .overflow, .memberKey, .input, .line, .byte, .digest:
                    "\(parent)_\(column.name)"
                }
            layout.append(IngestColumn(name: layout.freeName(like: name), type: column.type, source: .parentKey))
        }
        layout.append(IngestColumn(name: layout.freeName(like: "position"), type: .integer, source: .position))
        if kind == .map { layout.append(IngestColumn(name: layout.freeName(like: "key"), type: .text, source: .memberKey)) }
        self.layout = layout
    }

    /// The table as an earlier run has it, before this one covers anything.
    package var uncovered: ChildTable { with(layout.uncovered, isCovered: false) }

    /// The same table with another layout.
    ///
    /// - Parameter isCovered: Nil to leave it as it is.
    package func with(_ layout: TableLayout, isCovered: Bool? = nil) -> ChildTable {
        var table = self
        table.layout = layout
        table.isCovered = isCovered ?? self.isCovered
        return table
    }

    /// The same table below a parent with the key at other indices; nil if the key has another number of columns.
    package func with(parentKey: [Int]) -> ChildTable? {
        guard parentKey.count == self.parentKey.count else { return nil }
        return ChildTable(
            path: path, kind: kind, name: name, layout: layout, parentKey: parentKey, isCovered: isCovered)
    }

    private init(path: [String], kind: Kind, name: String, layout: TableLayout, parentKey: [Int], isCovered: Bool) {
        (self.path, self.kind, self.name, self.layout, self.parentKey) = (path, kind, name, layout, parentKey)
        self.isCovered = isCovered
    }

    /// The table as JSON; a run that resumes this one reads it again.
    package var json: JSONValue {
        var members: [JSONObject.Member] = [
            ("name", .string(name)), ("kind", .string(kind.rawValue)), ("path", .array(path.map { .string($0) })),
            ("parent_key", .array(parentKey.map { .number(JSONNumber($0)) })),
            ("columns", .array(layout.columns.map(\.json))), ("children", .array(layout.children.map(\.json))),
        ]
        if isCovered { members.append(("covered", true)) }
        return .object(JSONObject(members))
    }

    /// - Parameter isRemembered: Whether the parent may have other columns now. The key's indices then mean nothing.
    /// - Returns: nil if the JSON value does not describe a table.
    package init?(json: JSONValue, in parent: TableLayout, isRemembered: Bool = false) {
        guard let name = json["name"]?.string, let kind = json["kind"]?.string.flatMap(Kind.init),
            let path = json["path"]?.array?.compactMap(\.string), !path.isEmpty,
            let key = json["parent_key"]?.array?.compactMap(\.int),
            isRemembered || key.allSatisfy(parent.columns.indices.contains),
            let columns = json["columns"]?.array?.compactMap({ IngestColumn(json: $0) }), columns.count > key.count
        else { return nil }
        var layout = parent.child(at: path)
        for column in columns { layout.append(column.stored) }
        for child in json["children"]?.array ?? [] {
            guard let child = ChildTable(json: child, in: layout, isRemembered: isRemembered) else { return nil }
            layout.append(child)
        }
        self.init(
            path: path, kind: kind, name: name, layout: layout, parentKey: key, isCovered: json["covered"]?.bool == true)
    }
}
