// Values that a column changes are counted: numbers whose digits get lost, texts that become numbers, values of generated columns.

#if SQLite
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

@Suite struct DigitLossTests {
    /// A feed of two values, in a column of the records or of a child table.
    private func late(_ first: String, _ late: String, inChild: Bool, _ sink: LoaderSink) throws -> IngestReport {
        let lines = [first, late].enumerated().map { id, value in #"{"id":\#(id),"a":\#(inChild ? "[\(value)]" : value)}"# }
        return try Loader(sink).load(lines.joined(separator: "\n")) {
            ($0.sample, $0.primaryKey, $0.children.storage) = (1, ["id"], .tables)
        }
    }

    /// A `bigint` refuses them.
    @Test(
        arguments: LoaderSink.databases,
        ["12345678901234567890", "9223372036854775809", "-9223372036854775809", "123456789012345678901234567890"])
    func lateIntegersBeyond64BitsAreReportedWithTheirDigits(sink: LoaderSink, digits: String) throws {
        for first in ["1", "1.5"] {
            let report = try Loader(sink).load(#"{"a":\#(first)}"# + "\n" + #"{"a":\#(digits)}"#) { $0.sample = 1 }
            #expect(report.isLossy)
            let isRejected = sink == .postgres && first == "1"
            #expect(report.rejected == (isRejected ? 1 : 0))
            #expect(report.digitLosses == (isRejected ? [] : [DigitLoss(column: "a", count: 1, example: "'\(digits)'")]))
            #expect(report.typeDeviations.isEmpty)
        }
    }

    @Test(arguments: LoaderSink.databases) func anIntegerBeyond64BitsThatADoubleHoldsIsKept(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"a":1}"# + "\n" + #"{"a":9223372036854775808}"#) { $0.sample = 1 }
        if sink == .sqlite {
            #expect(report.isSuccess)
            #expect(report.typeDeviations.map(\.count) == [1])
            #expect(try loader.rows("a") == [[1], [9223372036854775808.0]])
        } else {
            #expect(report.rejected == 1)
            #expect(try loader.rows("a") == [[1]])
        }
    }

    @Test(arguments: LoaderSink.all) func aConditionComparesIntegersBeyond64Bits(sink: LoaderSink) throws {
        let report = try Loader(sink).load(#"{"a":1}"# + "\n" + #"{"a":12345678901234567890}"#) {
            $0.feed.filter = try WhereClause("a > 5")
        }
        #expect(report.stored == 1)
    }

    @Test(arguments: LoaderSink.databases) func lateValuesOfChildTablesAreReported(sink: LoaderSink) throws {
        let feed = [#"{"id":1,"t":[1]}"#, #"{"id":2,"t":[9223372036854775809,"x"]}"#].joined(separator: "\n")
        let report = try Loader(sink).load(feed) {
            ($0.sample, $0.primaryKey, $0.children.storage) = (1, ["id"], .tables)
        }
        #expect(report.isLossy)
        guard sink == .sqlite else {
            #expect(report.rejected == 1 && report.digitLosses.isEmpty && report.typeDeviations.isEmpty)
            return
        }
        #expect(report.digitLosses.map(\.column) == ["records_t.value"] && report.digitLosses.map(\.count) == [1])
        #expect(report.digitLosses.map(\.example) == ["'9223372036854775809'"])
        #expect(report.typeDeviations.map(\.column) == ["records_t.value"])
        #expect(report.typeDeviations.map(\.count) == [1])
    }

    @Test(
        arguments: LoaderSink.databases,
        [
            ["1.5", "123456789012345678"], ["1.5", "9007199254740993"], ["1.5", "-0.0"], ["1", "1.0"],
            ["1", "1e+16"], ["1", "9007199254740993.0"], ["true", "1.0"], ["1.5", "2.5"], ["1.5", "5.0"], ["1.5", "5"],
            ["1.5", "1e+20"], ["1", "7"], ["1", "0.5"], ["true", "0"],
        ])
    func aLateTextThatBecomesANumberIsReported(sink: LoaderSink, values: [String]) throws {
        for inChild in [false, true] {
            let report = try late(values[0], "\"\(values[1])\"", inChild: inChild, sink)
            #expect(report.isLossy)
            #expect(report.typeDeviations.isEmpty)
            // A `bigint` takes no fraction, and a `boolean` takes the server's words, 0 and 1.
            if sink == .postgres, [["1", "0.5"], ["true", "1.0"]].contains(values) {
                #expect(report.rejected == 1 && report.digitLosses.isEmpty)
                continue
            }
            #expect(report.rejected == 0)
            #expect(report.digitLosses.map(\.column) == [inChild ? "records_a.value" : "a"])
            #expect(report.digitLosses.map(\.count) == [1])
            #expect(report.digitLosses.map(\.example) == ["'\(values[1])'"])
        }
    }

    /// Two of the texts are values in PostgreSQL. They are counted.
    @Test(arguments: LoaderSink.databases, [["1.5", "nan"], ["1", "x"], ["1", "0x10"], ["true", "true"]])
    func aLateTextThatIsNoNumberIsKept(sink: LoaderSink, values: [String]) throws {
        for inChild in [false, true] {
            let report = try late(values[0], "\"\(values[1])\"", inChild: inChild, sink)
            let isValue = sink == .postgres && ["nan", "true"].contains(values[1])
            #expect(report.rejected == (sink == .sqlite || isValue ? 0 : 1))
            #expect(report.digitLosses.map(\.example) == (isValue ? ["'\(values[1])'"] : []))
            #expect(report.typeDeviations.map(\.count) == (sink == .sqlite ? [1] : []))
            #expect(report.isSuccess == (sink == .sqlite))
        }
    }

    @Test(arguments: LoaderSink.databases) func textsThatTheUserHasMadeANumberColumnForOnlyNeedItsValue(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE records (i BIGINT, r DOUBLE PRECISION)")
        let texts = [("5", "5"), ("5.0", "5.0"), ("9007199254740993", "9007199254740992"), ("7", "9007199254740993")]
        let feed = texts.map { #"{"i":"\#($0)","r":"\#($1)"}"# }
        let report = try loader.load(feed.joined(separator: "\n")) { $0.existing = .append }
        #expect(report.digitLosses == [DigitLoss(column: "r", count: 1, example: "'9007199254740993'")])
        #expect(report.typeDeviations.isEmpty)
        #expect(
            try loader.rows("i", "r") == [
                [5, 5.0], [5, 5.0], [9007199254740993, 9007199254740992.0], [7, 9007199254740992.0],
            ])
    }

    /// SQLite writes numbers in a column of texts with 15 digits.
    @Test(arguments: LoaderSink.databases) func aLateNumberThatAColumnOfTextsShortensIsReported(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE records (a TEXT)")
        let report = try loader.load(#"{"a":1}"# + "\n" + #"{"a":0.1234567890123456}"#) {
            ($0.sample, $0.existing) = (1, .append)
        }
        let loss = DigitLoss(column: "a", count: 1, example: "0.1234567890123456")
        #expect(report.digitLosses == (sink == .sqlite ? [loss] : []))
        #expect(try loader.rows("a").last == [sink == .sqlite ? "0.123456789012346" : "0.1234567890123456"])
    }

    @Test func aColumnOfTheTypeANYInAStrictTableKeepsAllDigits() throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE records (a ANY) STRICT")
        let report = try loader.load(#"{"a":1}"# + "\n" + #"{"a":12345678901234567890}"# + "\n" + #"{"a":"007"}"#) {
            ($0.sample, $0.existing) = (1, .append)
        }
        #expect(report.isSuccess)
        #expect(report.digitLosses.isEmpty)
        #expect(try loader.rows("a") == [[1], ["12345678901234567890"], ["007"]])
    }

    @Test(arguments: LoaderSink.databases) func aLaterRunSaysThatEarlierOnesHaveChangedDigits(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("a.ndjson", #"{"zip":1}"# + "\n" + #"{"zip":"00123"}"#)
        for run in 1...2 {
            let report = try loader.load(file: file) { $0.sample = 1 }
            #expect(report.isLossy)
            #expect(report.notes == (run == 1 ? [] : ["1 value changed to fit a column's type by earlier runs"]))
        }
    }

    @Test(arguments: LoaderSink.databases) func digitsThatTheDatabaseChangesAreReported(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"zip":1}"# + "\n" + #"{"zip":"00123"}"# + "\n" + #"{"zip":"12"}"#) { $0.sample = 1 }
        #expect(report.isLossy)
        #expect(report.digitLosses == [DigitLoss(column: "zip", count: 2, example: "'00123'")])
        #expect(try loader.rows("zip") == [[1], [123], [12]])
        let kept = try loader.load(#"{"zip":1}"# + "\n" + #"{"zip":"00123"}"#, into: "texts") {
            ($0.sample, $0.types) = (1, [try TypeOption("zip:text")])
        }
        #expect(kept.isSuccess)
        #expect(try loader.rows("zip", of: "texts") == [["1"], ["00123"]])
    }

    @Test(arguments: LoaderSink.databases) func anIntegerThatAColumnOfDoublesChangesIsReported(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"r":1.5}"# + "\n" + #"{"r":9007199254740993}"#) { $0.sample = 1 }
        #expect(report.digitLosses.map(\.example) == ["9007199254740993"])
        #expect(try loader.rows("r") == [[1.5], [9007199254740992.0]])
        // Where it is seen in time, the column is text.
        #expect(try loader.load(#"{"r":1.5}"# + "\n" + #"{"r":9007199254740993}"#, into: "t").isSuccess)
        #expect(try loader.rows("r", of: "t") == [["1.5"], ["9007199254740993"]])
    }

    @Test(arguments: LoaderSink.databases, [1, 2])
    func anIntegerThatADeclaredRealChangesIsReported(sink: LoaderSink, workers: Int) throws {
        let numbers = ["9007199254740993", "9007199254740992", "12345678901234567891", "-9007199254740993.0", "1e300", "0.5"]
        let loader = try Loader(sink)
        let report = try loader.load(numbers.map { #"{"k":\#($0)}"# + "\n" }.joined()) {
            ($0.types, $0.workers) = ([try TypeOption("k:real")], workers)
        }
        #expect(report.digitLosses == [DigitLoss(column: "k", count: 3, example: "9007199254740993")])
        #expect(report.typeDeviations.isEmpty && report.rejected == 0)
        #expect(report.isLossy)
        #expect(
            try loader.rows("k") == [
                [9007199254740992.0], [9007199254740992.0], [12345678901234567168.0], [-9007199254740992.0], [1e300], [0.5],
            ])
    }

    @Test(arguments: LoaderSink.databases, [true, false])
    func numbersWithMoreDigitsThanADoubleAreReported(sink: LoaderSink, isDeclared: Bool) throws {
        let kept = ["1.10", "0.30000000000000004", "-65.613616999999977", "0.0", "5e-324", "1e23"]
        let changed = ["1e-400", "12345678901234567890.5", "0.1234567890123456789012", "-3e-324"]
        let loader = try Loader(sink)
        let report = try loader.load(([kept[1]] + changed + kept).map { #"{"k":\#($0)}"# + "\n" }.joined()) {
            if isDeclared { $0.types = [try TypeOption("k:real")] }
            $0.sample = 1
        }
        #expect(report.digitLosses == [DigitLoss(column: "k", count: 4, example: "'1e-400'")])
        #expect(report.typeDeviations.isEmpty && report.rejected == 0)
        #expect(report.isLossy)
        let stored: [Double] = [
            0.30000000000000004, 0, 12345678901234567890.5, 0.1234567890123456789012, -.leastNonzeroMagnitude, 1.1,
            0.30000000000000004,
            -65.613616999999977, 0, .leastNonzeroMagnitude, 1e23,
        ]
        #expect(try loader.rows("k") == stored.map { [.real($0)] })
    }

    @Test(arguments: LoaderSink.databases, [KeyConflict.reject, .ignore, .upsert])
    func valuesThatAreNotStoredLoseNoDigits(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (id BIGINT PRIMARY KEY, k DOUBLE PRECISION, t TEXT CHECK (t IS NULL), n SMALLINT CHECK (n < 32768))
            """)
        let lines = [
            #"{"id":1,"k":9007199254740993}"#, #"{"id":1,"k":9007199254740995}"#, #"{"id":2,"k":9007199254740997,"t":"x"}"#,
            #"{"id":3,"k":9007199254740997,"n":70000}"#,
        ]
        let report = try loader.load(lines.joined(separator: "\n")) {
            ($0.existing, $0.conflict, $0.primaryKey) = (.append, conflict, ["id"])
        }
        #expect(report.rows.added == 1 && report.rejected == (conflict == .reject ? 3 : 2))
        let count = conflict == .upsert ? 2 : 1
        #expect(report.digitLosses == [DigitLoss(column: "k", count: count, example: "9007199254740993")])
        #expect(report.typeDeviations.isEmpty)
    }

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace, .reject])
    func valuesOfGeneratedColumnsAreLeftOutAndCounted(sink: LoaderSink, conflict: KeyConflict) throws {
        let lines = [
            #"{"id":1,"a":2,"twice":5}"#, #"{"id":2,"a":3,"twice":null}"#, #"{"id":1,"a":2}"#, #"{"id":3,"a":"x","twice":7}"#,
        ]
        let loader = try Loader(sink)
        try loader.execute(
            sink == .sqlite
                ? "CREATE TABLE records (id INTEGER PRIMARY KEY, twice AS (a * 2) STORED, a INTEGER CHECK (typeof(a) = 'integer'))"
                : "CREATE TABLE records (id INTEGER PRIMARY KEY, twice INTEGER GENERATED ALWAYS AS (a * 2) STORED, a INTEGER)")
        let report = try loader.load(lines.joined(separator: "\n")) {
            ($0.existing, $0.conflict, $0.primaryKey) = (.append, conflict, ["id"])
        }
        #expect(report.rows.added == 2 && report.rejected == (conflict == .reject ? 2 : 1))
        #expect(report.generatedValues.map(\.column) == ["twice"] && report.generatedValues.map(\.count) == [1])
        #expect(report.isLossy)
        #expect(try loader.rows("id", "twice", by: "id") == [[1, 4], [2, 6]])
    }
}
#endif
