// Some values cannot be bound as they arrive: the value of a key that several properties share, an object whose last key may decide
// its type, and an object that a hook must see first. Their text is captured and, when it has ended, read for each property that
// needs it.
//
// In a document that lies in memory, the text is a part of the document: capturing it costs a scan for its closing bracket, and it is
// parsed only when it is read. In a document that comes in chunks, yajl has parsed the text once before.

extension Binder {
    /// The most levels of captured values inside captured values. Each takes a part of the thread's own stack.
    static let maximumCaptureDepth = 64

    /// Reads a captured value for the frame's row and position. The text lies in the chunk, unless a hook has made it.
    mutating func readCaptured(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress, text.count > 0 else { return true }
        guard document.captureDepth < Binder.maximumCaptureDepth else { return failCaptureDepth() }
        let outer = unsafe (document.chunk, document.token, document.yajl)
        if unsafe !document.chunk.contains(start) {
            document.chunk = unsafe Chunk(
                UnsafeRawBufferPointer(text), at: positionInOrder(at: document.token.start), isMade: true, isCopy: true)
        }
        // A value inside the object of an inlined property has its own keys.
        let inlined = capture.inlined
        if unsafe !inlined.isText(start) { capture.inlined = .none }
        document.captureDepth += 1
        let isRead = withHandle { unsafe Binder.read(text, from: start, into: $0) }
        document.captureDepth -= 1
        capture.inlined = inlined
        unsafe (document.chunk, document.token, document.yajl) = unsafe outer
        return isRead
    }

    @inline(never)
    mutating func failCaptureDepth() -> Bool {
        unsafe fail(
            .depthLimit, expected: "at most \(Binder.maximumCaptureDepth) levels of values of several types", found: "more")
    }

    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, from start: UnsafePointer<UInt8>, into binder: BinderHandle
    ) -> Bool {
        let isContainer = unsafe start.pointee == UInt8(ascii: "{") || start.pointee == UInt8(ascii: "[")
        let isReadByYajl = unsafe binder.state.document.yajl != nil
        guard isReadByYajl, isContainer else {
            unsafe binder.state.document.yajl = nil
            let isRead = unsafe DocumentScanner(binder, UnsafeRawBufferPointer(text)).readWhole()
            if isRead || !isReadByYajl { return isRead }
            // yajl has already accepted the scalar, so only its escapes can be wrong.
            return binder.state.document.error == nil && binder.state.failUnicode()
        }
        let spare = binder.state.capture.spareParsers.popLast() ?? YajlEvents(binder: binder)
        spare.begin()
        let isRead = unsafe spare.parse(UnsafeRawBufferPointer(text)) == .ok
        // A parser that was stopped in the middle cannot be used again.
        if isRead { binder.state.capture.spareParsers.append(spare) }
        return isRead
    }

    // MARK: Binding the text

    /// Binds the text of a captured value.
    mutating func bindCapturedText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let row = document.frame.row
        switch row.kind {
        case .sharedKey: return unsafe readCaptured(text, for: row.binding.sharedRows)
        case .path: return unsafe readCapturedElements(text, row)
        default: break
        }
        let level = document.stackCount
        switch unsafe bind(.text(text)) {
        case .failure(let failure):
            return unsafe row.binding.adapter == .none
                ? park(failure, isInside: true) : failInside(failure, at: document.token.start)
        case .success(.bound): return advance()
        // Either the error is parked, or a tolerant frame has dropped the value.
        case .success(.unbound): return document.error == nil && document.stackCount <= level
        }
    }

    /// Lets the type of the current row bind a captured value.
    mutating func bind(_ content: _CapturedValue.Content) -> Result<_CapturedValue.Outcome, JSONError> {
        let (binding, address) = (document.frame.row.binding, destination)
        return withHandle { binder in
            Result { () throws(JSONError) in
                try binding.type._bind(_CapturedValue(binder: binder, content: content, binding: binding), at: address)
            }
        }
    }

    /// Reads the text of a shared key for each of its properties.
    private mutating func readCaptured(
        _ text: UnsafeBufferPointer<UInt8>, for rows: [RowHandle]
    ) -> Bool {
        let level = document.stackCount
        // If a key path leads through the key, an object belongs to that path. For a property that is a scalar or an array, the key
        // then counts as absent.
        let leadsOn = unsafe text.first == UInt8(ascii: "{") && rows.contains { $0.kind == .path }
        attempts.sharing += 1
        defer { attempts.sharing -= 1 }
        for row in rows {
            if leadsOn, row.kind.isScalar || row.kind == .array { continue }
            guard unsafe readCaptured(text, for: row) else { return false }
            // The value does not fit, and an outer frame has dropped it together with this model.
            if document.stackCount < level || document.skipDepth > 0 { break }
        }
        return true
    }

    /// Reads a captured value for one row of the current model.
    private mutating func readCaptured(_ text: UnsafeBufferPointer<UInt8>, for row: RowHandle) -> Bool {
        if row.kind == .path || row.kind == .sharedKey {
            // The key itself has come only once.
            document.frame.row = row
        } else if !specialKey(row) {
            return false
        }
        if document.frame.row.kind == .sharedKey {
            return unsafe readCaptured(text, for: row.binding.sharedRows)
        }
        // Raw JSON is read too: it must be valid, and its text may have been passed over by its brackets.
        return unsafe document.frame.row.kind == .ignored || readCaptured(text)
    }

    /// Reads those elements of an array whose indices are keys of a path, as in `items.0.id`.
    private mutating func readCapturedElements(
        _ text: UnsafeBufferPointer<UInt8>, _ path: RowHandle
    ) -> Bool {
        // Safe: the table compiler gives every path row a level.
        let keys = unsafe path.level.unsafelyUnwrapped
        _ = openPath(path)
        document.frame.isVirtual = true
        document.virtualCount += 1
        let level = document.stackCount
        var elements = unsafe ElementCursor(text)
        var index = 0
        while let element = unsafe elements.next() {
            let key = Array(String(index).utf8)
            index += 1
            let row = unsafe key.withUnsafeBufferPointer { key in
                unsafe key.baseAddress.flatMap { unsafe keys.row(forKey: $0, key.count) }
            }
            guard let row = row else { continue }
            guard unsafe readCaptured(element, for: row) else { return false }
            if document.stackCount < level || document.skipDepth > 0 { return true }
        }
        document.virtualCount -= 1
        pop()
        return true
    }

    /// Reads a captured value into memory that holds a nil, or a model to be updated, as if it were a document of its own; false if
    /// an error is parked, or if an outer frame has dropped the value.
    mutating func readCaptured(
        _ text: UnsafeBufferPointer<UInt8>, for row: RowHandle, at address: UnsafeMutableRawPointer,
        updates: Bool = false, part: [String] = []
    ) -> Bool {
        unsafe pushNested(row, at: address)
        let level = document.stackCount
        if !part.isEmpty { frames.parts.append((level: level, keys: part)) }
        document.frame.isReplacing = updates
        document.frame.isPrefilled = updates
        guard unsafe readCaptured(text), document.stackCount == level else { return false }
        document.virtualCount -= 1
        pop()
        if updates { update.objects?.settle(to: document.stackCount) }
        return true
    }

    /// Pushes a frame for a value that is stored outside of the frames around it.
    mutating func pushNested(_ row: RowHandle, at address: UnsafeMutableRawPointer) {
        push()
        // Those of values that have been read, or dropped.
        if !frames.parts.isEmpty { frames.parts.removeAll { $0.level >= document.stackCount } }
        document.frame = unsafe Frame(
            row: row, address: address, stride: 0, limit: nil, lastKey: policy.noLevel.start, level: policy.noLevel,
            base: address,
            block: address, binding: row.binding, mark: frames.arena.mark, kind: .nested)
        document.frame.isVirtual = true
        document.virtualCount += 1
    }
}

extension _CapturedValue {
    init(binder: BinderHandle, content: Content, binding: BindingHandle) {
        unsafe self.init(reader: binder.raw, content: content, binding: binding)
    }

    var binder: BinderHandle { BinderHandle(of: self) }

    var text: UnsafeBufferPointer<UInt8> {
        if case .text(let text) = content { return unsafe text }
        return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }

    /// Whether the text is that of a copy or an archive, in a ``StoredForm``.
    var isStored: Bool { binding.isStored }

    /// Whether the text is that of an array.
    var isArray: Bool { unsafe text.first == UInt8(ascii: "[") }

    /// The members of the object, found without parsing their values.
    var members: MemberCursor { unsafe MemberCursor(text) }

    /// The text as it stands in the document, checked to be JSON.
    package func raw() throws(JSONError) -> RawJSON {
        if case .scalar(let scalar) = content {
            guard let raw = scalar.rawText else { throw JSONError(.invalidUnicode, expected: "valid UTF-8") }
            return raw
        }
        let left = JSONReader.Options(maximumDepth: binder.state.policy.maximumDepth - binder.state.document.nesting)
        if let own = unsafe binder.state.inlinedMembers(of: text) { return try RawJSON(json: own, options: left) }
        return try unsafe RawJSON(json: UnsafeRawBufferPointer(text), options: left)
    }

    /// The object as a tree.
    func object() throws(JSONError) -> JSONObject {
        // With another rule, a hook would see another value of a repeated key than the properties.
        let options = JSONReader.Options(duplicateKeys: binder.state.policy.options.duplicateKeys)
        let value: JSONValue
        do throws(JSONError) {
            value = try unsafe JSONValue(json: UnsafeRawBufferPointer(text), options: options)
        } catch {
            throw error.kind == .duplicateKey ? error.prefixed(by: binder.state.path()) : error
        }
        guard case .object(let object) = value else {
            throw JSONError(.typeMismatch, expected: "an object", found: "an array")
        }
        return object
    }

    /// The captured value with a part of its text, to be read instead of the whole.
    ///
    /// - Parameter keys: The keys that lead to that part, for errors.
    func part(_ part: UnsafeBufferPointer<UInt8>, at keys: [String] = []) -> _CapturedValue {
        var result = unsafe _CapturedValue(binder: binder, content: .text(part), binding: binding)
        result.part = keys
        return result
    }

    /// Reads the value as the type of a variant. Nil if the value does not fit; the reader then has the reason. In an update, if
    /// the destination holds an object of exactly this class, that object is updated and returned.
    @inlinable
    public func read<Value: JSONReadable>(_ type: Value.Type, variant: Int, at destination: _Destination) -> Value? {
        // Specialised in the variant's own module: here, the value would be moved through its metadata.
        var value: Value?
        // Unwrapped first: where an optional is cast to a final class, Swift 6.3 with `-O` forgets to test it for nil.
        if type is AnyClass, let object = updatedObject(at: destination) { value = object as? Value }
        // A subclass is not updated as its superclass.
        if let object = value, Swift.type(of: object) != type { value = nil }
        let updates = value != nil
        let isRead = unsafe withUnsafeMutablePointer(to: &value) { address in
            unsafe readCaptured(variant: variant, at: UnsafeMutableRawPointer(address), updates: updates)
        }
        return isRead ? value : nil
    }

    /// The object that the value updates; nil if it updates none.
    @usableFromInline
    func updatedObject(at destination: _Destination) -> AnyObject? {
        // The destination has the type with the variants, not the type of one of them. `binding.type` is that type, too.
        updatesAddress && binding.type is AnyClass ? destination.load(AnyObject.self) : nil
    }

    /// Reads the value into memory that holds a nil of the variant's type, or a model to be updated.
    @usableFromInline
    func readCaptured(variant: Int, at address: UnsafeMutableRawPointer, updates: Bool) -> Bool {
        let row = binding.variants[variant]
        return unsafe binder.state.readCaptured(text, for: row, at: address, updates: updates, part: part)
    }

    /// Whether the value updates the one that its position holds.
    // Most documents update nothing; asked like this, the binder is not copied for them.
    var updatesAddress: Bool { binder.state.update.isActive && binder.state.updatesAddress }

    /// Reads other text instead of the value's own; it updates the old model, if there is one.
    func read<Value: JSONReadable>(
        _ type: Value.Type, variant: Int, instead bytes: [UInt8], updating old: Value?
    ) -> Value? {
        // Outcomes are remembered by the address of their text, and these bytes will be freed.
        let known = binder.state.attempts.outcomes
        binder.state.attempts.outcomes = [:]
        defer { binder.state.attempts.outcomes = known }
        var value = old
        let isRead = unsafe bytes.withUnsafeBufferPointer { other in
            unsafe withUnsafeMutablePointer(to: &value) { address in
                unsafe part(other).readCaptured(variant: variant, at: UnsafeMutableRawPointer(address), updates: old != nil)
            }
        }
        return isRead ? value : nil
    }
}
