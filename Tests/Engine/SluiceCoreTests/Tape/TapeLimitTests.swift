// A tape has a greatest number of entries, because other tables keep their indices in 32 bits.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct TapeLimitTests {
    private func scan(_ text: String, limit: Int, isBare: Bool = false) -> JSONError? {
        let tape = JSONTape(entryLimit: limit)
        return failure { () throws(JSONError) in
            var text = text
            var caught: JSONError?
            text.withUTF8 { bytes in
                do throws(JSONError) { try unsafe tape.scan(UnsafeRawBufferPointer(bytes), isBare: isBare) } catch {
                    caught = error
                }
            }
            if let caught { throw caught }
        }
    }

    /// Texts, and how many entries they have after the first.
    private static let texts = [
        ("[" + Array(repeating: "[]", count: 200).joined(separator: ",") + "]", 402),
        ("[" + Array(repeating: "1", count: 400).joined(separator: ",") + "]", 402),
        ("{" + Array(repeating: "\"a\":null", count: 200).joined(separator: ",") + "}", 402),
        ("[" + Array(repeating: "\"\\n\"", count: 300).joined(separator: ",") + "]", 302),
        (String(repeating: "[", count: 300) + String(repeating: "]", count: 300), 600),
    ]

    @Test(arguments: texts) func textWithMoreEntriesThanATapeHoldsIsAnError(_ text: String, _ entries: Int) {
        #expect(scan(text, limit: entries + 1) == nil)
        for limit in [3, 4, 7, 256, 257, entries - 1, entries] {
            let error = scan(text, limit: limit)
            #expect(error?.kind == .sizeLimit, "limit \(limit)")
            #expect(error?.expected.contains("\(limit)") == true)
        }
    }

    @Test func membersWithoutBracesAreCountedToo() {
        let text = Array(repeating: "\"a\":1", count: 200).joined(separator: ",")
        #expect(scan(text, limit: 403, isBare: true) == nil)
        for limit in [3, 300, 402] { #expect(scan(text, limit: limit, isBare: true)?.kind == .sizeLimit) }
    }

    @Test func tapeIsUsableAfterATextThatWasTooLong() throws {
        let tape = JSONTape(entryLimit: 10)
        for (text, isRight) in [("[1,2,3]", true), ("[1,2,3,4,5,6,7,8,9]", false), ("[[],7]", true)] {
            unsafe Array(text.utf8).withUnsafeBytes { bytes in
                let error = failure { () throws(JSONError) in try unsafe tape.scan(bytes) }
                #expect((error == nil) == isRight)
                if isRight { #expect(tape[1].kind == .array) }
            }
        }
    }
}
