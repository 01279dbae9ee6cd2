// What the README shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

// swift-format-ignore
@JSONModel
struct Book {
    var name: String                           // required
    @JSONKey("p") var pages = 0                // another key; absent: 0
    @JSONKey("ext.desc") var summary: String?  // inside another object
    @JSONKey("id", "ID") var bookID: String?   // the first not null
    var tags: [String] = []
}

@Suite struct ReadmeTests {
    @Test func twentyLinesPrintWhatTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let text = #"{"name":"Emma","p":474,"ext":{"desc":"Novel"},"ID":"b7"}"#
        let book = try Book(json: text)
        print(book.name, book.pages, book.summary ?? "-", book.bookID ?? "-")
        print(try book.jsonString())

        let lines = #"{"name":[7]}"# + "\n" + #"{"name":"Persuasion"}"#
        let options = JSONFeed<Book>.Options(invalidRecords: .skip)
        let feed = JSONFeed<Book>(bytes: Array(lines.utf8), options: options)
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
