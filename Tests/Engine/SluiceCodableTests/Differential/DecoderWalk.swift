// A random walk through a decoder's containers. The seed decides each step, so two decoders are asked for the same; each notes what it got.

import Foundation
import SluiceCodable
import SluiceCore
import SluiceTestSupport

/// What a walk asks for, what it got, and what it keeps for later.
final class DecoderWalk: @unchecked Sendable {
    struct Failure: Error {}

    static let key = CodingUserInfoKey(rawValue: "walk")!

    var random: SplitMix64
    var steps = 60
    var depth = 0
    var notes: [String] = []
    var late: [(DecoderWalk) -> Void] = []
    /// How many calls of late containers have not returned.
    private var lateCalls = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    static func of(_ decoder: any Decoder) -> DecoderWalk { decoder.userInfo[key] as! DecoderWalk }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func step() -> Bool {
        steps -= 1
        return steps > 0
    }

    /// Notes a value or an error.
    func note(_ words: String, _ body: () throws -> Any) {
        do {
            notes.append("\(words) = \(Exact.text(try body()))")
        } catch let error as DecodingError {
            notes.append("\(words): \(DecoderWalk.words(error))")
        } catch is Failure {
            notes.append("\(words): failure")
        } catch {
            // Inside a document, Foundation throws an error of its own for a number or a string that is damaged or does not fit.
            notes.append("\(words): corrupted at ")
        }
    }

    static func path(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: "/") }

    /// A path with its very keys. Inside a container that has outlived its level, all keys have one of Unicode's spellings: Sluice takes that of
    /// the text, Foundation that of the type (``Disagreement/aLatePathHasTheKeysOfTheText``).
    func spelledPath(_ path: [any CodingKey]) -> String {
        let text = DecoderWalk.path(path)
        return lateCalls > 0 ? text.precomposedStringWithCanonicalMapping : text
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context): "mismatch \(type) at \(path(context.codingPath))"
        case .valueNotFound(let type, let context): "null for \(type) at \(path(context.codingPath))"
        case .keyNotFound(let key, let context): "no \(key.stringValue) at \(path(context.codingPath))"
        case .dataCorrupted(let context): "corrupted at \(path(context.codingPath))"
        @unknown default: "\(error)"
        }
    }

    /// Uses, sometimes, a container whose value is complete.
    func callLate() {
        if !late.isEmpty, chance(20) { call(late[number(late.count)]) }
    }

    func call(_ late: (DecoderWalk) -> Void) {
        lateCalls += 1
        defer { lateCalls -= 1 }
        late(self)
    }
}

/// A value that walks.
class WalkingValue: Decodable {
    let isDone = true
    private enum Keys: String, CodingKey, CaseIterable { case a, b, c, long = "a_rather_long_key", escaped = "é\"/" }
    private enum OtherKeys: String, CodingKey { case b, a, d }

    required init(from decoder: any Decoder) throws {
        let walk = DecoderWalk.of(decoder)
        walk.depth += 1
        defer { walk.depth -= 1 }
        for _ in 0..<walk.number(4) {
            guard walk.step() else { return }
            walk.callLate()
            switch walk.number(5) {
            case 0:
                try attempt(walk, "keyed") { try keyed(walk, decoder.container(keyedBy: Keys.self)) { Keys.allCases[$0] } }
            case 1:
                try attempt(walk, "any keys") {
                    try keyed(walk, decoder.container(keyedBy: AnyKey.self)) { AnyKey(stringValue: Keys.allCases[$0].rawValue) }
                }
            case 2: try attempt(walk, "unkeyed") { try unkeyed(walk, decoder.unkeyedContainer()) }
            case 3: try single(walk, decoder.singleValueContainer())
            default:
                if walk.chance(15) { throw DecoderWalk.Failure() }
                walk.note("path") { walk.spelledPath(decoder.codingPath) }
            }
        }
    }

    private func attempt(_ walk: DecoderWalk, _ words: String, _ body: () throws -> Void) throws {
        if walk.chance(80) {
            walk.note(words) {
                try body()
                return "done"
            }
        } else {
            try body()
        }
    }

    private func single(_ walk: DecoderWalk, _ container: any SingleValueDecodingContainer) throws {
        walk.note("nil") { container.decodeNil() }
        switch walk.number(walk.depth < 5 ? 9 : 6) {
        case 0: walk.note("int") { try container.decode(Int.self) }
        case 1: walk.note("string") { try container.decode(String.self) }
        case 2: walk.note("double") { try container.decode(Double.self) }
        case 3: walk.note("bool") { try container.decode(Bool.self) }
        case 4: walk.note("doubles") { try container.decode([Double].self) }
        case 5: walk.note("decimal") { try container.decode(Decimal.self) }
        case 6: try attempt(walk, "values") { _ = try container.decode([WalkingValue].self) }
        case 7: try attempt(walk, "optional") { _ = try container.decode(WalkingValue?.self) }
        default: try attempt(walk, "value") { _ = try container.decode(WalkingValue.self) }
        }
    }

    private func keyed<Key: CodingKey>(
        _ walk: DecoderWalk, _ container: KeyedDecodingContainer<Key>, depth nesting: Int = 0, _ key: (Int) -> Key
    ) throws {
        walk.note("keys") { container.allKeys.map(\.stringValue).sorted().joined(separator: ",") }
        for _ in 0..<walk.number(5) {
            guard walk.step() else { return }
            let key = key(walk.number(Keys.allCases.count))
            switch walk.number(walk.depth < 5 ? 17 : 10) {
            case 0: walk.note("contains") { container.contains(key) }
            case 1: walk.note("int") { try container.decode(Int.self, forKey: key) }
            case 2: walk.note("string") { try container.decodeIfPresent(String.self, forKey: key) ?? "absent" }
            case 3: walk.note("double") { try container.decode(Double.self, forKey: key) }
            case 4: walk.note("nil") { try container.decodeNil(forKey: key) }
            case 5: walk.note("strings") { try container.decode([String].self, forKey: key) }
            case 6: walk.note("url") { try container.decode(URL.self, forKey: key) }
            case 7:
                walk.note("super nil") { try container.superDecoder(forKey: key).singleValueContainer().decodeNil() }
                walk.note("super date") { try container.superDecoder(forKey: key).singleValueContainer().decode(Date.self) }
            case 8:
                walk.late.append { walk in
                    walk.note("late path") { walk.spelledPath(container.codingPath) }
                    walk.note("late value") { try container.decode(WalkingValue.self, forKey: key).isDone }
                    walk.note("late int") { try container.decode(Int.self, forKey: key) }
                }
            case 9:
                let inner = try? container.superDecoder(forKey: key)
                walk.late.append { walk in
                    walk.note("late super") { try inner?.container(keyedBy: OtherKeys.self).decode(Double.self, forKey: .a) ?? 0 }
                    walk.note("late super") { try inner?.singleValueContainer().decode(Decimal.self) ?? 0 }
                    walk.note("late super") { try inner?.unkeyedContainer().count ?? 0 }
                }
            case 10:
                try attempt(walk, "nested") {
                    let nested = try container.nestedContainer(keyedBy: OtherKeys.self, forKey: key)
                    if nesting < 3 { try self.keyed(walk, nested, depth: nesting + 1) { [.a, .b, .d, .a, .b][$0] } }
                }
            case 11: try attempt(walk, "nested") { try unkeyed(walk, container.nestedUnkeyedContainer(forKey: key)) }
            case 12: try attempt(walk, "super") { _ = try WalkingValue(from: container.superDecoder(forKey: key)) }
            case 13: try attempt(walk, "super") { _ = try WalkingValue(from: container.superDecoder()) }
            case 14: try attempt(walk, "values") { _ = try container.decode([WalkingValue].self, forKey: key) }
            case 15: try attempt(walk, "optional") { _ = try container.decodeIfPresent(WalkingValue.self, forKey: key) }
            default: try attempt(walk, "value") { _ = try container.decode(WalkingValue.self, forKey: key) }
            }
        }
        walk.note("path") { walk.spelledPath(container.codingPath) }
    }

    private func unkeyed(
        _ walk: DecoderWalk, _ container: any UnkeyedDecodingContainer, depth nesting: Int = 0
    ) throws {
        var container = container
        for _ in 0..<walk.number(5) {
            guard walk.step() else { return }
            walk.note("at") { "\(container.currentIndex) of \(container.count ?? -1), \(container.isAtEnd)" }
            switch walk.number(walk.depth < 5 ? 13 : 7) {
            case 0: walk.note("int") { try container.decode(Int.self) }
            case 1: walk.note("string") { try container.decode(String.self) }
            case 2: walk.note("double") { try container.decodeIfPresent(Double.self) ?? -1 }
            case 3: walk.note("nil") { try container.decodeNil() }
            case 4: walk.note("ints") { try container.decode([Int].self) }
            case 5:
                let copy = container
                walk.late.append { walk in
                    var copy = copy
                    walk.note("late path") { walk.spelledPath(copy.codingPath) }
                    walk.note("late int") { try copy.decode(Int.self) }
                    walk.note("late value") { try copy.decode(WalkingValue.self).isDone }
                }
            case 6: walk.note("decimal") { try container.decode(Decimal.self) }
            case 7:
                try attempt(walk, "nested") {
                    let nested = try container.nestedContainer(keyedBy: Keys.self)
                    if nesting < 3 { try keyed(walk, nested, depth: nesting + 1) { Keys.allCases[$0] } }
                }
            case 8:
                try attempt(walk, "nested") {
                    let nested = try container.nestedUnkeyedContainer()
                    if nesting < 3 { try unkeyed(walk, nested, depth: nesting + 1) }
                }
            case 9: try attempt(walk, "super") { _ = try WalkingValue(from: container.superDecoder()) }
            case 10: try attempt(walk, "values") { _ = try container.decode([WalkingValue].self) }
            default: try attempt(walk, "value") { _ = try container.decode(WalkingValue.self) }
            }
        }
        walk.note("path") { walk.spelledPath(container.codingPath) }
    }
}

/// Random JSON with the keys that a ``WalkingValue`` asks for.
struct WalkText {
    var random: SplitMix64

    /// A text that mostly is an object or an array.
    mutating func document() -> String {
        for _ in 0..<3 {
            let text = value()
            if text.count > 10 { return text }
        }
        return value()
    }

    private mutating func value(_ depth: Int = 4) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random)! }
        func many(_ make: () -> String) -> String {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in make() }.joined(separator: pick([",", ", "]))
        }
        switch depth == 0 ? Int.random(in: 4...9, using: &random) : Int.random(in: 0...9, using: &random) {
        case 0...2:
            let keys = [#""a""#, #""b""#, #""c""#, #""a_rather_long_key""#, #""é\"\/""#, #""d""#, #""super""#, #""e\u0301\"/""#]
            return "{" + many { pick(keys) + pick([":", ": "]) + value(depth - 1) } + "}"
        case 3: return "[" + many { value(depth - 1) } + "]"
        case 5: return "null"
        case 6: return pick(["true", "false"])
        case 7: return pick(["0", "7", "-3", "1.5", "2.0", "1e2", "12345678901234567890", "1e999"])
        default: return pick([#""""#, #""text""#, #""a longer text, of more bytes""#, #""\u00e9\n""#, #""http://a.b""#])
        }
    }
}
