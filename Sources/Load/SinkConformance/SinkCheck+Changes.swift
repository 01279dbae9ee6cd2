// Checks which changes a sink reports, and which rows it finds missing.

internal import Foundation
internal import SluiceCore
internal import SluiceIngest

extension SinkCheck {
    /// Each row that is added, changed or removed is reported once, with its difference. A row that stays equal is not reported.
    func changes() async throws {
        let first = [
            #"{"id":1,"a":"one","j":{"x":1,"y":[1]}}"#, #"{"id":2,"a":"two","j":{}}"#, #"{"id":3,"a":null,"j":{"x":null}}"#,
        ]
        let second = [
            #"{"id":1,"a":"one","j":{"x":1,"y":[1]}}"#, #"{"id":2,"a":null,"j":{"z":null}}"#, #"{"id":3,"a":"three","j":{}}"#,
            #"{"id":4,"a":"four"}"#, #"{"id":4,"a":"4"}"#,
        ]
        let added = [
            #"added {"id":1} {"a":"one","id":1,"j":{"x":1,"y":[1]}}"#, #"added {"id":2} {"a":"two","id":2,"j":{}}"#,
            #"added {"id":3} {"id":3,"j":{"x":null}} ["/j/x"]"#,
        ]
        let changed = [
            #"changed {"id":2} {"a":null,"j":{"z":null}} ["/a","/j/z"]"#, #"changed {"id":3} {"a":"three","j":{"x":null}}"#,
            #"added {"id":4} {"a":"four","id":4}"#, #"changed {"id":4} {"a":"4"}"#,
        ]
        for batch in [1, 100] {
            let target = try makeTarget()
            let file = try scratch.file("changes-\(batch).ndjson", [])
            let columns: [JSONColumn] = [.column("id", .integer), .column("a", .text), .column("j", .json)]
            func load(_ name: String, _ lines: [String], _ conflict: KeyConflict) throws -> Ingest {
                Ingest([try scratch.file("\(name)-\(batch).ndjson", lines)], into: target.sink).columns(columns).primaryKey("id")
                    .conflict(conflict).batch(batch).changes(.file(path: file))
            }
            try await run(load("changes-first", first, .reject), "adds rows and tells of changes")
            try expect(added, file, after: "a run that adds 3 rows")
            try await run(
                load("changes-second", second, .upsert), "adds 1 row, changes 3 and has an equal one",
                counts: RowCounts(added: 1, changed: 3, same: 1))
            try expect(added + changed, file, after: "a run that changes rows")
            try await run(load("changes-third", Array(second.dropLast(2)) + [second[4]], .upsert), "changes nothing")
            try expect(added + changed, file, after: "a run that changes nothing")
        }
    }

    /// The rows that a complete snapshot lacks are marked or removed. All other rows stay.
    func missingRows() async throws {
        let target = try makeTarget()
        let file = try scratch.file("missing-changes.ndjson", [])
        var number = 0
        func load(_ ids: ClosedRange<Int>, _ missing: MissingRows, rest: [String] = []) throws -> Ingest {
            number += 1
            let input = try scratch.file("missing-\(number).ndjson", numbered(ids) + rest)
            let ingest = Ingest([input], into: target.sink).primaryKey("id").conflict(.upsert).batch(7).missing(missing)
            return target.sink.abilities.contains(.changes) ? ingest.changes(.file(path: file)) : ingest
        }
        try await run(load(1...30, .delete), "has no missing rows", leaves: rows(1...30), in: target)
        let kept = try await run(
            load(5...34, .delete, rest: ["{"]), "rejects a record of a snapshot", rejected: 1, leaves: rows(1...34), in: target)
        try require(kept.missing?.refusal != nil, "A run that rejects a record of a snapshot does not say that rows stay.")
        let report = try await run(load(5...34, .delete), "removes 4 missing rows", leaves: rows(5...34), in: target)
        try require(
            report.rows.removed == 4 && report.missing?.count == 4, "A run that removes 4 missing rows reports \(report.rows).")
        let marked = try await run(load(5...30, .mark), "marks 4 missing rows")
        try checkMarks(target, 31...34, after: "a run that marks 4 missing rows")
        try require(
            marked.missing?.count == 4 && marked.rows.removed == 0,
            "A run that marks 4 missing rows reports \(String(describing: marked.missing)).")
        let back = try await run(load(5...34, .mark), "has all rows again")
        try require(
            back.missing?.returned == 4 && back.missing?.count == 0,
            "A run in which 4 rows are back reports \(String(describing: back.missing)).")
        try checkMarks(target, nil, after: "a run that has all rows again")
        guard target.sink.abilities.contains(.changes) else { return }
        let removed = try told(file).filter { $0.hasPrefix("removed") }
        try require(
            removed == (1...4).map({ "removed {\"id\":\($0)} null" }),
            "The rows 1 to 4 were removed, and the sink tells of \(removed).")
    }

    private func checkMarks(_ target: SinkConformance.Target, _ ids: ClosedRange<Int>?, after what: String) throws {
        for row in try target.rows() {
            guard case .integer(let id)? = row["id"] else { continue }
            let isMarked = (row[MissingRows.markColumn] ?? .null) != .null
            try require(
                isMarked == (ids?.contains(Int(id)) ?? false), "After \(what), the row \(id) is \(isMarked ? "" : "not ")marked.")
        }
    }

    /// An error at each call of a run that changes and removes rows. The next run completes, and each change is reported once.
    func faultsInChanges() async throws {
        let old = try scratch.file("old-snapshot.ndjson", numbered(1...20))
        let new = try scratch.file("new-snapshot.ndjson", numbered(4...12) + numbered(13...25, "m"))
        let wanted = rows(4...12) + rows(13...25, "m")
        let calls: [Fault.Call] = [
            .setSnapshot, .store, .settleMissing, .setPendingRejects, .write, .transaction, .sync, .release,
        ]
        try await everyFault(calls) { fault, name in
            let target = try makeTarget()
            let file = try scratch.file("fault-changes-\(name).ndjson", [])
            func load(_ sink: some RecordSink, _ input: String) -> Ingest {
                Ingest([input], into: sink).primaryKey("id").conflict(.upsert).batch(5).missing(.delete).changes(
                    .file(path: file))
            }
            try await run(load(target.sink, old), "loads a snapshot")
            _ = try? await load(FaultySink(target.sink, fault), new).run()
            guard fault.hasHappened else {
                return try require(fault.number > 1, "A run that finds missing rows has not called \(fault.call).")
            }
            try await complete(load(target.sink, new), "There was \(fault), and the next run")
            let what = "a run with \(fault), and the next run"
            try compare(target, with: wanted, after: what)
            let added = (1...20).map { #"added {"id":\#($0)} {"id":\#($0),"name":"n\#($0)"}"# }
            let changed = (13...20).map { #"changed {"id":\#($0)} {"name":"m\#($0)"}"# }
            let fresh = (21...25).map { #"added {"id":\#($0)} {"id":\#($0),"name":"m\#($0)"}"# }
            let removed = (1...3).map { #"removed {"id":\#($0)} null"# }
            try expect(added + changed + fresh + removed, file, after: what)
        }
    }

    /// An error after a transaction is committed and before its lines are in the file of changes. The next run writes these
    /// lines, and each change is in the file once.
    func owedChanges() async throws {
        let input = try scratch.file("owed.ndjson", numbered(1...20))
        let added = (1...20).map { #"added {"id":\#($0)} {"id":\#($0),"name":"n\#($0)"}"# }
        var hasOwed = false
        for number in 1... {
            let target = try makeTarget()
            let file = try scratch.file("owed-changes-\(number).ndjson", [])
            func load(_ sink: some RecordSink) -> Ingest {
                Ingest([input], into: sink).primaryKey("id").conflict(.upsert).batch(5).changes(.file(path: file))
            }
            // `sync` is called after the commit and before the lines are written. So an error here leaves changes that are still
            // to be written.
            let fault = Fault(.sync, number, .before)
            _ = try? await load(FaultySink(target.sink, fault)).run()
            guard fault.hasHappened else { break }
            let (rows, lines) = (try target.rows().count, try told(file).count)
            try require(
                rows == lines || rows == lines + 5, "After a run with \(fault), there are \(rows) rows and \(lines) changes.")
            hasOwed = hasOwed || rows > lines
            for what in ["the next run", "the run after that"] {
                try await complete(load(target.sink), "There was \(fault), and \(what)")
                try expect(added, file, after: "a run with \(fault), and \(what)")
            }
        }
        try require(hasOwed, "No run ends between a transaction and the lines of its changes.")
    }

    // MARK: The file of changes

    /// The changes of a file, each as its operation, key, patch and nulls, with the members of objects in order.
    private func told(_ path: String) throws -> [String] {
        let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return try text.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } }.map { line in
            guard let value = try? JSONValue(json: String(line)) else { throw fail("A line of the file of changes is \(line).") }
            func text(_ key: String) throws -> String { try (value[key] ?? .null).sorted.jsonString() }
            let nulls = try value["nulls"] == nil ? "" : " " + text("nulls")
            return try "\(value["operation"]?.string ?? "") \(text("key")) \(text("patch"))\(nulls)"
        }
    }

    private func expect(_ wanted: [String], _ path: String, after what: String) throws {
        let found = try told(path)
        if let lost = wanted.first(where: { !found.contains($0) }) {
            throw fail("After \(what), the change \(lost) is missing; there are \(found).")
        }
        try require(
            found.count == wanted.count, "After \(what), there are \(found.count) changes instead of \(wanted.count): \(found).")
    }
}

extension JSONValue {
    /// The value with the members of all objects sorted by their keys.
    fileprivate var sorted: JSONValue {
        switch self {
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.key, $0.value.sorted) }.sorted { $0.key < $1.key }))
        case .array(let elements): .array(elements.map(\.sorted))
        case .null, .bool, .number, .string: self
        }
    }
}
