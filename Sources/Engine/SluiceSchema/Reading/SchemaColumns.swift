// What a schema says of columns: their types, also where the first records lack them, and which of them each record has.

package import SluiceCore

/// The columns that a schema knows.
package struct SchemaColumns {
    private typealias Known = (kind: SchemaMember.Kind, isRequired: Bool)

    /// A record that has all members that the schema names: columns are inferred from it as from the first records.
    package let record: JSONValue
    private var known: [[String]: Known] = [:]

    /// - Returns: nil if the schema says nothing of columns.
    package init?(_ schema: JSONSchema) {
        guard !schema.members.isEmpty else { return nil }
        record = SchemaColumns.object(schema.members)
        note(schema.members, at: [], isRequired: true)
    }

    private mutating func note(_ members: [SchemaMember], at path: [String], isRequired: Bool) {
        for member in members {
            let (path, isRequired) = (path + [member.key], isRequired && member.isRequired)
            known[path] = (member.kind, isRequired)
            note(member.members, at: path, isRequired: isRequired)
        }
    }

    private static func object(_ members: [SchemaMember]) -> JSONValue {
        .object(JSONObject(members.map { ($0.key, SchemaColumns.value($0)) }))
    }

    private static func value(_ member: SchemaMember) -> JSONValue {
        switch member.kind {
        case .integer: 1
        case .number: 0.5
        case .boolean: true
        case .string, .date, .dateTime: "a"
        case .array: []
        case .object: object(member.members)
        }
    }

    /// A column as the schema knows it.
    package func typed(_ column: JSONColumn) -> JSONColumn {
        guard let known = known[column.keys[0].components] else { return column }
        return column.with {
            switch known.kind {
            case .date: ($0.type, $0.isTolerant) = (.date, false)
            case .dateTime: ($0.type, $0.isTolerant) = (.timestamp, false)
            default: break
            }
            $0.isRequired = known.isRequired
        }
    }
}

extension JSONSchema {
    /// What the schema says of the members of the values that it accepts, in its own order. Members of which it does not say one type are left
    /// out.
    package var members: [SchemaMember] { program.contents.members }
}
