// The promises of RecordSink, as checks that any test framework can call. Each check stores records with an ingest. A closure of
// the caller then reads the rows of the target, by other means than the sink.
//
//     values          each type with its edges, null and missing values
//     late columns    columns that come after the first rows
//     memory          what a table remembers of its columns
//     merges          what a key decides, and which rows are refused
//     refusals        rows that a rule of the target refuses
//     faults          an error at each call: the run fails, the next one completes, nothing is lost or doubled
//     lost swaps      another run has written the checkpoint first
//     replays         repaired records, replayed by several runs
//     changes         which rows are added, changed and removed, with their differences
//     missing rows    rows that a complete snapshot does not have
//     writers         two runs at once
//     new tables      two runs that make one table

public import SluiceIngest
internal import SluiceCore

/// Checks that a sink keeps the promises of `RecordSink`.
///
/// ```swift
/// try await SinkConformance.check([.checkpoints, .keys]) {
///     let queue = try DatabaseQueue()
///     return SinkConformance.Target(SQLiteSink(queue, table: "rows")) {
///         try queue.read { try rows(of: "rows", $0) }
///     }
/// }
/// ```
public enum SinkConformance {
    /// What a sink can do besides storing rows.
    public struct Features: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It stores checkpoints with the rows, so a later run resumes where an earlier one has ended.
        public static let checkpoints = Features(rawValue: 1)
        /// Its tables have keys: all cases of `KeyConflict` work.
        public static let keys = Features(rawValue: 2)
        /// It has tables for rejected records.
        public static let rejectsTables = Features(rawValue: 4)
        /// It stores texts with U+0000.
        public static let nulInText = Features(rawValue: 8)
        /// It keeps an empty text apart from a missing value.
        public static let emptyText = Features(rawValue: 16)

        /// All features.
        package static let all: Features = [.checkpoints, .keys, .rejectsTables, .nulInText, .emptyText]
    }

    /// A value that a target holds.
    public enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        /// Text, a date as it was stored, or the text of JSON.
        case text(String)
    }

    /// A row that a target holds. A column that it does not name is null.
    public typealias Row = [String: Value]

    /// A new, empty target, and how to look at it.
    public struct Target: Sendable {
        let sink: any RecordSink
        let rows: @Sendable () throws -> [Row]
        let rejected: @Sendable (String) throws -> Int

        /// - Parameters:
        ///   - sink: The sink to check. It can be used for several runs, one after the other and at once.
        ///   - rejected: How many records a table for rejected records holds.
        ///   - rows: Reads all rows that the target holds now, in any order. Returns no rows if the target does not exist yet.
        public init(
            _ sink: some RecordSink, rejected: @escaping @Sendable (_ table: String) throws -> Int = { _ in 0 },
            rows: @escaping @Sendable () throws -> [Row]
        ) {
            self.sink = sink
            self.rows = rows
            self.rejected = rejected
        }
    }

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - features: What the sink can do. The others are not checked.
    ///   - refusing: Makes a target that refuses each row whose `id` is a multiple of 7. It has the columns `id` and `name`, and
    ///     a rule of its own, such as `CHECK (id % 7 <> 0)`. Nil if the target has no such rules.
    ///   - makeTarget: Makes a new target for each check.
    /// - Throws: ``Violation`` for the first promise that the sink does not keep; errors of the closures.
    public static func check(
        _ features: Features = [], refusing: (@Sendable () throws -> Target)? = nil,
        _ makeTarget: @escaping @Sendable () throws -> Target
    ) async throws {
        let check = SinkCheck(features: features, scratch: try ScratchFolder(), makeTarget: makeTarget)
        try check.abilities()
        try await check.values()
        try await check.longTexts()
        try await check.fileNames()
        try await check.dryRun()
        if try makeTarget().sink.abilities.contains(.lateColumns) { try await check.lateColumns() }
        try await check.batches()
        if features.contains(.keys) { try await check.merges() }
        if features.contains(.checkpoints) {
            try await check.laterRuns()
            try await check.memory()
            try await check.faultsInGrownInputs()
            try await check.lostSwaps()
            try await check.replays()
        } else {
            try await check.oldOutput()
        }
        let abilities = try makeTarget().sink.abilities
        if abilities.contains(.changes) { try await check.changes() }
        if abilities.contains(.missingRows) { try await check.missingRows() }
        if abilities.isSuperset(of: [.changes, .missingRows]), features.contains(.checkpoints) {
            try await check.faultsInChanges()
            try await check.owedChanges()
        }
        if let refusing { try await check.refusals(refusing) }
        try await check.faults()
        try await check.writers()
        if features.contains(.checkpoints) { try await check.newTables() }
    }

    /// A promise that a sink does not keep.
    package struct Violation: Error, Hashable, CustomStringConvertible {
        /// What is wrong, in one sentence.
        package let description: String
    }
}

/// The checks of one sink.
struct SinkCheck {
    let features: SinkConformance.Features
    let scratch: ScratchFolder
    let makeTarget: @Sendable () throws -> SinkConformance.Target

    func fail(_ sentence: String) -> SinkConformance.Violation { SinkConformance.Violation(description: sentence) }

    func require(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
        if !condition { throw fail(sentence()) }
    }

    /// Runs an ingest that must succeed.
    ///
    /// - Parameters:
    ///   - counts: What the report must say of the rows; nil if that is not checked.
    ///   - rows: The rows that the target must have then; nil if they are not checked.
    @discardableResult
    func run(
        _ ingest: Ingest, _ what: String, rejected: Int = 0, counts: RowCounts? = nil,
        leaves rows: [SinkConformance.Row]? = nil, in target: SinkConformance.Target? = nil
    ) async throws -> IngestReport {
        let report: IngestReport
        do {
            report = try await ingest.run()
        } catch {
            throw fail("A run that \(what) failed: \(error).")
        }
        try require(report.outcome == .complete, "A run that \(what) ended with \(report.outcome).")
        try require(
            report.rejected == rejected,
            "A run that \(what) had \(rejected) records to reject and rejected \(report.rejected): "
                + report.rejections.map(\.reason).joined(separator: "; ") + ".")
        if let rows, let target { try compare(target, with: rows, after: "a run that \(what)") }
        if let counts { try require(report.rows == counts, "A run that \(what) reports \(report.rows).") }
        return report
    }

    /// Runs an ingest that must complete, or find that nothing is left to do.
    ///
    /// - Parameter what: The beginning of a sentence about the run.
    func complete(_ ingest: Ingest, _ what: String) async throws {
        do {
            let outcome = try await ingest.run().outcome
            try require(outcome == .complete || outcome == .nothingToDo, "\(what) ended with \(outcome).")
        } catch let error as IngestError {
            throw fail("\(what) failed: \(error).")
        }
    }

    /// Tries an error before and after each call of some methods: at the first call, the second one, and so on, until a run makes no more.
    ///
    /// - Parameter trial: Gets a name for its files, too.
    func everyFault(_ calls: [Fault.Call], _ trial: (Fault, String) async throws -> Void) async throws {
        for call in calls {
            for kind in [Fault.Kind.before, .after] {
                for number in 1... {
                    let fault = Fault(call, number, kind)
                    try await trial(fault, "\(call)-\(kind)-\(number)")
                    guard fault.hasHappened else { break }
                }
            }
        }
    }

    /// Compares the rows of a target with those that it must have; the column `id` is an integer that tells them apart.
    func compare(_ target: SinkConformance.Target, with expected: [SinkConformance.Row], after what: String) throws {
        var found: [SinkConformance.Value: SinkConformance.Row] = [:]
        let rows = try target.rows()
        for row in rows {
            guard let id = row["id"] else { throw fail("After \(what), a row has no id: \(row).") }
            try require(found.updateValue(row, forKey: id) == nil, "After \(what), the row \(id) is there twice.")
        }
        for row in expected {
            guard let id = row["id"], let other = found[id] else { throw fail("After \(what), the row of \(row) is missing.") }
            for column in Set(row.keys).union(other.keys).sorted() {
                let (value, stored) = (row[column] ?? .null, other[column] ?? .null)
                try require(
                    value.isStored(as: stored),
                    "After \(what), the column \(column) of the row \(id) holds \(stored) instead of \(value).")
            }
        }
        try require(rows.count == expected.count, "After \(what), there are \(rows.count) rows instead of \(expected.count).")
    }
}

extension SinkConformance.Value {
    /// Whether a target that was given this value may hold the other one. A target may have one type for integers and booleans, and it
    /// may write JSON in another way.
    func isStored(as other: SinkConformance.Value) -> Bool {
        switch (self, other) {
        case (.bool(let value), .integer(let number)): number == (value ? 1 : 0)
        case (.real(let value), .integer(let number)): value == Double(number)
        case (.real(let value), .real(let number)): value == number
        case (.text(let value), .text(let text)):
            // Swift's `==` compares characters, but a sink must keep the bytes.
            value.utf8.elementsEqual(text.utf8) || isSameJSON(value, text)
        default: self == other
        }
    }

    private func isSameJSON(_ left: String, _ right: String) -> Bool {
        guard left.hasPrefix("{") || left.hasPrefix("["), let left = try? JSONValue(json: left) else { return false }
        return left == (try? JSONValue(json: right))
    }
}
