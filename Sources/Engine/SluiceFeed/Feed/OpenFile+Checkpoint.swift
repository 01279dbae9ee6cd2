// A file is moved to the offset of a checkpoint, if its bytes show that it is still the file of that checkpoint. Otherwise it stays at its
// beginning, and its text is compared while it is read up to the offset.

package import SluiceCompression
package import SluiceCore
internal import SluiceSystem

/// A offset in a file from which reading can begin.
package struct FileStart {
    /// The offset in the file, and in its text.
    package let boundary: CompressionBoundary
    /// How the file is compressed.
    package let compression: JSONCompression
    /// The digest of the compressed bytes before the offset.
    let tail: TailDigest?

    /// The text of a source whose first byte is at this offset.
    package func text(of source: any ByteSource) -> DecompressingSource {
        // At the end of a file there are no bytes that show its compression.
        DecompressingSource(source, compression: compression, startingAt: boundary, after: tail)
    }
}

extension OpenFile {
    /// Moves a regular file to the offset of a checkpoint, or shortly before it, or to the compressed member that holds it.
    ///
    /// An uncompressed file must begin as it did at the checkpoint; the text before the offset is compared by the splitter. A compressed
    /// file must begin with the same text, have the same bytes before the member, and have a member there or its end.
    ///
    /// - Parameter choice: How the file is compressed.
    /// - Returns: The offset that was reached; nil if the file is at its beginning, from which it must be read.
    /// - Throws: `JSONError` of kind `inputOutput` if the file cannot be read.
    package func seek(to checkpoint: JSONCheckpoint, _ choice: JSONCompression) throws(JSONError) -> FileStart? {
        guard size != nil, let start = try offset(of: checkpoint, choice) else { return nil }
        try move(to: start.boundary.inputOffset)
        return start
    }

    private func offset(of checkpoint: JSONCheckpoint, _ choice: JSONCompression) throws(JSONError) -> FileStart? {
        guard let offset = checkpoint.memberOffset, let text = checkpoint.memberTextOffset else {
            // If the offset is within the first bytes, reading up to it costs nothing.
            guard checkpoint.headSize == FeedBuffer.headSize, checkpoint.offset > FeedBuffer.headSize,
                try hasBytes(before: checkpoint), try hasHead(of: checkpoint, bytes(at: 0, most: FeedBuffer.headSize))
            else { return nil }
            let offset = checkpoint.offset - TailDigest.reach
            return FileStart(
                boundary: CompressionBoundary(inputOffset: offset, textOffset: offset), compression: .none, tail: nil)
        }
        let compression = try compression(choice)
        guard offset > 0, text > 0, text <= checkpoint.offset, compression != .none, let tail = checkpoint.memberTail,
            try hasBytes(before: checkpoint)
        else { return nil }
        let first = try bytes(at: offset, most: 4)
        guard first.isEmpty || JSONCompression.detect(first, isWhole: true) == compression,
            try hasHead(of: checkpoint, firstText(checkpoint.headSize, compression))
        else { return nil }
        return FileStart(
            boundary: CompressionBoundary(inputOffset: offset, textOffset: text), compression: compression, tail: tail)
    }

    /// Whether the bytes before a checkpoint's offset, or in a compressed file before the member that holds it, are those of the
    /// checkpoint. True for a checkpoint of an earlier version, which has no digest.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if the file cannot be read.
    package func hasBytes(before checkpoint: JSONCheckpoint) throws(JSONError) -> Bool {
        let offset = checkpoint.memberOffset ?? checkpoint.offset
        guard 0...(size ?? 0) ~= offset else { return false }
        guard let tail = checkpoint.memberOffset == nil ? checkpoint.tail : checkpoint.memberTail else { return true }
        // A stored checkpoint may have been changed, so its numbers are not trusted.
        guard 0...offset ~= tail.size, tail.size <= TailDigest.reach else { return false }
        return try TailDigest(of: bytes(at: offset - tail.size, most: tail.size)) == tail
    }

    private func hasHead(of checkpoint: JSONCheckpoint, _ bytes: [UInt8]) -> Bool {
        bytes.count == checkpoint.headSize && RecordSplitter.hash(bytes) == checkpoint.headHash
    }

    /// The first bytes of the file's text.
    private func firstText(_ wanted: Int, _ compression: JSONCompression) throws(JSONError) -> [UInt8] {
        try move(to: 0)
        var buffer = FeedBuffer(size: min(wanted, FeedBuffer.headSize))
        var text: any ByteSource = DecompressingSource(source, compression: compression)
        while buffer.head.count < wanted, !buffer.isAtEnd {
            do throws(JSONError) {
                try buffer.fill(from: &text)
            } catch {
                break
            }
        }
        try move(to: 0)
        return Array(buffer.head.prefix(wanted))
    }

    private func move(to offset: Int) throws(JSONError) {
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else { throw .inputOutput("read", path, errno) }
    }

    /// How the file is compressed: `choice`, or if that is automatic, what the file's first bytes show.
    func compression(_ choice: JSONCompression) throws(JSONError) -> JSONCompression {
        choice == .automatic ? JSONCompression.detect(try bytes(at: 0, most: 4), isWhole: true) ?? .none : choice
    }

    /// The bytes at an offset; fewer at the end of the file.
    private func bytes(at offset: Int, most count: Int) throws(JSONError) -> [UInt8] {
        try FileBytes.read(descriptor, at: offset, most: count, name: path)
    }
}

extension TailDigest {
    init(of bytes: [UInt8]) { self = unsafe bytes.withUnsafeBytes { unsafe TailDigest(of: $0) } }
}
