// A container that becomes a `JSONValue` is read here with all that it contains. Nothing inside can fail to fit, and no key is looked
// up, so no frame is pushed: each container is one call, which gathers its elements in the arena.
//
// Text that may be damaged ends the reading before the binder has had an event of the container. The container is then read in the
// general way, as is every tree of the document after it: otherwise each of its containers would be tried again.

extension DocumentScanner {
    /// Reads the array or object that opens at a position as a tree. The outer optional is nil, and nothing has happened, if the general way
    /// must read it; the inner one is nil if the binder has an error.
    @inline(never)
    func readTree(_ opening: Address) -> Address?? {
        guard isPlain, !binder.state.document.hasDoubtfulTree else { return nil }
        let mark = binder.state.frames.arena.mark
        let tree = unsafe binder.state.frames.arena.allocate(MemoryLayout<JSONValue>.stride, alignment: 16)
            .assumingMemoryBound(to: JSONValue.self)
        let end = unsafe storeTree(opening, levelsLeft, at: tree)
        // Safe: the memory is not used again before the value has been moved out of it.
        binder.state.frames.arena.release(to: mark)
        guard let end = unsafe end else {
            binder.state.document.hasDoubtfulTree = true
            return nil
        }
        binder.state.document.token = unsafe TokenRange(end - 1, end)
        return unsafe .some(binder.state.takeTree(tree) ? end : nil)
    }

    /// Stores the value at a position in memory that is not initialised. Returns the position after it; nil if nothing has been stored.
    ///
    /// - Parameter levels: How many levels of containers may still open.
    @inline(__always)
    private func storeTree(_ token: Address, _ levels: Int, at address: UnsafeMutablePointer<JSONValue>) -> Address? {
        switch unsafe token.pointee {
        case .quote:
            guard let string = unsafe string(at: token), let text = text(of: string) else { return nil }
            unsafe address.initialize(to: .string(text))
            return unsafe string.end
        case UInt8(ascii: "{"):
            return unsafe levels > 0 ? storeObject(token, levels &- 1, at: address) : nil
        case UInt8(ascii: "["):
            return unsafe levels > 0 ? storeArray(token, levels &- 1, at: address) : nil
        case .minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let end = unsafe NumberParsing.lexemeEnd(token, end),
                let lexeme = unsafe binder.state.asciiString(token, end - token)
            else { return nil }
            unsafe address.initialize(to: .number(JSONNumber(validated: lexeme)))
            return unsafe end
        case UInt8(ascii: "t"):
            return unsafe storeLiteral(token, "true", .bool(true), at: address)
        case UInt8(ascii: "f"):
            return unsafe storeLiteral(token, "false", .bool(false), at: address)
        case UInt8(ascii: "n"):
            return unsafe storeLiteral(token, "null", .null, at: address)
        default:
            return nil
        }
    }

    @inline(__always)
    private func text(of string: ScannedString) -> String? {
        unsafe string.isASCII
            ? binder.state.asciiString(string.start, string.count)
            : String.validated(string.start, string.count, isASCII: false)
    }

    @inline(__always)
    private func storeLiteral(
        _ token: Address, _ literal: StaticString, _ value: JSONValue, at address: UnsafeMutablePointer<JSONValue>
    ) -> Address? {
        guard let next = unsafe text.skip(literal, at: token) else { return nil }
        unsafe address.initialize(to: value)
        return unsafe next
    }

    @inline(never)
    private func storeArray(_ opening: Address, _ levels: Int, at address: UnsafeMutablePointer<JSONValue>) -> Address? {
        guard var token = unsafe text.skipBlanks(opening + 1) else { return nil }
        if unsafe token.pointee == UInt8(ascii: "]") {
            unsafe address.initialize(to: .array([]))
            return unsafe token + 1
        }
        var elements = TreeParts<JSONValue>(binder)
        while let next = unsafe storeTree(token, levels, at: elements.next(binder)) {
            elements.count &+= 1
            guard let separator = unsafe text.skipBlanks(next) else { break }
            guard unsafe separator.pointee == UInt8(ascii: ",") else {
                guard unsafe separator.pointee == UInt8(ascii: "]") else { break }
                unsafe address.initialize(to: .array(elements.array(binder)))
                return unsafe separator + 1
            }
            guard let element = unsafe text.skipBlanks(separator + 1) else { break }
            unsafe token = unsafe element
        }
        elements.destroy(binder)
        return nil
    }

    @inline(never)
    private func storeObject(_ opening: Address, _ levels: Int, at address: UnsafeMutablePointer<JSONValue>) -> Address? {
        guard var token = unsafe text.skipBlanks(opening + 1) else { return nil }
        if unsafe token.pointee == UInt8(ascii: "}") {
            unsafe address.initialize(to: .object(JSONObject()))
            return unsafe token + 1
        }
        var members = TreeParts<JSONObject.Member>(binder)
        while let next = unsafe storeMember(token, levels, at: members.next(binder)) {
            members.count &+= 1
            guard let separator = unsafe text.skipBlanks(next) else { break }
            guard unsafe separator.pointee == UInt8(ascii: ",") else {
                guard unsafe separator.pointee == UInt8(ascii: "}") else { break }
                if !keepsAllMembers, members.hasRepeatedKey { break }
                unsafe address.initialize(to: .object(JSONObject(members.array(binder))))
                return unsafe separator + 1
            }
            guard let key = unsafe text.skipBlanks(separator + 1) else { break }
            unsafe token = unsafe key
        }
        members.destroy(binder)
        return nil
    }

    /// Whether members with the same key are all kept: the last one counts. Otherwise an object with such members is read in the general way.
    @inline(__always)
    private var keepsAllMembers: Bool { binder.state.policy.options.duplicateKeys == .last }

    /// Stores the member whose key is at a position. Returns the position after it; nil if nothing has been stored.
    @inline(__always)
    private func storeMember(_ token: Address, _ levels: Int, at address: UnsafeMutablePointer<JSONObject.Member>) -> Address? {
        guard unsafe token.pointee == .quote, let string = unsafe string(at: token), let key = text(of: string),
            let colon = unsafe text.skipBlanks(string.end), unsafe colon.pointee == UInt8(ascii: ":"),
            let start = unsafe text.skipBlank(colon + 1)
        else { return nil }
        // Safe: a tuple has each part at the first multiple of its alignment after the part before, and both parts are aligned alike.
        let pair = UnsafeMutableRawPointer(address)
        let value = unsafe (pair + MemoryLayout<String>.stride).assumingMemoryBound(to: JSONValue.self)
        guard let end = unsafe storeTree(start, levels, at: value) else { return nil }
        unsafe pair.assumingMemoryBound(to: String.self).initialize(to: key)
        return unsafe end
    }
}

/// The elements or members of a container of a tree, while they are gathered in the arena.
@safe
private struct TreeParts<Part> {
    private let mark: Arena.Mark
    fileprivate private(set) var base: UnsafeMutablePointer<Part>
    private var capacity = 4
    var count = 0

    @inline(__always)
    init(_ binder: BinderHandle) {
        mark = binder.state.frames.arena.mark
        // Safe: the arena's memory has no type of its own.
        unsafe base = binder.state.frames.arena.allocate(4 &* MemoryLayout<Part>.stride, alignment: 16)
            .assumingMemoryBound(to: Part.self)
    }

    /// Where the next part goes. What is allocated for the inside of a part is released before the part is complete, so that these parts
    /// are the arena's last allocation again.
    @inline(__always)
    mutating func next(_ binder: BinderHandle) -> UnsafeMutablePointer<Part> {
        if count == capacity { grow(binder) }
        return unsafe base + count
    }

    @inline(never)
    private mutating func grow(_ binder: BinderHandle) {
        unsafe base = unsafe binder.state.frames.arena.grow(base, capacity)
        capacity &*= 2
    }

    /// The parts, moved into an array.
    @inline(__always)
    func array(_ binder: BinderHandle) -> [Part] {
        // Safe: `count` parts are complete, and their memory is not used again before they have been moved.
        binder.state.frames.arena.release(to: mark)
        return unsafe Array(moving: base, count: count)
    }

    @inline(never)
    func destroy(_ binder: BinderHandle) {
        unsafe base.deinitialize(count: count)
        binder.state.frames.arena.release(to: mark)
    }
}

extension TreeParts where Part == JSONObject.Member {
    /// Whether two members have the same key.
    fileprivate var hasRepeatedKey: Bool {
        @inline(never) get {
            // Safe: `count` members are complete.
            let members = unsafe UnsafeBufferPointer(start: base, count: count)
            if count > 8 { return unsafe Set(members.lazy.map(\.key)).count < count }
            for index in members.indices.dropFirst() {
                for other in 0..<index where unsafe members[other].key == members[index].key { return true }
            }
            return false
        }
    }
}

extension Binder {
    /// Stores a tree, which is moved out of its memory. Returns false if the binder has an error.
    fileprivate mutating func takeTree(_ tree: UnsafeMutablePointer<JSONValue>) -> Bool {
        unsafe destination.store(tree.move())
        return advance()
    }
}
