// One document with everything in it, cut at every byte; under AddressSanitizer this also shows that no cut reads astray.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct SplitTests {
    private static let everything = """
        \u{FEFF} {"required" : [ {"a\\u0041\\n": [1, 2.5e-3, -0, null], "é😀": {}, "": "\\ud83d\\ude00 ? \\"x\\\\"}, [], {}, true, false, null,
          "a string of more than fifteen bytes", "\\u0000", 123456789012345678901234567890 ],
          "skipped": {"deep": [[[{"required": [1, {"x": "}]"}]}]]], "text": "\\\\\\" ]}"}, "defaulted" :\t[{}] ,
          "opt\\u0069onal": {"a": {"b": [null, "\\/"]}}, "required": [[[1], "again"]] }

        """

    @Test func everyCutGivesTheSameValue() throws {
        let (outcome, disagreements) = readEveryWay(Trio<JSONValue>.self, Self.everything)
        guard case .value(let trio) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(trio.required.description == #"[[[1],"again"]]"#)
        #expect(trio.optional?.description == #"{"a":{"b":[null,"/"]}}"#)
        #expect(disagreements == [])
    }

    @Test func everyCutGivesTheSameBytes() throws {
        let (outcome, disagreements) = readEveryWay(Trio<RawJSON>.self, Self.everything)
        guard case .value(let trio) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(trio.required.text == #"[[[1], "again"]]"#)
        #expect(trio.defaulted.text == "[{}]")
        #expect(disagreements == [])
        let (whole, others) = readEveryWay(RawJSON.self, Self.everything)
        guard case .value(let raw) = whole else { return #expect(Bool(false), "\(whole)") }
        #expect(raw.text == Self.everything.dropFirst(2).dropLast(1))
        #expect(others == [])
    }

    @Test func everyCutGivesTheSameTree() throws {
        let tree = Tree("a\\\"\n", [Tree("é😀", [Tree("a string of more than fifteen bytes"), Tree("")]), Tree("?")])
        for options in [JSONWriter.Options(), .pretty, .sortedKeys] {
            let (outcome, disagreements) = try readEveryWay(Tree.self, tree.jsonBytes(options: options))
            #expect(outcome == .value(tree))
            #expect(disagreements == [])
        }
    }

    @Test(
        arguments: [
            #"{"required":[{"a":1},{"a":"x"}]}"#, #"{"required":[{"a":[true]}],"required":7}"#, #"{"required":[{"a":1}]"#,
            #"{"optional":[]}"#,
            #"{"required":[{"a":1}]}]"#, #"{"required":[{"a":1.5}]}"#, #"{"required":[{"\ud800":1}]}"#,
            #"{"required":[{"a":nul}]}"#,
        ])
    func everyCutGivesTheSameErrorAtTheSamePosition(_ text: String) {
        let (outcome, disagreements) = readEveryWay(Trio<[[String: Int]]>.self, text)
        guard case .failure = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(disagreements == [])
        #expect(positionsEveryWay(Trio<[[String: Int]]>.self, text) == [])
    }

    @Test(
        .enabled(if: Corpus.isPresent, "the corpus is not there"),
        arguments: ["github_user.json", "weibo.json", "github_events.json"])
    func everyCutOfRealFilesGivesTheSame(_ name: String) throws {
        let bytes = try Corpus.bytes(name)
        let (outcome, disagreements) = readEveryWay(JSONValue.self, bytes)
        guard case .value(let value) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(disagreements == [])
        #expect(try JSONValue(json: value.jsonBytes()) == value)
        let (raw, others) = readEveryWay(RawJSON.self, bytes)
        guard case .value(let text) = raw else { return #expect(Bool(false), "\(raw)") }
        #expect(others == [])
        #expect(try JSONValue(json: text.text) == value)
    }
}
