// Records of several feeds, some of them in pieces, become whole lines of one sink. A record in pieces takes as long as its feed does,
// and a feed may be asked for records by the thread that another feed's record waits for: so no feed waits, and lines are put aside.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import SluiceCore

/// The lines of a quarantine. Feeds are told apart by the identity of their ``JSONQuarantine/Line``.
struct QuarantineLines: Sendable {
    var sink: any ByteSink & Sendable
    /// How many records have been written.
    private(set) var count = 0
    /// The feed whose record has begun in the sink; nil between two lines.
    private var writer: ObjectIdentifier?
    /// Whole lines that came while a record of another feed had begun, and how many they are.
    private var waiting: SpooledBytes?
    private var waitingCount = 0
    /// The records that began while one of another feed had begun, by their feed.
    private var begun: [ObjectIdentifier: SpooledBytes] = [:]

    init(sink: any ByteSink & Sendable) { self.sink = sink }

    /// Writes a piece of a feed's record, which may be the last one, or puts it aside.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, endsLine: Bool, of feed: ObjectIdentifier
    ) throws(JSONError) {
        guard writer == nil || writer == feed else { return try unsafe putAside(bytes, endsLine: endsLine, of: feed) }
        try writeWaiting()
        writer = feed
        if var first = begun.removeValue(forKey: feed) { try first.move(to: &sink) }
        try unsafe sink.write(bytes)
        guard endsLine else { return }
        writer = nil
        count += 1
        try writeWaiting()
    }

    /// Ends the line of a feed whose record will not go on.
    mutating func cutOff(_ feed: ObjectIdentifier) {
        begun[feed] = nil
        guard writer == feed else { return }
        writer = nil
        // If the sink fails here, it fails again for the next record, which reports it.
        try? unsafe [UInt8(ascii: "\n")].withUnsafeBytes { try unsafe sink.write($0) }
        try? writeWaiting()
    }

    private mutating func putAside(
        _ bytes: UnsafeRawBufferPointer, endsLine: Bool, of feed: ObjectIdentifier
    ) throws(JSONError) {
        if endsLine {
            var lines = if let waiting { waiting } else { try SpooledBytes() }
            if var first = begun.removeValue(forKey: feed) { try first.move(to: &lines) }
            try unsafe lines.write(bytes)
            waiting = lines
            waitingCount += 1
        } else {
            var first = if let known = begun[feed] { known } else { try SpooledBytes() }
            try unsafe first.write(bytes)
            begun[feed] = first
        }
    }

    /// Moves the lines put aside to the sink. No record has begun there.
    private mutating func writeWaiting() throws(JSONError) {
        guard writer == nil, var lines = waiting else { return }
        waiting = nil
        do throws(JSONError) {
            try lines.move(to: &sink)
        } catch {
            waiting = lines
            throw error
        }
        count += waitingCount
        waitingCount = 0
    }
}

/// Bytes in a temporary file without a name.
struct SpooledBytes: ByteSink, Sendable {
    private final class File: Sendable {
        let descriptor: Int32

        init() throws(JSONError) {
            let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
            var path = Array("\(folder)/sluice-XXXXXX".utf8CString)
            descriptor = unsafe mkstemp(&path)
            guard descriptor >= 0 else { throw JSONError.inputOutput("create a temporary file in", folder, errno) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            unsafe unlink(path)
        }

        deinit { close(descriptor) }
    }

    let name = "a temporary file"
    private let file: File
    /// The bytes between these offsets are still to be moved.
    private var start = 0
    private var end = 0

    init() throws(JSONError) { file = try File() }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = unsafe pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(end + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw JSONError.inputOutput("write", name, errno) }
            written += count
        }
        end += written
    }

    /// Moves all bytes to another sink. If that fails, the bytes that it has not taken are kept.
    mutating func move(to sink: inout some ByteSink) throws(JSONError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(64 << 10, end - start), alignment: 16)
        defer { unsafe buffer.deallocate() }
        while start < end {
            let size = min(buffer.count, end - start)
            let count = unsafe pread(file.descriptor, buffer.baseAddress, size, off_t(start))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw JSONError.inputOutput("read", name, errno) }
            try unsafe sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            start += count
        }
    }
}
