// The file of `--rejects`. It belongs to the user, who may share it between runs and databases, shorten it or delete it. So a run
// only appends lines, and only removes those of records that it reads again.
//
// A file takes no part in the database's transactions. So each transaction stores three things beside its rows: the lines to
// append, the position at which they will begin, and the lines to remove. After the commit has reached the disk, the file is
// changed. If the run is killed in between, the next run compares the file with the stored lines, and writes those that are
// missing. Either way, each line is in the file once.
//
// A removed line is overwritten with blanks, which then stand in front of the next line. If it is the last line, it is cut off.
// Other lines are never moved, because that could be interrupted. The file is never replaced by a new one, because other runs may
// have it open.

internal import Foundation
internal import SluiceCore
package import SluiceFeed

/// An open file of rejected records.
package final class RejectsFile {
    /// The changes of the file that belong to a transaction.
    package struct Pending: Hashable {
        /// The size of the file before the lines, in bytes.
        package var start: Int
        package var lines: [UInt8]
        /// Lines that are to be removed, in the order of the file.
        package var removals: [Line] = []

        package init(start: Int, lines: [UInt8], removals: [Line] = []) {
            self.start = start
            self.lines = lines
            self.removals = removals
        }
    }

    /// A line of the file, without its line break.
    package struct Line: Hashable, Sendable {
        package var start: Int
        package var text: [UInt8]
        /// The position after the line break.
        package var end: Int { start + text.count + 1 }
        /// The line without the blanks that removed lines have left in front of it.
        package var withoutBlanks: Line {
            let blanks = text.prefix { $0 == UInt8(ascii: " ") }.count
            return Line(start: start + blanks, text: Array(text.dropFirst(blanks)))
        }
    }

    fileprivate let path: String
    private let descriptor: Int32
    /// Whether the file keeps what is written, unlike a pipe or device.
    package let isRegular: Bool
    /// The file's name in the sink's table of checkpoints.
    package var identity: String { IngestInput.identity(ofFile: path) }

    /// Opens a file, creating it if necessary. A FIFO waits for its reader.
    ///
    /// - Throws: ``IngestError/output(_:)``.
    package init(path: String) throws(IngestError) {
        self.path = path
        var status = stat()
        let isSpecial = unsafe stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        descriptor = unsafe open(path, (isSpecial ? O_WRONLY : O_RDWR | O_CREAT) | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw RejectsFile.error("open", path) }
        isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isRegular, status.st_size == 0 { FileSync.syncFolder(of: path) }
    }

    deinit { close(descriptor) }

    // MARK: Lines

    /// The changes of the file that a transaction must store to append these lines. Call it, and ``pay(_:)``, while the file is
    /// locked.
    ///
    /// - Parameter removals: Lines that are to be removed, in the order of the file.
    package func pendingRejects(of lines: [UInt8], removing removals: [Line] = []) throws(IngestError) -> Pending {
        let (lines, removals) = RejectsFile.withoutCommonLines(lines, removals)
        var start = try size()
        for removal in removals.reversed() where removal.end == start { start = removal.start }
        return Pending(start: start, lines: lines.isEmpty ? [] : try startOfLine(size: start) + lines, removals: removals)
    }

    /// Leaves out each line that would be removed and written again: it stays where it is.
    ///
    /// The new lines may begin where a removed line was. If both were equal and a later run repeated the change, it would take
    /// the new line for the old one, and remove it.
    private static func withoutCommonLines(_ lines: [UInt8], _ removals: [Line]) -> ([UInt8], [Line]) {
        guard !lines.isEmpty, !removals.isEmpty else { return (lines, removals) }
        var removed = Dictionary(grouping: removals, by: \.text)
        var new: [UInt8] = []
        for line in lines.split(separator: UInt8(ascii: "\n")) where removed[Array(line)]?.popLast() == nil {
            new += line + [UInt8(ascii: "\n")]
        }
        return (new, removed.values.joined().sorted { $0.start < $1.start })
    }

    /// Removes and appends the lines that a transaction has stored. A change that is already in the file is not made again. On
    /// return, the changes are on the disk.
    package func pay(_ pendingRejects: Pending) throws(IngestError) {
        let new = Set(pendingRejects.removals.isEmpty ? [] : pendingRejects.lines.split(separator: UInt8(ascii: "\n")))
        for removal in pendingRejects.removals.reversed() { try remove(removal, unlessOneOf: new) }
        try writeLines(of: pendingRejects)
        try sync()
    }

    private func writeLines(of pendingRejects: Pending) throws(IngestError) {
        let size = try size()
        let count = min(pendingRejects.lines.count, max(0, size - pendingRejects.start))
        let present = try bytes(from: pendingRejects.start, count: count)
        if present == pendingRejects.lines { return }
        let paid = zip(present, pendingRejects.lines).prefix { $0 == $1 }.count
        if pendingRejects.start + paid == size { return try write(Array(pendingRejects.lines[paid...])) }
        // After a power failure, a piece that was not on the disk yet may read as zeros, which no line contains.
        if zip(present, pendingRejects.lines).allSatisfy({ $0 == $1 || $0 == 0 }), pendingRejects.start <= size {
            return try overwrite(Array(pendingRejects.lines[paid...]), at: pendingRejects.start + paid)
        }
        // Others have appended to the file since. A line that is only partly there is written again as a whole.
        let whole = pendingRejects.lines[..<paid].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        try write(try startOfLine(size: size) + pendingRejects.lines[whole...])
    }

    /// Appends lines.
    package func append(_ lines: [UInt8]) throws(IngestError) {
        lock()
        defer { unlock() }
        try write(isRegular ? try startOfLine(size: try size()) + lines : lines)
    }

    /// Appends lines that have waited in a temporary file.
    package func append(_ lines: inout SpooledBytes) throws(IngestError) {
        lock()
        defer { unlock() }
        if isRegular { try write(try startOfLine(size: try size())) }
        var sink = FileDescriptorSink(descriptor: descriptor, name: path)
        do throws(JSONError) { try lines.move(to: &sink) } catch { throw .output("\(error.found)") }
    }

    /// Waits until everything that was written is on the disk.
    package func sync() throws(IngestError) {
        let error = FileSync.sync(descriptor)
        if error != 0 { throw .output("\(JSONError.inputOutput("write", path, error).found)") }
    }

    /// Removes a line, or the rest of it, if it is still there. Other lines stay where they are.
    ///
    /// - Parameter new: The lines to append, without their line breaks. A killed run may have written one of them at this position.
    ///   Such a line may differ from the removed line only by blanks.
    private func remove(_ line: Line, unlessOneOf new: Set<ArraySlice<UInt8>>) throws(IngestError) {
        let text = line.text + [UInt8(ascii: "\n")]
        let present = try bytes(from: line.start, count: text.count)
        let blank = UInt8(ascii: " ")
        guard present.count == text.count, zip(present, text).allSatisfy({ $0 == $1 || $0 == blank }) else { return }
        if new.contains(present.dropLast()) { return }
        if try size() == line.end {
            guard ftruncate(descriptor, off_t(line.start)) == 0 else { throw RejectsFile.error("write", path) }
        } else {
            // The line break is overwritten last. Otherwise a kill would leave an unfinished line in front of the next one.
            try overwrite(repeatElement(blank, count: text.count), at: line.start)
        }
    }

    /// Writes over bytes of the file.
    private func overwrite(_ new: some Collection<UInt8>, at offset: Int) throws(IngestError) {
        // With O_APPEND, Linux writes at the end of the file, whatever the offset is.
        guard fcntl(descriptor, F_SETFL, 0) != -1 else { throw RejectsFile.error("write", path) }
        defer { _ = fcntl(descriptor, F_SETFL, O_APPEND) }
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw RejectsFile.error("write", path) }
        try write(Array(new))
    }

    /// The lines that a condition holds for; only lines that end in a line break.
    package func lines(_ isWanted: ([UInt8]) -> Bool) throws(IngestError) -> [Line] {
        guard isRegular else { return [] }
        var found: [Line] = []
        var line: [UInt8] = []
        var (start, offset) = (0, 0)
        while true {
            let piece = try bytes(from: offset, count: RejectsFile.pieceSize)
            if piece.isEmpty { return found }
            offset += piece.count
            var rest = piece[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                if isWanted(line) { found.append(Line(start: start, text: line)) }
                start += line.count + 1
                line.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            line += rest
        }
    }

    private static let pieceSize = 1 << 20

    /// Whether a line is still at its position.
    package func contains(_ line: Line) throws(IngestError) -> Bool {
        try bytes(from: line.start, count: line.text.count + 1) == line.text + [UInt8(ascii: "\n")]
    }

    /// A line break, if the file ends in the middle of a line.
    private func startOfLine(size: Int) throws(IngestError) -> [UInt8] {
        let lineBreak = UInt8(ascii: "\n")
        guard size > 0, try bytes(from: size - 1, count: 1) != [lineBreak] else { return [] }
        return [lineBreak]
    }

    // MARK: Locking

    /// Keeps other runs from writing to the file until ``unlock()``. Where the file system has no locks, it does nothing.
    ///
    /// The lock is one of `fcntl`. The parent process may hold a lock of `flock`: `flock bad.ndjson sluice …`.
    package func lock() { setLock(F_WRLCK) }

    package func unlock() { setLock(F_UNLCK) }

    private func setLock(_ type: some BinaryInteger) {
        guard isRegular else { return }
        var lock = flock()
        lock.l_type = Int16(truncatingIfNeeded: type)
        lock.l_whence = Int16(truncatingIfNeeded: SEEK_SET)
        while unsafe fcntl(descriptor, F_SETLKW, &lock) != 0, errno == EINTR {}
    }

    // MARK: Bytes

    private func size() throws(IngestError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw RejectsFile.error("read", path) }
        return Int(status.st_size)
    }

    private func bytes(from offset: Int, count: Int) throws(IngestError) -> [UInt8] {
        do throws(JSONError) {
            return try FileBytes.read(descriptor, at: offset, most: count, name: path)
        } catch {
            throw .output("\(error.found)")
        }
    }

    private func write(_ lines: [UInt8]) throws(IngestError) {
        var sink = FileDescriptorSink(descriptor: descriptor, name: path)
        do throws(JSONError) { try sink.put(lines) } catch { throw .output("\(error.found)") }
    }

    private static func error(_ action: String, _ path: String) -> IngestError {
        .output("\(JSONError.inputOutput(action, path, errno).found)")
    }
}

extension RejectsFile.Pending {
    /// The pending rejects as one line of JSON, for the sink.
    package var text: String {
        let value: JSONValue = [
            "start": .number(JSONNumber(start)), "lines": .string(String(decoding: lines, as: UTF8.self)),
            "removed": .array(
                removals.map {
                    ["start": .number(JSONNumber($0.start)), "text": .string(String(decoding: $0.text, as: UTF8.self))]
                }),
        ]
        return (try? value.jsonString()) ?? ""
    }

    /// - Returns: nil if the text is something else.
    package init?(text: String) {
        guard let json = try? JSONValue(json: text), let start = json["start"]?.int, let lines = json["lines"]?.string else {
            return nil
        }
        self.init(start: start, lines: Array(lines.utf8))
        for line in json["removed"]?.array ?? [] {
            guard let start = line["start"]?.int, let text = line["text"]?.string else { return nil }
            removals.append(RejectsFile.Line(start: start, text: Array(text.utf8)))
        }
    }
}

extension PendingRejects {
    /// The changes of the file.
    ///
    /// - Throws: ``IngestError`` for a text that this version does not understand. Its lines would be lost.
    package func changes(of file: RejectsFile) throws(IngestError) -> RejectsFile.Pending {
        guard let changes = RejectsFile.Pending(text: text) else {
            throw .unreadable(
                "the note on what the run \(owner) has still to write to \(file.path)",
                remedy: "delete this note, and its lines are lost")
        }
        return changes
    }
}
