// Finds the rows that the server refuses. First, all rows are tried in one attempt. If it fails, the rows before the first
// refused row are stored first. If the error names a row, they are the rows before it; otherwise, half of the rows are tried,
// then half of that half, and so on, until the refused row is alone. What was stored on the way stays stored. The size of the
// next attempt is the average distance between refused rows; while few rows were refused, it is a larger share of the remaining
// rows. A failed attempt is undone. So the table is as if the rows had come one by one, and a row is only refused if it fails
// alone.
//
//     k refused rows of n     about 3k more attempts if the errors name the rows, k · (log₂ (n / k) + 5) or fewer if they do not

#if PostgreSQL
/// Stores a range of rows in parts.
struct Division {
    private let connection: PostgresConnection
    /// Whether the table may have constraints that are deferred until the commit.
    private let checksLate: Bool

    /// The refused rows, with the server's error; nil if the row was left out without one.
    private(set) var refused: [(row: Int, error: ServerError?)] = []

    /// How often an attempt is repeated after a deadlock. The locks of earlier batches stay, so it may not help.
    private static let patience = 2

    init(_ connection: PostgresConnection, checksLate: Bool = true) {
        self.connection = connection
        self.checksLate = checksLate
    }

    /// Stores rows inside a transaction.
    ///
    /// - Parameters:
    ///   - isBegun: Whether the savepoint of the first attempt is set already.
    ///   - attempt: Tries to store some rows. It is told whether it is the first attempt; the later ones often fail. It returns false
    ///     if the table has left out some of the rows, and does not say which.
    ///   - divide: Called once, before the first attempt with fewer rows than at first.
    ///   - keep: Called after each successful attempt.
    mutating func store(
        _ ranges: [Range<Int>], isBegun: Bool = false, divide: () throws(PostgresError) -> Void = {}, keep: () -> Void = {},
        attempt: (Range<Int>, Bool) throws(PostgresError) -> Bool
    ) throws(PostgresError) {
        var isFirst = true
        var isDivided = false
        for range in ranges {
            var search = Search(range)
            while let rows = search.next() {
                let outcome = try outcome(of: rows, isFirst, isBegun: isFirst && isBegun, attempt)
                isFirst = false
                guard case .failed(let error) = outcome else {
                    keep()
                    search.noteStored(rows)
                    continue
                }
                guard rows.count == 1 else {
                    if !isDivided { try divide() }
                    isDivided = true
                    // The line in the error only says where to divide. A row is refused only after it has failed alone.
                    search.noteFailed(rows, at: error?.copyRow.map { rows.lowerBound + $0 })
                    continue
                }
                refused.append((rows.lowerBound, error))
                search.noteRefused(rows.lowerBound)
            }
        }
    }

    /// Takes rows off the list of refused rows.
    mutating func forget(_ rows: Set<Int>) {
        if !rows.isEmpty { refused.removeAll { rows.contains($0.row) } }
    }

    private enum Outcome {
        case stored
        /// With the server's error; nil if the table has left out some of the rows.
        case failed(ServerError?)
    }

    /// Tries to store rows, and undoes what a failed attempt has done.
    private func outcome(
        of rows: Range<Int>, _ isFirst: Bool, isBegun: Bool, _ attempt: (Range<Int>, Bool) throws(PostgresError) -> Bool
    ) throws(PostgresError) -> Outcome {
        var deadlocks = 0
        var (isFirst, isBegun) = (isFirst, isBegun)
        while true {
            do throws(PostgresError) {
                if !isBegun { try connection.run("SAVEPOINT sluice_rows") }
                isBegun = false
                guard try attempt(rows, isFirst) else {
                    try undo()
                    return .failed(nil)
                }
                // Deferred constraints would fail at the commit, and refuse all rows. So they are checked now.
                try connection.run((checksLate ? "SET CONSTRAINTS ALL IMMEDIATE; " : "") + "RELEASE SAVEPOINT sluice_rows")
                return .stored
            } catch {
                guard case .server(let failure) = error else { throw error }
                try undo()
                if failure.state == PostgresConnection.stopped {
                    isFirst = true
                } else if failure.state == "40P01", deadlocks < Division.patience {
                    // The undo has released the locks of the rows, so the other transaction can continue.
                    deadlocks += 1
                } else if failure.isAboutRow {
                    return .failed(failure)
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

/// Decides which rows are tried next.
private struct Search {
    private let start: Int
    private let end: Int
    /// The first row that is neither stored nor refused.
    private var first: Int
    /// How many rows to try at once, if nothing is known about them.
    private var size: Int
    /// The end of a range that contains a row which fails; nil if none is known.
    private var failing: Int?
    /// The row that the last error named.
    private var named: Int?
    private var refusedCount = 0

    init(_ rows: Range<Int>) {
        (start, end, first, size) = (rows.lowerBound, rows.upperBound, rows.lowerBound, rows.count)
    }

    /// The rows to try; nil at the end.
    func next() -> Range<Int>? {
        guard first < end else { return nil }
        guard let failing else { return first..<(first + min(size, end - first)) }
        // First the rows before the named one are tried, and then the named row alone.
        if let named { return first..<max(named, first + 1) }
        return first..<(first + max(1, (failing - first) / 2))
    }

    mutating func noteStored(_ rows: Range<Int>) {
        first = rows.upperBound
        // There may be no further refused row, so each attempt has twice as many rows as the one before.
        if failing == nil { size = min(size, end - start) * 2 }
        if let failing, first >= failing { forget() }
    }

    mutating func noteFailed(_ rows: Range<Int>, at index: Int?) {
        named = index.flatMap { rows.contains($0) ? $0 : nil }
        failing = named.map { $0 + 1 } ?? rows.upperBound
    }

    mutating func noteRefused(_ row: Int) {
        let wasNamed = named != nil
        first = row + 1
        refusedCount += 1
        forget()
        // If errors name the refused rows, each is found at once. So all remaining rows are tried together.
        guard !wasNamed else { return size = end - start }
        // If a few adjacent rows were refused, that says little about the remaining ones.
        let share = (end - first) / refusedCount / refusedCount
        size = max(1, (first - start) / refusedCount, share)
    }

    private mutating func forget() { (failing, named) = (nil, nil) }
}
#endif
