#if SQLite
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed
@testable import SluiceIngest

/// A record that is too long is rejected wherever it is, also while columns are inferred.
@Suite struct OversizedRecordTests {
    static let long = "{\"a\":\"" + String(repeating: "x", count: 500) + "\"}"

    @Test(
        arguments: LoaderSink.all,
        [JSONFeedFormat.lines, .array, .concatenated, .automatic].flatMap { [($0, []), ($0, ["a:text"])] }
            as [(JSONFeedFormat, [String])])
    func aLongRecordIsRejectedAtEveryPosition(sink: LoaderSink, feed: (format: JSONFeedFormat, columns: [String])) throws {
        let short = "{\"a\":\"b\"}"
        for records in [[Self.long, short], [short, Self.long], [short, Self.long, short], [Self.long, Self.long, short]] {
            let text = feed.format == .array ? "[" + records.joined(separator: ",") + "]" : records.joined(separator: "\n")
            let shorts = records.count { $0 == short }
            // How the text is cut makes no difference to a sink.
            for chunk in sink == .sqlite ? [1, 13, 100, 499, 500, 501, 5_000] : [13] {
                let loader = try Loader(sink)
                let report = try loader.load(text, columns: feed.columns, chunk: chunk) {
                    ($0.feed.format, $0.maximumRecordSize) = (feed.format, 100)
                }
                #expect(report.stored == shorts)
                #expect(report.rejected == records.count - shorts)
                #expect(report.isLossy)
                #expect(
                    report.rejections[0].reason.contains(
                        "expected a record of at most 100 bytes, found one of 508 bytes"))
                #expect(try loader.rows("a") == Array(repeating: ["b"], count: shorts))
            }
        }
    }

    @Test(arguments: LoaderSink.databases + [.csv]) func aFeedOfOneLongRecordIsNoEmptyFeed(sink: LoaderSink) throws {
        for text in [
            Self.long, Self.long + "\n", "\n\n" + Self.long, "[\(Self.long)]", "{\"a\":" + String(repeating: "1", count: 200),
        ] {
            let error = #expect(throws: IngestError.self) {
                try Loader(sink).load(text, chunk: 64) { $0.maximumRecordSize = 100 }
            }
            guard case .noColumns? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(error?.description.hasPrefix("no columns") == true)
            #expect(error?.description.contains("too long (line") == true, "\(error?.description ?? "")")
        }
    }

    /// Gives blanks or letters without end, as long as memory is not the limit.
    private final class Flood: BufferSource {
        var left: Int
        private let head: [UInt8]
        private var isBegun = false
        var given = 0

        init(_ head: String, _ count: Int) {
            self.head = Array(head.utf8)
            left = count
        }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            if !isBegun {
                isBegun = true
                unsafe buffer.copyBytes(from: head)
                given += head.count
                return head.count
            }
            let count = min(left, buffer.count)
            for index in 0..<count { unsafe buffer[index] = UInt8(ascii: "x") }
            left -= count
            given += count
            return count
        }
    }

    @Test func aRecordWithoutEndIsNotKeptToInferColumns() throws {
        // Columns are found from the records before it. The long record is only kept until it is known to be too long.
        let flood = Flood("{\"a\":1}\n{\"a\":2}\n", 8 << 20)
        let source = ReplayableSource(flood, recordingLimit: 1 << 20)
        var splitter = RecordSplitter(source: source, format: .lines, maximumRecordSize: 512 << 10)
        var errors: [JSONError.Kind] = []
        for _ in 0..<10 {
            do throws(JSONError) { if try splitter.next() == nil { break } } catch { errors.append(error.kind) }
        }
        #expect(errors == [.sizeLimit])
        #expect(flood.given <= (1 << 20) + (256 << 10))

        let report = try Loader(.sqlite).load(Flood("{\"a\":1}\n{\"a\":2}\n", 8 << 20)) {
            $0.maximumRecordSize = 512 << 10
            $0.maximumSampleSize = 64 << 10
        }
        #expect(report.stored == 2)
        #expect(report.rejected == 1)
        #expect(report.rejections[0].reason.contains("found one of \(8 << 20) bytes"))
    }
}
#endif
