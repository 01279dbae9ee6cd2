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
internal import SluiceIngest

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

    init(_ repetitions: [Repetition] = []) { self.repetitions = repetitions }

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
    /// Finds the rows with the key of an earlier row, which are merged in later rounds. In most batches, each key comes once.
    ///
    /// - Returns: Nil if the rows of a key are to be combined in each range of rows that is merged.
    func findRepetitions() throws(PostgresError) -> Rounds? {
        if rule == .reject { return Rounds() }
        let isRepeated = "SELECT EXISTS (SELECT FROM \(staging) GROUP BY \(keyColumns) HAVING count(*) > 1)"
        guard try connection.query(isRepeated).isTrue(0, 0) else { return Rounds() }
        let canCombine = try canCombine()
        // A combined row does not say which of its rows were left out.
        if canCombine, !(rule == .ignore && namesKept) { return nil }
        let numbered = """
            SELECT number, row_number() OVER w AS round, lag(number) OVER w AS previous FROM \(staging)
            WINDOW w AS (PARTITION BY \(keyColumns) ORDER BY number)
            """
        let rows =
            if table.dependsOnOrder {
                // All rows have round 1. They are merged in ranges without a repetition.
                try connection.query("SELECT number, previous, 1 FROM (\(numbered)) o WHERE previous IS NOT NULL")
            } else {
                // Of rows that are left out because an earlier row has their key, all may be left out by one statement.
                try connection.query(
                    """
                    UPDATE \(staging) s SET round = \(canCombine ? "least(o.round, 2)" : "o.round")
                    FROM (\(numbered)) o WHERE o.number = s.number AND o.round > 1
                    RETURNING s.number, o.previous, s.round
                    """)
            }
        let found = (0..<rows.count).map {
            Rounds.Repetition(row: rows.integer($0, 0) ?? 0, previous: rows.integer($0, 1) ?? 0, round: rows.integer($0, 2) ?? 1)
        }
        return Rounds(found.sorted { $0.row < $1.row })
    }

    /// Whether combining the rows has the same result as merging them one by one.
    private func canCombine() throws(PostgresError) -> Bool {
        // With changes, each of the rows has a change of its own; and a combined row does not say which record has changed it last.
        if tracksChanges || fields.contains(where: \.isOfPlace) { return false }
        if table.dependsOnOrder || table.checksRows || mayLeaveOutRows { return false }
        // A default may have another value for each row.
        let others = table.columns.filter { !isField($0) }
        if others.contains(where: { $0.isRequired || rule == .replace && $0.hasDefault }) { return false }
        let required = table.columns.filter(\.isNotNull).map(\.name).byteSet
        let isNull = fields.indices.filter { required.contains(fields[$0].name.bytes) }.map { "c\($0) IS NULL" }
        guard !isNull.isEmpty else { return true }
        let hasNull = "SELECT EXISTS (SELECT FROM \(staging) WHERE \(isNull.joined(separator: " OR ")))"
        return try !connection.query(hasNull).isTrue(0, 0)
    }

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
        let mixes = rule == .upsert && present == nil
        if mixes { try makeAggregate() }
        let mixed = fields.indices.filter { mixes && !key.contains($0) }
        let values = fields.indices.map { index in
            guard mixed.contains(index) else { return "c\(index)" }
            let isThere = "get_bit(mask, \(index)) = 1"
            return "(pg_temp.sluice_last(c\(index)) FILTER (WHERE \(isThere)) OVER w)::\(fields[index].declaration) AS c\(index)"
        }
        let compared = try changes(present, of: "o", to: "r")
        let change =
            compared.isEmpty
            ? "false"
            : """
            CASE WHEN turn > 1 THEN state *<> lag(state) OVER (PARTITION BY \(keyColumns) ORDER BY number)
                ELSE was_there AND state *<> old END
            """
        // Window functions over many columns take time, so they only run over the rows of repeated keys. Where rows stay as they are, the
        // first record of a key counts.
        let counts = try connection.query(
            """
            WITH repeated AS (
                SELECT * FROM (SELECT *, count(*) OVER (PARTITION BY \(keyColumns)) AS copies FROM \(staging)
                    WHERE number >= $1::int AND number < $2::int) r WHERE copies > 1),
            combined AS (
                SELECT number, \(values.joined(separator: ", ")), bit_or(mask) OVER w AS mask, row_number() OVER w AS turn,
                    lead(number) OVER w IS NULL AS is_last
                FROM repeated WINDOW w AS (PARTITION BY \(keyColumns) ORDER BY number\(rule == .ignore ? " DESC" : ""))),
            states AS (
                SELECT r.number, \(key.map { "r.c\($0)" }.joined(separator: ", ")), r.turn,
                    o.\(names[key.first ?? 0]) IS NOT NULL AS was_there,
                    ROW(\(compared.map(\.new).joined(separator: ", ")))::record AS state,
                    ROW(\(compared.map(\.old).joined(separator: ", ")))::record AS old
                FROM combined r LEFT JOIN \(path) o ON \(isSameKey("o", "r"))),
            changes AS (SELECT \(change) AS is_change FROM states),
            updated AS (
                UPDATE \(staging) s SET \(mixed.map { "c\($0) = r.c\($0), " }.joined())mask = r.mask,
                    round = CASE WHEN r.is_last THEN 2 ELSE 3 END
                FROM combined r WHERE r.number = s.number)
            SELECT count(*), count(*) FILTER (WHERE is_change) FROM changes
            """, ["\(rows.lowerBound)", "\(rows.upperBound)"])
        return (counts.integer(0, 0) ?? 0, counts.integer(0, 1) ?? 0)
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
