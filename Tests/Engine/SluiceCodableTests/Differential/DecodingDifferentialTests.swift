// Random types × random JSON × all options: `SluiceJSONDecoder` against Foundation's `JSONDecoder`, value for value, error for error,
// coding path for coding path. 200,000 cases with SLUICE_DAMAGE=full.

import Foundation
import SluiceCodable
import SluiceCore
import SluiceTestSupport
import Testing

@Suite struct DecodingDifferentialTests {
    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    @Test func decodesWhatFoundationDecodes() {
        var values = 0
        var errors = 0
        var excused: [Disagreement: Int] = [:]
        for round in 0..<(Self.isFull ? 200_000 : 1000) {
            let item = DecodingCase(seed: UInt64(round))
            let own = item.outcome(SluiceJSONDecoder())
            let other = item.outcome(JSONDecoder())
            if own == other {
                if own.isValue { values += 1 } else { errors += 1 }
                continue
            }
            if let reason = Disagreement.allCases.first(where: { $0.explains(item, own, other) }) {
                excused[reason, default: 0] += 1
                continue
            }
            Issue.record("case \(round) \(item.options): \(item.shape)\n\(item.text)\nours:  \(own)\nother: \(other)")
            if errors + values < round / 2 { break }
        }
        print("decoding: \(values) values, \(errors) errors, excused \(excused)")
        #expect(values > (Self.isFull ? 40_000 : 200))
        #expect(errors > (Self.isFull ? 40_000 : 200))
    }
}

/// What became of a case.
enum Outcome: Equatable {
    case value(String)
    case typeMismatch(String, path: String)
    case valueNotFound(String, path: String)
    case keyNotFound(String, path: String)
    case dataCorrupted(path: String)
    case other(String)

    var isValue: Bool { if case .value = self { true } else { false } }

    init(_ body: () throws -> String) {
        do {
            self = .value(try body())
        } catch let error as DecodingError {
            self =
                switch error {
                case .typeMismatch(let type, let context): .typeMismatch("\(type)", path: Exact.path(context.codingPath))
                case .valueNotFound(let type, let context): .valueNotFound("\(type)", path: Exact.path(context.codingPath))
                case .keyNotFound(let key, let context): .keyNotFound(key.stringValue, path: Exact.path(context.codingPath))
                case .dataCorrupted(let context): .dataCorrupted(path: Exact.path(context.codingPath))
                @unknown default: .other("\(error)")
                }
        } catch {
            self = .other("\(error)")
        }
    }
}

/// One case: a shape, a text and options, all of one seed.
struct DecodingCase {
    let shape: Shape
    let bytes: [UInt8]
    let options: CaseOptions

    init(seed: UInt64) {
        var random = SplitMix64(seed: 77 << 40 | seed)
        options = CaseOptions(&random)
        shape = .random(&random)
        var generator = ShapeJSON(random: random, misfits: [0, 10, 30, 100].randomElement(using: &random)!)
        bytes = options.encoded(generator.document(shape))
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func outcome(_ decoder: JSONDecoder) -> Outcome {
        options.apply(to: decoder)
        let box = ShapeBox(shape)
        decoder.userInfo[ShapeBox.key] = box
        return Outcome { try decoder.decode(Probe.self, from: Data(bytes)).text }
    }
}

/// Options of a decoder.
struct CaseOptions: CustomStringConvertible {
    var keys = 0
    var dates = 0
    var data = 0
    var floats = 0
    var isBare = false
    var encoding = 0

    init(_ random: inout SplitMix64) {
        func some(_ count: Int) -> Int { Bool.random(using: &random) ? 0 : Int.random(in: 0..<count, using: &random) }
        keys = some(3)
        dates = some(5)
        data = some(3)
        floats = some(2)
        isBare = Int.random(in: 0..<12, using: &random) == 0
        encoding = Int.random(in: 0..<8, using: &random) == 0 ? Int.random(in: 1..<6, using: &random) : 0
    }

    var description: String { "keys \(keys) dates \(dates) data \(data) floats \(floats) bare \(isBare) encoding \(encoding)" }

    func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if isBare, bytes.first == UInt8(ascii: "{"), bytes.count > 2, bytes.count % 2 == 0 {
            // Foundation reads a number that its input ends with beyond that end, and traps if more digits lie there.
            bytes = bytes.dropFirst().dropLast() + [UInt8(ascii: " ")]
        }
        let text = String(decoding: bytes, as: UTF8.self)
        switch encoding {
        case 1: return [0xEF, 0xBB, 0xBF] + bytes
        case 2: return [UInt8](text.data(using: .utf16)!)
        case 3: return [UInt8](text.data(using: .utf16LittleEndian)!)
        case 4: return [UInt8](text.data(using: .utf16BigEndian)!)
        case 5: return [UInt8](text.data(using: .utf32BigEndian)!)
        default: return bytes
        }
    }

    func apply(to decoder: JSONDecoder) {
        switch keys {
        case 1: decoder.keyDecodingStrategy = .convertFromSnakeCase
        case 2:
            decoder.keyDecodingStrategy = .custom { path in
                AnyKey(stringValue: path.count % 2 == 0 ? path.last!.stringValue.lowercased() : path.last!.stringValue)
            }
        default: break
        }
        switch dates {
        case 1: decoder.dateDecodingStrategy = .secondsSince1970
        case 2: decoder.dateDecodingStrategy = .millisecondsSince1970
        case 3: decoder.dateDecodingStrategy = .iso8601
        case 4:
            decoder.dateDecodingStrategy = .custom { decoder in
                let container = try decoder.singleValueContainer()
                return Date(timeIntervalSince1970: Double(try container.decode(String.self).utf8.count))
            }
        default: break
        }
        switch data {
        case 1: decoder.dataDecodingStrategy = .deferredToData
        case 2:
            decoder.dataDecodingStrategy = .custom { decoder in
                var container = try decoder.unkeyedContainer()
                return Data([try container.decode(UInt8.self)])
            }
        default: break
        }
        if floats == 1 {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        }
        decoder.assumesTopLevelDictionary = isBare
    }
}
