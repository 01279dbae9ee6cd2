// Goes past yajl without leaving it: what is flat or small in a document is lifted out of the text before yajl sees it.
//
// yajl spends some 20 instructions on each byte of a string, 400 on each member, and 250 on each call. But what only it can judge
// is structure. So of a document that lies in memory as a whole it is fed the large containers and the keys that lead to them,
// and what is flat (a run of members or elements that are scalars) or small (a container of at most 1 KiB, with those inside it)
// is read here and goes straight to the binder:
//
//     text        {"id": 7, "user": {"login": "y", "tags": ["a", "b"]}, "items": [ … 9 KB … ], "extra": { … 3 KB … }, "n": 1}
//     yajl sees   {                                                     "items": [ … 9 KB … ]                               }
//     lifted       id,       user with all that is in it                 what is small in there                       n
//     skipped                                                                                 extra, which nobody binds
//
// yajl's public streaming API takes text in pieces of any length, so each piece is a part of the document itself, not a copy.
// A container that no property binds is passed over by its brackets and quotes, 64 bytes at a time, unless it is tiny.
//
// Whatever is not plainly right, be it the text or a value that does not fit its property, ends the attempt: the document is
// then read once more by yajl alone, which finds the error and its place. So this reader says nothing about errors, and the
// two ways cannot disagree about them.

internal import CScan

/// Reads one document, whole.
@safe
struct FlatRunReader: ~Copyable {
    private let state: UnsafeMutablePointer<ReaderState>
    private let parser: OpaquePointer
    /// What is read next.
    private var place: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    /// What yajl is fed next begins here.
    private var unfed: UnsafePointer<UInt8>
    /// A closing bracket stands at `unfed` and waits to be fed, together with what may follow it.
    private var hasUnfedClosing = false
    /// Whether yajl has seen a member or element of the container, so that it wants a comma before the next.
    private var parserHasMember = false
    /// The containers around `place`, a bit each: set for objects.
    private let containers: UnsafeMutablePointer<UInt64>
    private var depth = 0
    /// What the outermost container around `place` is that is lifted as a whole.
    private var lifted = Lifted.nothing
    private let skipsUnbound: Bool

    /// Levels of containers that this reader has bits for; what is deeper is left to yajl.
    static let maximumDepth = 512

    init(
        _ state: UnsafeMutablePointer<ReaderState>, _ bytes: UnsafeRawBufferPointer, _ parser: OpaquePointer,
        containers: UnsafeMutablePointer<UInt64>? = nil
    ) {
        unsafe self.state = unsafe state
        unsafe self.parser = unsafe parser
        unsafe self.containers = unsafe containers ?? state.pointee.containerBits
        // Safe: the reader never begins an empty document.
        unsafe place = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        unsafe end = unsafe place + bytes.count
        unsafe unfed = unsafe place
        skipsUnbound = unsafe !state.pointee.validatesEverything
    }

    /// Reads the document's value; false if it must be left to yajl alone.
    mutating func read() -> Bool {
        guard skipBlanks(), let isObject = opening() else { return false }
        return readContainers(isObject)
    }

    /// Reads a captured value, a scalar perhaps, up to its last byte.
    mutating func readWhole() -> Bool {
        guard skipBlanks() else { return false }
        guard let isObject = opening() else {
            unsafe state.pointee.isLifting = true
            return unsafe readScalar() && place == end
        }
        return unsafe readContainers(isObject) && place == end
    }

    /// Whether the byte at `place` opens a container, and of which kind.
    @inline(__always)
    private func opening() -> Bool? {
        switch unsafe place.pointee {
        case UInt8(ascii: "{"): true
        case UInt8(ascii: "["): false
        default: nil
        }
    }

    // MARK: Containers

    private mutating func readContainers(_ isObject: Bool) -> Bool {
        var isObject = isObject
        guard enter(isObject) else { return false }
        var isFirst = true
        while true {
            // Here `place` is inside a container, behind its opening bracket or behind a member.
            guard let event = isObject ? readMembers(&isFirst) : readElements(&isFirst) else { return false }
            switch event {
            case .opens(let opensObject):
                isObject = opensObject
                guard enter(isObject) else { return false }
                isFirst = true
            case .closes:
                if !hasUnfedClosing {
                    unsafe unfed = unsafe place
                    hasUnfedClosing = true
                }
                unsafe place += 1
                depth &-= 1
                parserHasMember = true
                isFirst = false
                if depth == 0 { return feed() }
                isObject = unsafe containers[(depth &- 1) &>> 6] & bit(depth) != 0
            }
        }
    }

    /// The bit of the container at a depth, the outermost being 1.
    @inline(__always)
    private func bit(_ depth: Int) -> UInt64 { 1 &<< UInt64((depth &- 1) & 63) }

    /// Feeds yajl through the opening bracket at `place`, and passes over the container if nobody wants it.
    @inline(__always)
    private mutating func enter(_ isObject: Bool) -> Bool {
        guard depth < FlatRunReader.maximumDepth else { return false }
        unsafe place += 1
        depth &+= 1
        let word = (depth &- 1) &>> 6
        if isObject {
            unsafe containers[word] |= bit(depth)
        } else {
            unsafe containers[word] &= ~bit(depth)
        }
        guard feed() else { return false }
        parserHasMember = false
        if unsafe state.pointee.skipDepth == 1 { return passOver() }
        return true
    }

    /// The container that has just been entered is bound by nothing, or as raw bytes, or left out because it does not fit. In the
    /// first case its inside is passed over; in the others it is walked like any other, because raw bytes are promised to be
    /// JSON, and leaving a value out must not hide that the text is none.
    @inline(never)
    private mutating func passOver() -> Bool {
        guard skipsUnbound, unsafe state.pointee.resumedRow == nil,
            unsafe !state.pointee.isCapturing || state.pointee.isTaping
        else { return true }
        let closing = unsafe cscan_container_end(place, end - place)
        // Safe: the scan answers with an index below the count, or the count itself.
        guard unsafe closing < end - place else { return false }
        unsafe place += closing
        return true
    }

    /// Feeds yajl the text from `unfed` up to `place`.
    @inline(__always)
    private mutating func feed() -> Bool {
        unsafe state.pointee.pieceStart = unsafe unfed
        unsafe state.pointee.isLifting = false
        hasUnfedClosing = false
        let isAccepted = unsafe YajlParser.parse(unfed, place - unfed, into: parser)
        unsafe state.pointee.isLifting = true
        unsafe unfed = unsafe place
        return isAccepted
    }

    /// Feeds a closing bracket that waits, because a scalar's event must come behind it.
    @inline(__always)
    private mutating func feedClosing(upTo limit: UnsafePointer<UInt8>) -> Bool {
        guard hasUnfedClosing else { return true }
        let here = unsafe place
        unsafe place = unsafe limit
        guard feed() else { return false }
        unsafe place = unsafe here
        return true
    }

    // MARK: Runs

    private enum Event {
        /// An object (or array) opens at `place`.
        case opens(Bool)
        /// The container's closing bracket stands at `place`.
        case closes
    }

    /// Passes over a comma, the expected key and a colon, up to the value, if the value is a scalar and there are no blanks; false
    /// for anything else, which is then looked at piece by piece.
    @inline(__always)
    private mutating func takeExpectedKey(_ row: UnsafePointer<PropertyRow>) -> Bool {
        let count = unsafe row.pointee.keyCount
        // Safe: a comma, the key, its quotes, a colon and the first byte of the value lie below `end`.
        guard unsafe count < end - place - 4, unsafe place[0] == UInt8(ascii: ","), unsafe place[1] == UInt8(ascii: "\""),
            unsafe place[count + 2] == UInt8(ascii: "\""), unsafe place[count + 3] == UInt8(ascii: ":")
        else { return false }
        let first = unsafe place[count + 4]
        guard first > UInt8(ascii: " "), first | 0x20 != UInt8(ascii: "{"), unsafe !row.pointee.flags.contains(.escapedKey),
            unsafe equalBytes(row.pointee.key, place + 2, count)
        else { return false }
        unsafe place += count + 4
        return true
    }

    /// Reads members up to the next container or the end of the object.
    private mutating func readMembers(_ isFirst: inout Bool) -> Event? {
        while true {
            // The usual case, first of all. What it relies on is explained below.
            let next = unsafe state.pointee.frame.expected
            if !isFirst, !hasUnfedClosing, unsafe state.pointee.skipDepth == 0, unsafe takeExpectedKey(next) {
                unsafe state.pointee.liftedEnd = unsafe place
                guard unsafe state.pointee.expectedKey(next), readScalar() else { return nil }
                continue
            }
            // Behind a container that closed, yajl has not yet been fed the closing bracket; it ends here.
            let closingEnd = unsafe place
            guard skipBlanks() else { return nil }
            var comma = unsafe place
            if unsafe place.pointee == UInt8(ascii: "}") { return .closes }
            if !isFirst {
                guard unsafe place.pointee == UInt8(ascii: ",") else { return nil }
                unsafe comma = unsafe place
                unsafe place += 1
                guard skipBlanks() else { return nil }
            }
            guard unsafe place.pointee == UInt8(ascii: "\"") else { return nil }
            let keyStart = unsafe place
            unsafe place += 1
            // The key.
            var key = unsafe place
            var keyCount: Int
            var isExpected = false
            let expected = unsafe state.pointee.frame.expected
            let expectedCount = unsafe expected.pointee.keyCount
            // While a closing bracket waits, the binder's frame is still that of the container inside, whose keys are others.
            if !hasUnfedClosing, unsafe state.pointee.skipDepth == 0, unsafe expectedCount < end - place,
                unsafe place[expectedCount] == UInt8(ascii: "\""),
                unsafe !expected.pointee.flags.contains(.escapedKey), unsafe equalBytes(expected.pointee.key, key, expectedCount)
            {
                // The usual case: the key that was expected, recognised without looking for its end.
                isExpected = true
                keyCount = expectedCount
                unsafe place += expectedCount + 1
            } else {
                var isASCII = true
                if scanString(&isASCII) {
                    keyCount = unsafe place - key
                    unsafe place += 1
                } else {
                    // Safe: at the document's end there is nothing to decode, and the answer is nil.
                    guard let next = unsafe state.pointee.decodeString(from: key, firstEscape: place, end: end) else {
                        return nil
                    }
                    unsafe place = unsafe next
                    unsafe key = unsafe UnsafePointer(state.pointee.decoded.start)
                    keyCount = unsafe state.pointee.decoded.count
                }
            }
            guard skipBlanks(), unsafe place.pointee == UInt8(ascii: ":") else { return nil }
            unsafe place += 1
            guard skipBlanks() else { return nil }

            if let opensObject = opening() {
                if !isExpected, !hasUnfedClosing, skipsUnbound, unsafe state.pointee.isUnbound(key, keyCount),
                    passOverMember(opensObject)
                {
                    isFirst = false
                    continue
                }
                let kind = unsafe lift(opensObject, boundBy: isExpected ? expected : nil)
                if kind != .nothing {
                    guard unsafe feedClosing(upTo: closingEnd) else { return nil }
                    unsafe state.pointee.liftedEnd = unsafe place
                    guard unsafe isExpected ? state.pointee.expectedKey(expected) : state.pointee.key(key, keyCount),
                        readLiftedContainer(opensObject, kind)
                    else { return nil }
                    isFirst = false
                    continue
                }
                if lifted != .nothing { return nil }
                // yajl wants a comma if it has seen a member. There is one in the text, unless this is the first.
                if !hasUnfedClosing { unsafe unfed = unsafe parserHasMember ? comma : keyStart }
                return .opens(opensObject)
            }
            guard unsafe feedClosing(upTo: closingEnd) else { return nil }
            unsafe state.pointee.liftedEnd = unsafe place
            guard unsafe isExpected ? state.pointee.expectedKey(expected) : state.pointee.key(key, keyCount), readScalar() else {
                return nil
            }
            isFirst = false
        }
    }

    /// Reads elements up to the next container or the end of the array.
    private mutating func readElements(_ isFirst: inout Bool) -> Event? {
        while true {
            let closingEnd = unsafe place
            guard skipBlanks() else { return nil }
            var comma = unsafe place
            if unsafe place.pointee == UInt8(ascii: "]") { return .closes }
            if !isFirst {
                guard unsafe place.pointee == UInt8(ascii: ",") else { return nil }
                unsafe comma = unsafe place
                unsafe place += 1
                guard skipBlanks() else { return nil }
            }
            if let opensObject = opening() {
                let kind = unsafe lift(opensObject, boundBy: expectsElement ? state.pointee.frame.row : nil)
                if kind != .nothing {
                    guard unsafe feedClosing(upTo: closingEnd), readLiftedContainer(opensObject, kind) else { return nil }
                    isFirst = false
                    continue
                }
                if lifted != .nothing { return nil }
                if !hasUnfedClosing { unsafe unfed = unsafe parserHasMember ? comma : place }
                return .opens(opensObject)
            }
            guard unsafe feedClosing(upTo: closingEnd), readScalar() else { return nil }
            isFirst = false
        }
    }

    // MARK: Containers that are lifted as a whole

    /// Why a container is lifted as a whole.
    private enum Lifted {
        /// It is not.
        case nothing
        /// It is bound to a type that has room for scalars only.
        case flat
        /// It is small, and so are those inside it.
        case small
    }

    /// Whether the container at `place` can be lifted as a whole. The row is that of its value, or nil where it is not known.
    @inline(__always)
    private func lift(_ isObject: Bool, boundBy row: UnsafePointer<PropertyRow>?) -> Lifted {
        if lifted == .small { return .small }
        if let row = unsafe row, unsafe row.pointee.kind != .path,
            unsafe isObject ? row.pointee.binding.pointee.isFlatObject : row.pointee.binding.pointee.isFlatArray
        {
            return .flat
        }
        return isSmall() ? .small : .nothing
    }

    /// Whether the value to come is an element of the array that the binder is in.
    @inline(__always)
    private var expectsElement: Bool { unsafe !hasUnfedClosing && state.pointee.skipDepth == 0 }

    /// Whether the container that opens at `place` is small enough to be lifted, with those inside it.
    @inline(__always)
    private func isSmall() -> Bool {
        unsafe cscan_is_small(place + 1, min(end - place - 1, FlatRunReader.smallSize), FlatRunReader.smallDepth)
    }

    /// How far the end of a small container is looked for: in longer ones, feeding two brackets costs nothing to speak of.
    private static let smallSize = 1024
    /// How deep small containers are: each level is a call inside the last one.
    private static let smallDepth = 16

    /// Up to which length a container is not worth passing over.
    private static let tinySize = 64

    /// Reads the container at `place` into the binder. Inside a small one this calls itself, but no deeper than was found when
    /// its size was looked at.
    private mutating func readLiftedContainer(_ isObject: Bool, _ kind: Lifted) -> Bool {
        unsafe place += 1
        unsafe state.pointee.liftedEnd = unsafe place
        guard unsafe isObject ? state.pointee.openObject() : state.pointee.openArray() else { return false }
        let around = lifted
        lifted = kind
        var isFirst = true
        guard case .closes? = isObject ? readMembers(&isFirst) : readElements(&isFirst) else { return false }
        lifted = around
        unsafe place += 1
        unsafe state.pointee.liftedEnd = unsafe place
        return unsafe isObject ? state.pointee.closeObject() : state.pointee.closeArray()
    }

    /// Passes over the container at `place`, whose key no property has, unless it is tiny and as soon read: neither the parser
    /// nor the binder hears of the member. Where that would be an error, it stays where it is.
    @inline(never)
    private mutating func passOverMember(_ isObject: Bool) -> Bool {
        guard unsafe state.pointee.nesting < state.pointee.maximumDepth else { return false }
        let inside = unsafe place + 1
        let closing = unsafe cscan_container_end(inside, end - inside)
        // Safe: the scan answers with an index below the count, or the count itself.
        guard closing > FlatRunReader.tinySize, unsafe closing < end - inside,
            unsafe inside[closing] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        else { return false }
        unsafe place = unsafe inside + (closing + 1)
        return true
    }

    // MARK: Scalars

    /// Reads the scalar at `place` into the binder.
    @inline(__always)
    private mutating func readScalar() -> Bool {
        switch unsafe place.pointee {
        case UInt8(ascii: "\""):
            unsafe place += 1
            return readString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return readNumber()
        case UInt8(ascii: "n"):
            return unsafe take("null") && state.pointee.null(endingAt: place)
        case UInt8(ascii: "t"):
            return unsafe take("true") && state.pointee.boolean(true, endingAt: place)
        case UInt8(ascii: "f"):
            return unsafe take("false") && state.pointee.boolean(false, endingAt: place)
        default:
            return false
        }
    }

    @inline(__always)
    private mutating func take(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        // Safe: compared only when that many bytes are left.
        guard unsafe end - place >= count, unsafe equalBytes(literal.utf8Start, place, count) else { return false }
        unsafe place += count
        return true
    }

    @inline(__always)
    private mutating func readString() -> Bool {
        let start = unsafe place
        var isASCII = true
        guard scanString(&isASCII) else {
            // Not a quote: an escape, which is decoded apart, or a control character.
            return unsafe place < end && place.pointee == UInt8(ascii: "\\") && readEscapedString(start)
        }
        let count = unsafe place - start
        unsafe place += 1
        unsafe state.pointee.liftedEnd = unsafe place
        return unsafe state.pointee.string(start, count, isASCII: isASCII)
    }

    /// Goes to the quote that ends the plain string at `place`; false at anything else that ends the run of plain bytes.
    @inline(__always)
    private mutating func scanString(_ isASCII: inout Bool) -> Bool {
        while unsafe end - place >= 16 {
            let masks = unsafe cscan_string16(place)
            let special = masks & 0xFFFF
            if special != 0 {
                let index = special.trailingZeroBitCount
                if masks &>> 16 & ((1 &<< UInt32(index)) &- 1) != 0 { isASCII = false }
                unsafe place += index
                return unsafe place.pointee == UInt8(ascii: "\"")
            }
            if masks &>> 16 != 0 { isASCII = false }
            unsafe place += 16
        }
        return scanStringTail(&isASCII)
    }

    @inline(never)
    private mutating func scanStringTail(_ isASCII: inout Bool) -> Bool {
        while unsafe place < end {
            let byte = unsafe place.pointee
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { return false }
            if byte >= 0x80 { isASCII = false }
            unsafe place += 1
        }
        // The document ends inside the string: `place` is at its end, and no byte may be looked at there.
        return false
    }

    /// A string with escapes, which starts at `start` and of which the first escape is at `place`.
    @inline(never)
    private mutating func readEscapedString(_ start: UnsafePointer<UInt8>) -> Bool {
        guard let next = unsafe state.pointee.decodeString(from: start, firstEscape: place, end: end) else { return false }
        unsafe place = unsafe next
        unsafe state.pointee.liftedEnd = unsafe place
        let text = unsafe state.pointee.decoded
        return unsafe state.pointee.string(UnsafePointer(text.start), text.count, isASCII: false)
    }

    @inline(__always)
    private mutating func readNumber() -> Bool {
        if unsafe state.pointee.frame.row.pointee.kind == .double, let number = unsafe NumberParsing.leadingDouble(place, end) {
            unsafe place = unsafe number.end
            unsafe state.pointee.liftedEnd = unsafe number.end
            unsafe state.pointee.store(number.value)
            return unsafe state.pointee.advance()
        }
        if unsafe state.pointee.frame.row.pointee.kind == .int64, let number = unsafe NumberParsing.leadingInt64(place, end) {
            unsafe place = unsafe number.end
            unsafe state.pointee.liftedEnd = unsafe number.end
            unsafe state.pointee.store(number.value)
            return unsafe state.pointee.advance()
        }
        guard let numberEnd = unsafe FlatRunReader.numberEnd(place, end) else { return false }
        let start = unsafe place
        unsafe place = unsafe numberEnd
        unsafe state.pointee.liftedEnd = unsafe numberEnd
        return unsafe state.pointee.number(start, numberEnd - start)
    }

    /// Where the number that starts at `start` ends, if it is one (RFC 8259, section 6).
    @inline(__always)
    static func numberEnd(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var place = unsafe start
        if unsafe place.pointee == UInt8(ascii: "-") { unsafe place += 1 }
        // Safe: each byte is looked at only below `end`.
        guard unsafe place < end else { return nil }
        if unsafe place.pointee == UInt8(ascii: "0") {
            unsafe place += 1
        } else {
            let first = unsafe place
            while unsafe place < end, unsafe place.pointee &- UInt8(ascii: "0") < 10 { unsafe place += 1 }
            if unsafe place == first { return nil }
        }
        guard unsafe place < end, unsafe place.pointee > UInt8(ascii: "-") else { return unsafe place }
        if unsafe place.pointee == UInt8(ascii: ".") {
            unsafe place += 1
            let first = unsafe place
            // Fractions are long, so they are counted eight digits at a time.
            while unsafe end - place >= 8 {
                let digits = unsafe DigitWord(place).leadingDigits
                unsafe place += digits
                if digits < 8 { break }
            }
            while unsafe place < end, unsafe place.pointee &- UInt8(ascii: "0") < 10 { unsafe place += 1 }
            if unsafe place == first { return nil }
        }
        guard unsafe place < end, unsafe place.pointee | 0x20 == UInt8(ascii: "e") else { return unsafe place }
        unsafe place += 1
        guard unsafe place < end else { return nil }
        if unsafe place.pointee == UInt8(ascii: "+") || place.pointee == UInt8(ascii: "-") { unsafe place += 1 }
        let first = unsafe place
        while unsafe place < end, unsafe place.pointee &- UInt8(ascii: "0") < 10 { unsafe place += 1 }
        return unsafe place == first ? nil : place
    }

    /// Passes over white space; false at the end of the document, which never comes in a document that is whole.
    @inline(__always)
    private mutating func skipBlanks() -> Bool {
        while unsafe place < end {
            let byte = unsafe place.pointee
            if byte > UInt8(ascii: " ") { return true }
            guard
                byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                    || byte == UInt8(ascii: "\t")
            else { return false }
            unsafe place += 1
        }
        return false
    }
}
