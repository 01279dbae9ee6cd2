import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

private struct Note<Text: JSONBindable & Equatable & Sendable>: Equatable, Sendable, JSONModel {
    var id: Int
    var text: Text
    var more: Text?

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Note>>) {
        model._required("id", \Note.id)
        model._required("text", \Note.text)
        model._optional("more", \Note.more)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
        switch slot {
        case 0: \Note.id
        case 1: \Note.text
        case 2: \Note.more
        default: nil
        }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(text)
        case 2: try writer.property(more)
        default: break
        }
    }
}

/// The substrings of a feed's records are slices of copies that the records of a batch share.
@Suite struct SubstringFeedTests {
    /// Records of many lengths: some are short enough to be copied for the scanner, some have escapes, some are damaged.
    private static let lines: [String] = (0..<1500).map { id in
        let text = String(repeating: "text ", count: id % 40)
        return switch id % 11 {
        case 3: #"{"id":\#(id),"text":"é \#(text) 漢字","more":"\#(text)"}"#
        case 5: #"{"id":\#(id),"more":"number \#(id) of many","text":"\n\#(text)"}"#
        case 7: #"{"id":\#(id),"text":"\#(text)",}"#
        default: #"{"id":\#(id),"text":"the long text \#(id) of a note","unknown":["\#(text)"]}"#
        }
    }

    private func records<Text: JSONBindable & Equatable & Sendable>(
        _ type: Text.Type, _ bytes: [UInt8], chunk: Int, workers: Int, _ format: JSONFeedFormat
    ) throws
        -> [Note<Text>]
    {
        var options = JSONFeed<Note<Text>>.Options()
        options.invalidRecords = .skip
        options.format = format
        let feed = JSONFeed<Note<Text>>(source: BytesSource(bytes, chunkSize: chunk), options: options)
        let read = try workers > 1 ? feed.parallel(workers: workers) : feed
        var found: [Note<Text>] = []
        while let note = try read.next() { found.append(note) }
        return found
    }

    @Test(arguments: [100, 4096, 1 << 20], [1, 2])
    func substringsAreWhatStringsWouldBe(_ chunk: Int, _ workers: Int) throws {
        for (text, format) in [
            (Self.lines.joined(separator: "\n"), JSONFeedFormat.lines),
            ("[\(Self.lines.filter { !$0.hasSuffix(",}") }.joined(separator: ","))]", .array),
        ] {
            let strings = try records(String.self, Array(text.utf8), chunk: chunk, workers: workers, format)
            let substrings = try records(Substring.self, Array(text.utf8), chunk: chunk, workers: workers, format)
            #expect(strings.count > 1000)
            #expect(substrings.map(\.id) == strings.map(\.id))
            #expect(substrings.map { String($0.text) } == strings.map(\.text))
            #expect(substrings.map { $0.more.map { String($0) } } == strings.map(\.more))
        }
    }

    @Test(arguments: [1, 2]) func theRecordsOfABatchShareOneText(_ workers: Int) throws {
        let text = (0..<100).map { #"{"id":\#($0),"text":"the long text \#($0) of a note"}"# }.joined(separator: "\n")
        let notes = try records(Substring.self, Array(text.utf8), chunk: 1 << 20, workers: workers, .lines)
        // Workers read slices of the feed, and a slice has its own text.
        let texts = Set(notes.map { $0.text.base })
        #expect(workers == 1 ? texts.count == 1 : texts.count < 10)
        func address(_ text: Substring) -> Int {
            unsafe text.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) } ?? 0
        }
        #expect(
            address(notes[11].text) - address(notes[10].text) == #"{"id":10,"text":"the long text 10 of a note"}"#.utf8.count + 1)
        let own = notes[50].compacted()
        #expect(own == notes[50])
        #expect(own.text.base == "the long text 50 of a note")
    }

    /// Rows under a header become objects in memory that the next row uses again.
    @Test func rowsUnderAHeaderDoNotTakeTheTextOfAnotherRow() throws {
        let rows = (0..<50).map { #"[\#($0),"the long text \#($0) of a row"]"# }
        let text = #"["id","text"]"# + "\n" + rows.joined(separator: "\n")
        var options = JSONFeed<Note<Substring>>.Options()
        options.hasHeader = true
        let feed = JSONFeed<Note<Substring>>(source: BytesSource(Array(text.utf8)), options: options)
        var found: [Substring] = []
        while let note = try feed.next() { found.append(note.text) }
        #expect(found == (0..<50).map { "the long text \($0) of a row" })
    }
}
