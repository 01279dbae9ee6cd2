// Strict conversions against Foundation's `JSONDecoder`, with the same models and generated JSON: what both accept they read as
// the same, and where only one accepts, the reason is in the one list of disagreements below.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Where the two read a document differently: the whole list.
enum FoundationDisagreement: String, CaseIterable, CustomTestStringConvertible {
    /// Of two equal keys Foundation takes the first, Sluice the last: `duplicateKeys: .first` is Foundation's way, also for keys of
    /// dictionaries that differ in bytes only, as `é` in one character and in two do.
    case theLastOfEqualKeysCounts = #"{"int":1,"int":2}"#
    /// Foundation finds a property by any spelling of its key's characters, Sluice by its bytes alone.
    case keysAreBytes = "{\"int\":1,\"e\u{301}\":2}"
    /// Foundation passes over a comma after the last member or element.
    case noTrailingCommas = #"{"int":1,}"#
    /// Foundation does not look at numbers and strings that nothing reads: `2-`, `01`, `"\d"`, control characters, bytes that are
    /// not UTF-8. Sluice's parser does, within what ``JSONReader/Options/Validation`` says.
    case unreadScalarsAreJSON = #"{"int":1,"more":2-}"#
    /// Sluice passes over long containers that nothing reads by their brackets and quotes, unless
    /// ``JSONReader/Options/Validation/full`` is asked for; Foundation looks at the escapes in there.
    case unreadContainersAreSkipped =
        #"{"int":1,"more":["0123456789012345678901234567890123456789012345678901234567890123","\ux"]}"#
    /// A number too small for any double is 0 as a `Float` or `Double` to Sluice, and no number to Foundation.
    case tinyFractionsAreZero = #"{"int":1,"single":1e-50}"#
    /// The same number is 0 as an integer to Foundation, and no integer to Sluice.
    case tinyFractionsAreNoIntegers = #"{"int":1e-400}"#
    /// A double cannot hold this fraction, because the whole part is large. Foundation loses it before it looks for an integer. To
    /// Sluice, a number with a fraction is no integer.
    case lostFractionsAreNoIntegers = #"{"int":3456789012345680.1}"#
    /// Foundation reads UTF-16 and UTF-32, Sluice UTF-8 alone (RFC 8259, section 8.1).
    case textIsUTF8 = #"{"int":0}"#

    var testDescription: String { "\(self)" }

    /// A document that the two read differently.
    var example: [UInt8] {
        switch self {
        case .textIsUTF8: rawValue.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        default: Array(rawValue.utf8)
        }
    }

    /// What becomes of the example.
    var outcome: FoundationOutcome {
        switch self {
        case .theLastOfEqualKeysCounts, .keysAreBytes: .differ
        case .noTrailingCommas, .unreadScalarsAreJSON, .tinyFractionsAreNoIntegers, .lostFractionsAreNoIntegers, .textIsUTF8:
            .sluiceRefuses
        case .tinyFractionsAreZero, .unreadContainersAreSkipped: .foundationRefuses
        }
    }

    /// Whether this is why the two disagree about a document from which nothing can be taken out.
    func explains(_ bytes: [UInt8], _ outcome: FoundationOutcome) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let objects = (try? JSONValue(json: bytes)).map(objects) ?? []
        let isTiny = text.lowercased().contains("e-")
        switch self {
        case .theLastOfEqualKeysCounts:
            // If a part that nothing reads is not JSON, `objects` is empty. Sluice can then still take the first of equal keys.
            let first = try? Parity(json: bytes, options: .init(duplicateKeys: .first, conversions: .strict))
            let other = try? JSONDecoder().decode(Parity.self, from: Data(bytes))
            return objects.contains { Set($0.keys).count < $0.count } || outcome == .differ && first == other
        case .keysAreBytes:
            return outcome != .sluiceRefuses && (text.unicodeScalars.contains("\u{301}") || text.contains("\\u0301"))
        case .noTrailingCommas:
            let compact = text.filter { !$0.isWhitespace }
            return outcome == .sluiceRefuses && (compact.contains(",}") || compact.contains(",]"))
        case .unreadScalarsAreJSON:
            // This reads everything.
            let whole = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            return outcome == .sluiceRefuses && whole == nil
        case .unreadContainersAreSkipped:
            let whole = try? Parity(json: bytes, options: .init(validation: .full, conversions: .strict))
            return outcome == .foundationRefuses && whole == nil
        case .tinyFractionsAreZero: return outcome == .foundationRefuses && isTiny
        case .tinyFractionsAreNoIntegers: return outcome == .sluiceRefuses && isTiny
        case .lostFractionsAreNoIntegers:
            let isLost = text.matches(of: /\d+\.\d+/).contains { number in
                Double(number.output).map { $0 == $0.rounded() } == true && number.output.contains(/\.\d*[1-9]/)
            }
            return outcome == .sluiceRefuses && isLost
        case .textIsUTF8: return outcome == .sluiceRefuses && bytes.contains(0)
        }
    }

    private func objects(_ value: JSONValue) -> [JSONObject] {
        switch value {
        case .array(let elements): elements.flatMap(objects)
        case .object(let object): [object] + object.members.flatMap { objects($0.value) }
        default: []
        }
    }
}

/// What the two make of a document.
enum FoundationOutcome { case same, differ, sluiceRefuses, foundationRefuses }

@Suite struct FoundationPropertyTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    @Test("F19: strict conversions read what Foundation reads, as it does, but for what is listed")
    func strictIsWhatFoundationReads() {
        var same = 0
        for round in 0..<(Self.isFull ? 200_000 : 3000) {
            var random = SplitMix64(seed: 8 << 32 | UInt64(round))
            let bytes = ParityJSON.document(&random)
            let outcome = outcome(bytes)
            if outcome == .same {
                same += 1
                continue
            }
            let small = bytes.shrunk { self.outcome($0) == outcome }
            #expect(
                FoundationDisagreement.allCases.contains { $0.explains(small, outcome) },
                "\(outcome): \(String(decoding: small, as: UTF8.self)), of round \(round)")
        }
        #expect(same > 2500)
    }

    @Test("F19: each disagreement with Foundation that is listed is one", arguments: FoundationDisagreement.allCases)
    func listedDisagreementsAreReal(_ disagreement: FoundationDisagreement) {
        #expect(outcome(disagreement.example) == disagreement.outcome)
        #expect(disagreement.explains(disagreement.example, disagreement.outcome))
    }

    private func outcome(_ bytes: [UInt8]) -> FoundationOutcome {
        let own = try? Parity(json: bytes, options: .strict)
        let other = try? JSONDecoder().decode(Parity.self, from: Data(bytes))
        return switch (own, other) {
        case (let own?, let other?): own == other ? .same : .differ
        case (nil, _?): .sluiceRefuses
        case (_?, nil): .foundationRefuses
        case (nil, nil): .same
        }
    }
}

// MARK: The model

/// A model that both libraries read: Foundation by a synthesized conformance.
struct Parity: Codable, Equatable {
    var int: Int
    var small: Int8?
    var large: UInt64?
    var real: Double?
    var single: Float?
    var text: String?
    var flag: Bool?
    var numbers: [Int]?
    var sparse: [Int?]?
    var weights: [String: Double]?
    var ids: Set<Int>?
    var texts: [String: [String]]?
    var color: ParityColor?
    var level: ParityLevel?
    var inner: Inner?
    var inners: [Inner]?
    var é: Int?

    struct Inner: Codable, Equatable {
        var id: UInt8
        var name: String?
    }
}

enum ParityColor: String, Codable, JSONScalarBindable { case red, green }
enum ParityLevel: Int, Codable, JSONScalarBindable { case low = -1, high = 127 }

extension Parity: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var int: Int?
        var small: Int8?
        var large: UInt64?
        var real: Double?
        var single: Float?
        var text: String?
        var flag: Bool?
        var numbers: [Int]?
        var sparse: [Int?]?
        var weights: [String: Double]?
        var ids: Set<Int>?
        var texts: [String: [String]]?
        var color: ParityColor?
        var level: ParityLevel?
        var inner: Inner?
        var inners: [Inner]?
        var é: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("int", \JSONDraft.int)
        model.property("small", \JSONDraft.small, presence: .optional)
        model.property("large", \JSONDraft.large, presence: .optional)
        model.property("real", \JSONDraft.real, presence: .optional)
        model.property("single", \JSONDraft.single, presence: .optional)
        model.property("text", \JSONDraft.text, presence: .optional)
        model.property("flag", \JSONDraft.flag, presence: .optional)
        model.property("numbers", \JSONDraft.numbers, presence: .optional)
        model.property("sparse", \JSONDraft.sparse, presence: .optional)
        model.property("weights", \JSONDraft.weights, presence: .optional)
        model.property("ids", \JSONDraft.ids, presence: .optional)
        model.property("texts", \JSONDraft.texts, presence: .optional)
        model.property("color", \JSONDraft.color, presence: .optional)
        model.property("level", \JSONDraft.level, presence: .optional)
        model.property("inner", \JSONDraft.inner, presence: .optional)
        model.property("inners", \JSONDraft.inners, presence: .optional)
        model.property("é", \JSONDraft.é, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Parity.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        int = try bound.required(draft.int, 0)
        (small, large, real, single, text, flag) = (draft.small, draft.large, draft.real, draft.single, draft.text, draft.flag)
        (numbers, sparse, weights, ids, texts) = (draft.numbers, draft.sparse, draft.weights, draft.ids, draft.texts)
        (color, level, inner, inners, é) = (draft.color, draft.level, draft.inner, draft.inners, draft.é)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

extension Parity.Inner: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var id: UInt8?
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("name", \JSONDraft.name, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Parity.Inner.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        name = draft.name
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

// MARK: JSON

/// Makes JSON for the model, most of which fits.
private enum ParityJSON {
    private static let integers = [
        "0", "-0", "1", "-1", "7", "127", "-128", "255", "1.0", "1e2", "12e-1", "-0.0", "9007199254740993", "9223372036854775807",
        "1e18", "123456789012345680.0",
    ]
    private static let reals = [
        "0", "-0.0", "0.1", "1.5", "123456.789e-3", "1e300", "-2.5E+7", "5e-324", "1.7976931348623157e308", "3.4028235e38",
        "0.30000000000000004", "9007199254740993", "123456789012345678901234567890", "1e22", "2.2250738585072011e-308",
    ]
    private static let strings = [
        "\"\"", "\"x\"", "\"red\"", "\"é\"", "\"e\u{301}\"", "\"\\u00e9\\n\\/\\\"\"", "\"\\ud83d\\ude00\"",
        "\"😀 \u{7F}\u{2028}\"",
        "\"a string of more than fifteen bytes\"", "\"\\u0000\"",
    ]

    static func document(_ random: inout SplitMix64) -> [UInt8] {
        var members: [SampleJSON.Member] = [.init("int", .lexeme(random.pick(integers)))]
        for key in keys.shuffled(using: &random).prefix(random.below(6)) {
            members.append(.init(key, random.below(12) == 0 ? .random(&random, depth: 2) : value(key, &random)))
        }
        if random.below(20) == 0 { members.append(.init("int", .lexeme(random.pick(integers)))) }
        if random.below(20) == 0 { members.removeFirst() }
        if random.below(6) == 0 { members.append(.init("unbound", .random(&random, depth: 3))) }
        let json = SampleJSON.object(members).shuffled(&random)
        var bytes = Array(json.text(&random).utf8)
        if random.below(6) == 0 { bytes = random.damaged(bytes) }
        return bytes
    }

    private static let keys = [
        "small", "large", "real", "single", "text", "flag", "numbers", "sparse", "weights", "ids", "texts", "color", "level",
        "inner", "inners", "é", "e\u{301}",
    ]

    private static func value(_ key: String, _ random: inout SplitMix64) -> SampleJSON {
        func many(_ make: () -> SampleJSON) -> SampleJSON { .array((0..<random.below(4)).map { _ in make() }) }
        func pick(_ lexemes: [String]) -> SampleJSON { .lexeme(random.pick(lexemes)) }
        func inner() -> SampleJSON {
            .object([.init("name", pick(strings + ["null"])), .init("id", pick(["0", "255", "7", "7.0"]))])
        }
        func names() -> [String] {
            Array(["a", "é", "e\u{301}", "", "\u{1F600}"].shuffled(using: &random).prefix(random.below(3)))
        }
        if random.below(12) == 0 { return .null }
        return switch key {
        case "small": pick(["0", "-128", "127", "1.0", "1e2", "128"])
        case "large": pick(["0", "18446744073709551615", "18446744073709551616", "1e19", "7"])
        case "real": pick(reals)
        case "single": pick(["0", "0.1", "3.4028235e38", "3.4028236e38", "1e39", "1e-50", "1.5", "16777217", "-0.0"])
        case "text": pick(strings)
        case "flag": pick(["true", "false", "true", "false", "1"])
        case "é": pick(integers)
        case "numbers", "ids": many { pick(integers) }
        case "sparse": many { pick(["null", "1", "2"]) }
        case "weights": .object(names().map { .init($0, pick(reals)) })
        case "texts": .object(names().map { name in .init(name, many { pick(strings) }) })
        case "color": pick(["\"red\"", "\"green\"", "\"r\\u0065d\"", "\"blue\""])
        case "level": pick(["-1", "127", "127.0", "3"])
        case "inner": inner()
        default: many { inner() }
        }
    }
}
