// Types that need a configuration to be encoded and decoded.

import Foundation
import SluiceCodable
import Testing

/// A price that is written in cents or in whole units, as the configuration says.
private struct Price: CodableWithConfiguration, Equatable {
    enum Unit: String, Codable { case cents, euros }
    private enum Keys: String, CodingKey { case unit, amount }
    private struct OtherUnit: Error {}

    var cents: Int

    init(cents: Int) { self.cents = cents }

    init(from decoder: any Decoder, configuration unit: Unit) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard try container.decode(Unit.self, forKey: .unit) == unit else { throw OtherUnit() }
        cents = try container.decode(Int.self, forKey: .amount) * (unit == .cents ? 1 : 100)
    }

    func encode(to encoder: any Encoder, configuration unit: Unit) throws {
        guard unit == .cents || cents % 100 == 0 else { throw OtherUnit() }
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(unit, forKey: .unit)
        try container.encode(unit == .cents ? cents : cents / 100, forKey: .amount)
    }
}

private enum InEuros: EncodingConfigurationProviding, DecodingConfigurationProviding {
    static let encodingConfiguration = Price.Unit.euros
    static let decodingConfiguration = Price.Unit.euros
}

@Suite struct ConfigurationTests {
    private let euros = #"{"amount":3,"unit":"euros"}"#
    private let encoders: [JSONEncoder] = [SluiceJSONEncoder(), JSONEncoder()]
    private let decoders: [JSONDecoder] = [SluiceJSONDecoder(), JSONDecoder()]

    @Test func aValueIsWrittenAsItsConfigurationSays() throws {
        for encoder in encoders {
            encoder.outputFormatting = .sortedKeys
            #expect(
                try String(decoding: encoder.encode(Price(cents: 300), configuration: .cents), as: UTF8.self)
                    == #"{"amount":300,"unit":"cents"}"#)
            #expect(try String(decoding: encoder.encode(Price(cents: 300), configuration: InEuros.self), as: UTF8.self) == euros)
            #expect(throws: (any Error).self) { try encoder.encode(Price(cents: 301), configuration: .euros) }
        }
    }

    @Test func aValueIsReadAsItsConfigurationSays() throws {
        for decoder in decoders {
            #expect(try decoder.decode(Price.self, from: Data(euros.utf8), configuration: .euros) == Price(cents: 300))
            #expect(try decoder.decode(Price.self, from: Data(euros.utf8), configuration: InEuros.self) == Price(cents: 300))
            #expect(throws: (any Error).self) { try decoder.decode(Price.self, from: Data(euros.utf8), configuration: .cents) }
        }
    }

    @Test func whatIsNotJSONIsAnErrorOfFoundation() throws {
        for decoder in decoders {
            #expect(throws: DecodingError.self) { try decoder.decode(Price.self, from: Data("{".utf8), configuration: .cents) }
        }
    }

    /// Foundation reads JSON5 for us.
    @Test func theTextMayBeJSON5() throws {
        for decoder in decoders {
            decoder.allowsJSON5 = true
            #expect(
                try decoder.decode(Price.self, from: Data("{unit: 'euros', amount: 3}".utf8), configuration: .euros)
                    == Price(cents: 300))
        }
    }

    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian])
    func theTextMayHaveAnotherEncoding(encoding: String.Encoding) throws {
        let data = try #require(euros.data(using: encoding))
        // Foundation takes the mark of UTF-32 in its little-endian order for that of UTF-16.
        for decoder in decoders where encoding != .utf32 || decoder is SluiceJSONDecoder {
            #expect(try decoder.decode(Price.self, from: data, configuration: .euros) == Price(cents: 300))
        }
    }

    /// Half a surrogate pair is no text, whatever the encoding.
    @Test func whatIsNoTextInItsEncodingIsAnError() throws {
        let damaged = Data([0x7B, 0x00, 0x22, 0x00, 0x00, 0xD8])
        for decoder in decoders {
            #expect(throws: DecodingError.self) { try decoder.decode(Price.self, from: damaged, configuration: .euros) }
        }
    }
}
