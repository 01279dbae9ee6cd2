// Arrays of numbers or strings, and points that are written as arrays, make up most of a map or a table of measurements. The scanner
// reads them in a loop of their own: no element can be a container, so no frame is pushed.
//
// An element that is not plainly of the right type ends the loop before the binder has had an event of the array. The array is then
// read element by element, in the general way.

extension DocumentScanner {
    /// Reads the array of scalars that opens at a position. The outer optional is nil, and nothing has happened, if the general way must
    /// read the array; the inner one is nil if the binder has an error.
    @inline(__always)
    func readPlainArray(_ opening: Address) -> Address?? {
        let row = binder.state.document.frame.row
        switch row.kind {
        case .array:
            switch row.binding.builtinArray {
            case .double: return unsafe readDoubles(opening)
            case .int64: return unsafe readIntegers(opening)
            case .string: return unsafe readStrings(opening)
            case .model: return unsafe readEmptyArray(opening)
            default: return nil
            }
        case .model:
            guard row.binding.isOfDoubles else { return nil }
            return unsafe readDoublesOfModel(opening)
        case .value:
            return unsafe readTree(opening)
        default:
            return nil
        }
    }

    @inline(never)
    private func readDoubles(_ opening: Address) -> Address?? {
        unsafe readElements(opening, of: Double.self) { token, address in
            guard let number = unsafe double(token) else { return nil }
            unsafe address.initialize(to: number.value)
            return unsafe number.end
        }
    }

    @inline(never)
    private func readIntegers(_ opening: Address) -> Address?? {
        unsafe readElements(opening, of: Int.self) { token, address in
            guard let number = unsafe NumberParsing.leadingInt64(token, end) else { return nil }
            unsafe address.initialize(to: Int(number.value))
            return unsafe number.end
        }
    }

    @inline(never)
    private func readStrings(_ opening: Address) -> Address?? {
        unsafe readElements(opening, of: String.self) { token, address in
            guard unsafe token.pointee == UInt8(ascii: "\"") else { return nil }
            return unsafe storeString(token, at: address) { $0 }
        }
    }

    /// Reads an array that its element's type makes (see ``Binding/builtinArray``), if it is empty.
    @inline(__always)
    private func readEmptyArray(_ opening: Address) -> Address?? {
        guard isPlain, let closing = unsafe text.skipBlanks(opening + 1), unsafe closing.pointee == UInt8(ascii: "]")
        else { return nil }
        binder.state.document.token = unsafe TokenRange(closing, closing + 1)
        return unsafe .some(binder.state.finishEmptyArray() ? closing + 1 : nil)
    }

    /// Whether the array may be read without a frame.
    @inline(__always)
    var isPlain: Bool {
        binder.state.document.skipDepth == 0 && !binder.state.update.isActive
            && binder.state.document.nesting < binder.state.policy.maximumDepth
    }

    /// The number at a position, and the position after it.
    @inline(__always)
    private func double(_ token: Address) -> (value: Double, end: Address)? {
        if let number = unsafe NumberParsing.leadingDouble(token, end) { return unsafe number }
        return unsafe otherDouble(token)
    }

    @inline(never)
    private func otherDouble(_ token: Address) -> (value: Double, end: Address)? {
        guard unsafe token.pointee == .minus || token.pointee &- .digitZero <= 9,
            let next = unsafe NumberParsing.lexemeEnd(token, end),
            let value = unsafe NumberParsing.double(token, next - token), value.isFinite
        else { return nil }
        return unsafe (value, next)
    }

    /// Reads an array whose elements are of one builtin type, from its opening bracket on.
    ///
    /// - Parameter store: Stores the element at a position and returns the position after it, or nil.
    @inline(__always)
    private func readElements<Element>(
        _ opening: Address, of type: Element.Type, _ store: (Address, UnsafeMutablePointer<Element>) -> Address?
    ) -> Address?? {
        guard isPlain, var token = unsafe text.skipBlanks(opening + 1) else { return nil }
        let mark = binder.state.frames.arena.mark
        var capacity = 8
        // Safe: the arena's memory has no type of its own.
        var base = unsafe binder.state.frames.arena.allocate(capacity &* MemoryLayout<Element>.stride, alignment: 16)
            .assumingMemoryBound(to: Element.self)
        var count = 0
        var closing = unsafe token.pointee == UInt8(ascii: "]") ? token : nil
        while unsafe closing == nil {
            if count == capacity {
                unsafe base = unsafe binder.state.frames.arena.grow(base, capacity)
                capacity &*= 2
            }
            guard let next = unsafe store(token, base + count) else { break }
            count &+= 1
            guard let separator = unsafe text.skipBlanks(next) else { break }
            if unsafe separator.pointee == UInt8(ascii: ",") {
                guard let element = unsafe text.skipBlanks(separator + 1) else { break }
                unsafe token = unsafe element
            } else {
                guard unsafe separator.pointee == UInt8(ascii: "]") else { break }
                unsafe closing = unsafe separator
            }
        }
        guard let closing = unsafe closing else {
            unsafe base.deinitialize(count: count)
            binder.state.frames.arena.release(to: mark)
            return nil
        }
        binder.state.document.token = unsafe TokenRange(closing, closing + 1)
        // Safe: `count` elements have been stored.
        return unsafe .some(binder.state.finishArray(Array(moving: base, count: count), mark) ? closing + 1 : nil)
    }

    /// Reads a model that is written as an array of doubles, such as a point, and the models that follow it in an array of them.
    @inline(never)
    private func readDoublesOfModel(_ opening: Address) -> Address?? {
        guard isPlain else { return nil }
        let binding = binder.state.document.frame.row.binding
        let level = binder.state.document.stackCount
        let isElement = binder.state.document.frame.kind == .array
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        if isElement, layout.isInPlace, !layout.hasHook, binder.state.document.frame.row.depth == 0,
            !binder.state.document.frame.isReplacing, !binder.state.policy.countsProperties
        {
            return unsafe readDoublesThere(opening, layout)
        }
        var read = unsafe readModel(opening, of: binding)
        // A hook may have refused the model, and an outer frame may have dropped the array.
        while isElement, binder.state.document.stackCount == level, isPlain, let end = unsafe read ?? nil,
            unsafe self.end - end > 1, unsafe end[0] == UInt8(ascii: ","), unsafe end[1] == UInt8(ascii: "[")
        {
            // A model that is not plain is left to the general way.
            guard let next = unsafe readModel(end + 1, of: binding) else { return unsafe .some(end) }
            unsafe read = .some(next)
        }
        return unsafe read
    }

    /// Reads such models into the memory of the array's elements, where no more has to be done than to store their doubles.
    @inline(__always)
    private func readDoublesThere(_ opening: Address, _ layout: LayoutHandle) -> Address?? {
        var read: Address?? = nil
        var next = unsafe opening
        repeat {
            let address = unsafe binder.state.document.frame.address
            guard let end = unsafe storeDoubles(next, layout.slotCount, layout.firstRows, at: address) else { return unsafe read }
            binder.state.document.token = unsafe TokenRange(end - 1, end)
            guard binder.state.advance() else { return unsafe .some(nil) }
            unsafe read = .some(end)
            guard unsafe self.end - end > 1, unsafe end[0] == UInt8(ascii: ","), unsafe end[1] == UInt8(ascii: "[") else {
                return unsafe read
            }
            unsafe next = unsafe end + 1
        } while true
    }

    /// Stores the doubles of the array that opens at a position in a model. Returns the position after the array; nil if it has others, or
    /// another number of them.
    @inline(__always)
    private func storeDoubles(
        _ opening: Address, _ count: Int, _ rows: RowHandle, at model: UnsafeMutableRawPointer
    ) -> Address? {
        guard var token = unsafe text.skipBlanks(opening + 1) else { return nil }
        for index in 0..<count {
            guard let number = unsafe double(token), let separator = unsafe text.skipBlanks(number.end) else { return nil }
            // Safe: the table says that the model has a `Double` at the row's offset.
            unsafe (model + rows[index].offset).assumingMemoryBound(to: Double.self).initialize(to: number.value)
            if index == count &- 1 { return unsafe separator.pointee == UInt8(ascii: "]") ? separator + 1 : nil }
            guard unsafe separator.pointee == UInt8(ascii: ","), let next = unsafe text.skipBlanks(separator + 1) else {
                return nil
            }
            unsafe token = unsafe next
        }
        return nil
    }

    @inline(__always)
    private func readModel(_ opening: Address, of binding: BindingHandle) -> Address?? {
        guard var token = unsafe text.skipBlanks(opening + 1) else { return nil }
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        let mark = binder.state.frames.arena.mark
        let block = unsafe binder.state.frames.arena.allocate(layout.blockSize, alignment: layout.blockAlignment)
        let draft = unsafe block + layout.draftOffset
        let count = layout.slotCount
        var index = 0
        while let number = unsafe double(token), let separator = unsafe text.skipBlanks(number.end) {
            // Safe: the table says that the model has a `Double` at the row's offset, or its draft a `Double?`.
            let address = unsafe draft + layout.row(ofSlot: index).offset
            if layout.isInPlace {
                unsafe address.assumingMemoryBound(to: Double.self).initialize(to: number.value)
            } else {
                unsafe address.assumingMemoryBound(to: Double?.self).initialize(to: number.value)
            }
            index &+= 1
            unsafe token = unsafe separator
            guard index < count else { break }
            guard unsafe separator.pointee == UInt8(ascii: ","), let next = unsafe text.skipBlanks(separator + 1) else { break }
            unsafe token = unsafe next
        }
        guard index == count, unsafe token.pointee == UInt8(ascii: "]") else {
            // A draft of optional doubles needs no destruction.
            binder.state.frames.arena.release(to: mark)
            return nil
        }
        // Safe: a block starts with a word of presence bits and one of null bits: there are fewer slots than bits in a word.
        let words = unsafe block.assumingMemoryBound(to: UInt64.self)
        unsafe words.initialize(to: (1 &<< UInt64(truncatingIfNeeded: count)) &- 1)
        unsafe (words + 1).initialize(to: 0)
        binder.state.document.token = unsafe TokenRange(token, token + 1)
        return unsafe .some(binder.state.completeModel(binding, block: block, draft: draft, mark) ? token + 1 : nil)
    }
}
