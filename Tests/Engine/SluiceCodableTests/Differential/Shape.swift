// Types that are made up at run time: a shape says which containers a value asks for and what it asks of them.

import Foundation
import SluiceTestSupport

/// What a ``Probe`` decodes or encodes.
indirect enum Shape: Sendable {
    case scalar(Scalar)
    /// A keyed container and what is asked of it, in this order; the same key may be asked for twice.
    case keyed([Field])
    /// An unkeyed container from which this many values are taken, whether they are there or not.
    case unkeyed([Shape])
    case array(Shape)
    case dictionary(Shape)
    case optional(Shape)
    case single(Shape)
    /// One of the types of `FixedTypes.swift`.
    case fixed(Int)

    struct Field: Sendable {
        enum Access: CaseIterable, Sendable {
            case decode, ifPresent, nilOrDecode, nested, nestedUnkeyed, superDecoder, contains, attempt
        }

        let key: String
        let access: Access
        let shape: Shape
    }

    enum Scalar: CaseIterable, Sendable {
        case bool, string, double, float, int, int8, int16, int32, int64, int128, uint, uint8, uint16, uint32, uint64, uint128
        case date, data, url, decimal, doubles, ints, strings, counts, numbers, optionals, doubleLists, integerKeys, uuid
    }

    static let keys = [
        "a", "id", "name", "created_at", "createdAt", "x_y_z", "_private", "é", "e\u{301}", "a_rather_long_key_of_a_member",
        "super", "1",
        "", "screen_name_of_the_user", "Index 0", "a\"b", "a/b", "URLValue", "url_value", "__",
    ]

    static func random(_ random: inout SplitMix64, depth: Int = 3) -> Shape {
        if depth == 0 || Int.random(in: 0..<4, using: &random) == 0 {
            return .scalar(Scalar.allCases.randomElement(using: &random)!)
        }
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4:
            let fields = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                Field(
                    key: Self.keys.randomElement(using: &random)!,
                    access: Bool.random(using: &random) ? .decode : Field.Access.allCases.randomElement(using: &random)!,
                    shape: Shape.random(&random, depth: depth - 1))
            }
            return .keyed(fields)
        case 5: return .unkeyed((0..<Int.random(in: 0...4, using: &random)).map { _ in Shape.random(&random, depth: depth - 1) })
        case 6, 7: return .array(.random(&random, depth: depth - 1))
        case 8: return .dictionary(.random(&random, depth: depth - 1))
        case 9: return .optional(.random(&random, depth: depth - 1))
        case 10: return .single(.random(&random, depth: depth - 1))
        default: return .fixed(Int.random(in: 0..<Fixed.types.count, using: &random))
        }
    }
}

/// A coding key of any text.
struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue).map { $0 + 1000 }
    }

    init?(intValue: Int) { return nil }
}

/// The shape that the next ``Probe`` has.
final class ShapeBox: @unchecked Sendable {
    static let key = CodingUserInfoKey(rawValue: "shape")!

    var shape: Shape

    init(_ shape: Shape) { self.shape = shape }

    static func of(_ userInfo: [CodingUserInfoKey: Any]) -> ShapeBox { userInfo[key] as! ShapeBox }

    func with<Result>(_ inner: Shape, _ body: () throws -> Result) rethrows -> Result {
        let outer = shape
        shape = inner
        defer { shape = outer }
        return try body()
    }
}
