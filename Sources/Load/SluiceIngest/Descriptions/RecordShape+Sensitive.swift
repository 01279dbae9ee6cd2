// Hides the keys inside sensitive values from descriptions of records. Descriptions never have values.

package import SluiceCore

extension SensitivePaths {
    /// The columns, with one column in place of those that read keys inside a sensitive value.
    package func withoutKeys(_ columns: [JSONColumn]) -> [JSONColumn] {
        guard !isEmpty else { return columns }
        let inside = columns.map { column in
            path(above: column.keys[0].components).flatMap { $0 == column.keys[0] ? nil : $0 }
        }
        var taken = TableLayout(zip(columns, inside).filter { $1 == nil }.map { IngestColumn($0.0) })
        var whole: Set<JSONKeyPath> = []
        return zip(columns, inside).compactMap { column, path in
            guard let path else { return column }
            guard whole.insert(path).inserted else { return nil }
            let column = JSONColumn(
                name: taken.freeName(like: path.components.joined(separator: "_")), type: .json, keys: [path], isTolerant: true)
            taken.append(IngestColumn(column))
            return column
        }
    }
}

extension RecordShape {
    /// Whether a record has had a value or null at a path.
    package func hasValue(at keys: [String]) -> Bool { shape(at: keys[...]) != nil }

    /// All paths that were seen; elements of an array have the path of the array.
    package var paths: [[String]] {
        var paths = members.flatMap { member in [[member.key]] + member.shape.paths.map { [member.key] + $0 } }
        if let element { paths += element.paths }
        return paths
    }

    /// Whether the value is sensitive, or an array of sensitive values.
    var holdsSensitive: Bool { isSensitive || element?.holdsSensitive == true }

    /// The shape at a path. The number of an element stands for all elements, which have one shape.
    func shape(at keys: ArraySlice<String>) -> RecordShape? {
        guard let key = keys.first else { return self }
        if let member = members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
            return member.shape.shape(at: keys.dropFirst())
        }
        return Int(key) == nil ? nil : element?.shape(at: keys.dropFirst())
    }
}
