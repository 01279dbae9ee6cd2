// A part of a file, for several processes or machines that share the work.

package import SluiceCompression
public import SluiceCore
internal import SluiceSystem

extension JSONFeed {
    /// Reads the lines of a file that belong to a range of its bytes. Ranges that together cover a file without overlap read each of its
    /// records exactly once, wherever they are cut.
    ///
    /// ```swift
    /// let first = try JSONFeed<Book>(path: "books.ndjson", range: 0..<half)
    /// let rest = try JSONFeed<Book>(path: "books.ndjson", range: half...)
    /// ```
    ///
    /// The rule is Hadoop's. Let f(b) be the offset after the first line feed at or after byte b, and f(0) = 0: then a range owns the
    /// bytes from f(start) up to f(end). Offsets in errors and ranges count from the start of the file, lines from the start of the
    /// range. With ``Options/hasHeader``, each range takes the names from the first record of the file.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if the file cannot be opened or is not a regular file; if it is compressed, unless the
    ///   range covers all of it; or if it does not consist of lines, by the options or by its first bytes. Also the error of the first
    ///   record, if the names are needed and it does not have them.
    public convenience init(
        path: String, range: some RangeExpression<Int>, options: Options = Options()
    ) throws(JSONError) {
        let bounds = range.relative(to: 0..<Int.max).clamped(to: 0..<Int.max)
        // A FIFO is refused below, so opening it must not wait for its writer.
        try self.init(file: OpenFile(path: path, waitsForWriter: false), range: bounds, options: options)
    }

    package convenience init(file: OpenFile, range bounds: Range<Int>, options: Options) throws(JSONError) {
        guard let source = try FileRange(file, bounds, options.format, options.compression) else {
            self.init(file: file, source: file.source, options: options)
            return
        }
        var options = options
        options.format = .lines
        options.compression = .none
        let names = try Self.names(before: source, in: file, options)
        self.init(file: file, source: source, options: options, startingAt: source.startPosition)
        if let names { unsafe splitter.header?.names = names }
    }

    /// The names in the first record of a file; nil if they are not needed, or if that record is in the range itself.
    private static func names(
        before range: FileRange, in file: OpenFile, _ options: Options
    ) throws(JSONError) -> [String]? {
        guard options.hasHeader, let start = range.startPosition else { return nil }
        var source = file.source
        _ = try source.seek(to: 0)
        var splitter = RecordSplitter(
            source: source, format: .lines, hasHeader: true, maximumRecordSize: options.maximumRecordSize)
        if options.hidesRecords { splitter.hideText() }
        let position = try splitter.readHeader()
        _ = try source.seek(to: start.offset)
        return position.flatMap { $0.offset < start.offset ? splitter.header?.names : nil }
    }
}

/// The bytes of a file that belong to a range. They are lines, and not compressed.
package struct FileRange: BufferSource {
    private var source: FileSource
    /// The offset in the file of the first byte to read.
    private let start: Int
    private let end: Int
    /// The offset to continue from, if the range ends before it: only the text up to there is read, to be compared.
    private let lastOffset: Int?
    private var offset: Int
    private var isOver: Bool

    package var name: String { source.name }

    /// The offset of the first byte to read, as line 1; nil at the start of the file.
    package var startPosition: SourcePosition? { start == 0 ? nil : SourcePosition(offset: start, line: 1, column: 1) }

    /// A range of a file; nil if the file is compressed and the range covers all of it.
    ///
    /// - Parameters:
    ///   - format: The layout of the feed.
    ///   - resumption: The offset in the file to continue from, if that is not the start of the range.
    /// - Throws: `JSONError` of kind `inputOutput` if the file is not a regular file, if it is compressed and the range covers only a part
    ///   of it, or if the layout is another one than lines.
    package init?(
        _ file: OpenFile, _ bounds: Range<Int>, _ format: JSONFeedFormat, _ compression: JSONCompression,
        from resumption: Int? = nil
    ) throws(JSONError) {
        let refusal = "cannot read a range of \(file.path): "
        guard let size = file.size else { throw .inputOutput(refusal + "it is not a regular file") }
        let found = try file.compression(compression)
        if found != .none {
            guard bounds.lowerBound == 0, bounds.upperBound >= size else {
                throw .inputOutput(refusal + "it is compressed with \(found)")
            }
            return nil
        }
        let layout = try format == .automatic ? Self.layout(of: file) : format
        guard layout == .lines else {
            let found = ", and its first bytes show the format \(layout); ask for the format lines if that is wrong"
            throw .inputOutput(refusal + "that needs a feed of lines" + (format == .automatic ? found : ""))
        }
        source = file.source
        end = bounds.upperBound
        let first = try bounds.lowerBound == 0 ? 0 : Self.lineStart(after: bounds.lowerBound, in: file)
        // Reading continues shortly before the offset, because the text there is compared.
        start = resumption.map { max($0 - TailDigest.reach, first) } ?? first
        offset = start
        lastOffset = resumption.flatMap { $0 > bounds.upperBound ? $0 : nil }
        isOver = start >= lastOffset ?? .max || lastOffset == nil && start > end || end == 0
        guard lseek(file.descriptor, off_t(start), SEEK_SET) == off_t(start) else { throw .inputOutput("read", file.path, errno) }
    }

    /// The layout that the beginning of a file shows.
    private static func layout(of file: OpenFile) throws(JSONError) -> JSONFeedFormat {
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else { throw .inputOutput("read", file.path, errno) }
        var splitter = RecordSplitter(source: file.source)
        _ = try splitter.begins()
        return splitter.detectedFormat
    }

    /// The offset after the first line feed at or after `offset`, or the end of the file.
    private static func lineStart(after offset: Int, in file: OpenFile) throws(JSONError) -> Int {
        guard lseek(file.descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw .inputOutput("read", file.path, errno)
        }
        var source = file.source
        var offset = offset
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = try unsafe source.read(into: buffer)
            if count == 0 { return offset }
            if let index = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).firstLineBreak { return offset + index + 1 }
            offset += count
        }
    }

    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        if isOver { return 0 }
        var count = try unsafe source.read(into: buffer)
        if let lastOffset {
            count = min(count, lastOffset - offset)
            offset += count
            isOver = offset == lastOffset
            return count
        }
        // The line that contains byte `end` still belongs to the range.
        let searched = min(max(end - offset, 0), count)
        if let index = unsafe UnsafeRawBufferPointer(rebasing: buffer[searched..<count]).firstLineBreak {
            count = searched + index + 1
            isOver = true
        }
        offset += count
        return count
    }
}
