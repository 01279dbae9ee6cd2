// Keys in the order of their bytes, as Foundation sorts them.

import Foundation
import SluiceCodable
import SluiceTestSupport
import Testing

@Suite struct SortedKeyTests {
    /// Encodes members in a given order.
    private struct Members: Encodable {
        let keys: [String]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            for (index, key) in keys.enumerated() {
                let key = AnyKey(stringValue: key)
                switch index % 4 {
                case 0: try container.encode(index, forKey: key)
                case 1: try container.encode(String(repeating: "x", count: index), forKey: key)
                case 2: try container.encode(["b": index, "a": index], forKey: key)
                default:
                    var nested = container.nestedUnkeyedContainer(forKey: key)
                    if index % 8 == 3 { try nested.encode(index) }
                }
            }
        }
    }

    private static let alphabet = [
        "a", "b", "aa", "abcdefgh", "abcdefghi", "abcdefghij", "Z", "0", "é", "e\u{301}", "/", "\\", "\"", "\u{0}", " ", "😀", "~",
    ]

    @Test func keysAreSortedAsFoundationSortsThem() throws {
        var random = SplitMix64(seed: 5)
        for round in 0..<400 {
            let count = [0, 1, 2, 3, 8, 9, 31, 32, 33, 34, 100].randomElement(using: &random)!
            // Without escapes, and outside ASCII, in half of the rounds.
            let alphabet = round % 2 == 0 ? Array(Self.alphabet.prefix(8)) : Self.alphabet
            let keys = (0..<count).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in alphabet.randomElement(using: &random)! }.joined()
            }
            // A nested container cannot be asked for where the key has another value.
            let members = Members(keys: round % 4 < 2 ? Array(Set(keys)).shuffled(using: &random) : Array(Set(keys)).sorted())
            for formatting: JSONEncoder.OutputFormatting in [
                [.sortedKeys], [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
            ] {
                let (encoder, foundation) = (SluiceJSONEncoder(), JSONEncoder())
                for encoder in [encoder, foundation] { encoder.outputFormatting = formatting }
                let own = String(decoding: try encoder.encode([members, members]), as: UTF8.self)
                let other = String(decoding: try foundation.encode([members, members]), as: UTF8.self)
                #expect(own == other)
                let dictionary = Dictionary(keys.map { ($0, [$0.utf8.count]) }) { $1 }
                #expect(try encoder.encode(dictionary) == foundation.encode(dictionary))
            }
        }
    }
}
