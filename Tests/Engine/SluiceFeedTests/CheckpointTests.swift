import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Reading goes on after any record as if it had never stopped.
@Suite struct CheckpointTests {
    typealias Numbers = [String: Int]

    /// What a splitter gives, with its errors in between.
    enum Event: Equatable {
        case record(Piece, Range<Int>)
        /// Without the hint: where the containers around the position began is not known after a checkpoint.
        case failure(JSONError.Kind, SourcePosition, expected: String, found: String, Range<Int>)
    }

    /// All that comes out of a splitter, and a checkpoint before each event and at the end.
    static func run(_ splitter: consuming RecordSplitter, limit: Int) -> (events: [Event], checkpoints: [JSONCheckpoint]) {
        var events: [Event] = []
        var checkpoints = [splitter.checkpoint()]
        for _ in 0..<limit {
            do throws(JSONError) {
                guard let record = try splitter.next() else { break }
                let piece = unsafe Piece(text: String(decoding: record.bytes, as: UTF8.self), position: record.position)
                events.append(.record(piece, splitter.recordRange))
            } catch {
                // Damage between records has no range.
                let range = error.kind == .sizeLimit ? splitter.recordRange : 0..<0
                events.append(.failure(error.kind, error.position, expected: error.expected, found: error.found, range))
                if splitter.isBroken { break }
            }
            checkpoints.append(splitter.checkpoint())
        }
        return (events, checkpoints)
    }

    /// A source that goes to any position, as a file does.
    struct SeekableBytes: SeekableSource, BufferSource {
        let bytes: [UInt8]
        var offset = 0
        mutating func seek(to offset: Int) -> Bool {
            self.offset = offset
            return true
        }
        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(bytes.count - offset, buffer.count, 7)
            unsafe buffer.copyBytes(from: bytes[offset..<(offset + count)])
            offset += count
            return count
        }
    }

    private static let others: [(String, JSONFeedFormat, JSONRecordPath)] = [
        ("\u{1E}1\n\u{1E}{\"a\":\n2}\n\u{1E}3", .sequence, ""), ("{\"a\":1}\n[\n{\"b\":\"x\n{\"c\":2}\n3", .concatenated, ""),
        ("\u{1E}[{\"a\":[1]}]\n\u{1E}[{\"a\":[2 x\n\u{1E}[{\"a\":3}]\n\u{1E}[{\"a\":[4]}]", .sequence, "[0].a"),
    ]

    static let inputs: [(String, JSONFeedFormat, JSONRecordPath)] =
        RecordSplitterTests.inputs.map { ($0.0, $0.1, "") } + RecordPathTests.inputs.map { ($0.0, .automatic, $0.1) }
        + RecordPathTests.absent.map { ($0.0, .automatic, $0.1) } + RecordPathTests.damaged.map { ($0.0, $0.1, "i") } + others

    @Test(arguments: inputs)
    func readingGoesOnWithTheNextRecord(_ text: String, _ format: JSONFeedFormat, _ path: JSONRecordPath) throws {
        let bytes = Array(text.utf8)
        let limit = bytes.count + 8
        let whole = Self.run(RecordSplitter(source: BytesSource(bytes), format: format, at: path), limit: limit)
        for (index, checkpoint) in whole.checkpoints.enumerated() {
            let saved = try JSONDecoder().decode(JSONCheckpoint.self, from: JSONEncoder().encode(checkpoint))
            #expect(saved == checkpoint)
            let sources: [any ByteSource] = [
                BytesSource(bytes, chunkSize: 1), BytesSource(bytes), SeekableBytes(bytes: bytes),
            ]
            for source in sources {
                var splitter = RecordSplitter(source: source, format: format, at: path, readSize: 32)
                try splitter.resume(from: saved, totalBytes: bytes.count)
                let rest = Self.run(splitter, limit: limit)
                #expect(rest.events == Array(whole.events[index...]), "\(text) after \(index)")
                #expect(
                    rest.checkpoints.map(\.standing.arrayStart) == whole.checkpoints[index...].map(\.standing.arrayStart),
                    "\(text) after \(index)")
            }
            // Pushed bytes begin at the position.
            var pushed = RecordSplitter(format: format, at: path)
            try pushed.resume(from: saved)
            unsafe bytes[min(saved.offset, bytes.count)...].withUnsafeBytes { unsafe pushed.append($0) }
            pushed.finish()
            #expect(Self.run(pushed, limit: limit).events == Array(whole.events[index...]), "\(text) after \(index)")
        }
    }

    /// A line may hold a whole document, of which the records before its damage have been given out.
    @Test(arguments: [("", JSONFeedFormat.lines), ("\u{1E}", .sequence)])
    func rejectionAfterACheckpointHasTheRangeOfItsWholeLine(_ separator: String, _ format: JSONFeedFormat) throws {
        let first = separator + "{\"i\":[1]}\n"
        let bytes = Array("\(first)\(separator){\"i\":[2,3],\"x\":}\n\(separator){\"i\":[4]}\n".utf8)
        let options = JSONFeed<Int>.Options(format: format, at: "i", invalidRecords: .skip)
        for count in 0...4 {
            let feed = JSONFeed<Int>(bytes: bytes, options: options)
            for _ in 0..<count { _ = try feed.next() }
            let rest = try JSONFeed<Int>(
                source: BytesSource(bytes, chunkSize: 1), options: options, resumingFrom: feed.checkpoint)
            while try rest.next() != nil {}
            #expect(rest.acceptedCount == 4 - count)
            guard count < 4 else { continue }
            let start = first.utf8.count + separator.utf8.count
            #expect(rest.rejectedRecords.map(\.range) == [start..<(start + 16)], "after \(count) records")
            #expect(rest.rejectedRecords.map(\.index) == [3])
            #expect(rest.rejectedRecords.map(\.line) == [2])
        }
    }

    @Test func feedThatHasGrownIsTakenUpWhereItEnded() throws {
        let first = Array("{\"a\":1}\n{\"a\":2}\n".utf8)
        let feed = JSONFeed<Numbers>(bytes: first)
        while try feed.next() != nil {}
        let grown = first + Array("{\"a\":3}\n".utf8)
        let rest = try JSONFeed<Numbers>(
            source: BytesSource(grown), totalBytes: grown.count, resumingFrom: feed.checkpoint)
        #expect(try rest.next() == ["a": 3])
        #expect(rest.recordRange == 16..<23)
        #expect(try rest.next() == nil)
        #expect(rest.checkpoint.recordIndex == 3)
        // Nothing has come: nothing is read.
        let same = try JSONFeed<Numbers>(source: BytesSource(grown), resumingFrom: rest.checkpoint)
        #expect(try same.next() == nil)
        #expect(same.checkpoint.offset == grown.count)
    }

    @Test func anotherFeedIsRefused() throws {
        let bytes = Array("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n".utf8)
        let feed = JSONFeed<Numbers>(bytes: bytes)
        _ = try feed.next()
        _ = try feed.next()
        let checkpoint = feed.checkpoint
        func refusal(_ changed: [UInt8], _ options: JSONFeed<Numbers>.Options = .init(), _ size: Int? = nil) -> JSONError? {
            do throws(JSONError) {
                _ = try JSONFeed<Numbers>(
                    source: BytesSource(changed), totalBytes: size ?? changed.count, options: options, resumingFrom: checkpoint)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal(bytes) == nil)
        #expect(refusal(bytes.dropLast() + [32, 32])?.kind == nil)
        let shorter = try #require(refusal(Array(bytes.dropLast())))
        #expect(shorter.kind == .unusableCheckpoint)
        #expect(
            shorter.summary
                == "unusable checkpoint: expected a feed of at least 24 bytes, found one of 23 bytes; begin the feed anew")
        var changed = bytes
        changed[5] = UInt8(ascii: "7")
        #expect(refusal(changed)?.found == "one that begins differently")
        #expect(refusal(bytes, .init(at: "items"))?.kind == .unusableCheckpoint)
        #expect(refusal(bytes, .init(format: .array))?.kind == .unusableCheckpoint)
        #expect(refusal(bytes, .init(hasHeader: true))?.kind == .unusableCheckpoint)
        // A source of unknown size that ends before the position.
        #expect(throws: JSONError.self) {
            try JSONFeed<Numbers>(source: BytesSource(Array(bytes.prefix(10))), resumingFrom: checkpoint)
        }
    }

    /// Here the beginning is the same, so only the text before the position shows that the feed is another one.
    @Test func aFeedWhoseTextBeforeThePositionHasChangedIsRefused() throws {
        let bytes = Array((1000..<1400).map { "{\"a\":\($0)}\n" }.joined().utf8)
        let feed = JSONFeed<Numbers>(bytes: bytes)
        for _ in 0..<300 { _ = try feed.next() }
        let checkpoint = feed.checkpoint
        func resumed(_ bytes: [UInt8], _ source: any ByteSource) throws -> Numbers? {
            try JSONFeed<Numbers>(source: source, totalBytes: bytes.count, resumingFrom: checkpoint).next()
        }
        for distance in 1...20 {
            var before = bytes
            before[checkpoint.offset - distance] ^= 1
            for source in [BytesSource(before), SeekableBytes(bytes: before)] as [any ByteSource] {
                let error = #expect(throws: JSONError.self) { try resumed(before, source) }
                #expect(error?.kind == .unusableCheckpoint)
                #expect(error?.found == "another text", "\(distance) bytes before the position")
            }
        }
        // Text after the position may be any.
        var after = bytes
        after[checkpoint.offset + 8] = UInt8(ascii: "9")
        for source in [BytesSource(after), SeekableBytes(bytes: after)] as [any ByteSource] {
            #expect(try resumed(after, source) == ["a": 1309])
        }
    }

    /// Found by the fuzzer of feeds: a checkpoint from before the header was refused as one of a feed without a header.
    @Test func aHeaderMayFollowTheCheckpoint() throws {
        let bytes = Array("\u{1e}[1\u{1e}[\"id\",\"name\"]\n\u{1e}[1,\"a\"]\n\u{1e}[2,\"b\"]\n".utf8)
        let options = JSONFeed<Row>.Options(format: .sequence, hasHeader: true)
        let feed = JSONFeed<Row>(bytes: bytes, options: options)
        #expect(throws: JSONError.self) { try feed.next() }
        for count in 0..<3 {
            let resumed = try JSONFeed<Row>(source: BytesSource(bytes), options: options, resumingFrom: feed.checkpoint)
            var rows: [Row] = []
            while let row = try resumed.next() { rows.append(row) }
            #expect(rows == Array([Row(id: 1, name: "a"), Row(id: 2, name: "b")].dropFirst(count)))
            _ = try feed.next()
        }
    }

    @Test func anotherTypeOfRecordIsRefused() throws {
        let bytes = Array("{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n".utf8)
        let feed = JSONFeed<Row>(bytes: bytes)
        #expect(try feed.next() == Row(id: 1, name: "a"))
        #expect(feed.checkpoint.schemaFingerprint == Row.schema.fingerprint)
        let checkpoint = feed.checkpoint
        #expect(try JSONFeed<Row>(source: BytesSource(bytes), resumingFrom: checkpoint).next() == Row(id: 2, name: "b"))
        #expect(throws: JSONError.self) { try JSONFeed<JSONValue>(source: BytesSource(bytes), resumingFrom: checkpoint) }
    }

    @Test func fileGoesOnAtItsPosition() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        let items = (0..<50_000).map { "{\"a\":\($0)}" }.joined(separator: ",\n")
        try Data("{\"x\":[1,2],\"items\":[\(items)],\"y\":0}".utf8).write(to: url)
        let feed = try JSONFeed<Numbers>(path: url.path, options: .init(at: "items"))
        for _ in 0..<40_000 { _ = try feed.next() }
        let rest = try JSONFeed<Numbers>(path: url.path, options: .init(at: "items"), resumingFrom: feed.checkpoint)
        #expect(try rest.next() == ["a": 40_000])
        var count = 1
        while try rest.next() != nil { count += 1 }
        #expect(count == 10_000)
        #expect(try JSONFeed<Numbers>(path: url.path, options: .init(at: "items"), resumingFrom: nil).next() == ["a": 0])
    }

    /// A checkpoint made by hand does no harm.
    @Test func madeUpCheckpointsAreRefusedOrRead() throws {
        for format in [JSONFeedFormat.object, .lines] {
            try checkMadeUpCheckpoints(Array(#"{"items":[1,2],"x":{]}"#.utf8), format)
        }
    }

    private func checkMadeUpCheckpoints(_ bytes: [UInt8], _ format: JSONFeedFormat) throws {
        var splitter = RecordSplitter(source: BytesSource(bytes), format: format, at: "items")
        _ = try splitter.next()
        let text = String(decoding: try JSONEncoder().encode(splitter.checkpoint()), as: UTF8.self)
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            var changed = Array(text.utf8)
            let index = Int.random(in: 0..<changed.count, using: &random)
            changed[index] = Array("0123456789-{}[],\"".utf8).randomElement(using: &random) ?? 48
            guard let checkpoint = try? JSONDecoder().decode(JSONCheckpoint.self, from: Data(changed)) else { continue }
            var resumed = RecordSplitter(source: BytesSource(bytes), format: format, at: "items")
            do throws(JSONError) {
                try resumed.resume(from: checkpoint)
            } catch {
                continue
            }
            _ = Self.run(resumed, limit: 40)
        }
    }
}
