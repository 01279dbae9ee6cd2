// A feed says where it stands, and goes on from there.

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
    /// The place behind the record that ``next()`` gave out or rejected last; at the end of the feed, that end. See
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

    /// Reads from a source, which begins at the beginning of the feed, from a checkpoint on; nil begins at the beginning.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the feed is another one, or was read with another type of record.
    public convenience init(
        source: any ByteSource, totalBytes: Int? = nil, options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?
    ) throws(JSONError) {
        self.init(source: source, totalBytes: totalBytes, options: options)
        if let checkpoint { try resume(from: checkpoint) }
    }

    /// Reads bytes that are pushed from a checkpoint on: the first one is that at the checkpoint's ``JSONCheckpoint/offset``, and they
    /// are not compressed. Nil begins at the beginning.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the feed was read with another type of record or other options.
    public convenience init(options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?) throws(JSONError) {
        self.init(options: options)
        if let checkpoint { try resume(from: checkpoint) }
    }

    /// Reads a file from a checkpoint on, with the very next record; nil begins at the beginning.
    ///
    /// - Throws: `JSONError`: of kind `inputOutput` if it cannot be opened; of kind `unusableCheckpoint` if the file has become
    ///   shorter, begins differently, or was read with another type of record or other options.
    public convenience init(
        path: String, options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint?
    ) throws(JSONError) {
        let file = try OpenFile(path: path)
        // A regular file goes to the place at once: to the place itself, or to the compressed member that holds it.
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
    /// Goes to the place of a checkpoint, if the file begins as the checkpoint says; where it stands then, or nil if it has not moved.
    package func seek(to checkpoint: JSONCheckpoint) throws(JSONError) -> CompressionBoundary? {
        let boundary: CompressionBoundary
        if let offset = checkpoint.memberOffset, let text = checkpoint.memberTextOffset {
            guard offset > 0, text > 0, text <= checkpoint.offset else { return nil }
            boundary = CompressionBoundary(inputOffset: offset, textOffset: text)
        } else {
            // The first bytes must be the same; where they are few, reading up to the place costs nothing.
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
