// Writes arrays directly from the model's memory, as plain fields are written: without a call into the model for the array, and without a
// call into the element's type for each element.

/// An array type whose values may be plain fields.
protocol PlainList {
    /// The type of the elements, if they are models.
    static var model: (any JSONModel.Type)? { get }
    /// Whether the elements are scalars that the writer knows.
    static var isOfScalars: Bool { get }

    /// Writes an array. Returns false if it has to be written element by element; the text that it may have left must be removed.
    ///
    /// - Parameter address: The address of an array of this type.
    static func write(at address: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool
}

extension Array: PlainList where Element: JSONWritable {
    static var model: (any JSONModel.Type)? { Element.self is AnyClass ? nil : Element.self as? any JSONModel.Type }

    static var isOfScalars: Bool {
        Element.self == Int.self || Element.self == Double.self || Element.self == String.self || Element.self == Bool.self
            || rows?.isOfScalars == true
    }

    /// The type of the elements, if they are arrays.
    private static var rows: (any PlainList.Type)? { Element.self as? any PlainList.Type }

    static func write(at address: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool {
        // Safe: the caller has an array of this type there. The comparisons have shown the element's type.
        if Element.self == Int.self { return unsafe writer.list(address.assumingMemoryBound(to: [Int].self).pointee) }
        if Element.self == String.self { return unsafe writer.list(address.assumingMemoryBound(to: [String].self).pointee) }
        if Element.self == Double.self { return unsafe writer.list(address.assumingMemoryBound(to: [Double].self).pointee) }
        if Element.self == Bool.self { return unsafe writer.list(address.assumingMemoryBound(to: [Bool].self).pointee) }
        return unsafe address.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer { elements in
            guard let first = elements.baseAddress, elements.count > 0 else {
                writer.append("[]")
                return true
            }
            if unsafe Element._writeArray(UnsafeRawPointer(first), elements.count, to: &writer) { return true }
            guard let rows else { return false }
            return unsafe writer.list(of: rows, UnsafeRawPointer(first), elements.count, stride: MemoryLayout<Element>.stride)
        }
    }
}

extension JSONWriter {
    /// Writes an array in compact text. Returns false if an element stops it.
    ///
    /// - Parameters:
    ///   - room: The space that an element needs with its comma.
    ///   - element: Writes an element at a position; returns the position after it, or nil.
    @inline(__always)
    private mutating func list<Element>(
        _ values: [Element], room: Int,
        _ element: (inout JSONWriter, UnsafePointer<Element>, UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        unsafe values.withUnsafeBufferPointer { values in
            var end = unsafe makeRoom(2, start + count)
            unsafe end[0] = UInt8(ascii: "[")
            unsafe end += 1
            if let first = values.baseAddress {
                for index in values.indices {
                    // One byte is the closing bracket.
                    unsafe end = makeRoom(room &+ 2, end)
                    guard let next = unsafe element(&self, first + index, end) else { return false }
                    unsafe next[0] = UInt8(ascii: ",")
                    unsafe end = next + 1
                }
            }
            // The closing bracket overwrites the last comma.
            if values.count > 0 { unsafe end -= 1 }
            unsafe end[0] = UInt8(ascii: "]")
            unsafe count = end + 1 - start
            return true
        }
    }

    /// Writes an array of arrays.
    fileprivate mutating func list(of type: any PlainList.Type, _ first: UnsafeRawPointer, _ number: Int, stride: Int) -> Bool {
        nesting &+= 1
        defer { nesting &-= 1 }
        guard nesting < options.maximumDepth else { return false }
        append(UInt8(ascii: "["))
        for index in 0..<number {
            // Safe: `number` arrays of this type lie at `first`, `stride` bytes apart.
            guard unsafe type.write(at: first + index &* stride, to: &self) else { return false }
            endElement()
        }
        // The closing bracket overwrites the last comma.
        count &-= 1
        append(UInt8(ascii: "]"))
        return true
    }

    fileprivate mutating func list(_ values: [Int]) -> Bool {
        unsafe list(values, room: NumberFormatting.maximumLength) { _, value, end in
            unsafe end + NumberFormatting.write(Int64(value.pointee), to: end)
        }
    }

    fileprivate mutating func list(_ values: [Double]) -> Bool {
        unsafe list(values, room: NumberFormatting.maximumLength) { _, value, end in
            guard unsafe value.pointee.isFinite else { return nil }
            return unsafe end + NumberFormatting.writeHere(value.pointee, to: end)
        }
    }

    fileprivate mutating func list(_ values: [Bool]) -> Bool {
        unsafe list(values, room: 8) { _, value, end in
            let isTrue = unsafe value.pointee
            let word: UInt64 = isTrue ? 0x6575_7274 : 0x65_736C_6166
            unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt64.self)
            return unsafe end + (isTrue ? 4 : 5)
        }
    }

    fileprivate mutating func list(_ values: [String]) -> Bool {
        // A small string is stored as two words.
        unsafe list(values, room: 18) { writer, value, end in
            let words = unsafe StringWords(at: value)
            if words.isSmall, !words.needsEscape, !writer.escapesMore {
                unsafe end[0] = .quote
                unsafe words.store(to: end + 1)
                unsafe end[1 + words.count] = .quote
                return unsafe end + 2 + words.count
            }
            unsafe writer.count = end - writer.start
            unsafe writer.writeString(value.pointee)
            return unsafe writer.makeRoom(2, writer.start + writer.count)
        }
    }
}
