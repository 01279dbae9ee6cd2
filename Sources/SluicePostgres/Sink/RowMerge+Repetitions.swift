// Handles keys that come more than once in a batch, because one statement may change a row only once. The rows of such a key are
// combined in the temporary table: the last one gets, for each column, the last value that any row of the key has. Only this row
// is merged.
//
//     number  record                   round    becomes
//     0       {"id":1,"a":1,"b":1}     3
//     1       {"id":2,"a":5}           1        the key comes once
//     2       {"id":1,"a":2}           2        {"id":1,"a":2,"b":1}
//
// This takes one statement, however often the keys are repeated. The result is the same as for the rows one by one, if the table
// would refuse none of the rows that were combined. So the table must have no constraints, and nothing that depends on other
// rows.

#if PostgreSQL
/// The rows of a batch whose keys come more than once.
enum Repetitions {
    /// Each key comes once.
    case none
    /// In each range of rows that is merged, the rows of a key are combined.
    case combined
    /// If an earlier row has the same key, a row is merged in a later round.
    case rounds(Rounds)
}

/// The order in which the rows of a batch are merged, if some have the same key.
struct Rounds {
    /// A row with the key of an earlier row.
    struct Repetition {
        let row: Int
        /// The last row before it with the same key.
        let previous: Int
        /// In which round it is merged.
        let round: Int
    }

    private let repetitions: [Repetition]

    init(_ repetitions: [Repetition]) { self.repetitions = repetitions }

    /// How many rows have the key of an earlier row.
    var count: Int { repetitions.count }

    /// The rounds of some rows, in their order.
    func rounds(in range: Range<Int>) -> [Int] {
        // Binary search for the first repetition in the range, because there may be many small ranges.
        var (low, high) = (0, repetitions.count)
        while low < high {
            let middle = (low + high) / 2
            if repetitions[middle].row < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        let inside = repetitions[low...].prefix { $0.row < range.upperBound }
        return Set(inside.map(\.round)).union(inside.count == range.count ? [] : [1]).sorted()
    }

    /// Consecutive ranges in which each key comes once.
    func ranges(of count: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for repetition in repetitions where repetition.previous >= start {
            ranges.append(start..<repetition.row)
            start = repetition.row
        }
        return ranges + [start..<count]
    }
}

extension RowMerge {
    /// Finds the rows with the key of an earlier row. In most batches, each key comes once.
    func findRepetitions() throws(PostgresError) -> Repetitions {
        let names = key.map { "c\($0)" }.joined(separator: ", ")
        let isRepeated = try connection.query("SELECT EXISTS (SELECT FROM \(staging) GROUP BY \(names) HAVING count(*) > 1)")
        guard isRepeated.isTrue(0, 0) else { return .none }
        let canCombine = try canCombine()
        // A combined row does not say which of its rows were left out.
        let namesLeftOut = rule == .ignore && namesKept
        if canCombine, !namesLeftOut { return .combined }
        let numbered = """
            SELECT number, row_number() OVER w AS round, lag(number) OVER w AS previous FROM \(staging)
            WINDOW w AS (PARTITION BY \(names) ORDER BY number)
            """
        let rows =
            if table.dependsOnOrder {
                // All rows have round 1. They are merged in ranges without a repetition.
                try connection.query("SELECT number, previous, 1 FROM (\(numbered)) o WHERE previous IS NOT NULL")
            } else {
                // Of rows that are left out because an earlier row has their key, all may be left out by one statement.
                try connection.query(
                    """
                    UPDATE \(staging) s SET round = \(canCombine ? "least(o.round, 2)" : "o.round") FROM (\(numbered)) o WHERE o.number = s.number AND o.round > 1
                    RETURNING s.number, o.previous, s.round
                    """)
            }
        let found = (0..<rows.count).map {
            Rounds.Repetition(row: rows.integer($0, 0) ?? 0, previous: rows.integer($0, 1) ?? 0, round: rows.integer($0, 2) ?? 1)
        }
        return .rounds(Rounds(found.sorted { $0.row < $1.row }))
    }

    /// Whether combining the rows has the same result as merging them one by one.
    private func canCombine() throws(PostgresError) -> Bool {
        // With changes, each of the rows has a change of its own.
        guard !tracksChanges, !table.dependsOnOrder, !table.checksRows, !table.isPartitioned, !table.mayLeaveOutRows else {
            return false
        }
        // A default may have another value for each row.
        if rule == .replace, table.columns.contains(where: { $0.hasDefault && !isField($0) }) { return false }
        let required = table.columns.filter(\.isNotNull)
        if required.contains(where: { !isField($0) && !$0.hasDefault }) { return false }
        let places = fields.indices.filter { place in required.contains { $0.name.bytes == fields[place].name.bytes } }
        guard !places.isEmpty else { return true }
        let isNull = places.map { "c\($0) IS NULL" }.joined(separator: " OR ")
        return try !connection.query("SELECT EXISTS (SELECT FROM \(staging) WHERE \(isNull))").isTrue(0, 0)
    }

    private func isField(_ column: PostgresTable.Column) -> Bool { fields.contains { $0.name.bytes == column.name.bytes } }

    /// Merges rows whose keys may come more than once.
    ///
    /// - Parameter present: The fields that every row has, if all rows have the same fields; otherwise nil.
    func mergeCombined(_ rows: Range<Int>, present: [Int]?) throws(PostgresError) -> [Tally] {
        let counts = try combine(rows, present)
        let single = try merge(rows, round: 1, present: present)
        guard counts.rows > 0 else { return [single] }
        var combined = try merge(rows, round: 2, present: present)
        combined.changed = counts.changes
        combined.unchanged = max(0, counts.rows - combined.added - combined.changed)
        return [single, combined]
    }

    /// Combines the rows of each key that comes more than once. The combined row gets the round 2, the other rows get 3.
    ///
    /// - Returns: How many rows have such a key, and how many of them change what the rows before them have left.
    private func combine(_ rows: Range<Int>, _ present: [Int]?) throws(PostgresError) -> (rows: Int, changes: Int) {
        let bounds = [PostgresParameter(rows.lowerBound), PostgresParameter(rows.upperBound)]
        let keys = key.map { "c\($0)" }.joined(separator: ", ")
        let isInside = "number >= $1::int AND number < $2::int"
        // Window functions over many columns take time, so they only run over the rows of repeated keys.
        let repeated = """
            repeated AS (SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY \(keys)) AS copies FROM \(staging) WHERE \(isInside)) r
                WHERE copies > 1)
            """
        if rule == .ignore {
            let counts = try connection.query(
                """
                WITH \(repeated), updated AS (
                    UPDATE \(staging) s SET round = CASE WHEN r.place = 1 THEN 2 ELSE 3 END
                    FROM (SELECT number, row_number() OVER (PARTITION BY \(keys) ORDER BY number) AS place FROM repeated) r
                    WHERE r.number = s.number)
                SELECT count(*) FROM repeated
                """, bounds)
            return (counts.integer(0, 0) ?? 0, 0)
        }
        let mixes = rule == .upsert && present == nil
        if mixes { try makeAggregate() }
        let compared = try comparisons(present)
        let values = fields.indices.map { place in
            mixes && !key.contains(place)
                ? "(pg_temp.sluice_last(c\(place)) FILTER (WHERE get_bit(mask, \(place)) = 1) OVER w)::\(definitions[place]) AS c\(place)"
                : "c\(place)"
        }
        let names = try names()
        let wasThere = key.map { "o.\(names[$0]) = r.c\($0)" }.joined(separator: " AND ")
        let change =
            compared.isEmpty
            ? "false"
            : """
            CASE WHEN place > 1 THEN state *<> lag(state) OVER (PARTITION BY \(keys) ORDER BY number)
                ELSE was_there AND state *<> old END
            """
        let mixed = fields.indices.filter { mixes && !key.contains($0) }.map { "c\($0) = r.c\($0), " }.joined()
        let counts = try connection.query(
            """
            WITH \(repeated), combined AS (
                SELECT number, \(values.joined(separator: ", ")), bit_or(mask) OVER w AS mask, row_number() OVER w AS place,
                    lead(number) OVER w IS NULL AS is_last
                FROM repeated WINDOW w AS (PARTITION BY \(keys) ORDER BY number)),
            states AS (
                SELECT r.number, \(key.map { "r.c\($0)" }.joined(separator: ", ")), r.place, o.\(names[key.first ?? 0]) IS NOT NULL AS was_there,
                    ROW(\(compared.map(\.new).joined(separator: ", ")))::record AS state,
                    ROW(\(compared.map(\.old).joined(separator: ", ")))::record AS old
                FROM combined r LEFT JOIN \(try path()) o ON \(wasThere)),
            changes AS (SELECT \(change) AS is_change FROM states),
            updated AS (
                UPDATE \(staging) s SET \(mixed)mask = r.mask, round = CASE WHEN r.is_last THEN 2 ELSE 3 END
                FROM combined r WHERE r.number = s.number)
            SELECT count(*), count(*) FILTER (WHERE is_change) FROM changes
            """, bounds)
        return (counts.integer(0, 0) ?? 0, counts.integer(0, 1) ?? 0)
    }

    /// For each column that a row may change: its value after the row (`r`), and in the table (`o`).
    private func comparisons(_ present: [Int]?) throws(PostgresError) -> [(new: String, old: String)] {
        let names = try names()
        let others = fields.indices.filter { !key.contains($0) }
        if rule == .upsert {
            return others.filter { present?.contains($0) ?? true }.map { place in
                let old = "o.\(names[place])"
                // What no row of the key has had so far is as it was.
                let mixed = "CASE WHEN get_bit(r.mask, \(place)) = 1 THEN r.c\(place) ELSE \(old) END"
                return (present == nil ? mixed : "r.c\(place)", old)
            }
        }
        // All columns are replaced; those that no record has become null.
        let missing = try table.columns.filter { $0.isWritable && !isField($0) }.map { column throws(PostgresError) in
            (new: "NULL::\(column.definition)", old: "o.\(try connection.identifier(column.name))")
        }
        return others.map { ("r.c\($0)", "o.\(names[$0])") } + missing
    }

    /// Makes an aggregate that gives the last of its values, null or not.
    private func makeAggregate() throws(PostgresError) {
        guard try connection.query("SELECT to_regproc('pg_temp.sluice_last') IS NULL").isTrue(0, 0) else { return }
        try connection.run(
            """
            CREATE FUNCTION pg_temp.sluice_later(anyelement, anyelement) RETURNS anyelement LANGUAGE sql IMMUTABLE AS 'SELECT $2';
            CREATE AGGREGATE pg_temp.sluice_last(anyelement) (SFUNC = pg_temp.sluice_later, STYPE = anyelement)
            """)
    }
}
#endif
