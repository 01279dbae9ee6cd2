// Bytes at a position of an open file. They are read without moving the file's own position, which another reader may be using.

internal import SluiceSystem

/// Reads from any position of a file.
package enum FileBytes {
    /// The bytes at an offset; fewer at the end of the file.
    ///
    /// - Parameter name: The file's name, for errors.
    /// - Throws: `JSONError` of kind `inputOutput`.
    package static func read(
        _ descriptor: Int32, at offset: Int, most count: Int, name: String
    ) throws(JSONError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                // Safe: the buffer has room for `count` bytes, of which `filled` have been read.
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<count])
                let part = unsafe CallSize.part(of: rest)
                let read = unsafe pread(descriptor, part.baseAddress, part.count, off_t(offset + filled))
                if read < 0, errno == EINTR { continue }
                if read < 0 { failure = errno }
                if read <= 0 { return }
                filled += read
            }
        }
        if failure != 0 { throw .inputOutput("read", name, failure) }
        return bytes
    }
}
