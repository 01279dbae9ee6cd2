// What one look at a family leaves for the next one: comparisons of files that have not changed since, and descriptors of files that may be
// deleted before they have been read.

internal import Foundation
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// What the looks of one process have found. Not final: tests change files between the parts of a look.
package class LookMemory {
    private struct Found {
        let file: FileStamp
        let comparison: MemberComparison
        /// How much had been read of the inputs that it was compared with, as one number.
        let inputs: Int
    }

    private var found: [FileStamp.Place: Found] = [:]
    /// Files that are kept open, by the family that they belong to.
    private var opened: [FileStamp.Place: (family: Family, path: String, file: OpenFile)] = [:]
    /// Files that are equal to the beginning of another one.
    private var equals: [FileStamp.Place: (file: FileStamp, other: FileStamp)] = [:]
    /// The copies that a report has named.
    private var copies: Set<FileStamp.Place> = []
    /// The files of the last look that may grow: those that changed last, and perhaps some more.
    private var newest: [(family: Family, file: FileStamp)] = []
    /// When something will have changed without a change of a file, in nanoseconds since 1970: a file has settled, or is still missing.
    private(set) var nextLook: Int?

    package init() {}

    /// Begins a look.
    func begin() {
        newest = []
        nextLook = nil
    }

    /// Ends a look: what is known of other files than these is forgotten.
    func end(_ files: [FileStamp]) {
        let places = Set(files.map(\.place))
        found = found.filter { places.contains($0.key) }
        equals = equals.filter { places.contains($0.key) }
        copies.formIntersection(places)
    }

    func see(_ files: [FileStamp], of family: Family) {
        newest += files.map { (family, $0) }
        if newest.count > 4 * LookMemory.mostOpen { newest = latest }
    }

    /// The files that are to be kept open.
    private var latest: [(family: Family, file: FileStamp)] {
        Array(newest.sorted { $0.file.modified > $1.file.modified }.prefix(LookMemory.mostOpen))
    }

    /// Asks for another look.
    ///
    /// - Parameter time: In nanoseconds since 1970.
    func lookAgain(at time: Int) { nextLook = min(nextLook ?? .max, time) }

    // MARK: Comparisons

    /// What is known of a file without reading all of it.
    func comparison(of file: FileStamp, with known: [KnownInput]) -> MemberComparison? {
        let inputs = LookMemory.number(of: known)
        if let earlier = found[file.place], earlier.file.isUnchanged(since: file), earlier.inputs == inputs {
            return earlier.comparison
        }
        // What an earlier run has read, and nobody has changed since. A few first bytes may be those of several inputs.
        let unchanged = known.filter { $0.evidence?.file.isUnchanged(since: file) == true }
        if unchanged.count == 1, let input = unchanged.first, let evidence = input.evidence {
            let isWhole = evidence.isCompressed && input.checkpoint.isComplete
            guard !evidence.isCompressed || isWhole else { return nil }
            return MemberComparison(of: input, isCompressed: evidence.isCompressed, length: isWhole ? input.length : nil)
        }
        // What this process has compared: if it has only grown, its beginning need not be read again. What it is not known to begin with, or to
        // differ from, must be compared: an input that was begun since, or one that was longer than the file.
        guard let earlier = found[file.place], file.size >= earlier.file.size, !earlier.comparison.isCompressed,
            known.allSatisfy({ earlier.comparison.relations[$0.identity]?.isFinal == true }), let open = try? open(file)
        else { return nil }
        let begun = known.filter { earlier.comparison.relations[$0.identity] == .begins }
        guard !begun.isEmpty, begun.allSatisfy({ (try? open.hasText(of: $0.checkpoint.feed)) == true }) else { return nil }
        let comparison = earlier.comparison.ofGrownFile
        found[file.place] = Found(file: file, comparison: comparison, inputs: inputs)
        return comparison
    }

    func keep(_ comparison: MemberComparison, of file: FileStamp, _ known: [KnownInput]) {
        found[file.place] = Found(file: file, comparison: comparison, inputs: LookMemory.number(of: known))
    }

    private static func number(of known: [KnownInput]) -> Int {
        var hasher = Hasher()
        for input in known {
            hasher.combine(input.identity)
            hasher.combine(input.length)
        }
        return hasher.finalize()
    }

    /// Whether no earlier look of this process has named this copy.
    func isFirstCopy(_ file: FileStamp) -> Bool { copies.insert(file.place).inserted }

    // MARK: Text of files

    /// Opens a file; nil if its name is that of another file by now.
    func open(_ file: FileStamp) throws(JSONError) -> OpenFile? {
        let path = openPath(of: file)
        do throws(JSONError) {
            let open = try OpenFile(path: path)
            return FileStamp(path: path, descriptor: open.descriptor)?.isSameFile(as: file) == true ? open : nil
        } catch {
            guard FileStamp(path: path)?.isSameFile(as: file) == true else { return nil }
            throw error
        }
    }

    /// Whether the texts of two files have the same first bytes; nil if one of them cannot be opened, because it was moved.
    ///
    /// - Parameter length: How many bytes; nil for all bytes of the one, which may be as many as those of the other. A file that has not been
    ///   compressed to its end has those that can be read.
    func isEqual(_ one: FileStamp, to other: FileStamp, upTo length: Int?) -> Bool? {
        // The other one may have grown.
        if let known = equals[one.place], known.file.isUnchanged(since: one), known.other.isSameFile(as: other),
            known.other.size <= other.size
        {
            return true
        }
        guard let first = try? open(one), let second = try? open(other), var first = try? LogText(first),
            var second = try? LogText(second)
        else { return nil }
        var left = length ?? .max
        while left > 0 {
            let count = min(left, LookMemory.blockSize)
            let bytes = first.readable(count)
            guard let others = try? second.next(count), others.starts(with: bytes) else { return false }
            if bytes.count < count {
                guard length == nil, first.isUsedUp(one) else { return false }
                break
            }
            left -= count
        }
        equals[one.place] = (one, other)
        return true
    }

    private static let blockSize = 64 << 10

    /// Whether a file still has what was read of an input: it may have been truncated since the look began.
    func stillHas(_ input: KnownInput, in file: FileStamp) -> Bool {
        let feed = input.checkpoint.feed
        guard let open = try? open(file) else { return false }
        if feed.tail == nil || (try? open.isCompressed()) == true { return true }
        return (try? open.hasText(of: feed)) ?? false
    }

    /// The first bytes of a text as far as they can be read, and whether reading failed within them; nil if the file cannot be opened.
    func head(of file: FileStamp) -> (bytes: [UInt8], isCutOff: Bool)? {
        guard let open = try? open(file), var text = try? LogText(open) else { return nil }
        return (text.readable(JSONCheckpoint.headSize), text.failure != nil)
    }

    /// The offset after the last line break of a file; nil if there is none after an offset.
    func lastLineEnd(of file: FileStamp, after start: Int) -> Int? {
        guard let open = try? open(file) else { return nil }
        var end = file.size
        while end > start {
            let count = min(end - start, LookMemory.blockSize)
            guard let bytes = try? open.bytes(at: end - count, most: count), bytes.count == count else { return nil }
            if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) { return end - count + index + 1 }
            end -= count
        }
        return nil
    }

    /// The line of a text in which an offset lies.
    struct Line {
        /// The offset after its line break, or the end of the text.
        var end: Int
        /// Whether it has a line break.
        var isBroken = false
        /// How many line breaks lie between `start` and the end.
        var breaks = 0
        /// Whether it has more than a line break after the offset.
        var hasText = false
    }

    /// The line of a text in which an offset lies; nil if it cannot be read.
    func line(of file: FileStamp, from start: Int, after offset: Int) -> Line? {
        guard let open = try? open(file), var text = try? LogText(open), (try? text.pass(start)) == true else { return nil }
        var line = Line(end: start)
        while let bytes = try? text.next(LookMemory.blockSize) {
            if bytes.isEmpty { return line }
            for byte in bytes {
                if line.end >= offset, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { line.hasText = true }
                line.end += 1
                guard byte == UInt8(ascii: "\n") else { continue }
                line.breaks += 1
                if line.end > offset {
                    line.isBroken = true
                    return line
                }
            }
        }
        return nil
    }

    // MARK: Open files

    /// The most files that are kept open.
    private static let mostOpen = 200

    /// Keeps the files of the last look open that changed last, so that they can be read to their end if they are deleted.
    func keepOpen() {
        let wanted = latest
        let places = Set(wanted.map { $0.file.place })
        opened = opened.filter { places.contains($0.key) || isDeleted($0.key) }
        for (family, file) in wanted where opened[file.place] == nil && opened.count < LookMemory.mostOpen {
            if let open = try? open(file) { opened[file.place] = (family, file.path, open) }
        }
        for (_, file) in wanted where opened[file.place] != nil { opened[file.place]?.path = file.path }
    }

    /// The logs with deleted files that are still open here.
    var openFamilies: Set<Family> { Set(opened.filter { isDeleted($0.key) }.values.map(\.family)) }

    /// The files of a family that have been deleted, and are still open here.
    func deletedFiles(of family: Family) -> [FileStamp] {
        opened.filter { $0.value.family == family && isDeleted($0.key) }.compactMap { _, entry in
            FileStamp(path: entry.path, descriptor: entry.file.descriptor)
        }
    }

    /// Whether a file is only open here, and has no name any more.
    func isDeleted(_ file: FileStamp) -> Bool { isDeleted(file.place) }

    private func isDeleted(_ place: FileStamp.Place) -> Bool {
        opened[place].map { OpenFile.hasNoName($0.file.descriptor) } ?? false
    }

    /// Closes a deleted file of which all was read.
    func forget(_ file: FileStamp) { opened[file.place] = nil }

    /// The path by which a file can be opened.
    func openPath(of file: FileStamp) -> String {
        guard let entry = opened[file.place], isDeleted(file) else { return file.path }
        return "/dev/fd/\(entry.file.descriptor)"
    }
}

/// The text of a file, decompressed, from its beginning.
private struct LogText {
    private var source: DecompressingSource
    /// Why the rest cannot be read.
    private(set) var failure: JSONError?

    init(_ file: OpenFile) throws(JSONError) {
        source = DecompressingSource(file.source, compression: try file.isCompressed() ? .automatic : .none)
    }

    /// The next bytes; fewer at the end.
    mutating func next(_ count: Int) throws(JSONError) -> [UInt8] {
        let bytes = readable(count)
        if let failure { throw failure }
        return bytes
    }

    /// The next bytes; fewer at the end, and where the rest cannot be read.
    mutating func readable(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count, failure == nil {
            let room = count - bytes.count
            var part = [UInt8](repeating: 0, count: room)
            do throws(JSONError) {
                let read = try unsafe part.withUnsafeMutableBufferPointer { (room) throws(JSONError) in
                    try unsafe source.read(into: UnsafeMutableRawBufferPointer(room))
                }
                if read == 0 { break }
                bytes += part[..<read]
            } catch {
                failure = error
            }
        }
        return bytes
    }

    /// Whether all bytes of the file have been used: if its text cannot be read to the end, the end is missing.
    func isUsedUp(_ file: FileStamp) -> Bool { failure == nil || source.inputOffset >= file.size }

    /// Passes over bytes. Returns whether there were as many.
    mutating func pass(_ count: Int) throws(JSONError) -> Bool {
        var left = count
        while left > 0 {
            let bytes = try next(min(left, 64 << 10))
            if bytes.isEmpty { return false }
            left -= bytes.count
        }
        return true
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
