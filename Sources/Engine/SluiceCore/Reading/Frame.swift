// One open container: where its values go, and what to do when it closes.

/// What kind of container is open.
enum FrameKind: UInt8 {
    /// Around the top-level value.
    case root
    /// An object with a draft.
    case model
    /// An object that a key path leads through: it has its own key table and shares the model's draft.
    case path
    case array
    case dictionary
    /// Around a captured value that is read as if it were a document of its own.
    case nested
}

/// An open container.
///
/// The current frame lies in ``Binder/Document``; the enclosing ones are copied to the stack of ``Binder/Frames``.
@safe
struct Frame {
    /// The row of the next value.
    var row: RowHandle
    /// Where the next value is stored.
    var address: UnsafeMutableRawPointer
    /// How many bytes `address` moves on after a value; 0 in a model, where each key sets it.
    var stride: Int
    /// When `address` gets here, the memory for elements is full: see ``Binder/reachLimit()``.
    var limit: UnsafeMutableRawPointer?
    /// The key that came last, after which the next one is expected.
    var lastKey: ExpectedKeyHandle
    /// The keys of this object.
    var level: KeyLevelHandle
    /// The address of the draft, of the model if it has no draft, or of the first element in memory.
    var base: UnsafeMutableRawPointer
    /// The draft's block, which starts with the presence bits; for elements, the same as `base`.
    var block: UnsafeMutableRawPointer
    /// How the container itself is bound.
    var binding: BindingHandle
    /// The arena's height before the container was opened.
    var mark: Arena.Mark
    /// How many keys of a dictionary have come: between a key and its value, one more than `count`.
    var keyCount = 0
    var kind: FrameKind
    /// Whether the position at `address` may already hold a value.
    var isReplacing = false
    /// How many earlier elements have been laid aside: see ``Binder/layAside()``.
    var laidAsideCount = 0
    /// How many elements have been left out.
    var droppedCount: Int32 = 0
    /// Whether the frame belongs to no open container of the text, so that ``Binder/Document/nesting`` does not count it.
    var isVirtual = false
    /// Whether the draft began as a copy of the model that it updates.
    var isPrefilled = false
    /// Whether the value is only tried as a type: if it does not fit, the attempt ends, and no outer frame drops it.
    var isAttempt = false
    /// Whether a value of an alternative key did not fit: see ``DeferredMismatch``.
    var hasPostponed = false
    /// Whether unknown keys of this object have been noted.
    var hasUnknownKeys = false
    /// Whether the keys of this object are noted: see ``Binder/NotedKeys``.
    var notesKeys = false
    /// Whether the model is built where it will live, and not in the arena.
    var isThere = false
    /// If the property has come before: whether it was null then, or was left out after null.
    var wasNull = false
    /// The rank that the property had before the current key; restored if the key's value is null or left out.
    var previousRank: UInt8 = 255

    /// How many elements or pairs are complete.
    var count: Int { laidAsideCount &+ countInMemory }

    /// How many of them lie in the frame's own memory.
    var countInMemory: Int {
        guard stride != 0 else { return 0 }
        assert(unsafe address >= base && (kind == .dictionary || (address - base) % stride == 0))
        return unsafe (address - base) / stride
    }

    /// The argument of `_complete` and `_destroy`.
    var contents: _Contents {
        switch kind {
        case .model:
            return draftContents
        case .dictionary:
            return unsafe _Contents(
                base: base, count: count, isKeyed: true, hasPendingKey: keyCount > count, stride: stride,
                valueOffset: binding.valueOffset, bound: noBits)
        case .array, .path, .root, .nested:
            return unsafe _Contents(base: base, count: countInMemory, stride: stride, bound: noBits)
        }
    }

    /// The contents of a model's frame: its draft.
    @inline(__always)
    var draftContents: _Contents {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        unsafe _Contents(of: binding.model.unsafelyUnwrapped, draft: base, block: block)
    }

    /// Empty presence bits, for contents that are not a draft.
    var noBits: _BoundProperties {
        // Safe: with 0 words, none are read.
        unsafe _BoundProperties(words: UnsafePointer(block.assumingMemoryBound(to: UInt64.self)), wordCount: 0)
    }
}

extension Frame {
    /// Whether this is a model that is built in its own memory, without a draft.
    var isInPlace: Bool {
        @inline(__always) get { binding.model?.isInPlace == true }
    }

    /// The root's frame of a document whose value goes to an address that holds a nil.
    init(ofRoot row: RowHandle, at root: UnsafeMutableRawPointer, _ level: KeyLevelHandle, mark: Arena.Mark) {
        // The first value reaches the limit, and `reachLimit` makes the frame refuse a second one.
        unsafe self.init(
            row: row, address: root, stride: 1, limit: root + 1, lastKey: level.start, level: level, base: root, block: root,
            binding: row.binding, mark: mark, kind: .root)
    }

    /// The root's frame before any document begins.
    init(idleIn level: KeyLevelHandle, mark: Arena.Mark) {
        // Safe: nothing is stored here, because the row accepts no value.
        unsafe self.init(
            ofRoot: ReaderRows.none, at: UnsafeMutableRawPointer(mutating: NoBytes.address), level, mark: mark)
    }
}
