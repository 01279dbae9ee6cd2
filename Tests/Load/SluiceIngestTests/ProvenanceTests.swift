// Where rows come from: the columns, the table beside the rows, and the record that is read again.

#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

@Suite struct ProvenanceTests {
    /// Where a part of a text begins: its line and byte.
    private static func place(of part: String, in text: String) throws -> [StoredValue] {
        let start = try #require(text.range(of: part)).lowerBound
        let before = text[..<start].utf8
        return [
            .integer(Int64(before.count { $0 == UInt8(ascii: "\n") } + 1)), .integer(Int64(before.count)),
        ]
    }

    /// What `_input` has for a file.
    private static func input(_ path: String) -> StoredValue { .text(IngestInput.identity(ofFile: path)) }

    /// Loads a file whose records are merged by `id`.
    @discardableResult
    private func merge(
        _ name: String, _ text: String, _ loader: Loader, _ conflict: KeyConflict = .upsert,
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        let report = try loader.load(file: loader.scratch.file(name, text)) {
            ($0.existing, $0.primaryKey, $0.conflict, $0.provenance) = (.append, ["id"], conflict, .columns)
            try change(&$0)
        }
        #expect(report.isSuccess, "\(report)")
        return report
    }

    // MARK: Columns

    @Test(arguments: LoaderSink.all, [1, 2]) func eachRowHasThePlaceOfItsRecord(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("in.ndjson", "{\"id\":1}\n\n  {\"id\":2}\n{\"id\":3}\n")
        #expect(try loader.load(file: file) { ($0.provenance, $0.workers) = (.columns, workers) }.isSuccess)
        #expect(try loader.columns() == ["id", "_input", "_line", "_byte", "_digest"])
        #expect(try loader.rows("id", "_line", "_byte") == [[1, 1, 0], [2, 3, 10], [3, 4, 21]])
        #expect(try loader.rows("_input") == Array(repeating: [Self.input(file)], count: 3))
        #expect(try Set(loader.rows("_digest")).count == 3)
    }

    /// The text of each record can be read again at its place, whatever the layout is.
    @Test(arguments: [
        "{\"id\":1,\n\"t\":\"é\"}\n{\"id\":2,\"t\":\"x\"}\n", "[\n  {\"id\":1, \"t\":\"a\"},\n  {\"id\":2}\n]\n",
        "{\"id\":1}{\"id\":2}", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n", "{\"d\":{\"items\":[{\"id\":1},\n{\"id\":2}]}}",
    ])
    func theRecordIsFoundAtItsPlaceInEachLayout(text: String) throws {
        let loader = try Loader(.sqlite)
        let file = try loader.scratch.file("in.json", text)
        let report = try loader.load(file: file) {
            $0.provenance = .columns
            if text.contains("items") { $0.feed.path = "d.items" }
        }
        #expect(report.isSuccess && report.rows.added == 2, "\(report)")
        for row in try loader.rows("id", "_line", "_byte", "_digest") {
            guard case .integer(let line) = row[1], case .integer(let byte) = row[2], case .integer(let digest) = row[3]
            else {
                Issue.record("\(row)")
                continue
            }
            let found = try RecordOrigin(input: file, line: Int(line), byte: Int(byte), digest: digest).text()
            #expect(try JSONValue(json: found)["id"]?.int == (row[0] == 1 ? 1 : 2))
        }
    }

    @Test func aRowUnderAHeaderHasThePlaceOfItsValues() throws {
        let loader = try Loader(.sqlite)
        let file = try loader.scratch.file("in.ndjson", "[\"id\",\"tags\"]\n[7,[\"x\"]]\n")
        let report = try loader.load(file: file) {
            ($0.provenance, $0.feed.hasHeader, $0.primaryKey, $0.children.storage) = (.columns, true, ["id"], .tables)
        }
        #expect(report.isSuccess, "\(report)")
        #expect(try loader.rows("id", "_line", "_byte") == [[7, 2, 14]])
        // The element lies in an object that the input does not have: its place is that of the record.
        #expect(try loader.rows("value", "_line", "_byte", of: "records_tags") == [["x", 2, 14]])
        for (table, key) in [("records", ["7"]), ("records_tags", ["7", "0"])] {
            let source = try #require(loader.target(table) as? any OriginSource)
            #expect(try source.origin(ofKey: key).text() == "[7,[\"x\"]]")
        }
    }

    @Test func otherInputsHaveTheirNames() throws {
        let loader = try Loader(.sqlite)
        try loader.load("{\"id\":1}\n") { $0.provenance = .columns }
        let name = try #require(try loader.rows("_input")[0][0].text)
        #expect(!name.hasPrefix("/"))
        #expect(throws: IngestError.input("\(name) is no file that can be read again")) {
            try RecordOrigin(input: name, line: 1, byte: 0).text()
        }
    }

    @Test(arguments: LoaderSink.databases) func theColumnsOfAKeyKeepTheirNames(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        for (number, line) in [#"{"id":1,"_line":"x"}"#, #"{"id":2,"_line":"y","_byte":true}"#].enumerated() {
            try merge("\(number).ndjson", line + "\n", loader)
        }
        #expect(try loader.rows("_line", "_line_2", by: "id") == [["x", 1], ["y", 1]])
        #expect(try loader.value("SELECT _byte FROM records WHERE id = 2") == 0)
    }

    @Test func namesCanBeChosen() throws {
        let loader = try Loader(.sqlite)
        let names = Provenance.columns.named(input: "file", line: "row", byte: "offset", digest: "hash")
        try merge("1.ndjson", "{\"id\":1}\n", loader) { $0.provenance = names }
        #expect(try loader.columns() == ["id", "file", "row", "offset", "hash"])
        try merge("2.ndjson", "{\"id\":2}\n", loader) { $0.provenance = names }
        #expect(try loader.rows("id", "row", "offset") == [[1, 1, 0], [2, 1, 0]])
        let other = try loader.scratch.file("3.ndjson", "{\"id\":3}\n")
        for wrong in [
            Provenance.columns.named(input: "id", line: "row", byte: "offset", digest: "hash"),
            .columns.named(input: "a", line: "row", byte: "offset", digest: "hash"),
            .columns.named(input: "a", line: "A", byte: "b", digest: "c"), .table("x.y"), .table("records"),
        ] {
            #expect(throws: IngestError.self, "\(wrong)") {
                try loader.load(file: other) { ($0.existing, $0.primaryKey, $0.provenance) = (.append, ["id"], wrong) }
            }
        }
        #expect(try loader.count() == 2)
    }

    // MARK: Rows that are merged

    @Test(arguments: LoaderSink.databases, [KeyConflict.upsert, .replace])
    func aRowHasThePlaceOfTheRecordThatHasWrittenItLast(sink: LoaderSink, conflict: KeyConflict) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"a\":1}\n{\"id\":2,\"a\":1}\n", loader, conflict)
        let report = try merge("2.ndjson", "{\"id\":2,\"a\":1}\n{\"id\":1,\"a\":2}\n{\"id\":3,\"a\":1}\n", loader, conflict)
        #expect((report.rows.added, report.rows.changed, report.rows.same) == (1, 1, 1))
        let (first, second) = (loader.scratch.path("1.ndjson"), loader.scratch.path("2.ndjson"))
        #expect(
            try loader.rows("id", "_input", "_line", "_byte", by: "id") == [
                [1, Self.input(second), 2, 15], [2, Self.input(first), 2, 15], [3, Self.input(second), 3, 30],
            ])
    }

    @Test(arguments: LoaderSink.databases) func recordsWithOtherKeysSetThePlaceToo(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"a\":1,\"b\":1}\n{\"id\":2,\"a\":1,\"b\":1}\n{\"id\":3,\"a\":1}\n", loader)
        let report = try merge("2.ndjson", "{\"id\":3}\n{\"id\":1,\"a\":2}\n{\"id\":2,\"b\":1}\n", loader)
        #expect((report.rows.added, report.rows.changed, report.rows.same) == (0, 1, 2))
        #expect(try loader.rows("id", "_line", by: "id") == [[1, 2], [2, 2], [3, 3]])
    }

    @Test(arguments: LoaderSink.databases) func aKeyThatComesAgainHasThePlaceOfItsLastChange(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let lines = [1, 1, 2, 2].map { "{\"id\":1,\"a\":\($0)}\n" }.joined()
        let report = try merge("1.ndjson", lines, loader)
        #expect((report.rows.added, report.rows.changed, report.rows.same) == (1, 1, 2))
        #expect(try loader.rows("a", "_line") == [[2, 3]])
    }

    @Test(arguments: LoaderSink.databases) func aRowThatIsKeptKeepsItsPlace(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"a\":1}\n", loader)
        let report = try merge("2.ndjson", "\n{\"id\":1,\"a\":2}\n", loader, .ignore)
        #expect(report.rows.kept == 1)
        #expect(try loader.rows("a", "_line") == [[1, 1]])
    }

    @Test(arguments: LoaderSink.databases) func onceATableHasPlacesAMergeNeedsThem(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"a\":1}\n", loader)
        let second = try loader.scratch.file("2.ndjson", "{\"id\":1,\"a\":2}\n{\"id\":2,\"a\":1}\n")
        for wrong in [Provenance?.none, .table("origins")] {
            #expect(throws: IngestError.self) {
                try loader.load(file: second) {
                    ($0.existing, $0.primaryKey, $0.conflict, $0.provenance) = (.append, ["id"], .upsert, wrong)
                }
            }
        }
        // Rows that are only added have no place then.
        let third = try loader.scratch.file("3.ndjson", "{\"id\":3,\"a\":1}\n")
        #expect(try loader.load(file: third) { ($0.existing, $0.primaryKey) = (.append, ["id"]) }.isSuccess)
        #expect(try loader.rows("id", "_line", by: "id") == [[1, 1], [3, nil]])
        let source = try #require(loader.target() as? any OriginSource)
        #expect(throws: IngestError.self) { try source.origin(ofKey: ["3"]) }
    }

    @Test(arguments: LoaderSink.databases) func aRunThatGoesOnCountsLinesFromTheBeginning(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("in.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        #expect(try loader.load(file: file) { $0.provenance = .columns }.isSuccess)
        try loader.scratch.append("{\"id\":3}\n", to: file)
        #expect(throws: IngestError.self) { try loader.load(file: file) }
        #expect(try loader.load(file: file) { $0.provenance = .columns }.isSuccess)
        #expect(try loader.rows("id", "_line", "_byte", by: "id") == [[1, 1, 0], [2, 2, 9], [3, 3, 18]])
    }

    // MARK: Changes

    @Test(arguments: LoaderSink.databases) func changesNameTheRecordAndHaveNoPlaceInThem(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"a\":1}\n{\"id\":2,\"a\":1}\n", loader) { $0.changes = .table("changes") }
        try merge("2.ndjson", "{\"id\":2,\"a\":1}\n{\"id\":1,\"a\":2}\n", loader) { $0.changes = .table("changes") }
        let added = try [1, 2].map { try loader.json("{\"id\":\($0),\"a\":1}") }
        let second = StoredValue.text(loader.scratch.path("2.ndjson"))
        let changes = try loader.query("SELECT operation, file, line, byte_position, patch FROM changes ORDER BY number")
        #expect(
            changes.map { [$0[0], $0[2], $0[3], $0[4]] } == [
                ["added", 1, 0, added[0]], ["added", 2, 15, added[1]], ["changed", 2, 15, try loader.json("{\"a\":2}")],
            ])
        #expect(changes[2][1] == second)
    }

    // MARK: Elements of arrays

    private static let nested = """
        [
          {"id": 1, "items": [
            {"sku": "a"},
            {"sku": "b", "tags": ["x", "y"]}
          ]},
          {"id": 2, "items": [{"sku": "c"}], "late": [5, 6]}
        ]

        """

    @Test(arguments: LoaderSink.databases, [1, 2]) func elementsHaveTheirOwnPlaces(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let text = Self.nested
        try merge("1.json", text, loader) {
            // The table of `late` is made while the input is read.
            ($0.children.storage, $0.workers, $0.sample) = (.tables, workers, 1)
        }
        func places(_ parts: String...) throws -> [[StoredValue]] { try parts.map { try Self.place(of: $0, in: text) } }
        #expect(try loader.rows("_line", "_byte", by: "id") == places("{\"id\": 1", "{\"id\": 2"))
        let order = "1, 2"
        #expect(
            try loader.rows("_line", "_byte", of: "records_items", by: order)
                == places("{\"sku\": \"a\"", "{\"sku\": \"b\"", "{\"sku\": \"c\""))
        #expect(try loader.rows("_line", "_byte", of: "records_items_tags", by: order) == places("\"x\"", "\"y\""))
        #expect(try loader.rows("_line", "_byte", of: "records_late", by: order) == places("5, 6", "6]"))
        let source = try #require(loader.target("records_items_tags") as? any OriginSource)
        #expect(try source.origin(ofKey: ["1", "1", "1"]).text() == "\"y\"")
    }

    @Test(arguments: LoaderSink.databases) func anElementThatStaysTheSameKeepsItsPlace(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"t\":[\"a\",\"b\",\"c\"]}\n", loader) { $0.children.storage = .tables }
        let report = try merge("2.ndjson", "\n{\"id\":1,\"t\":[\"a\",\"x\"]}\n", loader) { $0.children.storage = .tables }
        #expect(report.rows.same == 1)
        let child = try #require(report.children.first?.rows)
        #expect((child.added, child.changed, child.same, child.removed) == (0, 1, 1, 1))
        #expect(try loader.rows("value", "_line", of: "records_t", by: "position") == [["a", 1], ["x", 2]])
    }

    // MARK: A table beside the rows

    @Test(arguments: LoaderSink.databases) func aTableBesideTheRowsHasTheirPlaces(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        func run(
            _ name: String, _ text: String, _ change: (inout IngestOptions) -> Void = { _ in }
        ) throws -> IngestReport {
            try merge(name, text, loader) {
                ($0.primaryKey, $0.provenance) = (["id", "k"], .table("origins"))
                change(&$0)
            }
        }
        _ = try run(
            "1.ndjson", "{\"id\":1,\"k\":\"a\",\"v\":1}\n{\"id\":1,\"k\":\"b\",\"v\":1}\n{\"id\":2,\"k\":\"a\",\"v\":1}\n")
        #expect(try loader.columns() == ["id", "k", "v"])
        #expect(try loader.columns(of: "origins") == ["id", "k", "_input", "_line", "_byte", "_digest"])
        let report = try run("2.ndjson", "\n{\"id\":1,\"k\":\"b\",\"v\":2}\n{\"id\":1,\"k\":\"a\",\"v\":1}\n") {
            $0.missing = .delete
        }
        #expect((report.rows.changed, report.rows.same, report.rows.removed) == (1, 1, 1))
        #expect(try loader.rows("id", "k", "_line", of: "origins", by: "1, 2") == [[1, "a", 1], [1, "b", 2]])
        let source = try #require(loader.target() as? any OriginSource)
        let origin = try source.origin(ofKey: ["1", "b"])
        #expect(origin.input == IngestInput.identity(ofFile: loader.scratch.path("2.ndjson")))
        #expect(try origin.text() == "{\"id\":1,\"k\":\"b\",\"v\":2}")
        #expect(throws: IngestError.self) { try source.origin(ofKey: ["2", "a"]) }
        #expect(throws: IngestError.self) { try source.origin(ofKey: ["1"]) }
    }

    @Test(arguments: LoaderSink.databases) func rowsThatAreDeletedAsAWholeLoseTheirPlaces(sink: LoaderSink) throws {
        for existing in [ExistingTable.truncate, .drop] {
            let loader = try Loader(sink)
            func run(_ id: Int, _ existing: ExistingTable) throws {
                let text = "{\"id\":\(id),\"t\":[\(id)]}\n"
                try merge("\(id).ndjson", text, loader) {
                    ($0.existing, $0.provenance, $0.children.storage) = (existing, .table("origins"), .tables)
                }
            }
            try run(1, .append)
            #expect(try loader.rows("_byte", of: "origins_records_t") == [[13]])
            try run(2, existing)
            #expect(try loader.rows("id", of: "origins") == [[2]])
            #expect(try loader.rows("records_id", "position", of: "origins_records_t") == [[2, 0]])
        }
    }

    @Test(arguments: LoaderSink.databases) func noOtherTableIsTakenForATableOfPlaces(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE origins (id int)")
        let file = try loader.scratch.file("1.ndjson", "{\"id\":1}\n")
        #expect(throws: IngestError.self) {
            try loader.load(file: file) { ($0.primaryKey, $0.provenance) = (["id"], .table("origins")) }
        }
        #expect(try loader.columns(of: "origins") == ["id"])
        #expect(throws: IngestError.self, "no key") { try loader.load(file: file) { $0.provenance = .table("places") } }
    }

    @Test(arguments: [LoaderSink.ndjson, .csv]) func aFileHasNoTableBesideIt(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        #expect(throws: IngestError.self) { try loader.load("{\"id\":1}\n") { $0.provenance = .table("origins") } }
    }

    // MARK: One row

    @Test(arguments: LoaderSink.databases) func theErrorOfAWrongTableOrKeySaysWhatIsMeant(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        try merge("1.ndjson", "{\"id\":1,\"t\":[1]}\n", loader) { $0.children.storage = .tables }
        #expect(try loader.load("{\"a\":1}\n", into: "others").isSuccess)
        func error(_ table: String, _ key: String...) throws -> String {
            let source = try #require(loader.target(table) as? any OriginSource)
            do {
                return "\(try source.origin(ofKey: key))"
            } catch {
                return "\(error)"
            }
        }
        #expect(try error("record", "1").contains("no table record; did you mean records?"))
        #expect(try error("others", "1").contains("the table others does not say where its rows come from"))
        #expect(try error("records", "2").contains("the table records has no row with id = 2"))
        #expect(try error("records", "id=1").hasSuffix("1.ndjson: line 1, byte 0"))
        #expect(try error("records", "1", "2").contains("the key of records is id: name a value for each"))
        #expect(try error("records_t", "1", "0").hasSuffix("1.ndjson: line 1, byte 13"))
    }

    @Test func aTableWithoutAKeyIsLookedIntoByItsColumns() throws {
        let loader = try Loader(.sqlite)
        try loader.load(file: loader.scratch.file("1.ndjson", "{\"a\":1}\n{\"a\":1}\n{\"a\":2}\n")) { $0.provenance = .columns }
        let source = try #require(loader.target() as? any OriginSource)
        #expect(try source.origin(ofKey: ["a=2"]).line == 3)
        for wrong in [["2"], ["a=1"]] { #expect(throws: IngestError.self) { try source.origin(ofKey: wrong) } }
    }

    // MARK: The text of a record

    @Test func aRotatedFileIsFoundByTheDigest() throws {
        let scratch = try Scratch()
        let file = try scratch.file("app.log", "{\"id\":1}\n{\"id\":2}\n")
        let digest = unsafe Array("{\"id\":2}".utf8).withUnsafeBytes { unsafe RecordDigest.of($0) }
        let origin = RecordOrigin(input: IngestInput.identity(ofFile: file), line: 2, byte: 9, digest: digest)
        let found = try origin.locate()
        #expect(found.path == origin.input && found.text == Array("{\"id\":2}".utf8) && !found.isMoved)
        try FileManager.default.moveItem(atPath: file, toPath: scratch.path("app.log.1"))
        #expect(try origin.locate().path.hasSuffix("/app.log.1") && origin.locate().isMoved)
        _ = try scratch.file("app.log", "{\"id\":8}\n{\"id\":9}\n")
        #expect(try origin.locate().path.hasSuffix("/app.log.1"))
        // Without a digest, nothing tells that it is another record.
        #expect(try RecordOrigin(input: file, line: 2, byte: 9).text() == "{\"id\":9}")
        try FileManager.default.removeItem(atPath: scratch.path("app.log.1"))
        #expect(throws: IngestError.self) { try origin.text() }
        #expect(throws: IngestError.self) { try RecordOrigin(input: file, line: 9, byte: 900).text() }
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: IngestError.self) { try origin.text() }
    }

    @Test(arguments: ["a b.ndjson", "50%25.ndjson", "e\u{301}.ndjson", "[1:2].ndjson"])
    func aFileOfAnyNameIsFoundAgain(name: String) throws {
        let loader = try Loader(.sqlite)
        let file = try loader.scratch.file(name, "{\"id\":1}\n{\"id\":2}\n")
        for (index, range) in [0..<9, 9..<Int.max].enumerated() {
            let report = try loader.load(file: file, into: "t\(index)") {
                ($0.provenance, $0.feed.range, $0.primaryKey) = (.columns, index == 0 ? nil : range, ["id"])
            }
            #expect(report.outcome == .complete, "\(report)")
        }
        let source = try #require(loader.target("t0") as? any OriginSource)
        #expect(try source.origin(ofKey: ["2"]).text() == "{\"id\":2}")
        let ranged = try loader.scratch.file("r.ndjson", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
        try loader.load(file: ranged, into: "t2") { ($0.provenance, $0.feed.range, $0.primaryKey) = (.columns, 5..<20, ["id"]) }
        let part = try #require(loader.target("t2") as? any OriginSource)
        let origin = try part.origin(ofKey: ["3"])
        #expect(origin.input.hasSuffix("r.ndjson[5:20]") && origin.byte == 18 && origin.line == 2)
        #expect(try origin.text() == "{\"id\":3}")
    }

    /// What identifies a text of a rotated log is a number, and no path.
    @Test(arguments: LoaderSink.databases) func aRowOfARotatedLogHasThePathOfItsFile(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("app.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        func load() throws -> IngestReport {
            try loader.load(file: file) { ($0.rotation, $0.provenance, $0.primaryKey) = (Rotation(), .columns, ["id"]) }
        }
        #expect(try load().isSuccess)
        try loader.scratch.append("{\"id\":3}\n", to: file)
        try FileManager.default.moveItem(atPath: file, toPath: file + ".1")
        _ = try loader.scratch.file("app.ndjson", "{\"id\":4}\nbad\n")
        let report = try load()
        #expect(report.rows.added == 2, "\(report)")
        let (input, rotated) = (Self.input(file), Self.input(file + ".1"))
        #expect(
            try loader.rows("id", "_input", "_line", "_byte", by: "id") == [
                [1, input, 1, 0], [2, input, 2, 9], [3, rotated, 3, 18], [4, input, 1, 0],
            ])
        #expect(report.rejections.first?.origin == RecordOrigin(input: IngestInput.identity(ofFile: file), line: 2, byte: 9))
        // The records are found, also those that have been rotated since.
        let source = try #require(loader.target() as? any OriginSource)
        for id in 1...4 { #expect(try source.origin(ofKey: ["\(id)"]).text() == "{\"id\":\(id)}") }
    }

    @Test func aRejectionHasThePlaceOfItsRecord() throws {
        let loader = try Loader(.sqlite)
        let file = try loader.scratch.file("1.ndjson", "{\"id\":1}\n{\"id\":nul}\n")
        let report = try loader.load(file: file)
        let origin = try #require(report.rejections.first?.origin)
        #expect(origin == RecordOrigin(input: IngestInput.identity(ofFile: file), line: 2, byte: 9))
        #expect(try origin.text() == "{\"id\":nul}")
    }

    @Test(arguments: [
        ("app.log", "app.log"), ("app.log.1", "app.log"), ("app.log.12.gz", "app.log"), ("app.log-20261125", "app.log"),
        ("app.log-2026-11-25.zst", "app.log"), ("app.log.20261125", "app.log"), ("app.log-2026-11-25-09", "app.log"),
        ("app.log-20261125-093000.gz", "app.log"), ("app.log-1764061200.gz", "app.log"), ("app-1.log", "app-1.log"),
        (".gz", ".gz"), ("20261125.ndjson", "20261125.ndjson"), ("a.1.2.gz", "a"),
    ])
    func theNameOfAFamilyIsWithoutWhatARotationAdds(name: String, stem: String) {
        #expect(FamilyName(ofFile: name).stem == stem)
    }

    @Test func whiteSpaceAroundARecordIsNoPartOfItsDigest() {
        func digest(_ text: String) -> Int64 { unsafe Array(text.utf8).withUnsafeBytes { unsafe RecordDigest.of($0) } }
        #expect(digest(" {\"a\":1}\r\n") == digest("{\"a\":1}"))
        #expect(digest("{\"a\": 1}") != digest("{\"a\":1}"))
        #expect(digest("  ") == digest(""))
        // Databases keep the numbers.
        #expect(digest("{\"a\":1}") == 1_927_246_811_319_822_695)
    }
}
#endif
