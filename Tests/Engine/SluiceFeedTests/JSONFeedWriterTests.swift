import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed

@Suite struct JSONFeedWriterTests {
    @Test(arguments: [JSONFeedWriterFormat.lines, .array], [JSONWriter.Options(), .pretty, .init(isPretty: true, indent: 0)])
    func whatIsWrittenIsRead(_ format: JSONFeedWriterFormat, _ options: JSONWriter.Options) throws {
        for count in [0, 1, 2, 3, 2000] {
            let notes = (0..<count).map { Note(id: $0, text: "line\n\($0)") }
            let text = try written(notes, format, options)
            let feed = JSONFeed<Note>(bytes: text, options: .init(format: format == .lines ? .lines : .array))
            var read: [Note] = []
            while let note = try feed.next() { read.append(note) }
            #expect(read == notes)
            #expect(format == .lines || count > 0 ? text.last == UInt8(ascii: "\n") || text.isEmpty : true)
            // An array's text is that of the array in memory, and a line break.
            if format == .array {
                #expect(try String(decoding: text, as: UTF8.self) == notes.jsonString(options: options) + "\n")
            }
        }
    }

    @Test(arguments: [JSONFeedWriterFormat.lines, .array], [JSONWriter.Options(), .pretty])
    func aCollectionIsWrittenAsItsRecordsAre(_ format: JSONFeedWriterFormat, _ options: JSONWriter.Options) throws {
        for count in [0, 1, 3, 2000] {
            let notes = (0..<count).map { Note(id: $0, text: "line\n\($0)") }
            let wanted = try written(notes, format, options)
            let whole = try JSONFeedWriter(to: [UInt8](), format: format, options: options)
            try whole.write(contentsOf: notes)
            try whole.finish()
            #expect(whole.sink == wanted)
            #expect(whole.writtenCount == count)
            // A sequence without memory of its own, in two parts with a record between them.
            let parts = try JSONFeedWriter(to: [UInt8](), format: format, options: options)
            try parts.write(contentsOf: notes.prefix(1).lazy.map { $0 })
            for note in notes.dropFirst().prefix(1) { try parts.write(note) }
            try parts.write(contentsOf: notes.dropFirst(2))
            try parts.finish()
            #expect(parts.sink == wanted)
        }
    }

    @Test func aFailingRecordOfACollectionIsNamedByItsIndex() throws {
        let records = [Measured(values: [1]), Measured(values: [2]), Measured(values: [3, .nan]), Measured(values: [4])]
        for isLazy in [false, true] {
            let feed = try JSONFeedWriter(to: [UInt8](), format: .lines)
            let error = failure { () throws(JSONError) in
                if isLazy { try feed.write(contentsOf: records.lazy.map { $0 }) } else { try feed.write(contentsOf: records) }
            }
            #expect(error?.path == "[2].values[1]")
            // Those before it are written, and others can follow.
            try feed.write(contentsOf: records[3...])
            try feed.finish()
            #expect(String(decoding: feed.sink, as: UTF8.self) == "{\"values\":[1]}\n{\"values\":[2]}\n{\"values\":[4]}\n")
            #expect(failure { () throws(JSONError) in try feed.write(contentsOf: records) }?.kind == .notWritable)
        }
    }

    @Test func emptyFeedsAreWhole() throws {
        #expect(try String(decoding: written([], .lines), as: UTF8.self) == "")
        #expect(try String(decoding: written([], .array), as: UTF8.self) == "[]\n")
        #expect(try String(decoding: written([], .array, .pretty), as: UTF8.self) == "[]\n")
    }

    @Test func anElementOfAPrettyArrayKeepsItsRawText() throws {
        let feed = try JSONFeedWriter(to: [UInt8](), format: .array, options: .pretty)
        try feed.write(["a": [RawJSON(json: "{\"b\" :1 }")]])
        try feed.finish()
        #expect(String(decoding: feed.sink, as: UTF8.self) == "[\n  {\n    \"a\": [\n      {\"b\" :1 }\n    ]\n  }\n]\n")
    }

    @Test func aRecordHasALineOfItsOwn() throws {
        let raw = try RawJSON(json: "{\n  \"a\\n\" : [1,\r\n 2]\n}")
        let feed = try JSONFeedWriter(to: [UInt8](), format: .lines, options: .pretty)
        try feed.write(raw)
        try feed.write(7)
        try feed.write(Int?.none)
        try feed.finish()
        #expect(String(decoding: feed.sink, as: UTF8.self) == "{   \"a\\n\" : [1,   2] }\n7\nnull\n")
    }

    @Test(arguments: [JSONFeedWriterFormat.lines, .array])
    func aFailingRecordLeavesNothingAfter(_ format: JSONFeedWriterFormat) throws {
        let feed = try JSONFeedWriter(to: [UInt8](), format: format)
        #expect(failure { () throws(JSONError) in try feed.write(Measured(values: [1, .nan])) }?.path == "values[1]")
        try feed.write(Measured(values: [1]))
        for _ in 0..<3 {
            let error = failure { () throws(JSONError) in try feed.write([Measured(values: [.infinity])]) }
            #expect(error?.kind == .notWritable)
        }
        try feed.write(Measured(values: []))
        try feed.finish()
        let records = [#"{"values":[1]}"#, #"{"values":[]}"#]
        let expected = format == .lines ? records.map { $0 + "\n" }.joined() : "[" + records.joined(separator: ",") + "]\n"
        #expect(String(decoding: feed.sink, as: UTF8.self) == expected)
        #expect(feed.writtenCount == 2)
    }

    @Test func levelsAreCountedFromTheDocument() throws {
        let options = JSONWriter.Options(maximumDepth: 2)
        let lines = try JSONFeedWriter(to: [UInt8](), format: .lines, options: options)
        try lines.write([[1]])
        let array = try JSONFeedWriter(to: [UInt8](), format: .array, options: options)
        #expect(failure { () throws(JSONError) in try array.write([[1]]) }?.kind == .depthLimit)
        try array.write([1])
        try array.finish()
        #expect(array.sink == Array("[[1]]\n".utf8))
    }

    @Test func theEndIsWrittenOnce() throws {
        let feed = try JSONFeedWriter(to: [UInt8](), format: .array)
        try feed.write(1)
        try feed.finish()
        try feed.finish()
        #expect(failure { () throws(JSONError) in try feed.write(2) }?.kind == .notWritable)
        try feed.finish()
        #expect(feed.sink == Array("[1]\n".utf8))
        #expect(feed.writtenCount == 1)
    }

    @Test func recordsThatAreHeldBackCanBeFlushed() throws {
        let feed = try JSONFeedWriter(to: [UInt8](), format: .array)
        try feed.write(1)
        #expect(feed.sink == [] && feed.writtenCount == 0)
        try feed.flush()
        #expect(feed.sink == Array("[1".utf8) && feed.writtenCount == 1)
        try feed.write(2)
        try feed.finish()
        #expect(feed.sink == Array("[1,2]\n".utf8))
    }

    // MARK: Pieces

    @Test(arguments: [JSONFeedWriterFormat.lines, .array])
    func piecesEndWhereRecordsDo(_ format: JSONFeedWriterFormat) throws {
        let feed = try JSONFeedWriter(to: Parts(), format: format)
        for id in 0..<5000 { try feed.write(Note(id: id, text: String(repeating: "é", count: id % 300))) }
        try feed.write(Note(id: -1, text: String(repeating: "x", count: 200 << 10)))
        try feed.finish()
        let ends: Set<UInt8> = [UInt8(ascii: "}"), UInt8(ascii: "\n")]
        #expect(feed.sink.pieces.allSatisfy { ends.contains($0.last) })
        #expect(feed.sink.pieces.dropLast(2).allSatisfy { (64 << 10)...(66 << 10) ~= $0.count })
        #expect(feed.sink.pieces.count > 20)
    }

    @Test(arguments: [JSONFeedWriterFormat.lines, .array], 0..<6)
    func aSinkThatFailsHasWholeRecords(_ format: JSONFeedWriterFormat, _ taken: Int) throws {
        let feed = try JSONFeedWriter(to: FailingSink(taken: taken), format: format)
        var error: JSONError?
        var tried = 0
        while error == nil, tried < 20000 {
            error = failure { () throws(JSONError) in try feed.write(Note(id: tried, text: "some text")) }
            tried += 1
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.found == "full")
        #expect(error?.hint == "\(feed.writtenCount) records were written before")
        // Closed by hand, the text is a feed of the records that were counted.
        let end = format == .array && taken > 0 ? "]" : ""
        let text = feed.sink.bytes + Array(end.utf8)
        let read = JSONFeed<Note>(bytes: text, options: .init(format: format == .lines || taken == 0 ? .lines : .array))
        var count = 0
        while let note = try read.next() {
            #expect(note.id == count)
            count += 1
        }
        #expect(count == feed.writtenCount)
        // It stays broken, and the sink as it is.
        let bytes = feed.sink.bytes
        for _ in 0..<2 {
            #expect(failure { () throws(JSONError) in try feed.write(1) }?.hint == error?.hint)
            #expect(failure { () throws(JSONError) in try feed.flush() }?.hint == error?.hint)
            #expect(failure { () throws(JSONError) in try feed.finish() }?.hint == error?.hint)
        }
        #expect(feed.sink.bytes == bytes)
    }

    @Test(.enabled(if: AllocationCounter.isAvailable, "allocations cannot be counted on this platform or under a sanitizer"))
    func memoryDoesNotGrowWithTheFeed() throws {
        let note = Note(id: 1, text: String(repeating: "y", count: 500))
        func allocations(_ count: Int) throws -> Int {
            let feed = try JSONFeedWriter(to: CountingSink(), format: .array)
            for _ in 0..<200 { try feed.write(note) }
            return try AllocationCounter.count { () throws(JSONError) in
                for _ in 0..<count { try feed.write(note) }
                try feed.finish()
            }
        }
        // More than a hundred pieces, and nothing is allocated for them.
        #expect(try allocations(20000) == allocations(10))
    }

    // MARK: Files

    @Test func aFileIsWrittenAndEmptiedBefore() throws {
        try withTemporaryFile { path in
            for count in [3000, 2] {
                let feed = try JSONFeedWriter(path: path, format: .lines)
                for id in 0..<count { try feed.write(Note(id: id, text: "t")) }
                try feed.finish()
                let read = try JSONFeed<Note>(path: path)
                while try read.next() != nil {}
                #expect(read.acceptedCount == count)
            }
        }
        let error = failure { () throws(JSONError) in _ = try JSONFeedWriter(path: "/nowhere/feed", format: .lines) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.found == "cannot create /nowhere/feed: No such file or directory")
    }

    @Test func aPipeThatTakesLittleGetsAll() throws {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        let thread = Thread {
            // What fits into a pipe is less than a piece, so each piece is written in parts.
            let feed = try? JSONFeedWriter(descriptor: output, format: .lines)
            for id in 0..<20000 { try? feed?.write(Note(id: id, text: "through a pipe")) }
            try? feed?.finish()
            close(output)
        }
        thread.start()
        let feed = JSONFeed<Note>(descriptor: input)
        var count = 0
        while let note = try feed.next() {
            if note.id != count { Issue.record("\(note.id) instead of \(count)") }
            count += 1
        }
        #expect(count == 20000)
        close(input)
    }

    #if canImport(Glibc)
    @Test func aFullFileEndsWithAWholePiece() throws {
        // A file that must not grow: a write takes what has room, and the next one nothing.
        let size = 24 * 4096
        // Swift does not import Linux's memfd_create, nor its constants.
        typealias Create = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
        let symbol = unsafe try #require(unsafe dlsym(nil, "memfd_create"))
        let (allowsSealing, addSeals, sealGrow): (UInt32, Int32, Int32) = (2, 1033, 4)
        let descriptor = unsafe unsafeBitCast(symbol, to: Create.self)("full", allowsSealing)
        defer { close(descriptor) }
        #expect(ftruncate(descriptor, size) == 0)
        #expect(fcntl(descriptor, addSeals, sealGrow) == 0)
        var sink = FileDescriptorSink(descriptor: descriptor, name: "the file")
        #expect(failure { () throws(JSONError) in try write(70000, to: &sink) } == nil)
        let error = failure { () throws(JSONError) in try write(70000, to: &sink) }
        #expect(error?.found == "cannot write the file: Operation not permitted")
        #expect(lseek(descriptor, 0, SEEK_END) == 70000)
    }

    private func write(_ count: Int, to sink: inout FileDescriptorSink) throws(JSONError) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { unsafe bytes.deallocate() }
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 1)
        try unsafe sink.write(UnsafeRawBufferPointer(bytes))
    }
    #endif

    // MARK: Arrays

    @Test func anArrayOfModelsGoesToASinkInPieces() throws {
        let notes = (0..<5000).map { Note(id: $0, text: "a note") }
        for options in [JSONWriter.Options(), .pretty, .sortedKeys] {
            var sink = Parts()
            try notes.write(to: &sink, options: options)
            #expect(sink.pieces.count > 2)
            #expect(try sink.bytes == notes.jsonBytes(options: options))
        }
        var empty = Parts()
        try [Note]().write(to: &empty, options: .pretty)
        #expect(empty.bytes == Array("[]".utf8))
        var selected = Parts()
        try notes.write(to: &selected, include: ["id"])
        #expect(try selected.bytes == notes.jsonBytes(include: ["id"]))
        #expect(selected.pieces.count > 0)
    }

    @Test func anArrayThatFailsSaysWhereAndHowFarItCame() throws {
        var list = (0..<9000).map { Measured(values: [Double($0), 0.5]) }
        var full = FailingSink(taken: 1)
        let error = failure { () throws(JSONError) in try list.write(to: &full) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.path == "")
        let count = full.bytes.split(separator: UInt8(ascii: "}")).count
        #expect(error?.hint == "\(count) records were written before")
        list[8000].values[1] = .nan
        var sink = Parts()
        #expect(failure { () throws(JSONError) in try list.write(to: &sink) }?.path == "[8000].values[1]")
        #expect(sink.pieces.count == 2 && sink.bytes.last == UInt8(ascii: "}"))
    }

    private func written(
        _ notes: [Note], _ format: JSONFeedWriterFormat, _ options: JSONWriter.Options = .init()
    ) throws -> [UInt8] {
        let feed = try JSONFeedWriter(to: [UInt8](), format: format, options: options)
        for note in notes { try feed.write(note) }
        try feed.finish()
        #expect(feed.writtenCount == notes.count)
        return feed.sink
    }

    private func withTemporaryFile(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}

// MARK: Sinks

/// Keeps the pieces apart.
private struct Parts: ByteSink {
    var pieces: [(count: Int, last: UInt8)] = []
    var bytes: [UInt8] = []

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        pieces.append((bytes.count, unsafe bytes.last ?? 0))
        unsafe self.bytes.append(contentsOf: bytes)
    }
}

/// Takes some pieces, and no more.
private struct FailingSink: ByteSink {
    var taken: Int
    var bytes: [UInt8] = []

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        guard taken > 0 else { throw JSONError(.inputOutput, found: "full") }
        taken -= 1
        unsafe self.bytes.append(contentsOf: bytes)
    }
}

private struct CountingSink: ByteSink {
    var count = 0
    mutating func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}

// MARK: Models

private struct Note: JSONModel, Equatable {
    var id: Int
    var text: String

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var text: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("text", \JSONDraft.text)
    }

    static let _jsonTable = PropertyTable._compiled(for: Note.self)

    init(id: Int, text: String) {
        self.id = id
        self.text = text
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        text = try bound.required(draft.text, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(text)
        default: break
        }
    }
}

private struct Measured: JSONModel {
    var values: [Double]

    struct JSONDraft: _JSONModelDraft {
        var values: [Double]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("values", \JSONDraft.values) }

    static let _jsonTable = PropertyTable._compiled(for: Measured.self)

    init(values: [Double]) { self.values = values }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        values = try bound.required(draft.values, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(values) }
    }
}
