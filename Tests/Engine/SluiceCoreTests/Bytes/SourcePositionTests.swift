import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct SourcePositionTests {
    @Test func linesEndWithLineFeedsAndColumnsCountBytes() {
        #expect(position(after: "") == .start)
        #expect(position(after: "abc") == SourcePosition(offset: 3, line: 1, column: 4))
        #expect(position(after: "a\n") == SourcePosition(offset: 2, line: 2, column: 1))
        #expect(position(after: "a\r\né") == SourcePosition(offset: 5, line: 2, column: 3))
        #expect(position(after: "\n\n\nxy") == SourcePosition(offset: 5, line: 4, column: 3))
    }

    @Test func advancingInPiecesIsAdvancingAtOnce() {
        let text = Array("one\ntwo\n\nthree \u{e9}\n".utf8)
        for cut in 0...text.count {
            let first = advanced(.start, over: Array(text[..<cut]))
            #expect(advanced(first, over: Array(text[cut...])) == advanced(.start, over: text))
        }
    }

    @Test(arguments: [31, 32, 255 * 32, 256 * 32 + 7, 100_000]) func lineFeedsAreCountedInTextsOfAnyLength(count: Int) {
        #expect(advanced(.start, over: Array(repeating: UInt8(ascii: "\n"), count: count)).line == count + 1)
    }

    @Test func aRecordsPositionIsSeenFromItsFile() {
        let base = SourcePosition(offset: 100, line: 5, column: 11)
        #expect(SourcePosition.start.shifted(by: base) == base)
        #expect(
            SourcePosition(offset: 3, line: 1, column: 4).shifted(by: base) == SourcePosition(offset: 103, line: 5, column: 14))
        #expect(
            SourcePosition(offset: 9, line: 3, column: 2).shifted(by: base) == SourcePosition(offset: 109, line: 7, column: 2))
        #expect(base.description == "5:11")
    }

    // MARK: Excerpts

    @Test func theCaretStandsUnderThePosition() {
        #expect(excerpt("[1, true]", 4) == "[1, true]\n    ^")
        #expect(excerpt("a\nbcd\ne", 3) == "bcd\n ^")
        #expect(excerpt("é😀x", 6) == "é😀x\n  ^")
        #expect(excerpt("x", 0) == "x\n^")
        #expect(excerpt("", 0) == nil)
    }

    @Test func placesOutsideAreMovedInside() {
        #expect(excerpt("abc", 3) == "abc\n  ^")
        #expect(excerpt("abc", 99) == "abc\n  ^")
        #expect(excerpt("abc", -5) == "abc\n^")
    }

    @Test func controlCharactersBecomeDots() {
        #expect(excerpt("a\tb\u{0}c\u{7F}d", 6) == "a.b.c.d\n      ^")
    }

    @Test func longLinesAreCutAroundThePositionAndNeverInsideACharacterBeforeIt() throws {
        let line = String(repeating: "é", count: 100)
        for index in 0..<200 {
            let lines = try #require(excerpt(line, index)).split(separator: "\n")
            #expect(lines.count == 2)
            let caret = lines[1].count - 1
            #expect(lines[0].utf8.count <= 76)
            // Every character before the caret is whole.
            #expect(lines[0].prefix(max(caret - 1, 0)).allSatisfy { $0 == "é" })
            #expect(caret <= 21)
        }
    }

    private func excerpt(_ text: String, _ index: Int) -> String? {
        unsafe Array(text.utf8).withUnsafeBytes { unsafe SourceExcerpt(of: $0, at: index)?.description }
    }

    private func position(after text: String) -> SourcePosition { advanced(.start, over: Array(text.utf8)) }

    private func advanced(_ position: SourcePosition, over bytes: [UInt8]) -> SourcePosition {
        unsafe bytes.withUnsafeBytes { unsafe position.advanced(over: $0) }
    }
}
