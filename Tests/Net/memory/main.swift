// Reads a long feed that nothing holds as a whole, and prints how much memory the process has taken at most:
// FeedMemory LAYOUT COMPRESSION WORKERS MEGABYTES. Or ingests a file, as the tool does: FeedMemory ingest LAYOUT WORKERS COLUMNS MEGABYTES.
// Scripts/net memory runs both.

import SluiceCompression
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTool

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Gives the same block again and again, between what opens and what closes the feed.
struct RepeatedBlock: BufferSource {
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

    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
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
/// The most memory that the process has taken, in bytes.
func peak() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
    unsafe getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
    #else
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
    #endif
}

/// Writes a file of records with `columns` keys, at most 100 of them in each record, and ingests it.
func ingest(_ layout: (String, String, String, JSONRecordPath?), workers: String, columns: Int, megabytes: Int) throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let path = "\(folder)/sluice-memory-\(getpid())"
    defer { for suffix in [".json", ".db", ".db-wal", ".db-shm"] { unsafe unlink(path + suffix) } }
    guard let file = unsafe fopen(path + ".json", "w") else { fail("cannot write \(path).json") }
    unsafe fputs(layout.0, file)
    var record = 0
    var size = 0
    while size < megabytes * 1_000_000 {
        let keys = (0..<min(columns - 1, 100)).map { index in
            let column = (record * 100 + index) % (columns - 1)
            return "\"c\(column)\":" + (column % 2 == 0 ? "\(record &* column)" : "\"text \(record) of \(column)\"")
        }
        let text = "{\"id\":\(record),\(keys.joined(separator: ","))}" + layout.1
        unsafe fputs(text, file)
        size += text.utf8.count
        record += 1
    }
    unsafe fputs(layout.2.replacing("null", with: "{\"id\":-1}"), file)
    unsafe fclose(file)
    let at = layout.3.map { ["--at", $0.description] } ?? []
    runSluice(["ingest", "--quiet", "--workers", workers, path + ".json", path + ".db"] + at)
}

let arguments = CommandLine.arguments
if arguments.count == 6, arguments[1] == "ingest", let layout = layouts[arguments[2]], let columns = Int(arguments[4]),
    let megabytes = Int(arguments[5])
{
    try ingest(layout, workers: arguments[3], columns: columns, megabytes: megabytes)
    print(peak())
    exit(0)
}
guard arguments.count == 5, let layout = layouts[arguments[1]], let compression = JSONCompression(rawValue: arguments[2]),
    let workers = Int(arguments[3]), let megabytes = Int(arguments[4])
else { fail("usage: FeedMemory lines|array|path none|gzip|zstd WORKERS MEGABYTES, or ingest LAYOUT WORKERS COLUMNS MEGABYTES") }

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
print(peak())
