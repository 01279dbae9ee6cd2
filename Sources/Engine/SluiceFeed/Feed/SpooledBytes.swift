// Bytes that wait in a temporary file, because there may be too many of them for memory.

package import SluiceCore
internal import SluiceSystem

/// Bytes in a temporary file without a name.
package struct SpooledBytes: ByteSink, Sendable {
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

    package init() throws(JSONError) { file = try File() }

    package mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var written = 0
        while written < bytes.count {
            let rest = unsafe CallSize.part(of: UnsafeRawBufferPointer(rebasing: bytes[written...]))
            let count = unsafe pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(end + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw JSONError.inputOutput("write", name, errno) }
            written += count
        }
        end += written
    }

    /// Moves all bytes to another sink. If that fails, the bytes that it has not taken are kept.
    package mutating func move(to sink: inout some ByteSink) throws(JSONError) {
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
