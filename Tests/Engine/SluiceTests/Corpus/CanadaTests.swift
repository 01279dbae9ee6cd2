#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite(.enabled(if: Corpus.isPresent)) struct CanadaTests {
    @Test func mapEqualsWhatFoundationDecodesAndComesBackWhole() throws {
        let map = try checkCorpusDocument("canada.json", as: CanadaMap.self, comparingText: false)
        #expect(map.type == "FeatureCollection")
        let feature = try #require(map.features.first)
        #expect(map.features.count == 1)
        #expect(feature.properties.name == "Canada")
        #expect(feature.geometry.type == "Polygon")
        #expect(feature.geometry.coordinates.count == 480)
        #expect(feature.geometry.coordinates.reduce(0) { $0 + $1.count } == 55_563)
        let isPaired = feature.geometry.coordinates.allSatisfy { ring in ring.allSatisfy { $0.count == 2 } }
        #expect(isPaired)
    }

    @Test func everyCoordinateIsTheDoubleThatStrtodMakes() throws {
        let bytes = try Corpus.bytes("canada.json")
        let numbers = try CanadaMap(json: bytes).features.flatMap { $0.geometry.coordinates.flatMap { $0.flatMap { $0 } } }
        let expected = numbersByStrtod(in: bytes)
        #expect(numbers.count == 111_126)
        #expect(expected.count == 111_126)
        #expect(numbers == expected)
        #expect(numbers.reduce(0, +) == expected.reduce(0, +))
    }

    /// JSONSerialization on Linux makes another double than `strtod` of more than half of these numbers, up to some units in the
    /// last place away; so it has a say to 12 decimal places only.
    @Test func everyCoordinateAndTheSumAreThoseOfJSONSerializationButForItsRounding() throws {
        let bytes = try Corpus.bytes("canada.json")
        let numbers = try CanadaMap(json: bytes).features.flatMap { $0.geometry.coordinates.flatMap { $0.flatMap { $0 } } }
        let plain = try PlainJSON(foundation: bytes)
        let expected = try #require(plain["features"]?[0]?["geometry"]?["coordinates"]?.flattened)
        try #require(numbers.count == expected.count)
        let far = zip(numbers, expected).filter { abs($0 - $1) > 1e-12 }
        #expect(far.isEmpty)
        #expect(abs(numbers.reduce(0, +) - expected.reduce(0, +)) < 1e-6)
    }

    @Test func writtenCoordinatesAreTheSameForStrtod() throws {
        let map = try CanadaMap(json: try Corpus.bytes("canada.json"))
        let numbers = map.features.flatMap { $0.geometry.coordinates.flatMap { $0.flatMap { $0 } } }
        #expect(numbersByStrtod(in: try map.jsonBytes()) == numbers)
    }

    /// The numbers after the key `coordinates`, found by their characters alone and converted by the C library.
    private func numbersByStrtod(in bytes: [UInt8]) -> [Double] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let key = text.range(of: "\"coordinates\"") else { return [] }
        return text[key.upperBound...].split {
            !("0"..."9" ~= $0 || $0 == "-" || $0 == "." || $0 == "e" || $0 == "E" || $0 == "+")
        }
        .map { unsafe strtod(String($0), nil) }
    }
}
#endif
