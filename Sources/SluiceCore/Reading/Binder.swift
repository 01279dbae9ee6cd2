// The binder: events come in, one method each; values come to lie in drafts and element memory, and at last at the root's
// address. It does not know who makes the events: yajl's callbacks forward to it, and so may tests or captured text.
//
// Every event method returns false to stop the source; the reason then lies in `error`.

internal import CYajl

/// All that a document in progress consists of. One lives behind each reader, at a fixed address.
@safe
struct Binder {
    // MARK: Touched by every event

    /// The innermost open container.
    var frame: Frame
    /// Containers open inside a value that is not bound, or whose text is captured.
    var skipDepth = 0
    /// The token of the event at hand. The source of events sets it before it calls an event method.
    var token: TokenPlace
    /// The text that the token lies in.
    var chunk: Chunk
    /// yajl, while it makes the events; nil while the scanner does.
    var yajl: UnsafeMutablePointer<YajlEvents.Context>?

    // MARK: Touched by every container

    var nesting = 0
    var maximumDepth: Int
    /// ``ReaderRows/ignored`` and ``ReaderRows/emptyLevel``, without the look whether they have been made.
    let ignoredRow: RowHandle
    let emptyLevel: KeyTableHandle
    /// Whether strings of a few characters are made without a call.
    let makesSmallStrings = SmallString.isKnown
    /// The frame around a document that has not begun.
    private let idleFrame: Frame
    var stack: UnsafeMutablePointer<Frame>
    var stackCount = 0
    var stackCapacity: Int
    var arena = Arena()
    /// The text of a value that is kept.
    var capture = Capture()

    // MARK: Touched rarely

    /// Elements of large arrays that are open.
    var laidAside: [_ElementBlock] = []

    var error: JSONError?
    /// What has been left out of the value.
    var report = JSONReadReport()
    /// Values of alternative keys that did not fit, while a better alternative may still come.
    var postponed: [PostponedMisfit] = []
    /// What is known of values that are tried as one type after the other.
    var trials = Trials()
    /// The place that was looked up last in the order of the text.
    private var lastPlace = PlaceCounter()
    /// What holds for properties that do not say otherwise.
    let defaults: UnsafeMutablePointer<JSONPropertyPolicy>
    /// Whether the scanner has passed over a container by its brackets, so that what is in there has not been checked.
    var hasUncheckedText = false
    /// Captured values that are being read, one inside the other.
    var replayDepth = 0
    /// Open frames that no container of the text stands behind.
    var virtualCount = 0
    /// Whether the document goes into a value that the root holds already.
    var isUpdating = false
    /// Objects of classes that take over what they are updated with when all has been read.
    var objectUpdates: ObjectUpdates?
    /// The properties that an update has given a value.
    var assigned: [AssignedProperty] = []
    /// Parsers for captured values.
    var spareParsers: [YajlEvents] = []
    /// The row to go back to behind a container that is skipped because it does not fit.
    var resumedRow: RowHandle?
    var options: JSONReader.Options
    /// What ``options`` say of duplicate keys before they are changed for this binder.
    let duplicateKeys: JSONReader.Options.DuplicateKeys
    /// A reader for JSON that stands in a string, while it is not in use.
    var textReader: TextReader?
    /// Whether strings that no property binds are checked as well.
    var validatesEverything = false
    /// Whether an object at the top is read no further than its properties need.
    var trustsText = false
    /// Whether keys that no property has are counted, or refused.
    var countsUnknownKeys = false
    /// Those keys, by name.
    var unknownKeyCounts = UnknownKeyCounts()
    /// Whether it is counted what becomes of properties.
    var countsProperties = false
    var propertyCounts = PropertyCounts()
    /// The last string that the scanner decoded.
    var decoded = ScratchBytes()
    /// The offset in the document at which the root value ended; nil while it is open.
    var rootEnd: Int?
    /// Keys that no property has, for errors about missing ones; kept while yajl makes the events.
    var unknownKeys = UnknownKeys()
    /// Whether the document holds a value that nothing binds: one of an unknown key, or one that stands where a key path leads through.
    var hasUnboundValue = false
    /// Text of run-time cells that does not lie in the input.
    var cellText: [UInt8] = []
    /// The cells of lists' elements, as bytes.
    var cellElements: [UInt8] = []

    init(options: JSONReader.Options) {
        self.options = options
        duplicateKeys = options.duplicateKeys
        // Those of all other keys are found by the budget's scanner.
        if options.duplicateKeys == .errorEverywhere { self.options.duplicateKeys = .error }
        unsafe defaults = .allocate(capacity: 1)
        unsafe defaults.initialize(to: options.policy)
        maximumDepth = options.maximumDepth
        stackCapacity = 16
        unsafe stack = .allocate(capacity: stackCapacity)
        token = unsafe TokenPlace(NoBytes.address, NoBytes.address)
        chunk = unsafe Chunk(NoBytes.address, NoBytes.address)
        ignoredRow = ReaderRows.ignored
        emptyLevel = ReaderRows.emptyLevel
        idleFrame = Binder.makeIdleFrame(arena.mark)
        frame = idleFrame
    }

    mutating func deallocate() {
        unwind()
        arena.deallocate()
        decoded.deallocate()
        unknownKeys.deallocate()
        unsafe defaults.deinitialize(count: 1)
        unsafe defaults.deallocate()
        unsafe stack.deallocate()
    }

    /// Memory that is kept between documents; what one of unusual size needed beyond that is given back.
    private static let keptMemory = 4 << 20

    // MARK: A document

    /// Starts a document whose value goes to `root`, memory that already holds a nil.
    mutating func begin(_ row: RowHandle, at root: UnsafeMutableRawPointer) {
        arena.settle(above: Binder.keptMemory)
        decoded.trim(above: Binder.keptMemory)
        frame = idleFrame
        frame.mark = arena.mark
        frame.row = row
        frame.binding = row.binding
        unsafe frame.address = unsafe root
        unsafe frame.base = unsafe root
        // One value, then the limit: a second one is refused there.
        frame.stride = 1
        unsafe frame.limit = unsafe root + 1
        nesting = 0
        skipDepth = 0
        rootEnd = nil
        error = nil
        hasUncheckedText = false
        hasUnboundValue = false
        resumedRow = nil
        replayDepth = 0
        virtualCount = 0
        if !assigned.isEmpty { assigned = [] }
        if isUpdating { objectUpdates = ObjectUpdates() }
        if !postponed.isEmpty { postponed = [] }
        lastPlace = PlaceCounter()
        if !report.isBlank { report = JSONReadReport() }
        if !unknownKeyCounts.isEmpty { unknownKeyCounts.begin() }
        if !propertyCounts.isBlank { propertyCounts.clear() }
        capture.end()
        unsafe yajl = nil
        if !cellText.isEmpty { cellText.removeAll(keepingCapacity: true) }
        if !cellElements.isEmpty { cellElements.removeAll(keepingCapacity: true) }
    }

    /// The next part of the document, or all of it.
    mutating func beginChunk(_ bytes: UnsafeRawBufferPointer, at position: SourcePosition) {
        chunk = unsafe Chunk(bytes, at: position)
        token = unsafe TokenPlace(chunk.start, chunk.start)
        capture.goOn(in: chunk)
    }

    /// Destroys everything that is open inside a level, innermost first.
    mutating func unwind(to level: Int = 0) {
        while stackCount > level {
            let open = frame
            pop()
            switch open.kind {
            case .model, .array, .dictionary: open.binding.type._destroy(open.contents)
            case .path, .root, .nested: break
            }
            if open.laidAsideCount > 0 { destroyLaidAside(of: open) }
            if open.isVirtual { virtualCount -= 1 }
            arena.release(to: open.mark)
        }
        if !postponed.isEmpty { postponed.removeAll { $0.level > level } }
        if isUpdating { objectUpdates?.unwind(to: level) }
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
        let nowhere = unsafe UnsafeMutableRawPointer(mutating: NoBytes.address)
        let row = ReaderRows.none
        return unsafe Frame(
            row: row, address: nowhere, stride: 0, limit: nil, expected: row, level: ReaderRows.emptyLevel, base: nowhere,
            block: nowhere, binding: row.binding, mark: mark, kind: .root)
    }

    /// A place in the document. Looking up many places in the order of the text takes no more time than going through it once.
    mutating func placeInOrder(at place: UnsafePointer<UInt8>) -> SourcePosition {
        if chunk.isMade { return chunk.position }
        let index = unsafe min(max(place, chunk.start), chunk.end) - chunk.start
        var position = unsafe lastPlace.position(of: index, in: chunk.bytes, at: chunk.position)
        // A token that began in an earlier chunk holds no line break.
        let before = unsafe min(place - chunk.start, 0)
        position.offset += before
        position.column += before
        return position
    }

    /// Whether the text being captured is read again anyway, and so need not be checked now.
    @inline(__always)  // Called through a pointer, it would be given a copy of the binder.
    var isCapturing: Bool { frame.row.kind == .captured || frame.row.kind == .sharedKey }
}
