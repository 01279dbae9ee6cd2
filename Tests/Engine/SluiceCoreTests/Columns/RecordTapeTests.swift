// The tape of a record: only of JSON, the same as that of a check and a scan one after the other, with the words of a tree for what is not.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct RecordTapeTests {
    private static let reading = JSONReader.Options(validation: .full)

    /// What is on a tape after its first entry.
    private func entries(_ tape: JSONTape) -> [String] {
        (1..<tape.index(after: 1)).map { "\(tape[$0].kind) \(tape[$0].flags) \(tape[$0].offset) \(tape[$0].bits)" }
    }

    private func words(_ body: () throws(JSONError) -> Void) -> String? {
        do throws(JSONError) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    /// What a tape made in one walk has unlike one made after a check; nil if there is nothing.
    private func disagreement(_ bytes: [UInt8]) -> String? {
        var records = RecordTape()
        let tree = words { () throws(JSONError) in
            var reader = JSONReader(options: Self.reading)
            _ = try reader.read(JSONValue.self, from: bytes)
        }
        return unsafe bytes.withUnsafeBytes { text in
            let isRight = unsafe records.tape.scanChecked(text, levels: Self.reading.maximumDepth)
            // A reader passes over a byte order mark.
            guard isRight == (tree == nil && bytes.first != 0xEF) else { return "walk: \(isRight), tree: \(tree ?? "JSON")" }
            let one = isRight ? entries(records.tape) : []
            let error = words { () throws(JSONError) in unsafe try records.scan(text) }
            guard error == tree else { return "\(error ?? "JSON"), tree: \(tree ?? "JSON")" }
            guard isRight else { return nil }
            let tape = JSONTape()
            let scanned = words { () throws(JSONError) in unsafe try tape.scan(text) }
            let two = entries(tape)
            return scanned == nil && one == two ? nil : "\(one), after a check: \(two)"
        }
    }

    @Test(arguments: [
        "1", "-0.5e+3", "true", "null", #""é\u00e9\ud83d\ude80\n""#, "[]", "{}", " [1, 2 ,{\"a\":[ ]}] ",
        #"{"a":{"b":[null,""]}}"#,
        "[-0,0.0,1.50,9007199254740993,123456789012345678901234567890,1e400,-1e-400,12345678901.5,0.12345678901234567890]",
        #"{"k\u0065y":"plain text of more than sixteen bytes","é":"text with é of more than sixteen bytes","t":"tab\tand more bytes"}"#,
        #"{"a":1.,"b":01,"c":1e,"d":-,"e":0x1,"f":1e400}"#, #"["\x","\ud800","\ud800\u0041","\udc00","\u12g4",'a',NaN]"#, "[1,]",
        "{\"k\":\"\(String(repeating: "x", count: 40))\\u00e9\(String(repeating: "é", count: 20))\"}", "\u{FEFF}[1]", "[\u{B}1]",
    ])
    func oneWalkMakesTheTapeOfACheckAndAScan(_ text: String) {
        let bytes = Array(text.utf8)
        var texts = (0...bytes.count).map { Array(bytes[..<$0]) }
        for index in bytes.indices {
            for byte in Array("\"}:\\1.e".utf8) + [0xFF, 0x00] {
                texts.append(bytes)
                texts[texts.count - 1][index] = byte
            }
        }
        let found = texts.compactMap { text in disagreement(text).map { "\(String(decoding: text, as: UTF8.self)): \($0)" } }
        #expect(found.isEmpty)
    }

    @Test func randomTextHasTheSameTape() {
        var random = SplitMix64(seed: 82)
        for round in 0..<200 {
            var bytes = Array(SampleJSON.random(&random, depth: 4).text(&random).utf8)
            if round % 4 == 0 { bytes = random.damaged(bytes) }
            let found = disagreement(bytes)
            #expect(found == nil, "\(String(decoding: bytes, as: UTF8.self))")
            if found != nil { return }
        }
    }

    @Test func aTapeHasAsManyLevelsAsAReader() {
        for depth in [511, 512, 513] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(disagreement(Array(text.utf8)) == nil)
        }
    }

    @Test func aTapeThatHidesTextQuotesNothing() {
        for text in [#"{"pin":zQ7wKx93}"#, #"{"pin":"zQ7wKx93}"#, #"{"zQ7wKx93" 1}"#, "zQ7wKx93"] {
            var records = RecordTape(hidesText: true)
            let words = words { () throws(JSONError) in
                var failure: JSONError?
                unsafe Array(text.utf8).withUnsafeBytes { text in
                    do throws(JSONError) { try unsafe records.scan(text) } catch { failure = error }
                }
                if let failure { throw failure }
            }
            #expect(words?.contains("zQ7") == false, "\(words ?? "JSON")")
        }
    }
}
