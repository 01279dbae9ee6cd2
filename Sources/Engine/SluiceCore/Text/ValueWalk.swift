// One pass over a value in memory that must be JSON: brackets, commas, colons and literals are all looked at. The sink decides what
// is done with the tokens; without a sink the value is only checked.

/// Takes the tokens of a value, in the order of the text.
protocol ValueSink {
    /// What a sink keeps of a container while it is open.
    associatedtype Container

    /// How closely strings are looked at.
    static var stringRule: StringRule { get }
    /// Whether a comma may follow the last member or element.
    static var allowsTrailingComma: Bool { get }

    mutating func literal(_ literal: ValueLiteral, at address: TextCursor.Address)

    mutating func string(_ string: TextString)

    /// Takes the number at a position; returns the position after it, or nil to end the walk.
    mutating func number(at address: TextCursor.Address, _ text: TextCursor) -> TextCursor.Address?

    /// Takes an opening bracket; nil ends the walk.
    mutating func open() -> Container?

    mutating func key(_ key: TextString, of container: inout Container)

    /// Takes the closing bracket of a container that lies between two positions, with this many members or elements.
    mutating func close(
        _ container: Container, isObject: Bool, from opening: TextCursor.Address, to end: TextCursor.Address, count: Int)

    /// Takes the opening bracket of a container that is nested too deep. The walk ends.
    mutating func openTooDeep()
}

/// The three values that have a name.
enum ValueLiteral { case null, `false`, `true` }

/// Ignores all tokens, so that the walk only checks the value.
struct NoSink: ValueSink {
    static var stringRule: StringRule { .checked }
    static var allowsTrailingComma: Bool { false }

    @inline(__always)
    func literal(_ literal: ValueLiteral, at address: TextCursor.Address) {}
    @inline(__always)
    func string(_ string: TextString) {}
    @inline(__always)
    func number(at address: TextCursor.Address, _ text: TextCursor) -> TextCursor.Address? {
        unsafe NumberParsing.lexemeEnd(address, text.end)
    }
    @inline(__always)
    func open() -> Void? { () }
    @inline(__always)
    func key(_ key: TextString, of container: inout Void) {}
    @inline(__always)
    func close(_ container: Void, isObject: Bool, from opening: TextCursor.Address, to end: TextCursor.Address, count: Int) {}
    func openTooDeep() {}
}

/// Reads one value, and passes its tokens to a sink.
///
/// The first byte that may be wrong ends the walk: it words no error. A nested container is a nested call.
@safe
struct ValueWalk<Sink: ValueSink> {
    typealias Address = TextCursor.Address

    let text: TextCursor

    /// Reads the value and the white space around it; false if the text is not valid.
    ///
    /// - Parameter levels: How many levels of containers may open.
    func read(_ start: Address, levels: Int, _ sink: inout Sink) -> Bool {
        guard let first = unsafe text.skipBlanks(start), let next = unsafe value(first, levels, &sink) else { return false }
        return unsafe text.isBlank(from: next)
    }

    @inline(__always)
    private func value(_ address: Address, _ levels: Int, _ sink: inout Sink) -> Address? {
        switch unsafe address.pointee {
        case UInt8(ascii: "\""): unsafe string(address, &sink)
        case UInt8(ascii: "{"): unsafe object(address, levels, &sink)
        case UInt8(ascii: "["): unsafe array(address, levels, &sink)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): unsafe sink.number(at: address, text)
        case UInt8(ascii: "t"): unsafe literal(address, "true", .true, &sink)
        case UInt8(ascii: "f"): unsafe literal(address, "false", .false, &sink)
        case UInt8(ascii: "n"): unsafe literal(address, "null", .null, &sink)
        default: nil
        }
    }

    @inline(__always)
    private func string(_ quote: Address, _ sink: inout Sink) -> Address? {
        guard let string = unsafe text.string(at: quote, Sink.stringRule) else { return nil }
        sink.string(string)
        return unsafe string.end
    }

    @inline(__always)
    private func literal(_ address: Address, _ name: StaticString, _ literal: ValueLiteral, _ sink: inout Sink) -> Address? {
        guard let next = unsafe text.skip(name, at: address) else { return nil }
        unsafe sink.literal(literal, at: address)
        return unsafe next
    }

    // MARK: Containers

    private func object(_ opening: Address, _ levels: Int, _ sink: inout Sink) -> Address? {
        guard var container = enter(levels, &sink) else { return nil }
        var address: Address
        var count = 0
        switch unsafe text.first(after: opening, closing: UInt8(ascii: "}")) {
        case nil: return nil
        case .end(let end): return unsafe close(container, isObject: true, opening, end, 0, &sink)
        case .item(let first): unsafe address = unsafe first
        }
        while true {
            guard let value = unsafe member(address, levels, &container, &sink) else { return nil }
            count &+= 1
            switch unsafe text.next(after: value, closing: UInt8(ascii: "}")) {
            case nil: return nil
            case .end(let end): return unsafe close(container, isObject: true, opening, end, count, &sink)
            case .item(let next): unsafe address = unsafe next
            }
            if Sink.allowsTrailingComma, unsafe address.pointee == UInt8(ascii: "}") {
                return unsafe close(container, isObject: true, opening, address + 1, count, &sink)
            }
        }
    }

    private func array(_ opening: Address, _ levels: Int, _ sink: inout Sink) -> Address? {
        guard let container = enter(levels, &sink) else { return nil }
        var address: Address
        var count = 0
        switch unsafe text.first(after: opening, closing: UInt8(ascii: "]")) {
        case nil: return nil
        case .end(let end): return unsafe close(container, isObject: false, opening, end, 0, &sink)
        case .item(let first): unsafe address = unsafe first
        }
        while true {
            guard let value = unsafe value(address, levels &- 1, &sink) else { return nil }
            count &+= 1
            switch unsafe text.next(after: value, closing: UInt8(ascii: "]")) {
            case nil: return nil
            case .end(let end): return unsafe close(container, isObject: false, opening, end, count, &sink)
            case .item(let next): unsafe address = unsafe next
            }
            if Sink.allowsTrailingComma, unsafe address.pointee == UInt8(ascii: "]") {
                return unsafe close(container, isObject: false, opening, address + 1, count, &sink)
            }
        }
    }

    /// Reads a key and its value; returns the position after the value.
    @inline(__always)
    private func member(_ address: Address, _ levels: Int, _ container: inout Sink.Container, _ sink: inout Sink) -> Address? {
        guard let (key, address) = unsafe text.key(at: address, Sink.stringRule) else { return nil }
        sink.key(key, of: &container)
        return unsafe value(address, levels &- 1, &sink)
    }

    @inline(__always)
    private func enter(_ levels: Int, _ sink: inout Sink) -> Sink.Container? {
        guard levels > 0 else {
            sink.openTooDeep()
            return nil
        }
        return sink.open()
    }

    @inline(__always)
    private func close(
        _ container: Sink.Container, isObject: Bool, _ opening: Address, _ end: Address, _ count: Int, _ sink: inout Sink
    ) -> Address {
        unsafe sink.close(container, isObject: isObject, from: opening, to: end, count: count)
        return unsafe end
    }

    /// Reads the members of an object without its braces, up to the end of the text; false if they are not valid.
    @inline(never)
    func readMembers(_ start: Address, levels: Int, _ sink: inout Sink) -> Bool {
        guard var container = enter(levels, &sink) else { return false }
        var count = 0
        var address = unsafe start
        while let key = unsafe text.skipBlanks(address) {
            guard let value = unsafe member(key, levels, &container, &sink) else { return false }
            count &+= 1
            unsafe address = unsafe value
            guard let separator = unsafe text.skipBlanks(value) else { break }
            guard unsafe separator.pointee == UInt8(ascii: ",") else { return false }
            unsafe address = unsafe separator + 1
        }
        guard unsafe text.isBlank(from: address) else { return false }
        unsafe sink.close(container, isObject: true, from: start, to: text.end, count: count)
        return true
    }
}
