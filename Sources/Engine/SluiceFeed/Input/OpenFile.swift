// A file that is closed when its last reader has been released.

package import SluiceCore
internal import SluiceSystem

/// An open file.
package final class OpenFile {
    package let descriptor: Int32
    let path: String

    /// - Parameter waitsForWriter: Whether opening a FIFO waits until a process opens it for writing. If not, wait with `poll` before the
    ///   first read: without a writer, the read reports the end of the file.
    /// - Throws: `JSONError` of kind `inputOutput` if the file cannot be opened or is a directory.
    package init(path: String, waitsForWriter: Bool = true) throws(JSONError) {
        let flags = O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK)
        let descriptor = SystemCall.uninterrupted { unsafe open(path, flags) }
        guard descriptor >= 0 else { throw JSONError.inputOutput("open", path, errno) }
        if !waitsForWriter { _ = fcntl(descriptor, F_SETFL, 0) }
        self.descriptor = descriptor
        self.path = path
        guard !OpenFile.isDirectory(descriptor) else { throw JSONError.inputOutput("read", path, EISDIR) }
    }

    deinit { close(descriptor) }

    /// The file's bytes; readable while this object lives.
    package var source: FileSource { FileSource(descriptor: descriptor, name: path) }

    /// The file's size in bytes; nil if it is not a regular file.
    package var size: Int? { OpenFile.size(of: descriptor) }

    /// The offset of the next byte that is read; nil if it is not a regular file.
    package var offset: Int? { size.map { _ in Int(lseek(descriptor, 0, SEEK_CUR)) } }

    package static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private static func isDirectory(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The bytes of an open file, readable from any offset.
package struct FileSource: SeekableSource {
    private let descriptor: Int32
    private var bytes: FileDescriptorSource
    package let name: String

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        bytes = FileDescriptorSource(descriptor: descriptor, name: name)
    }

    package mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try bytes.read(into: &output)
    }

    package mutating func seek(to offset: Int) throws(JSONError) -> Bool {
        // A pipe cannot seek.
        guard OpenFile.size(of: descriptor) != nil else { return false }
        guard lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) else {
            throw JSONError.inputOutput("read", name, errno)
        }
        return true
    }
}
