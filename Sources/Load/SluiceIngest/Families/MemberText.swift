// The text of a file of a family while it is read: digests are taken of it on the way, so that no byte is read twice for them.

package import SluiceCore
package import SluiceFeed

/// The text of a member, up to the last line that is complete.
package final class MemberText: BufferSource {
    private var source: any ByteSource
    package let name: String
    /// The offset in the text at which it ends for this run; nil for the end of the file.
    private let end: Int?
    /// The offset in the text of the next byte.
    private var position: Int
    private var isAtEnd = false
    /// Whether the last byte was no line break.
    private var endsInLine = false
    /// The first bytes that were read, and where.
    private var first: (offset: Int, bytes: [UInt8])
    /// The digest so far, which may begin after ``position``.
    private var digest: ContentDigest
    private var beginning: [UInt8]
    /// The digests that were taken; the newest is last.
    private var taken: [ContentDigest] = []
    /// The digest with which reading began, and those before it.
    private let start: ContentDigest
    private let earlier: [ContentEvidence.Mark]
    private let key: ContentDigest.Key
    /// One thread reads while another one stores a checkpoint.
    private let lock = Lock()

    /// - Parameters:
    ///   - source: The text, beginning at `position`.
    ///   - evidence: What is known of the text before, or the key of the digests.
    package init(
        _ source: any ByteSource, from position: Int, to end: Int?, after evidence: ContentEvidence?, key: ContentDigest.Key
    ) {
        self.source = source
        name = source.name
        self.end = end
        self.position = position
        first = (position, [])
        self.key = key
        start = evidence?.last ?? ContentDigest(key)
        digest = start
        beginning = evidence?.beginning ?? []
        earlier = evidence?.marks ?? []
    }

    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        let room = min(buffer.count, end.map { max($0 - position, 0) } ?? .max)
        let count = room == 0 ? 0 : unsafe try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
        lock.withLock {
            unsafe pass(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if count == 0, unsafe !buffer.isEmpty { isAtEnd = true }
            if count == 0, (taken.last ?? start).count != digest.count { taken.append(digest) }
        }
        return count
    }

    /// Takes the digests of the next bytes.
    private func pass(_ bytes: UnsafeRawBufferPointer) {
        // Reading begins before the position of the checkpoint, and perhaps before the last digest.
        var index = min(max(digest.count - position, 0), bytes.count)
        position += bytes.count
        if let last = unsafe bytes.last { endsInLine = last != UInt8(ascii: "\n") }
        if first.bytes.count < JSONCheckpoint.headSize {
            unsafe first.bytes.append(contentsOf: bytes.prefix(JSONCheckpoint.headSize - first.bytes.count))
        }
        while index < bytes.count {
            let next = MemberText.length(after: digest.count)
            let count = min(next - digest.count, bytes.count - index)
            unsafe digest.update(UnsafeRawBufferPointer(rebasing: bytes[index..<index + count]), beginning: &beginning)
            index += count
            guard digest.count == next else { continue }
            // Of the digests between the lengths that stay, those of the open batch are enough.
            if taken.count > 1_000 { taken.removeAll { $0.count < digest.count - 64 << 20 && !MemberText.stays($0.count) } }
            taken.append(digest)
        }
    }

    /// Between the lengths that double, so many bytes lie between two digests: a run that is killed has to read them again.
    private static let distance = 1 << 20

    /// The length of the next digest after some bytes.
    private static func length(after count: Int) -> Int {
        if count < ContentEvidence.shortest { return ContentEvidence.shortest }
        let doubled = 1 << (Int.bitWidth - count.leadingZeroBitCount)
        return min(doubled, (count / distance + 1) * distance)
    }

    /// Whether the digest of a length is kept for good.
    private static func stays(_ length: Int) -> Bool { length & (length - 1) == 0 }

    /// Whether the file is still the one that a look has found, and has the text that was read. A log that is truncated and written anew
    /// while it is read has other first bytes.
    package func isText(of file: OpenFile, _ member: LogMember) -> Bool {
        guard let stamp = FileStamp(path: member.file.path, descriptor: file.descriptor), stamp.isSameFile(as: member.file) else {
            return false
        }
        if member.isCompressed { return stamp.size == member.file.size }
        return lock.withLock {
            // A text that ends in a line, although a line break was seen there, is another one. And a last line that was taken for complete
            // must not have grown.
            let isTorn = isAtEnd && endsInLine && (!member.isEnded || stamp.size > position)
            return stamp.size >= position && !isTorn
                && (try? file.bytes(at: first.offset, most: first.bytes.count)) == first.bytes
        }
    }

    /// What is known of the text up to an offset; nil for all that has been read.
    package func evidence(upTo length: Int?, of member: LogMember) -> ContentEvidence {
        lock.withLock {
            let isWhole = length == nil
            // The last digest may be of blank lines after the position of the checkpoint.
            let length = max(length ?? position, start.count)
            let known = taken.filter { $0.count <= length }
            let last = known.last
            var marks = earlier.filter { MemberText.stays($0.length) || last == nil }
            for digest in known where MemberText.stays(digest.count) || digest.count == last?.count {
                marks.append(.init(length: digest.count, digest: digest.value))
            }
            marks.removeFirst(max(0, marks.count - ContentEvidence.mostMarks))
            let digest = last ?? start
            var evidence = ContentEvidence(
                key: key, marks: marks, last: digest, beginning: Array(beginning.prefix(digest.count)), length: length,
                file: member.file.absolute)
            evidence.isCompressed = member.isCompressed
            evidence.isEnded = isWhole && member.isEnded && endsInLine
            return evidence
        }
    }
}
