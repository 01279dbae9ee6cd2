// The memory that cells of the last record refer to.

extension JSONReader {
    /// Whether the last document held a value that nothing binds.
    var hasUnboundValue: Bool { unsafe binder.pointee.hasUnboundValue }

    /// Text that cells of the last record refer to.
    func cellText(at offset: Int, count: Int) -> UnsafeBufferPointer<UInt8> {
        // Safe: the buffer is not touched before the next document begins.
        unsafe binder.pointee.cellText.withUnsafeBufferPointer {
            unsafe UnsafeBufferPointer(rebasing: $0[offset..<(offset + count)])
        }
    }

    /// What cells of the last record refer to: text, and the cells of elements; valid until the next record.
    var cellMemory: (text: UnsafePointer<UInt8>, elements: UnsafeRawPointer) {
        // Safe: the buffers are not touched before the next document begins. Of an empty one, nothing is read.
        let text = unsafe binder.pointee.cellText.withUnsafeBufferPointer { $0.baseAddress }
        let elements = unsafe binder.pointee.cellElements.withUnsafeBufferPointer { $0.baseAddress }
        return unsafe (text ?? NoBytes.address, UnsafeRawPointer(elements ?? NoBytes.address))
    }
}
