// A file of a family, of which a run reads what earlier runs have not.

internal import SluiceCompression
package import SluiceCore
package import SluiceFeed

/// A file of a family, and how much of it is to be read.
package struct LogMember: Sendable {
    /// The file as the look found it; its path names it in reports.
    package let file: FileStamp
    /// The path to open: another one than the file's name, if the file has none any more.
    package var openPath: String
    /// The identity of the input that its text is.
    package let identity: String
    /// How far the input has been read; nil if it is new.
    @Apart package var checkpoint: StoredCheckpoint?
    /// Where in the text to stop: after the last line break, or at the end of a file to which nothing is added. Nil for the end of the file.
    package let end: Int?
    package let isCompressed: Bool
    /// Whether the last line is complete without a line break.
    package let isEnded: Bool
    /// Makes the digests of the text.
    package let key: ContentDigest.Key

    /// What is left to read.
    package var rest: StoredCheckpoint.Rest { checkpoint.map { .after($0) } ?? .all }

    /// Opens the text, and returns the offset in the text at which it begins: 0, or shortly before the checkpoint.
    ///
    /// - Parameter resumes: Whether reading goes on after the checkpoint.
    package func open(_ file: OpenFile, resumes: Bool) throws(JSONError) -> (text: MemberText, offset: Int) {
        let evidence = checkpoint?.evidence
        var start = 0
        // A compressed text is read from its beginning. So is a short one, whose head may have been too short to know it by.
        if resumes, !isCompressed, let feed = checkpoint?.feed, feed.offset > LogMember.shortText {
            start = min(feed.offset - TailDigest.reach, evidence?.last.count ?? 0)
        }
        var source: any ByteSource = file.source
        if isCompressed {
            source = DecompressingSource(source)
        } else {
            // On macOS, a file that is opened by the number of its descriptor shares its position.
            var seekable = file.source
            _ = try seekable.seek(to: start)
            source = seekable
        }
        return (MemberText(source, from: start, to: end, after: evidence, key: key), start)
    }

    private static let shortText = 64 << 10
}
