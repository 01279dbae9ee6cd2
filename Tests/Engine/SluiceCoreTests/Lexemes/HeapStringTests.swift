// Strings of 16 to 63 bytes are made as objects: they must be those that the standard library makes.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct HeapStringTests {
    #if !canImport(Darwin)
    @Test func theLayoutOfObjectsIsKnownOnThisPlatform() {
        // Where it is not, strings are made by the standard library; this says that the short way is tested at all.
        #expect(unsafe HeapString.storage != nil)
    }
    #endif

    @Test(arguments: 12...70) func stringsOfEveryLengthAreTheStandardLibrarys(count: Int) throws {
        let text = String((0..<count).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        let (outcome, disagreements) = readEveryWay([String].self, "[\"\(text)\",\"\(text)\\n\",\"\(text)é\"]")
        #expect(outcome == .value([text, text + "\n", text + "é"]))
        #expect(disagreements.isEmpty)
        var string = try #require(try [String](json: "[\"\(text)\"]").first)
        #expect(string == text && string.hashValue == text.hashValue && Array(string.utf8) == Array(text.utf8))
        #expect(string.count == count && string.utf16.count == count && string.utf8.count == count)
        #expect(unsafe string.withCString { unsafe $0[count] } == 0)
        let foreign = String(text.dropLast(2)) + "é"
        let read = try String(json: "\"\(foreign)\"")
        #expect(read == foreign && read.hashValue == foreign.hashValue && Array(read.utf8) == Array(foreign.utf8))
        #expect(read.count == count - 1 && read.utf16.count == count - 1 && "e\u{301}" + read == "é" + foreign)
        let copy = string
        for letter in 0..<80 {
            string.append(letter % 9 == 8 ? "é" : "x")
            #expect(string.hasPrefix(text) && copy == text)
        }
        #expect(string.unicodeScalars.count == count + 80)
    }

    @Test(arguments: [16, 20, 30, 36, 62]) func aStringIsTheOnlyOwnerOfItsObject(count: Int) throws {
        var string = try String(json: "\"\(String(repeating: "x", count: count))\"")
        // The object has room for one more character, so a string that shares it with nobody stays where it is.
        let before = string.withUTF8 { $0.baseAddress }
        string.append("y")
        #expect(unsafe string.withUTF8 { $0.baseAddress } == before)
    }
}
