// Elements of arrays, and pairs of dictionaries, are gathered in the arena until their container closes and becomes a value.

extension Binder {
    @inline(__always)
    mutating func openElements(_ binding: BindingHandle, kind: FrameKind) {
        // Safe: bindings of these kinds always have an element's row.
        let row = unsafe binding.element.unsafelyUnwrapped
        let isKeyed = kind == .dictionary
        let stride =
            isKeyed || binding.kind != .value
            ? binding.elementStride : MemoryLayout<JSONValue>.stride
        let valueOffset = isKeyed ? binding.valueOffset : 0
        let mark = frames.arena.mark
        // Enough for a pair of coordinates or a few tags without growing; growing in place is cheap.
        let size = max(stride, 1) &* 4
        let base = unsafe frames.arena.allocate(size, alignment: max(binding.elementAlignment, 8))
        push()
        document.frame = unsafe Frame(
            row: row, address: base + valueOffset, stride: max(stride, 1), limit: base + (size &+ valueOffset),
            lastKey: policy.noLevel.start, level: policy.noLevel, base: base, block: base,
            binding: binding, mark: mark, kind: kind)
    }

    @inline(__always)
    mutating func closeElements() -> Bool {
        let finished = document.frame
        let binding = finished.binding
        pop()
        if document.frame.isPrefilled, unsafe document.frame.row.policy?.pointee.update == .append {
            if finished.notesKeys { endNotes() }
            do throws(JSONError) {
                if try binding.assembly.append(finished.contents, at: destination) {
                    frames.arena.release(to: finished.mark)
                    return advance()
                }
            } catch {
                return failCompletion(of: finished, error)
            }
        }
        let start = unsafe finished.base
        // Safe: the table says that these elements are of this very type, and `count` of them are initialised.
        switch binding.builtinArray {
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
                binding.elementType._completeArray(finished.contents, at: destination)
            }
        case .jsonCell:
            storeList(of: finished)
        case .modelText:
            storeArrayText(of: finished)
        default:
            if finished.notesKeys { endNotes() }
            do throws(JSONError) {
                try binding.assembly._complete(finished.contents, at: destination)
            } catch {
                return failCompletion(of: finished, error)
            }
        }
        frames.arena.release(to: finished.mark)
        return advance()
    }

    /// Runs at the frame's limit: the memory for elements is full, the root has its value, a property with constraints has one, or an array
    /// that is read as a model goes on with the next property.
    @inline(never)
    mutating func reachLimit() -> Bool {
        if document.frame.kind == .root {
            document.rootEnd = unsafe document.chunk.offset(of: document.token.end)
            unsafe document.frame.address -= document.frame.stride
            document.frame.row = policy.noRow
            return true
        }
        if document.frame.kind == .model || document.frame.kind == .path {
            if document.frame.row.flags.contains(.constrained), let goesOn = checkConstraints() { return goesOn }
            return document.frame.modelLayout?.isPositional == true ? unsafe bindAddress(document.frame.row + 1) : true
        }
        let valueOffset = document.frame.kind == .dictionary ? document.frame.binding.valueOffset : 0
        // Safe: the limit was set when the frame was opened.
        let limit = unsafe document.frame.limit.unsafelyUnwrapped
        let used = unsafe limit - valueOffset - document.frame.base
        let end = unsafe limit - valueOffset
        if unsafe frames.arena.extend(end, by: used) {
            unsafe document.frame.limit = unsafe limit + used
        } else if used >= Binder.largeArray, document.frame.binding.builtinArray == .model, !update.isActive {
            layAside()
        } else {
            let moved = unsafe frames.arena.allocate(used * 2, alignment: max(document.frame.binding.elementAlignment, 8))
            unsafe document.frame.binding.assembly.relocate(document.frame.contents, to: moved)
            unsafe document.frame.address = unsafe moved + used + valueOffset
            unsafe document.frame.limit = unsafe moved + used * 2 + valueOffset
            unsafe document.frame.base = unsafe moved
            unsafe document.frame.block = unsafe moved
        }
        return true
    }

    /// Stores an array that no frame was pushed for.
    @inline(__always)
    mutating func finishArray<Element>(_ array: consuming [Element], _ mark: Arena.Mark) -> Bool {
        destination.store(array)
        frames.arena.release(to: mark)
        return advance()
    }

    /// Stores an array without elements.
    @inline(__always)
    mutating func finishEmptyArray() -> Bool {
        unsafe document.frame.row.binding.elementType._completeArray(
            _Contents(base: document.frame.base, count: 0, bound: document.frame.noBits), at: destination)
        return advance()
    }
}
