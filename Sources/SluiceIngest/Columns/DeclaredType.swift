// Parses the type of a declared column.

package import SluiceCore

/// A type as the user declares it: one of the column types, or one of dates in a form of their own, such as `unix` or `date(dd.MM.yyyy)`.
package struct DeclaredType: Sendable, Hashable {
    package let type: ColumnType
    /// The form of a column's dates in JSON; nil for texts in any known form.
    package let dates: JSONDateFormat?

    /// Reads the name of a type; nil if it is not one.
    ///
    /// - Throws: ``IngestError/usage(_:)`` for a date pattern that is not understood.
    package init?(named name: String) throws(IngestError) {
        if let type = Self.plainTypes.first(where: { $0.name == name }) {
            (self.type, dates) = (type, nil)
            return
        }
        do throws(JSONError) {
            guard let dated = try DateColumnType(named: name) else { return nil }
            (type, dates) = (dated.isDay ? .date : .timestamp, dated.format)
        } catch {
            throw .usage("the type '\(name)': \(error.found)")
        }
    }

    package init(_ type: ColumnType, dates: JSONDateFormat?) { (self.type, self.dates) = (type, dates) }

    /// The type as a text, which must not change: checkpoints have it.
    package var name: String {
        switch dates {
        case nil: type.name
        case .unix? where type == .timestamp: "unix"
        case .milliseconds? where type == .timestamp: "unix-ms"
        case .format(let pattern)?: "\(type.name)(\(pattern))"
        case let dates?: "\(type.name) in \(dates.text)"
        }
    }

    /// The end of an error about a text that is not a type. It names the type that was probably meant, or lists the types.
    static func hint(for name: String) -> String {
        let word = String(name.prefix { $0 != "(" }).lowercased()
        let meant = Self.otherNames[word] ?? KeyLikeness.closest(to: word, among: plainTypes.map(\.name) + DateColumnType.names)
        return meant.map { "did you mean \($0)?" } ?? "there are \(names)"
    }

    static var names: String {
        let all = plainTypes.map(\.name) + DateColumnType.names + ["date(PATTERN)", "timestamp(PATTERN)"]
        return all.dropLast().joined(separator: ", ") + " and " + all[all.count - 1]
    }

    private static var plainTypes: [ColumnType] { ColumnType.allCases.filter { !$0.isOfDates } }

    /// What databases and languages call the types.
    private static let otherNames = [
        "int": "integer", "int64": "integer", "bigint": "integer", "long": "integer", "float": "real", "double": "real",
        "number": "real", "string": "text", "str": "text", "varchar": "text", "boolean": "bool", "datetime": "timestamp",
        "timestamptz": "timestamp", "epoch": "unix", "object": "json", "array": "json", "jsonb": "json",
    ]
}

extension Column {
    /// The type as a user declares it.
    package var declaredType: DeclaredType { DeclaredType(type, dates: dates) }
}
