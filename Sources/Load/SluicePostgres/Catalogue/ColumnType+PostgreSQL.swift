// Which type of PostgreSQL a new column gets. The tool writes it also in `infer`, so it does not need the trait PostgreSQL.

package import SluiceCore

extension ColumnType {
    /// The name of PostgreSQL's type for a new column.
    package var postgres: String {
        switch self {
        case .integer: "bigint"
        case .real: "double precision"
        case .text: "text"
        case .bool: "boolean"
        case .date: "date"
        case .timestamp: "timestamptz"
        case .json, .int32, .decimal, .list, .object: "jsonb"
        }
    }
}
