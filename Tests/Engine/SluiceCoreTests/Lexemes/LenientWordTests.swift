// The words that lenient conversions know, and strings that only look like them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct LenientWordTests {
    private enum OfV: KeyList { static let keys: [JSONKeyPath] = ["v"] }

    @Test(arguments: ["\\u0000true", "\\u0000\\u0000no", "\\u00001", "\\u0000null", "\\u0000(null)", "\\u0000"])
    func wordAfterNullCharactersIsNoWord(_ text: String) {
        let reading = readings(of: Keyed<Bool, OfV>.self, "{\"v\":\"\(text)\"}", options: .init())
        #expect(reading.value?.value == nil)
        #expect(reading.disagreements == [])
        let error = failure(
            reading: Keyed<Bool, OfV>.self, "{\"v\":\"\(text)\"}", options: .init(mismatch: .throw))
        #expect(error?.kind == .typeMismatch)
    }

    @Test(arguments: [
        ("true", true), ("YES", true), ("False", false), ("no", false), ("null", nil), ("<NULL>", nil), ("(Null)", nil),
    ])
    func wordIsReadInCapitalsToo(_ text: String, _ value: Bool?) {
        let reading = readings(of: Keyed<Bool, OfV>.self, "{\"v\":\"\(text)\"}", options: .init(mismatch: .throw))
        #expect(reading.outcome == .value(Keyed<Bool, OfV>(value: value)))
        #expect(reading.disagreements == [])
    }

    @Test func wordOfEveryLengthIsComparedWhole() {
        let known = ["null", "nil", "(null)", "<null>", "true", "yes", "false", "no", "y", "t", "on", "1", "n", "f", "off", "0"]
        for word in known {
            for text in [word + "\0", "\0" + word, "\0\0\0\0" + word, word + word, " " + word, String(word.dropLast())] {
                let isKnown = known.contains(text)
                let bytes = Array(text.utf8)
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    guard let start = bytes.baseAddress else { return }
                    let lenient = unsafe LenientText(start, bytes.count)
                    let isWord = lenient.isNull || lenient.truth != nil || lenient.extendedTruth != nil
                    #expect(isWord == isKnown, "\(text.debugDescription)")
                }
            }
        }
    }

    @Test func longStringInAnErrorIsCutBetweenCharacters() {
        for prefix in 0...4 {
            for character in ["é", "漢", "😀"] {
                let text = String(repeating: "x", count: prefix) + String(repeating: character, count: 50)
                let error = failure(reading: Keyed<Int, OfV>.self, "{\"v\":\"\(text)\"}", options: .strict)
                #expect(error?.found.contains("\u{FFFD}") == false)
                #expect(error?.found.hasSuffix("\(character)…\"") == true)
            }
        }
        let whole = failure(reading: Keyed<Int, OfV>.self, "{\"v\":\"\(String(repeating: "é", count: 20))\"}", options: .strict)
        #expect(whole?.found == "the string \"\(String(repeating: "é", count: 20))\"")
    }
}
