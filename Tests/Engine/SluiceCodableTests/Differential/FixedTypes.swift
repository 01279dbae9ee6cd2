// Types as people write them, whose conformance the compiler makes.

import Foundation

/// Types that a ``Shape`` can name.
enum Fixed {
    struct Entry: @unchecked Sendable {
        let decode: (any Decoder) throws -> String
        /// JSON that the type accepts under the default options, or nearly.
        let sample: String
    }

    private static func entry<Value: Decodable>(_ type: Value.Type, _ sample: String) -> Entry {
        Entry(
            decode: {
                // Nested as a property is, so that a decoder's own ways for the type are taken.
                let value = try $0.singleValueContainer().decode(Value.self)
                var text = ""
                dump(value, to: &text)
                return text.replacing(/0x[0-9a-f]+|#\d+/, with: "")
            }, sample: sample)
    }

    static let types: [Entry] = [
        entry(
            Author.self,
            #"{"name": "Jane", "born": 1775, "site": "http://a.b/c", "rank": "first", "address": {"street": "x", "no": 3}}"#),
        entry(
            [Author].self,
            #"[{"name": "Jane", "born": 1775, "rank": "second"}, {"name": "J", "born": 0, "rank": "first", "address": null}]"#),
        entry(Derived.self, #"{"base": "b", "super": {"base": "c"}, "own": 7}"#),
        entry(Flat.self, #"{"base": "b", "own": 7}"#),
        entry(Event.self, #"{"click": {"x": 1, "y": 2}}"#),
        entry([Event].self, #"[{"click": {"x": 1, "y": 2}}, {"key": {"_0": "a"}}, {"none": {}}]"#),
        entry(Level.self, "2"),
        entry([Rank].self, #"["first", "second"]"#),
        entry(Node.self, #"{"value": 1, "children": [{"value": 2, "children": []}]}"#),
        entry(
            Wide.self, #"{"a": 1, "b": 2.5, "c": "x", "d": true, "e": null, "f": [1], "g": {"k": "v"}, "h": 8, "i": -9, "j": 10}"#
        ),
        entry(Unique.self, "[7]"),
        entry(Point.self, "[1.5, 2]"),
        entry(Page<Point>.self, #"{"items": [[1, 2]], "total_count": 1}"#),
        entry(Either.self, #""text""#),
        entry(Snake.self, #"{"first_name": "a", "last_name": "b", "https_url": "c", "_x": 1}"#),
    ]

    enum Rank: String, Decodable { case first, second }

    enum Level: Int, Decodable { case low = 1, high }

    /// A set, which a dump shows in any order.
    struct Unique: Decodable {
        var numbers: [Int]?

        init(from decoder: any Decoder) throws {
            numbers = try decoder.singleValueContainer().decode(Set<Int>?.self)?.sorted()
        }
    }

    struct Address: Decodable {
        var street: String
        var no: Int?
    }

    struct Author: Decodable {
        var name: String
        var born: Int
        var site: URL?
        var rank: Rank
        var address: Address?
    }

    class Base: Decodable {
        var base: String
    }

    final class Derived: Base {
        var own: Int

        enum CodingKeys: CodingKey { case own }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            own = try container.decode(Int.self, forKey: .own)
            try super.init(from: container.superDecoder())
        }
    }

    final class Flat: Base {
        var own: Int

        enum CodingKeys: CodingKey { case own }

        required init(from decoder: any Decoder) throws {
            own = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
            try super.init(from: decoder)
        }
    }

    enum Event: Decodable {
        case click(x: Double, y: Double)
        case key(String)
        case none
    }

    final class Node: Decodable {
        var value: Int
        var children: [Node]
    }

    struct Wide: Decodable {
        var a: Int8?
        var b: Float
        var c: String
        var d: Bool
        var e: Date?
        var f: [UInt16]
        var g: [String: String]
        var h: UInt64
        var i: Int32
        var j: Decimal
    }

    struct Point: Decodable {
        var x: Double
        var y: Double

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            x = try container.decode(Double.self)
            y = try container.decode(Double.self)
        }
    }

    struct Page<Item: Decodable>: Decodable {
        var items: [Item]
        var totalCount: Int?
        var total_count: Int?
    }

    enum Either: Decodable {
        case number(Double)
        case text(String)
        case list([Either])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else {
                self = .list(try container.decode([Either].self))
            }
        }
    }

    struct Snake: Decodable {
        var firstName: String?
        var lastName: String?
        var httpsUrl: String?
        var _x: Int?
        var first_name: String?
    }
}
