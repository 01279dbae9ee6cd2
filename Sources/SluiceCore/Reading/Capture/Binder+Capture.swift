// Some values cannot be bound as they arrive: a key that several properties want, an object whose type its last key may tell, one
// that a hook wants to see first. Their text is captured, and read again, for each that wants it, when its end has come.
//
// Of a document in memory the text is a part of the document: capturing it costs a scan for its closing bracket, and reading it
// again is then the first real reading. In chunks the parser has read it once before.

extension Binder {
    /// Levels of captured values inside captured values. Each takes a part of the thread's own stack.
    static let maximumCaptureDepth = 64

    /// Reads a captured value for the row and place at hand. The text lies in the chunk, unless a hook has made it.
    mutating func readCaptured(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0 else { return true }
        guard replayDepth < Binder.maximumCaptureDepth else { return failReplayDepth() }
        let outer = unsafe (chunk, token, yajl)
        if unsafe !chunk.contains(start) {
            chunk = unsafe Chunk(UnsafeRawBufferPointer(text), at: placeInOrder(at: token.start), isMade: true)
        }
        replayDepth += 1
        let isRead = unsafe withUnsafeMutablePointer(to: &self) { unsafe Binder.read(text, from: start, into: $0) }
        replayDepth -= 1
        unsafe (chunk, token, yajl) = unsafe outer
        return isRead
    }

    @inline(never)
    mutating func failReplayDepth() -> Bool {
        unsafe fail(
            .depthLimit, expected: "at most \(Binder.maximumCaptureDepth) levels of values of several types", found: "more")
    }

    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, from start: UnsafePointer<UInt8>, into binder: UnsafeMutablePointer<Binder>
    ) -> Bool {
        let isContainer = unsafe start.pointee == UInt8(ascii: "{") || start.pointee == UInt8(ascii: "[")
        let isReadByYajl = unsafe binder.pointee.yajl != nil
        guard isReadByYajl, isContainer else {
            unsafe binder.pointee.yajl = nil
            let isRead = unsafe DocumentScanner(binder, UnsafeRawBufferPointer(text)).readWhole()
            if isRead || !isReadByYajl { return isRead }
            // yajl has found the scalar to be one, so only its escapes can be wrong.
            return unsafe binder.pointee.error == nil && binder.pointee.failUnicode()
        }
        guard let spare = unsafe binder.pointee.spareParsers.popLast() ?? YajlEvents(binder: binder) else {
            return unsafe binder.pointee.fail(.incompatibleParser, expected: "", found: "yajl has no memory for a parser")
        }
        spare.begin()
        let isRead = unsafe spare.parse(UnsafeRawBufferPointer(text)) == .ok
        // A parser that was stopped in the middle is of no more use.
        if isRead { unsafe binder.pointee.spareParsers.append(spare) }
        return isRead
    }

    // MARK: Who wants the text

    /// Binds the text of a captured value.
    mutating func bindCapturedText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let row = frame.row
        switch row.kind {
        case .sharedKey: return unsafe readCaptured(text, for: row.binding.sharedRows)
        case .path: return unsafe replayElements(text, row)
        default: break
        }
        let level = stackCount
        var failure: JSONError?
        let place = destination
        let outcome = unsafe withUnsafeMutablePointer(to: &self) { binder in
            do throws(JSONError) {
                let captured = unsafe _CapturedValue(binder: binder, content: .text(text), binding: row.binding)
                return try row.binding.type._bind(captured, at: place)
            } catch {
                failure = error
                return .unbound
            }
        }
        if let failure {
            return unsafe row.binding.adapter == .none
                ? park(failure, isInside: true) : failInside(failure, at: token.start)
        }
        if outcome == .bound { return advance() }
        // Either the error is parked, or a place further out has taken it.
        return error == nil && stackCount <= level
    }

    /// Reads the text of one key for each of its properties.
    private mutating func readCaptured(
        _ text: UnsafeBufferPointer<UInt8>, for rows: [RowHandle]
    ) -> Bool {
        let level = stackCount
        // Where the key leads on, an object is for what lies behind it: to a property that takes none, its key is absent.
        let leadsOn = unsafe text.first == UInt8(ascii: "{") && rows.contains { $0.kind == .path }
        trials.sharing += 1
        defer { trials.sharing -= 1 }
        for row in rows {
            if leadsOn, row.kind.isScalar || row.kind == .array { continue }
            guard unsafe readCaptured(text, for: row) else { return false }
            // An outer frame has dropped the value that does not fit, and this one with it.
            if stackCount < level || skipDepth > 0 { break }
        }
        return true
    }

    /// Reads a captured value for one row of the model at hand.
    private mutating func readCaptured(_ text: UnsafeBufferPointer<UInt8>, for row: RowHandle) -> Bool {
        guard unsafe specialKey(row, row.key, row.keyCount) else { return false }
        if frame.row.kind == .sharedKey {
            return unsafe readCaptured(text, for: row.binding.sharedRows)
        }
        // Raw JSON is read too: its text may have been passed over by its brackets, and it is promised to be JSON.
        return unsafe frame.row.kind == .ignored || readCaptured(text)
    }

    /// Reads those elements of an array whose places are keys of a path: `items.0.id`.
    private mutating func replayElements(
        _ text: UnsafeBufferPointer<UInt8>, _ path: RowHandle
    ) -> Bool {
        // Safe: the table compiler gives every path row a level.
        let keys = unsafe path.level.unsafelyUnwrapped
        _ = openPath(path)
        frame.isVirtual = true
        virtualCount += 1
        let level = stackCount
        var elements = unsafe ObjectScanner(text)
        var place = 0
        while let element = unsafe elements.nextElement() {
            let key = Array(String(place).utf8)
            place += 1
            let row = unsafe key.withUnsafeBufferPointer { key in
                unsafe key.baseAddress.flatMap { unsafe keys.row(forKey: $0, key.count) }
            }
            guard let row = row else { continue }
            guard unsafe readCaptured(element, for: row) else { return false }
            if stackCount < level || skipDepth > 0 { return true }
        }
        virtualCount -= 1
        pop()
        return true
    }

    /// Reads a captured value into memory that holds a nil, or a model to be updated, as if it were a document of its own; false if
    /// an error is parked, or if a place further out has taken one.
    mutating func readCaptured(
        _ text: UnsafeBufferPointer<UInt8>, for row: RowHandle, at place: UnsafeMutableRawPointer,
        updates: Bool = false
    ) -> Bool {
        unsafe pushNested(row, at: place)
        let level = stackCount
        frame.isReplacing = updates
        frame.isPrefilled = updates
        guard unsafe readCaptured(text), stackCount == level else { return false }
        virtualCount -= 1
        pop()
        return true
    }

    /// Opens a frame around a value that goes to a place of its own.
    mutating func pushNested(_ row: RowHandle, at place: UnsafeMutableRawPointer) {
        push()
        frame = unsafe Frame(
            row: row, address: place, stride: 0, limit: nil, expected: ReaderRows.none, level: ReaderRows.emptyLevel, base: place,
            block: place, binding: row.binding, mark: arena.mark, kind: .nested)
        frame.isVirtual = true
        virtualCount += 1
    }
}

/// The text of a captured value, for a type that decides by it what to make; lent for one call.
@safe
public struct _CapturedValue {
    let binder: UnsafeMutablePointer<Binder>
    let content: Content
    let binding: BindingHandle

    /// What was captured.
    @safe
    enum Content {
        case text(UnsafeBufferPointer<UInt8>)
        /// A scalar on its way, for a type that is tried as its variants.
        case scalar(JSONScalar)
    }

    private var text: UnsafeBufferPointer<UInt8> {
        if case .text(let text) = content { return unsafe text }
        return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }

    /// What became of a captured value.
    public enum Outcome: Sendable {
        /// It was stored.
        case bound
        /// It does not fit; the reader knows more.
        case unbound
    }

    init(binder: UnsafeMutablePointer<Binder>, content: Content, binding: BindingHandle) {
        unsafe self.binder = unsafe binder
        self.content = content
        self.binding = binding
    }

    /// Whether the text is of a stored form.
    var isStored: Bool { binding.isStored }

    /// The members of the object, found without reading their values.
    var members: ObjectScanner { unsafe ObjectScanner(text) }

    /// The text as it stands, checked.
    package func raw() throws(JSONError) -> RawJSON {
        if case .scalar(let scalar) = content {
            guard let raw = scalar.rawText else { throw JSONError(.invalidUnicode, expected: "valid UTF-8") }
            return raw
        }
        let left = unsafe JSONReader.Options(maximumDepth: binder.pointee.maximumDepth - binder.pointee.nesting)
        return try unsafe RawJSON(json: UnsafeRawBufferPointer(text), options: left)
    }

    /// The object as a tree.
    func object() throws(JSONError) -> JSONObject {
        guard case .object(let object) = try unsafe JSONValue(json: UnsafeRawBufferPointer(text)) else {
            throw JSONError(.typeMismatch, expected: "an object", found: "an array")
        }
        return object
    }

    /// A part of the text, to be read in its place.
    func part(_ part: UnsafeBufferPointer<UInt8>) -> _CapturedValue {
        unsafe _CapturedValue(binder: binder, content: .text(part), binding: binding)
    }

    /// Reads the value as the type of a variant; nil when it does not fit, which the reader has noted.
    @inlinable
    public func read<Value: JSONReadable>(_ type: Value.Type, variant: Int) -> Value? {
        // Specialised in the variant's own module: here, the value would be moved through its metadata.
        var value: Value?
        let isRead = unsafe withUnsafeMutablePointer(to: &value) { place in
            unsafe readCaptured(variant: variant, at: UnsafeMutableRawPointer(place))
        }
        return isRead ? value : nil
    }

    /// Reads the value into memory that holds a nil of the variant's type.
    @usableFromInline
    func readCaptured(variant: Int, at place: UnsafeMutableRawPointer) -> Bool {
        unsafe readCaptured(variant: variant, at: place, updates: false)
    }

    /// The same for memory that may hold a model to be updated.
    private func readCaptured(variant: Int, at place: UnsafeMutableRawPointer, updates: Bool) -> Bool {
        let row = binding.variants[variant]
        return unsafe binder.pointee.readCaptured(text, for: row, at: place, updates: updates)
    }

    /// Whether the value updates the one that its place holds.
    var updatesPlace: Bool { unsafe binder.pointee.updatesPlace }

    /// Reads other text in the value's place, into a model that it updates if there is one.
    func read<Value: JSONReadable>(
        _ type: Value.Type, variant: Int, instead bytes: [UInt8], updating old: Value?
    ) -> Value? {
        // What is known of texts is known by their addresses, and these bytes will be gone.
        let known = unsafe binder.pointee.trials.outcomes
        unsafe binder.pointee.trials.outcomes = [:]
        defer { unsafe binder.pointee.trials.outcomes = known }
        var value = old
        let isRead = unsafe bytes.withUnsafeBufferPointer { other in
            unsafe withUnsafeMutablePointer(to: &value) { place in
                unsafe part(other).readCaptured(variant: variant, at: UnsafeMutableRawPointer(place), updates: old != nil)
            }
        }
        return isRead ? value : nil
    }
}
