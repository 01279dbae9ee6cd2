import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Workers give what the feed gives without them.
@Suite struct ParallelFeedTests {
    typealias Numbers = [String: Int]

    /// Records with damage of all kinds, in a layout.
    private static func feed(_ seed: UInt64, _ format: JSONFeedFormat, count: Int) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        let records = (0..<count).map { number -> String in
            switch random.next() % 24 {
            case 0: "{\"a\":\"x\"}"
            case 1: "{\"a\":}"
            case 2: "{\"a\":\(number)} 7"
            case 3: "{\"a\":[\(number)],\n\"b\":2}"
            case 4: "{\"a\":\"\(String(repeating: "y", count: Int(random.next() % 900)))\"}"
            case 5: "   "
            case 6: "{\"a\":\(number)}\r"
            case 7: "[1,2"
            case 8: "{\"a\":1.5}"
            default: "{\"a\":\(number),\"b\":\(random.next() % 1000)}"
            }
        }
        switch format {
        case .array: return Array(("[" + records.filter { $0 != "[1,2" && $0 != "   " }.joined(separator: ",\n") + "]\n").utf8)
        case .concatenated: return Array(records.filter { $0 != "[1,2" }.joined(separator: " ").utf8)
        default: return Array((records.joined(separator: "\n") + (seed % 2 == 0 ? "\n" : "")).utf8)
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated], [JSONFeed<Numbers>.InvalidRecords.throw, .skip])
    func workersGiveWhatTheFeedGives(_ format: JSONFeedFormat, _ invalid: JSONFeed<Numbers>.InvalidRecords) throws {
        for seed in 0..<6 as Range<UInt64> {
            let bytes = Self.feed(seed, format, count: seed < 5 ? 60 : 3000)
            for limit in [300, 1 << 20] {
                for given in [format, .automatic] {
                    let options = JSONFeed<Numbers>.Options(
                        format: given, invalidRecords: invalid, maximumRecordSize: limit, keptReasons: 5)
                    let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options))
                    for workers in [1, 2, 7] {
                        for chunkSize in seed < 5 ? [7, 100, 100_000] : [100_000] {
                            let source = BytesSource(bytes, chunkSize: chunkSize)
                            let feed = try JSONFeed<Numbers>(source: source, options: options).parallel(workers: workers)
                            let trace = FeedTrace(feed)
                            #expect(
                                trace.difference(from: serial) == nil, "seed \(seed), \(workers) workers, pieces of \(chunkSize)")
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: ["", " \n", "[]", "[ 1, ", "{\"a\":1}\n", "{\"a\":1}", "[{\"a\":1}] \n", "\\", "{\"a\":1} {\"a\":2}\n "])
    func theEndOfAFeedIsTheSame(_ text: String) throws {
        let bytes = Array(text.utf8)
        for format in JSONFeedFormat.allCases {
            for path in ["", "a", "[*]", "*.b"] as [JSONRecordPath] {
                let options = JSONFeed<Numbers>.Options(format: format, at: path)
                let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options))
                let parallel = try FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options).parallel(workers: 2))
                #expect(parallel.difference(from: serial) == nil, "\(text) as \(format) at '\(path)'")
            }
        }
    }

    /// Large pieces of lines are read into the arrays that workers get, small ones are copied.
    @Test(arguments: [16, 300, 1000, 4096]) func slicesOfLinesAreTheTextOfTheFeed(readSize: Int) {
        var random = SplitMix64(seed: 7)
        let text = (0..<300).map { _ in String(repeating: "x", count: Int(random.next() % 900)) }.joined(separator: "\n")
        let bytes = Array(text.utf8)
        for chunkSize in [7, readSize / 2, readSize, 1 << 20] {
            var splitter = RecordSplitter(
                source: BytesSource(bytes, chunkSize: chunkSize), format: .lines, readSize: readSize)
            var before: [UInt8] = []
            var position = SourcePosition.start
            while let slice = splitter.nextSlice() {
                #expect(slice.start == position)
                #expect(slice.before.elementsEqual(before.suffix(slice.before.count)))
                if readSize == 4096 { #expect(slice.before.count == min(before.count, TailDigest.reach)) }
                before += slice.bytes
                position = unsafe slice.bytes.withUnsafeBytes { unsafe position.advanced(over: $0) }
                #expect(slice.end == position && slice.textSize == slice.bytes.count)
            }
            #expect(before == bytes, "pieces of \(chunkSize)")
        }
    }

    @Test func workersGiveWhatALargeFeedGives() throws {
        let bytes = Self.feed(8, .lines, count: 30_000)
        let options = JSONFeed<Numbers>.Options(invalidRecords: .skip)
        for chunkSize in [100_000, 1 << 20] {
            let serial = FeedTrace(JSONFeed<Numbers>(source: BytesSource(bytes, chunkSize: chunkSize), options: options))
            let feed = JSONFeed<Numbers>(source: BytesSource(bytes, chunkSize: chunkSize), options: options)
            #expect(FeedTrace(try feed.parallel(workers: 2)).difference(from: serial) == nil)
        }
    }

    @Test func recordsAfterALineThatIsTooLongAreCountedOn() throws {
        let long = "{\"a\":\"\(String(repeating: "y", count: 700_000))\"}"
        let bytes = Array((0..<200).map { $0 == 100 ? long : "{\"a\":\($0)}" }.joined(separator: "\n").utf8)
        let options = JSONFeed<Numbers>.Options(format: .lines, invalidRecords: .skip, maximumRecordSize: 1000)
        let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options))
        let parallel = try FeedTrace(JSONFeed<Numbers>(bytes: bytes, options: options).parallel(workers: 2))
        #expect(parallel.difference(from: serial) == nil)
    }

    @Test func lenientReadingReportsTheSame() throws {
        let bytes = Array((0..<2000).map { "{\"a\":\($0 % 3 == 0 ? "\"x\"" : "1")}\n" }.joined().utf8)
        let serial = FeedTrace(JSONFeed<Numbers>(bytes: bytes))
        #expect(try FeedTrace(JSONFeed<Numbers>(bytes: bytes).parallel(workers: 3)) == serial)
    }

    @Test func restOfAFeedIsReadByWorkers() throws {
        let bytes = Self.feed(40, .lines, count: 500)
        let whole = FeedTrace(JSONFeed<Numbers>(bytes: bytes))
        let feed = JSONFeed<Numbers>(bytes: bytes)
        var trace = FeedTrace()
        for _ in 0..<100 { trace.step(feed) }
        try feed.parallel(workers: 2)
        trace.finish(feed)
        #expect(trace == whole)
    }

    @Test func sourceThatFailsEndsTheFeedAfterWholeRecords() throws {
        let bytes = Array((0..<200).map { "{\"a\":\($0)}\n" }.joined().utf8)
        for call in 1...20 {
            func source() -> FaultySource { FaultySource(bytes, chunkSize: 100, .failure, at: call, isLasting: true) }
            let serial = FeedTrace(JSONFeed<Numbers>(source: source(), options: .init(format: .lines)))
            let parallel = try FeedTrace(JSONFeed<Numbers>(source: source(), options: .init(format: .lines)).parallel(workers: 2))
            #expect(parallel == serial)
            #expect(parallel.steps.last?.contains("cannot read the faulty disk") == true)
        }
    }

    @Test func feedThatIsDroppedEndsItsWorkers() throws {
        final class Mark {}
        final class Source: BufferSource {
            let mark: Mark

            init(_ mark: Mark) { self.mark = mark }

            func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
                unsafe buffer.copyBytes(from: Array("{\"a\":1}\n".utf8))
                return 8
            }
        }
        weak var mark: Mark?
        do {
            let made = Mark()
            mark = made
            let feed = try JSONFeed<Numbers>(source: Source(made), options: .init(format: .lines)).parallel(workers: 3)
            #expect(try feed.next() == ["a": 1])
        }
        // The threads end on their own; without that, this test would not.
        while mark != nil { DetachedThread.pause() }
    }

    /// Records that were read and not taken are destroyed with the feed, and each that was taken is destroyed once.
    @Test(arguments: [0, 1, 100, 900]) func recordsThatAreNotTakenAreDestroyed(taken: Int) throws {
        enum Tag {}
        let text = (0..<900).map { "{\"a\":\"\($0)\",\"b\":\($0 % 50 == 3 ? "1" : "\"x\"")}" }.joined(separator: "\n")
        do {
            let feed = try JSONFeed<[String: Counted<Tag>]>(
                bytes: Array(text.utf8), options: .init(invalidRecords: .skip)
            ).parallel(workers: 2)
            for _ in 0..<taken { _ = try feed.next() }
            #expect(feed.rejectedCount >= taken / 50)
        }
        // A worker may still hold the slice that it reads.
        while Counted<Tag>.live > 0 { DetachedThread.pause() }
        #expect(Counted<Tag>.live == 0)
    }

    /// The caller has room for a record, not for what lies between two elements of an array.
    @Test func aRecordThatIsTakenWritesNoByteAfterItself() {
        let records = RecordBuffer<Double?>(capacity: 1)
        for number in 0..<20 {
            unsafe records.append { address in
                unsafe address.assumingMemoryBound(to: Double?.self).pointee = Double(number)
                return true
            }
        }
        let size = MemoryLayout<Double?>.size
        for number in 0..<20 {
            unsafe withUnsafeTemporaryAllocation(byteCount: 2 * MemoryLayout<Double?>.stride, alignment: 8) { memory in
                for index in memory.indices { unsafe memory[index] = 0xA5 }
                guard let address = memory.baseAddress else { return }
                unsafe address.initializeMemory(as: Double?.self, to: records.take().assumingMemoryBound(to: Double?.self).move())
                #expect(unsafe address.load(as: Double?.self) == Double(number))
                #expect(unsafe memory[size...].allSatisfy { $0 == 0xA5 })
            }
        }
    }

    /// Each checkpoint has the digest of the text before it, however the feed is cut and whatever is between its records.
    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated, .object], [20, 5000])
    func theDigestOfACheckpointIsThatOfTheTextBeforeIt(_ format: JSONFeedFormat, between: Int) throws {
        for seed in 0..<4 as Range<UInt64> {
            let gap = String(repeating: " ", count: between)
            let records = (0..<200).map { "{\"a\":\($0)}" + ($0 % 40 == 39 ? gap : "") + ($0 % 60 == 59 ? "\n" : "") }
            let documents = (0..<5).map { number in
                let items = records[number * 40..<number * 40 + 40].joined(separator: ",")
                return "{\"x\":\"" + gap + "\",\"data\":[" + items + "]}\n"
            }
            let text =
                switch format {
                case .array: "[" + records.joined(separator: ",\n") + "]\n"
                case .object: documents.joined()
                default: records.joined(separator: "\n")
                }
            let bytes = seed == 0 ? Array(text.utf8) : Self.feed(seed, format == .object ? .lines : format, count: 400)
            let options = JSONFeed<Numbers>.Options(at: seed == 0 && format == .object ? "data" : nil, invalidRecords: .skip)
            let feed = try JSONFeed<Numbers>(source: BytesSource(bytes, chunkSize: 3000), options: options).parallel(workers: 2)
            // Some of the damage ends the feed.
            while let record = try? feed.next(), !record.isEmpty {
                let checkpoint = feed.checkpoint
                let before = bytes[..<checkpoint.offset]
                let digest = try #require(checkpoint.tail)
                #expect(digest.size > 0)
                #expect(unsafe Array(before).withUnsafeBytes { unsafe digest.matches($0) } == true, "\(checkpoint.position)")
            }
        }
    }

    @Test func workersAreHeldBackByASlowConsumer() throws {
        final class Endless: BufferSource {
            var count = 0

            func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
                count += buffer.count / 8 * 8
                for index in 0..<buffer.count / 8 {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(index * 8)...]).copyBytes(from: "{\"a\":1}\n".utf8)
                }
                return buffer.count / 8 * 8
            }
        }
        let source = Endless()
        let feed = try JSONFeed<Numbers>(source: source, options: .init(format: .lines)).parallel(workers: 2)
        for _ in 0..<10 { #expect(try feed.next() == ["a": 1]) }
        // Five slices are ahead at the most, one is in use, and one is read.
        #expect(source.count <= 8 * 256 << 10)
    }

    @Test func pushedFeedHasNoWorkers() throws {
        let feed = JSONFeedParser<Numbers>()
        try feed.feed.parallel(workers: 2)
        feed.append(Array("{\"a\":1}\n".utf8))
        #expect(try feed.next() == ["a": 1])
    }

    @Test func anyOutputOfWorkersComesInOrder() throws {
        let bytes = Array((0..<50_000).map { "{\"a\":\($0)}\n" }.joined().utf8)
        let cutter = SliceCutter(RecordSplitter(source: BytesSource(bytes, chunkSize: 5000), format: .lines))
        let workers = try OrderedWorkers(count: 3, cutter: cutter) {
            { slice in
                unsafe slice.bytes.withUnsafeBytes { bytes in
                    var reader = unsafe FeedSliceReader(slice, bytes)
                    var offsets: [Int] = []
                    while case .record = reader.next() { offsets.append(reader.recordStart.line) }
                    return offsets
                }
            }
        }
        var lines: [Int] = []
        while let next = workers.next() { lines += next }
        #expect(lines == Array(1...50_000))
    }
}

/// Everything that can be seen of a feed, step by step.
struct FeedTrace: Equatable {
    var steps: [String] = []
    var end = ""

    init() {}

    init(_ feed: JSONFeed<[String: Int]>) { finish(feed) }

    /// One record or error; false at the end.
    @discardableResult
    mutating func step(_ feed: JSONFeed<[String: Int]>) -> Bool {
        var words: String
        do throws(JSONError) {
            guard let record = try feed.next() else { return false }
            words = "\(record.sorted { $0.key < $1.key })"
        } catch {
            words = "\(error)"
        }
        steps.append(words + Self.state(of: feed))
        return true
    }

    /// The first step that differs.
    func difference(from other: FeedTrace) -> String? {
        if let index = zip(steps, other.steps).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset {
            return "\(steps[index]), not \(other.steps[index])"
        }
        if steps.count != other.steps.count { return "\(steps.count) steps, not \(other.steps.count)" }
        return end == other.end ? nil : "\(end), not \(other.end)"
    }

    mutating func finish(_ feed: JSONFeed<[String: Int]>) {
        while step(feed) {}
        end = "\(feed.consumedBytes) \(feed.reasons) \(feed.rejectedRecords) \(feed.report) \(feed.isFinished)"
        end += " \(feed.format) \(Self.position(feed.checkpoint))"
    }

    /// What a feed says of itself after a record.
    static func state(of feed: JSONFeed<[String: Int]>) -> String {
        " \(feed.recordRange) \(feed.consumedBytes) \(feed.acceptedCount) \(feed.rejectedCount) \(feed.format)"
            + " \(position(feed.checkpoint))"
    }

    /// All of a checkpoint but the feed's size, which is not always known.
    private static func position(_ checkpoint: JSONCheckpoint) -> String {
        "\(checkpoint.position) \(checkpoint.recordIndex) \(checkpoint.format) \(checkpoint.standing) \(checkpoint.headHash)"
    }
}
