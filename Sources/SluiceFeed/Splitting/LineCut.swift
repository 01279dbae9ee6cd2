// A record that breaks off must not swallow the one on the next line. Text goes in, and the line break comes out at which a damaged
// value ends.
//
//     {"a":1,"b":"x     a line break inside a string, or before a bracket where no value may begin: the value is damaged, and
//     {"c":2}           ends there
//
//     {"a":1,"b":       here a value may begin, so this may be JSON; but when the value turns out to be damaged, what began at the
//     {"c":2}           beginning of a line is taken for a record of its own
//     {"d":3}

internal import SluiceCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Looks for the place where a damaged value ends and another begins; may be given the text in pieces.
///
/// Only line breaks with `{` or `[` right behind them are looked at: there a record may begin. Text that is JSON is never cut.
@safe
struct LineCut {
    /// A line break where JSON may go on, with this many containers open. It is given up when the text goes on behind the container that
    /// begins there as that of a record does not.
    private struct Candidate {
        var index: Int
        let depth: Int
        /// Whether the container has ended that begins there.
        var isClosed = false
    }

    /// Those that are left, each inside the container that begins at the one before.
    private var candidates: [Candidate] = []
    /// How far behind a candidate the damage may be found: looking again at what begins there must not take long.
    private static let reach = 16 << 10
    private static let maximumCount = 64
    /// The containers that are open, and whether each is an object.
    private var areObjects: [Bool] = []
    private var isInString = false
    private var isEscaped = false
    /// The last byte outside of strings that is no white space.
    private var last: UInt8 = 0
    /// Bytes of the text that the above is known of, and those that were searched for line breaks.
    private var scanned = 0
    private var searched = 0

    /// The indices of the line breaks at which the value must be cut, or none if the text so far is not known to be damaged. What
    /// stands behind the last of them may be JSON.
    ///
    /// - Parameter text: The value from its beginning, or from where it was passed over; all that was given before, and more.
    mutating func places(in text: UnsafeRawBufferPointer) -> [Int] {
        guard let base = text.baseAddress else { return [] }
        // Safe: the search ends with the text.
        while searched < text.count,
            let found = unsafe memchr(base + searched, Int32(UInt8(ascii: "\n")), text.count - searched)
        {
            let index = unsafe UnsafeRawPointer(found) - base
            // What stands behind it must be seen.
            guard index + 1 < text.count else {
                searched = index
                return []
            }
            searched = index + 1
            guard unsafe RecordSplitter.opensContainer(text[index + 1]) else { continue }
            unsafe scan(text, to: index)
            candidates.removeAll { index - $0.index > Self.reach }
            if isDamage {
                let places = candidates(before: index)
                return places.isEmpty ? [index] : places
            }
            // What stands behind a candidate's container is looked at again, should the value be cut.
            let mayBeNoted = candidates.count < Self.maximumCount && candidates.last?.isClosed != true
            if mayBeNoted, areObjects.count > candidates.last?.depth ?? 0 {
                candidates.append(Candidate(index: index, depth: areObjects.count))
            }
        }
        searched = text.count
        return []
    }

    /// The same for a text that ends inside the value.
    mutating func places(inUnfinished text: UnsafeRawBufferPointer) -> [Int] {
        let places = unsafe places(in: text)
        guard places.isEmpty else { return places }
        unsafe scan(text, to: text.count)
        return candidates(before: text.count)
    }

    /// The first line break so far behind which another record may begin, should the value be damaged near enough.
    mutating func firstCandidate(in text: UnsafeRawBufferPointer) -> Int? {
        // The last byte may be a line break that has not been judged.
        candidates.removeAll { text.count - 1 - $0.index > Self.reach }
        return candidates.first?.index
    }

    /// The candidates that the damage at a place is near enough to.
    private func candidates(before index: Int) -> [Int] {
        candidates.map(\.index).filter { index - $0 <= Self.reach }
    }

    /// The text is passed over; how many of its bytes may go. White space at its end stays: it may stand between two values.
    mutating func pass(over text: UnsafeRawBufferPointer) -> Int {
        let length = unsafe LineCut.lengthWithoutBlanks(text)
        var count = length == 0 && text.count > LineCut.keptBlanks ? text.count - 1 : length
        guard count > 0 else { return 0 }
        unsafe scan(text, to: count)
        // What may be a record is kept.
        let candidate = unsafe firstCandidate(in: text)
        count = min(count, candidate ?? count)
        for index in candidates.indices { candidates[index].index -= count }
        scanned -= count
        searched = max(searched - count, 0)
        return count
    }

    /// White space that is kept.
    private static let keptBlanks = 64 << 10

    /// How many bytes there are before the white space at the end of a text.
    static func lengthWithoutBlanks(_ text: UnsafeRawBufferPointer) -> Int {
        unsafe (text.lastIndex { !JSONWhiteSpace.contains($0) } ?? -1) + 1
    }

    /// Whether no value may begin here.
    private var isDamage: Bool {
        if isInString { return true }
        switch last {
        case UInt8(ascii: "["), UInt8(ascii: ":"): return false
        case UInt8(ascii: ","): return areObjects.last == true
        default: return !areObjects.isEmpty
        }
    }

    private mutating func scan(_ text: UnsafeRawBufferPointer, to end: Int) {
        while scanned < end {
            let byte = unsafe text[scanned]
            scanned += 1
            // The same rule as that of the scan for brackets: a backslash counts wherever it stands.
            if isEscaped {
                isEscaped = false
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { continue }
            }
            switch byte {
            case UInt8(ascii: "\\"):
                isEscaped = true
                continue
            case UInt8(ascii: "\""):
                if !isInString { refuteCandidate() }
                isInString.toggle()
            case _ where isInString, UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
                UInt8(ascii: "\t"):
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): areObjects.append(byte == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                // The container ends in which the candidate stands.
                refuteCandidate()
                _ = areObjects.popLast()
                if let last = candidates.last, last.depth == areObjects.count {
                    candidates[candidates.count - 1].isClosed = true
                }
            case UInt8(ascii: ","): break
            default: refuteCandidate()
            }
            last = byte
        }
    }

    /// The text goes on at the level of the last candidate.
    private mutating func refuteCandidate() {
        if let last = candidates.last, last.depth == areObjects.count { candidates.removeLast() }
    }
}
