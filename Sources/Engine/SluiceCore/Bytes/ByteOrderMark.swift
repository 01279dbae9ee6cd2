// The three bytes that some programs write before UTF-8. They belong to no value.

extension UnsafeRawBufferPointer {
    /// Whether the bytes begin with a byte order mark.
    @inline(__always)
    var hasByteOrderMark: Bool {
        // Written out: an array of the three bytes would be looked up for each document.
        unsafe count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF
    }

    /// The bytes after a byte order mark; all bytes if there is none.
    package var withoutByteOrderMark: UnsafeRawBufferPointer {
        // Safe: the mark is dropped only where it is.
        unsafe hasByteOrderMark ? UnsafeRawBufferPointer(rebasing: self[3...]) : self
    }
}
