// A feed makes checkpoints, and continues from one.

package import SluiceCompression
public import SluiceCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

extension JSONFeed {
    /// The place after the record that ``next()`` returned or rejected last; at the end of the feed, its end. See
    /// ``JSONFeed/init(path:options:resumingFrom:)``.
    public var checkpoint: JSONCheckpoint {
        var checkpoint = unsafe parallel?.checkpoint(totalBytes: totalBytes) ?? splitter.checkpoint(totalBytes: totalBytes)
        checkpoint.schemaFingerprint = fingerprint
        if compression != .none, compression != .automatic {
            let boundary = boundary(before: checkpoint.offset)
            checkpoint.memberOffset = boundary.inputOffset
            checkpoint.memberTextOffset = boundary.textOffset
        }
        return checkpoint
    }

    /// Continues a feed after a checkpoint; nil reads from the beginning. The source must start at the feed's first byte: the bytes before
    /// the checkpoint are skipped.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the checkpoint is from another feed, another type of record or other options;
    ///   the source's error if it cannot be read.
    public convenience init(
        source: any ByteSource, totalBytes: Int? = nil, options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?
    ) throws(JSONError) {
        self.init(source: source, totalBytes: totalBytes, options: options)
        if let checkpoint { try resume(from: checkpoint) }
    }

    /// Continues a feed of pushed bytes after a checkpoint; nil reads from the beginning. The first byte that you push must be the one at
    /// the checkpoint's ``JSONCheckpoint/offset``, and the bytes must not be compressed.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the feed was read with another type of record or other options.
    public convenience init(options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?) throws(JSONError) {
        self.init(options: options)
        if let checkpoint { try resume(from: checkpoint) }
    }

    /// Continues a file after a checkpoint, with the very next record; nil reads from the beginning.
    ///
    /// - Throws: `JSONError`: of kind `inputOutput` if it cannot be opened; of kind `unusableCheckpoint` if the file has become
    ///   shorter, begins differently, or was read with another type of record or other options.
    public convenience init(
        path: String, options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?
    ) throws(JSONError) {
        let file = try OpenFile(path: path)
        // In a regular file we seek: to the place itself, or to the compressed member that holds it.
        guard let checkpoint, file.size != nil, let start = try file.seek(to: checkpoint) else {
            self.init(file: file, source: file.source, options: options)
            if let checkpoint { try resume(from: checkpoint) }
            return
        }
        self.init(file: file, source: file.source, options: options, behind: start)
        try resume(from: checkpoint, sourceBeginsAt: start.textOffset)
    }

    private func resume(from checkpoint: JSONCheckpoint, sourceBeginsAt base: Int = 0) throws(JSONError) {
        if let known = checkpoint.schemaFingerprint, known != fingerprint {
            throw JSONCheckpoint.unusable(
                "a checkpoint of records of the type \(Record.self)", "one of another or a changed type")
        }
        firstIndex = checkpoint.recordIndex
        try unsafe splitter.resume(from: checkpoint, totalBytes: totalBytes, sourceBeginsAt: base)
    }
}

extension OpenFile {
    /// Seeks to the place of a checkpoint, or to the compressed member that holds it. An uncompressed file must begin as it did at the
    /// checkpoint. Returns the place that was reached; nil if the file was not moved.
    package func seek(to checkpoint: JSONCheckpoint) throws(JSONError) -> CompressionBoundary? {
        let boundary: CompressionBoundary
        if let offset = checkpoint.memberOffset, let text = checkpoint.memberTextOffset {
            guard offset > 0, text > 0, text <= checkpoint.offset else { return nil }
            boundary = CompressionBoundary(inputOffset: offset, textOffset: text)
        } else {
            // The first bytes must be the same. If the place is within them, reading up to it costs nothing.
            guard checkpoint.headSize == FeedBuffer.headSize, checkpoint.offset > FeedBuffer.headSize else { return nil }
            var head = [UInt8](repeating: 0, count: FeedBuffer.headSize)
            let count = unsafe head.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, FeedBuffer.headSize, 0) }
            guard count == FeedBuffer.headSize, RecordSplitter.hash(head) == checkpoint.headHash else { return nil }
            boundary = CompressionBoundary(inputOffset: checkpoint.offset, textOffset: checkpoint.offset)
        }
        guard boundary.inputOffset <= size ?? 0 else { return nil }
        guard lseek(descriptor, off_t(boundary.inputOffset), SEEK_SET) == off_t(boundary.inputOffset) else {
            throw JSONError.inputOutput("read", path, errno)
        }
        return boundary
    }
}
