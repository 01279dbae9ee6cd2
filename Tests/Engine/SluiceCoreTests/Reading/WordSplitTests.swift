// The words of an error show a long word up to its 24th byte; whether it is longer, the next byte tells, wherever the text is cut.

import SluiceCore
import SluiceTestSupport
import Testing

@Suite struct WordSplitTests {
    @Test(arguments: [23, 24, 25, 40])
    func everyCutShowsTheSameOfAWord(_ length: Int) {
        let word = String(repeating: "w", count: length)
        for text in ["[\(word)]", "{\(word): 1}", #"{"a"\#(word): 1}"#, "[1, \(word)"] {
            let reading = readings(of: JSONValue.self, Array(text.utf8), options: .strict)
            #expect(reading.error?.found.contains("…") == (length > 24), "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
    }
}
