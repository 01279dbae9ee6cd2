// Finds the rows that the server refuses. All rows are tried at once. If that fails, the rows in front of the one that the error names, or
// else the first half of them, are tried by themselves, and so on down to single rows. Each attempt is undone if it fails, so the table is
// as if the rows had come one by one, and only those that fail alone are refused.
//
//     k refused rows of n     about 3k attempts if the errors name the rows, 2k · log₂ n if they do not

#if PostgreSQL
/// Stores a range of rows in parts.
struct Division {
    /// What came of an attempt that the server has not refused.
    enum Outcome {
        /// The rows are stored.
        case stored
        /// The table has left out some of the rows, and does not say which.
        case incomplete
    }

    private let connection: PostgresConnection
    /// Whether a constraint may be checked late, as late as the commit.
    private let checksLate: Bool

    /// The refused rows, with the server's error; nil if the row was left out without one.
    private(set) var refused: [(row: Int, error: ServerError?)] = []

    /// How often an attempt is repeated after a deadlock.
    private static let patience = 20

    init(_ connection: PostgresConnection, checksLate: Bool = true) {
        self.connection = connection
        self.checksLate = checksLate
    }

    /// A part that has not been stored yet.
    private struct Part {
        let rows: Range<Int>
        /// Whether it is the second half of a part that failed, and how many rows were refused in front of it. If the first half was stored
        /// as a whole, the second half fails.
        var refusedBefore: Int?
    }

    /// Stores rows inside a transaction.
    ///
    /// - Parameters:
    ///   - attempt: Tries to store some rows. It is told whether it is the first attempt; the later ones often fail.
    ///   - divide: Called once, before the first part that is smaller than what was asked for.
    ///   - keep: Called when an attempt has been a success.
    mutating func store(
        _ ranges: [Range<Int>], divide: () throws(PostgresError) -> Void = {}, keep: () -> Void = {},
        attempt: (Range<Int>, Bool) throws(PostgresError) -> Outcome
    ) throws(PostgresError) {
        var parts = ranges.reversed().map { Part(rows: $0) }
        var isFirst = true
        var isDivided = false
        while let part = parts.popLast() {
            let rows = part.rows
            if rows.isEmpty { continue }
            if rows.count > 1, part.refusedBefore == refused.count {
                halve(rows, &parts)
                continue
            }
            let outcome = try outcome(of: rows, isFirst, attempt)
            if rows.count > 1, !isDivided, !outcome.isStored {
                isDivided = true
                try divide()
            }
            switch outcome {
            case .success(.stored): keep()
            case .success(.incomplete): if rows.count > 1 { halve(rows, &parts) } else { refused.append((rows.lowerBound, nil)) }
            case .failure(let error) where rows.count == 1: refused.append((rows.lowerBound, error))
            case .failure(let error):
                // The line is only where to divide: what is refused was tried alone.
                guard let place = error.copyRow.map({ rows.lowerBound + $0 }), rows.contains(place) else {
                    halve(rows, &parts)
                    break
                }
                parts.append(Part(rows: (place + 1)..<rows.upperBound))
                parts.append(Part(rows: place..<(place + 1)))
                parts.append(Part(rows: rows.lowerBound..<place))
            }
            isFirst = false
        }
    }

    private func halve(_ rows: Range<Int>, _ parts: inout [Part]) {
        let middle = rows.lowerBound + rows.count / 2
        parts.append(Part(rows: middle..<rows.upperBound, refusedBefore: refused.count))
        parts.append(Part(rows: rows.lowerBound..<middle))
    }

    /// Tries to store rows, and undoes what a failed attempt has done.
    private func outcome(
        of rows: Range<Int>, _ isFirst: Bool, _ attempt: (Range<Int>, Bool) throws(PostgresError) -> Outcome
    ) throws(PostgresError) -> Result<Outcome, ServerError> {
        var deadlocks = 0
        var isFirst = isFirst
        while true {
            do throws(PostgresError) {
                try connection.run("SAVEPOINT sluice_rows")
                let outcome = try attempt(rows, isFirst)
                if outcome == .stored {
                    // What is checked at the commit would refuse all rows.
                    try connection.run((checksLate ? "SET CONSTRAINTS ALL IMMEDIATE; " : "") + "RELEASE SAVEPOINT sluice_rows")
                } else {
                    try undo()
                }
                return .success(outcome)
            } catch {
                guard case .server(let failure) = error else { throw error }
                try undo()
                if failure.state == PostgresConnection.stopped {
                    isFirst = true
                } else if failure.state == "40P01", deadlocks < Division.patience {
                    // With the rows undone, their locks are free, and the other transaction goes on.
                    deadlocks += 1
                } else if failure.isAboutRow {
                    return .failure(failure)
                } else {
                    throw error
                }
            }
        }
    }

    private func undo() throws(PostgresError) {
        try connection.run("ROLLBACK TO SAVEPOINT sluice_rows; RELEASE SAVEPOINT sluice_rows")
    }
}

extension ServerError: Error {}

extension Result<Division.Outcome, ServerError> {
    fileprivate var isStored: Bool { if case .success(.stored) = self { true } else { false } }
}
#endif
