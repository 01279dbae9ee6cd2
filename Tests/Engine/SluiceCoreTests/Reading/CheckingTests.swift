// Text that is only checked is judged exactly as text that is read: same verdict, same words, same position.

import SluiceTestSupport
import Testing

@testable import SluiceCore

struct CheckingTests {
    /// The error without its path: a value that is not bound has no path.
    private func words(_ error: JSONError) -> String {
        "\(error.kind) \(error.position) \(error.expected) / \(error.found) / \(error.hint ?? "")"
    }

    private func words(_ options: JSONReader.Options, _ body: (inout JSONReader) throws(JSONError) -> Void) -> String {
        var reader = JSONReader(options: options)
        do throws(JSONError) {
            try body(&reader)
            return "JSON"
        } catch {
            return words(error)
        }
    }

    /// The verdicts that differ from that of reading the text as a tree.
    private func disagreements(_ bytes: [UInt8], _ options: JSONReader.Options = .lenient) -> [String] {
        var options = options
        options.validation = .full
        let expected = words(options) { reader throws(JSONError) in _ = try reader.read(JSONValue.self, from: bytes) }
        let reading = readings(of: CheckedText.self, bytes, options: options)
        let verdict = reading.error.map(words) ?? "JSON"
        return verdict == expected ? reading.disagreements : ["\(verdict); as a tree: \(expected)"]
    }

    @Test(arguments: [
        "1", "-0.5e+3", "true", "null", #""é\u00e9\ud83d\ude80\n""#, "[]", "{}", " [1, 2 ,{\"a\":[ ]}] ",
        #"{"a":{"b":[null,""]}}"#,
        "", "  ", "[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "nul", "[nul]", "01", "1.", "[1e]", "\"a", "\"\\x\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\u12g4\"", "[1] 2", "{\"a\":1}}", "\"\u{1}\"", "[[1}", "'a'", "[NaN]",
        "\u{FEFF}[1]",
        "{\"k\":\"\(String(repeating: "x", count: 40))\\u00e9\(String(repeating: "é", count: 20))\"}", "[\u{B}1]", "{1:2}",
    ])
    func aTextIsJudgedAsItIsRead(_ text: String) {
        #expect(disagreements(Array(text.utf8)) == [])
    }

    @Test(arguments: [
        [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        Array("{\"abcdefghijklmnopqrstuvwxyz\":\"abcdefghijklmnopqrstuvwxyz".utf8) + [0xFF] + Array("abc\"}             ".utf8),
        [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00],
    ])
    func bytesThatAreNoTextAreRefused(_ bytes: [UInt8]) {
        #expect(disagreements(bytes) == [])
    }

    @Test func budgetsHold() {
        let options = JSONReader.Options.untrusted
        for text in [
            #"{"a":1,"a":2}"#, #"[{"b":{"a":1,"a":2}}]"#, String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
            #"{"a":1,"b":{"a":2}}"#, "[" + String(repeating: "1,", count: 10_001) + "1]",
        ] {
            #expect(disagreements(Array(text.utf8), options) == [])
        }
        var shallow = JSONReader.Options.lenient
        shallow.maximumDepth = 3
        #expect(disagreements(Array("[[[1]]]".utf8), shallow) == [])
        #expect(disagreements(Array("[[[[1]]]]".utf8), shallow) == [])
    }

    @Test func damagedTextIsJudgedAsItIsRead() {
        var random = SplitMix64(seed: 71)
        for round in 0..<200 {
            var bytes = Array(SampleJSON.random(&random, depth: 4).text(&random).utf8)
            if round % 4 != 0 { bytes = random.damaged(bytes) }
            let found = disagreements(bytes)
            #expect(found == [], "\(String(decoding: bytes, as: UTF8.self))")
            if !found.isEmpty { return }
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func theParserCasesAreJudgedAsTheyAreRead() throws {
        for name in try Corpus.testSuite() where name.hasSuffix(".json") {
            let bytes = try Corpus.bytes("JSONTestSuite/\(name)")
            if bytes.count < 10_000 { #expect(disagreements(bytes) == [], "\(name)") }
        }
    }

    /// The fast path must be taken: what it refuses, yajl would accept all the same.
    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"), arguments: ["twitter.json", "github_events.json"])
    func realDocumentsAreCheckedWithoutYajl(_ name: String) throws {
        let bytes = try Corpus.bytes(name)
        let binder = BinderHandle(options: .lenient)
        defer { binder.free() }
        var value: CheckedText?
        let isPlain = unsafe withUnsafeMutablePointer(to: &value) { root in
            unsafe binder.state.begin(
                BindingRegistry.shared.rootRow(for: CheckedText.self), at: UnsafeMutableRawPointer(root))
            return unsafe bytes.withUnsafeBytes { unsafe DocumentScanner(binder, $0).read() }
        }
        #expect(isPlain && value != nil)
    }
}
