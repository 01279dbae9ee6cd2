// Opens an input at its beginning, at the start of a range, or after the last record that an earlier run has stored.

internal import SluiceCompression
package import SluiceCore
package import SluiceFeed

/// An open input, to be cut into records.
package final class OpenInput {
    package let name: String
    package let identity: String?
    /// What the places of its records name; nil if it cannot be read again.
    package let origin: String?
    package let source: ReplayableSource
    /// The size of the whole input in bytes; nil if unknown.
    package let totalBytes: Int?
    private let input: CommandInput
    /// The decompressed text of the input; it shares its state with ``source``, which reads from it.
    private let text: DecompressingSource
    private let reading: FeedReading
    /// The checkpoint that the input continues from; nil if it is read from its beginning.
    private let checkpoint: JSONCheckpoint?
    /// How many bytes of text come before the first byte of ``source``.
    package let textOffset: Int
    /// The position at which a range of the input begins.
    private let rangeStart: SourcePosition?
    /// The file of a rotated log that this is, and its text.
    package let member: LogMember?
    private let memberText: MemberText?

    /// - Parameters:
    ///   - checkpoint: The position where an earlier run ended, and where the input now begins.
    ///   - recordingLimit: The most bytes to keep so that they can be read again.
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package init(
        _ input: IngestInput, _ reading: FeedReading, from checkpoint: JSONCheckpoint? = nil, recordingLimit: Int = 0,
        interruption: Interruption
    ) throws(JSONError) {
        name = input.name
        identity = input.identity(of: reading)
        origin = input.origin(of: reading)
        self.reading = reading
        self.input = try CommandInput(input, interruption: interruption)
        let member: LogMember? = if case .member(let member) = input { member } else { nil }
        self.member = member
        totalBytes = member?.end ?? self.input.size
        // A checkpoint before the first record is the beginning of the input.
        let resumed = checkpoint.flatMap { $0.recordIndex > 0 || member != nil && $0.offset > 0 ? $0 : nil }
        self.checkpoint = resumed
        let file = self.input.file
        // Reading a regular file never waits, so it is enough to look for signals between two records.
        let source = totalBytes == nil ? self.input.source : file?.source ?? self.input.source
        var range: FileRange?
        if let bounds = reading.range {
            guard let file else { throw .inputOutput("cannot read a range of \(input.name): it is not a regular file") }
            range = try FileRange(file, bounds, reading.format, reading.compression, from: self.checkpoint?.offset)
        }
        rangeStart = range?.startPosition
        let opened = try file.flatMap { file throws(JSONError) in try member?.open(file, resumes: resumed != nil) }
        memberText = opened?.text
        if let opened {
            textOffset = opened.offset
            text = DecompressingSource(
                opened.text, compression: .none,
                startingAt: CompressionBoundary(inputOffset: opened.offset, textOffset: opened.offset))
        } else if let range {
            let rangeOffset = rangeStart?.offset ?? 0
            textOffset = rangeOffset
            text = DecompressingSource(
                range, compression: .none, startingAt: CompressionBoundary(inputOffset: rangeOffset, textOffset: rangeOffset))
        } else if let checkpoint = self.checkpoint, let start = try file?.seek(to: checkpoint, reading.compression) {
            textOffset = start.boundary.textOffset
            text = start.text(of: source)
        } else {
            textOffset = 0
            text = DecompressingSource(source, compression: reading.compression)
        }
        self.source = ReplayableSource(text, recordingLimit: recordingLimit)
    }

    /// The records of the input, beginning at its checkpoint.
    ///
    /// - Throws: ``JSONError`` of kind `unusableCheckpoint` if the input is not the one that the checkpoint belongs to.
    package func splitter(
        maximumRecordSize: Int, envelopeReading: JSONReader.Options = .init()
    ) throws(JSONError) -> RecordSplitter {
        var splitter = RecordSplitter(
            source: source, format: reading.range == nil ? reading.format : .lines, at: reading.path,
            isPathOptional: reading.optional != .no, hasHeader: reading.hasHeader, wrapping: reading.wrapping,
            maximumRecordSize: maximumRecordSize,
            envelopeReading: envelopeReading)
        if reading.hidesText { splitter.hideText() }
        if let checkpoint {
            // The text of a rotated log may by now be in a compressed file, or in a copy that is shorter than the file was.
            let size = member == nil ? totalBytes : nil
            try splitter.resume(from: checkpoint, totalBytes: size, sourceBeginsAt: textOffset)
        } else if let rangeStart {
            splitter.start(at: rangeStart)
        }
        return splitter
    }

    /// Whether its first record may be a document around the records: nothing was said about the layout.
    package var mayBeEnvelope: Bool { reading.format == .automatic && reading.range == nil && !reading.makesObjects }

    /// Whether the name of the file says that each line is a record, as in `events.ndjson.gz`.
    package var hasNameOfLines: Bool { ["ndjson", "jsonl"].contains(FileEnding(of: name).form) }

    /// How many bytes of text have been read, without those before the checkpoint.
    package var newBytes: Int { source.count - ((checkpoint?.offset ?? textOffset) - textOffset) }

    /// Whether reading may have to wait for a writer.
    package var mayWait: Bool { input.mayWait }

    /// Whether there is something to read, or will be within some milliseconds.
    package func isReady(within milliseconds: Int) -> Bool { source.isReplaying || input.isReady(within: milliseconds) }

    /// Whether the input is compressed.
    package var isCompressed: Bool { text.compression == .gzip || text.compression == .zstd }

    /// How many bytes of the file have been read when its text has been read up to a position.
    package func bytesRead(at position: SourcePosition) -> Int { isCompressed ? text.inputOffset : position.offset }

    /// The checkpoint for a point in the input.
    ///
    /// - Parameter isComplete: Whether the input has been read to its end.
    package func checkpoint(of point: ResumePoint, isComplete: Bool) -> JSONCheckpoint {
        if member != nil { return point.checkpoint(totalBytes: nil) }
        // The file may have been shortened since it was opened; if it then grows back to its old size, there is more to read.
        let bytesRead = isComplete && reading.range == nil ? input.file?.offset : nil
        var checkpoint = point.checkpoint(totalBytes: bytesRead ?? totalBytes)
        if isCompressed { checkpoint.note(member: text.member, text: point.tail) }
        return checkpoint
    }

    /// What the checkpoint of a rotated log has besides; nil for other inputs.
    package func evidence(of point: ResumePoint, isComplete: Bool) -> ContentEvidence? {
        member.flatMap { memberText?.evidence(upTo: isComplete ? nil : point.position.offset, of: $0) }
    }

    /// Whether the file still is the one that a look has found, and has not been truncated since.
    package var isIntact: Bool {
        guard let member, let file = input.file else { return true }
        return memberText?.isText(of: file, member) ?? false
    }

    /// Reads the first bytes of the text; fewer if it has no more.
    package func firstBytes(_ count: Int) throws(JSONError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var end = 0
        while end < count {
            let read = try unsafe bytes.withUnsafeMutableBufferPointer { (room) throws(JSONError) in
                try unsafe source.fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[end...])))
            }
            if read == 0 { break }
            end += read
        }
        return Array(bytes[..<end])
    }

    /// Checks that the input is the one that a checkpoint was made for, as far as its beginning and size can tell. Returns whether the
    /// bytes before the checkpoint's position are the same, too.
    ///
    /// - Throws: ``JSONError`` of kind `unusableCheckpoint` if it is another input, or of kind `inputOutput`.
    package func compare(with checkpoint: JSONCheckpoint) throws(JSONError) -> Bool {
        var splitter = RecordSplitter(
            source: source, format: reading.format, at: reading.path, hasHeader: reading.hasHeader, wrapping: reading.wrapping,
            readSize: 4 << 10)
        try splitter.compare(with: checkpoint, totalBytes: totalBytes)
        return try input.file?.hasBytes(before: checkpoint) ?? false
    }
}
