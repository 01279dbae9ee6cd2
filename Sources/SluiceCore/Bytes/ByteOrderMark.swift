// The three bytes that some programs write before UTF-8. They belong to no value.

extension UnsafeRawBufferPointer {
    /// The bytes behind a byte order mark; all bytes if there is none.
    package var withoutByteOrderMark: UnsafeRawBufferPointer {
        // Safe: the mark is dropped only where it is.
        unsafe starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: self[3...]) : self
    }
}
