// The memory that the cells of the last record point into.

extension JSONReader {
    /// Whether the last document had a value that is bound to nothing.
    var hasUnknownValue: Bool { binder.state.document.hasUnknownValue }

    /// Whether null, a scalar or an array of the last document is in the middle of a key path, where an object is needed.
    var hasGapOnPath: Bool { binder.state.document.hasGapOnPath }

    /// What the last record has lost.
    var losses: CellLosses { binder.state.cells.losses }

    /// Says which record is read next. Texts of its cells are offsets in it.
    @inline(__always)
    func beginCells(of record: UnsafeRawBufferPointer) { unsafe binder.state.cells.input = unsafe record }

    /// The record that was read last.
    var cellInput: UnsafeRawBufferPointer { unsafe binder.state.cells.input }

    /// The text of cells of the last record that does not lie in it, valid until the next record.
    var cellText: UnsafeRawBufferPointer {
        // Safe: the buffer does not change before the next document begins.
        unsafe binder.state.cells.text.withUnsafeBytes { unsafe $0 }
    }

    /// The buffers that cells of the last record point into: text, and the cells of elements. Valid until the next record.
    var cellMemory: (input: UnsafeRawPointer, text: UnsafePointer<UInt8>, elements: UnsafeRawPointer) {
        // Safe: the buffers do not change before the next document begins. Nothing is read from an empty one.
        let text = unsafe binder.state.cells.text.withUnsafeBufferPointer { $0.baseAddress }
        let elements = unsafe binder.state.cells.elements.withUnsafeBufferPointer { $0.baseAddress }
        return unsafe (
            cellInput.baseAddress ?? UnsafeRawPointer(NoBytes.address), text ?? NoBytes.address,
            UnsafeRawPointer(elements ?? NoBytes.address)
        )
    }
}
