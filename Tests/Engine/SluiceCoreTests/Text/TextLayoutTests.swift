import Foundation
import Testing

@testable import SluiceCore

@Suite struct TextLayoutTests {
    private func compact(_ text: String) -> String {
        var bytes: [UInt8] = []
        unsafe Array(text.utf8).withUnsafeBytes { unsafe TextLayout.appendCompact($0, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func pretty(_ text: [UInt8], _ style: TextLayout.Style = .foundation) -> [UInt8] {
        unsafe text.withUnsafeBytes { unsafe TextLayout.pretty($0, style) }
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
            #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe TextLayout.firstBlank(in: $0) } == index)
        }
    }

    @Test(
        arguments: [
            "[1,{\"a b\":\" c \"}]", #"["\\","\" ",{"\\\"":[[],{}]}]"#, "[true,false,null,-1.5e+3]",
            #"{"a":"é😀\u00e9","b":{"c":[""]}}"#,
        ])
    func compactTextIsAsItWasWhereverWhiteSpaceStoodBetweenItsTokens(text: String) {
        var tokens: [String] = []
        unsafe Array(text.utf8).withUnsafeBytes { bytes in
            var cursor = unsafe TokenCursor(bytes)
            while let token = cursor.next() { unsafe tokens.append(String(decoding: token.bytes, as: UTF8.self)) }
        }
        #expect(tokens.joined() == text)
        for blank in [" ", "\n", "\t\r", String(repeating: " ", count: 17)] {
            #expect(compact(tokens.joined(separator: blank)) == text)
            #expect(compact(blank + tokens.joined(separator: blank) + blank) == text)
        }
        for style in [TextLayout.Style.foundation, .init(indent: 3, colon: ": ", breaksEmpty: false)] {
            #expect(compact(String(decoding: pretty(Array(text.utf8), style), as: UTF8.self)) == text)
        }
    }

    @Test func prettyTextHasTwoSpacesALevelAndAnEmptyLineInWhatIsEmpty() {
        let text = pretty(Array(#"{"a":[],"b":{"c":[1,"x:,"]},"d":{}}"#.utf8))
        #expect(
            String(decoding: text, as: UTF8.self) == """
                {
                  "a" : [

                  ],
                  "b" : {
                    "c" : [
                      1,
                      "x:,"
                    ]
                  },
                  "d" : {

                  }
                }
                """)
    }

    @Test func whatStandsBetweenMarksStaysAsItIs() {
        let style = TextLayout.Style(indent: 1, colon: ": ", breaksEmpty: false)
        let text = pretty(Array("[\u{6}{\"a\" : [1,\n2] }\u{6},[2],\u{6}".utf8), style)
        #expect(String(decoding: text, as: UTF8.self) == "[\n {\"a\" : [1,\n2] },\n [\n  2\n ],\n ")
    }

    @Test func aModelIsDescribedWithItsNameItsMarksAndItsLongTextsCut() {
        let long = String(repeating: "x", count: 99)
        let text =
            "\u{1}\"M\"{\"a\":\u{2},\"b\":\u{3},\"c\":\u{4},\"d\":\u{5}\"nan\",\"e\":\"\(long)\\u00e9\",\"f\":null,\"g\":[1,{}]}"
        #expect(
            TextLayout.described(Array(text.utf8), isSummary: true)
                == "a = <nil>, b = <redacted>, c = <…>, d = <nan>, e = \(long)..., f = <null>, g = [1, {}]")
        #expect(
            TextLayout.described(Array(#"{"a":[1,"b"],"c":{}}"#.utf8), isSummary: false) == """
                {
                    a = [
                        1;
                        "b"
                    ];
                    c = {}
                }
                """)
    }

    @Test func textThatIsCutOffIsLaidOutUpToItsEnd() {
        let text = Array("\u{1}\"M\"{\"a\":\u{5}\"n\",\"e\":\"x\\u00e9\",\"g\":[1,{ }]}".utf8)
        for count in 0...text.count {
            let cut = Array(text[..<count])
            #expect(TextLayout.described(cut, isSummary: true).utf8.count <= count * 3)
            #expect(compact(String(decoding: cut, as: UTF8.self)).utf8.count <= count)
            #expect(pretty(cut).count <= 10 * count)
        }
    }
}
