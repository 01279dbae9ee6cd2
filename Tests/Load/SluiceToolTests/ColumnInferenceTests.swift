#if CommandLine
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct ColumnInferenceTests {
    /// Columns as `name:type`.
    private func columns(_ records: [String], limit: Int = 2_000, depth: Int = 8) throws -> [String] {
        var inference = ColumnInference()
        for record in records { inference.observe(try JSONValue(json: record)) }
        return try inference.columns(limit: limit, depth: depth).map { "\($0.name):\($0.type.name)" }
    }

    @Test(arguments: [
        (["true", "false", "null"], "bool"),
        (["1", "-7", "null", "9223372036854775807"], "integer"),
        (["1.5", "2e3"], "real"),
        (["1.0"], "real"),
        (["1", "1.5"], "real"),
        (["9223372036854775808"], "text"),
        (["1", "18446744073709551615"], "text"),
        (["\"a\"", "null"], "text"),
        (["\"2025-01-01T00:00:00Z\""], "text"),
        (["null"], "text"),
        (["1", "\"a\""], "text"),
        (["true", "1"], "text"),
        (["true", "\"a\""], "text"),
        (["[]"], "json"),
        (["[1]", "null"], "json"),
        (["[1]", "1"], "json"),
        (["{}"], "json"),
        (["{\"a\": 1}", "1"], "json"),
        (["{\"a\": 1}", "[1]"], "json"),
    ])
    func aColumnsTypeHoldsAllItsValues(values: [String], type: String) throws {
        #expect(try columns(values.map { "{\"x\": \($0)}" }) == ["x:\(type)"])
        #expect(try columns(values.reversed().map { "{\"x\": \($0)}" }) == ["x:\(type)"])
    }

    @Test func objectsBecomeTheirKeys() throws {
        let found = try columns([
            #"{"id": 1, "actor": {"id": 2, "name": {"first": "a"}}, "z": true}"#, #"{"actor": null, "new": 1.5}"#,
        ])
        #expect(found == ["id:integer", "actor_id:integer", "actor_name_first:text", "z:bool", "new:real"])
    }

    @Test func keysStandInTheOrderOfTheirFirstAppearance() throws {
        #expect(try columns([#"{"b": 1, "a": 2}"#, #"{"a": 1, "c": 2, "b": 3}"#]) == ["b:integer", "a:integer", "c:integer"])
    }

    @Test func clashingNamesGetNumbersAndShortPathsKeepTheirs() throws {
        #expect(
            try columns([#"{"a": {"b": 1, "B": 2}, "a_b": "x", "A": 1, "a_b_2": 1}"#])
                == ["a_b_3:integer", "a_B_4:integer", "a_b:text", "A:integer", "a_b_2:integer"])
    }

    @Test func keysThatNoPathExpressesAreReadWithTheObjectAroundThem() throws {
        #expect(
            try columns([#"{"a.b": 1, "": 2, "o": {"x.y": 1, "z": 2}, "p": {"": 1}}"#])
                == ["a.b:integer", "column:integer", "o:json", "p:json"])
    }

    @Test func keysAreToldApartByTheirBytes() throws {
        #expect(try columns([#"{"é": 1, "e\u0301": 2}"#]).count == 2)
    }

    @Test func deepObjectsAreJSON() throws {
        let deep = #"{"a": {"b": {"c": {"d": 1}}}}"#
        #expect(try columns([deep], depth: 3) == ["a_b_c:json"])
        #expect(try columns([deep], depth: 4) == ["a_b_c_d:integer"])
        let nested = String(repeating: #"{"k": "#, count: 20) + "1" + String(repeating: "}", count: 20)
        #expect(try columns([nested]) == ["k_k_k_k_k_k_k_k:json"])
    }

    @Test func tooManyColumnsAreFlattenedLess() throws {
        let wide = #"{"a": {"b": {"c": 1, "d": 2}, "e": 3}, "f": 4}"#
        #expect(try columns([wide], limit: 4) == ["a_b_c:integer", "a_b_d:integer", "a_e:integer", "f:integer"])
        #expect(try columns([wide], limit: 3) == ["a_b:json", "a_e:integer", "f:integer"])
        #expect(try columns([wide], limit: 2) == ["a:json", "f:integer"])
        #expect(throws: IngestError.self) { try columns([wide], limit: 1) }
    }

    @Test func recordsThatAreNotObjectsGiveNoColumns() throws {
        #expect(try columns(["1", "[1]", "null", "{}"]) == [])
    }
}

struct ColumnOptionTests {
    @Test(arguments: [
        ("id:integer", "id", "integer", ["id"]),
        ("who:text=actor.login", "who", "text", ["actor", "login"]),
        ("a:b:json=x", "a:b", "json", ["x"]),
        ("a.b:real", "a.b", "real", ["a.b"]),
        ("x:date=a=b", "x", "date", ["a=b"]),
        ("ok:bool", "ok", "bool", ["ok"]),
        ("at:unix", "at", "unix", ["at"]), ("at:unix-ms=x.y", "at", "unix-ms", ["x", "y"]),
        ("at:timestamp(dd.MM.yyyy HH:mm)=a.b", "at", "timestamp(dd.MM.yyyy HH:mm)", ["a", "b"]),
        ("a:b:date(yyyy=MM=dd)", "a:b", "date(yyyy=MM=dd)", ["a:b"]), ("a(b:text", "a(b", "text", ["a(b"]),
        ("at:date(yyyy')'MM)=x", "at", "date(yyyy')'MM)", ["x"]), ("a:text=b:date(x)", "a", "text", ["b:date(x)"]),
    ])
    func anOptionSaysNameTypeAndPath(text: String, name: String, type: String, path: [String]) throws {
        let option = try ColumnOption(text)
        #expect(option.name == name)
        #expect(option.type.name == type)
        #expect(option.path.components == path)
        #expect(!option.column.isTolerant)
    }

    @Test(arguments: [
        "id", "id=x", "id:int", ":text", ":text=a", "id:text=", "", "a:date(", "a:date()", "a:date(q)", "a:unix(s)",
    ])
    func aMalformedColumnOptionIsRefused(text: String) {
        #expect(throws: IngestError.self) { try ColumnOption(text) }
    }

    @Test(arguments: [
        ("a:dat", "date"), ("a:timestmap", "timestamp"), ("a:unixms", "unix-ms"), ("a:int", "integer"), ("a:String", "text"),
        ("a:datetime", "timestamp"), ("a:txt", "text"), ("a:Date(yyyy)", "date"),
    ])
    func aMisspeltTypeIsAnsweredByTheOneThatWasMeant(text: String, type: String) {
        do {
            _ = try ColumnOption(text)
            Issue.record("\(text) is taken")
        } catch {
            #expect(error.description.hasSuffix("is no column type; did you mean \(type)?"), "\(error)")
        }
    }

    @Test func anUnknownTypeIsAnsweredByAllThatThereAre() {
        let error = #expect(throws: IngestError.self) { try ColumnOption("a:zebra") }
        #expect(
            error?.description.hasSuffix(
                "there are integer, real, text, bool, json, date, timestamp, unix, unix-ms, date(PATTERN) and timestamp(PATTERN)")
                == true)
    }

    @Test(arguments: [
        ["a:text", "A:integer=b"], ["a:text=x", "b:text=x"], ["a:json=x", "b:text=x.y"], ["b:text=x.y.z", "a:json=x"],
    ])
    func twoColumnsOfOneNameOrValueAreRefused(texts: [String]) throws {
        let options = try texts.map { try ColumnOption($0) }
        #expect(throws: IngestError.self) { try ColumnOption.columns(options) }
    }
}
#endif
