// The Swift of README.md, compiled and run: each block stands here paragraph by paragraph, and the last tests see to that.

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

// swift-format-ignore
@JSONModel(keys: .snakeCase)
struct Account {
    let id: Int                                              // id
    var displayName: String                                  // display_name
    var homepage: URL?                                       // home page as a URL, null or absent as nil
    var created: Date                                        // ISO 8601 and other known forms
    var balance: Decimal = 0                                 // exact: never by way of a double
    var plan: Plan = .free
    @JSONKey(literal: "swift.version") var swift: String?    // a key that contains a dot
    @JSONIgnored(.writing) var token: String?                // read, never written
    @JSONIgnored var isSelected = false                      // neither
    var extra: [String: JSONValue] = [:]                     // any JSON
}

@JSONModel
enum Plan: String { case free, paid }

struct Percent: JSONScalarBindable {
    var value: Double

    init?(jsonScalar scalar: JSONScalar) {
        guard let number = scalar.double, 0...100 ~= number else { return nil }
        value = number
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(value) }

    static var jsonExpectation: String { "a percentage" }
}

@Suite struct ReadmeTests {
    @Test func twentyLinesPrintWhatTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let book = try Book(json: #"{"name": "Emma", "p": 474, "ext": {"desc": "A match is made."}, "ID": "b7"}"#)
        print(book.name, book.pages, book.summary ?? "-", book.bookID ?? "-")
        print(try book.jsonString())

        let lines = "{\"name\": \"Emma\"}\n{\"name\": [7]}\n{\"name\": \"Persuasion\", \"p\": 249}\n"
        let feed = JSONFeed<Book>(bytes: Array(lines.utf8), options: .init(invalid: .skip))
        while let book = try feed.next() { print(book.name, book.pages) }
        print(feed.accepted, feed.rejected, feed.reasons[0].summary)

        #expect(try printed.joined(separator: "\n") == blocks("text").first)
    }

    @Test func errorIsPrintedAsTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        do {
            _ = try [Account](json: #"[{"id": 1, "balance": 1.5}]"#)
        } catch {
            print(error)
        }

        let expected = try blocks("text").last
        #expect(printed == [expected])
    }

    @Test func readerIsKeptForManyDocuments() throws {
        let lines = (1...3).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","plan":"paid","swift.version":"6"}"# }
        var accounts: [Account] = []

        var reader = JSONReader()
        for line in lines {
            accounts.append(try reader.read(Account.self, from: line))
        }

        #expect(accounts.map(\.id) == [1, 2, 3])
        let account = try #require(accounts.first)
        #expect(account.created == Date(timeIntervalSince1970: 1_399_334_400))
        #expect(account.plan == .paid)

        let text = try account.jsonString(options: .init(nils: .null, sortedKeys: true, pretty: true))

        #expect(
            text == """
                {
                  "balance": 0,
                  "created": "2014-05-06T00:00:00Z",
                  "display_name": "n",
                  "extra": {},
                  "homepage": null,
                  "id": 1,
                  "plan": "paid",
                  "swift.version": "6"
                }
                """)
    }

    @Test func feedOfAFileIsAnAsynchronousSequence() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson")
        let lines = (1...3).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","balance":0.\#($0)}"# }
        try Data(lines.joined(separator: "\n").utf8).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let path = place.path
        var total: Decimal = 0

        let feed = try JSONFeed<Account>(path: path, options: .init(format: .lines, invalid: .skip))
        for try await account in feed.records {
            total += account.balance
        }

        #expect(total == Decimal(string: "0.6"))
    }

    @Test func scalarOfOnesOwnIsReadAndWritten() throws {
        #expect(try [Percent](json: "[0,12.5,100]").jsonString() == "[0,12.5,100]")
        let error = #expect(throws: JSONError.self) { try [Percent](json: "[101]") }
        #expect(error?.expected == "a percentage")
    }

    // MARK: The README itself

    @Test func everySwiftBlockOfTheReadmeStandsInThisFile() throws {
        let source = normalized(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
        let swift = try blocks("swift")
        #expect(swift.count == 7)
        for block in swift {
            for paragraph in normalized(block).components(separatedBy: "\n\n") {
                #expect(source.contains(paragraph), "not in this file: \(paragraph)")
            }
        }
    }

    /// The lines without indentation, so that a block may stand deeper here than there.
    private func normalized(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// The contents of the README's code blocks of a language.
    private func blocks(_ language: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        let readme = try String(contentsOf: file.standardized, encoding: .utf8)
        var blocks: [String] = []
        var current: [Substring]?
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = current {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n"))
                    current = nil
                } else {
                    current = lines + [line]
                }
            } else if line == "```\(language)" {
                current = []
            }
        }
        return blocks
    }
}
#endif
