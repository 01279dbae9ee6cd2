// What the README shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

// swift-format-ignore
@JSONModel
struct Book {
    var name: String                              // required
    @JSONKey("p") var pages = 0                   // under another key; an absent one keeps the initial value
    @JSONKey("ext.desc") var summary: String?     // inside another object
    @JSONKey("id", "ID") var bookID: String?      // the first of these that is not null
    var tags: [String] = []
}

@Suite struct ReadmeTests {
    @Test func twentyLinesPrintWhatTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let book = try Book(json: #"{"name": "Emma", "p": 474, "ext": {"desc": "A match is made."}, "ID": "b7"}"#)
        print(book.name, book.pages, book.summary ?? "-", book.bookID ?? "-")
        print(try book.jsonString())

        let lines = "{\"name\": \"Emma\"}\n{\"name\": [7]}\n{\"name\": \"Persuasion\", \"p\": 249}\n"
        let feed = JSONFeed<Book>(bytes: Array(lines.utf8), options: .init(invalidRecords: .skip))
        while let book = try feed.next() { print(book.name, book.pages) }
        print(feed.acceptedCount, feed.rejectedCount, feed.reasons[0].summary)

        #expect(try printed.joined(separator: "\n") == Article.readme.blocks("text").first)
    }

    /// The README is the front door; what is longer is an article.
    @Test func theReadmeIsShort() throws {
        #expect(try Article.readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    }
}
#endif
