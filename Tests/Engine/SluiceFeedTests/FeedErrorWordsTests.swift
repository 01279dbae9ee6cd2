// What a user of a feed reads, in full: positions are those in the feed, not in the record.

import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct FeedErrorWordsTests {
    typealias Numbers = [String: Int]

    @Test func aRecordsErrorHasItsLineInTheFeed() {
        expect(
            Numbers.self, "{\"a\":1}\n{\"a\":2}\n  {\"a\":\"x\"}\n",
            """
            type mismatch at a (line 3, column 8, byte 23): expected Int, found the string "x"
              {"a":"x"}
                   ^
            """)
        expect(
            Numbers.self, "[\n  {\"a\": 1},\n  {\"a\": 2,}\n]",
            """
            invalid JSON (line 3, column 11, byte 24): expected a key, found '}' after a trailing comma; \
            remove the comma before '}'
            {"a": 2,}
                    ^
            """)
    }

    @Test func theHintOfARecordThatBreaksOffHasItsLineInTheFeed() {
        expect(
            Numbers.self, "{\"a\":1}\n{\"a\":2\n{\"a\":3}\n",
            """
            unexpected end of input (line 2, column 7, byte 14): expected ',' or '}'; \
            the object that is open began at line 2, column 1
            {"a":2
                  ^
            """)
    }

    @Test func anArrayThatIsDamagedSaysHow() {
        let array = JSONFeed<Int>.Options(format: .array)
        expect(
            Int.self, "[1,\n 2,\n]",
            """
            invalid JSON (line 3, column 1, byte 8): expected a record, found ']' after a trailing comma; \
            remove the comma before ']'
            ]
            ^
            """, array)
        expect(
            Int.self, "[1 2]",
            """
            invalid JSON (line 1, column 4, byte 3): expected ',' or ']', found a number; a comma is missing before it
            2]
            ^
            """, array)
        expect(
            Int.self, " [1,\n2",
            "unexpected end of input (line 2, column 2, byte 6): expected ',' or ']'; the array began at line 1, column 2", array)
        expect(
            Int.self, "[1]]",
            """
            unexpected content after the value (line 1, column 4, byte 3): expected the end of the input, found ']'; \
            one bracket more is closed than was opened
            ]
            ^
            """, array)
    }

    @Test func aFeedOfAnotherFormatIsNamed() {
        expect(
            Int.self, "<html>\n<body>",
            """
            invalid JSON (line 1, column 1, byte 0): expected an array of records, found HTML; \
            the server may have answered with a page, perhaps an error page
            <html>
            ^
            """, .init(format: .array))
        expect(
            Int.self, "{\"a\":1}",
            """
            invalid JSON (line 1, column 1, byte 0): expected an array of records, found an object
            {"a":1}
            ^
            """, .init(format: .array))
        expect(
            Int.self, "\u{1F}\u{8B}",
            """
            invalid JSON (line 1, column 1, byte 0): expected JSON, found data compressed with gzip; unpack it first
            .\u{FFFD}
            ^
            """, .init(compression: .none), bytes: [0x1F, 0x8B])
    }

    /// The text of the feed's first error, which is the same (but for the line shown) however the feed arrives.
    private func expect<Record: JSONBindable & Equatable>(
        _ type: Record.Type, _ feed: String, _ text: String, _ options: JSONFeed<Record>.Options? = nil, bytes: [UInt8]? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let bytes = bytes ?? Array(feed.utf8)
        let options = options ?? .init()
        let error = FeedOutcome(of: JSONFeed<Record>(bytes: bytes, options: options)).errors.first
        #expect(error?.description == text, sourceLocation: location)
        for size in 1...max(1, bytes.count) {
            let source = BytesSource(bytes, chunkSize: size)
            let other = FeedOutcome(of: JSONFeed<Record>(source: source, options: options)).errors.first
            #expect(other == error, "pieces of \(size)", sourceLocation: location)
        }
    }
}
