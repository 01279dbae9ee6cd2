import Foundation
import Testing

@testable import SluiceCore

@Suite struct CompactTextTests {
    private func compact(_ text: String) -> String {
        var bytes: [UInt8] = []
        unsafe Array(text.utf8).withUnsafeBytes { unsafe CompactText.append($0, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("", ""), ("1", "1"), (" [ 1 ,\t{\r\n\"a b\" : \" c \" } ]\n", "[1,{\"a b\":\" c \"}]"),
            (#"["\\" , "\" "]"#, #"["\\","\" "]"#),
            // Text that is cut off stays within its bytes.
            (#"[ " a "#, #"[" a "#), (#"[ "\"#, #"["\"#), ("  ", ""),
        ])
    func whiteSpaceBetweenTokensIsDropped(text: String, result: String) { #expect(compact(text) == result) }

    @Test func stringsOfEachLengthStayAsTheyAre() {
        for length in 0..<70 {
            let string = "\"" + String(repeating: "x ", count: length) + #"\" \\""#
            #expect(compact("[ \(string) , \(string)]") == "[\(string),\(string)]")
        }
    }

    @Test func theFirstWhiteSpaceIsFound() {
        for (text, index) in [("[1,\" \"]", nil), ("[1, 2]", 3), (#"["\" ",1 ]"#, 8)] as [(String, Int?)] {
            #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe CompactText.firstBlank(in: $0) } == index)
        }
    }
}
