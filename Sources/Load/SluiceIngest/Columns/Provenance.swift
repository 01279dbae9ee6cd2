// Where each row comes from: the columns that say it, in the table of the rows or in a table beside it.

package import SluiceCore

/// Where an ingest keeps the place that each row comes from: the input, the line and the byte at which its record begins, and a digest of the
/// record's text.
///
/// ```swift
/// let ingest = Ingest(["logs/*.ndjson"], into: sink).provenance()
/// let other = Ingest(["users.json"], into: users).primaryKey("id")
///     .provenance(.table("origins").named(input: "file", line: "row", byte: "offset", digest: "hash"))
/// ```
///
/// ``RecordOrigin`` reads the record's text again.
public struct Provenance: Sendable, Hashable {
    /// The table beside the rows; nil if the places are columns of the rows' own table.
    package let table: String?
    /// The names of the columns, in the order of ``sources``.
    package private(set) var names = ["_input", "_line", "_byte", "_digest"]
    /// Whether the names were chosen.
    package private(set) var hasChosenNames = false

    /// The columns, and what they hold.
    package static let sources: [(source: IngestColumn.Source, type: ColumnType)] = [
        (.input, .text), (.line, .integer), (.byte, .integer), (.digest, .integer),
    ]

    /// Four columns of the rows' table: `_input`, `_line`, `_byte` and `_digest`. If the records have a key of such a name, the column gets
    /// a number: `_line_2`.
    public static let columns = Provenance(table: nil)

    /// A table of its own, for a table of rows that must get no column more. It has the columns of the rows' key, and these four. The rows
    /// need a key.
    public static func table(_ name: String) -> Provenance { Provenance(table: name) }

    /// The same with other names.
    ///
    /// - Parameters:
    ///   - input: The column of the input: the absolute path of a file, or the name of another input.
    ///   - line: That of the line, from 1 on.
    ///   - byte: That of the number of bytes before the record, in the text of the input. The text of a compressed file is decompressed.
    ///   - digest: That of the digest, by which another text at the same place is recognised.
    public func named(input: String, line: String, byte: String, digest: String) -> Provenance {
        var copy = self
        (copy.names, copy.hasChosenNames) = ([input, line, byte, digest], true)
        return copy
    }

    /// What must not change when a run is resumed.
    package var signature: String { " provenance \(table ?? "") \(names)" }

    /// The table for the places of the rows of a child table.
    package func table(ofChild child: String) -> String? { table.map { "\($0)_\(child)" } }

    /// The table beside the rows as JSON, as the rows' table remembers it; nil if the places are columns.
    package var json: JSONValue? {
        guard let table else { return nil }
        return ["table": .string(table), "columns": .array(names.map { .string($0) })]
    }

    /// - Returns: nil if the JSON value does not describe such a table.
    package init?(json: JSONValue) {
        guard let table = json["table"]?.string, let names = json["columns"]?.array?.compactMap(\.string),
            names.count == Provenance.sources.count
        else { return nil }
        (self.table, self.names) = (table, names)
    }

    private init(table: String?) { self.table = table }

    /// - Throws: ``IngestError/usage(_:)`` if two columns have one name, or one has none.
    package func check() throws(IngestError) {
        guard !names.contains(""), table != "", Set(names.map(ColumnName.folded)).count == names.count else {
            throw .usage("\(option: .provenance(table)) needs a name for each of its columns: \(names.joined(separator: ", "))")
        }
    }
}

extension TableLayout {
    /// The columns that say where the records are, in the order of ``Provenance/sources``; empty if there are none.
    package var places: [IngestColumn] {
        Provenance.sources.compactMap { place in columns.first { $0.source == place.source } }
    }

    /// Adds the columns that say where the records are, unless they are there.
    package mutating func addPlaces(_ provenance: Provenance) {
        guard places.isEmpty else { return }
        for (place, name) in zip(Provenance.sources, provenance.names) {
            append(IngestColumn(name: freeName(of: place.source, like: name), type: place.type, source: place.source))
        }
    }

    /// Checks that columns with chosen names get these names.
    ///
    /// - Throws: ``IngestError/usage(_:)``
    package func checkNames(of provenance: Provenance) throws(IngestError) {
        guard provenance.hasChosenNames else { return }
        for (place, name) in zip(Provenance.sources, provenance.names) {
            let free = freeName(of: place.source, like: name)
            guard !ColumnName.areEqual(free, name) else { continue }
            throw .usage(
                "\(option: .provenance(nil)): the column \(name) is taken, or the table has \(free) for what it would hold; "
                    + "choose another name")
        }
    }
}
