// Reads a long feed that nothing holds as a whole, and prints how much memory the process has taken at most:
// FeedMemory LAYOUT COMPRESSION WORKERS MEGABYTES. Scripts/feed-memory runs it.

import SluiceCompression
import SluiceCore
import SluiceFeed

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Gives the same block again and again, between what opens and what closes the feed.
struct RepeatedBlock: ByteSource {
    let name = "the generated feed"
    private let opening: [UInt8]
    private let block: [UInt8]
    private let closing: [UInt8]
    private let count: Int
    private var given = 0
    private var piece: [UInt8]
    private var offset = 0

    init(_ opening: [UInt8], _ block: [UInt8], _ closing: [UInt8], count: Int) {
        self.opening = opening
        self.block = block
        self.closing = closing
        self.count = count
        piece = opening
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while offset == piece.count {
            if given > count { return 0 }
            given += 1
            piece = given > count ? closing : block
            offset = 0
        }
        let size = min(piece.count - offset, buffer.count)
        unsafe buffer.copyBytes(from: piece[offset..<(offset + size)])
        offset += size
        return size
    }
}

func fail(_ message: String) -> Never {
    print(message)
    exit(1)
}

/// One member or frame of compressed data, or the text itself.
func compressed(_ text: String, _ compression: JSONCompression) throws -> [UInt8] {
    #if Compression
    let format: CompressionFormat? = compression == .gzip ? .gzip : compression == .zstd ? .zstd : nil
    if let format {
        var sink = try CompressingSink(to: [UInt8](), format: format)
        let bytes = Array(text.utf8)
        try unsafe bytes.withUnsafeBytes { try unsafe sink.write($0) }
        try sink.finish()
        return sink.sink
    }
    #endif
    if compression != .none { fail("SKIPPED: the trait Compression is off") }
    return Array(text.utf8)
}

let layouts = [
    "lines": ("", "\n", "", nil as JSONRecordPath?), "array": ("[", ",\n", "null]", nil),
    "path": ("{\"page\":{\"size\":1},\"data\":{\"items\":[", ",", "null]}}", "data.items"),
]
let arguments = CommandLine.arguments
guard arguments.count == 5, let layout = layouts[arguments[1]], let compression = JSONCompression(rawValue: arguments[2]),
    let workers = Int(arguments[3]), let megabytes = Int(arguments[4])
else { fail("usage: FeedMemory lines|array|path none|gzip|zstd WORKERS MEGABYTES") }

let records = (0..<1000).map { number in
    "{\"id\":\(number),\"user\":{\"name\":\"name \(number % 17)\",\"tags\":[\"a\",\"b\"]},\"text\":\"\(String(repeating: "x", count: number % 600))\"}"
}
let block = records.map { $0 + layout.1 }.joined()
let count = megabytes * 1_000_000 / block.utf8.count
let source = RepeatedBlock(
    try compressed(layout.0, compression), try compressed(block, compression), try compressed(layout.2, compression), count: count
)
let feed = JSONFeed<JSONValue>(source: source, options: .init(at: layout.3))
if workers > 0 { try feed.parallel(workers: workers) }
while try feed.next() != nil {}
let expected = count * records.count + (layout.2.isEmpty ? 0 : 1)
if feed.acceptedCount != expected { fail("\(feed.acceptedCount) records, not \(expected)") }

var usage = rusage()
#if canImport(Darwin)
unsafe getrusage(RUSAGE_SELF, &usage)
let peak = usage.ru_maxrss
#else
unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
let peak = usage.ru_maxrss * 1024
#endif
print(peak)
