#if PostgreSQL
import Foundation
import SluiceCore
import SluiceIngest
import Testing

@testable import SluicePostgres

@Suite(.needsServer) struct RowStoreTests {
    typealias Cells = [Int: TestCell]

    /// Stores rows of a table in one transaction.
    private func store(
        _ rows: [Cells], into name: String, _ columns: [JSONColumn], _ server: PostgresServer, key: [String] = [],
        _ rule: KeyConflict = .reject
    ) throws -> StoredBatch {
        let table = try #require(try PostgresTable(name, schema: nil, server.connection))
        let store = try RowStore(table, columns: columns, key: key, rule: rule, server.connection)
        try server.connection.run("BEGIN")
        for (index, row) in rows.enumerated() {
            TestCell.withRow(row.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) { store.append($0, index) }
            try store.push()
        }
        var outcome = StoredBatch()
        try store.store(&outcome)
        try server.connection.run("COMMIT")
        return outcome
    }

    private static let integers = ["a", "b", "c", "d"].map { JSONColumn(name: $0, type: .integer) }

    // MARK: Adding rows

    @Test(arguments: [false, true]) func rowsThatTheServerRefusesLeaveTheOthersIn(hasText: Bool) throws {
        let server = try PostgresServer()
        try server.connection.run(
            "CREATE TABLE t (a int PRIMARY KEY, b int CHECK (b <> 13), c int NOT NULL, d \(hasText ? "inet" : "int"), UNIQUE (b))"
        )
        var rows: [Cells] = (0..<3000).map { [0: .integer(Int64($0)), 1: .integer(Int64($0) + 10_000), 2: .integer(1)] }
        rows[17][1] = .integer(13)
        rows[18][0] = .integer(5)
        rows[400][2] = .null
        rows[401][2] = nil
        rows[402][0] = nil
        rows[2999][1] = .integer(10_000)
        rows[1000][3] = .text("no address")
        let outcome = try store(rows, into: "t", RowStoreTests.integers, server)
        #expect(outcome.refused.map(\.row) == [17, 18, 400, 401, 402, 1000, 2999])
        #expect(outcome.counts.added == 2993)
        #expect(try server.value("SELECT count(*) FROM t") == "2993")
        #expect(outcome.refused[0].reason.contains("t_b_check"))
        #expect(outcome.refused[2].reason.contains("null"))
        #expect(outcome.refused[5].reason.hasPrefix("d: "))
    }

    @Test func aRowIsRefusedOnlyIfItWouldBeAfterThoseBeforeIt() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int PRIMARY KEY, b int CHECK (b > 0))")
        // The first row with 1 is refused, so that the second one has the key.
        let outcome = try store(
            [[0: .integer(1), 1: .integer(-1)], [0: .integer(1), 1: .integer(2)], [0: .integer(1), 1: .integer(3)]], into: "t",
            Array(RowStoreTests.integers.prefix(2)), server)
        #expect(outcome.refused.map(\.row) == [0, 2])
        #expect(try server.rows("SELECT * FROM t") == [["1", "2"]])
    }

    @Test func constraintsThatAreCheckedLateRefuseTheirRowsAlone() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE parent (id int PRIMARY KEY); INSERT INTO parent SELECT generate_series(0, 9);
            CREATE TABLE t (a int REFERENCES parent DEFERRABLE INITIALLY DEFERRED, b int UNIQUE DEFERRABLE INITIALLY DEFERRED)
            """)
        var rows: [Cells] = (0..<1000).map { [0: .integer(Int64($0 % 10)), 1: .integer(Int64($0))] }
        rows[77][0] = .integer(10)
        rows[800][1] = .integer(3)
        let copies = server.connection.copyCount
        let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server)
        #expect(outcome.refused.map(\.row) == [77, 800])
        #expect(try server.value("SELECT count(*) FROM t") == "998")
        #expect(server.connection.copyCount - copies <= 2 * (10 + 2) + 1)
    }

    /// The errors of a deferred constraint name no row; those of a CHECK do.
    @Test(arguments: ["REFERENCES parent DEFERRABLE INITIALLY DEFERRED", "CHECK (b <> 0)"], [1, 2, 8, 32, 128, 512])
    func refusedRowsCostFewMoreCopies(constraint: String, refused: Int) throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE parent (id int PRIMARY KEY); INSERT INTO parent VALUES (1)")
        try server.connection.run("CREATE TABLE t (a int, b int \(constraint))")
        let count = 4096
        for isClustered in [false, true] {
            let positions = Set(isClustered ? Array(1000..<(1000 + refused)) : Array((0..<count).shuffled().prefix(refused)))
            let rows: [Cells] = (0..<count).map { [0: .integer(Int64($0)), 1: .integer(positions.contains($0) ? 0 : 1)] }
            let copies = server.connection.copyCount
            let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server)
            #expect(outcome.refused.map(\.row) == positions.sorted())
            #expect(outcome.counts.added == count - refused)
            let more = server.connection.copyCount - copies - 1
            // What Division.swift says: k · (log₂ (n / k) + 5), where k is a power of 2. The positions are random.
            let most = refused == 1 ? 14 : refused * (12 - refused.trailingZeroBitCount + 5)
            #expect(more <= (constraint.hasPrefix("CHECK") ? 3 * refused : most))
        }
    }

    @Test func aLargeBatchIsOnItsWayBeforeItIsComplete() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int CHECK (a <> 70000), b int, c text)")
        let table = try #require(try PostgresTable("t", schema: nil, server.connection))
        let columns = [JSONColumn(name: "a", type: .integer)]
        let store = try RowStore(table, columns: columns, key: [], rule: .reject, server.connection)
        let other = try PostgresConnection(server.url)
        for _ in 0..<2 {
            try server.connection.run("BEGIN")
            var isSeen = false
            for row in 0..<100_000 {
                TestCell.withRow([(0, .integer(Int64(row)))]) { store.append($0, row) }
                try store.push()
                if row == 60_000 {
                    let copies = "SELECT count(*) FROM pg_stat_progress_copy WHERE pid = $1"
                    isSeen = try other.query(copies, ["\(server.connection.session)"]).integer(0, 0) == 1
                }
            }
            #expect(isSeen)
            var outcome = StoredBatch()
            try store.store(&outcome)
            #expect(outcome.counts.added == 99_999 && outcome.refused.map(\.row) == [70_000])
            try server.connection.run("COMMIT")
        }
        #expect(try server.value("SELECT count(*) FROM t") == "199998")
    }

    @Test func aTriggerMayRefuseOrIgnoreRows() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (a int, b int);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                RAISE NOTICE 'here I am';
                IF NEW.a = 5 THEN RAISE 'five is not wanted' USING ERRCODE = 'T0005'; END IF;
                IF NEW.a = 6 THEN RETURN NULL; END IF;
                RETURN NEW; END $$;
            CREATE TRIGGER t BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()
            """)
        let rows: [Cells] = (0..<100).map { [0: .integer($0)] }
        let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server)
        #expect(outcome.refused.map(\.row) == [5, 6])
        #expect(outcome.refused.map(\.reason) == ["five is not wanted", "a trigger of the table has ignored the record"])
        #expect(try server.value("SELECT count(*) FROM t") == "98")
    }

    @Test func policiesAndRowsThatAreTooBigRefuseTheirRows() throws {
        let server = try PostgresServer()
        let columns = (0..<1000).map { JSONColumn(name: "c\($0)", type: .integer) }
        try server.connection.run("CREATE TABLE wide (\(columns.map { "\($0.name) timestamptz" }.joined(separator: ", ")))")
        var full: Cells = [:]
        for index in 0..<1000 { full[index] = .text("2024-01-01") }
        full[999] = nil
        var tooFull = full
        for index in 0..<1000 { tooFull[index] = .text("2024-01-01") }
        try server.connection.run("ALTER TABLE wide ALTER c0 TYPE uuid USING NULL, ALTER c1 TYPE uuid USING NULL")
        for index in 2..<60 { try server.connection.run("ALTER TABLE wide ALTER c\(index) TYPE uuid USING NULL") }
        for index in 0..<60 {
            full[index] = nil
            tooFull[index] = .text("00000000-0000-0000-0000-000000000000")
        }
        let outcome = try store([full, tooFull, full], into: "wide", columns, server)
        #expect(outcome.refused.map(\.row) == [1])
        #expect(outcome.refused.first?.reason.contains("row is too big") == true)
        #expect(try server.value("SELECT count(*) FROM wide") == "2")

        try server.connection.run(
            """
            CREATE TABLE mine (a int, b int); ALTER TABLE mine ENABLE ROW LEVEL SECURITY; ALTER TABLE mine FORCE ROW LEVEL SECURITY;
            CREATE POLICY p ON mine USING (a < 3); CREATE ROLE r\(server.schema); GRANT ALL ON mine TO r\(server.schema);
            GRANT ALL ON SCHEMA \(server.schema) TO r\(server.schema); SET ROLE r\(server.schema)
            """)
        let policed = try store(
            (0..<5).map { [0: .integer($0)] }, into: "mine", Array(RowStoreTests.integers.prefix(1)), server)
        try server.connection.run("RESET ROLE")
        #expect(policed.refused.map(\.row) == [3, 4])
    }

    @Test func aSensitiveValueStandsInNoReason() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int CHECK (a <> 4711), b inet, c int PRIMARY KEY)")
        var columns = Array(RowStoreTests.integers.prefix(3))
        for index in columns.indices { columns[index].isSensitive = true }
        let outcome = try store(
            [
                [0: .integer(4711), 2: .integer(1)], [1: .text("4711x"), 2: .integer(2)], [2: .integer(4711)],
                [2: .integer(4711)],
                [0: .text("4711x"), 2: .integer(7)],
            ], into: "t", columns, server)
        #expect(outcome.refused.count == 4)
        #expect(outcome.refused.allSatisfy { !$0.reason.contains("4711") })
    }

    @Test func aTableOfAnotherSessionsMakingIsNoReasonToRefuseRows() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int)")
        let table = try #require(try PostgresTable("t", schema: nil, server.connection))
        let store = try RowStore(
            table, columns: [JSONColumn(name: "a", type: .integer)], key: [], rule: .reject, server.connection)
        TestCell.withRow([(0, .integer(1))]) { store.append($0, 0) }
        try server.connection.run("DROP TABLE t; BEGIN")
        var outcome = StoredBatch()
        #expect(throws: PostgresError.self) { try store.store(&outcome) }
        try server.connection.run("ROLLBACK")
    }

    // MARK: Merging

    private static let tables = [
        "a int, b int, c int, d text, PRIMARY KEY (a, b)",
        "a int, b int, c int CHECK (c <> 3), d text NOT NULL, PRIMARY KEY (a, b)",
        "a int, b int, c int, d text DEFAULT 'x', UNIQUE (c), PRIMARY KEY (a, b)",
        "a int, b int, c int, d json, e int DEFAULT 5, UNIQUE (a, b)",
        "a int, b int, c int, d inet, PRIMARY KEY (a, b)",
        "a int, b int, c int, d text, PRIMARY KEY (a, b)) PARTITION BY LIST (a",
    ]

    /// Random rows with few keys are merged as a batch into one table, and one by one into a second table.
    @Test(arguments: tables, [KeyConflict.upsert, .ignore, .replace]) func aBatchDoesWhatItsRowsWouldDoOneByOne(
        definition: String, rule: KeyConflict
    ) throws {
        let server = try PostgresServer()
        for name in ["t", "twin"] {
            try server.connection.run("CREATE TABLE \(name) (\(definition))")
            if definition.contains("PARTITION") {
                try server.connection.run("CREATE TABLE \(name)_all PARTITION OF \(name) DEFAULT")
            }
        }
        let columns = ["a", "b", "c", "d"].map { JSONColumn(name: $0, type: $0 == "d" ? .text : .integer) }
        let isAddress = definition.contains("inet")
        for batch in 0..<12 {
            let keys: Int64 = batch % 3 == 0 ? 100 : 3
            let count = batch == 11 ? 1 : 40
            let isUniform = batch % 2 == 0
            let rows: [Cells] = (0..<count).map { _ in
                var row: Cells = [0: .integer(.random(in: 0..<keys)), 1: .integer(.random(in: 0..<2))]
                if isUniform || Bool.random() { row[2] = Int.random(in: 0..<4) == 0 ? .null : .integer(.random(in: 0..<6)) }
                let text = isAddress ? "10.0.0.\(Int.random(in: 0..<3))" : "\(Int.random(in: 0..<3))"
                if isUniform || Bool.random() { row[3] = Int.random(in: 0..<4) == 0 ? .null : .text(text) }
                if Int.random(in: 0..<30) == 0 { row[1] = nil }
                return row
            }
            let outcome = try store(rows, into: "t", columns, server, key: ["a", "b"], rule)
            let expected = try mergeOneByOne(rows, rule, columns.map(\.name), hasEquality: !definition.contains("json"), server)
            #expect(outcome.refused.map(\.row) == expected.refused.map(\.row))
            #expect(outcome.counts == expected.counts)
            let content = try server.rows("SELECT t::text FROM t ORDER BY a, b").map { $0[0] }
            let twin = try server.rows("SELECT twin::text FROM twin ORDER BY a, b").map { $0[0] }
            #expect(content == twin)
        }
    }

    private func mergeOneByOne(
        _ rows: [Cells], _ rule: KeyConflict, _ names: [String], hasEquality: Bool, _ server: PostgresServer
    ) throws -> StoredBatch {
        var outcome = StoredBatch()
        let parameters = names.indices.map { "$\($0 + 1)" }
        for (index, row) in rows.enumerated() {
            func text(_ cell: TestCell?) -> String? {
                switch cell {
                case nil, .null?: nil
                case .integer(let value)?: "\(value)"
                case .real(let value)?: "\(value)"
                case .text(let text)?: text
                }
            }
            // In the column of JSON, a text is a string.
            let values = names.indices.map { column -> String? in
                if !hasEquality, column == 3, case .text(let text)? = row[column] { return "\"\(text)\"" }
                return text(row[column])
            }
            let changed = names.indices.dropFirst(2).filter { rule == .replace || row[$0] != nil }.map { names[$0] }
            let others = rule == .replace && !hasEquality ? ["e"] : []
            let all = changed + others
            let update =
                all.isEmpty || rule == .ignore
                ? "NOTHING"
                : "UPDATE SET \(all.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")) WHERE "
                    + all.map { "twin.\($0)::text IS DISTINCT FROM excluded.\($0)::text" }.joined(separator: " OR ")
            let key = [row[0], row[1]].map(text)
            if key.contains(nil) {
                outcome.refused.append(RefusedRow(row: index, reason: ""))
                continue
            }
            let isThere = try server.connection.query("SELECT FROM twin WHERE a = $1 AND b = $2", key).count == 1
            do {
                let count = try server.connection.query(
                    "INSERT INTO twin (\(names.joined(separator: ", "))) VALUES (\(parameters.joined(separator: ", "))) ON CONFLICT (a, b) DO "
                        + update, values
                ).affectedCount
                switch (isThere, count) {
                case (false, _): outcome.counts.added += 1
                case (true, 1): outcome.counts.changed += 1
                default: if rule == .ignore { outcome.counts.kept += 1 } else { outcome.counts.same += 1 }
                }
            } catch {
                outcome.refused.append(RefusedRow(row: index, reason: ""))
            }
        }
        return outcome
    }

    @Test func aMergeIsAFewStatements() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int PRIMARY KEY, b int, c int)")
        let rows: [Cells] = (0..<5000).map { [0: .integer($0), 1: .integer($0)] }
        let columns = Array(RowStoreTests.integers.prefix(3))
        for expected in [[5000, 0, 0], [0, 0, 5000]] {
            let before = server.connection.statementCount
            let outcome = try store(rows, into: "t", columns, server, key: ["a"], .upsert)
            let counts = [outcome.counts.added, outcome.counts.changed, outcome.counts.same]
            #expect(counts == expected)
            #expect(server.connection.statementCount - before < 25)
        }
        let pages = try server.value("SELECT pg_relation_size('t')")
        #expect(try store(rows, into: "t", columns, server, key: ["a"], .upsert).counts.same == 5000)
        #expect(try server.value("SELECT pg_relation_size('t')") == pages, "equal rows are not written again")
    }

    /// A key that comes 3,000 times takes as many statements as one that comes twice.
    @Test(arguments: [KeyConflict.upsert, .ignore, .replace], [false, true]) func aKeyMayComeAgainAnyNumberOfTimes(
        rule: KeyConflict, isMixed: Bool
    ) throws {
        let server = try PostgresServer()
        // A replaced row gets its default again, so such a table uses rounds.
        let more = rule == .replace ? "" : ", d text NOT NULL DEFAULT 'x'"
        try server.connection.run("CREATE TABLE t (a int PRIMARY KEY, b int, c int\(more))")
        let columns = Array(RowStoreTests.integers.prefix(3))
        var rows: [Cells] = (0..<6000).map { [0: .integer(Int64($0 < 3000 ? 7 : $0)), 1: .integer(Int64($0))] }
        if isMixed {
            for index in stride(from: 0, to: 6000, by: 3) { rows[index] = [0: rows[index][0] ?? .null, 2: .integer(1)] }
        }
        let before = server.connection.statementCount
        let outcome = try store(rows, into: "t", columns, server, key: ["a"], rule)
        #expect(server.connection.statementCount - before < 25)
        #expect(outcome.counts.added == 3001 && outcome.refused.isEmpty)
        #expect(rule == .ignore ? outcome.counts.kept == 2999 : outcome.counts.changed + outcome.counts.same == 2999)
        let row = try server.rows("SELECT b, c FROM t WHERE a = 7")
        switch (rule, isMixed) {
        case (.ignore, false): #expect(row == [["0", nil]])
        case (.ignore, true): #expect(row == [[nil, "1"]])
        case (.upsert, true): #expect(row == [["2999", "1"]])
        default: #expect(row == [["2999", nil]])
        }
    }

    @Test func aTriggerMayIgnoreOrChangeMergedRows() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (a int PRIMARY KEY, b int);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF NEW.b = 6 OR TG_OP = 'UPDATE' AND NEW.b = 7 THEN RETURN NULL; END IF;
                NEW.b = NEW.b * 10; RETURN NEW; END $$;
            CREATE TRIGGER t BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
            INSERT INTO t VALUES (7, 1)
            """)
        let rows: [Cells] = (0..<9).map { [0: .integer($0), 1: .integer($0)] }
        let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server, key: ["a"], .upsert)
        #expect(outcome.refused.map(\.row) == [6])
        #expect(try server.value("SELECT count(*) FROM t") == "8")
    }

    @Test func aRowThatATriggerHasCompletedIsTheSameWhenItComesAgain() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (a int PRIMARY KEY, b int, c int);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.c := NEW.b * 2; RETURN NEW; END';
            CREATE TRIGGER f BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f()
            """)
        var rows: [Cells] = (0..<9).map { [0: .integer($0), 1: .integer($0)] }
        for changed in [0, 1] {
            rows[0][1] = .integer(Int64(changed))
            for isFirst in [true, false] {
                let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server, key: ["a"], .replace)
                #expect(outcome.refused.isEmpty)
                #expect(outcome.counts.added == (isFirst && changed == 0 ? 9 : 0))
                #expect(outcome.counts.changed == (isFirst && changed == 1 ? 1 : 0))
                #expect(outcome.counts.same == (isFirst ? changed * 8 : 9))
            }
        }
        #expect(try server.value("SELECT sum(c) FROM t") == "74")
    }

    @Test func aRowIsKeptThoughATriggerChangesTheKeyOfAnother() throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (a text PRIMARY KEY, b int); INSERT INTO t VALUES ('x', 1);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.a := lower(NEW.a); RETURN NEW; END';
            CREATE TRIGGER f BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f()
            """)
        let table = try #require(try PostgresTable("t", schema: nil, server.connection))
        let columns = [JSONColumn(name: "a", type: .text), JSONColumn(name: "b", type: .integer)]
        let store = try RowStore(table, columns: columns, key: ["a"], rule: .ignore, server.connection, namesKept: true)
        try server.connection.run("BEGIN")
        for (index, key) in ["Y", "x", "z"].enumerated() {
            TestCell.withRow([(0, .text(key)), (1, .integer(2))]) { store.append($0, index) }
        }
        var outcome = StoredBatch()
        try store.store(&outcome)
        try server.connection.run("COMMIT")
        #expect(outcome.keptRows == [1])
        #expect(outcome.refused.isEmpty)
        #expect(outcome.counts.added == 2)
        #expect(try server.rows("SELECT * FROM t ORDER BY a") == [["x", "1"], ["y", "2"], ["z", "2"]])
    }

    @Test(arguments: [KeyConflict.upsert, .ignore]) func aTriggerOfAPartitionMayIgnoreRows(rule: KeyConflict) throws {
        let server = try PostgresServer()
        try server.connection.run(
            """
            CREATE TABLE t (a int PRIMARY KEY, b int) PARTITION BY RANGE (a);
            CREATE TABLE low PARTITION OF t FOR VALUES FROM (0) TO (5); CREATE TABLE high PARTITION OF t FOR VALUES FROM (5) TO (10);
            CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF new.b = 6 THEN RETURN NULL; END IF; RETURN new; END';
            CREATE TRIGGER f BEFORE INSERT OR UPDATE ON high FOR EACH ROW EXECUTE FUNCTION f();
            INSERT INTO t VALUES (1, 1), (2, 0), (7, 1)
            """)
        var rows: [Cells] = (0..<9).map { [0: .integer($0), 1: .integer($0)] }
        rows[7][1] = .integer(6)
        let outcome = try store(rows, into: "t", Array(RowStoreTests.integers.prefix(2)), server, key: ["a"], rule)
        let isKept = rule == .ignore
        #expect(outcome.refused.map(\.row) == (isKept ? [6] : [6, 7]))
        #expect(outcome.counts == (isKept ? RowCounts(added: 5, kept: 3) : RowCounts(added: 5, changed: 1, same: 1)))
        #expect(try server.value("SELECT count(*) FROM t") == "8")
    }

    @Test func columnsThatCannotBeWrittenAreLeftOut() throws {
        let server = try PostgresServer()
        try server.connection.run(
            "CREATE TABLE t (a int GENERATED ALWAYS AS IDENTITY, b int, c int GENERATED ALWAYS AS (b * 2) STORED, d int DEFAULT 4)"
        )
        let outcome = try store(
            [[0: .integer(50), 1: .integer(2), 2: .integer(9), 3: .integer(1)], [:]], into: "t", RowStoreTests.integers, server)
        #expect(outcome.counts.added == 2)
        #expect(try server.rows("SELECT a, b, c, d FROM t ORDER BY a") == [["1", "2", "4", "1"], ["2", nil, nil, nil]])
    }

    @Test func aKeyWithoutAnIndexIsAClearError() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (a int, b int)")
        #expect {
            _ = try store([], into: "t", Array(RowStoreTests.integers.dropLast(2)), server, key: ["a"], .upsert)
        } throws: { "\($0)".contains("no primary key or unique index of a") }
    }
}
#endif
