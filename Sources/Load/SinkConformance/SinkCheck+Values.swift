// Which values a sink stores, and in which columns.

internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

extension SinkCheck {
    private static let columns: [JSONColumn] = [
        .column("id", .integer), .column("i", .integer), .column("r", .real), .column("t", .text), .column("b", .bool),
        .column("d", .date), .column("m", .timestamp), .column("j", .json),
    ]

    /// A record, and the row that it must become.
    private struct Case {
        /// The members of the record without its id.
        let json: String
        let row: SinkConformance.Row

        init(_ json: String, _ row: SinkConformance.Row) { (self.json, self.row) = (json, row) }
    }

    private var cases: [Case] {
        var cases = [
            Case(#""i":9223372036854775807"#, ["i": .integer(.max)]),
            Case(#""i":-9223372036854775808"#, ["i": .integer(.min)]),
            Case(#""i":0,"r":0"#, ["i": .integer(0), "r": .real(0)]),
            Case(#""r":-0.0"#, ["r": .real(-0.0)]),
            Case(#""r":1e308"#, ["r": .real(1e308)]),
            Case(#""r":-1.7976931348623157e308"#, ["r": .real(-Double.greatestFiniteMagnitude)]),
            Case(#""r":5e-324"#, ["r": .real(.leastNonzeroMagnitude)]),
            Case(#""r":0.1"#, ["r": .real(0.1)]),
            Case(#""t":"12""#, ["t": .text("12")]),
            Case(#""t":"1e400""#, ["t": .text("1e400")]),
            Case(#""t":" a 'quoted' \"text\", \\ \n\r\t;""#, ["t": .text(" a 'quoted' \"text\", \\ \n\r\t;")]),
            Case(#""t":"😀 e\u0301 é 👩‍👩‍👧‍👦 \ud83d\ude00""#, ["t": .text("😀 e\u{301} é 👩‍👩‍👧‍👦 😀")]),
            Case(#""t":"null""#, ["t": .text("null")]),
            Case(#""b":true"#, ["b": .bool(true)]),
            Case(#""b":false"#, ["b": .bool(false)]),
            Case(#""d":"2024-02-29""#, ["d": .text("2024-02-29")]),
            Case(#""m":"2024-02-29T23:59:59.500Z""#, ["m": .text("2024-02-29T23:59:59.500Z")]),
            Case(#""j":{"a":[1,{"b":null}],"c":"x"}"#, ["j": .text(#"{"a":[1,{"b":null}],"c":"x"}"#)]),
            Case(#""j":[]"#, ["j": .text("[]")]),
            Case(#""j":{}"#, ["j": .text("{}")]),
            Case(#""i":null,"r":null,"t":null,"b":null,"d":null,"m":null,"j":null"#, [:]),
            Case(#""x":1"#, [:]),
            // A value must not stay from the row before.
            Case(
                #""i":1,"r":1.5,"t":"t","b":true,"j":[1]"#,
                [
                    "i": .integer(1), "r": .real(1.5), "t": .text("t"), "b": .bool(true), "j": .text("[1]"),
                ]),
            Case(#""t":"only""#, ["t": .text("only")]),
        ]
        if features.contains(.emptyText) { cases.append(Case(#""t":"""#, ["t": .text("")])) }
        if features.contains(.nulInText) {
            cases.append(Case(#""t":"a\u0000b""#, ["t": .text("a\0b")]))
            cases.append(Case(#""t":"\u0000""#, ["t": .text("\0")]))
        }
        return cases
    }

    /// The abilities that the sink states must agree with the features that the caller passed.
    func abilities() throws {
        let abilities = try makeTarget().sink.abilities
        let pairs: [(SinkConformance.Features, SinkAbilities, String)] = [
            (.keys, .keys, "keys"), (.rejectsTables, .rejectionTables, "tables for rejected records"),
        ]
        for (feature, ability, name) in pairs where features.contains(feature) != abilities.contains(ability) {
            throw fail("The check is told of \(name) and the sink's abilities are not, or the other way round.")
        }
    }

    /// Each type, with its edges.
    func values() async throws {
        for (name, cases) in [("all", cases)] + cases.enumerated().map({ ("\($0.offset)", [$0.element]) }) {
            let target = try makeTarget()
            let lines = cases.enumerated().map { "{\"id\":\($0.offset),\($0.element.json)}" }
            let input = try scratch.file("values-\(name).ndjson", lines)
            let rows = cases.enumerated().map { $0.element.row.merging(["id": .integer(Int64($0.offset))]) { $1 } }
            try await run(
                Ingest([input], into: target.sink).columns(SinkCheck.columns),
                "stores \(name == "all" ? "values of all types" : lines[0])", counts: RowCounts(added: cases.count),
                leaves: rows, in: target)
        }
    }

    /// Texts that are longer than any buffer.
    func longTexts() async throws {
        let target = try makeTarget()
        let text = String(repeating: "0123456789abcdeé", count: 70_000)
        let lines = (1...3).map { "{\"id\":\($0),\"t\":\"\($0)\(text)\"}" }
        try await run(
            Ingest([try scratch.file("long.ndjson", lines)], into: target.sink), "stores texts of 1 MB",
            leaves: (1...3).map { ["id": .integer($0), "t": .text("\($0)\(text)")] }, in: target)
    }

    func dryRun() async throws {
        let target = try makeTarget()
        try await run(Ingest([try scratch.file("dry.ndjson", numbered(1...3))], into: target.sink).dryRun(), "writes nothing")
        try require(target.rows().isEmpty, "A dry run has stored rows.")
    }

    /// The column that names the input.
    func fileNames() async throws {
        let target = try makeTarget()
        let inputs = try (0..<2).map { try scratch.file("name-\($0).ndjson", ["{\"id\":\($0)}"]) }
        let rows = inputs.enumerated().map {
            ["id": .integer(Int64($0.offset)), "filename": .text($0.element)] as SinkConformance.Row
        }
        try await run(
            Ingest(inputs, into: target.sink).fileNameColumn(), "adds the name of the input", leaves: rows, in: target)
    }

    /// Columns that come in the same batch as the first rows, and in later ones.
    func lateColumns() async throws {
        for batch in [1, 2, 100] {
            let target = try makeTarget()
            let lines = (1...6).map { "{\"id\":\($0),\"c\($0 / 2)\":\($0)}" } + [#"{"id":7,"C0":"x","":2,"a b\"'":true}"#]
            let input = try scratch.file("late-\(batch).ndjson", lines)
            let report = try await run(
                Ingest([input], into: target.sink).sample(1).contract(.evolve).batch(batch),
                "adds columns in batches of \(batch) rows")
            // Compares with the names in the report, because the ingest gives keys that differ only in case different column
            // names.
            func name(_ path: String) -> String { report.columns.first { $0.path == path }?.name ?? path }
            let names = report.columns.map(\.name)
            try require(names.count == 8, "A run with 8 keys has the columns \(names).")
            let rows = try target.rows()
            for number in 1...6 {
                let row = rows.first { $0["id"] == .integer(Int64(number)) } ?? [:]
                for other in 0...3 {
                    let stored = row[name("c\(other)")] ?? .null
                    let value: SinkConformance.Value = other == number / 2 ? .integer(Int64(number)) : .null
                    try require(
                        value.isStored(as: stored),
                        "The late column c\(other) of the row \(number) holds \(stored) instead of \(value), in batches of \(batch)."
                    )
                }
            }
            let last = rows.first { $0["id"] == .integer(7) } ?? [:]
            let values = names.dropFirst(5).map { last[$0] ?? .null }
            for (value, stored) in zip([.text("x"), .integer(2), .bool(true)] as [SinkConformance.Value], values) {
                try require(value.isStored(as: stored), "A late column holds \(stored) instead of \(value): \(last).")
            }
            try require(rows.count == 7, "After a run with late columns, there are \(rows.count) rows instead of 7.")
        }
    }

    /// Records with the ids of a range, and a name.
    func numbered(_ ids: ClosedRange<Int>, _ name: String = "n") -> [String] {
        ids.map { "{\"id\":\($0),\"name\":\"\(name)\($0)\"}" }
    }

    func rows(_ ids: ClosedRange<Int>, _ name: String = "n") -> [SinkConformance.Row] {
        ids.map { ["id": .integer(Int64($0)), "name": .text("\(name)\($0)")] }
    }
}
