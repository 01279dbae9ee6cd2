// Writes the tape of a text and checks its strings and numbers in the same walk, instead of a check and then a scan.

/// Writes the tape of one text that is JSON in every respect.
@safe
struct CheckedTapeSink: ValueSink {
    static var stringRule: StringRule { .checkedAndMeasured }
    static var allowsTrailingComma: Bool { false }

    var tape: TapeSink

    @inline(__always)
    mutating func literal(_ literal: ValueLiteral, at address: TextCursor.Address) { unsafe tape.literal(literal, at: address) }
    @inline(__always)
    mutating func string(_ string: TextString) { tape.string(string) }

    @inline(__always)
    mutating func number(at address: TextCursor.Address, _ text: TextCursor) -> TextCursor.Address? {
        guard let end = unsafe tape.number(at: address, text) else { return nil }
        // The tape has the value of a number that it has read, and the position of one whose text may be damaged.
        guard tape.endsWithUncheckedNumber else { return unsafe end }
        return unsafe NumberParsing.lexemeEnd(address, text.end) == end ? end : nil
    }

    @inline(__always)
    mutating func open() -> TapeSink.Container? { tape.open() }
    @inline(__always)
    mutating func key(_ key: TextString, of container: inout TapeSink.Container) { tape.key(key, of: &container) }
    @inline(__always)
    mutating func close(
        _ container: TapeSink.Container, isObject: Bool, from opening: TextCursor.Address, to end: TextCursor.Address, count: Int
    ) { unsafe tape.close(container, isObject: isObject, from: opening, to: end, count: count) }

    mutating func openTooDeep() { tape.openTooDeep() }
}
