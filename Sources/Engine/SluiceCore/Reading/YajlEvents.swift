// yajl parses, and its callbacks hand each event to the binder, together with the token's position. Text comes in chunks of any
// length; a document that lies in memory is one chunk.
//
// yajl tells where a token ends, but not where it begins (YAJL.md, 5.1). The beginning follows from the address of the bytes that
// yajl passes. If that is in yajl's own memory (a string with an escape, a token in pieces), it follows from the last token's end.

internal import CYajl

/// A yajl parser and the context of its callbacks.
@safe
final class YajlEvents {
    let context: UnsafeMutablePointer<Context>
    private let parser: YajlParser
    /// Keeps half surrogate pairs from the parser.
    private var surrogates = SurrogateGuard()
    /// The first byte of the part that was last given to the parser.
    private var partStart: UnsafePointer<UInt8>

    /// The context that yajl passes to each callback.
    @safe
    struct Context {
        let binder: BinderHandle
        fileprivate(set) var parser: OpaquePointer?
        /// Where yajl begins to count consumed bytes.
        fileprivate(set) var inputStart: UnsafePointer<UInt8>
        /// The kind of the last event.
        fileprivate(set) var lastEvent = SyntaxDiagnosis.Event.opening
        /// The beginning of the current token, if it came in earlier chunks.
        fileprivate(set) var head = CarriedText()
        /// Whether an earlier chunk had a comma or colon after the last token.
        fileprivate(set) var hasSeparator = false
        /// The last byte of the earlier chunk, and the byte before `head`: error messages need them.
        fileprivate(set) var lastByte: UInt8?
        fileprivate(set) var byteBeforeHead: UInt8?
        /// Where the open containers began.
        fileprivate(set) var openContainers = OpenContainers()
        /// Whether `head` is not empty, or `hasSeparator` is true.
        fileprivate var hasCarried = false
        /// Whether yajl has been told that no more chunks come.
        fileprivate(set) var isCompleting = false
        /// Whether the text had an escaped surrogate so far, also in a token that has not ended.
        fileprivate(set) var hasSurrogate = false
    }

    init(binder: BinderHandle) {
        unsafe partStart = unsafe NoBytes.address
        unsafe context = .allocate(capacity: 1)
        unsafe context.initialize(to: Context(binder: binder, inputStart: NoBytes.address))
        parser = unsafe YajlParser(callbacks: YajlEvents.callbacks, context: context)
        unsafe context.pointee.parser = unsafe parser.unownedHandle
    }

    deinit {
        unsafe context.deinitialize(count: 1)
        unsafe context.deallocate()
    }

    /// Begins a text: from now on this parser makes the binder's events.
    func begin() {
        surrogates = SurrogateGuard()
        unsafe context.pointee.lastEvent = .opening
        unsafe context.pointee.hasSeparator = false
        unsafe context.pointee.hasCarried = false
        unsafe context.pointee.isCompleting = false
        unsafe context.pointee.lastByte = nil
        unsafe context.pointee.byteBeforeHead = nil
        unsafe context.pointee.openContainers.removeAll()
        if unsafe !context.pointee.head.isEmpty { unsafe context.pointee.head.removeAll() }
        unsafe context.pointee.binder.state.document.yajl = unsafe context
    }

    /// Parses the binder's chunk, or a part of it.
    func parse(_ bytes: UnsafeRawBufferPointer) -> YajlStatus {
        // Safe: an empty buffer is not parsed, and any other has an address.
        guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .ok }
        unsafe context.pointee.binder.state.document.token = unsafe TokenRange(start, start)
        return unsafe surrogates.forEachPart(of: bytes) { part, range, hasSurrogate in
            unsafe context.pointee.hasSurrogate = hasSurrogate
            unsafe partStart = unsafe start + range.lowerBound
            // A part may be a copy that is longer than the text it stands for. Only one token can end in a copy: the string at its
            // very end. So positions are counted back from there.
            unsafe context.pointee.inputStart = unsafe start + (range.upperBound - part.count)
            return unsafe parser.parse(part)
        }
    }

    /// Tells yajl that no more chunks come: a number or literal at the very end is delivered now.
    func complete() -> YajlStatus {
        unsafe context.pointee.isCompleting = true
        return parser.complete()
    }

    /// Saves what the next chunk still needs from this one.
    func endChunk() { unsafe context.pointee.carry() }

    /// How many bytes of earlier chunks belong to a token that has not ended.
    var openTokenSize: Int { unsafe context.pointee.head.bytes.count }

    /// Whether no token of the text has ended.
    var hasNoEvent: Bool { unsafe context.pointee.lastEvent == .opening && context.pointee.openContainers.kind == .none }

    /// How far yajl has read in the chunk.
    var reached: UnsafePointer<UInt8> {
        unsafe context.pointee.isCompleting
            ? context.pointee.binder.state.document.chunk.end : max(partStart, context.pointee.inputStart + parser.consumed)
    }

    /// Whether yajl has been told that no more chunks come.
    var isCompleting: Bool { unsafe context.pointee.isCompleting }

    /// Why the last call failed.
    func syntaxError() -> YajlSyntaxError { parser.syntaxError() }
}

extension YajlEvents.Context {
    fileprivate mutating func carry() {
        let chunk = binder.state.document.chunk
        var start = unsafe binder.state.document.token.end
        if head.isEmpty {
            // White space and separators before the next token do not belong to it.
            while unsafe start < chunk.end, unsafe TokenSeparators.isBetweenTokens(start.pointee) {
                if unsafe TokenSeparators.isSeparator(start.pointee) { hasSeparator = true }
                unsafe start += 1
            }
            byteBeforeHead = unsafe start > chunk.start ? start[-1] : lastByte
        } else {
            unsafe start = unsafe chunk.start
        }
        unsafe head.append(start, to: chunk.end, of: chunk)
        hasCarried = hasSeparator || !head.isEmpty
        lastByte = unsafe chunk.bytes.last ?? lastByte
        openContainers.endChunk(chunk)
    }

    // MARK: Positions

    // Methods that run at each event are `mutating` even if they change nothing: otherwise the call would copy the context.

    private var tokenEnd: UnsafePointer<UInt8> {
        @inline(__always) mutating get {
            // At the end yajl parses a blank of its own, and counts consumed bytes from there.
            if isCompleting { return unsafe binder.state.document.chunk.end }
            return unsafe inputStart + yajl_get_bytes_consumed(parser)
        }
    }

    /// Sets the position of a token whose length in the text is known.
    @inline(__always)
    mutating func setToken(ofSize count: Int) {
        let end = unsafe tokenEnd
        binder.state.document.token = unsafe TokenRange(end - count, end)
    }

    /// Sets the position of a number. yajl passes its text from the chunk, or from its own memory if the number came in pieces.
    @inline(__always)
    mutating func setToken(ofNumber bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard unsafe binder.state.document.chunk.contains(bytes) else { return setToken(ofSize: count) }
        binder.state.document.token = unsafe TokenRange(bytes, bytes + count)
    }

    /// Sets the position of a string or key. yajl passes its text without the quotes.
    @inline(__always)
    mutating func setToken(ofString bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard unsafe binder.state.document.chunk.contains(bytes) else {
            return binder.state.document.token = unsafe rangeOfCopiedToken(endingAt: tokenEnd)
        }
        binder.state.document.token = unsafe TokenRange(bytes - 1, bytes + (count &+ 1))
    }

    /// The position of a token that yajl has copied to its own memory.
    @inline(never)
    private mutating func rangeOfCopiedToken(endingAt end: UnsafePointer<UInt8>) -> TokenRange {
        let chunk = binder.state.document.chunk
        if !head.isEmpty { return unsafe TokenRange(chunk.start - head.bytes.count, end) }
        var start = unsafe binder.state.document.token.end
        while unsafe start < end, unsafe TokenSeparators.isBetweenTokens(start.pointee) { unsafe start += 1 }
        return unsafe TokenRange(start, end)
    }

    /// Notes that an event has been delivered; returns the callback's answer to yajl: 1 to go on, 0 to stop.
    @inline(__always)
    mutating func note(_ event: SyntaxDiagnosis.Event, _ goesOn: Bool) -> Int32 {
        lastEvent = event
        if hasCarried { dropCarried() }
        return goesOn ? 1 : 0
    }

    @inline(never)
    private mutating func dropCarried() {
        hasCarried = false
        hasSeparator = false
        head.removeAll()
    }

    // MARK: The token's own text

    /// Passes `body` the text of the current token as it stands in the document.
    func withTokenText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let chunk = binder.state.document.chunk
        let token = binder.state.document.token
        // A captured value that spans chunks is bound from joined text, which contains the beginning of the token: no head is needed.
        guard !head.isEmpty, unsafe token.start < chunk.start else {
            return unsafe body(UnsafeRawBufferPointer(start: token.start, count: token.end - token.start))
        }
        let tail = unsafe UnsafeRawBufferPointer(start: chunk.start, count: token.end - chunk.start)
        return unsafe (head.bytes + tail).withUnsafeBytes { unsafe body($0) }
    }

    /// Whether yajl decoded these bytes from half a surrogate pair. Each yajl does something else with one (YAJL.md, P2 to P5), so only
    /// the token's own text can tell.
    @inline(never)
    func hasBrokenEscape(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard hasSurrogate, unsafe !binder.state.document.chunk.contains(bytes) else { return false }
        return unsafe withTokenText { unsafe !UnicodeValidation.hasPairedSurrogates($0) }
    }
}

// MARK: The callbacks

extension YajlEvents {
    /// yajl keeps the address of its callback table, so the table is made once and never freed.
    nonisolated(unsafe) static let callbacks: UnsafePointer<yajl_callbacks> = {
        let pointer = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
        unsafe pointer.initialize(
            to: yajl_callbacks(
                yajl_null: { unsafe event($0, of: 4, .value) { $0.state.null() } },
                yajl_boolean: { context, value in
                    unsafe event(context, of: value != 0 ? 4 : 5, .value) { $0.state.boolean(value != 0) }
                },
                yajl_integer: nil,
                yajl_double: nil,
                yajl_number: { context, text, count in
                    // Safe: a number has at least one character; `CChar` and `UInt8` have the same layout.
                    let bytes = unsafe UnsafeRawPointer(text.unsafelyUnwrapped).assumingMemoryBound(to: UInt8.self)
                    let context = unsafe YajlEvents.context(context)
                    unsafe context.pointee.setToken(ofNumber: bytes, count)
                    return unsafe context.pointee.note(.value, context.pointee.binder.state.number(bytes, count))
                },
                yajl_string: { context, text, count in
                    unsafe stringEvent(context, text, count, .value) { unsafe $0.state.string($1, count) }
                },
                yajl_start_map: { unsafe opening($0, isObject: true) { $0.state.openObject() } },
                yajl_map_key: { context, text, count in
                    unsafe stringEvent(context, text, count, .key) { unsafe $0.state.checkedKey($1, count) }
                },
                yajl_end_map: { unsafe closing($0) { $0.state.closeObject() } },
                yajl_start_array: { unsafe opening($0, isObject: false) { $0.state.openArray() } },
                yajl_end_array: { unsafe closing($0) { $0.state.closeArray() } }))
        return unsafe UnsafePointer(pointer)
    }()

    /// Delivers an event whose token has a fixed length in the text.
    @inline(__always)
    private static func event(
        _ pointer: UnsafeMutableRawPointer?, of count: Int, _ event: SyntaxDiagnosis.Event, _ deliver: (BinderHandle) -> Bool
    ) -> Int32 {
        let context = unsafe context(pointer)
        unsafe context.pointee.setToken(ofSize: count)
        return unsafe context.pointee.note(event, deliver(context.pointee.binder))
    }

    private static func opening(
        _ pointer: UnsafeMutableRawPointer?, isObject: Bool, _ deliver: (BinderHandle) -> Bool
    ) -> Int32 {
        let goesOn = unsafe event(pointer, of: 1, .opening, deliver)
        let context = unsafe context(pointer)
        let binder = unsafe context.pointee.binder
        unsafe context.pointee.openContainers.open(
            isObject: isObject, at: binder.state.document.chunk.offset(of: binder.state.document.token.start))
        return goesOn
    }

    private static func closing(_ pointer: UnsafeMutableRawPointer?, _ deliver: (BinderHandle) -> Bool) -> Int32 {
        unsafe context(pointer).pointee.openContainers.close()
        return unsafe event(pointer, of: 1, .value, deliver)
    }

    @inline(__always)
    private static func stringEvent(
        _ pointer: UnsafeMutableRawPointer?, _ text: UnsafePointer<UInt8>?, _ count: Int, _ event: SyntaxDiagnosis.Event,
        _ deliver: (BinderHandle, UnsafePointer<UInt8>) -> Bool
    ) -> Int32 {
        let context = unsafe context(pointer)
        // Safe: yajl may pass no address for an empty string; `NoBytes` are never read at length 0.
        let bytes = unsafe text ?? NoBytes.address
        unsafe context.pointee.setToken(ofString: bytes, count)
        return unsafe context.pointee.note(event, deliver(context.pointee.binder, bytes))
    }

    @inline(__always)
    private static func context(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Context> {
        // Safe: every parser with this callback table is made with a `Context`, which lives as long as the parser.
        unsafe pointer.unsafelyUnwrapped.assumingMemoryBound(to: Context.self)
    }
}
