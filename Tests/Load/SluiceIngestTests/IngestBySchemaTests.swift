// Ingests whose records must fit a JSON Schema.

import Foundation
import SluiceCore
import SluiceFeed
import SluiceSchema
import SluiceTestSupport
import Testing

@testable import SluiceIngest

@Suite struct IngestBySchemaTests {
    private static let schema = """
        {
          "type": "object", "required": ["id", "at", "user"],
          "properties": {
            "id": {"type": "integer", "minimum": 1},
            "score": {"type": ["number", "null"]},
            "at": {"type": "string", "format": "date-time"},
            "day": {"type": "string", "format": "date"},
            "user": {"$ref": "#/$defs/user"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "active": {"type": "boolean"},
            "note": {"enum": ["a", "b"]},
            "any": true
          },
          "$defs": {"user": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}
        }
        """
    private static let feed = """
        {"id": 1, "at": "2026-11-30T10:00:00Z", "user": {"name": "a"}}
        {"id": 0, "at": "2026-11-30T10:00:00Z", "user": {"name": "b"}}
        {"id": 3, "at": "2026-11-30T10:00:00Z", "user": {}}
        {"id": 4, "at": "2026-11-30T10:00:00Z", "user": {"name": "d"}, "note": "c"}
        {"id": 5, "at": "2026-11-30T10:00:00Z", "user": {"name": "e"}, "late": 1}

        """

    private func schema(_ text: String = Self.schema) throws -> JSONSchema {
        try JSONSchema(json: text, options: JSONSchema.Options(assertsFormats: true))
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func aBreachIsARejectionWithItsKeyword(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed, chunk: 50) {
            $0.schema = try schema()
            $0.workers = workers
        }
        #expect(report.rejected == 3 && report.isLossy)
        #expect(
            report.rejections.map { $0.reason.split(separator: ":")[0] } == [
                "constraint 'minimum' at id (line 2, column 8, byte 70)",
                "constraint 'required' at user (line 3, column 49, byte 174)",
                "constraint 'enum' at note (line 4, column 72, byte 249)",
            ])
        #expect(try loader.rows("id", "user_name", by: "id") == [[1, "a"], [5, "e"]])
        #expect(try loader.rows("late", by: "id") == [[nil], [1]])
    }

    /// Also where the first records lack them, and where a sample would have found something else.
    @Test(arguments: LoaderSink.databases) func columnsHaveTheTypesOfTheSchema(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let text = #"{"id": 1, "at": "2026-11-30T10:00:00.5+01:00", "user": {"name": "a"}, "score": 1, "any": "x"}"#
        let report = try loader.load(text) { $0.schema = try schema() }
        #expect(report.isSuccess, "\(report)")
        let columns = try loader.columns()
        #expect(columns == ["id", "score", "at", "day", "user_name", "tags", "active", "note", "any"])
        let types: [String: ColumnType] = [
            "id": .integer, "score": .real, "at": .timestamp, "day": .date, "user_name": .text, "tags": .json, "active": .bool,
            "note": .text, "any": .text,
        ]
        for column in report.columns { #expect(types[column.name] == column.type, "\(column.name)") }
        #expect(report.columns.count == types.count)
        let required =
            sink == .sqlite
            ? #"SELECT name FROM pragma_table_info('records') WHERE "notnull" ORDER BY cid"#
            : """
            SELECT attname::text FROM pg_attribute WHERE attrelid = 'records'::regclass AND attnum > 0 AND attnotnull
            ORDER BY attnum
            """
        #expect(try loader.query(required) == [["id"], ["at"], ["user_name"]])
    }

    @Test func anEmptyFeedMakesTheTableOfTheSchema() throws {
        let loader = try Loader(.sqlite)
        let report = try loader.load("") { $0.schema = try schema() }
        #expect(report.isSuccess, "\(report)")
        #expect(try loader.count() == 0)
        #expect(try loader.columns().first == "id")
    }

    @Test func recordsThatDoNotFitMakeNoColumns() throws {
        let loader = try Loader(.sqlite)
        try loader.load(#"{"id": 0, "wrong": 1}"# + "\n" + #"{"id": 2}"#) {
            $0.schema = try schema(#"{"properties": {"id": {"minimum": 1}}}"#)
        }
        #expect(try loader.columns() == ["id"] && loader.rows("id") == [[2]])
    }

    @Test func aPartThatRefersToItselfIsOneColumn() throws {
        let loader = try Loader(.sqlite)
        try loader.load(#"{"value": 1, "left": {"value": 2}}"#) {
            $0.schema = try schema(
                ##"{"type": "object", "properties": {"value": {"type": "integer"}, "left": {"$ref": "#"}, "right": {"$ref": "#"}}}"##
            )
        }
        #expect(try loader.columns() == ["value", "left_value", "right"])
    }

    /// A schema without properties makes no columns: those of the first records that fit are found, wherever they are.
    @Test func theColumnsOfALateRecordAreFound() throws {
        let loader = try Loader(.sqlite)
        let wrong = String(repeating: "{\"x\": 1}\n", count: 2_000)
        try loader.load(wrong + "{\"id\": 2}\n") {
            $0.schema = try schema(#"{"required": ["id"]}"#)
            $0.maximumSampleSize = 1_000
        }
        #expect(try loader.columns() == ["id"] && loader.rows("id") == [[2]])
    }

    /// What the schema says of a type, a user may say otherwise.
    @Test func typesThatAreGivenComeFirst() throws {
        let loader = try Loader(.sqlite)
        let report = try loader.load(#"{"id": 1, "at": "2026-11-30T10:00:00Z", "user": {"name": "a"}}"#) {
            $0.schema = try schema()
            $0.types = [try TypeOption("at:text")]
        }
        #expect(report.columns.first { $0.name == "at" }?.type == .text)
        let declared = try Loader(.sqlite)
        try declared.load(#"{"id": 1, "at": "2026-11-30T10:00:00Z", "user": {"name": "a"}}"#, columns: ["id:integer"]) {
            $0.schema = try schema()
        }
        #expect(try declared.columns() == ["id"])
    }

    @Test func recordsThatAreNotWantedAreNotChecked() throws {
        let loader = try Loader(.sqlite)
        let report = try loader.load(Self.feed) {
            $0.schema = try schema()
            $0.feed.filter = try WhereClause("id = 5")
        }
        #expect(report.isSuccess && report.rejected == 0, "\(report)")
        #expect(try loader.rows("id") == [[5]])
    }

    /// The elements that go into tables of their own are parts of the records that were checked.
    @Test func elementsAreNotRecords() throws {
        let loader = try Loader(.sqlite)
        let report = try loader.load(#"{"id": 1, "items": [{"n": 1}, {"n": 2}]}"# + "\n" + #"{"id": 2}"#) {
            $0.schema = try schema(#"{"required": ["id"]}"#)
            $0.children.storage = .tables
            $0.primaryKey = ["id"]
        }
        #expect(report.isSuccess, "\(report) \(report.rejections)")
        #expect(try loader.rows("n", of: "records_items", by: "n") == [[1], [2]])
    }

    /// The place in the schema says which value is wrong; the value, and the keys of the record, are not shown.
    @Test(arguments: [LoaderSink.sqlite, .ndjson], [1, 2]) func whatIsSensitiveIsNotShown(sink: LoaderSink, workers: Int) throws {
        let loader = try Loader(sink)
        let report = try loader.load(#"{"id": 1, "pin": {"k": "x"}}"# + "\n" + #"{"id": 2, "pin": {"hunter2": "swordfish"}}"#) {
            $0.schema = try schema(#"{"properties": {"pin": {"additionalProperties": {"maxLength": 3}}}}"#)
            $0.sensitive = ["pin"]
            $0.feed.sensitive = SensitivePaths(["pin"])
            $0.workers = workers
        }
        let reason = try #require(report.rejections.first?.reason)
        #expect(report.rejected == 1 && reason.contains("see #/properties/pin/additionalProperties/maxLength"), "\(reason)")
        #expect(!reason.contains("hunter2") && !reason.contains("swordfish"), "\(reason)")
    }

    /// A file's records become text without cells.
    @Test(arguments: [LoaderSink.ndjson, .csv]) func filesHaveOnlyRecordsThatFit(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let report = try loader.load(Self.feed) { $0.schema = try schema() }
        #expect(report.rejected == 3)
        #expect(try loader.rows("id") == [[1], [5]])
    }

    /// The rest of a feed is checked by the schema of the run that reads it.
    @Test func aRunThatGoesOnChecksWhatIsLeft() throws {
        let loader = try Loader(.sqlite)
        let path = loader.scratch.path("feed.ndjson")
        try Self.feed.write(toFile: path, atomically: true, encoding: .utf8)
        try loader.load(file: path) {
            $0.schema = try schema()
            $0.limit = 2
        }
        let report = try loader.load(file: path) { $0.schema = try schema() }
        #expect(report.rejected == 2 && report.rejectedBefore == 1, "\(report)")
        #expect(try loader.rows("id", by: "id") == [[1], [5]])
    }
}
