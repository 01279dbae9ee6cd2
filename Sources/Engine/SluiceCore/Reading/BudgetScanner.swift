// Text from untrusted sources goes through this scanner before the parser. The scanner finds the position where a budget is used up.
//
// The parser then gets only the text up to that position. So an error before it is still the one that is reported, and memory stays
// bounded. The scanner keeps its state between chunks and decides byte by byte, so the position does not depend on how the text is
// cut. It does not check syntax. After a syntax error its counts mean nothing, but there the parser has already stopped.

internal import CScan

/// Counts what a document uses of the budgets of ``JSONReader/Options``, and finds keys that appear twice in one object.
///
/// A reader has one only if its options set a budget.
@safe
struct BudgetScanner {
    /// Where a budget is used up, and the parts of the error.
    struct LimitExceeded {
        /// The index in the chunk of the first byte that the parser is not given.
        let index: Int
        let kind: JSONError.Kind
        var expected = ""
        let found: String
        var keys: [String] = []
        /// Whether the error is about the container, and not about the current value.
        var isOfContainer = false
    }

    private enum State { case between, scalar, string, escape }

    private let options: JSONReader.Options
    private let binder: BinderHandle

    /// How many bytes of the document have been seen.
    private var size = 0
    private var state = State.between
    /// How many bytes the current string or number has so far.
    private var tokenSize = 0
    /// Whether the current string is a key, and whether the next string will be one.
    private var isKey = false
    private var awaitsKey = false
    /// For each open container: how many keys or elements it has so far, and whether it is an object.
    private var counts: [Int] = []
    private var areObjects: [Bool] = []
    private var seen: SeenKeys?

    /// A scanner for these options. Nil if they set no budget, because then nothing has to be counted.
    init?(_ options: JSONReader.Options, _ binder: BinderHandle) {
        guard options.hasBudget else { return nil }
        self.options = options
        self.binder = binder
        if options.duplicateKeys == .errorEverywhere { seen = SeenKeys() }
    }

    /// Starts a document. Its text begins at an offset: 3 after a byte order mark, otherwise 0.
    mutating func begin(at offset: Int) {
        size = offset
        state = .between
        tokenSize = 0
        isKey = false
        awaitsKey = false
        counts.removeAll(keepingCapacity: true)
        areObjects.removeAll(keepingCapacity: true)
        seen?.removeAll()
    }

    /// Counts the next bytes. Returns the first limit in them that is exceeded, or nil.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> LimitExceeded? {
        let limit = options.maximumDocumentSize.map { min(bytes.count, max(0, $0 - size)) } ?? bytes.count
        size += bytes.count
        guard let start = bytes.baseAddress, limit > 0 else { return limit < bytes.count ? documentTooLarge(limit) : nil }
        // Safe: every index below is less than `limit`, which is at most the count.
        let text = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: limit)
        var index = 0
        while index < limit {
            let exceeded: LimitExceeded? =
                switch state {
                case .between: unsafe readBetween(text[index], &index)
                case .scalar: unsafe readScalar(text[index], &index)
                case .string: unsafe readString(text, &index)
                case .escape: unsafe readEscape(text[index], &index)
                }
            if let exceeded { return exceeded }
        }
        return limit < bytes.count ? documentTooLarge(limit) : nil
    }

    /// The words after "expected" in the error for a token that is too long.
    static func tokenExpectation(_ options: JSONReader.Options) -> String {
        "a string or number of at most \(options.maximumTokenSize) bytes (maximumTokenSize)"
    }

    // MARK: Bytes

    private mutating func readBetween(_ byte: UInt8, _ index: inout Int) -> LimitExceeded? {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ":"):
            break
        case UInt8(ascii: ","):
            awaitsKey = areObjects.last == true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return open(isObject: byte == UInt8(ascii: "{"), &index)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            close()
        case UInt8(ascii: "\""):
            isKey = awaitsKey
            awaitsKey = false
            if let exceeded = count(at: index) { return exceeded }
            tokenSize = 0
            state = .string
        default:
            if let exceeded = count(at: index) { return exceeded }
            tokenSize = 0
            state = .scalar
            // The byte is the first of the token: `readScalar` counts it.
            return nil
        }
        index += 1
        return nil
    }

    private mutating func readScalar(_ byte: UInt8, _ index: inout Int) -> LimitExceeded? {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ":"), UInt8(ascii: ","),
            UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\""):
            state = .between
            return nil
        default:
            return grow(by: 1, &index)
        }
    }

    private mutating func readString(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> LimitExceeded? {
        let first = index
        var end = index
        // Safe: the text is not empty, so it has an address. 16 bytes are read only where at least 16 are left.
        let start = unsafe text.baseAddress.unsafelyUnwrapped
        while text.count - end >= 16 {
            let special = unsafe cscan_string16(start + end) & 0xFFFF
            end += special == 0 ? 16 : special.trailingZeroBitCount
            if special != 0 { break }
        }
        while end < text.count, unsafe text[end] != UInt8(ascii: "\""), unsafe text[end] != UInt8(ascii: "\\") { end += 1 }
        if let exceeded = grow(by: end - first, &index) { return exceeded }
        if isKey { unsafe seen?.append(UnsafeBufferPointer(rebasing: text[first..<end])) }
        guard end < text.count else { return nil }
        if unsafe text[end] == UInt8(ascii: "\\") {
            state = .escape
            if isKey { seen?.appendEscape(UInt8(ascii: "\\")) }
            return grow(by: 1, &index)
        }
        index += 1
        state = .between
        return isKey ? finishKey(at: index) : nil
    }

    /// The byte after a backslash: what it stands for does not matter here.
    private mutating func readEscape(_ byte: UInt8, _ index: inout Int) -> LimitExceeded? {
        state = .string
        if isKey { seen?.appendEscape(byte) }
        return grow(by: 1, &index)
    }

    // MARK: Budgets

    /// Counts bytes of the current token and moves `index` past them; a limit that is exceeded if the token gets too long.
    private mutating func grow(by count: Int, _ index: inout Int) -> LimitExceeded? {
        let left = options.maximumTokenSize - tokenSize
        guard count <= left else {
            return LimitExceeded(
                index: index + max(left, 0), kind: .sizeLimit,
                expected: BudgetScanner.tokenExpectation(options),
                found: "a longer one", isOfContainer: isKey)
        }
        tokenSize += count
        index += count
        return nil
    }

    /// Counts the key or the element that starts at an index; the values of keys are not counted.
    private mutating func count(at index: Int) -> LimitExceeded? {
        guard let isObject = areObjects.last, !isObject || isKey else { return nil }
        counts[counts.count - 1] += 1
        guard let limit = isObject ? options.maximumKeyCount : options.maximumElementCount, counts[counts.count - 1] > limit
        else { return nil }
        let expected =
            isObject
            ? "an object of at most \(limit) keys (maximumKeyCount)"
            : "an array of at most \(limit) elements (maximumElementCount)"
        return LimitExceeded(index: index, kind: .sizeLimit, expected: expected, found: "more", isOfContainer: true)
    }

    private mutating func open(isObject: Bool, _ index: inout Int) -> LimitExceeded? {
        isKey = false
        if let exceeded = count(at: index) { return exceeded }
        index += 1
        // The bracket is the last byte that the parser gets: so the binder reports the error, as it does without budgets.
        guard counts.count < options.maximumDepth else {
            return LimitExceeded(
                index: index, kind: .depthLimit, expected: Binder.depthExpectation(options.maximumDepth), found: "more")
        }
        counts.append(0)
        areObjects.append(isObject)
        awaitsKey = isObject
        return nil
    }

    private mutating func close() {
        awaitsKey = false
        seen?.removeKeys(atDepth: counts.count)
        _ = counts.popLast()
        _ = areObjects.popLast()
    }

    private mutating func finishKey(at index: Int) -> LimitExceeded? {
        isKey = false
        let depth = counts.count
        guard let key = seen?.repeatedKey(atDepth: depth, binder) else { return nil }
        return LimitExceeded(index: index, kind: .duplicateKey, found: "a second value", keys: [key])
    }

    private func documentTooLarge(_ index: Int) -> LimitExceeded {
        LimitExceeded(
            index: index, kind: .sizeLimit,
            expected: "a document of at most \(options.maximumDocumentSize ?? 0) bytes (maximumDocumentSize)",
            found: "a longer one", isOfContainer: true)
    }
}
