// Random columns, and records with values that some of them take: the borders of each type above all.

import SluiceTestSupport

@testable import SluiceCore

struct RandomRows {
    var random: SplitMix64
    /// For each key of the columns, the values that one of its columns may take.
    private var values: [(path: [String], pool: [String])] = []

    init(seed: UInt64) { random = SplitMix64(seed: seed &+ 4711) }

    private static let integers = """
        0 -0 7 -1 42 12345678 123456789012345 999999999999999 1234567890123456 12345678901234567 9007199254740991 9007199254740992 \
        9007199254740993 -9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 \
        12345678901234567891 1.0 1e3 1E2 -2.50e1 1e400 2147483647 2147483648 -2147483648 1390220688 01 - 1. 1e
        """.split(separator: " ").map(String.init)
    private static let reals = """
        0.0 -0.0 0e0 0.000 0.0000 00 1e-400 5e-324 4.9e-324 1e-320 0e-99 2.2250738585072014e-308 2.2250738585072011e-308 0.1 1.10 3.14159 \
        3.141592653589793 3.1415926535897932 0.30000000000000004 0.3000000000000000004 123456789.123456789 1e22 1e23 1e300 1e999 -1e999 \
        9007199254740993.5 -9007199254740992.0 88.4324 5e-7 258.220 -7 12345 1234567890.12345 12345678901.123456 1390220688.5 99.99 100.001
        """.split(separator: " ").map(String.init)
    private static let texts = [
        #""""#, #""x""#, #""fifteen bytes..""#, #""sixteen bytes...""#, #""seventeen bytes..""#,
        #""a text that is longer than thirty-two bytes, and than any block""#, #""é""#, #""日本語のテキスト""#,
        #""naïve café, and more text""#,
        #""a\nb""#, #""\u00e9\ud83d\ude00""#, #""\ud800""#, #""\udc00x""#, #""\/""#, #""true""#, #""12""#, #""1.5""#, #""null""#,
        "\"a\u{1}b\"", #""open"#,
    ]
    private static let truths = ["true", "false", "true", "false", "tru", "falsey", "True"]
    private static let dates = """
        2020-01-01T00:00:00Z 2020-01-01 2020-02-30 2014-01-20T12:24:48.5+02:00 2020-01-01T00:00:00.1234567Z 2020-01-01T00:00:00.1234567891Z \
        2020-01-01T00:00:00.1234567890Z 2016-12-31T23:59:60Z 2016-12-31T23:59:59Z soon 1390220688 0001-01-01 9999-12-31T23:59:59.999999Z \
        2014/01/20
        """.split(separator: " ").map { "\"\($0)\"" } + ["1390220688", "1390220688.5", "86400", "0", "1e20", "-1"]
    private static let containers = [
        "[]", "{}", #"[1, "]"]"#, #"{"a" : [1,{"é":null}]}"#, "[[ ]]", #"{"x":"\u00e9"}"#, "[1,2", #"["a","b",null,true,1.5]"#,
        "[tru]",
    ]
    private static let all = integers + reals + texts + truths + dates + containers + Array(repeating: "null", count: 12)

    // MARK: Columns

    private mutating func keys(_ number: Int) -> [JSONKeyPath] {
        switch random.below(20) {
        case 0..<12: [JSONKeyPath("k\(number)")]
        case 12, 13: [JSONKeyPath("k\(number)"), JSONKeyPath("other\(number)")]
        case 14, 15, 16: [JSONKeyPath("o.p\(number)")]
        case 17: [JSONKeyPath("l.\(number % 3)")]
        case 18: ["k0"]
        default: ["o"]
        }
    }

    private mutating func dates() -> JSONDateFormat? { random.pick([nil, nil, .unix, .milliseconds, .format("yyyy/MM/dd")]) }

    mutating func tableColumns() -> [JSONColumn] {
        (0..<(3 + random.below(8))).map { number in
            let type = random.pick(ColumnType.ofTables + [.integer, .real, .text])
            let column = JSONColumn(
                name: "c\(number)", type: type, keys: keys(number), isTolerant: random.below(2) == 0,
                isSensitive: random.below(8) == 0, dates: type.isOfDates ? dates() : nil)
            let pool =
                switch type {
                case .integer: Self.integers
                case .real: Self.reals + Self.integers
                case .text: Self.texts
                case .bool: Self.truths
                case .date, .timestamp: Self.dates
                default: Self.containers
                }
            note(column.keys, pool)
            return column
        }
    }

    mutating func batchColumns() -> [JSONColumn] {
        (0..<(3 + random.below(8))).map { number in
            let (type, pool) = batchType(depth: 2)
            let column = JSONColumn(
                name: "c\(number)", type: type, keys: keys(number), isRequired: random.below(6) == 0,
                isSensitive: random.below(8) == 0,
                dates: dates())
            note(column.keys, pool)
            return column
        }
    }

    private mutating func batchType(depth: Int) -> (ColumnType, [String]) {
        switch random.below(depth > 0 ? 14 : 10) {
        case 0: return (.bool, Self.truths)
        case 1, 2: return (.integer, Self.integers)
        case 3, 4: return (.real, Self.reals + Self.integers)
        case 5: return (.text, Self.texts)
        case 6: return (.int32, Self.integers)
        case 7: return (.timestamp, Self.dates)
        case 8: return (.date, Self.dates)
        case 9:
            return (.decimal(precision: 4 + random.below(15), scale: random.below(4)), Self.reals + Self.integers + Self.texts)
        case 10: return (.json, Self.containers)
        case 11, 12:
            let (type, pool) = batchType(depth: depth - 1)
            return (.list(of: type), (0..<12).map { _ in "[" + list(of: pool) + "]" })
        default:
            let (first, second) = (batchType(depth: depth - 1), batchType(depth: 0))
            let columns = [
                JSONColumn(name: "m", type: first.0), JSONColumn(name: "n", type: second.0, isRequired: random.below(3) == 0),
            ]
            return (
                .object(columns),
                (0..<12).map { _ in
                    let members = ["\"m\":\(random.pick(first.1))", "\"n\": \(random.pick(second.1))", "\"?\":1", "\"m\":null"]
                    return "{" + members.filter { _ in random.below(4) > 0 }.shuffled(using: &random).joined(separator: ",") + "}"
                }
            )
        }
    }

    private mutating func list(of pool: [String]) -> String {
        (0..<random.below(4)).map { _ in random.below(8) == 0 ? "null" : random.pick(pool) }.joined(
            separator: random.pick([",", " , "]))
    }

    private mutating func note(_ keys: [JSONKeyPath], _ pool: [String]) {
        // Values that are no JSON at all end a record: they are rare.
        for key in keys { values.append((key.components, pool)) }
    }

    // MARK: Records

    private mutating func value(_ pool: [String]) -> String {
        switch random.below(20) {
        case 0..<15: random.pick(pool)
        case 15, 16: "null"
        default: random.pick(Self.all)
        }
    }

    /// The text of a record. Most are valid.
    mutating func record() -> [UInt8] {
        var members: [(key: String, value: String)] = []
        var inner: [String] = []
        var byIndex: [Int: String] = [:]
        for (path, pool) in values where random.below(8) > 0 {
            let value = value(pool)
            switch (path[0], path.count) {
            case ("o", 2): inner.append("\"\(path[1])\":\(value)")
            case ("l", 2): byIndex[Int(path[1]) ?? 0] = value
            default: members.append((path[0], value))
            }
        }
        if !inner.isEmpty {
            members.insert(
                ("o", random.below(12) == 0 ? value(Self.all) : "{\(inner.joined(separator: ", "))}"),
                at: random.below(members.count + 1))
        }
        if !byIndex.isEmpty {
            let elements = (0...2).map { byIndex[$0] ?? "0" }.prefix(1 + random.below(3))
            members.insert(
                ("l", random.below(12) == 0 ? value(Self.all) : "[\(elements.joined(separator: ","))]"),
                at: random.below(members.count + 1))
        }
        if random.below(6) == 0 { members.insert(("unknown", value(Self.all)), at: random.below(members.count + 1)) }
        if random.below(6) == 0, !members.isEmpty { members.append((random.pick(members).key, random.pick(members).value)) }
        if random.below(4) == 0 { members.shuffle(using: &random) }
        let colon = random.pick([":", ":", ": ", " :  "])
        let comma = random.pick([",", ",", ", ", ",\n  "])
        let text = members.map { member in
            let key =
                random.below(40) == 0
                ? "\\u006" + String(member.key.utf8.first.map { $0 & 15 } ?? 0, radix: 16) + member.key.dropFirst() : member.key
            return "\"\(key)\"\(colon)\(member.value)"
        }
        return (random.below(20) == 0 ? [0xEF, 0xBB, 0xBF] : []) + Array("{\(text.joined(separator: comma))}".utf8)
    }
}
