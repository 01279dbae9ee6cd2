// A value goes in, and its text is written straight into the free space of an array. A large text is not copied.

extension JSONWritable {
    /// Appends the value's compact text to bytes. After an error, the bytes are as they were.
    func append(to bytes: inout [UInt8], _ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) {
        var writer = JSONWriter(lentLaterWith: options, selection)
        let before = bytes.count
        bytes.append(contentsOf: FreeSpace())
        do throws(JSONError) {
            try unsafe bytes.withUnsafeMutableBufferPointer { (all) throws(JSONError) in
                // Safe: the writer writes during this call only.
                unsafe writer.lend(UnsafeMutableBufferPointer(rebasing: all[before...]))
                try _write(to: &writer)
            }
        } catch {
            bytes.removeLast(bytes.count - before)
            throw error
        }
        let written = writer.isLent ? writer.count : 0
        bytes.removeLast(bytes.count - before - written)
        if writer.isLent { return }
        // The text did not fit. The array grows as arrays do, and so much that the same text fits the next time: the writer asks for more
        // space than it needs in the end.
        let needed = bytes.count + writer.count + writer.askedInVain
        if needed > bytes.capacity { bytes.reserveCapacity(max(needed, 2 * bytes.capacity)) }
        unsafe writer.withBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// The value's compact text, for which space is made before it is written.
    ///
    /// - Parameter expected: The size that it probably has.
    @inline(never)
    func largeBytes(_ expected: Int, _ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) -> [UInt8]
    {
        var bytes: [UInt8] = []
        // A writer asks for more space than it needs in the end, see `WriteStep.room`.
        bytes.reserveCapacity(expected + expected / 8 + 4096)
        try append(to: &bytes, options, selection)
        unsafe BufferPool.ofThread?.pointee.noteText(ofSize: bytes.count)
        // A text that is much shorter than the last one does not keep so much memory.
        guard bytes.capacity / 2 > bytes.count else { return bytes }
        return unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}

/// As many bytes as the array to which they are appended has space for. They have no values yet.
private struct FreeSpace: Sequence {
    var underestimatedCount: Int { 0 }

    func makeIterator() -> EmptyCollection<UInt8>.Iterator { EmptyCollection().makeIterator() }

    func _copyContents(
        initializing memory: UnsafeMutableBufferPointer<UInt8>
    ) -> (EmptyCollection<UInt8>.Iterator, UnsafeMutableBufferPointer<UInt8>.Index) {
        // Safe: any byte is a value of this type, and the caller reads none before it has written it.
        (makeIterator(), memory.count)
    }
}
