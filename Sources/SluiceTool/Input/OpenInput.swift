// An input is opened at its beginning, at the start of a range, or behind the last record that an earlier run has stored.

#if CommandLine
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// An input that is open, and cut into records.
final class OpenInput {
    let name: String
    let identity: String?
    let source: ReplayableSource
    /// Bytes of the whole input, where that is known.
    let totalBytes: Int?
    private let input: CommandInput
    /// The text of the input; shares its state with the source that is read.
    private let text: DecompressingSource
    private let reading: FeedReading
    /// Where the input is taken up; nil at its beginning.
    private let checkpoint: JSONCheckpoint?
    /// Bytes of text before the first one of the source.
    private let textOffset: Int
    /// Where a range of the input begins.
    private let rangeStart: SourcePosition?

    /// - Parameters:
    ///   - checkpoint: Where an earlier run ended; the input then begins there.
    ///   - recordingLimit: Bytes that are kept to be read again, at the most.
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    init(
        _ input: IngestInput, _ reading: FeedReading, from checkpoint: JSONCheckpoint? = nil, recordingLimit: Int = 0,
        interruption: Interruption
    ) throws(JSONError) {
        name = input.name
        identity = input.identity(of: reading)
        self.reading = reading
        self.input = try CommandInput(input, interruption: interruption)
        totalBytes = self.input.size
        // Before the first record there is only the beginning.
        self.checkpoint = checkpoint.flatMap { $0.recordIndex > 0 ? $0 : nil }
        let file = self.input.file
        // A regular file never waits, so a signal may be noticed between two records.
        var source = totalBytes == nil ? self.input.source : file?.source ?? self.input.source
        var start = CompressionBoundary.start
        var rangeStart: SourcePosition?
        if let bounds = reading.range {
            guard let file else { throw .inputOutput("cannot read a range of \(input.name): it is not a regular file") }
            let range = try FileRange(file, bounds, reading.format, reading.compression, from: self.checkpoint?.offset)
            if let range {
                source = range
                rangeStart = range.startPosition
                let offset = rangeStart?.offset ?? 0
                start = CompressionBoundary(inputOffset: offset, textOffset: offset)
            }
        } else if let checkpoint = self.checkpoint, let place = try file?.seek(to: checkpoint) {
            start = place
        }
        self.rangeStart = rangeStart
        textOffset = start.textOffset
        text = DecompressingSource(source, compression: reading.compression, startingAt: start)
        self.source = ReplayableSource(text, recordingLimit: recordingLimit)
    }

    /// The records of the input, from its checkpoint on.
    ///
    /// - Throws: ``JSONError`` of kind `unusableCheckpoint` if the input is not the one that was read.
    func splitter(
        maximumRecordSize: Int, envelopeReading: JSONReader.Options = .init()
    ) throws(JSONError) -> RecordSplitter {
        var splitter = RecordSplitter(
            source: source, format: reading.range == nil ? reading.format : .lines, at: reading.path,
            hasHeader: reading.hasHeader, maximumRecordSize: maximumRecordSize, envelopeReading: envelopeReading)
        if let checkpoint {
            try splitter.resume(from: checkpoint, totalBytes: totalBytes, sourceBeginsAt: textOffset)
        } else if let rangeStart {
            splitter.start(at: rangeStart)
        }
        return splitter
    }

    /// Bytes of text that the source has given, without those before the checkpoint.
    var newBytes: Int { source.count - ((checkpoint?.offset ?? textOffset) - textOffset) }

    /// How the input is compressed.
    var isCompressed: Bool { text.compression == .gzip || text.compression == .zstd }

    /// Bytes of the file that have been read, when the text has been read up to a place.
    func bytesRead(at position: SourcePosition) -> Int { isCompressed ? text.inputOffset : position.offset }

    /// The checkpoint of a place in the input.
    func checkpoint(of place: FeedPlace) -> JSONCheckpoint {
        var checkpoint = place.checkpoint(totalBytes: totalBytes)
        if isCompressed {
            let member = text.boundary(before: checkpoint.offset)
            checkpoint.memberOffset = member.inputOffset
            checkpoint.memberTextOffset = member.textOffset
        }
        return checkpoint
    }

    /// Whether the input is the one that a checkpoint was made of, as far as that can be told from its beginning and size.
    ///
    /// - Throws: ``JSONError`` of kind `unusableCheckpoint` if it is another one; of kind `inputOutput`.
    func compare(with checkpoint: JSONCheckpoint) throws(JSONError) {
        var splitter = RecordSplitter(
            source: source, format: reading.format, at: reading.path, hasHeader: reading.hasHeader, readSize: 4 << 10)
        try splitter.compare(with: checkpoint, totalBytes: totalBytes)
    }
}

extension StoredCheckpoint {
    /// What is left to be read of an input.
    enum Rest: Hashable {
        case all
        case nothing
        case behind(StoredCheckpoint)
    }

    /// What is left of the input that was read up to here.
    ///
    /// - Throws: ``CommandError`` if it is no longer the same input, ``JSONError`` if it cannot be opened.
    func rest(of input: IngestInput, _ reading: FeedReading, _ interruption: Interruption) throws -> Rest {
        let opened = try OpenInput(input, reading, interruption: interruption)
        guard let size = opened.totalBytes else { return .all }
        do throws(JSONError) {
            try opened.compare(with: feed)
        } catch {
            guard error.kind == .unusableCheckpoint else { throw error }
            throw CommandError.input(
                "\(input.name) is not the input of which \(counted(feed.recordIndex, "record")) were read into the table: "
                    + "expected \(error.expected), found \(error.found); --restart reads it from its start, as another input")
        }
        return isComplete && size == feed.feedSize ? .nothing : .behind(self)
    }
}
#endif
