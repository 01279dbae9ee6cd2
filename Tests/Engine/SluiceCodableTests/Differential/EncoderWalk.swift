// A random walk through an encoder's containers. The seed decides each step, so two encoders are asked for the same.

import Foundation
import SluiceTestSupport

@testable import SluiceCodable

/// What a walk does, and what it keeps for later.
final class EncoderWalk: @unchecked Sendable {
    struct Failure: Error {}

    var random: SplitMix64
    /// The steps that are left.
    var steps = 60
    /// What Foundation's encoder must not use again: after an error, and after a value that a container has replaced, it hands its
    /// encoder to the next value with what is left in it.
    var kept: [any Encoder] = []
    /// Calls of containers whose values are complete.
    var late: [() -> Void] = []
    /// Whether the value that is encoding itself, or one around it, has its encoder from `superEncoder`. Foundation writes its value when
    /// the encoder is released, so none is kept in there, no error is caught, and no value replaced.
    var isSuper = false
    /// Whether the encoder has refused something that Foundation's does, or traps at.
    var hasFailed = false

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    func step() -> Bool {
        steps -= 1
        return steps > 0
    }

    /// Encodes a value whose encoder is that of a superclass.
    func asSuperclass(_ body: () throws -> Void) rethrows {
        let outer = isSuper
        isSuper = true
        defer { isSuper = outer }
        try body()
    }

    /// Uses, sometimes, a container whose value is complete.
    func callLate() {
        if !late.isEmpty, chance(20) { late[number(late.count)]() }
    }
}

/// A value that walks.
struct Walker: Encodable {
    let walk: EncoderWalk
    var depth = 4

    /// Keys of a one-byte enumeration, by what is mostly encoded for them.
    private enum Keys: String, CodingKey, CaseIterable { case one, two, object, things, list, items, last = "a/b" }

    func encode(to encoder: any Encoder) throws {
        var own: [() -> Void] = []
        defer {
            if let encoder = encoder as? FragmentEncoder, encoder.hasFailed { walk.hasFailed = true }
            if !walk.isSuper {
                walk.late += own
                if walk.chance(20) { walk.kept.append(encoder) }
            }
        }
        do {
            try run(encoder, &own)
        } catch {
            if !walk.isSuper { walk.kept.append(encoder) }
            throw error
        }
    }

    private func run(_ encoder: any Encoder, _ late: inout [() -> Void]) throws {
        let way = walk.number(4)
        for _ in 0..<walk.number(walk.isSuper ? 2 : 4) {
            guard walk.step() else { return }
            walk.callLate()
            if walk.chance(4) { throw EncoderWalk.Failure() }
            switch walk.chance(85) ? way : walk.number(4) {
            case 0:
                var container = encoder.container(keyedBy: Keys.self)
                try keyed(&container, &late) { Keys.allCases[$0] }
            case 1:
                var container = encoder.container(keyedBy: AnyKey.self)
                try keyed(&container, &late) { AnyKey(stringValue: Keys.allCases[$0].rawValue) }
            case 2:
                var container = encoder.unkeyedContainer()
                try unkeyed(&container, &late)
            default:
                try single(encoder)
            }
        }
    }

    /// Runs a closure, and mostly catches its error.
    private func attempt(_ body: () throws -> Void) throws {
        if walk.chance(80), !walk.isSuper { try? body() } else { try body() }
    }

    private var inner: Walker { Walker(walk: walk, depth: depth - 1) }

    // MARK: Single values

    private func single(_ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if !walk.isSuper { walk.kept.append(encoder) }
        try attempt {
            switch walk.number(depth > 0 ? 12 : 6) {
            case 0: try container.encode(7)
            case 1: try container.encodeNil()
            case 2: try container.encode([1.5, walk.chance(50) ? .nan : 2])
            case 3: try container.encode(["one": walk.chance(50) ? Double.nan : 2])
            case 4: try container.encode(walk.chance(50) ? ["a", "b"] : [])
            case 5: try container.encode(URL(string: "http://a.b/c"))
            case 6: try container.encode([1, 2])
            case 7: try container.encode([inner, inner, inner])
            case 8: try container.encode(["one": inner])
            case 9: try container.encode(Optional(inner))
            default: try container.encode(inner)
            }
        }
    }

    // MARK: Objects

    private func keyed<Key: CodingKey>(
        _ container: inout KeyedEncodingContainer<Key>, _ late: inout [() -> Void], depth nesting: Int = 0, _ key: (Int) -> Key
    ) throws {
        var held: [() throws -> Void] = []
        for _ in 0..<walk.number(5) {
            guard walk.step() else { return }
            let (scalar, object, list) = (key(walk.number(2)), key(2 + walk.number(2)), key(4 + walk.number(2)))
            let any = key(walk.number(Keys.allCases.count))
            switch walk.number(depth > 0 ? 18 : 8) {
            case 0: try container.encode(walk.number(100), forKey: scalar)
            case 1: try container.encode("a/\"é", forKey: walk.chance(95) ? scalar : any)
            case 2: try container.encodeNil(forKey: scalar)
            case 3: try attempt { try container.encode(Double.nan, forKey: any) }
            case 4: try container.encode(["one": 1, "x": 2], forKey: object)
            case 5: try container.encode([1, 2], forKey: list)
            case 6: try container.encode([String: Int](), forKey: object)
            case 7: try container.encode([String](), forKey: list)
            case 8:
                var nested = container.nestedContainer(keyedBy: Keys.self, forKey: walk.chance(95) ? object : any)
                if nesting < 3 { try keyed(&nested, &late, depth: nesting + 1) { Keys.allCases[$0] } }
            case 9:
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: object)
                let copy = nested
                if !walk.isSuper {
                    late.append {
                        var copy = copy
                        try? copy.encode("late", forKey: AnyKey(stringValue: "late"))
                        var inner = copy.nestedUnkeyedContainer(forKey: AnyKey(stringValue: "inner"))
                        try? inner.encode("late")
                    }
                }
                held.append { try nested.encode(8, forKey: AnyKey(stringValue: "held")) }
            case 10:
                var nested = container.nestedUnkeyedContainer(forKey: walk.chance(95) ? list : any)
                if nesting < 3 { try unkeyed(&nested, &late, depth: nesting + 1) }
            case 11:
                try attempt { try walk.asSuperclass { try inner.encode(to: container.superEncoder(forKey: object)) } }
            case 12: try attempt { try walk.asSuperclass { try inner.encode(to: container.superEncoder()) } }
            case 13:
                let copy = container
                if !walk.isSuper {
                    late.append {
                        var copy = copy
                        try? copy.encode("late", forKey: any)
                        try? Walker(walk: EncoderWalk(seed: 1), depth: 0).encode(to: copy.superEncoder(forKey: any))
                    }
                }
            case 14: try container.encode([inner, inner], forKey: list)
            case 15: try container.encode(["one": inner], forKey: object)
            default: try attempt { try container.encode(inner, forKey: any) }
            }
        }
        for call in held { try call() }
    }

    // MARK: Arrays

    private func unkeyed(
        _ container: inout any UnkeyedEncodingContainer, _ late: inout [() -> Void], depth nesting: Int = 0
    ) throws {
        for _ in 0..<walk.number(5) {
            guard walk.step() else { return }
            switch walk.number(depth > 0 ? 12 : 5) {
            case 0: try container.encode(container.count)
            case 1: try container.encode("text")
            case 2: try container.encodeNil()
            case 3: try attempt { try container.encode(Double.nan) }
            case 4: try container.encode([[1.5], []])
            case 5:
                var nested = container.nestedContainer(keyedBy: Keys.self)
                if nesting < 3 { try keyed(&nested, &late, depth: nesting + 1) { Keys.allCases[$0] } }
            case 6:
                var nested = container.nestedUnkeyedContainer()
                if nesting < 3 { try unkeyed(&nested, &late, depth: nesting + 1) }
            case 7: try attempt { try walk.asSuperclass { try inner.encode(to: container.superEncoder()) } }
            case 8:
                let copy = container
                if !walk.isSuper {
                    late.append {
                        var copy = copy
                        try? copy.encode("late")
                        var inner = copy.nestedContainer(keyedBy: Keys.self)
                        try? inner.encode("late", forKey: .one)
                    }
                }
            case 9: try container.encode([inner, inner])
            default: try attempt { try container.encode(inner) }
            }
        }
    }
}
