// A record that breaks off must not swallow the record on the next line. This finds the line breaks at which damaged values end.
//
//     {"a":1,"b":"x     The line break is inside a string (or before a bracket where no value may begin): the value is damaged, and
//     {"c":2}           ends there.
//
//     {"a":1,"b":       After the first line break a value may begin, so this may be JSON. But the second line break shows that it is
//     {"c":2}           damaged: then each bracket at the beginning of a line begins a record of its own.
//     {"d":3}

internal import SluiceCore

internal import SluiceSystem

/// Finds the position where a damaged value ends and another begins. The text may come in pieces.
///
/// Only line breaks with `{` or `[` right after them are looked at: there a record may begin. Valid JSON is never cut.
@safe
struct LineResynchronizer {
    /// A line break after which either the JSON continues or a new record begins. `depth` containers are open there. A candidate is
    /// dropped when the container that begins after it is followed by something that cannot follow a record.
    private struct Candidate {
        var index: Int
        /// Where the text before the line break ends, without the white space in between.
        var textEnd: Int
        let depth: Int
        /// Whether the container that begins there has ended.
        var isClosed = false
    }

    /// The candidates not dropped so far; each one is inside the container that begins at the one before it.
    private var candidates: [Candidate] = []
    /// The damage must be found within this many bytes after a candidate. If the value is cut at the candidate, the text after it
    /// is scanned again, and that must not take long.
    private static let reach = 16 << 10
    private static let maximumCount = 64
    /// One entry for each open container: whether it is an object.
    private var areObjects: [Bool] = []
    private var isInString = false
    private var isEscaped = false
    /// The last byte outside of strings that is not white space.
    private var last: UInt8 = 0
    /// How many bytes of the text the state above covers, and how many have been searched for line breaks.
    private var scanned = 0
    private var searched = 0

    /// The indices of the line breaks at which the value must be cut; empty if no damage has been found so far. The text after the last
    /// of them may be JSON.
    ///
    /// - Parameter text: The value from its beginning, or from the first byte that was not passed over. Each call gets the text of the call
    ///   before, and more.
    mutating func ends(in text: UnsafeRawBufferPointer) -> [Int] {
        guard let base = text.baseAddress else { return [] }
        // Safe: the search ends with the text.
        while searched < text.count,
            let found = unsafe memchr(base + searched, Int32(UInt8(ascii: "\n")), text.count - searched)
        {
            let index = unsafe UnsafeRawPointer(found) - base
            // The byte after the line break is needed.
            guard index + 1 < text.count else {
                searched = index
                return []
            }
            searched = index + 1
            guard unsafe RecordSplitter.opensContainer(text[index + 1]) else { continue }
            unsafe scan(text, to: index)
            candidates.removeAll { index - $0.index > Self.reach }
            if isDamage {
                let ends = candidates(before: index)
                return ends.isEmpty ? [index] : ends
            }
            // After the end of a candidate's container no candidate is added: if the value is cut, that text is scanned again.
            let mayBeNoted = candidates.count < Self.maximumCount && candidates.last?.isClosed != true
            if mayBeNoted, areObjects.count > candidates.last?.depth ?? 0 {
                let before = unsafe UnsafeRawBufferPointer(rebasing: text[..<index])
                candidates.append(Candidate(index: index, textEnd: unsafe TextEnd.length(of: before), depth: areObjects.count))
            }
        }
        searched = text.count
        return []
    }

    /// The line breaks at which to cut a value that the end of the text cuts off.
    mutating func ends(inUnfinished text: UnsafeRawBufferPointer) -> [Int] {
        let ends = unsafe ends(in: text)
        guard ends.isEmpty else { return ends }
        unsafe scan(text, to: text.count)
        return candidates(before: text.count)
    }

    /// The end of the text before the first candidate that is still near enough to cut at, without white space; or nil. Drops the
    /// candidates that are too far back.
    mutating func endBeforeCandidate(in text: UnsafeRawBufferPointer) -> Int? {
        // The last byte may be a line break that has not been looked at yet.
        candidates.removeAll { text.count - 1 - $0.index > Self.reach }
        return candidates.first?.textEnd
    }

    /// The candidates that are near enough to damage at an index.
    private func candidates(before index: Int) -> [Int] {
        candidates.map(\.index).filter { index - $0 <= Self.reach }
    }

    /// Passes over the beginning of the text, and returns how many bytes the caller may drop. White space at the end of the text stays,
    /// because it may separate two values.
    ///
    /// - Parameter length: The length of the text without that white space.
    mutating func pass(over text: UnsafeRawBufferPointer, length: Int) -> Int {
        var count = length == 0 && text.count > LineResynchronizer.keptBlanks ? text.count - 1 : length
        guard count > 0 else { return 0 }
        unsafe scan(text, to: count)
        // Text that may be another record stays. So does the white space before it, which belongs to no record.
        if let end = unsafe endBeforeCandidate(in: text) { count = end }
        for index in candidates.indices {
            candidates[index].index -= count
            candidates[index].textEnd -= count
        }
        scanned -= count
        searched = max(searched - count, 0)
        return count
    }

    /// How much white space is kept at most, in bytes.
    static let keptBlanks = 64 << 10

    /// Whether no value may begin here, so that a bracket shows damage.
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
            // The same rule as in `ContainerScanner`: a backslash escapes the next byte outside of strings, too.
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
                // The container around the last candidate ends.
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

    /// Drops the last candidate if the text continues at its level.
    private mutating func refuteCandidate() {
        if let last = candidates.last, last.depth == areObjects.count { candidates.removeLast() }
    }
}
