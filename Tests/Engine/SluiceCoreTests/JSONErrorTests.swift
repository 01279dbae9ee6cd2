// For each kind of error an input that gives it, with its exact position and words.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct JSONErrorTests {
    // MARK: Each kind, where it is

    @Test func aMismatchNamesItsPathPositionAndWhatStandsThere() throws {
        let text = """
            {"statuses": [
              {"user": {"id": 1}},
              {"user": {"id": "né\\n"}}
            ]}
            """
        let error = try expect(Archive.self, text, .typeMismatch, at: (56, 3, 19), path: "statuses[1].user.id")
        #expect(error.expected == "Int")
        #expect(error.found == "the string \"né\\n\"")
        #expect(
            error.summary == """
                type mismatch at statuses[1].user.id (line 3, column 19, byte 56): expected Int, found the string "né\\n"
                """)
    }

    @Test(
        arguments: [
            ("null", "null"), ("true", "true"), ("false", "false"), ("\"a\"", "the string \"a\""),
            (#""\u0061""#, "the string \"a\""),
            (#""\"\\\"""#, #"the string ""\"""#), ("12", "the number 12"), ("-1.5e3", "the number -1.5e3"), ("{}", "an object"),
            ("[]", "an array"),
            ("\"\"", "the string \"\""),
        ])
    func everyKindOfValueIsFoundAtItsFirstByte(_ json: String, _ found: String) throws {
        struct Context { let before, after, path: String }
        // Of the types none takes the value.
        for context in [
            Context(before: "[", after: "]", path: "[0]"), Context(before: "[ [],\n ", after: " ,[]]", path: "[1]"),
            Context(before: "[[],\n\n\t", after: "\n]", path: "[1]"), Context(before: "", after: "", path: ""),
            Context(before: " \n ", after: "\n", path: ""),
        ] {
            let offset = context.before.utf8.count
            let lines = context.before.split(separator: "\n", omittingEmptySubsequences: false)
            let position = (offset, lines.count, (lines.last?.utf8.count ?? 0) + 1)
            let text = context.before + json + context.after
            let error: JSONError
            if context.path.isEmpty {
                if json == "{}" { continue }
                error = try expect([String: Refusing].self, text, .typeMismatch, at: position, path: "")
            } else if json == "[]" {
                error = try expect(
                    [[String: Int]].self, context.before.replacing("[]", with: "{}") + json + context.after, .typeMismatch,
                    at: position, path: context.path)
            } else {
                error = try expect([[Int]].self, text, .typeMismatch, at: position, path: context.path)
            }
            #expect(error.found == found)
        }
    }

    @Test func aNumberWithoutRoomIsAnInvalidValueAtItsFirstByte() throws {
        let error = try expect([Int8].self, "[1, 2,\n  128 ]", .invalidValue, at: (9, 2, 3), path: "[2]")
        #expect(error.expected == "Int8 (-128…127)")
        #expect(error.found == "the number 128")
        try expect([Double].self, "[1e999]", .invalidValue, at: (1, 1, 2), path: "[0]")
        try expect(Int8.self, "1000", .invalidValue, at: (0, 1, 1), path: "")
        let color = try expect([Color].self, #"["red", "b\u006cue"]"#, .invalidValue, at: (8, 1, 9), path: "[1]")
        #expect(color.expected == "a case of Color")
        #expect(color.found == "the string \"blue\"")
        let optional = try expect([Int8?].self, "[null,300]", .invalidValue, at: (6, 1, 7), path: "[1]")
        #expect(optional.expected == "Int8? (-128…127)")
    }

    @Test func longValuesAreCutInWords() throws {
        let error = try #require(failure(reading: Int.self, "\"\(String(repeating: "long ", count: 30))\""))
        #expect(error.found == "the string \"\(String(repeating: "long ", count: 8))…\"")
        #expect(
            failure(reading: Bool.self, String(repeating: "1", count: 41))?.found
                == "the number \(String(repeating: "1", count: 40))…")
    }

    @Test func allMissingKeysAreInOneError() throws {
        let text = #"{"statuses":[{"user":{}}],"extra":1}"#
        let user = try expect(Archive.self, text, .missingKeys, at: (23, 1, 24), path: "statuses[0].user")
        #expect(user.keys == ["id"])
        let three = try expect(Needy.self, #"{"b":null}"#, .missingKeys, at: (10, 1, 11), path: "")
        #expect(three.keys == ["a", "b", "c.d", "e", "f"])
        #expect(three.expected == "an object of Needy")
        #expect(three.summary.hasPrefix("missing keys 'a', 'b' (null), 'c.d', 'e' or 'f' (line 1, column 11, byte 10)"))
    }

    @Test func missingKeysInsideADictionaryAreUnderItsKey() throws {
        try expect(
            [String: [Trio<Int>]].self, #"{"x":[],"a.b":[{"required":1},{}]}"#, .missingKeys, at: (32, 1, 33), path: #""a.b"[1]"#)
        try expect([String: [String: Int]].self, #"{"x":{},"y":{"z":1,"w":true}}"#, .typeMismatch, at: (23, 1, 24), path: "y.w")
        try expect(Keyed<Int, Deep>.self, #"{"a":{"b":"text"}}"#, .typeMismatch, at: (10, 1, 11), path: "a.b")
    }

    @Test(
        arguments: [
            ("[1 2]", "a number"), ("{\"a\":1 \"b\":2}", "a string"), ("{1:2}", "the key 1 without quotes"),
            ("{\"a\" 1}", "a number"), ("[tru]", "the word \"tru\""), ("[1.]", "a number without a digit after its point"),
            ("[1e]", "a number without a digit in its exponent"), ("[-]", "a minus sign without a digit"),
            ("[\"\\x\"]", "\\x"), ("[\"\u{1}\"]", "the control character 0x01 inside a string"),
            ("[\"\\u12g4\"]", "\\u without them"), ("[@]", "'@'"), ("[1,]", "']' after a trailing comma"), ("]", "']'"),
        ])
    func textThatIsNotJSONSaysWhatIsWrong(_ text: String, _ found: String) throws {
        let error = try #require(failure(reading: JSONValue.self, text))
        #expect(error.kind == .syntax)
        #expect(error.found == found)
        #expect((0...text.utf8.count).contains(error.offset))
        #expect(error.line == 1)
        #expect(error.column == error.offset + 1)
        let (_, disagreements) = readEveryWay(JSONValue.self, text)
        #expect(disagreements == [])
    }

    @Test func unexpectedEndIsReportedAtTheEndOfTheInput() throws {
        let error = try expect([[Int]].self, "[[1],\n [2", .unexpectedEnd, at: (9, 2, 4), path: "[1][1]")
        #expect(error.expected == "',' or ']'")
        #expect(error.hint == "the array that is open began at line 2, column 2")
        #expect(try expect(Int.self, " \n ", .unexpectedEnd, at: (3, 2, 2), path: "").expected == "a value")
        try expect(Int.self, "\u{FEFF}", .unexpectedEnd, at: (3, 1, 4), path: "")
    }

    @Test func whatFollowsTheValueIsAtItsFirstByte() throws {
        let error = try #require(failure(reading: [Int].self, "[1]\n [2]"))
        #expect(error.kind == .trailingContent)
        #expect(error.position == SourcePosition(offset: 5, line: 2, column: 2))
        #expect(try expect(Int.self, "1 \"two\"", .trailingContent, at: (2, 1, 3), path: "").expected == "the end of the input")
    }

    @Test func theOtherKindsHaveTheirInputs() throws {
        try expect([String].self, #"["a", "\ud800"]"#, .invalidUnicode, at: (7, 1, 8), path: "[1]")
        #expect(failure(reading: [[Int]].self, "[[[1]]]", options: .init(maximumDepth: 2))?.kind == .depthLimit)
        #expect(failure { () throws(JSONError) in try Int(json: [0x31, 0, 0x32, 0]) }?.kind == .unsupportedEncoding)
        #expect(failure { () throws(JSONError) in try Double.nan.jsonBytes() }?.kind == .notWritable)
        let invalid = try #require(failure(reading: Computed.self, "{}"))
        #expect(invalid.kind == .invalidModel)
        #expect(invalid.found == "the draft of 'value' is no plain stored property of JSONDraft")
        #expect(failure { () throws(JSONError) in try [Computed()].jsonBytes() }?.kind == .invalidModel)
        var missing = FileDescriptorSource(descriptor: -1, name: "nowhere")
        var reader = JSONReader()
        let failed = try #require(failure { () throws(JSONError) in try reader.read(Int.self, from: &missing) })
        #expect(failed.kind == .inputOutput)
        #expect(failed.description == "input/output error: cannot read nowhere: Bad file descriptor")
    }

    // MARK: Words

    @Test func theDescriptionShowsTheLineWithACaret() throws {
        let error = try #require(failure(reading: Archive.self, "{\"statuses\": [\n  {\"user\": {\"id\": true}}]}"))
        #expect(
            error.description.split(separator: "\n").dropFirst() == ["  {\"user\": {\"id\": true}}]}", "                  ^"])
        #expect(error.description.hasPrefix(error.summary + "\n"))
    }

    @Test func everyKindHasWords() {
        for kind in JSONError.Kind.allCases {
            let error = JSONError(kind, path: "a", expected: "this", found: "that", keys: ["k"], hint: "perhaps")
            #expect(
                error.summary.hasSuffix(
                    kind == .missingKeys ? ": expected this; perhaps" : ": expected this, found that; perhaps"))
            #expect(error.summary.contains(" 'k' at a"))
            #expect(kind == .missingKeys || JSONError(kind, found: "only").summary.hasSuffix(": only"))
        }
    }

    @Test func errorsAreOnePointerWideAndComparable() throws {
        #expect(MemoryLayout<JSONError>.size == MemoryLayout<Int>.size)
        let error = try #require(failure(reading: Int.self, "true"))
        #expect(error == failure(reading: Int.self, "true"))
        #expect(error != failure(reading: Int.self, " true"))
        #expect(error != failure(reading: Int8.self, "true"))
        let base = SourcePosition(offset: 100, line: 7, column: 3)
        #expect(error.shifted(by: base).position == base)
        #expect(error.prefixed(by: "[2]").prefixed(by: "a").prefixed(by: "").path == "a[2]")
        #expect(error.prefixed(by: "b").prefixed(by: "a").path == "a.b")
    }

    // MARK: Expectation

    /// The error, which must be the same however the text is cut.
    @discardableResult
    private func expect<Value: JSONBindable>(
        _ type: Value.Type, _ text: String, _ kind: JSONError.Kind, at position: (Int, Int, Int), path: String,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> JSONError {
        let error = try #require(failure(reading: type, text), sourceLocation: location)
        #expect(error.kind == kind, "\(text)", sourceLocation: location)
        #expect(error.path == path, "\(text)", sourceLocation: location)
        #expect(
            error.position == SourcePosition(offset: position.0, line: position.1, column: position.2), "\(text)",
            sourceLocation: location
        )
        #expect(positionsEveryWay(type, text) == [], "\(text)", sourceLocation: location)
        return error
    }
}

// MARK: - Models

private enum Deep: KeyList { static let keys: [JSONKeyPath] = ["a.b"] }

/// A scalar that is made of nothing.
private enum Refusing: JSONScalarBindable {
    init?(jsonScalar scalar: JSONScalar) { return nil }
    func write(to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Archive: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var statuses: [Status]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("statuses", \JSONDraft.statuses) }
    static let _jsonTable = PropertyTable._compiled(for: Archive.self)
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        _ = try bound.required(draft.statuses, 0)
    }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Status: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var user: User?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("user", \JSONDraft.user) }
    static let _jsonTable = PropertyTable._compiled(for: Status.self)
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        _ = try bound.required(draft.user, 0)
    }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct User: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("id", \JSONDraft.id) }
    static let _jsonTable = PropertyTable._compiled(for: User.self)
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { _ = try bound.required(draft.id, 0) }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Needy: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var a: Int?
        var b: Int?
        var c: Int?
        var e: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("a", \JSONDraft.a)
        model.property("b", \JSONDraft.b)
        model.property("c", \JSONDraft.c, keys: ["c.d"])
        model.property("e", \JSONDraft.e, keys: ["e", "f"])
    }

    static let _jsonTable = PropertyTable._compiled(for: Needy.self)
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        _ = try bound.required(draft.a, 0)
        _ = try bound.required(draft.b, 1)
    }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A draft whose field is computed has no offset.
private struct Computed: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var value: Int? { nil }
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("value", \JSONDraft.value) }
    static let _jsonTable = PropertyTable._compiled(for: Computed.self)
    init() {}
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {}
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
