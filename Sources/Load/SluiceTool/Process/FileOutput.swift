// Writes bytes to a file or to standard output.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// An open output; the file is closed when the object is released.
final class FileOutput: ByteSink {
    private let descriptor: Int32
    private let name: String
    private let isOwned: Bool

    /// Opens a file, emptying it if it exists; `-` is standard output.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    init(path: String) throws(JSONError) {
        isOwned = path != "-"
        name = isOwned ? path : "standard output"
        descriptor = isOwned ? unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) : STDOUT_FILENO
        guard descriptor >= 0 else { throw JSONError.inputOutput("create", path, errno) }
    }

    /// Writes to a descriptor that the caller keeps open and closes.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        isOwned = false
    }

    deinit { if isOwned { close(descriptor) } }

    func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var sink = FileDescriptorSink(descriptor: descriptor, name: name)
        try unsafe sink.write(bytes)
    }
}
#endif
