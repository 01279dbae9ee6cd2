// Values that are made up at run time: a tree says which containers it asks for and what it writes into them, in which order.

import Foundation
import SluiceTestSupport

/// A value that encodes itself in as many ways as there are.
indirect enum Tree: Encodable, Sendable {
    case scalar(any Encodable & Sendable)
    case keyed([Member])
    case unkeyed([Element])
    case array([Tree])
    case dictionary([String: Tree])
    case optional(Tree?)
    case single(Tree)
    /// The way to the value, as the encoder says it.
    case path
    /// A value that encodes nothing.
    case nothing
    /// A class that asks for the container again, as subclasses do.
    case twice([Member], [Member])

    struct Member: Sendable {
        enum Access: CaseIterable, Sendable {
            case encode, ifPresent, null, nested, nestedUnkeyed, later, superEncoder, attempt, concrete
        }

        let key: String
        let access: Access
        let value: Tree
    }

    struct Element: Sendable {
        enum Access: CaseIterable, Sendable { case encode, null, nested, nestedUnkeyed, superEncoder, attempt, concrete }

        let access: Access
        let value: Tree
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .scalar(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .keyed(let members):
            var container = encoder.container(keyedBy: AnyKey.self)
            try Tree.write(members, to: &container)
        case .unkeyed(let elements):
            var container = encoder.unkeyedContainer()
            try Tree.write(elements, to: &container)
        case .array(let values): try values.encode(to: encoder)
        case .dictionary(let values):
            var container = encoder.singleValueContainer()
            try container.encode(values)
        case .optional(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .single(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .path:
            var container = encoder.singleValueContainer()
            try container.encode(Exact.path(encoder.codingPath))
        case .nothing: break
        case .twice(let first, let second):
            var container = encoder.container(keyedBy: AnyKey.self)
            try Tree.write(first, to: &container)
            var other = encoder.container(keyedBy: AnyKey.self)
            try Tree.write(second, to: &other)
            try container.encode(1, forKey: AnyKey(stringValue: "last"))
        }
    }

    private static func write(_ members: [Member], to container: inout KeyedEncodingContainer<AnyKey>) throws {
        var later: [() throws -> Void] = []
        for member in members {
            let key = AnyKey(stringValue: member.key)
            switch member.access {
            case .encode: try container.encode(member.value, forKey: key)
            case .ifPresent: try container.encodeIfPresent(member.value.isNothing ? nil : member.value, forKey: key)
            case .null: try container.encodeNil(forKey: key)
            case .nested:
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                if case .keyed(let members) = member.value { try write(members, to: &nested) }
            case .later:
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                if case .keyed(let members) = member.value { later.append { try write(members, to: &nested) } }
            case .nestedUnkeyed:
                var nested = container.nestedUnkeyedContainer(forKey: key)
                if case .unkeyed(let elements) = member.value {
                    try write(elements, to: &nested)
                } else {
                    try nested.encode(member.value)
                }
            case .superEncoder:
                try member.value.encode(
                    to: member.key == "super" ? container.superEncoder() : container.superEncoder(forKey: key))
            case .attempt:
                if case .scalar(let value) = member.value, !(value is [Double]) { try? encode(value, key, to: &container) }
            case .concrete:
                if case .scalar(let value) = member.value { try encode(value, key, to: &container) }
            }
        }
        for write in later { try write() }
    }

    private static func write(_ elements: [Element], to container: inout any UnkeyedEncodingContainer) throws {
        for element in elements {
            switch element.access {
            case .encode: try container.encode(element.value)
            case .null: try container.encodeNil()
            case .nested:
                var nested = container.nestedContainer(keyedBy: AnyKey.self)
                if case .keyed(let members) = element.value { try write(members, to: &nested) }
            case .nestedUnkeyed:
                var nested = container.nestedUnkeyedContainer()
                try nested.encode(element.value)
                try container.encode(container.count)
            case .superEncoder: try element.value.encode(to: container.superEncoder())
            case .attempt:
                if case .scalar(let value) = element.value, !(value is [Double]) { try? encode(value, to: &container) }
            case .concrete:
                if case .scalar(let value) = element.value { try encode(value, to: &container) }
            }
        }
    }

    /// By the container's own method for the type.
    private static func encode(_ value: any Encodable, _ key: AnyKey, to container: inout KeyedEncodingContainer<AnyKey>) throws {
        switch value {
        case let value as Bool: try container.encode(value, forKey: key)
        case let value as String: try container.encode(value, forKey: key)
        case let value as Double: try container.encode(value, forKey: key)
        case let value as Float: try container.encode(value, forKey: key)
        case let value as Int: try container.encode(value, forKey: key)
        case let value as Int8: try container.encode(value, forKey: key)
        case let value as UInt64: try container.encode(value, forKey: key)
        case let value as Int128: try container.encode(value, forKey: key)
        case let value as UInt128: try container.encode(value, forKey: key)
        default: try container.encode(value, forKey: key)
        }
    }

    private static func encode(_ value: any Encodable, to container: inout any UnkeyedEncodingContainer) throws {
        switch value {
        case let value as Bool: try container.encode(value)
        case let value as String: try container.encode(value)
        case let value as Double: try container.encode(value)
        case let value as Float: try container.encode(value)
        case let value as Int: try container.encode(value)
        case let value as Int8: try container.encode(value)
        case let value as UInt64: try container.encode(value)
        case let value as Int128: try container.encode(value)
        case let value as UInt128: try container.encode(value)
        default: try container.encode(value)
        }
    }

    private var isNothing: Bool { if case .nothing = self { true } else { false } }
}

extension Tree {
    /// Whether members of a dictionary are encoded one after another, in an order of its own.
    var hasDictionary: Bool {
        switch self {
        case .dictionary(let values): values.count > 1 || values.values.contains(where: \.hasDictionary)
        case .keyed(let members): members.contains { $0.value.hasDictionary }
        case .twice(let first, let second): (first + second).contains { $0.value.hasDictionary }
        case .unkeyed(let elements): elements.contains { $0.value.hasDictionary }
        case .array(let values): values.contains { $0.hasDictionary }
        case .optional(let value): value?.hasDictionary == true
        case .single(let value): value.hasDictionary
        case .scalar, .path, .nothing: false
        }
    }

    static func random(_ random: inout SplitMix64, depth: Int = 3) -> Tree {
        if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return .path
            case 1: return .nothing
            default: return .scalar(scalar(&random))
            }
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: return .keyed(members(&random, depth))
        case 4: return .unkeyed(elements(&random, depth))
        case 5: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in Tree.random(&random, depth: depth - 1) })
        case 6:
            let keys = (0..<Int.random(in: 0...4, using: &random)).map { _ in Shape.keys.randomElement(using: &random)! }
            return .dictionary(Dictionary(keys.map { ($0, Tree.random(&random, depth: depth - 1)) }) { $1 })
        case 7: return .optional(Bool.random(using: &random) ? nil : Tree.random(&random, depth: depth - 1))
        case 8: return .single(Tree.random(&random, depth: depth - 1))
        default: return .twice(members(&random, depth), members(&random, depth))
        }
    }

    private static func members(_ random: inout SplitMix64, _ depth: Int) -> [Member] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let access: Member.Access =
                Bool.random(using: &random) ? .encode : Member.Access.allCases.randomElement(using: &random)!
            var value = Tree.random(&random, depth: depth - 1)
            var key = Shape.keys.randomElement(using: &random)!
            if access == .nested || access == .later {
                value = .keyed(depth > 1 ? members(&random, depth - 1) : [])
                // A key of its own: a container cannot be requested for a key whose value is of another kind.
                key += "{}"
            } else if access == .nestedUnkeyed {
                key += "[]"
            } else if access == .superEncoder, key != "super" {
                key += "()"
            } else if access == .concrete {
                value = .scalar(scalar(&random))
            } else if access == .attempt {
                // Where a container fails, Foundation's encoder loses count of its containers and traps later.
                value = .scalar(Bool.random(using: &random) ? Double.nan : 1.5)
            }
            return Member(key: key, access: access, value: value)
        }
    }

    private static func elements(_ random: inout SplitMix64, _ depth: Int) -> [Element] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let access = Element.Access.allCases.randomElement(using: &random)!
            return Element(
                access: access,
                value: access == .concrete || access == .attempt
                    ? .scalar(scalar(&random)) : Tree.random(&random, depth: depth - 1))
        }
    }

    private static func scalar(_ random: inout SplitMix64) -> any Encodable & Sendable {
        func bits() -> UInt64 { UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random) }
        switch Int.random(in: 0..<26, using: &random) {
        case 0: return Bool.random(using: &random)
        case 1, 2: return ShapeJSON.texts.randomElement(using: &random)!
        case 3: return Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
        case 4:
            return [
                0.0, -0.0, 1, -1.5, 0.1, 1e16, 9007199254740992, 9007199254740994, 1e-4, 9.9e-5, .leastNonzeroMagnitude,
                .infinity, -.infinity,
                .nan, 1e22,
            ]
            .randomElement(using: &random)!
        case 5: return Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000
        case 6: return Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
        case 7: return Float(Int.random(in: -1000...1000, using: &random)) / 8
        case 8: return Int(truncatingIfNeeded: bits())
        case 9: return Int8.random(in: .min ... .max, using: &random)
        case 10: return UInt16.random(in: .min ... .max, using: &random)
        case 11: return bits()
        case 12: return Int128(bits()) &* -Int128(bits())
        case 13: return UInt128.max - UInt128(bits())
        case 14:
            return Date(
                timeIntervalSinceReferenceDate: Double(Int.random(in: -2_000_000_000...2_000_000_000, using: &random)) / 4)
        case 15: return Data((0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 16: return URL(string: "http://example.com/a/b?c=\(bits())")!
        case 17: return Decimal(string: "\(bits()).\(bits())")!
        case 18: return [1.5, -2, 1e300, Bool.random(using: &random) ? 3 : .nan]
        case 19: return [Int(truncatingIfNeeded: bits()), 2]
        case 20: return Array(ShapeJSON.texts.shuffled(using: &random).prefix(3))
        case 21: return [Shape.keys.randomElement(using: &random)!: 1, Shape.keys.randomElement(using: &random)! + "x": 2]
        case 22: return [Optional(3), nil]
        case 23: return [7: "seven", -8: "eight/"]
        case 24:
            return Page(items: [Item(id: 1, name: "a/b", price: 2.5, next: nil)], nextURL: URL(string: "x:y")!, kind: .second)
        default: return UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
        }
    }

    struct Page: Encodable {
        enum Kind: String, Encodable { case first, second }
        var items: [Item]
        var nextURL: URL
        var kind: Kind
        var event = Event.click(x: 1, y: nil)
    }

    final class Item: Encodable, Sendable {
        let id: Int
        let name: String
        let price: Double
        let next: Item?

        init(id: Int, name: String, price: Double, next: Item?) {
            (self.id, self.name, self.price, self.next) = (id, name, price, next)
        }
    }

    enum Event: Encodable { case click(x: Int, y: Double?) }
}
