// Rows under a header are read by the positions of their values; through yajl they are read as the objects that they mean. Both must give
// the same result for each row.

import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct HeaderRowTests {
    private static let headers = [
        #"["id","note","prices","tree","row","size.width"]"#, #"["note","id","unknown","id","other","prices"]"#,
        #"["id"]"#, #"["unknown"]"#, "[]", #"["row","i\u0064","size"]"#,
    ]

    private static let values = [
        "1", "-2", "null", "true", #""""#, #""a note""#, #""a note of more than fifteen bytes""#, #""caf\u00e9 \/ \"x\"""#,
        "\"\u{E9}\"", "[]",
        "[1,2.5]", #"[1,"x"]"#, "{}", #"{"id":7,"name":"seven"}"#, #"{"id":7}"#, #"{"width":3,"height":4}"#, "1.5e3",
        "123456789012345678901234567890", "[[1],{\"a\":null}]", "\"\\ud800\"", "tru", "\"open", "\u{1}",
    ]

    /// Rows of every number of values, with each of the values at each index, and damaged ones.
    private static func rows(_ random: inout SplitMix64) -> [String] {
        (0..<300).map { number in
            var row = (0..<random.below(8)).map { _ in values[random.below(random.below(4) == 0 ? values.count : 19)] }
            if number % 3 == 0, !row.isEmpty { row[0] = "\(number)" }
            let blank = ["", " ", "  \t"][random.below(3)]
            let text = "[" + row.map { blank + $0 + blank }.joined(separator: ",") + "]"
            switch random.below(20) {
            case 0: return String(text.dropLast())
            case 1: return text + " "
            case 2: return text + "x"
            case 3: return #"{"id":1}"#
            case 4: return text.replacingOccurrences(",", with: ",,")
            default: return text
            }
        }
    }

    private func outcome(_ text: String, _ reading: JSONReader.Options) -> [String] {
        let feed = JSONFeed<Item>(
            bytes: Array(text.utf8), options: .init(format: .lines, invalidRecords: .throw, reading: reading, hasHeader: true))
        var found: [String] = []
        while found.count < 2000 {
            do throws(JSONError) {
                guard let record = try feed.next() else { break }
                found.append("\(record) at \(feed.recordRange), \(feed.report.droppedCount) dropped")
            } catch {
                found.append("\(error) at \(error.offset), \(error.line):\(error.column), \(feed.recordRange)")
                if feed.isFinished { break }
            }
        }
        return found + feed.report.issues.map { "\($0)" }
    }

    @Test(arguments: [JSONReader.Options.strict, .lenient, .tolerant])
    func rowsAreReadAsTheirObjectsAre(_ reading: JSONReader.Options) {
        var random = SplitMix64(seed: 22)
        var throughYajl = reading
        throughYajl.parser = .yajl
        for header in Self.headers {
            let text = ([header] + Self.rows(&random)).joined(separator: "\n") + "\n"
            let (fast, slow) = (outcome(text, reading), outcome(text, throughYajl))
            #expect(fast.count == slow.count)
            for (fast, slow) in zip(fast, slow) { #expect(fast == slow, "\(header)") }
        }
    }

    @Test func goodRowsAreReadByThePositionsOfTheirValues() throws {
        var reader = JSONReader()
        let found = reader.columns(["note", "unknown", "id"], of: Item.self)
        let columns = try #require(found)
        func read(_ text: String) -> (isRead: Bool, item: Item?) {
            var item: Item?
            let isRead = unsafe withUnsafeMutablePointer(to: &item) { address in
                unsafe Array(text.utf8).withUnsafeBytes {
                    unsafe reader.run(Item.self, at: UnsafeMutableRawPointer(address), row: $0, columns)
                }
            }
            return (isRead, item)
        }
        for text in [#"["x",[[1],{"a":2}],7]"#, #" [ "x" , null , 7 ] "#, #"["x","a text of more than fifteen bytes",7]"#] {
            let result = read(text)
            #expect(result.isRead)
            #expect(result.item?.id == 7)
            #expect(result.item?.note == "x")
        }
        for text in [
            "[]", #"["x",1]"#, #"["x",1,7,8]"#, #"["x",1,"y"]"#, #"["x",1,7"#, #"["x",1,7]]"#, #"["x",1,7,]"#, #"["x",,7]"#, "7",
            "", " ",
        ] {
            let result = read(text)
            #expect(!result.isRead, "\(text)")
            #expect(result.item == nil)
        }
    }

    @Test func optionsThatAskForKeysReadObjects() {
        for options in [
            JSONReader.Options(parser: .yajl), .init(unknownKeys: .reject), .init(maximumKeyCount: 3),
            .init(countsProperties: true),
        ] {
            var reader = JSONReader(options: options)
            let columns = reader.columns(["id"], of: Item.self)
            #expect(columns.map { _ in true } == nil)
        }
        var reader = JSONReader()
        let ofDictionary = reader.columns(["id"], of: [String: Int].self)
        let ofTree = reader.columns(["id"], of: JSONValue.self)
        #expect(ofDictionary.map { _ in true } == nil)
        #expect(ofTree.map { _ in true } == nil)
    }
}

extension String {
    fileprivate func replacingOccurrences(_ part: Character, with other: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
    }
}

private struct Item: JSONModel, Equatable {
    var id: Int
    var note: String?
    var prices: [Double]
    var tree: JSONValue?
    var row: Row?
    var width: Int?

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var note: String?
        var prices: [Double]?
        var tree: JSONValue?
        var row: Row?
        var width: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("note", \JSONDraft.note, presence: .optional)
        model.property("prices", \JSONDraft.prices, presence: .optional)
        model.property("tree", \JSONDraft.tree, presence: .optional)
        model.property("row", \JSONDraft.row, presence: .optional)
        model.property("width", \JSONDraft.width, keys: ["size.width"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Item.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        note = draft.note
        prices = draft.prices ?? []
        tree = draft.tree
        row = draft.row
        width = draft.width
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
