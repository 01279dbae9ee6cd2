// What several batches and several runs leave behind, one after the other.

internal import Foundation
internal import SluiceCore
internal import SluiceIngest

extension SinkCheck {
    /// Rows of many batches, some of them with workers.
    func batches() async throws {
        for workers in 1...2 {
            let target = try makeTarget()
            let input = try scratch.file("batches-\(workers).ndjson", numbered(1...1_003))
            let ingest = Ingest([input], into: target.sink).batch(100).workers(workers)
            try await run(
                ingest, "stores 1003 rows in batches of 100", counts: RowCounts(added: 1_003), leaves: rows(1...1_003), in: target
            )
        }
    }

    /// What happens to records whose key is in the table.
    func merges() async throws {
        let lines = [
            #"{"id":1,"a":"one","b":"x"}"#, #"{"id":2,"a":"two","b":"y"}"#, #"{"id":1,"a":"new"}"#,
            #"{"id":2,"a":"two","b":"y"}"#,
            #"{"id":3,"a":null,"b":"z"}"#, #"{"id":1,"b":null}"#,
        ]
        let kept: [SinkConformance.Row] = [
            ["id": .integer(1), "a": .text("one"), "b": .text("x")], ["id": .integer(2), "a": .text("two"), "b": .text("y")],
            ["id": .integer(3), "b": .text("z")],
        ]
        var upserted = kept
        upserted[0] = ["id": .integer(1), "a": .text("new")]
        var replaced = kept
        replaced[0] = ["id": .integer(1)]
        let cases: [(conflict: KeyConflict, rows: [SinkConformance.Row], rejected: Int, counts: RowCounts)] = [
            (.reject, kept, 3, RowCounts(added: 3)),
            (.ignore, kept, 0, RowCounts(added: 3, kept: 3)),
            (.upsert, upserted, 0, RowCounts(added: 3, changed: 2, same: 1)),
            (.replace, replaced, 0, RowCounts(added: 3, changed: 2, same: 1)),
        ]
        for test in cases {
            for batch in [1, 4, 100] {
                let target = try makeTarget()
                let what = "has repeated keys, \(test.conflict) and batches of \(batch) rows"
                var ingest = Ingest([try scratch.file("merges.ndjson", lines)], into: target.sink).primaryKey("id")
                    .conflict(test.conflict).batch(batch)
                if features.contains(.rejectsTables) { ingest = ingest.rejects(.table("refused")) }
                let report = try await run(
                    ingest, what, rejected: test.rejected, counts: test.counts, leaves: test.rows, in: target)
                if test.rejected > 0 { try checkPositions(report, lines) }
                guard features.contains(.rejectsTables) else { continue }
                let stored = try target.rejected("refused")
                try require(
                    stored == test.rejected, "The table of rejected records has \(stored) records instead of \(test.rejected).")
            }
        }
        let target = try makeTarget()
        let input = try scratch.file("keyless.ndjson", [#"{"id":1,"a":"x"}"#, #"{"a":"y"}"#, #"{"id":null,"a":"z"}"#])
        try await run(
            Ingest([input], into: target.sink).primaryKey("id"), "has records without a key", rejected: 2,
            leaves: [["id": .integer(1), "a": .text("x")]], in: target)
    }

    /// The refused rows are those whose records the report names.
    private func checkPositions(_ report: IngestReport, _ lines: [String]) throws {
        let found = report.rejections.map(\.position.line)
        try require(found == [3, 4, 6], "The rows of the lines 3, 4 and 6 are refused, and the sink names \(found).")
    }

    /// Runs that resume where others have ended, and runs that empty the table.
    func laterRuns() async throws {
        let target = try makeTarget()
        var lines = numbered(1...50)
        var input = try scratch.file("later.ndjson", lines)
        func ingest() -> Ingest { Ingest([input], into: target.sink).batch(8) }
        try await run(ingest().limit(21), "reads 21 records", leaves: rows(1...21), in: target)
        try await run(ingest(), "goes on", leaves: rows(1...50), in: target)
        try await require(ingest().run().outcome == .nothingToDo, "A run that has nothing to do does not say so.")
        lines += numbered(51...60)
        input = try scratch.file("later.ndjson", lines)
        try await run(ingest(), "reads what was added to the file", leaves: rows(1...60), in: target)
        // Another input of the same table.
        let other = try scratch.file("other.ndjson", numbered(61...70))
        do {
            let report = try await Ingest([other], into: target.sink).run()
            throw fail("A run with another input and without .append ended with \(report.outcome).")
        } catch is IngestError {}
        try await run(Ingest([other], into: target.sink).existing(.append), "appends", leaves: rows(1...70), in: target)
        for existing in [ExistingTable.truncate, .drop] {
            let ingest = Ingest([other], into: target.sink).existing(existing)
            try await run(ingest, "has .\(existing)", leaves: rows(61...70), in: target)
        }
        // The checkpoint of the first input is forgotten with its rows.
        try await run(ingest().existing(.append), "reads the first input again", leaves: rows(1...70), in: target)
    }

    /// A run that does not complete leaves the old output as it was.
    func oldOutput() async throws {
        let target = try makeTarget()
        try await run(Ingest([try scratch.file("old.ndjson", numbered(1...10))], into: target.sink), "writes the output")
        let new = Ingest(
            [try scratch.file("new.ndjson", numbered(1...30, "m"))],
            into: FaultySink(target.sink, Fault(.store, 2, .after)))
        do {
            let report = try await new.batch(10).run()
            try require(report.outcome != .complete, "A run whose second batch failed says that it is complete.")
        } catch is IngestError {}
        try compare(target, with: rows(1...10), after: "a run that failed in the middle")
        let last = Ingest([try scratch.file("last.ndjson", numbered(1...5, "o"))], into: target.sink)
        try await run(last, "writes the output again", leaves: rows(1...5, "o"), in: target)
    }

    /// An error at each call: the run fails, the next one completes, and nothing is lost or doubled.
    func faults() async throws {
        let input = try scratch.file("faults.ndjson", numbered(1...25) + ["{"] + [#"{"id":26,"name":"n26"}"#])
        // A rejects file takes no part in a transaction. So the sink stores the lines that are still to be written.
        for usesFile in features.contains(.checkpoints) ? [false, true] : [false] {
            try await everyFault(Fault.Call.allCases) { fault, name in
                try await fails(fault, Trial(makeTarget(), input, rejects(name, usesFile)), rows: 26, rejected: 1)
            }
        }
    }

    /// An error at a call of a run that reads a record again, because the input ended inside it before. The rejection is removed
    /// and the row is added in one transaction.
    func faultsInGrownInputs() async throws {
        let calls: [Fault.Call] = [.removeRejections, .reject, .store, .write, .transaction, .setPendingRejects, .sync]
        for usesFile in features.contains(.rejectsTables) ? [false, true] : [true] {
            try await everyFault(calls) { fault, name in
                let input = try scratch.file("grown-\(name).ndjson", numbered(1...12), rest: #"{"id":13,"na"#)
                let trial = Trial(try makeTarget(), input, try rejects("grown-\(name)", usesFile))
                try await run(trial.ingest(trial.target.sink), "reads a file that ends in a record", rejected: 1)
                try check(trial, rows: 12, rejected: 1, after: "a run whose file ends in a record")
                _ = try scratch.file("grown-\(name).ndjson", numbered(1...20))
                try await fails(fault, trial, rows: 20, rejected: 0)
            }
        }
    }

    /// Another run writes the checkpoint first. The sink stores a checkpoint only over the version that the run knows; otherwise
    /// the batch of the run is not stored.
    func lostSwaps() async throws {
        let input = try scratch.file("swaps.ndjson", numbered(1...25) + ["{"] + [#"{"id":26,"name":"n26"}"#])
        for number in 1... {
            let trial = Trial(try makeTarget(), input, try rejects("swap-\(number)", !features.contains(.rejectsTables)))
            let fault = Fault(.write, number, .twice)
            guard try await fails(fault, trial, rows: 26, rejected: 1, mustFail: true) else {
                try require(number > 1, "A run with checkpoints has stored none.")
                break
            }
        }
    }

    /// An ingest that is run with a fault, and then without one.
    private struct Trial {
        let target: SinkConformance.Target
        let input: String
        let rejects: RejectsTarget?

        init(_ target: SinkConformance.Target, _ input: String, _ rejects: RejectsTarget?) {
            (self.target, self.input, self.rejects) = (target, input, rejects)
        }

        func ingest(_ sink: some RecordSink) -> Ingest {
            let ingest = Ingest([input], into: sink).batch(10)
            return rejects.map { ingest.rejects($0) } ?? ingest
        }
    }

    /// Where the rejected records of a trial go.
    private func rejects(_ name: String, _ usesFile: Bool) throws -> RejectsTarget? {
        if usesFile { return .file(path: try scratch.file("refused-\(name).ndjson", [])) }
        return features.contains(.rejectsTables) ? .table("refused") : nil
    }

    /// Checks the rows and the rejected records of a trial.
    private func check(_ trial: Trial, rows count: Int, rejected: Int, after what: String) throws {
        try compare(trial.target, with: rows(1...count), after: what)
        let stored: Int
        switch trial.rejects {
        case nil: return
        case .table(let table)?: stored = try trial.target.rejected(table)
        case .file(let path)?: stored = try scratch.lineCount(path)
        }
        try require(stored == rejected, "After \(what), there are \(stored) rejected records instead of \(rejected).")
    }

    /// Runs a trial with a fault, and again without.
    ///
    /// - Parameters:
    ///   - mustFail: Whether it is an error if the run with the fault says that it is complete.
    /// - Returns: Whether the fault has happened.
    @discardableResult
    private func fails(
        _ fault: Fault, _ trial: Trial, rows count: Int, rejected: Int, mustFail: Bool = false
    ) async throws -> Bool {
        var failed = false
        do {
            failed = try await trial.ingest(FaultySink(trial.target.sink, fault)).run().outcome != .complete
        } catch is IngestError {
            failed = true
        }
        guard fault.hasHappened else { return false }
        if mustFail, !failed { throw fail("There was \(fault), and the run says that it is complete.") }
        // A run may report success if the fault came after its work was done. Then all rows must be there.
        if !failed { try compare(trial.target, with: rows(1...count), after: "\(fault) in a run that says that it is complete") }
        try await complete(trial.ingest(trial.target.sink), "There was \(fault), and the next run")
        try check(trial, rows: count, rejected: rejected, after: "a run with \(fault), and the next run")
        return true
    }

    /// The target refuses some rows by its own rule. The other rows are stored, and the report names the records of the refused
    /// ones.
    func refusals(_ makeTarget: @Sendable () throws -> SinkConformance.Target) async throws {
        let input = try scratch.file("refusals.ndjson", numbered(1...30))
        let kept = rows(1...30).filter { row in
            guard case .integer(let id)? = row["id"] else { return false }
            return id % 7 != 0
        }
        for batch in [1, 4, 100] {
            let target = try makeTarget()
            func ingest() -> Ingest { Ingest([input], into: target.sink).batch(batch).existing(.append) }
            let what = "a run with rows that the target refuses, in batches of \(batch)"
            let limited = try await ingest().maximumErrors(1).run()
            try require(limited.outcome == .tooManyErrors, "A run with one refused row too many ended with \(limited.outcome).")
            try compare(target, with: Array(kept.prefix(12)), after: "\(what), at most 1")
            let report = try await run(ingest(), "has rows that the target refuses", rejected: 2, leaves: kept, in: target)
            let lines = (limited.rejections + report.rejections).map(\.position.line)
            try require(
                lines == [7, 14, 21, 28], "The rows of the lines 7, 14, 21 and 28 are refused, and the sink names \(lines).")
            try require(
                (limited.rejections + report.rejections).allSatisfy({ !$0.reason.hasSuffix(": ") }),
                "A refused row has no reason.")
        }
    }
}
