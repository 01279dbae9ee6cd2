import SluiceCore
import Testing

@testable import SluiceFeed

/// Memory does not depend on the length of a feed: the buffer is all that the splitter keeps.
@Suite struct FeedMemoryTests {
    /// Repeats a block until enough bytes have been given; nothing of it exists before it is asked for.
    private struct EndlessSource: BufferSource {
        let block: [UInt8]
        var left: Int
        var offset = 0

        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(left, block.count - offset, buffer.count)
            unsafe block.withUnsafeBytes {
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
            }
            left -= count
            offset = (offset + count) % block.count
            return count
        }
    }

    @Test(arguments: [(JSONFeedFormat.lines, 64 << 20), (.concatenated, 4 << 20)])
    func bufferStaysTheSizeOfOneRead(_ format: JSONFeedFormat, _ size: Int) throws {
        let record = "{\"id\":1,\"text\":\"" + String(repeating: "y", count: 1007) + "\"}"
        let block = Array((record + "\n").utf8)
        #expect(block.count == 1026)
        let count = size / block.count
        var splitter = RecordSplitter(source: EndlessSource(block: block, left: count * block.count), format: format)
        var records = 0
        while let next = try splitter.next() {
            records += 1
            let size = unsafe next.bytes.count
            if size != record.utf8.count { Issue.record("record \(records) has \(size) bytes") }
        }
        #expect(records == count)
        #expect(splitter.bufferSize == 256 << 10)
        #expect(splitter.position == SourcePosition(offset: count * block.count, line: count + 1, column: 1))
    }

    @Test func oversizedRecordIsNotKept() throws {
        // One line of 32 MB without an end, against a limit of 1 MiB.
        let source = EndlessSource(block: Array(repeating: UInt8(ascii: "x"), count: 4096), left: 32 << 20)
        var splitter = RecordSplitter(source: source, format: .lines, maximumRecordSize: 1 << 20)
        var errors: [JSONError.Kind] = []
        do throws(JSONError) {
            while try splitter.next() != nil { Issue.record("there is no record") }
        } catch {
            errors.append(error.kind)
        }
        #expect(errors == [.sizeLimit])
        #expect(try splitter.next() == nil)
        #expect(splitter.bufferSize <= 4 << 20)
    }
}
