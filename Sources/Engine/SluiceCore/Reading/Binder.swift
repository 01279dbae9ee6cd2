// The binder takes events, one method each, and stores values in drafts and element memory, and at last at the root's address.
// It does not know who makes the events: yajl's callbacks, the scanner and tests call the same methods.
//
// Every event method returns false to stop the source; the document's `error` then holds the reason.

internal import CYajl

/// What binds the values of a document. Each reader owns one, at a fixed address.
///
/// What belongs to one document is all in ``document``: it begins as a new value, or as ``beginAgain(_:at:_:)`` does it, and an attempt
/// keeps a copy of it and restores that copy if the attempt fails.
@safe
struct Binder {
    /// The document that is being read, as far as it has been read.
    var document: Document
    /// What the reader's options ask for.
    var policy: Policy
    /// The memory of open containers.
    var frames = Frames()
    /// The container whose text is being captured, if any, and what reads captured text.
    var capture = CaptureState()
    /// What is remembered while values are tried as one type after the other.
    var attempts = Attempts()
    /// What the document updates, if it updates a value.
    var update = Update()
    /// What cells of the current record point to.
    var cells = CellBytes()
    /// The orders in which the keys of objects are expected.
    var expectedKeys = ExpectedKeys()
    /// The copy of the text whose slices are the document's substrings.
    var shared = SharedText()
    /// The row of the last document, if the next one with this row may begin as ``beginAgain(_:at:_:)`` does it.
    private(set) var repeatable: RowHandle?

    init(options: JSONReader.Options) {
        policy = Policy(options)
        document = Document(frame: Frame(idleIn: policy.noLevel, mark: frames.arena.mark), chunk: .none)
    }

    mutating func deallocate() {
        unwind()
        frames.deallocate()
        expectedKeys.deallocate()
        capture.decoded.deallocate()
        policy.deallocate()
    }

    /// How many bytes of memory are kept between documents. A larger document's extra memory is freed.
    private static let keptMemory = 4 << 20

    // MARK: A document

    /// Starts a document whose value goes to `root`, memory that already holds a nil.
    ///
    /// - Parameters:
    ///   - chunk: The first part of the document, or all of it; or none, if ``beginChunk(_:at:)`` brings it.
    ///   - isEmpty: Whether the root surely holds nil; otherwise it may hold the value of an attempt that failed later in the text.
    @inline(__always)
    mutating func begin(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ chunk: Chunk = .none, isEmpty: Bool = false
    ) {
        repeatable = nil
        forgetLast()
        if update.isActive { update = Update(objects: ObjectUpdates()) }
        begin(in: unsafe Frame(ofRoot: row, at: root, policy.noLevel, mark: frames.arena.mark), chunk, isEmpty: isEmpty)
    }

    /// Starts a document that is an object, and opens it, if its model can be built at `root`, memory that surely holds a nil. Returns false,
    /// and has done nothing, if the document must begin in the general way.
    ///
    /// The root's frame is made where it waits for the object to close: most records are small, and moving it there and back would be a part
    /// of what they cost.
    @inline(__always)
    mutating func beginModel(_ row: RowHandle, at root: UnsafeMutableRawPointer, _ chunk: Chunk) -> Bool {
        guard row.kind == .model, row.depth == 1, let layout = row.binding.model, layout.isBuiltThere, !layout.isUncommon,
            !layout.isPositional, !update.isActive, policy.maximumDepth > 0
        else { return false }
        forgetLast()
        // Safe: the stack has room for several frames.
        unsafe frames.stack.initialize(to: Frame(ofRoot: row, at: root, policy.noLevel, mark: frames.arena.mark))
        begin(in: unsafe frame(of: row.binding, layout, builtAt: root, depth: 1), chunk, isEmpty: true)
        document.stackCount = 1
        document.nesting = 1
        // ``beginAgain(_:at:_:)`` neither clears the counters that a reader keeps, nor sets a position.
        repeatable = document.findings.ownsMemory || chunk.position.offset != 0 ? nil : row
        return true
    }

    /// Opens the object of a document as ``beginModel(_:at:_:)`` does, if the last one was of the same type and flat: the scanner has
    /// stored or passed over all its values itself. Nothing has changed then but what is set here. Returns false if the document must
    /// begin in the usual way.
    ///
    /// - Parameter chunk: The document, which begins at the start of the input.
    @inline(__always)
    mutating func beginAgain(_ row: RowHandle, at root: UnsafeMutableRawPointer, _ chunk: Chunk) -> Bool {
        guard repeatable == row else { return false }
        shared.endDocument()
        assert(document.stackCount == 0 && document.error == nil && document.findings.isBlank)
        assert(!update.isActive && !capture.isActive && cells.text.isEmpty && cells.elements.isEmpty)
        if unsafe document.frame.base != root {
            // Safe: the root's frame is where ``beginModel(_:at:_:)`` has made it.
            unsafe frames.stack.initialize(to: Frame(ofRoot: row, at: root, policy.noLevel, mark: document.frame.mark))
            unsafe document.frame.address = unsafe root
            unsafe document.frame.base = unsafe root
        }
        // Safe: a document is repeatable only if its type has a layout. The arena gives the block that it gave to the last document.
        let layout = unsafe document.frame.binding.model.unsafelyUnwrapped
        let block = unsafe frames.arena.allocate(layout.draftOffset, alignment: layout.blockAlignment)
        assert(unsafe block == document.frame.block)
        unsafe layout.copyHead(to: block)
        unsafe root.copyMemory(from: layout.template + layout.draftOffset, byteCount: layout.optionalSize)
        document.frame.lastKey = document.frame.level.start
        unsafe document.chunk.start = unsafe chunk.start
        unsafe document.chunk.end = unsafe chunk.end
        document.token = unsafe TokenRange(chunk.start, chunk.start)
        document.hasUnknownValue = false
        document.stackCount = 1
        document.nesting = 1
        return true
    }

    /// Notes that the document is not flat, or leaves something for the next one to clear.
    @inline(__always)
    mutating func endRepetition() { repeatable = nil }

    /// Forgets what is left of the last document.
    @inline(__always)
    private mutating func forgetLast() {
        unwind()
        shared.endDocument()
        frames.arena.settle(above: Binder.keptMemory)
        capture.decoded.trim(above: Binder.keptMemory)
        cells.removeAll()
    }

    @inline(__always)
    private mutating func begin(in frame: Frame, _ chunk: Chunk, isEmpty: Bool) {
        let findings = document.findings.emptied()
        let ownsMemory = document.ownsMemory
        unsafe withUnsafeMutablePointer(to: &document) { address in
            // An assignment, written so that the new value is made in its place: `=` makes it elsewhere and moves it.
            if ownsMemory { unsafe address.deinitialize(count: 1) }
            unsafe address.initialize(to: Document(frame: frame, chunk: chunk, findings: findings, isRootEmpty: isEmpty))
        }
    }

    /// Takes the next part of the document, or all of it.
    @inline(__always)
    mutating func beginChunk(_ bytes: UnsafeRawBufferPointer, at position: SourcePosition) {
        shared.endDocument()
        document.chunk = unsafe Chunk(bytes, at: position)
        document.token = unsafe TokenRange(document.chunk.start, document.chunk.start)
        capture.goOn(in: document.chunk)
    }

    /// Pops all frames above a level and destroys what they hold, innermost first. A capture ends with them.
    @inline(__always)
    mutating func unwind(to level: Int = 0) {
        if document.stackCount > level {
            repeatable = nil
            destroyFrames(above: level)
        }
        frames.forgetNotes(above: level)
        if capture.isActive { capture.end() }
        update.objects?.unwind(to: level)
    }

    @inline(never)
    private mutating func destroyFrames(above level: Int) {
        while document.stackCount > level {
            let open = document.frame
            pop()
            switch open.kind {
            case .model: destroyModel(of: open)
            case .array, .dictionary: open.binding.assembly._destroy(open.contents)
            case .path, .root, .nested: break
            }
            if open.laidAsideCount > 0 { destroyLaidAside(of: open) }
            if open.isVirtual { document.virtualCount -= 1 }
            frames.arena.release(to: open.mark)
        }
        if !frames.notedKeys.isEmpty { frames.notedKeys.removeAll { $0.level > level } }
    }

    // MARK: Frames

    @inline(__always)
    mutating func push() {
        if document.stackCount == frames.capacity { frames.growStack() }
        unsafe (frames.stack + document.stackCount).initialize(to: document.frame)
        document.stackCount &+= 1
    }

    @inline(__always)
    mutating func pop() {
        document.stackCount &-= 1
        document.frame = unsafe frames.stack[document.stackCount]
    }

    /// The position of a byte of the chunk. Looking up many positions in the order of the text costs one pass over it in all.
    mutating func positionInOrder(at address: UnsafePointer<UInt8>) -> SourcePosition {
        if document.chunk.isMade { return document.chunk.position }
        let index = unsafe min(max(address, document.chunk.start), document.chunk.end) - document.chunk.start
        var position = unsafe document.lastAddress.position(of: index, in: document.chunk.bytes, at: document.chunk.position)
        // A position before the chunk lies in a token that began in an earlier one, and tokens hold no line breaks.
        let before = unsafe min(address - document.chunk.start, 0)
        position.offset += before
        position.column += before
        return position
    }
}
