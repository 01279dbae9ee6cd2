// Each method of a container that names a type: in arrays, in objects and alone, with a value, with null, and with a value that does not
// fit. The results are Foundation's.

import Foundation
import SluiceCodable
import Testing

/// What was decoded, as text: "nil" for a null.
private struct Texts: Equatable {
    var texts: [String] = []

    mutating func add<Value>(_ value: Value?) { texts.append(value.map { "\($0)" } ?? "nil") }
}

/// The values of one kind of each, in the order of ``NamedTypes/json``.
private enum NamedTypes {
    static let json = [
        "true", #""ä""#, "1.5", "-2.25", "-9007199254740993", "-128", "-32768", "-2147483648", "-9223372036854775808",
        "9007199254740993",
        "255", "65535", "4294967295", "18446744073709551615",
    ]

    struct Key: CodingKey {
        let intValue: Int? = nil
        let stringValue: String

        init(_ number: Int) { stringValue = "k\(number)" }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// An array, each element read by the method for its type that takes null.
private struct OptionalElements: Decodable {
    var found = Texts()

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        found.add(try container.decodeIfPresent(Bool.self))
        found.add(try container.decodeIfPresent(String.self))
        found.add(try container.decodeIfPresent(Double.self))
        found.add(try container.decodeIfPresent(Float.self))
        found.add(try container.decodeIfPresent(Int.self))
        found.add(try container.decodeIfPresent(Int8.self))
        found.add(try container.decodeIfPresent(Int16.self))
        found.add(try container.decodeIfPresent(Int32.self))
        found.add(try container.decodeIfPresent(Int64.self))
        found.add(try container.decodeIfPresent(UInt.self))
        found.add(try container.decodeIfPresent(UInt8.self))
        found.add(try container.decodeIfPresent(UInt16.self))
        found.add(try container.decodeIfPresent(UInt32.self))
        found.add(try container.decodeIfPresent(UInt64.self))
        // After the last element nothing is left.
        found.add(try container.decodeIfPresent(String.self))
        #expect(container.isAtEnd)
    }
}

/// An array, each element read by the method for its type.
private struct Elements: Decodable {
    var found = Texts()

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        found.add(try container.decode(Bool.self))
        found.add(try container.decode(String.self))
        found.add(try container.decode(Double.self))
        found.add(try container.decode(Float.self))
        found.add(try container.decode(Int.self))
        found.add(try container.decode(Int8.self))
        found.add(try container.decode(Int16.self))
        found.add(try container.decode(Int32.self))
        found.add(try container.decode(Int64.self))
        found.add(try container.decode(UInt.self))
        found.add(try container.decode(UInt8.self))
        found.add(try container.decode(UInt16.self))
        found.add(try container.decode(UInt32.self))
        found.add(try container.decode(UInt64.self))
        #expect(container.isAtEnd)
    }
}

/// An object, each member read by the method for its type that takes null and absence.
private struct OptionalMembers: Decodable {
    var found = Texts()

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: NamedTypes.Key.self)
        found.add(try container.decodeIfPresent(Bool.self, forKey: .init(0)))
        found.add(try container.decodeIfPresent(String.self, forKey: .init(1)))
        found.add(try container.decodeIfPresent(Double.self, forKey: .init(2)))
        found.add(try container.decodeIfPresent(Float.self, forKey: .init(3)))
        found.add(try container.decodeIfPresent(Int.self, forKey: .init(4)))
        found.add(try container.decodeIfPresent(Int8.self, forKey: .init(5)))
        found.add(try container.decodeIfPresent(Int16.self, forKey: .init(6)))
        found.add(try container.decodeIfPresent(Int32.self, forKey: .init(7)))
        found.add(try container.decodeIfPresent(Int64.self, forKey: .init(8)))
        found.add(try container.decodeIfPresent(UInt.self, forKey: .init(9)))
        found.add(try container.decodeIfPresent(UInt8.self, forKey: .init(10)))
        found.add(try container.decodeIfPresent(UInt16.self, forKey: .init(11)))
        found.add(try container.decodeIfPresent(UInt32.self, forKey: .init(12)))
        found.add(try container.decodeIfPresent(UInt64.self, forKey: .init(13)))
    }
}

@Suite struct EveryTypeTests {
    /// The result of a decoder, or its error: the kind, and the position in the value.
    private func outcome(_ body: () throws -> Texts) -> String {
        do {
            return try body().texts.joined(separator: " ")
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(_, let context): return "type mismatch at \(context.codingPath.map(\.stringValue))"
            case .valueNotFound(_, let context): return "no value at \(context.codingPath.map(\.stringValue))"
            case .dataCorrupted(let context): return "corrupted at \(context.codingPath.map(\.stringValue))"
            case .keyNotFound(let key, _): return "no key \(key.stringValue)"
            @unknown default: return "another error"
            }
        } catch {
            return "\(error)"
        }
    }

    private func array(_ items: [String]) -> Data { Data("[\(items.joined(separator: ","))]".utf8) }

    private func object(_ items: [String]) -> Data {
        Data("{\(items.enumerated().map { "\"k\($0.offset)\":\($0.element)" }.joined(separator: ","))}".utf8)
    }

    /// The values; each of them replaced by one that does not fit, or by null; and all of them null.
    private func variants() -> [[String]] {
        var variants = [NamedTypes.json, NamedTypes.json.map { _ in "null" }]
        for index in NamedTypes.json.indices {
            for replacement in ["null", "{}", "1e300"] {
                var items = NamedTypes.json
                items[index] = replacement
                variants.append(items)
            }
        }
        return variants
    }

    @Test func theValuesOfAnArrayAreRead() throws {
        let expected =
            "true ä 1.5 -2.25 -9007199254740993 -128 -32768 -2147483648 -9223372036854775808 9007199254740993 255 65535 4294967295 18446744073709551615"
        let data = array(NamedTypes.json)
        #expect(outcome { try SluiceJSONDecoder().decode(Elements.self, from: data).found } == expected)
        #expect(outcome { try SluiceJSONDecoder().decode(OptionalElements.self, from: data).found } == expected + " nil")
        #expect(outcome { try SluiceJSONDecoder().decode(OptionalMembers.self, from: object(NamedTypes.json)).found } == expected)
    }

    @Test func whatDoesNotFitIsTheErrorOfFoundation() {
        for items in variants() {
            let (array, object) = (array(items), object(items))
            let (own, foundation) = (SluiceJSONDecoder(), JSONDecoder())
            #expect(
                outcome { try own.decode(Elements.self, from: array).found }
                    == outcome { try foundation.decode(Elements.self, from: array).found }, "\(items)")
            #expect(
                outcome { try own.decode(OptionalElements.self, from: array).found }
                    == outcome { try foundation.decode(OptionalElements.self, from: array).found }, "\(items)")
            #expect(
                outcome { try own.decode(OptionalMembers.self, from: object).found }
                    == outcome { try foundation.decode(OptionalMembers.self, from: object).found }, "\(items)")
        }
    }

    @Test func eachTypeIsWrittenInArraysInObjectsAndAlone() throws {
        let elements = Calls { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(true)
            try container.encode("ä")
            try container.encode(1.5 as Double)
            try container.encode(-2.25 as Float)
            try container.encode(-9_007_199_254_740_993 as Int)
            try container.encode(Int8.min)
            try container.encode(Int16.min)
            try container.encode(Int32.min)
            try container.encode(Int64.min)
            try container.encode(9_007_199_254_740_993 as UInt)
            try container.encode(UInt8.max)
            try container.encode(UInt16.max)
            try container.encode(UInt32.max)
            try container.encode(UInt64.max)
        }
        let members = Calls { encoder in
            var container = encoder.container(keyedBy: NamedTypes.Key.self)
            try container.encode(true, forKey: .init(0))
            try container.encode("ä", forKey: .init(1))
            try container.encode(1.5 as Double, forKey: .init(2))
            try container.encode(-2.25 as Float, forKey: .init(3))
            try container.encode(-9_007_199_254_740_993 as Int, forKey: .init(4))
            try container.encode(Int8.min, forKey: .init(5))
            try container.encode(Int16.min, forKey: .init(6))
            try container.encode(Int32.min, forKey: .init(7))
            try container.encode(Int64.min, forKey: .init(8))
            try container.encode(9_007_199_254_740_993 as UInt, forKey: .init(9))
            try container.encode(UInt8.max, forKey: .init(10))
            try container.encode(UInt16.max, forKey: .init(11))
            try container.encode(UInt32.max, forKey: .init(12))
            try container.encode(UInt64.max, forKey: .init(13))
        }
        let alone: [@Sendable (inout any SingleValueEncodingContainer) throws -> Void] = [
            { try $0.encode(true) }, { try $0.encode("ä") }, { try $0.encode(1.5 as Double) }, { try $0.encode(-2.25 as Float) },
            { try $0.encode(-9_007_199_254_740_993 as Int) }, { try $0.encode(Int8.min) }, { try $0.encode(Int16.min) },
            { try $0.encode(Int32.min) }, { try $0.encode(Int64.min) }, { try $0.encode(9_007_199_254_740_993 as UInt) },
            { try $0.encode(UInt8.max) }, { try $0.encode(UInt16.max) }, { try $0.encode(UInt32.max) },
            { try $0.encode(UInt64.max) },
        ]
        let singles = alone.map { write in
            Calls { encoder in
                var container = encoder.singleValueContainer()
                try write(&container)
            }
        }
        let (own, foundation) = (SluiceJSONEncoder(), JSONEncoder())
        for encoder in [own, foundation] { encoder.outputFormatting = .sortedKeys }
        #expect(try own.encode(elements) == array(NamedTypes.json))
        #expect(try own.encode(singles) == array(NamedTypes.json))
        #expect(try own.encode(elements) == foundation.encode(elements))
        #expect(try own.encode(members) == foundation.encode(members))
    }

    @Test func integersOf128BitsAreReadAndWritten() throws {
        let values = [Int128.min, Int128.max]
        let positive = [UInt128.max, 0]
        #expect(try SluiceJSONDecoder().decode([Int128].self, from: SluiceJSONEncoder().encode(values)) == values)
        #expect(try SluiceJSONDecoder().decode([UInt128].self, from: SluiceJSONEncoder().encode(positive)) == positive)
    }
}
