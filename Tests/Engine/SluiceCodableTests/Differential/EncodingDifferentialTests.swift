// Random values × all options: what `SluiceJSONEncoder` writes against what Foundation's `JSONEncoder` writes, byte for byte where keys
// are sorted, and error for error. 200,000 cases with SLUICE_DAMAGE=full.

import Foundation
import SluiceCodable
import SluiceCore
import SluiceTestSupport
import Testing

@Suite struct EncodingDifferentialTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    @Test func encodesWhatFoundationEncodes() {
        var values = 0
        var errors = 0
        var dictionaries = 0
        for round in 0..<(Self.isFull ? 200_000 : 1000) {
            let item = EncodingCase(seed: UInt64(round))
            let own = item.outcome(SluiceJSONEncoder())
            let other = item.outcome(JSONEncoder())
            if own == other {
                if own.isValue { values += 1 } else { errors += 1 }
                continue
            }
            // As of several members of a dictionary that do not decode: `Disagreement.dictionariesAreReadInOrder`.
            if !own.isValue, !other.isValue, item.tree.hasDictionary {
                dictionaries += 1
                continue
            }
            Issue.record("case \(round) \(item.options)\n\(item.tree)\nours:  \(own)\nother: \(other)")
            if errors + values < round / 2 { break }
        }
        print("encoding: \(values) values, \(errors) errors, \(dictionaries) in another order")
        #expect(values > (Self.isFull ? 40_000 : 200))
        #expect(errors > (Self.isFull ? 10_000 : 40))
    }
}

/// One case: a value and options, all of one seed.
struct EncodingCase {
    let tree: Tree
    let options: EncoderOptions

    init(seed: UInt64) {
        var random = SplitMix64(seed: 78 << 40 | seed)
        options = EncoderOptions(&random)
        tree = .random(&random)
    }

    func outcome(_ encoder: JSONEncoder) -> Outcome {
        options.apply(to: encoder)
        do {
            let bytes = [UInt8](try encoder.encode(tree))
            return .value(options.isSorted ? String(decoding: bytes, as: UTF8.self) : EncodingCase.ordered(bytes))
        } catch let error as EncodingError {
            guard case .invalidValue(_, let context) = error else { return .other("\(error)") }
            return .dataCorrupted(path: Exact.path(context.codingPath))
        } catch {
            return .other("\(error)")
        }
    }

    /// The text with its members in an order, numbers as they are written; no key may occur twice.
    private static func ordered(_ bytes: [UInt8]) -> String {
        do {
            let value = try JSONValue(json: bytes, options: .init(duplicateKeys: .errorEverywhere))
            return ordered(value)
        } catch {
            return "\(error) \(String(decoding: bytes, as: UTF8.self))"
        }
    }

    private static func ordered(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            let members = object.members.map { "\($0.key.debugDescription):\(ordered($0.value))" }
            return "{" + members.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.joined(separator: ",") + "}"
        case .array(let elements): return "[" + elements.map(ordered).joined(separator: ",") + "]"
        case .number(let number): return number.lexeme
        default: return "\(value)"
        }
    }
}

/// Options of an encoder.
struct EncoderOptions: CustomStringConvertible {
    var formatting: JSONEncoder.OutputFormatting = []
    var keys = 0
    var dates = 0
    var data = 0
    var floats = 0

    var isSorted: Bool { formatting.contains(.sortedKeys) }

    init(_ random: inout SplitMix64) {
        func some(_ count: Int) -> Int { Bool.random(using: &random) ? 0 : Int.random(in: 0..<count, using: &random) }
        if Int.random(in: 0..<3, using: &random) > 0 { formatting.insert(.sortedKeys) }
        if Int.random(in: 0..<4, using: &random) == 0 { formatting.insert(.prettyPrinted) }
        if Int.random(in: 0..<3, using: &random) == 0 { formatting.insert(.withoutEscapingSlashes) }
        keys = some(3)
        dates = some(6)
        data = some(3)
        floats = Int.random(in: 0..<2, using: &random)
    }

    var description: String { "formatting \(formatting.rawValue) keys \(keys) dates \(dates) data \(data) floats \(floats)" }

    func apply(to encoder: JSONEncoder) {
        encoder.outputFormatting = formatting
        switch keys {
        case 1: encoder.keyEncodingStrategy = .convertToSnakeCase
        case 2:
            encoder.keyEncodingStrategy = .custom { path in
                AnyKey(
                    stringValue: path.count % 2 == 0
                        ? path.last!.stringValue.lowercased() : path.last!.stringValue + "\(path.count)")
            }
        default: break
        }
        switch dates {
        case 1: encoder.dateEncodingStrategy = .secondsSince1970
        case 2: encoder.dateEncodingStrategy = .millisecondsSince1970
        case 3: encoder.dateEncodingStrategy = .iso8601
        case 4:
            encoder.dateEncodingStrategy = .custom { date, encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(date.timeIntervalSince1970, forKey: AnyKey(stringValue: "at"))
            }
        case 5: encoder.dateEncodingStrategy = .custom { _, _ in }
        default: break
        }
        switch data {
        case 1: encoder.dataEncodingStrategy = .deferredToData
        case 2:
            encoder.dataEncodingStrategy = .custom { data, encoder in
                var container = encoder.singleValueContainer()
                try container.encode(data.count)
            }
        default: break
        }
        if floats == 1 {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN/")
        }
    }
}
