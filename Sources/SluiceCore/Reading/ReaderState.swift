// The binder: events come in, one method each; values come to lie in drafts and element memory, and at last at the root's
// address. It does not know who makes the events: yajl's callbacks forward to it, and so may tests or a tape.
//
// Every event method returns false to stop the source; the reason then lies in `error`.

internal import CYajl

/// All that a document in progress consists of. One lives behind each reader, at a fixed address.
@safe
struct ReaderState {
    // MARK: Touched by every event

    /// The innermost open container.
    var frame: Frame
    /// Containers open inside a value that nobody wants.
    var skipDepth = 0
    /// The chunk being parsed.
    var chunkStart: UnsafePointer<UInt8>
    var chunkEnd: UnsafePointer<UInt8>

    // MARK: Touched by every container

    var nesting = 0
    var maximumDepth: Int
    /// ``ReaderRows/ignored`` and ``ReaderRows/emptyLevel``, without the look whether they have been made.
    let ignoredRow: UnsafePointer<PropertyRow>
    let emptyLevel: UnsafePointer<KeyLevel>
    /// The frame around a document that has not begun.
    private let idleFrame: Frame
    var stack: UnsafeMutablePointer<Frame>
    var stackCount = 0
    var stackCapacity: Int
    var arena = Arena()

    // MARK: Touched rarely

    var error: JSONError?
    /// What has been left out of the value.
    var report = ReadReport()
    /// What holds for properties that do not say otherwise.
    let defaults: UnsafeMutablePointer<JSONPropertyPolicy>
    /// Whether the parser alone reads the document, and nothing is lifted past it.
    var readsPlainly = true
    /// Captured values that are being read, one inside the other.
    var replayDepth = 0
    /// Open frames that no container of the text stands behind.
    var virtualCount = 0
    /// Whether the document goes into a value that the root holds already.
    var isUpdating = false
    /// The properties that an update has given a value.
    var assigned: [AssignedProperty] = []
    /// Parsers for captured values.
    var spareParsers: [SpareParser] = []
    /// Where the bytes of the captured value begin, if they do not lie in the chunk.
    var capturedPosition = SourcePosition.start
    /// Those bytes, while they are read again.
    var capturedText = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// The row to go back to behind a container that is skipped because it does not fit.
    var resumedRow: UnsafePointer<PropertyRow>?
    var options: JSONReader.Options
    /// Whether strings that no property wants are checked as well.
    var validatesEverything = false
    /// The parser that is asked for positions; nil while events come from elsewhere.
    var parser: OpaquePointer?
    /// The start of the piece of the chunk that the parser has been given: it counts from there.
    var pieceStart: UnsafePointer<UInt8>
    /// Whether events come from ``FlatRunReader`` and not from the parser.
    var isLifting = false
    /// The end of the token that ``FlatRunReader`` read last.
    var liftedEnd: UnsafePointer<UInt8>
    /// Room for the bits in which ``FlatRunReader`` keeps the kinds of open containers.
    let containerBits: UnsafeMutablePointer<UInt64>
    /// The last string that was decoded.
    var decoded = ScratchBytes()
    /// Whether no more chunks come and yajl is told so.
    var isCompleting = false
    /// The offset of the chunk's first byte in the document.
    var chunkOffset = 0
    /// The document's start of the chunk, as line and column.
    var chunkPosition = SourcePosition.start
    /// Where the root value ended; nil while it is open.
    var rootEnd: Int?
    /// Where the bytes of a raw value start in this chunk, while one is being captured.
    var captureStart: UnsafePointer<UInt8>?
    var isCapturing = false
    /// Bytes of earlier chunks that belong to the raw value being captured.
    var captured: [UInt8] = []
    /// Bytes of earlier chunks that belong to the token being read.
    var tokenHead: [UInt8] = []
    /// The end of the last event's token in this chunk; kept in step only while chunks may end inside a token.
    var lastEnd: UnsafePointer<UInt8>
    /// What the last event was, and whether a comma or colon has come behind it in an earlier chunk; in step as `lastEnd` is.
    var lastEvent = SyntaxPlace.Event.opening
    var hasSeparator = false
    /// Where the token begins of which `tokenHead` is a part.
    var tokenHeadPosition = SourcePosition.start
    /// Text of run-time cells that does not lie in the input.
    var cellText: [UInt8] = []

    init(options: JSONReader.Options) {
        self.options = options
        // Those of all other keys are found by the budget's scanner.
        if options.duplicateKeys == .errorEverywhere { self.options.duplicateKeys = .error }
        unsafe defaults = .allocate(capacity: 1)
        unsafe defaults.initialize(to: options.policy)
        maximumDepth = options.maximumDepth
        stackCapacity = 16
        unsafe stack = .allocate(capacity: stackCapacity)
        unsafe containerBits = .allocate(capacity: FlatRunReader.maximumDepth / 64)
        unsafe containerBits.initialize(repeating: 0, count: FlatRunReader.maximumDepth / 64)
        unsafe chunkStart = unsafe PropertyRow.noKey
        unsafe chunkEnd = unsafe PropertyRow.noKey
        unsafe lastEnd = unsafe PropertyRow.noKey
        unsafe pieceStart = unsafe PropertyRow.noKey
        unsafe liftedEnd = unsafe PropertyRow.noKey
        unsafe ignoredRow = unsafe ReaderRows.ignored
        unsafe emptyLevel = unsafe ReaderRows.emptyLevel
        idleFrame = ReaderState.makeIdleFrame(arena.mark)
        frame = idleFrame
    }

    mutating func deallocate() {
        unwind()
        arena.deallocate()
        decoded.deallocate()
        unsafe containerBits.deallocate()
        unsafe defaults.deinitialize(count: 1)
        unsafe defaults.deallocate()
        unsafe stack.deallocate()
    }

    /// Memory that is kept between documents; what one of unusual size needed beyond that is given back.
    private static let keptMemory = 4 << 20

    // MARK: A document

    /// Starts a document whose value goes to `root`, memory that already holds a nil.
    mutating func begin(_ row: UnsafePointer<PropertyRow>, at root: UnsafeMutableRawPointer) {
        arena.trim(above: ReaderState.keptMemory)
        decoded.trim(above: ReaderState.keptMemory)
        frame = idleFrame
        frame.mark = arena.mark
        unsafe frame.row = unsafe row
        unsafe frame.binding = unsafe row.pointee.binding
        unsafe frame.address = unsafe root
        unsafe frame.base = unsafe root
        // One value, then the limit: a second one is refused there.
        frame.stride = 1
        unsafe frame.limit = unsafe root + 1
        nesting = 0
        skipDepth = 0
        rootEnd = nil
        isCompleting = false
        isLifting = false
        lastEvent = .opening
        hasSeparator = false
        error = nil
        unsafe resumedRow = nil
        replayDepth = 0
        virtualCount = 0
        if !assigned.isEmpty { assigned = [] }
        if !report.isBlank { report = ReadReport() }
        chunkOffset = 0
        chunkPosition = .start
        isCapturing = unsafe isRaw(row)
        unsafe captureStart = nil
        if !captured.isEmpty { captured.removeAll() }
        if !tokenHead.isEmpty { tokenHead.removeAll() }
        if !cellText.isEmpty { cellText.removeAll(keepingCapacity: true) }
    }

    mutating func beginChunk(_ bytes: UnsafeRawBufferPointer) {
        // Safe: the reader never begins an empty chunk.
        unsafe chunkStart = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        unsafe chunkEnd = unsafe chunkStart + bytes.count
        unsafe lastEnd = unsafe chunkStart
        unsafe pieceStart = unsafe chunkStart
        if isCapturing { unsafe captureStart = unsafe chunkStart }
    }

    /// The byte order mark before the first chunk is not fed, but counts in offsets.
    mutating func skipByteOrderMark() {
        chunkOffset = 3
        chunkPosition = SourcePosition(offset: 3, line: 1, column: 4)
    }

    /// Puts aside what of the chunk the next one still needs.
    mutating func endChunk() {
        if isCapturing, let start = unsafe captureStart {
            if captured.isEmpty {
                let before = unsafe UnsafeRawBufferPointer(start: chunkStart, count: start - chunkStart)
                capturedPosition = unsafe chunkPosition.advanced(over: before)
            }
            unsafe captured.append(contentsOf: UnsafeBufferPointer(start: start, count: chunkEnd - start))
        }
        let head = unsafe UnsafeBufferPointer(start: lastEnd, count: chunkEnd - lastEnd)
        // What separates tokens belongs to none.
        let token = unsafe tokenHead.isEmpty ? RawJSON.trimmed(head) : head
        let chunk = unsafe UnsafeRawBufferPointer(start: chunkStart, count: chunkEnd - chunkStart)
        if tokenHead.isEmpty {
            if unsafe head.dropLast(token.count).contains(where: SyntaxPlace.isSeparator) { hasSeparator = true }
            tokenHeadPosition = unsafe chunkPosition.advanced(over: UnsafeRawBufferPointer(rebasing: chunk.dropLast(token.count)))
        }
        unsafe tokenHead.append(contentsOf: token)
        chunkPosition = unsafe chunkPosition.advanced(over: chunk)
        chunkOffset += chunk.count
    }

    /// Destroys everything that is open inside a level, innermost first.
    mutating func unwind(to level: Int = 0) {
        while stackCount > level {
            let open = frame
            pop()
            switch open.kind {
            case .model, .array, .dictionary: unsafe open.binding.pointee.type._destroy(open.contents)
            case .path, .root, .nested: break
            }
            if open.isVirtual { virtualCount -= 1 }
            arena.release(to: open.mark)
        }
    }

    // MARK: Frames

    @inline(__always)
    mutating func push() {
        if stackCount == stackCapacity { growStack() }
        unsafe (stack + stackCount).initialize(to: frame)
        stackCount &+= 1
    }

    @inline(__always)
    mutating func pop() {
        stackCount &-= 1
        frame = unsafe stack[stackCount]
    }

    @inline(never)
    private mutating func growStack() {
        let grown = UnsafeMutablePointer<Frame>.allocate(capacity: stackCapacity * 2)
        unsafe grown.moveInitialize(from: stack, count: stackCount)
        unsafe stack.deallocate()
        unsafe stack = unsafe grown
        stackCapacity *= 2
    }

    private static func makeIdleFrame(_ mark: Arena.Mark) -> Frame {
        let nowhere = unsafe UnsafeMutableRawPointer(mutating: PropertyRow.noKey)
        let row = unsafe ReaderRows.none
        return unsafe Frame(
            row: row, address: nowhere, stride: 0, limit: nil, expected: row, level: ReaderRows.emptyLevel, base: nowhere,
            block: nowhere, binding: row.pointee.binding, mark: mark, kind: .root)
    }

    // MARK: Positions

    /// The end of the current token in the chunk.
    var tokenEnd: UnsafePointer<UInt8> {
        if isLifting { return unsafe liftedEnd }
        guard let parser = unsafe parser else { return unsafe chunkStart }
        // At the end yajl is fed a blank of its own, and counts in that.
        if isCompleting { return unsafe chunkEnd }
        return unsafe pieceStart + min(yajl_get_bytes_consumed(parser), chunkEnd - pieceStart)
    }

    /// The end of the current token, counted from the chunk's first byte.
    var tokenOffset: Int { unsafe tokenEnd - chunkStart }

    /// Whether bytes handed over by the source lie in the chunk itself: then they hold no escape and were not split.
    @inline(__always)
    func isInChunk(_ bytes: UnsafePointer<UInt8>) -> Bool { unsafe bytes >= chunkStart && bytes < chunkEnd }

    /// Whether the text being captured is read again anyway, and so need not be checked now.
    var isTaping: Bool { unsafe frame.row.pointee.kind == .taped }

    @inline(__always)
    func isRaw(_ row: UnsafePointer<PropertyRow>) -> Bool {
        unsafe row.pointee.kind == .raw || row.pointee.kind == .rawCell || row.pointee.kind == .several
    }
}

/// Rows that belong to no table.
enum ReaderRows {
    /// The row of a key that no property has.
    nonisolated(unsafe) static let ignored = unsafe make(.ignored)
    /// The row of a container whose text is captured, to be converted.
    nonisolated(unsafe) static let captured = unsafe make(.raw)
    /// The row behind the end of a document.
    nonisolated(unsafe) static let none = unsafe make(.none)
    /// The keys of a container that has none.
    nonisolated(unsafe) static let emptyLevel: UnsafePointer<KeyLevel> = {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: 1)
        unsafe rows.initialize(to: none.pointee)
        unsafe rows.pointee.keyCount = .max
        return unsafe KeyLevel.make(rows: rows, count: 0)
    }()

    private static func make(_ kind: PropertyKind) -> UnsafePointer<PropertyRow> {
        let binding = unsafe _BindingCompiler.immortal(
            Binding(kind: kind, type: JSONValue.self, expectation: "the end of the input"))
        return unsafe _BindingCompiler.elementRow(_Binding(binding))
    }
}
