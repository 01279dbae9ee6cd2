// Strings of up to 15 characters are made of two words: they must be those that the standard library makes.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct SmallStringTests {
    @Test func theSmallStringLayoutIsKnownOnThisPlatform() {
        // Where it is not, strings are made by the standard library; this says that the short way is tested at all.
        #expect(SmallString.isKnown)
    }

    @Test(arguments: 0...20) func stringsOfEveryLengthAreTheStandardLibrarys(count: Int) throws {
        let text = String("abcdefghijklmnopqrstuvwxyz".prefix(count))
        // Text after the string: 16 bytes are loaded at once, also where the string is shorter.
        for padding in ["", "  ", String(repeating: " ", count: 40)] {
            let json = "[\"\(text)\", \"\(text)x\"]\(padding)"
            let (outcome, disagreements) = readEveryWay([String].self, json)
            #expect(outcome == .value([text, text + "x"]))
            #expect(disagreements.isEmpty)
        }
        let strings = try [String](json: "[\"\(text)\"]" + String(repeating: " ", count: 40))
        let string = try #require(strings.first)
        #expect(Array(string.utf8) == Array(text.utf8))
        #expect(string.hashValue == text.hashValue)
        let longer = string + "é"
        #expect(longer == text + "é")
    }
}
