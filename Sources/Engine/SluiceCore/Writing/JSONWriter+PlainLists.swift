// Writes arrays directly from the model's memory, as plain fields are written: without a call into the model for the array, and without a
// call into the element's type for each element.

extension JSONWriter {
    /// Writes an array in compact text from `end` on. Returns its end, after which there is space for a comma; nil if it has to be written
    /// element by element.
    ///
    /// - Parameters:
    ///   - rank: How many arrays are in each other.
    ///   - step: The step of the member that the array is, or is in.
    mutating func list(
        _ values: ArrayWords, rank: Int, _ step: UnsafePointer<WriteStep>, _ end: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        // Safe: the array has elements of the type that the step says, or arrays of such elements, which are 8 bytes apart.
        if rank > 1 {
            return unsafe list(values, stride: 8, room: 0, end) { writer, row, end in
                unsafe ArrayWords(at: row).flatMap { unsafe writer.list($0, rank: rank &- 1, step, end) }
            }
        }
        switch unsafe step.pointee.field {
        case .ints:
            return unsafe list(values, stride: 8, room: NumberFormatting.maximumLength &+ 1, end) { _, value, end in
                unsafe end + NumberFormatting.write(Int64(value.load(as: Int.self)), to: end)
            }
        case .doubles:
            return unsafe list(values, stride: 8, room: NumberFormatting.maximumLength &+ 1, end) { _, value, end in
                let number = unsafe value.load(as: Double.self)
                return number.isFinite ? unsafe end + NumberFormatting.writeHere(number, to: end) : nil
            }
        case .bools:
            return unsafe list(values, stride: 1, room: 8, end) { _, value, end in
                let isTrue = unsafe value.load(as: Bool.self)
                let word: UInt64 = isTrue ? 0x6575_7274 : 0x65_736C_6166
                unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
                return unsafe end + (isTrue ? 4 : 5)
            }
        case .strings:
            return unsafe list(values, stride: 16, room: JSONWriter.stringRoom, end) { writer, value, end in
                unsafe writer.string(at: value, end, room: JSONWriter.stringRoom)
            }
        default:
            guard let first = unsafe step.pointee.element, let stride = unsafe step.pointee.elements?.stride else { return nil }
            return unsafe models(values, stride: stride, first, isPositional: step.pointee.isPositional, end)
        }
    }

    /// Writes an array whose elements a closure writes: from an address, to a position; it returns the position after the element, or nil.
    ///
    /// - Parameter room: The space that an element needs with its comma.
    @inline(__always)
    private mutating func list(
        _ values: ArrayWords, stride: Int, room: Int, _ end: UnsafeMutablePointer<UInt8>,
        _ element: (inout JSONWriter, UnsafeRawPointer, UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>?
    ) -> UnsafeMutablePointer<UInt8>? {
        var end = unsafe makeRoom(1, end)
        unsafe end[0] = UInt8(ascii: "[")
        unsafe end += 1
        var value = unsafe values.first
        for _ in 0..<values.count {
            unsafe end = makeRoom(room, end)
            guard let next = unsafe element(&self, value, end) else { return nil }
            assert(unsafe next < start + capacity)
            unsafe next[0] = UInt8(ascii: ",")
            unsafe end = next + 1
            unsafe value += stride
        }
        // The closing bracket overwrites the last comma.
        if values.count > 0 { unsafe end -= 1 }
        // For the bracket and the comma after it.
        unsafe end = unsafe makeRoom(2, end)
        unsafe end[0] = UInt8(ascii: "]")
        return unsafe end + 1
    }
}
