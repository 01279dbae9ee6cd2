// A feed makes checkpoints, and continues from one.

internal import SluiceCompression
public import SluiceCore

extension JSONFeed {
    /// The position after the record that ``next()`` returned or rejected last; at the end of the feed, its end. See
    /// ``JSONFeed/init(path:options:resumingFrom:)``.
    public var checkpoint: JSONCheckpoint {
        var checkpoint = unsafe parallel?.checkpoint(totalBytes: totalBytes) ?? splitter.checkpoint(totalBytes: totalBytes)
        checkpoint.schemaFingerprint = fingerprint
        if compression != .none, compression != .automatic {
            checkpoint.note(member: member) { count in unsafe parallel?.tail(of: count) ?? splitter.tail(of: count) }
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

    /// Reads a file: from its beginning, or after a checkpoint with the very next record.
    ///
    /// After a checkpoint, the text at the file's beginning and just before the position must be that of the checkpoint. A compressed
    /// file may have been packed anew: it is then decompressed from its beginning.
    ///
    /// - Throws: `JSONError`: of kind `inputOutput` if it cannot be opened; of kind `unusableCheckpoint` if the file has become
    ///   shorter, has another text, or was read with another type of record or other options.
    public convenience init(
        path: String, options: Options = Options(), resumingFrom checkpoint: JSONCheckpoint? = nil
    ) throws(JSONError) {
        let file = try OpenFile(path: path)
        // In a regular file we seek: to shortly before the position, or to the compressed member that holds it.
        guard let checkpoint, let start = try file.seek(to: checkpoint, options.compression) else {
            self.init(file: file, source: file.source, options: options)
            if let checkpoint { try resume(from: checkpoint) } else { self.path = path }
            return
        }
        self.init(file: file, source: file.source, options: options, from: start)
        try resume(from: checkpoint, sourceBeginsAt: start.boundary.textOffset)
    }

    /// Continues after a checkpoint.
    ///
    /// - Parameter base: The offset in the feed's text of the first byte that the source gives.
    func resume(from checkpoint: JSONCheckpoint, sourceBeginsAt base: Int = 0) throws(JSONError) {
        if let known = checkpoint.schemaFingerprint, known != fingerprint {
            throw JSONCheckpoint.unusable(
                "a checkpoint of records of the type \(Record.self)", "one of another or a changed type")
        }
        firstIndex = checkpoint.recordIndex
        try unsafe splitter.resume(from: checkpoint, totalBytes: totalBytes, sourceBeginsAt: base)
    }
}
