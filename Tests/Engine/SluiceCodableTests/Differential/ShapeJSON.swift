// JSON for a shape: mostly what it accepts, with misfits in it, and then damaged perhaps.

import Foundation
import SluiceTestSupport

struct ShapeJSON {
    var random: SplitMix64
    /// How many of a thousand values are of another kind than the shape asks for.
    var misfits: Int

    mutating func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }

    mutating func pick<Element>(_ values: [Element]) -> Element { values.randomElement(using: &random)! }

    mutating func document(_ shape: Shape) -> [UInt8] {
        var bytes = Array((blank() + value(shape) + blank()).utf8)
        if chance(1, of: 4) { damage(&bytes) }
        return bytes
    }

    mutating func blank() -> String { chance(1, of: 6) ? pick([" ", "\n", "\t", "  \r\n ", "                        "]) : "" }

    mutating func value(_ shape: Shape) -> String {
        if chance(misfits, of: 1000) { return misfit() }
        switch shape {
        case .scalar(let scalar): return self.scalar(scalar)
        case .keyed(let fields):
            var members: [String] = []
            for field in fields where !chance(1, of: 25) {
                let inner: Shape = field.access == .nestedUnkeyed ? .unkeyed([field.shape, field.shape]) : field.shape
                members.append(key(field.key) + blank() + ":" + blank() + value(inner))
            }
            while chance(1, of: 4) { members.append(key(pick(Shape.keys)) + ":" + misfit()) }
            if chance(1, of: 4) { members.shuffle(using: &random) }
            return "{" + blank() + members.joined(separator: blank() + "," + blank()) + (chance(1, of: 60) ? "," : "") + "}"
        case .unkeyed(let shapes):
            var elements = shapes.map { value($0) }
            if chance(1, of: 6) { elements.append(misfit()) }
            if chance(1, of: 12), !elements.isEmpty { elements.removeLast() }
            return list(elements)
        case .array(let element):
            return list((0..<Int.random(in: 0...4, using: &random)).map { _ in value(element) })
        case .dictionary(let inner):
            let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in key(pick(Shape.keys)) + ": " + value(inner) }
            return "{" + members.joined(separator: ",") + "}"
        case .optional(let wrapped): return chance(1, of: 4) ? "null" : value(wrapped)
        case .single(let inner): return value(inner)
        case .fixed(let index): return Fixed.types[index].sample
        }
    }

    mutating func list(_ elements: [String]) -> String {
        "[" + blank() + elements.joined(separator: blank() + "," + blank()) + (chance(1, of: 60) ? "," : "") + blank() + "]"
    }

    mutating func key(_ text: String) -> String {
        var text = text
        if chance(1, of: 10) { text = SnakeWords.variants(text).randomElement(using: &random)! }
        return string(text)
    }

    mutating func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                result += "\\" + String(scalar)
            } else if scalar.value < 0x20 || chance(1, of: 40), scalar.value < 0xD800 {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else if scalar == "/", chance(1, of: 2) {
                result += "\\/"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static let texts = [
        "", "a", "NaN", "INF", "-INF", "true", "12", "1.5", "http://example.com/a?b=c#d", "AAECAw==", "AAEC", "%", "é",
        "日本語のテキストです", "😀",
        "2024-02-29T12:34:56Z", "2024-02-30T12:34:56Z", "2023-11-05T24:00:00Z", "1999-12-31T23:59:60Z",
        "2001-09-09T01:46:40+02:00",
        "20010909T014640Z", "2024-02-29", "1500-02-28T00:00:00Z", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "line\nbreak",
        "tab\t\u{1}\u{7f}",
        "a text that is longer than fifteen bytes",
        "another \"quoted\" text \\ with / slashes, longer than sixty-four bytes, so that blocks end in it",
    ]

    static let numbers = [
        "0", "-0", "1", "-1", "7", "42", "127", "128", "-128", "-129", "255", "256", "32767", "65535", "65536", "2147483647",
        "4294967295",
        "4294967296", "123456789012345", "1234567890123456", "9007199254740991", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105727", "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "1.0", "3.0", "-0.0", "0.0", "1.5", "-65.613616999999977", "43.420273000000009", "0.1", "1e3", "1E+2", "1e-2", "25e-1",
        "12.50e1", "1e18",
        "1e19", "1e400", "-1e400", "1e-400", "1e39", "1e-50", "5e-324", "1.7976931348623157e308", "0e999",
        "3.14159265358979323846264338327950288419716939937510",
        "100000000000000000000000000000000000000000000", "1e127", "1e200", "700000000", "1577836800", "1577836800.123",
        "1577836800123",
        "1.0000000000000001", "16777217", "0.30000000000000004", "2.2250738585072011e-308", "123456789.123456789",
    ]

    static let brokenNumbers = [
        "01", "-", "1.", "1.e3", "1e", "1e+", "--1", "1-2", "1.2.3", "-01", "00", "+1", ".5", "1e5.5", "0x10", "1+1", "-.5",
    ]

    mutating func number() -> String { chance(1, of: 60) ? pick(Self.brokenNumbers) : pick(Self.numbers) }

    mutating func integer() -> String { chance(1, of: 3) ? number() : "\(Int.random(in: -99...99, using: &random))" }

    mutating func text() -> String { string(pick(Self.texts)) }

    mutating func misfit() -> String {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2: return number()
        case 3, 4: return text()
        case 5: return "[]"
        case 6: return "{}"
        case 7: return list([number(), text()])
        default: return "{\(key(pick(Shape.keys))): \(number()), \(key(pick(Shape.keys))): \(text())}"
        }
    }

    mutating func scalar(_ scalar: Shape.Scalar) -> String {
        switch scalar {
        case .bool: pick(["true", "false"])
        case .string: text()
        case .double, .float, .decimal: number()
        case .int, .int8, .int16, .int32, .int64, .int128: integer()
        case .uint, .uint8, .uint16, .uint32, .uint64, .uint128:
            chance(1, of: 3) ? number() : "\(Int.random(in: 0...99, using: &random))"
        case .date: chance(1, of: 2) ? number() : string(pick(Array(Self.texts[15...22])))
        case .data:
            chance(1, of: 4) ? text() : pick(["\"AAECAw==\"", "\"\"", "\"AA\\/+\"", "[1, 2, 255]", "\"AAEC Aw==\"", "\"AA==\""])
        case .url: string(pick(["http://example.com/a?b=c#d", "a b", "", "http://[", "ü", "x:y", "//", "%zz"]))
        case .uuid: string(pick(["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621"]))
        case .doubles: list((0..<Int.random(in: 0...5, using: &random)).map { _ in value(.scalar(.double)) })
        case .ints: list((0..<Int.random(in: 0...5, using: &random)).map { _ in value(.scalar(.int)) })
        case .strings: list((0..<Int.random(in: 0...5, using: &random)).map { _ in value(.scalar(.string)) })
        case .optionals: list((0..<Int.random(in: 0...5, using: &random)).map { _ in value(.optional(.scalar(.int))) })
        case .doubleLists: list((0..<Int.random(in: 0...3, using: &random)).map { _ in value(.scalar(.doubles)) })
        case .counts: value(.dictionary(.scalar(.int)))
        case .numbers: value(.dictionary(.scalar(.double)))
        case .integerKeys: pick([#"{"1": "a", "-2": "b"}"#, #"{"1": "a", "x": "b"}"#, #"{"1": 1}"#, "{}"])
        }
    }

    /// Changes some bytes.
    mutating func damage(_ bytes: inout [UInt8]) {
        for _ in 0...Int.random(in: 0...1, using: &random) where !bytes.isEmpty {
            let offset = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.remove(at: offset)
            case 1: bytes[offset] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.insert(pick(Array("{}[]\",:\\ \n0-e.tu\u{1}".utf8)), at: offset)
            case 3: bytes.removeLast(bytes.count - offset)
            case 4:
                bytes.insert(
                    contentsOf: Array(
                        pick(["\\u12", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\q", "\\u00e9", "\u{1}", "é"]).utf8), at: offset)
            case 5: bytes.insert(contentsOf: [0xC3, 0x28], at: offset)
            case 6: bytes[offset] = pick(Array("{}[]\",:\\ \n0-e.tu\u{1}".utf8))
            default: bytes.swapAt(offset, bytes.count / 2)
            }
        }
    }
}

/// Keys that a key strategy turns into each other.
enum SnakeWords {
    static func variants(_ key: String) -> [String] {
        [
            key, key.uppercased(), "_" + key, key + "_", key.replacing("_", with: "__"),
            key.replacing(/([A-Z])/) { "_" + $0.1.lowercased() },
        ]
    }
}
