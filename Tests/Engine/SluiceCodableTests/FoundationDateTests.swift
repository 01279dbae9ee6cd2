// Dates at the edges, and the marks of encodings: as Foundation has them.

import Foundation
import SluiceCodable
import SluiceTestSupport
import Testing

@Suite struct FoundationDateTests {
    private func outcome(_ date: Date, _ encoder: JSONEncoder, _ strategy: JSONEncoder.DateEncodingStrategy) -> Outcome {
        encoder.dateEncodingStrategy = strategy
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "INF", negativeInfinity: "-INF", nan: "NaN")
        do {
            return .value(String(decoding: try encoder.encode(["at": date]), as: UTF8.self))
        } catch let EncodingError.invalidValue(_, context) {
            return .dataCorrupted(path: Exact.path(context.codingPath))
        } catch {
            return .other("\(error)")
        }
    }

    @Test func iso8601OfAFractionIsTheSecondInFront() throws {
        var random = SplitMix64(seed: 1)
        var intervals = [
            700_000_000.999_999_9, -700_000_000.000_000_1, 0, -0.0, -1e-10, -13_190_860_800, -13_190_860_801, 252_423_993_599,
            252_423_993_600, -62_135_769_600, 1e-300,
        ]
        for _ in 0..<500 {
            let whole = Double.random(in: -13_200_000_000...252_500_000_000, using: &random).rounded()
            intervals += [whole, whole.nextUp, whole.nextDown]
        }
        for interval in intervals {
            let date = Date(timeIntervalSinceReferenceDate: interval)
            #expect(outcome(date, SluiceJSONEncoder(), .iso8601) == outcome(date, JSONEncoder(), .iso8601), "\(interval)")
        }
    }

    @Test func aDateSince1970ThatIsNotFiniteIsAnErrorWhateverFloatsAre() {
        for interval in [Double.infinity, -.infinity, .nan, 1.7e308] {
            let date = Date(timeIntervalSinceReferenceDate: interval)
            for strategy in [JSONEncoder.DateEncodingStrategy.secondsSince1970, .millisecondsSince1970, .deferredToDate] {
                let own = outcome(date, SluiceJSONEncoder(), strategy)
                #expect(own == outcome(date, JSONEncoder(), strategy), "\(interval) \(strategy)")
            }
        }
    }

    @Test func bytesThatFoundationTakesForAMarkAreOne() throws {
        for bytes: [UInt8] in [[0xFE, 0xFF, 0, 0, 0x37, 0, 0, 0], [0xFE, 0xFF, 0, 0x37], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x37]] {
            for decoder in [JSONDecoder(), SluiceJSONDecoder()] {
                #expect(try decoder.decode(Int.self, from: Data(bytes)) == 7)
            }
        }
    }
}
