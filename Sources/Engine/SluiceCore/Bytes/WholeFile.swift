// Small files, read and written as a whole.

internal import SluiceSystem

/// Reads and replaces files.
package enum WholeFile {
    /// All bytes of a file.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package static func read(_ path: String) throws(JSONError) -> [UInt8] {
        let descriptor = SystemCall.uninterrupted { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw JSONError.inputOutput("open", path, errno) }
        defer { close(descriptor) }
        var source = FileDescriptorSource(descriptor: descriptor, name: path)
        var bytes = try FileBytes.read(descriptor, at: 0, most: knownSize(of: descriptor), name: path)
        if !bytes.isEmpty { lseek(descriptor, off_t(bytes.count), SEEK_SET) }
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

    /// How many bytes a file says that it has; 0 for a pipe.
    private static func knownSize(of descriptor: Int32) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(min(status.st_size, off_t(trustedSize)))
    }

    /// Makes `bytes` the content of a file. A reader that opens the file sees the whole old content or the whole new content.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`; the old content stays then.
    static func write(_ bytes: [UInt8], to path: String) throws(JSONError) {
        let draft = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp"
        let descriptor = SystemCall.uninterrupted { unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else { throw JSONError.inputOutput("create", path, errno) }
        do throws(JSONError) {
            var sink = FileDescriptorSink(descriptor: descriptor, name: path)
            try sink.put(bytes)
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
}
