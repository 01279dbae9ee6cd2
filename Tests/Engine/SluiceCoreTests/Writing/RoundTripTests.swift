// What is written reads back as the same value, and Foundation reads it as the same too.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct RoundTripTests {
    private static let layouts: [JSONWriter.Options] = [
        .init(), .init(nils: .null), .sortedKeys, .pretty, .init(nils: .null, sortedKeys: true, isPretty: true),
    ]

    @Test func randomModelsReadBackInEveryLayout() throws {
        var random = SplitMix64(seed: 71)
        for _ in 0..<150 {
            let model = Trio<[Trio<[String: JSONValue]>]>(random: &random)
            for options in Self.layouts { try expectSame(model, options) }
            try expectFoundationAgrees(model)
        }
    }

    @Test func randomTreesReadBackInEveryLayout() throws {
        var random = SplitMix64(seed: 72)
        for _ in 0..<300 {
            let value = random.value(depth: 5)
            for options in Self.layouts { try expectSame(value, options) }
            try expectFoundationAgrees(value)
        }
    }

    @Test func randomScalarsReadBack() throws {
        var random = SplitMix64(seed: 73)
        for _ in 0..<3000 {
            let bits = random.next()
            try expectSame(Int64(bitPattern: bits >> (bits & 63)))
            try expectSame(bits >> (bits & 63))
            try expectSame(Int8(truncatingIfNeeded: bits))
            try expectSame(UInt16(truncatingIfNeeded: bits))
            try expectSame(Int128(Int64(bitPattern: bits)) * Int128(random.next() >> 1))
            try expectSame(UInt128(bits) << 64 | UInt128(random.next()))
            if Double(bitPattern: bits).isFinite { try expectSame(Double(bitPattern: bits)) }
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            if float.isFinite { try expectSame(float) }
            try expectSame(random.text())
        }
    }

    private func expectSame<Value: JSONBindable & Equatable>(_ value: Value, _ options: JSONWriter.Options) throws {
        let again = try Value(json: value.jsonBytes(options: options))
        // Sorting changes the order of members, which counts in comparisons.
        #expect(try again.jsonBytes(options: .sortedKeys) == value.jsonBytes(options: .sortedKeys))
        if !options.sortedKeys { #expect(again == value) }
    }

    private func expectSame<Value: JSONBindable & Equatable>(_ value: Value) throws {
        #expect(try Value(json: value.jsonBytes()) == value)
        #expect(try [Value?](json: [value, nil].jsonBytes()) == [value, nil])
    }

    /// Foundation reads the text, and finds in it what our own reader finds.
    private func expectFoundationAgrees(_ value: some JSONBindable) throws {
        let text = try value.jsonBytes()
        let object = try JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        let own = try JSONValue(json: text)
        #expect(agree(own, object), "\(String(decoding: text, as: UTF8.self))")
    }

    private func agree(_ own: JSONValue, _ other: Any) -> Bool {
        switch own {
        case .null: return other is NSNull
        case .bool(let value): return (other as? NSNumber)?.boolValue == value
        case .string(let text): return (other as? String)?.utf8.elementsEqual(text.utf8) == true
        case .number(let number):
            // Foundation reads numbers with a fraction through a decimal, and may be off in the last place.
            guard let other = other as? NSNumber, let double = number.double else { return false }
            return abs(other.doubleValue - double) <= abs(double) * 1e-15
        case .array(let elements):
            guard let array = other as? [Any], array.count == elements.count else { return false }
            return zip(elements, array).allSatisfy(agree)
        case .object(let object):
            guard let dictionary = other as? [String: Any], dictionary.count == object.count else { return false }
            return object.members.allSatisfy { member in dictionary[member.key].map { agree(member.value, $0) } ?? false }
        }
    }
}

// MARK: - Random values

extension SplitMix64 {
    /// Text of up to 40 characters of all kinds: plain, to be escaped, and of two to four bytes.
    fileprivate mutating func text() -> String {
        let alphabet: [Character] = [
            "a", "Z", "0", " ", "?", "/", "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "ß", "€", "\u{2028}", "😀", "𝄞",
        ]
        return String((0..<(next() % 41)).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] })
    }

    fileprivate mutating func value(depth: Int) -> JSONValue {
        switch next() % (depth == 0 ? 5 : 9) {
        case 0: return .null
        case 1: return .bool(next() % 2 == 0)
        case 2: return .number(JSONNumber(Int64(bitPattern: next()) >> Int64(next() % 64)))
        case 3: return .number(JSONNumber(Double(Int64(bitPattern: next()) >> Int64(next() % 64)) / 1000)!)
        case 4: return .string(text())
        case 5, 6: return .array((0..<(next() % 6)).map { _ in value(depth: depth - 1) })
        default:
            // Keys that occur twice are lost in Foundation's dictionaries.
            var keys = Set<String>()
            let members = (0..<(next() % 6)).map { _ in (key: text(), value: value(depth: depth - 1)) }
            return .object(JSONObject(members.filter { keys.insert($0.key).inserted }))
        }
    }

    fileprivate mutating func dictionary() -> [String: JSONValue] {
        var result: [String: JSONValue] = [:]
        for _ in 0..<(next() % 5) { result[text()] = value(depth: 2) }
        return result
    }
}

extension Trio where Value == [String: JSONValue] {
    fileprivate init(random: inout SplitMix64) {
        self.init(
            required: random.dictionary(), defaulted: random.dictionary(),
            optional: random.next() % 2 == 0 ? nil : random.dictionary())
    }
}

extension Trio where Value == [Trio<[String: JSONValue]>] {
    fileprivate init(random: inout SplitMix64) {
        func some() -> Value { (0..<(random.next() % 5)).map { _ in Trio<[String: JSONValue]>(random: &random) } }
        self.init(required: some(), defaulted: some(), optional: random.next() % 2 == 0 ? nil : some())
    }
}
