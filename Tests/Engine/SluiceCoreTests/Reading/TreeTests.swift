// Trees are read by a loop of their own, which leaves text that may be damaged to the general way.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct TreeTests {
    private static let texts = [
        "[]", "{}", "[[]]", "[{}]", #"{"a":{}}"#, "[ ]", "{ }", "[1]", "[1,2]", "[1,2,3]", "[1,2,3,4]", "[1,2,3,4,5]",
        "[1,-2.5e3,0,123456789012345678901234567890,0.1234567890123456789]",
        #"["",null,true,false,"fifteen letters","sixteen letters!","\u00e9\/\n","é","\ud83d\ude00"]"#,
        #"{"a":1,"a":2,"":3,"sixteen letters!":"x","\t":"\u0041","é":null}"#,
        #" { "a" : [ 1 , { "b" : [ ] } , [ [ 2 ] , 3 ] ] , "c" : { } } "#,
        "[\((0..<40).map { "[\($0),{\"k\($0)\":[\($0)]}]" }.joined(separator: ","))]",
        "{\((0..<40).map { "\"k\($0)\":[\($0),{\"x\":\"y\($0)\"}]" }.joined(separator: ","))}",
        String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
        String(repeating: #"{"a":["#, count: 30) + "7" + String(repeating: "]}", count: 30),
    ]

    @Test(arguments: texts) func aTreeIsReadAlikeEveryWay(text: String) throws {
        for padding in ["", String(repeating: " ", count: 40)] {
            let (outcome, disagreements) = readEveryWay(JSONValue.self, text + padding)
            #expect(disagreements.isEmpty)
            guard case .value(let tree) = outcome else {
                Issue.record("\(text) is not read")
                continue
            }
            let again = try JSONValue(json: tree.jsonString())
            #expect(again == tree)
        }
    }

    @Test(arguments: texts) func aGoodTreeIsReadByItsOwnLoop(text: String) throws {
        var reader = JSONReader()
        _ = try reader.read(JSONValue.self, from: text + String(repeating: " ", count: 40))
        #expect(!reader.binder.state.document.hasDoubtfulTree)
        _ = try reader.read([JSONValue].self, from: "[\(text),\(text)]" + String(repeating: " ", count: 40))
        #expect(!reader.binder.state.document.hasDoubtfulTree)
    }

    @Test(arguments: texts) func damageAtEveryByteIsReportedAlikeEveryWay(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count < 200 else { return }
        for index in bytes.indices {
            #expect(readEveryWay(JSONValue.self, Array(bytes[..<index])).disagreements.isEmpty)
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), 0xFF, 0x01] {
                var damaged = bytes
                damaged[index] = byte
                #expect(readEveryWay(JSONValue.self, damaged).disagreements.isEmpty)
            }
        }
    }

    @Test func treesWithinOtherValuesAreReadAlikeEveryWay() {
        for text in Self.texts {
            #expect(readEveryWay([JSONValue].self, "[\(text),1,\(text)]").disagreements.isEmpty)
            #expect(readEveryWay([[JSONValue]].self, "[[\(text)],[],[\(text),\(text)]]").disagreements.isEmpty)
            #expect(readEveryWay([String: JSONValue].self, "{\"a\":\(text),\"b\":\(text)}").disagreements.isEmpty)
            let table = readEveryWay([String: [JSONValue?]].self, "{\"a\":[\(text),null],\"b\":[\(text)]}")
            #expect(table.disagreements.isEmpty)
            let maybe = readEveryWay(JSONValue?.self, text)
            #expect(maybe.disagreements.isEmpty)
            #expect(readEveryWay(JSONObject.self, text).disagreements.isEmpty)
        }
    }

    /// A tree that is damaged deep inside is tried once, and not again for each container around the damage.
    @Test func aDoubtfulTreeIsNotTriedAgain() throws {
        var options = JSONReader.Options.tolerant
        options.maximumDepth = 100
        var reader = JSONReader(options: options)
        let deep = String(repeating: "[", count: 50) + "\"\u{FFFD}\"" + String(repeating: "]", count: 50)
        var bytes = Array(deep.utf8)
        let offset = try #require(bytes.firstIndex(of: 0xEF))
        bytes[offset] = 0xFF
        #expect(throws: JSONError.self) { try reader.read(JSONValue.self, from: bytes) }
        let tree = try reader.read(JSONValue.self, from: deep)
        #expect(!reader.binder.state.document.hasDoubtfulTree)
        #expect(tree == (try JSONValue(json: deep)))
    }

    @Test(arguments: [1, 2, 3, 50]) func aTreeMayBeAsDeepAsTheLimit(depth: Int) throws {
        var options = JSONReader.Options()
        options.maximumDepth = depth
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            func text(_ levels: Int) -> String {
                String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
            }
            let (good, bad) = (text(depth), text(depth + 1))
            #expect(readEveryWay(JSONValue.self, good, options: options).disagreements.isEmpty)
            #expect(throws: Never.self) { try JSONValue(json: good, options: options) }
            let (outcome, disagreements) = readEveryWay(JSONValue.self, bad, options: options)
            #expect(disagreements.isEmpty)
            guard case .value = outcome else { continue }
            Issue.record("\(bad) is too deep")
        }
    }

    /// Arrays of few elements are made another way than longer ones.
    @Test func arraysOfEveryLengthKeepTheirElements() {
        for count in 0..<20 {
            let numbers = Array(0..<count)
            #expect(readEveryWay([Int].self, numbers.description).outcome == .value(numbers))
            let doubles = numbers.map { Double($0) + 0.5 }
            #expect(readEveryWay([Double].self, doubles.description).outcome == .value(doubles))
            let strings = numbers.map { "a string of more than 15 bytes \($0)" }
            #expect(readEveryWay([String].self, strings.description).outcome == .value(strings))
            let tree = JSONValue.array(strings.map { .array([.string($0)]) })
            #expect(readEveryWay(JSONValue.self, tree.description).outcome == .value(tree))
        }
    }
}
