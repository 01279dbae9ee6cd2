// A key that a record has twice, in a filter: the rule is that of a reader (RepeatedKeySpecTests).

import SluiceCore
import SluiceTestSupport
import Testing

@Suite struct RepeatedKeyFilterTests {
    /// What a filter says of records that do not have 2 in `b`, and whose `a` or `o.x` is not what a second look says.
    private static func verdict(_ text: String, _ rule: JSONReader.Options.DuplicateKeys) throws -> RecordFilter.Verdict {
        let (a, x, b) = (
            JSONColumn(name: "a", type: .integer, keys: ["a"]), JSONColumn(name: "x", type: .integer, keys: ["o.x"]),
            JSONColumn(name: "b", type: .integer, keys: ["b"])
        )
        let isNamed = try RecordPredicate(a, .equal, .integer(1)) || RecordPredicate(x, .equal, .integer(1))
        var filter = try (isNamed && RecordPredicate(b, .equal, .integer(2))).makeFilter(options: .init(duplicateKeys: rule))
        return unsafe Array(text.utf8).withUnsafeBytes { unsafe filter.verdict(on: $0) }
    }

    @Test(arguments: [
        #"{"a":1,"a":1,"b":3}"#, #"{"b":3,"a":1,"\u0061":1}"#, #"{"b":3,"b":3,"a":1}"#, #"{"o":{"x":1,"x":1},"b":3}"#,
        #"{"b":3,"o":{"x":1},"o":{"y":2}}"#, #"{"b":3,"o":{},"o":5}"#,
    ])
    func aRecordIsReadIfAKeyOfAConditionIsRefusedWhateverTheOthersSay(text: String) throws {
        #expect(try Self.verdict(text, .error) == .unclear)
        #expect(try Self.verdict(text, .errorEverywhere) == .unclear)
        #expect(try Self.verdict(text, .last) == .doesNotMatch)
        #expect(try Self.verdict(text, .first) == .doesNotMatch)
    }

    @Test func theLastValueDecidesHoweverItsKeyIsWritten() throws {
        for first in [#""b":3"#, #""b":null"#, #""\u0062":3"#] {
            for last in [#""b":2"#, #""\u0062":2"#, #""c":"\\","b":2"#, #""c":{"b":3},"b" : 2"#, #""c":"\\\"b\"","\u0062":2"#] {
                #expect(try Self.verdict("{\"a\":1,\(first),\"d\":[{}],\(last)}", .last) == .matches, "\(first) \(last)")
                #expect(try Self.verdict("{\"a\":1,\(last),\(first)}", .last) == .doesNotMatch, "\(first) \(last)")
            }
            for other in [#""c":"b""#, #""c":{"b":2}"#, #""c":"\\\"b\":2""#, #""bb":2"#, #""B":2"#, #""o":{"b":2}"#, #""c":2"#] {
                #expect(try Self.verdict("{\"a\":1,\(first),\(other)}", .last) == .doesNotMatch, "\(first) \(other)")
            }
        }
        #expect(try Self.verdict(#"{"a":0,"b":2,"o":{"x":3},"o":{"y":[],"x":1}}"#, .last) == .matches)
        #expect(try Self.verdict(#"{"a":1,"b":2,"a":0}"#, .last) == .doesNotMatch)
    }

    @Test func aFilterDecidesByTheLastOrTheFirstValuesOfRandomRecords() throws {
        var random = SplitMix64(seed: 46)
        var decided = 0
        for _ in 0..<5_000 {
            // The values that count, and the text.
            var (last, first) = ([String: Int](), [String: Int]())
            func note(_ key: String, _ value: Int) {
                last[key] = value
                first[key] = first[key] ?? value
            }
            let members = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                let value = Int.random(in: 1...3, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1:
                    note("a", value)
                    return Bool.random(using: &random) ? "\"a\":\(value)" : "\"\\u0061\": \(value)"
                case 2, 3:
                    note("b", value)
                    return Bool.random(using: &random) ? "\"b\":\(value)" : "\"\\u0062\": \(value)"
                case 4:
                    note("x", value)
                    return "\"o\":{\"y\":[{\"b\":2}],\"x\":\(value)}"
                case 5: return "\"c\":{\"a\":\(value),\"b\":[\"b\",2]}"
                case 6: return "\"d\":\"\\\"b\\\":\(value) \\u0062\""
                default: return "\"bb\":\(value)"
                }
            }
            let text = "{\(members.joined(separator: ","))}"
            for (rule, values) in [(JSONReader.Options.DuplicateKeys.last, last), (.first, first)] {
                let isTrue = (values["a"] == 1 || values["x"] == 1) && values["b"] == 2
                let verdict = try Self.verdict(text, rule)
                #expect(verdict == (isTrue ? .matches : .doesNotMatch), "\(rule) \(text)")
                decided += isTrue ? 1 : 0
            }
        }
        #expect(decided > 300)
    }
}
