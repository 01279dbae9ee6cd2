// One open container: where its values go, and what to do when it closes.

/// What kind of container is open.
enum FrameKind: UInt8 {
    /// Around the top-level value.
    case root
    /// An object with a draft.
    case model
    /// An object on the way of a key path: its keys are those of a deeper level, its draft is the model's.
    case path
    case array
    case dictionary
    /// Around a captured value that is read as if it were a document of its own.
    case nested
}

/// An open container.
///
/// The current frame lies in ``Binder`` itself; the enclosing ones are copied to its stack.
@safe
struct Frame {
    /// The row of the value to come.
    var row: RowHandle
    /// Where that value goes.
    var address: UnsafeMutableRawPointer
    /// How far the address moves on behind a value: 0 in an object, where the next key says where to go.
    var stride: Int
    /// The address at which the memory for elements is used up.
    var limit: UnsafeMutableRawPointer?
    /// The row that the next key probably has.
    var expected: RowHandle
    /// The keys of this object.
    var level: KeyTableHandle
    /// The draft, or the first element.
    var base: UnsafeMutableRawPointer
    /// The draft's block: presence bits first.
    var block: UnsafeMutableRawPointer
    /// How the container itself is bound.
    var binding: BindingHandle
    /// The arena's height before the container was opened.
    var mark: Arena.Mark
    /// Keys seen in a dictionary, one more than values while a value is awaited.
    var keyCount = 0
    var kind: FrameKind
    /// Whether the place at `address` may already hold a value.
    var isReplacing = false
    /// Elements before those in the frame's memory: see ``Binder/layAside()``.
    var laidAsideCount = 0
    /// Elements that have been left out.
    var droppedCount: Int32 = 0
    /// Whether no container of the text stands behind the frame.
    var isVirtual = false
    /// Whether the draft began with the properties of the model that it updates.
    var isPrefilled = false
    /// Whether the value at hand is only tried: what does not fit goes no further out.
    var isTrial = false
    /// Whether values of alternative keys did not fit.
    var hasPostponed = false
    /// Whether keys of the object are noted that no property has.
    var hasUnknownKeys = false
    /// The rank that held a property before the current key, to go back to if its value is null.
    var previousRank: UInt8 = 255

    /// Complete elements or pairs so far.
    var count: Int { laidAsideCount &+ countInMemory }

    /// The same in the frame's own memory.
    var countInMemory: Int {
        unsafe stride == 0 ? 0 : (address - base) / stride
    }

    /// What `_complete` and `_destroy` get.
    var contents: _Contents {
        switch kind {
        case .model:
            return draftContents
        case .dictionary:
            return unsafe _Contents(
                base: base, count: count, isKeyed: true, hasPendingKey: keyCount > count, stride: stride,
                valueOffset: binding.valueOffset, bound: bound(wordCount: 0))
        case .array, .path, .root, .nested:
            return unsafe _Contents(base: base, count: countInMemory, stride: stride, bound: bound(wordCount: 0))
        }
    }

    /// The same for the frame of a model.
    @inline(__always)
    var draftContents: _Contents {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        var contents = unsafe _Contents(
            base: base, count: layout.slotCount, bound: bound(wordCount: layout.wordCount))
        contents.skipsHooks = layout.skipsHooks
        return contents
    }

    /// Presence bits, for contents that have none.
    var noBits: _BoundProperties { bound(wordCount: 0) }

    @inline(__always)
    private func bound(wordCount: Int) -> _BoundProperties {
        // Safe: a block starts with its presence bits; other containers have no bits, and none are looked at.
        unsafe _BoundProperties(words: UnsafePointer(block.assumingMemoryBound(to: UInt64.self)), wordCount: wordCount)
    }
}
