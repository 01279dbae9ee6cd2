// Unknown keys are counted by name, however many there are and in whatever order they come.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct UnknownKeyCountTests {
    private var options: JSONReader.Options { .init(unknownKeys: .report) }

    @Test("M17: shuffled keys are counted as the same keys in order are")
    func shuffledKeysAreCounted() throws {
        var random = SplitMix64(seed: 17)
        var reader = JSONReader(options: options)
        for round in 1...20 {
            let keys = (0..<900).shuffled(using: &random)
            let text = "{" + keys.map { "\"key \($0)\":\(round)" }.joined(separator: ",") + ",\"required\":1}"
            _ = try reader.read(Trio<Int>.self, from: Array(text.utf8))
            #expect(reader.report.unknownKeys.map(\.key) == keys.map { Array("key \($0)".utf8) })
            #expect(reader.report.unknownKeys.allSatisfy { $0.count == 1 })
            // Every third document is not accepted.
            if round % 3 != 0 { reader.acceptUnknownKeys(at: .start) }
        }
        let all = reader.takeUnknownKeys()
        #expect(all.count == 900)
        #expect(all.allSatisfy { $0.count == 14 })
        #expect(reader.acceptedUnknownKeys.isEmpty)
    }

    @Test func namesOfRejectedDocumentsMakeRoomAgain() throws {
        var reader = JSONReader(options: options)
        for round in 0..<5 {
            let accepted = "{" + (0..<10).map { "\"a\(round)-\($0)\":0" }.joined(separator: ",") + ",\"required\":1}"
            _ = try reader.read(Trio<Int>.self, from: Array(accepted.utf8))
            reader.acceptUnknownKeys(at: .start)
            let rejected = "{" + (0..<2000).map { "\"r\(round)-\($0)\":0,\"a0-\($0 % 10)\":1" }.joined(separator: ",") + "}"
            #expect(throws: JSONError.self) { try reader.read(Trio<Int>.self, from: Array(rejected.utf8)) }
            #expect(reader.report.unknownKeys.count <= 1000)
        }
        _ = try reader.read(Trio<Int>.self, from: Array(#"{"required":1}"#.utf8))
        let all = reader.acceptedUnknownKeys
        #expect(all.count == 50)
        #expect(all.allSatisfy { $0.count == 1 })
    }

    @Test func reportsOfOtherRecordsAreAddedByName() throws {
        var sum = JSONReadReport()
        var reader = JSONReader(options: options)
        for _ in 0..<3 {
            let text = "{" + (0..<1500).map { "\"k\($0)\":0" }.joined(separator: ",") + ",\"required\":1}"
            _ = try reader.read(Trio<Int>.self, from: Array(text.utf8))
            sum.add(unknownKeys: reader.report.unknownKeys)
        }
        #expect(sum.unknownKeys.count == 1000)
        #expect(sum.unknownKeys.allSatisfy { $0.count == 3 })
    }

    /// A reader remembers which keys follow each other, also those that it reports. That must not show.
    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func aReaderThatRemembersKeysReportsWhatANewOneDoes(parser: JSONReader.Options.Parser) throws {
        var options = options
        options.parser = parser
        var random = SplitMix64(seed: 22)
        let names = ["a", "bb", "a key of more than sixteen bytes", #"\u00e4"#, "ä", #"q\"q"#, String(repeating: "k", count: 70)]
        let values = ["1", "\"x\"", "[1,{\"a\":2}]", "{\"bb\":{}}", "null", "true"]
        func object() -> String {
            var keys = names.filter { _ in Int.random(in: 0..<8, using: &random) > 0 }
            if Int.random(in: 0..<4, using: &random) == 0 { keys.shuffle(using: &random) }
            var members = keys.map { "\"\($0)\":\(values.randomElement(using: &random) ?? "0")" }
            members.insert("\"required\": 1", at: Int.random(in: 0...members.count, using: &random))
            return "{" + members.joined(separator: Bool.random(using: &random) ? "," : ", ") + "}"
        }
        var reader = JSONReader(options: options)
        for _ in 0..<300 {
            let text = "[" + (0..<4).map { _ in object() }.joined(separator: ",\n") + "]" + String(repeating: " ", count: 90)
            _ = try reader.read([Trio<Int>].self, from: Array(text.utf8))
            var other = JSONReader(options: options)
            _ = try other.read([Trio<Int>].self, from: Array(text.utf8))
            #expect(reader.report.unknownKeys == other.report.unknownKeys, "\(text)")
            #expect(reader.report.unknownKeyCount == other.report.unknownKeyCount)
            if Int.random(in: 0..<20, using: &random) == 0 { _ = reader.takeUnknownKeys() }
        }
    }

    /// Most records repeat the keys of the one before. Some lack one, have another one or are damaged, and the run of keys changes.
    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func recordsThatRepeatTheirKeysAreCountedAsOthersAre(parser: JSONReader.Options.Parser) throws {
        var options = options
        options.parser = parser
        var random = SplitMix64(seed: 25)
        var keys = ["a", "b", "a key of more than sixteen bytes", "c", "a", "d"]
        var reader = JSONReader(options: options)
        var sums: [String: Int] = [:]
        var offsets: [String: Int] = [:]
        var offset = 0
        for round in 0..<2_000 {
            if round % 97 == 0 { keys = keys.shuffled(using: &random) + ["late \(round)"] }
            if round % 300 == 0 { keys = (0..<300).map { "many \($0)" } + keys.suffix(3) }
            if round % 300 == 100 { keys = Array(keys.suffix(5)) }
            var own = keys
            switch Int.random(in: 0..<12, using: &random) {
            case 0: own.remove(at: Int.random(in: 0..<own.count, using: &random))
            case 1: own.insert("e\(Int.random(in: 0..<3, using: &random))", at: Int.random(in: 0...own.count, using: &random))
            case 2: own = []
            case 3: own = Array(own.prefix(2))
            default: break
            }
            let isDamaged = Int.random(in: 0..<9, using: &random) == 0
            let members = own.map { "\"\($0)\":1" } + ["\"required\":\(isDamaged ? "[" : "2")"]
            let text = Array("{\(members.joined(separator: ","))}".utf8)
            do {
                _ = try reader.read(Trio<Int>.self, from: text)
                #expect(!isDamaged)
            } catch {
                #expect(isDamaged)
            }
            let found = Dictionary(own.map { ($0, 1) }, uniquingKeysWith: +)
            if round % 5 == 0 {
                let reported = reader.report.unknownKeys.map { (String(decoding: $0.key, as: UTF8.self), $0.count) }
                #expect(Dictionary(uniqueKeysWithValues: reported) == found)
                #expect(reader.report.unknownKeyCount == own.count)
            }
            if !isDamaged, round % 7 != 0 {
                reader.acceptUnknownKeys(at: SourcePosition(offset: offset, line: 1, column: 1))
                sums.merge(found, uniquingKeysWith: +)
                for key in found.keys where offsets[key] == nil { offsets[key] = offset }
            }
            offset += text.count
            guard round % 500 == 499 || round % 61 == 60 else { continue }
            let all = round % 500 == 499 ? reader.takeUnknownKeys() : reader.acceptedUnknownKeys
            #expect(Dictionary(uniqueKeysWithValues: all.map { (String(decoding: $0.key, as: UTF8.self), $0.count) }) == sums)
            for key in all {
                let first = offsets[String(decoding: key.key, as: UTF8.self)] ?? .max
                #expect(key.position.offset >= first && key.position.offset < first + 6_000)
            }
            if round % 500 == 499 { (sums, offsets) = ([:], [:]) }
        }
    }
}
