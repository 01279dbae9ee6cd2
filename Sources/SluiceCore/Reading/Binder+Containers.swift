// A container opens and its frame is pushed; it closes, and what it gathered becomes a value in the frame around it.

extension Binder {
    // MARK: Events

    /// `{`
    @inline(__always)
    mutating func openObject() -> Bool {
        nesting &+= 1
        if nesting > maximumDepth { return failDepth() }
        if skipDepth != 0 {
            skipDepth &+= 1
            return true
        }
        let row = unsafe frame.row
        switch unsafe row.pointee.kind {
        case .model:
            return unsafe openModel(row.pointee.binding, as: .object)
        case .ignored:
            skipDepth = 1
            return true
        case .raw, .rawCell, .sharedKey, .captured:
            return openCapture()
        case .dictionary, .value:
            unsafe openElements(row.pointee.binding, kind: .dictionary)
            return true
        case .path:
            return unsafe openPath(row)
        case .checked:
            return openChecked()
        case .cell:
            return openCellContainer("an object")
        default:
            return mismatch(found: "an object")
        }
    }

    /// `[`
    @inline(__always)
    mutating func openArray() -> Bool {
        nesting &+= 1
        if nesting > maximumDepth { return failDepth() }
        if skipDepth != 0 {
            skipDepth &+= 1
            return true
        }
        let row = unsafe frame.row
        switch unsafe row.pointee.kind {
        case .array, .value:
            unsafe openElements(row.pointee.binding, kind: .array)
            return true
        case .model:
            return unsafe openModel(row.pointee.binding, as: .array)
        case .ignored:
            skipDepth = 1
            return true
        case .raw, .rawCell, .sharedKey, .captured:
            return openCapture()
        case .path where unsafe row.pointee.level?.pointee.hasPlaces == true:
            // Not every element has a place.
            hasUnboundValue = true
            return openCapture()
        case .path:
            return openArrayOnPath()
        case .checked:
            return openChecked()
        case .cell:
            return openCellContainer("an array")
        default:
            return mismatch(found: "an array")
        }
    }

    /// `}`
    @inline(__always)
    mutating func closeObject() -> Bool {
        nesting &-= 1
        if skipDepth != 0 { return leaveSkipped() }
        switch frame.kind {
        case .model: return closeModel()
        case .path: return closePath()
        default: return closeElements()
        }
    }

    /// `]`
    @inline(__always)
    mutating func closeArray() -> Bool {
        nesting &-= 1
        if skipDepth != 0 { return leaveSkipped() }
        return frame.kind == .model ? closeModel() : closeElements()
    }

    // MARK: Models

    @inline(__always)
    private mutating func openModel(_ binding: UnsafePointer<Binding>, as form: JSONLayout) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.pointee.model.unsafelyUnwrapped
        if unsafe layout.pointee.isInvalid { return unsafe failModel(layout) }
        guard unsafe layout.pointee.isPositional == (form == .array) else {
            return mismatch(found: form == .array ? "an array" : "an object")
        }
        let outer = isUpdating && updatesPlace ? destination : nil
        let mark = arena.mark
        let block = unsafe arena.allocate(layout.pointee.blockSize, alignment: layout.pointee.blockAlignment)
        unsafe block.copyMemory(from: layout.pointee.template, byteCount: layout.pointee.blockSize)
        push()
        let level = unsafe layout.pointee.level
        let draft = unsafe block + layout.pointee.draftOffset
        frame = unsafe Frame(
            row: ignoredRow, address: draft, stride: 0, limit: nil, expected: level.pointee.rows, level: level,
            base: draft, block: block, binding: binding, mark: mark, kind: .model)
        if let outer { _ = unsafe prefill(binding, layout, from: outer) }
        return unsafe form == .object || bindPlace(layout.pointee.firstRows)
    }

    /// Stores an array that no frame was pushed for.
    @inline(__always)
    mutating func finishArray<Element>(_ array: consuming [Element], _ mark: Arena.Mark) -> Bool {
        destination.store(array)
        arena.release(to: mark)
        return advance()
    }

    /// Stores an array without elements.
    @inline(__always)
    mutating func finishEmptyArray() -> Bool {
        unsafe frame.row.pointee.binding.pointee.elementType._completeArray(
            _Contents(base: frame.base, count: 0, bound: frame.noBits), at: destination)
        return advance()
    }

    /// Makes a model of a draft that no frame was pushed for.
    @inline(__always)
    mutating func completeModel(
        _ binding: UnsafePointer<Binding>, block: UnsafeMutableRawPointer, draft: UnsafeMutableRawPointer, _ mark: Arena.Mark
    ) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out, and a block starts with its bits.
        let layout = unsafe binding.pointee.model.unsafelyUnwrapped
        let bound = unsafe _BoundProperties(
            words: UnsafePointer(block.assumingMemoryBound(to: UInt64.self)), wordCount: layout.pointee.wordCount)
        var contents = unsafe _Contents(base: draft, count: layout.pointee.slotCount, bound: bound)
        contents.skipsHooks = unsafe layout.pointee.skipsHooks
        if countsProperties { unsafe countProperties(layout, bound) }
        do throws(JSONError) {
            try unsafe binding.pointee.type._complete(contents, at: destination)
        } catch {
            let finished = unsafe Frame(
                row: ignoredRow, address: draft, stride: 0, limit: nil, expected: emptyLevel.pointee.rows, level: emptyLevel,
                base: draft, block: block, binding: binding, mark: mark, kind: .model)
            return failCompletion(of: finished, error)
        }
        arena.release(to: mark)
        return advance()
    }

    @inline(never)
    private mutating func failModel(_ layout: UnsafePointer<ModelLayout>) -> Bool {
        unsafe park(layout.pointee.table.takeUnretainedValue().problem ?? JSONError(.invalidModel))
    }

    @inline(__always)
    private mutating func closeModel() -> Bool {
        if frame.hasPostponed, let failure = settlePostponed() { return failPostponed(failure) }
        let finished = frame
        pop()
        if countsProperties, let layout = unsafe finished.modelLayout {
            unsafe countProperties(layout, finished.draftContents.bound)
        }
        do throws(JSONError) {
            if finished.isPrefilled {
                var contents = finished.draftContents
                objectUpdates?.level = stackCount
                unsafe contents.updates = objectUpdates.map { unsafe .passUnretained($0) }
                try unsafe finished.binding.pointee.type._completeUpdate(contents, at: destination)
            } else {
                try unsafe finished.binding.pointee.type._complete(finished.draftContents, at: destination)
            }
        } catch {
            return failCompletion(of: finished, error)
        }
        arena.release(to: finished.mark)
        return advance()
    }

    /// Points the frame at the property of the next place in an array; behind the last one nothing is bound.
    private mutating func bindPlace(_ row: UnsafePointer<PropertyRow>) -> Bool {
        guard unsafe row.pointee.kind != .none else {
            unsafe frame.row = unsafe ReaderRows.ignored
            unsafe frame.limit = nil
            return true
        }
        guard unsafe bind(row) else { return false }
        // Any value moves on from here: see `reachLimit`.
        unsafe frame.limit = unsafe frame.address
        return true
    }

    /// An object on the way of a key path shares the draft of the model around it.
    mutating func openPath(_ row: UnsafePointer<PropertyRow>) -> Bool {
        // Safe: the table compiler gives every path row a level.
        let level = unsafe row.pointee.level.unsafelyUnwrapped
        push()
        frame.kind = .path
        unsafe frame.row = unsafe ignoredRow
        unsafe frame.level = unsafe level
        unsafe frame.expected = unsafe level.pointee.rows
        frame.mark = arena.mark
        return true
    }

    private mutating func closePath() -> Bool {
        pop()
        return true
    }

    // MARK: Elements and pairs

    @inline(__always)
    private mutating func openElements(_ binding: UnsafePointer<Binding>, kind: FrameKind) {
        // Safe: bindings of these kinds always have an element's row.
        let row = unsafe binding.pointee.element.unsafelyUnwrapped
        let isKeyed = kind == .dictionary
        let stride =
            unsafe isKeyed || binding.pointee.kind != .value
            ? binding.pointee.elementStride : MemoryLayout<JSONValue>.stride
        let valueOffset = unsafe isKeyed ? binding.pointee.valueOffset : 0
        let mark = arena.mark
        // Enough for a pair of coordinates or a few tags without growing; growing in place is cheap.
        let size = max(stride, 1) &* 4
        let base = unsafe arena.allocate(size, alignment: max(binding.pointee.elementAlignment, 8))
        push()
        frame = unsafe Frame(
            row: row, address: base + valueOffset, stride: max(stride, 1), limit: base + (size &+ valueOffset),
            expected: emptyLevel.pointee.rows, level: emptyLevel, base: base, block: base,
            binding: binding, mark: mark, kind: kind)
    }

    @inline(__always)
    private mutating func closeElements() -> Bool {
        let finished = frame
        let binding = unsafe finished.binding
        pop()
        if frame.isPrefilled, unsafe frame.row.pointee.policy?.pointee.update == .append {
            do throws(JSONError) {
                if try unsafe binding.pointee.type._append(finished.contents, at: destination) {
                    arena.release(to: finished.mark)
                    return advance()
                }
            } catch {
                return failCompletion(of: finished, error)
            }
        }
        let start = unsafe finished.base
        // Safe: the table says that these elements are of this very type, and `count` of them are initialised.
        switch unsafe binding.pointee.builtinArray {
        case .double:
            let count = unsafe (finished.address - start) / MemoryLayout<Double>.stride
            let elements = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: Double.self), count: count)
            unsafe destination.store(Array(elements))
        case .int64:
            let count = unsafe (finished.address - start) / MemoryLayout<Int>.stride
            let elements = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: Int.self), count: count)
            unsafe destination.store(Array(elements))
        case .string:
            let count = unsafe (finished.address - start) / MemoryLayout<String>.stride
            unsafe destination.store(Array(moving: start.assumingMemoryBound(to: String.self), count: count))
        case .model:
            // The element's module makes the array: there its type is known, and no metadata is looked up.
            if finished.laidAsideCount > 0 {
                completeLargeArray(finished)
            } else {
                unsafe binding.pointee.elementType._completeArray(finished.contents, at: destination)
            }
        case .cell:
            storeList(of: finished)
        default:
            do throws(JSONError) {
                try unsafe binding.pointee.type._complete(finished.contents, at: destination)
            } catch {
                return failCompletion(of: finished, error)
            }
        }
        arena.release(to: finished.mark)
        return advance()
    }

    /// The memory for elements is used up, or the root has its value.
    @inline(never)
    mutating func reachLimit() -> Bool {
        if frame.kind == .root {
            rootEnd = unsafe chunk.offset(of: token.end)
            unsafe frame.address -= frame.stride
            unsafe frame.row = unsafe ReaderRows.none
            return true
        }
        if frame.kind == .model { return unsafe bindPlace(frame.row + 1) }
        let valueOffset = unsafe frame.kind == .dictionary ? frame.binding.pointee.valueOffset : 0
        // Safe: the limit was set when the frame was opened.
        let limit = unsafe frame.limit.unsafelyUnwrapped
        let used = unsafe limit - valueOffset - frame.base
        let end = unsafe limit - valueOffset
        if unsafe arena.extend(end, by: used) {
            unsafe frame.limit = unsafe limit + used
        } else if used >= Binder.largeArray, unsafe frame.binding.pointee.builtinArray == .model, !isUpdating {
            layAside()
        } else {
            let moved = unsafe arena.allocate(used * 2, alignment: max(frame.binding.pointee.elementAlignment, 8))
            unsafe frame.binding.pointee.type._relocate(frame.contents, to: moved)
            unsafe frame.address = unsafe moved + used + valueOffset
            unsafe frame.limit = unsafe moved + used * 2 + valueOffset
            unsafe frame.base = unsafe moved
            unsafe frame.block = unsafe moved
        }
        return true
    }

    // MARK: Values that are skipped or captured

    @inline(__always)
    private mutating func leaveSkipped() -> Bool {
        skipDepth &-= 1
        guard skipDepth == 0 else { return true }
        if capture.isActive { return finishCapture() }
        if unsafe resumedRow != nil { return resume() }
        return unsafe frame.row.pointee.kind != .checked || closeChecked()
    }

    /// The container that has just opened is kept as text.
    mutating func openCapture() -> Bool {
        unsafe capture.begin(at: token.start)
        skipDepth = 1
        return true
    }

    /// The container whose text is kept ends with the current token.
    @inline(never)
    private mutating func finishCapture() -> Bool {
        guard let start = unsafe capture.start else { return true }
        return unsafe bindText(from: start, capture.end())
    }

    /// A scalar is kept as it stands.
    @inline(never)
    mutating func captureScalar() -> Bool {
        let head = unsafe yajl?.pointee.head ?? CarriedText()
        return unsafe bindText(from: head.isEmpty ? token.start : chunk.start, head)
    }

    /// Binds the text that ends with the current token and starts in this chunk, or in earlier ones.
    private mutating func bindText(from start: UnsafePointer<UInt8>, _ carried: CarriedText) -> Bool {
        let tail = unsafe UnsafeBufferPointer(start: start, count: max(0, token.end - start))
        if carried.isEmpty { return unsafe bindText(tail) }
        let outer = (chunk, token)
        defer { (chunk, token) = outer }
        return unsafe (carried.bytes + tail).withUnsafeBytes { whole in
            chunk = unsafe Chunk(whole, at: carried.position)
            token = unsafe TokenPlace(chunk.start, chunk.end)
            return unsafe bindText(UnsafeBufferPointer(start: chunk.start, count: whole.count))
        }
    }

    private mutating func bindText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // From here on the value is one token.
        if let start = text.baseAddress { unsafe token.start = unsafe start }
        switch unsafe frame.row.pointee.kind {
        case .sharedKey, .captured, .path: return unsafe bindCapturedText(text)
        default: return unsafe storeRaw(text) && advance()
        }
    }

    mutating func storeRaw(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Safe: a trimmed raw value has at least one byte, so it has an address.
        guard let start = bytes.baseAddress, unsafe UnicodeValidation.isUTF8(start, bytes.count) else {
            return unsafe failUnicode(UnicodeFault(in: UnsafeRawBufferPointer(bytes)))
        }
        if unsafe frame.row == ReaderRows.captured { return unsafe storeConverted(bytes) }
        // Raw JSON is promised to be JSON, whatever else is checked.
        guard unsafe UnicodeValidation.hasPairedSurrogates(UnsafeRawBufferPointer(bytes)) else {
            return unsafe failUnicode(UnicodeFault(in: UnsafeRawBufferPointer(bytes)))
        }
        if unsafe frame.row.pointee.kind == .rawCell || frame.row.pointee.kind == .cell { return unsafe storeRawCell(bytes) }
        unsafe destination.store(RawJSON(validated: bytes))
        return true
    }
}

extension Array {
    /// An array of elements that are moved out of their memory.
    @inlinable
    init(moving elements: UnsafeMutablePointer<Element>, count: Int) {
        guard count > 0 else {
            // Otherwise the standard library would write a count into the one empty array that all threads share.
            self = []
            return
        }
        self = []
        // `init(unsafeUninitializedCapacity:initializingWith:)` is not specialised: it looks the metadata of the array's memory up,
        // which costs as much as the memory.
        reserveCapacity(count)
        unsafe append(contentsOf: MovedElements(start: elements, count: count))
    }

    /// The same where the element's type is known at run time alone.
    init(movingUnknown elements: UnsafeMutablePointer<Element>, count: Int) {
        guard count > 0 else {
            self = []
            return
        }
        unsafe self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            // Safe: an array of a capacity above 0 has memory.
            unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: elements, count: count)
            initialized = count
        }
    }
}

/// Elements that an array takes out of their memory, all at once.
@usableFromInline @frozen
@safe
struct MovedElements<Element>: Sequence, IteratorProtocol {
    @usableFromInline let start: UnsafeMutablePointer<Element>
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(start: UnsafeMutablePointer<Element>, count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    @inlinable @inline(__always)
    var underestimatedCount: Int { count }

    @inlinable @inline(__always)
    func makeIterator() -> Self { self }

    /// Nothing is left behind those that have been moved.
    @inlinable @inline(__always)
    mutating func next() -> Element? { nil }

    @inlinable @inline(__always)
    func _copyContents(initializing buffer: UnsafeMutableBufferPointer<Element>) -> (Self, Int) {
        // Safe: the array has made room for as many as there are.
        unsafe buffer.baseAddress.unsafelyUnwrapped.moveInitialize(from: start, count: count)
        return (self, count)
    }
}
