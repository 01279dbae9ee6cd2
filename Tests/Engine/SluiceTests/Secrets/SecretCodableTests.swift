// Codable types that hold a model with a sensitive property: their errors, with `hidesText`.
#if Macros

import Foundation
import Sluice
import SluiceCodable
import Testing

@JSONModel
struct CodableLogin: Codable, Equatable {
    var name: String
    @JSONSensitive var password: String
    @JSONSensitive var pin: Int
}

@Suite struct SecretCodableTests {
    private enum Kind: String, Codable { case home, work }

    private struct Account: Codable {
        let id: Int8
        let kind: Kind
        let login: CodableLogin
        let since: Date
        let page: URL
    }

    private static let secret = "zQ7wKx93mJv51"
    private static let number = "739182645908"
    private static let document =
        #"{"id":1,"kind":"home","login":{"name":"a","password":"\#(secret)","pin":\#(number)},"since":7,"page":"http://a"}"#

    private func shows(_ text: String) -> Bool {
        [Self.secret, Self.number].contains { secret in
            (0...(secret.count - 4)).contains { text.contains(secret.dropFirst($0).prefix(4)) }
        }
    }

    /// Documents that are damaged at each byte, or hold a secret where something else belongs.
    private static let damaged: [[UInt8]] = {
        let bytes = Array(document.utf8)
        var texts: [[UInt8]] = []
        for index in bytes.indices {
            for byte in Array("\"{}[,:\\x1".utf8) + [0x80] {
                var text = bytes
                text[index] = byte
                texts.append(text)
            }
            texts.append(Array(bytes[..<index]))
        }
        let parts = [#""id":1"#, #""home""#, #"7,"#, #""http://a""#, #"{"name":"a","password":"\#(secret)","pin":\#(number)}"#]
        for part in parts {
            for value in ["\"\(secret)\"", number, "[\"\(secret)\"]", "{\"\(secret)\":1}", number + ".5"] {
                let wrong = part.hasPrefix("\"id\"") ? "\"id\":\(value)" : part.hasSuffix(",") ? "\(value)," : value
                texts.append(Array(document.replacing(part, with: wrong).utf8))
            }
        }
        return texts
    }()

    private func error(_ decoder: SluiceJSONDecoder, _ text: [UInt8]) -> String? {
        do {
            _ = try decoder.decode([Account].self, from: Data([UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]))
            return nil
        } catch {
            var words = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            dump(error, to: &words)
            return words
        }
    }

    @Test func noErrorOfADecoderThatHidesTextShowsTheSecret() {
        let decoder = SluiceJSONDecoder()
        decoder.hidesText = true
        var failures = 0
        for strategy in [JSONDecoder.DateDecodingStrategy.deferredToDate, .iso8601, .custom { _ in Date() }] {
            decoder.dateDecodingStrategy = strategy
            for text in Self.damaged {
                guard let words = error(decoder, text) else { continue }
                failures += 1
                #expect(!shows(words), "\(String(decoding: text, as: UTF8.self)): \(words)")
            }
        }
        #expect(failures > 1_000)
    }

    @Test func withoutItTheTextIsShownAndAnotherDocumentIsNotAffected() {
        let hiding = SluiceJSONDecoder()
        hiding.hidesText = true
        _ = error(hiding, Self.damaged[0])
        let words = Self.damaged.compactMap { error(SluiceJSONDecoder(), $0) }
        #expect(words.count(where: shows) > 100)
    }

    @Test func theErrorStillSaysWhatIsWrongAndWhere() throws {
        let decoder = SluiceJSONDecoder()
        decoder.hidesText = true
        let text = Self.document.replacing("\"id\":1", with: "\"id\":\"x\"")
        let words = try #require(error(decoder, Array(text.utf8)))
        #expect(words.contains("type mismatch at [0].id (line 1, column 8, byte 7): expected Int8, found a string"), "\(words)")
    }
}
#endif
