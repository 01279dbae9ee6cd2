// Where JSON text goes to.

internal import SluiceSystem

/// Takes bytes in order.
///
/// A sink that changes bytes, for example by compressing them, passes the result on to another sink, and the rest in ``finish()``.
///
/// ```swift
/// struct Counter: ByteSink {
///     var count = 0
///     mutating func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
/// }
/// ```
public protocol ByteSink {
    /// Takes the next bytes; they may be read during the call only.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if they cannot be written.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError)

    /// Ends the output: no bytes follow. The owner of a sink calls it after the last document; `JSONFeedWriter` calls it in its own
    /// `finish()`. By default, nothing happens.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if the rest cannot be written.
    mutating func finish() throws(JSONError)
}

extension ByteSink {
    /// Does nothing.
    public mutating func finish() throws(JSONError) {}

    /// Writes the bytes of an array.
    package mutating func put(_ bytes: [UInt8]) throws(JSONError) {
        if bytes.isEmpty { return }
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in try unsafe write(UnsafeRawBufferPointer(bytes)) }
    }
}

extension [UInt8]: ByteSink {
    /// Appends the bytes.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) { unsafe append(contentsOf: bytes) }
}

/// An open file, pipe or socket.
///
/// ```swift
/// var output = FileDescriptorSink(descriptor: STDOUT_FILENO, name: "standard output")
/// try books.write(to: &output)
/// ```
public struct FileDescriptorSink: ByteSink {
    private let descriptor: Int32
    /// The name of the file in errors.
    package let name: String

    /// Writes to a descriptor that the caller keeps open and closes.
    public init(descriptor: Int32, name: String = "the output") {
        self.descriptor = descriptor
        self.name = name
    }

    /// Writes all bytes. If that fails after some of them, those are removed again from the end of a regular file.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let part = unsafe CallSize.part(of: rest)
            let count = unsafe SluiceSystem.write(descriptor, part.baseAddress, part.count)
            if count > 0 {
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if count == 0 || errno != EINTR {
                // A call that a signal has interrupted before its first byte is repeated.
                let code = count == 0 ? ENOSPC : errno
                takeBack(bytes.count - rest.count)
                throw JSONError.inputOutput("write", name, code)
            }
        }
    }

    /// Removes the last bytes of a regular file, if they are the bytes that were just written.
    private func takeBack(_ count: Int) {
        var status = stat()
        guard count > 0, unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            lseek(descriptor, 0, SEEK_CUR) == status.st_size
        else { return }
        let end = lseek(descriptor, -off_t(count), SEEK_CUR)
        if end >= 0 { _ = ftruncate(descriptor, end) }
    }
}
