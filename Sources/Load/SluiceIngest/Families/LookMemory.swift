// What one look at a family leaves for the next one: comparisons of files that have not changed since, and descriptors of files that may be
// deleted before they have been read.

internal import Foundation
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// What the looks of one process have found.
package final class LookMemory {
    /// A file, whatever it is called.
    private struct Place: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ file: FileStamp) { (device, inode) = (file.device, file.inode) }
    }

    private struct Found {
        let file: FileStamp
        let comparison: MemberComparison
        /// The inputs that it was compared with, and how much of them had been read.
        let lengths: [String: Int]
    }

    private var found: [Place: Found] = [:]
    /// Files that are kept open, by the family that they belong to.
    private var open: [Place: (family: Family, path: String, file: OpenFile)] = [:]
    /// The copies that a report has named.
    private var copies: Set<Place> = []
    /// The files of the last look that may grow.
    private var seen: [(family: Family, file: FileStamp)] = []
    /// When something will have changed without a change of a file, in nanoseconds since 1970: a file has settled, or is still missing.
    private(set) var nextLook: Int?

    package init() {}

    /// Begins a look.
    func begin() {
        seen = []
        nextLook = nil
    }

    func see(_ files: [FileStamp], of family: Family) { seen += files.map { (family, $0) } }

    /// Asks for another look.
    ///
    /// - Parameter time: In nanoseconds since 1970.
    func lookAgain(at time: Int) { nextLook = min(nextLook ?? .max, time) }

    // MARK: Comparisons

    /// What is known of a file without reading all of it.
    func comparison(of file: FileStamp, with known: [KnownInput]) -> MemberComparison? {
        let lengths = LookMemory.lengths(known)
        if let earlier = found[Place(file)], earlier.file.isUnchanged(since: file), earlier.lengths == lengths {
            return earlier.comparison
        }
        // What an earlier run has read, and nobody has changed since.
        for input in known {
            guard let evidence = input.evidence, evidence.file.isUnchanged(since: file) else { continue }
            let isWhole = evidence.isCompressed && input.checkpoint.isComplete
            guard !evidence.isCompressed || isWhole else { return nil }
            return MemberComparison(of: input, isCompressed: evidence.isCompressed, length: isWhole ? input.length : nil)
        }
        // What this process has read: if it has only grown, its beginning need not be read again.
        guard let earlier = found[Place(file)], file.size >= earlier.file.size, !earlier.comparison.isCompressed,
            let input = known.first(where: { earlier.comparison.relations[$0.identity] == .begins }),
            let open = try? OpenFile(path: openPath(of: file)), (try? open.hasText(of: input.checkpoint.feed)) == true
        else { return nil }
        let comparison = MemberComparison(of: input, isCompressed: false, length: nil)
        found[Place(file)] = Found(file: file, comparison: comparison, lengths: lengths)
        return comparison
    }

    func keep(_ comparison: MemberComparison, of file: FileStamp, _ known: [KnownInput]) {
        found[Place(file)] = Found(file: file, comparison: comparison, lengths: LookMemory.lengths(known))
    }

    private static func lengths(_ known: [KnownInput]) -> [String: Int] {
        Dictionary(known.map { ($0.identity, $0.length) }, uniquingKeysWith: { $1 })
    }

    /// Whether no earlier look of this process has named this copy.
    func isFirstCopy(_ file: FileStamp) -> Bool { copies.insert(Place(file)).inserted }

    // MARK: Text of files

    /// Whether two files that are not compressed have the same first bytes.
    func isEqual(_ one: FileStamp, to other: FileStamp, upTo length: Int) -> Bool {
        guard let one = try? OpenFile(path: openPath(of: one)), let other = try? OpenFile(path: openPath(of: other)) else {
            return false
        }
        var offset = 0
        while offset < length {
            let count = min(length - offset, LookMemory.blockSize)
            guard let first = try? one.bytes(at: offset, most: count), first.count == count,
                (try? other.bytes(at: offset, most: count)) == first
            else { return false }
            offset += count
        }
        return true
    }

    private static let blockSize = 64 << 10

    /// The offset after the last line break of a file; nil if there is none after an offset.
    func lastLineEnd(of file: FileStamp, after start: Int) -> Int? {
        guard let open = try? OpenFile(path: openPath(of: file)) else { return nil }
        var end = file.size
        while end > start {
            let count = min(end - start, LookMemory.blockSize)
            guard let bytes = try? open.bytes(at: end - count, most: count), bytes.count == count else { return nil }
            if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) { return end - count + index + 1 }
            end -= count
        }
        return nil
    }

    /// The offset after the first line break after an offset, or the end of the file; nil if it cannot be read.
    func lineEnd(of file: FileStamp, after start: Int) -> Int? {
        guard let open = try? OpenFile(path: openPath(of: file)) else { return nil }
        var offset = start
        while offset < file.size {
            guard let bytes = try? open.bytes(at: offset, most: min(file.size - offset, LookMemory.blockSize)), !bytes.isEmpty
            else { return nil }
            if let index = bytes.firstIndex(of: UInt8(ascii: "\n")) { return offset + index + 1 }
            offset += bytes.count
        }
        return file.size
    }

    // MARK: Open files

    /// The most files that are kept open.
    private static let mostOpen = 200

    /// Keeps the files of the last look open that changed last, so that they can be read to their end if they are deleted.
    func keepOpen() {
        let wanted = seen.sorted { $0.file.modified > $1.file.modified }.prefix(LookMemory.mostOpen)
        let places = Set(wanted.map { Place($0.file) })
        open = open.filter { places.contains($0.key) || isDeleted($0.key) }
        for (family, file) in wanted where open[Place(file)] == nil && open.count < LookMemory.mostOpen {
            guard let opened = try? OpenFile(path: file.path),
                let stamp = FileStamp(path: file.path, descriptor: opened.descriptor), stamp.isSameFile(as: file)
            else { continue }
            open[Place(file)] = (family, file.path, opened)
        }
        for (_, file) in wanted where open[Place(file)] != nil { open[Place(file)]?.path = file.path }
    }

    /// The files of a family that have been deleted, and are still open here.
    func deletedFiles(of family: Family) -> [FileStamp] {
        open.filter { $0.value.family == family && isDeleted($0.key) }.compactMap { _, entry in
            FileStamp(path: entry.path, descriptor: entry.file.descriptor)
        }
    }

    /// Whether a file is only open here, and has no name any more.
    func isDeleted(_ file: FileStamp) -> Bool { isDeleted(Place(file)) }

    private func isDeleted(_ place: Place) -> Bool { open[place].map { OpenFile.hasNoName($0.file.descriptor) } ?? false }

    /// Closes a deleted file of which all was read.
    func forget(_ file: FileStamp) { open[Place(file)] = nil }

    /// The path by which a file can be opened.
    func openPath(of file: FileStamp) -> String {
        guard let entry = open[Place(file)], isDeleted(file) else { return file.path }
        return "/dev/fd/\(entry.file.descriptor)"
    }
}

extension OpenFile {
    /// The bytes at an offset; fewer at the end of the file.
    func bytes(at offset: Int, most count: Int) throws(JSONError) -> [UInt8] {
        try FileBytes.read(descriptor, at: offset, most: count, name: "the file")
    }

    /// Whether an uncompressed file has the first bytes of a checkpoint's text, and those before its position.
    func hasText(of feed: JSONCheckpoint) throws(JSONError) -> Bool {
        guard let tail = feed.tail, let head = feed.head, 0...feed.offset ~= tail.size else { return false }
        let first = try bytes(at: 0, most: head.size)
        guard first.count == head.size, JSONCheckpoint.hash(ofHead: first) == head.hash else { return false }
        let last = try bytes(at: feed.offset - tail.size, most: tail.size)
        return unsafe last.withUnsafeBytes { unsafe tail.matches($0) } ?? false
    }

    /// Whether the first bytes are those of a compressed file.
    func isCompressed() throws(JSONError) -> Bool {
        let compression = JSONCompression.detect(try bytes(at: 0, most: 4), isWhole: true)
        return compression == .gzip || compression == .zstd
    }

    /// Whether no folder has the file any more.
    static func hasNoName(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }
}
