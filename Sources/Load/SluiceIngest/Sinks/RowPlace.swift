// The places of rows in a table beside theirs, and a sink that tells the place of a row.

package import SluiceCore

/// A table with the places of the rows of another one: the columns of the rows' key, and after them those of ``Provenance/sources``.
package struct PlaceTable: Hashable, Sendable {
    package let name: String
    /// The table of the rows. It is the same one if the places are columns of it.
    package let rows: String
    /// The columns of its key.
    package let key: [String]
    /// The names of the columns of ``Provenance/sources``.
    package let names: [String]

    package init(name: String, rows: String, key: [String] = [], names: [String]) {
        (self.name, self.rows, self.key, self.names) = (name, rows, key, names)
    }

    /// Whether a table with these columns may be this one: it has no others. No other table is changed or dropped.
    package func isThis(_ columns: [String]) -> Bool {
        let (found, own) = (Set(columns.map(ColumnName.folded)), Set(names.map(ColumnName.folded)))
        return key.isEmpty ? found.isSuperset(of: own) : found == own.union(key.map(ColumnName.folded))
    }

    /// The error of another table of this name.
    package func isTaken(in destination: String) -> IngestError {
        .database("\(destination) has a table \(name) already that is no table of places; name another one")
    }
}

/// The place of a row.
package struct RowPlace: Hashable, Sendable {
    /// The values of the key, in its order.
    package let key: [JSONValue]
    /// Nil if the row is gone, or if it is not known which record has written it.
    package let origin: RecordOrigin?

    package init(key: [JSONValue], origin: RecordOrigin?) { (self.key, self.origin) = (key, origin) }
}

/// A sink that can tell where the rows of its table come from.
package protocol OriginSource: RecordSink {
    /// The place of the record that has written a row last.
    ///
    /// - Parameter key: The values of the key's columns, in the key's order; or `column=value` for other columns.
    /// - Throws: ``IngestError``
    func origin(ofKey key: [String]) throws -> RecordOrigin
}
