// What a checkpoint is made of: the splitter's state after a record, and the values that all checkpoints of a feed share.

internal import SluiceCore

/// A splitter's state right after a record.
package struct Mark: Sendable {
    var position = SourcePosition.start
    var recordCount = 0
    var standing = JSONCheckpoint.Standing()
    /// The key that the last record has in the object around it, as it is written; nil unless records are made with their keys.
    var key: [UInt8]?
    /// The digest of the text before the position; nil until it is asked for.
    var tail: TailDigest?
}

/// The values that all checkpoints of one feed share.
struct FeedOrigin: Sendable {
    var path = ""
    var header: JSONCheckpoint.Header?
    /// The first bytes of the feed.
    var head: [UInt8] = []
    /// The number and hash of the first bytes, from the checkpoint: set if reading continued after them, so that `head` lacks them.
    var resumed: (size: Int, hash: UInt64)?

    func checkpoint(_ mark: Mark, format: JSONFeedFormat, totalBytes: Int?) -> JSONCheckpoint {
        let known = head.prefix(mark.position.offset)
        let fingerprint = resumed ?? (known.count, RecordSplitter.hash(known))
        return JSONCheckpoint(
            offset: mark.position.offset, line: mark.position.line, column: mark.position.column, recordIndex: mark.recordCount,
            format: format, path: path, standing: mark.standing,
            header: mark.key.map { JSONCheckpoint.Header(names: [String(decoding: $0, as: UTF8.self)]) } ?? header,
            feedSize: totalBytes,
            headSize: fingerprint.size, headHash: fingerprint.hash, tail: mark.tail)
    }
}
