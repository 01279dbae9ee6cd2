// The binder takes events, one method each, and stores values in drafts and element memory, and at last at the root's address.
// It does not know who makes the events: yajl's callbacks, the scanner and tests call the same methods.
//
// Every event method returns false to stop the source; `error` then holds the reason.

internal import CYajl

/// The whole state of the document that is being read. Each reader owns one, at a fixed address.
@safe
struct Binder {
    // MARK: Touched by every event

    /// The innermost open container.
    var frame: Frame
    /// How many open containers are being skipped, because the outermost of them is not bound or its text is captured.
    var skipDepth = 0
    /// The token of the current event. The source of events sets it before it calls an event method.
    var token: TokenPlace
    /// The part of the document that lies in memory now; the token ends in it.
    var chunk: Chunk
    /// yajl, while it makes the events; nil while the scanner does.
    var yajl: UnsafeMutablePointer<YajlEvents.Context>?

    // MARK: Touched by every container

    var nesting = 0
    var maximumDepth: Int
    /// Copies of ``ReaderRows/ignored`` and ``ReaderRows/emptyLevel``: each access to those checks whether they are initialised.
    let ignoredRow: RowHandle
    let emptyLevel: KeyTableHandle
    /// Whether short ASCII strings are built without a call of the standard library: see ``SmallString/isKnown``.
    let makesSmallStrings = SmallString.isKnown
    /// The root's frame before a document begins; each document starts with a copy of it.
    private let idleFrame: Frame
    var stack: UnsafeMutablePointer<Frame>
    var stackCount = 0
    var stackCapacity: Int
    var arena = Arena()
    /// The container whose text is being captured, if any.
    var capture = Capture()

    // MARK: Touched rarely

    /// Blocks of elements of open large arrays: see ``layAside()``.
    var laidAside: [_ElementBlock] = []

    var error: JSONError?
    /// What has been noted beside the value so far: what was left out of it, unknown keys, counts of properties.
    var findings = ReadFindings()
    /// Values of alternative keys that did not fit, while a better alternative may still come.
    var postponed: [PostponedMisfit] = []
    /// The alternative keys of required properties that were null, the last one of each property and level.
    var nullAlternatives: [NullAlternative] = []
    /// What is remembered while values are tried as one type after the other.
    var trials = Trials()
    /// Counts lines and columns on from the place that was looked up last.
    private var lastPlace = PlaceCounter()
    /// The reader's policy, for everything that a property's own policy leaves open.
    let defaults: UnsafeMutablePointer<JSONPropertyPolicy>
    /// Whether the scanner has skipped a container by its brackets: the text inside has not been checked.
    var hasUncheckedText = false
    /// How many captured values are being read, one inside the other.
    var replayDepth = 0
    /// How many open frames are virtual: see ``Frame/isVirtual``.
    var virtualCount = 0
    /// Whether the document updates the value that the root already holds.
    var isUpdating = false
    /// The class instances that this document updates: they take their new values when all of it has been read.
    var objectUpdates: ObjectUpdates?
    /// The properties that an update has given a value.
    var assigned: [AssignedProperty] = []
    /// Parsers for captured values, kept for the next ones.
    var spareParsers: [YajlEvents] = []
    /// The row to restore behind a container that is skipped because it did not fit, or captured to be converted to a scalar.
    var resumedRow: RowHandle?
    var options: JSONReader.Options
    /// The caller's rule for duplicate keys; `init` may put a narrower one into ``options``.
    let duplicateKeys: JSONReader.Options.DuplicateKeys
    /// The reader for JSON inside strings; nil before its first use, and while it is in use.
    var textReader: TextReader?
    /// Whether values that no property binds are checked in full, with the Unicode of their strings.
    var validatesEverything = false
    /// Whether a top-level object is read only until each property has its value.
    var trustsText = false
    /// Whether unknown keys are counted or rejected.
    var countsUnknownKeys = false
    /// Whether ``ReadFindings/propertyCounts`` are kept.
    var countsProperties = false
    /// The last string that the scanner decoded.
    var decoded = ScratchBytes()
    /// The offset in the document at which the root value ended; nil while it is open.
    var rootEnd: Int?
    /// The unknown keys of open objects, for the hint of an error about missing keys; noted only while yajl makes the events.
    var unknownKeys = UnknownKeys()
    /// Whether the document has a value that nothing binds: that of an unknown key, or a scalar or array in the middle of a key path.
    var hasUnboundValue = false
    /// Whether the document itself is a sensitive value, or lies in one.
    var isWithinSensitive = false
    /// Text of run-time cells that does not lie in the input.
    var cellText: [UInt8] = []
    /// The cells of lists' elements, as bytes.
    var cellElements: [UInt8] = []

    init(options: JSONReader.Options) {
        self.options = options
        duplicateKeys = options.duplicateKeys
        // ``BudgetScanner`` finds the duplicates among all other keys.
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

    /// How many bytes of memory are kept between documents. A larger document's extra memory is freed.
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
        // The first value reaches the limit, and `reachLimit` makes the frame refuse a second one.
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
        if !nullAlternatives.isEmpty { nullAlternatives = [] }
        lastPlace = PlaceCounter()
        if !findings.report.isBlank { findings.report = JSONReadReport() }
        if !findings.unknownKeyCounts.isEmpty { findings.unknownKeyCounts.begin() }
        if !findings.propertyCounts.isBlank { findings.propertyCounts.clear() }
        capture.end()
        unsafe yajl = nil
        if !cellText.isEmpty { cellText.removeAll(keepingCapacity: true) }
        if !cellElements.isEmpty { cellElements.removeAll(keepingCapacity: true) }
    }

    /// Takes the next part of the document, or all of it.
    mutating func beginChunk(_ bytes: UnsafeRawBufferPointer, at position: SourcePosition) {
        chunk = unsafe Chunk(bytes, at: position)
        token = unsafe TokenPlace(chunk.start, chunk.start)
        capture.goOn(in: chunk)
    }

    /// Pops all frames above a level and destroys what they hold, innermost first.
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

    /// The position of a byte of the chunk. Looking up many places in the order of the text costs one pass over it in all.
    mutating func placeInOrder(at place: UnsafePointer<UInt8>) -> SourcePosition {
        if chunk.isMade { return chunk.position }
        let index = unsafe min(max(place, chunk.start), chunk.end) - chunk.start
        var position = unsafe lastPlace.position(of: index, in: chunk.bytes, at: chunk.position)
        // A place before the chunk lies in a token that began in an earlier one, and tokens hold no line breaks.
        let before = unsafe min(place - chunk.start, 0)
        position.offset += before
        position.column += before
        return position
    }

    /// Whether the text being captured is read again anyway, and so need not be checked now.
    @inline(__always)  // A call through a pointer would copy the binder.
    var isCapturing: Bool { frame.row.kind == .captured || frame.row.kind == .sharedKey }
}
