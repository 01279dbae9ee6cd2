// A part of a file, for several processes or machines that share the work.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import SluiceCompression
public import SluiceCore

extension JSONFeed {
    /// Reads the lines of a file that belong to a range of its bytes. Ranges that cover a file give each of its records exactly once,
    /// wherever they are cut.
    ///
    /// ```swift
    /// let first = try JSONFeed<Book>(path: "books.ndjson", range: 0..<half)
    /// let rest = try JSONFeed<Book>(path: "books.ndjson", range: half...)
    /// ```
    ///
    /// The rule is Hadoop's: where f(b) is the place behind the first line feed at or behind byte b, and f(0) is 0, a range owns the
    /// bytes from f(start) up to f(end). Offsets in errors and ranges count from the start of the file, lines from the start of the
    /// range.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if the file cannot be opened, is not a regular one, is compressed, or if the
    ///   options ask for another layout than lines.
    public convenience init(
        path: String, range: some RangeExpression<Int>, options: Options = Options()
    ) throws(JSONError) {
        let bounds = range.relative(to: 0..<Int.max).clamped(to: 0..<Int.max)
        let file = try OpenFile(path: path)
        guard let size = file.size else { throw .inputOutput("cannot read a range of \(path): it is not a regular file") }
        var options = options
        let found = try file.compression(options.compression)
        if found != .none {
            guard bounds.lowerBound == 0, bounds.upperBound >= size else {
                throw .inputOutput("cannot read a range of \(path): it is compressed with \(found)")
            }
            self.init(file: file, source: file.source, options: options)
            return
        }
        guard options.format == .automatic || options.format == .lines else {
            throw .inputOutput("cannot read a range of \(path): that needs a feed of lines")
        }
        options.format = .lines
        options.compression = .none
        let source = try RangeSource(file, path, bounds)
        let isWhole = source.start == 0
        self.init(
            file: file, source: source, options: options,
            startingAt: isWhole ? nil : SourcePosition(offset: source.start, line: 1, column: 1))
    }
}

/// The bytes of a file that belong to a range.
private struct RangeSource: ByteSource {
    private var source: FileSource
    /// Where the first byte stands that belongs to it.
    let start: Int
    private let end: Int
    private var offset: Int
    private var isOver: Bool

    var name: String { source.name }

    init(_ file: OpenFile, _ path: String, _ bounds: Range<Int>) throws(JSONError) {
        source = file.source
        end = bounds.upperBound
        start = try bounds.lowerBound == 0 ? 0 : Self.lineStart(behind: bounds.lowerBound, in: file, path)
        offset = start
        isOver = start > end || end == 0
        guard lseek(file.descriptor, off_t(start), SEEK_SET) == off_t(start) else { throw .inputOutput("read", path, errno) }
    }

    /// The place behind the first line feed at or behind a place, or the end of the file.
    private static func lineStart(behind place: Int, in file: OpenFile, _ path: String) throws(JSONError) -> Int {
        guard lseek(file.descriptor, off_t(place), SEEK_SET) == off_t(place) else { throw .inputOutput("read", path, errno) }
        var source = file.source
        var offset = place
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = try unsafe source.readChecked(into: buffer)
            if count == 0 { return offset }
            if let index = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).firstLineBreak { return offset + index + 1 }
            offset += count
        }
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        if isOver { return 0 }
        var count = try unsafe source.readChecked(into: buffer)
        // The line that the end stands in still belongs to the range.
        let searched = min(max(end - offset, 0), count)
        if let index = unsafe UnsafeRawBufferPointer(rebasing: buffer[searched..<count]).firstLineBreak {
            count = searched + index + 1
            isOver = true
        }
        offset += count
        return count
    }
}

extension OpenFile {
    /// How the file is compressed, if that is to be found out.
    fileprivate func compression(_ choice: JSONCompression) throws(JSONError) -> JSONCompression {
        guard choice == .automatic else { return choice }
        var first = [UInt8](repeating: 0, count: 4)
        let count = unsafe first.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, 4, 0) }
        return JSONCompression.detect(Array(first.prefix(max(count, 0))), isWhole: true) ?? .none
    }
}
