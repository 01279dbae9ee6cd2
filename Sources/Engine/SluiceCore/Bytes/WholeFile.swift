// Small files, read and written as a whole.

internal import SluiceSystem

/// Reads and replaces files.
enum WholeFile {
    /// All bytes of a file.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    static func read(_ path: String) throws(JSONError) -> [UInt8] {
        let descriptor = SystemCall.uninterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw JSONError.inputOutput("open", path, errno) }
        defer { close(descriptor) }
        var source = FileDescriptorSource(descriptor: descriptor, name: path)
        var bytes = try readKnownSize(of: descriptor, from: &source)
        // A file may grow while it is read, and the size of a pipe is not known.
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { unsafe chunk.deallocate() }
        while true {
            let count = try unsafe source.read(into: chunk)
            if count == 0 { return bytes }
            // Safe: the source says how many of the chunk's bytes it has filled.
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    /// The most memory that is set aside because a file says that it is so large: it may have holes.
    private static let trustedSize = 1 << 30

    /// As many bytes as a file says that it has, or fewer, in an array of that size: it is neither copied nor larger than the file.
    private static func readKnownSize(of descriptor: Int32, from source: inout FileDescriptorSource) throws(JSONError) -> [UInt8]
    {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return [] }
        var failure: JSONError?
        let size = Int(min(status.st_size, off_t(trustedSize)))
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            do throws(JSONError) {
                while count < size {
                    let read = try unsafe source.read(
                        into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[count...])))
                    if read == 0 { return }
                    count += read
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Makes `bytes` the content of a file. A reader that opens the file sees the whole old content or the whole new content.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`; the old content stays then.
    static func write(_ bytes: [UInt8], to path: String) throws(JSONError) {
        let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp"
        let descriptor = SystemCall.uninterrupted { unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw JSONError.inputOutput("create", path, errno) }
        do throws(JSONError) {
            try write(bytes, descriptor, path)
            guard SystemCall.uninterrupted({ fsync(descriptor) }) == 0 else { throw JSONError.inputOutput("write", path, errno) }
            close(descriptor)
        } catch {
            close(descriptor)
            unsafe unlink(draft)
            throw error
        }
        guard SystemCall.uninterrupted({ unsafe rename(draft, path) }) == 0 else {
            let code = errno
            unsafe unlink(draft)
            throw JSONError.inputOutput("write", path, code)
        }
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws(JSONError) {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe CallSize.part(of: UnsafeRawBufferPointer(rebasing: buffer[offset...]))
                return unsafe SluiceSystem.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                offset += count
            } else if errno != EINTR {
                throw JSONError.inputOutput("write", path, errno)
            }
        }
    }
}
