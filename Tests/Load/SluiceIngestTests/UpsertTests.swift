#if SQLite
import SluiceCore
import SluiceIngest
import SluiceTestSupport
import Testing

/// Records that are merged into rows which earlier runs have stored from other files.
@Suite struct UpsertTests {
    /// Reads each text as a file of its own. All but the last one are stored as they are.
    private func load(
        _ feeds: [String], _ loader: Loader, isLossy: Bool = false, _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws {
        for (index, text) in feeds.enumerated() {
            let report = try loader.load(file: loader.scratch.file("\(index).ndjson", text)) {
                ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], .upsert)
                try change(&$0)
            }
            #expect(isLossy && index == feeds.count - 1 ? report.isLossy : report.isSuccess, "\(report)")
        }
    }

    @Test(arguments: LoaderSink.databases) func anObjectLeavesNothingOfAnEarlierNumber(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"a":5}"#, #"{"id":1,"a":{"b":1}}"#], loader)
        #expect(try loader.rows("a_b", "a") == [[1, nil]])
    }

    @Test(arguments: LoaderSink.databases) func aRunThatGoesOnReadsObjectsAsTheRunBeforeItDid(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = #"{"id":1,"a":{"c":1}}"# + "\n" + #"{"id":2,"a":5}"# + "\n"
        try load([#"{"id":9,"a":{"b":1}}"#, second], loader)
        try load([#"{"id":9,"a":{"b":1}}"#, second + #"{"id":3,"a":{"c":2}}"#], loader)
        #expect(try loader.value("SELECT a FROM records WHERE id = 3") == #"{"c":2}"#)
        #expect(try !loader.columns().contains("a_c"))
    }

    @Test(arguments: LoaderSink.databases) func anElementIsKeptBesideAChildTable(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try load([#"{"id":1,"tags":["x"],"new":1}"#, #"{"id":2,"tags":["y","z"],"late":2}"#], loader) {
            $0.columns = try ["id:integer", "first:text=tags[0]"].map { try ColumnOption($0).column }
            try $0.children.choose("tags", .tables)
        }
        #expect(try loader.rows("first", by: "id") == [["x"], ["y"]])
        #expect(try loader.count("records_tags") == 3)
    }

    @Test(arguments: LoaderSink.databases) func aTypeOfTheOptionsIsThatOfAColumnThatTheSampleLacks(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = #"{"id":2}"# + "\n" + #"{"id":1,"d":"01.02.2025"}"# + "\n" + #"{"id":3,"d":"junk"}"#
        try load([#"{"id":1,"d":"31.12.2024"}"#, second], loader, isLossy: true) {
            ($0.sample, $0.types) = (1, [try TypeOption("d:date(dd.MM.yyyy)")])
        }
        #expect(try loader.rows("id", "d", by: "id") == [[1, "2025-02-01"], [2, nil]])
    }

    @Test(arguments: LoaderSink.databases) func nullClearsBothFormsThatOneFeedHasHad(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let first = #"{"id":7}"# + "\n" + #"{"id":1,"a":{"b":1}}"# + "\n" + #"{"id":1,"a":5}"#
        try load([first, #"{"id":1,"a":null}"#], loader) { $0.sample = 1 }
        #expect(try loader.query("SELECT a_b, a FROM records WHERE id = 1") == [[nil, nil]])
        try load([first, #"{"id":1,"a":null}"#, #"{"id":1,"a":6}"#], loader) { $0.sample = 1 }
        #expect(try loader.value("SELECT a FROM records WHERE id = 1") == "6")
    }

    @Test(arguments: LoaderSink.databases) func nullAddsNoColumnBesideOneOfTheSameName(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let second = #"{"id":2}"# + "\n" + #"{"id":3,"a_b":null}"#
        try load([#"{"id":1,"a":{"b":1}}"#, second], loader) { $0.sample = 1 }
        #expect(try loader.columns() == ["id", "a_b"])
    }

    // MARK: Changes

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func anObjectInAColumnOfTextsIsATextInChanges(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        let first = ["null", "x", "null", "y", "7"].enumerated().map { #"{"id":\#($0),"e":"\#($1)"}"# }
        let second = [
            #"{"id":0,"e":null}"#, #"{"id":1,"e":"x"}"#, #"{"id":2,"e":{}}"#, #"{"id":3,"e":"null"}"#, #"{"id":4,"e":7}"#,
        ]
        try load([first.joined(separator: "\n"), second.joined(separator: "\n")], loader, isLossy: true) {
            ($0.conflict, $0.changes) = (conflict, .table("ch"))
        }
        let rows = try loader.query("SELECT key, patch, nulls FROM ch WHERE operation = 'changed' ORDER BY number")
        #expect(
            rows == [
                [#"{"id":0}"#, #"{"e":null}"#, #"["/e"]"#], [#"{"id":2}"#, #"{"e":"{}"}"#, nil],
                [#"{"id":3}"#, #"{"e":"null"}"#, nil],
            ])
        #expect(try loader.rows("e", by: "id") == [[nil], ["x"], ["{}"], ["null"], ["7"]])
    }

    // MARK: Rejected elements

    /// The elements of the record 1, and the parts of these.
    private func elements(_ loader: Loader) throws -> [[[StoredValue]]] {
        [
            try loader.rows("position", "n", of: "records_t", by: "position"),
            try loader.rows("t_position", "value", of: "records_t_s", by: "t_position, position"),
        ]
    }

    private func rejectElements(_ options: inout IngestOptions) throws {
        (options.children.storage, options.children.rejects) = (.tables, .element)
        options.types = [try TypeOption("t.n:integer")]
    }

    private static let three = #"{"id":1,"t":[{"n":1,"s":["a"]},{"n":2,"s":["b","b2"]},{"n":3,"s":["c"]}]}"#

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func aRejectedElementLeavesNothingOfTheEarlierOne(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        let second = #"{"id":1,"t":[{"n":10,"s":["A"]},{"n":"bad","s":["B"]},{"n":30,"s":["C"]}]}"#
        try load([Self.three, second], loader, isLossy: true) {
            try rejectElements(&$0)
            ($0.conflict, $0.changes) = (conflict, .table("ch"))
        }
        #expect(try elements(loader) == [[[0, 10], [2, 30]], [[0, "A"], [2, "C"]]])
        let removed = try loader.query("SELECT table_name, key FROM ch WHERE operation = 'removed' ORDER BY number")
        #expect(
            try removed == [
                ["records_t", loader.json(#"{"records_id":1,"position":1}"#)],
                ["records_t_s", loader.json(#"{"records_id":1,"t_position":1,"position":0}"#)],
                ["records_t_s", loader.json(#"{"records_id":1,"t_position":1,"position":1}"#)],
            ])
        // The mended record puts its element there.
        let mended = try loader.load(file: loader.scratch.file("m.ndjson", second.replacing(#""bad""#, with: "20"))) {
            try rejectElements(&$0)
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], conflict)
        }
        #expect(mended.isSuccess, "\(mended)")
        #expect(try elements(loader) == [[[0, 10], [1, 20], [2, 30]], [[0, "A"], [1, "B"], [2, "C"]]])
    }

    @Test(arguments: LoaderSink.databases, [1, 100])
    func aRefusedElementLeavesNothingOfTheEarlierOne(sink: LoaderSink, batch: Int) throws {
        let loader = try Loader(sink)
        try loader.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY);
            CREATE TABLE records_t (
                records_id INTEGER, position INTEGER, n INTEGER CHECK (n <> 0), PRIMARY KEY (records_id, position),
                FOREIGN KEY (records_id) REFERENCES records (id) ON DELETE CASCADE)
            """)
        let other = #"{"id":2,"t":[{"n":7,"s":["x"]}]}"#
        let second = #"{"id":1,"t":[{"n":0,"s":["A"]},{"n":20,"s":["B"]},{"n":0,"s":["C"]}]}"# + "\n" + other
        try load([Self.three + "\n" + other, second], loader, isLossy: true) {
            try rejectElements(&$0)
            $0.batch = batch
        }
        #expect(try loader.rows("records_id", "position", "n", of: "records_t", by: "1, 2") == [[1, 1, 20], [2, 0, 7]])
        #expect(try loader.rows("value", of: "records_t_s", by: "records_id") == [["B"], ["x"]])
    }

    @Test(arguments: LoaderSink.databases) func anElementThatAContractLeavesOutLeavesNothingOfTheEarlierOne(sink: LoaderSink)
        throws
    {
        let loader = try Loader(sink)
        let second = #"{"id":1,"t":[{"n":10},{"n":20,"new":1},{"n":30}]}"#
        try load([Self.three], loader) { $0.children.storage = .tables }
        let report = try loader.load(file: loader.scratch.file("m.ndjson", Self.three + "\n" + second)) {
            $0.children.storage = .tables
            ($0.existing, $0.primaryKey, $0.conflict) = (.append, ["id"], .upsert)
            ($0.sample, $0.contract) = (1, .discardRow)
        }
        #expect(report.rejected == 0, "\(report)")
        #expect(try elements(loader)[0] == [[0, 10], [2, 30]])
    }
}
#endif
