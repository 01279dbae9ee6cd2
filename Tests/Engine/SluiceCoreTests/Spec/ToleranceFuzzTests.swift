// Random JSON for models with random policies: each reading gives a value or an error, the same whole and in chunks, leaves
// nothing after, and takes at least what strict conversions take. Many more rounds with SLUICE_DAMAGE=full.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ToleranceFuzzTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    @Test("F20: whatever the policies say, all ways of reading random JSON agree and leave nothing", arguments: UInt64(0)..<4)
    func randomPolicies(_ seed: UInt64) {
        // Tests of other seeds run at the same time, so that each counts its own.
        switch seed {
        case 0: fuzz(Seed0.self, seed)
        case 1: fuzz(Seed1.self, seed)
        case 2: fuzz(Seed2.self, seed)
        default: fuzz(Seed3.self, seed)
        }
    }

    private enum Seed0 {}
    private enum Seed1 {}
    private enum Seed2 {}
    private enum Seed3 {}

    private func fuzz<Tag>(_ tag: Tag.Type, _ seed: UInt64) {
        var random = SplitMix64(seed: 7000 + seed)
        var made = RandomJSON(random: SplitMix64(seed: 9000 + seed))
        var values = 0
        var drops = 0
        let rounds = Self.isFull ? 20_000 : 250
        for round in 0..<rounds {
            var bytes = made.document()
            // Now and then it is no JSON.
            if random.next() % 8 == 0 {
                let offset = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes.removeSubrange(offset...)
                case 1: bytes[offset] = Array("{}[]\",:x\\\u{B}\u{FF}".utf8)[Int(random.next() % 11)]
                default: bytes.remove(at: offset)
                }
            }
            let options = JSONReader.Options.random(&random)
            func check<Value: JSONBindable & Equatable>(_ type: Value.Type) {
                let (isValue, count) = compare(type, bytes, options, &random)
                if isValue { values += 1 }
                drops += count
            }
            switch round % 5 {
            case 0: check(Mixed<Tag>.self)
            case 1: check([Mixed<Tag>].self)
            case 2: check([String: Mixed<Tag>?].self)
            case 3: check(Positional<Tag>.self)
            default: check([Ruled<[Set<Level>], Tolerant>].self)
            }
        }
        #expect(Counted<Tag>.live == 0)
        #expect(values > rounds / 20)
        #expect(drops > rounds / 4)
    }

    /// Whether a value was read, and how much was left out of it.
    private func compare<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ bytes: [UInt8], _ options: JSONReader.Options, _ random: inout SplitMix64
    ) -> (Bool, Int) {
        var reader = JSONReader(options: options.inPieces)
        func outcome(_ body: (inout JSONReader) throws(JSONError) -> Value) -> (Value?, JSONError?, JSONReadReport) {
            do throws(JSONError) {
                return (try body(&reader), nil, reader.report)
            } catch {
                return (nil, error, reader.report)
            }
        }
        let whole = outcome { reader throws(JSONError) in try reader.read(type, from: bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        for _ in 0..<3 {
            let size = 1 + Int(random.next() % 40)
            var source = BytesSource(bytes, chunkSize: size)
            let pieces = outcome { reader throws(JSONError) in try reader.read(type, from: &source) }
            // What no property binds is checked less in memory: see `Options.Validation.bound`.
            let isUnseen = whole.1 == nil && (pieces.1?.kind == .syntax || pieces.1?.kind == .depthLimit)
            if isUnseen, options.validation == .bound { continue }
            #expect(pieces.0 == whole.0, "\(text) in chunks of \(size), \(options)")
            #expect(pieces.1?.kind == whole.1?.kind, "\(text) in chunks of \(size), \(options)")
            #expect(pieces.1?.path == whole.1?.path, "\(text) in chunks of \(size), \(options)")
            #expect(pieces.1?.position == whole.1?.position, "\(text) in chunks of \(size), \(options)")
            #expect(pieces.2 == whole.2, "\(text) in chunks of \(size), \(options)")
        }
        // Lenient takes all that strict takes without leaving anything out, and makes the same of it.
        var strict = options
        strict.conversions = .strict
        var lenient = options
        lenient.conversions = .lenient
        reader = JSONReader(options: strict.inPieces)
        let exact = outcome { reader throws(JSONError) in try reader.read(type, from: bytes) }
        if let value = exact.0, exact.2.isEmpty {
            reader = JSONReader(options: lenient.inPieces)
            let same = outcome { reader throws(JSONError) in try reader.read(type, from: bytes) }
            #expect(same.0 == value, "\(text), \(options)")
            #expect(same.2.isEmpty)
        }
        return (whole.0 != nil, whole.2.droppedCount)
    }
}

// MARK: Options

extension JSONReader.Options {
    fileprivate static func random(_ random: inout SplitMix64) -> JSONReader.Options {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        let conversions = JSONConversions(
            pick([.strict, .lenient, .lenient, .yyModel]), overflow: pick([.mismatch, .clamp, .wrap]),
            truncatesFractions: pick([false, true]), emptyStringIsNull: pick([false, true]),
            extendedBooleans: pick([false, true]))
        return JSONReader.Options(
            maximumDepth: pick([512, 512, 6]), validation: pick([.bound, .full]),
            duplicateKeys: pick([.last, .last, .first, .error]),
            conversions: conversions, nulls: pick([nil, .asNil, .keep, .empty, .default, .error]),
            mismatch: pick([nil, .throw, .default, .keep, .nil]), elements: pick([nil, .strict, .skipInvalid, .skipNull]),
            reportLimit: pick([0, 1, 100]))
    }
}

// MARK: Models

private enum Tolerant: Rules {
    static let presence = JSONPresence.optional
    static let keys: [JSONKeyPath] = ["e", "a", "x.a"]
    static let policy = JSONPropertyPolicy(mismatch: .nil, elements: .skipInvalid)
}

/// Properties of many kinds; each random key is one of theirs, or unknown.
private struct Mixed<Tag>: Equatable {
    var number: Int?
    var small: UInt8 = 3
    var real: Double?
    var text: String?
    var counted: Counted<Tag>?
    var many: [Counted<Tag>] = []
    var pairs: [String: [Counted<Tag>?]]?
    var inner: [Mixed<Tag>]?
    var joined: String?
    var level: Level?
    var raw: RawJSON?
}

extension Mixed: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var number: Int?
        var small: UInt8?
        var real: Double?
        var text: String?
        var counted: Counted<Tag>?
        var many: [Counted<Tag>]?
        var pairs: [String: [Counted<Tag>?]]?
        var inner: [Mixed<Tag>]?
        var joined: String?
        var level: Level?
        var raw: RawJSON?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("number", \JSONDraft.number, keys: ["a", "b", "x.a"], presence: .optional)
        model.property("small", \JSONDraft.small, keys: ["c"], presence: .defaulted)
        model.property("real", \JSONDraft.real, keys: ["x.b"], presence: .optional, policy: .init(nulls: .empty))
        model.property("text", \JSONDraft.text, keys: ["d"], presence: .optional)
        model.property("counted", \JSONDraft.counted, keys: ["e", "f"], presence: .optional, policy: .init(mismatch: .keep))
        model.property("many", \JSONDraft.many, keys: ["g"], presence: .defaulted)
        model.property("pairs", \JSONDraft.pairs, keys: ["h", "x.c.d"], presence: .optional, policy: .init(mismatch: .default))
        model.property("inner", \JSONDraft.inner, keys: ["i"], presence: .optional)
        model.property("joined", \JSONDraft.joined, keys: ["j"], presence: .optional, policy: .init(joinSeparator: "|"))
        model.property(
            "level", \JSONDraft.level, keys: ["k"], presence: .optional, policy: .init(mismatch: .nil, isSensitive: true))
        model.property("raw", \JSONDraft.raw, keys: ["l"], presence: .optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        number = draft.number
        if let value = draft.small { small = value }
        real = draft.real
        text = draft.text
        counted = draft.counted
        if let value = draft.many { many = value }
        pairs = draft.pairs
        inner = draft.inner
        joined = draft.joined
        level = draft.level
        raw = draft.raw
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A positional model: the root arrays of the random documents.
private struct Positional<Tag>: JSONModel, Equatable {
    var counted: Counted<Tag>?
    var numbers: [Int]?
    var mixed: Mixed<Tag>?
    var flag: Bool

    struct JSONDraft: _JSONModelDraft {
        var counted: Counted<Tag>?
        var numbers: [Int]?
        var mixed: Mixed<Tag>?
        var flag: Bool?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("counted", \JSONDraft.counted, presence: .optional)
        model.property("numbers", \JSONDraft.numbers, presence: .optional, policy: .init(mismatch: .keep))
        model.property("mixed", \JSONDraft.mixed, presence: .optional, policy: .init(mismatch: .nil))
        model.property("flag", \JSONDraft.flag, presence: .defaulted)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        counted = draft.counted
        numbers = draft.numbers
        mixed = draft.mixed
        flag = draft.flag ?? true
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

// MARK: Documents

/// Makes documents whose keys are those of the models above.
private struct RandomJSON {
    var random: SplitMix64
    private var text: [UInt8] = []

    init(random: SplitMix64) { self.random = random }

    private mutating func below(_ limit: UInt64) -> Int { Int(random.next() % limit) }

    mutating func document() -> [UInt8] {
        text = []
        if below(3) == 0 { object(4) } else { list(4, objects: true) }
        if below(10) == 0 { blank() }
        return text
    }

    private static let scalars = [
        "null", "null", "true", "false", "0", "7", "-1", "300", "1.5", "1e400", "2.0", "-0.9", "12345678901234567890",
        "340282366920938463463374607431768211456", "\"x\"", "\"\"", "\" \"", "\"7\"", "\"12abc\"", "\"null\"", "\"yes\"",
        "\"on\"", "\"1.50\"", "\"é\\u00e9\\n\"", "\"\\ud83d\\ude00\"", "\"127\"", "\"a string of more than fifteen bytes\"",
    ]

    private static let broken = ["\"\\ud800\"", "nul", "01", "\"\u{1}\"", "]", "{,}"]

    private mutating func value(_ depth: Int) {
        switch below(UInt64(depth > 0 ? 20 : 13)) {
        case 0 where below(25) == 0: text += RandomJSON.broken[below(UInt64(RandomJSON.broken.count))].utf8
        case 0..<13: text += RandomJSON.scalars[below(UInt64(RandomJSON.scalars.count))].utf8
        case 13..<17: list(depth - 1, objects: below(3) == 0)
        default: object(depth - 1)
        }
    }

    private mutating func list(_ depth: Int, objects: Bool) {
        text.append(UInt8(ascii: "["))
        for index in 0..<below(7) {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            blank()
            if objects, below(4) > 0, depth > 0 { object(depth - 1) } else { value(depth) }
            blank()
        }
        text.append(UInt8(ascii: "]"))
    }

    private mutating func object(_ depth: Int) {
        text.append(UInt8(ascii: "{"))
        for index in 0..<below(7) {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            blank()
            let key = "abcdefghijklmx"
            text += "\"\(key[key.index(key.startIndex, offsetBy: below(14))])\"".utf8
            blank()
            text.append(UInt8(ascii: ":"))
            blank()
            value(depth)
        }
        text.append(UInt8(ascii: "}"))
    }

    private mutating func blank() {
        switch below(12) {
        case 0: text.append(UInt8(ascii: " "))
        case 1: text.append(UInt8(ascii: "\n"))
        default: break
        }
    }
}
