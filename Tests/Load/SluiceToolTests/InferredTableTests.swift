// What `sluice infer` says of child tables: dates in their columns, and the tables as a JSON Schema.

#if CommandLine
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite(.enabled(if: Shell.isPresent)) struct InferredTableTests {
    private static let feed =
        #"{"id":1,"on":"2024-01-31","items":[{"due":"2024-02-01","made_at":"2024-02-01T09:30:00Z","n":1,"parts":[{"seen":"2024-02-02"}]}],"days":["2024-03-01"],"by":{"a":{"at":"2024-04-01"},"b":{"at":"2024-04-02"},"c":{"at":"2024-04-03"}}}"#

    private func infer(_ options: String) throws -> String {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", Self.feed + "\n")
        let run = try scratch.shell("sluice infer \(options) --children tables --pk id --name t in.ndjson")
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test func datesInChildTablesHaveTheirTypes() throws {
        let text = try infer("--as sql --dialect postgres --child by")
        for line in [
            #""on" date"#, #""due" date"#, #""made_at" timestamptz"#, #""seen" date"#, #""value" date"#, #""at" date"#,
        ] {
            #expect(text.contains("    \(line)"), "\(line) in \(text)")
        }
        #expect(!(try infer("--as sql")).contains("date,"))
    }

    @Test func tablesAreASchemaOfTheirRows() throws {
        let schema = try JSONValue(json: infer("--as json-schema"))
        let tables = try #require(schema["properties"]?.object)
        #expect(tables.members.map(\.key) == ["t", "t_items", "t_items_parts", "t_days"])
        func row(_ table: String) -> JSONValue? { tables[table]?["items"] }
        #expect(row("t")?["properties"]?["id"] == ["type": "integer"])
        #expect(row("t")?["required"] == ["id"])
        #expect(row("t")?["properties"]?["on"] == ["type": ["string", "null"], "format": "date"])
        #expect(row("t_items")?["properties"]?["made_at"] == ["type": ["string", "null"], "format": "date-time"])
        #expect(row("t_items")?["required"] == ["t_id", "position"])
        #expect(row("t_items_parts")?["properties"]?["seen"] == ["type": ["string", "null"], "format": "date"])
        #expect(row("t_days")?["properties"]?["value"] == ["type": ["string", "null"], "format": "date"])
    }

    @Test func nothingIsToldOfASensitiveColumn() throws {
        let text = try infer("--as json-schema --sensitive on")
        #expect(try JSONValue(json: text)["properties"]?["t"]?["items"]?["properties"]?["on"]?["format"] == nil)
    }

    @Test func optionsAboutTablesNeedTables() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", Self.feed + "\n")
        for options in ["--as json-schema --pk id", "--as swift --children tables", "--children tables"] {
            #expect(try scratch.shell("sluice infer \(options) in.ndjson").status == 64, "\(options)")
        }
    }
}
#endif
