// The types of columns that options declare for tables.

package import SluiceCore

extension DeclaredType {
    /// Reads the name of a type of a table's column; nil if it is not one.
    ///
    /// - Throws: ``IngestError/usage(_:)`` for a date pattern that is not understood.
    package init?(named name: String) throws(IngestError) {
        do throws(JSONError) {
            guard let type = try DeclaredType(named: name, among: Self.ofTables) else { return nil }
            self = type
        } catch {
            throw .usage("the type '\(name)': \(error.found)")
        }
    }

    private static var ofTables: [(name: String, type: ColumnType)] {
        ColumnType.ofTables.filter { !$0.isOfDates }.map { ($0.name, $0) }
    }

    /// The end of an error about a text that is not a type. It names the type that was probably meant, or lists the types.
    static func hint(for name: String) -> String {
        let word = String(name.prefix { $0 != "(" }).lowercased()
        let meant = otherNames[word] ?? KeyLikeness.closest(to: word, among: plainNames)
        return meant.map { "did you mean \($0)?" } ?? "there are \(names)"
    }

    private static var plainNames: [String] { ofTables.map(\.name) + ofDates.map(\.name) }

    static var names: String { (plainNames + ["date(PATTERN)"]).joined(separator: ", ") + " and timestamp(PATTERN)" }

    /// What databases and languages call the types.
    private static let otherNames = [
        "int": "integer", "int64": "integer", "bigint": "integer", "long": "integer", "float": "real", "double": "real",
        "number": "real", "string": "text", "str": "text", "varchar": "text", "boolean": "bool", "datetime": "timestamp",
        "timestamptz": "timestamp", "epoch": "unix", "object": "json", "array": "json", "jsonb": "json",
    ]
}

extension JSONColumn {
    /// The type as a user declares it.
    package var declaredType: DeclaredType { DeclaredType(type, dates: dates) }
}
