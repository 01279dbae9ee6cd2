// Tables with the places of the rows of other tables, and the place of one row.

internal import SluiceCore
package import SluiceIngest

extension Ledger {
    package func keepPlaces(_ places: [RowPlace], in table: PlaceTable) throws {
        guard !places.isEmpty else { return }
        try connection.checkName(of: table.name)
        if try columns(of: table.name).isEmpty {
            try connection.lock(table.name)
            // Another run may have made it meanwhile.
            if try connection.columns(of: table.name).isEmpty {
                let columns = zip(table.names, Provenance.sources).map { SQLColumn($0, $1.type) }
                try connection.makeTable(table.name, withKey: table.key, of: table.rows, columns)
            }
        }
        try check(table)
        func key(_ place: RowPlace) -> [SQLParameter] { place.key.map { SQLParameter($0) } }
        let gone = places.filter { $0.origin == nil }.map(key)
        try connection.delete(gone, from: table.name, table.key)
        let kept = places.compactMap { place in
            place.origin.map { origin in
                key(place) + [
                    .name(origin.input), .integer(origin.line), .integer(origin.byte), .integer(Int(origin.digest ?? 0)),
                ]
            }
        }
        try connection.merge(kept, into: table.name, table.key, table.names)
    }

    package func forgetPlaces(in table: PlaceTable) throws {
        let columns = try columns(of: table.name)
        guard !columns.isEmpty else { return }
        try check(table)
        try connection.run("DROP TABLE \(connection.path(of: table.name))", [])
        forget(columnsOf: table.name)
    }

    /// Checks that a table has places, and no rows of records: those have the same columns, too, if they were loaded with places.
    private func check(_ table: PlaceTable) throws {
        guard !placeTables.contains(table.name) else { return }
        let isOfRows = try memories().contains { name, memory in
            ([name] + memory.childTables.map(\.name)).contains { ColumnName.areEqual($0, table.name) }
        }
        guard !isOfRows, table.isThis(try columns(of: table.name)) else { throw table.isTaken(in: dialect.destination) }
        placeTables.insert(table.name)
    }

    // MARK: One row

    /// The place of the record that has written a row of the table last.
    ///
    /// - Parameter key: See ``OriginSource/origin(ofKey:)``.
    package func origin(ofKey key: [String]) throws -> RecordOrigin {
        let place = try placeTable()
        let (names, values) = try conditions(key, place)
        let words = zip(names, values).map { "\($0) = \($1)" }.joined(separator: ", ")
        let wanted = try place.names.map { try connection.quoted($0) }.joined(separator: ", ")
        let columns = try names.map { try connection.quoted($0) }
        func rows(_ column: (String) -> String) throws -> [[String?]] {
            let isSame = columns.enumerated().map { "\(column($1)) = $\($0 + 1)" }.joined(separator: " AND ")
            let sql = try "SELECT \(wanted) FROM \(connection.path(of: place.name)) WHERE \(isSame) LIMIT 2"
            return try connection.run(sql, values.map { .text($0) }).values
        }
        var found = try rows { $0 }
        // To SQLite, a number in a column without a type is no text.
        if found.isEmpty { found = try rows { "CAST(\($0) AS TEXT)" } }
        guard let row = found.first else {
            throw IngestError.database(
                place.name == table
                    ? "the table \(table) has no row with \(words)"
                    : "the table \(place.name) has no place for a row with \(words)")
        }
        guard found.count == 1 else {
            throw IngestError.usage("the table \(table) has several rows with \(words): name the row by its key")
        }
        guard let input = row[0], let line = row[1].flatMap({ Int($0) }), let byte = row[2].flatMap({ Int($0) }) else {
            throw IngestError.database(
                "it is not known where the row with \(words) comes from: it was not written by a run with \(option: .provenance(nil))"
            )
        }
        return RecordOrigin(
            input: connection.original(name: input), line: line, byte: byte, digest: row[3].flatMap { Int64($0) })
    }

    /// Where the places of the table's rows are.
    private func placeTable() throws -> PlaceTable {
        var known: [String] = []
        for (name, memory) in try memories() {
            var tables: [(String, TableLayout, String?)] = [(name, memory.layout, memory.provenance?.table)]
            for child in memory.childTables {
                tables.append((child.name, child.layout, memory.provenance?.table(ofChild: child.name)))
            }
            for (name, layout, beside) in tables {
                known.append(name)
                // SQLite does not tell large letters from small ones in names.
                guard name == table || !dialect.nameCollation.isEmpty && ColumnName.areEqual(name, table) else { continue }
                if let beside, let names = memory.provenance?.names {
                    return PlaceTable(name: beside, rows: name, names: names)
                }
                let names = layout.places.map(\.name)
                if names.count == Provenance.sources.count { return PlaceTable(name: table, rows: table, names: names) }
            }
        }
        guard try columns(of: table).isEmpty else {
            throw IngestError.database(
                "the table \(table) does not say where its rows come from: it was not loaded with \(option: .provenance(nil))")
        }
        let meant = KeyLikeness.closest(to: table, among: known).map { "; did you mean \($0)?" } ?? ""
        throw IngestError.database("\(dialect.destination) has no table \(table)\(meant)")
    }

    /// What all tables of the database remember.
    private func memories() throws -> [(String, TableMemory)] {
        guard try !columns(of: OwnTables.memory).isEmpty else { return [] }
        let sql = try "SELECT table_name, memory FROM \(connection.path(of: OwnTables.memory)) ORDER BY table_name"
        return try connection.run(sql, []).values.map { row in
            (row.text(0), try TableMemory(text: row.text(1), of: row.text(0)))
        }
    }

    /// The columns of a key, and their values.
    private func conditions(_ key: [String], _ place: PlaceTable) throws -> (names: [String], values: [String]) {
        let columns = try columns(of: place.name)
        let named = key.compactMap { text -> (String, String)? in
            guard let equals = text.firstIndex(of: "=") else { return nil }
            let column = columns.first { ColumnName.areEqual($0, String(text[..<equals])) }
            return column.map { ($0, String(text[text.index(after: equals)...])) }
        }
        if !key.isEmpty, named.count == key.count { return (named.map(\.0), named.map(\.1)) }
        let isBeside = place.name != place.rows
        let names =
            try isBeside ? columns.filter { !place.names.contains($0) } : connection.primaryKey(of: place.name)
        guard !names.isEmpty else {
            throw IngestError.usage("the table \(table) has no primary key: name the columns of its rows, as in id=7")
        }
        guard names.count == key.count else {
            throw IngestError.usage(
                "the key of \(table) is \(names.joined(separator: ", ")): name a value for each of its columns, in this order")
        }
        return (names, key)
    }
}

extension SQLParameter {
    /// A value of a key.
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = value.int.map { .integer($0) } ?? .text(number.description)
        case .string(let text): self = .text(text)
        case .array, .object: self = .text((try? value.jsonString()) ?? "")
        }
    }
}
