// Tables as a JSON Schema.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

/// A JSON Schema (draft 2020-12) of an object that has an array of rows for each table. A row has a member for each column.
struct TableSchema {
    private let tables: [SinkTable]
    private let meanings: TableMeanings

    init(_ tables: [SinkTable], _ meanings: TableMeanings) { (self.tables, self.meanings) = (tables, meanings) }

    func text(title: String) throws(JSONError) -> String {
        let members: [JSONObject.Member] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)), ("type", "object"),
            ("properties", .object(JSONObject(tables.map { ($0.name, rows(of: $0)) }))),
        ]
        return try JSONValue.object(JSONObject(members)).jsonString(options: .init(isPretty: true)) + "\n"
    }

    private func rows(of table: SinkTable) -> JSONValue {
        let properties = table.columns.map { column -> JSONObject.Member in
            let isKey = table.key.contains(column.name)
            var members: [JSONObject.Member] = []
            if let type = column.type.schemaName {
                members.append(("type", isKey ? .string(type) : .array([.string(type), "null"])))
            }
            if let meaning = meanings[table.name, column.name] { members += meaning.schemaMembers(hasNull: !isKey) }
            return (column.name, .object(JSONObject(members)))
        }
        var row: [JSONObject.Member] = [("type", "object"), ("properties", .object(JSONObject(properties)))]
        if !table.key.isEmpty { row.append(("required", .array(table.key.map { .string($0) }))) }
        return .object(JSONObject([("type", "array"), ("items", .object(JSONObject(row)))]))
    }
}

extension ColumnType {
    /// The name of the type in a JSON Schema; nil for any JSON.
    fileprivate var schemaName: String? {
        switch self {
        case .integer: "integer"
        case .real: "number"
        case .bool: "boolean"
        case .text, .date, .timestamp: "string"
        default: nil
        }
    }
}
#endif
