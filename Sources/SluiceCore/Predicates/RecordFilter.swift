// Decides whether a record matches a predicate before the record is bound. The filter scans the record's keys, evaluates the values that
// conditions need, and skips all other values by their quotes and brackets.
//
//     where type = 'Push' and size > 3
//     {"id":"1","type":"Watch","size":7,"payload":{ … 3 KB … }}
//               ^^^^^^^^^^^^^^ decided here; in the rest, only quotes and brackets are scanned

internal import CScan

/// The conditions of a predicate, each of which tests a single value. Conditions are identified by their number.
package protocol FilterConditions {
    /// The alternative keys of the value that a condition tests, the preferred key first; empty if the condition can be decided only
    /// after the record is bound.
    func keys(of number: Int) -> [JSONKeyPath]

    /// The truth of a condition for a value; nil if it can be decided only after the record is bound.
    ///
    /// - Parameter value: The text of the value in the record. It has not been validated.
    mutating func truth(of number: Int, _ value: UnsafeRawBufferPointer) -> FilterTruth?

    /// The truth of a condition whose keys are all absent; nil if it can be decided only after the record is bound.
    func truthIfAbsent(of number: Int) -> FilterTruth?
}

/// Decides which records match a predicate. A filter must not be used by several threads at once.
@safe
package struct RecordFilter {
    /// The result for a record.
    package enum Verdict: Sendable {
        case matches
        /// The record does not match. It need not be bound, because its brackets and quotes balance.
        case doesNotMatch
        /// The record must be bound to decide: it is damaged, or a condition could not be decided from the text.
        case unclear
    }

    private typealias Place = UnsafePointer<UInt8>

    /// What is known about a condition in the current record.
    private struct Finding {
        var truth: FilterTruth?
        /// The rank of the alternative key that `truth` comes from; `Int.max` while no key was found.
        var rank = Int.max
        /// Whether no later key can change `truth`.
        var isFinal = false
    }

    /// How the scan continues after a part of a record.
    @safe
    private enum Step {
        case goesOn(Place)
        /// The record is known not to match, with this many containers open.
        case decided(Place, depth: Int)
        case unclear
    }

    private let expression: FilterExpression
    private var conditions: any FilterConditions
    private let keys = FilterKeys()
    private var findings: [Finding]
    /// For each condition, whether its value has several alternative keys.
    private var isOneOfSeveral: [Bool] = []

    /// Whether each condition's value was in a record so far, and whether a record was read to its end without it.
    package private(set) var hasFound: [Bool]
    package private(set) var hasMissed: [Bool]
    /// How often one of these has become true.
    package private(set) var sightings = 0

    /// - Parameter count: The number of conditions.
    package init(_ expression: FilterExpression, _ conditions: some FilterConditions, count: Int) {
        self.expression = expression
        self.conditions = conditions
        findings = Array(repeating: Finding(), count: count)
        hasFound = Array(repeating: false, count: count)
        hasMissed = hasFound
        for number in 0..<count {
            let paths = conditions.keys(of: number)
            isOneOfSeveral.append(paths.count > 1)
            for (rank, path) in paths.enumerated() {
                keys.insert(path.components[...], number: number, rank: rank)
            }
        }
    }

    /// Whether a record must be bound: it matches, or only binding it can decide or report what is wrong with it.
    package mutating func matches(_ record: UnsafeRawBufferPointer) -> Bool {
        unsafe verdict(on: record) != .doesNotMatch
    }

    /// Scans a record as far as needed to decide whether it matches.
    package mutating func verdict(on record: UnsafeRawBufferPointer) -> Verdict {
        for index in findings.indices { findings[index] = Finding() }
        guard let base = record.baseAddress else { return .unclear }
        // Safe: the address behind the last byte is only compared, never read.
        let end = unsafe base.assumingMemoryBound(to: UInt8.self) + record.count
        guard let opening = unsafe skipBlanks(base.assumingMemoryBound(to: UInt8.self), end),
            unsafe opening.pointee == UInt8(ascii: "{")
        else { return .unclear }
        switch unsafe readMembers(keys, opening + 1, end, depth: 1) {
        case .unclear: return .unclear
        case .decided(let place, let depth):
            return unsafe isBalanced(place, end, depth) ? .doesNotMatch : .unclear
        case .goesOn(let place):
            guard unsafe isBlank(place, end) else { return .unclear }
            return verdictAtEnd()
        }
    }

    private mutating func verdictAtEnd() -> Verdict {
        for number in findings.indices where findings[number].rank == .max && !hasMissed[number] {
            hasMissed[number] = true
            sightings += 1
        }
        let truth = expression.evaluate { number in
            findings[number].rank == .max ? conditions.truthIfAbsent(of: number) : findings[number].truth
        }
        return truth.map { $0 == .yes ? .matches : .doesNotMatch } ?? .unclear
    }

    // MARK: Containers

    /// Reads the members of an object whose content begins at `inside`, after its bracket.
    private mutating func readMembers(_ keys: FilterKeys, _ inside: Place, _ end: Place, depth: Int)
        -> Step
    {
        guard var place = unsafe skipBlanks(inside, end) else { return .unclear }
        if unsafe place.pointee == UInt8(ascii: "}") { return unsafe .goesOn(place + 1) }
        while true {
            guard unsafe place.pointee == UInt8(ascii: "\""), let key = unsafe string(place, end),
                let colon = unsafe skipBlanks(key.end, end), unsafe colon.pointee == UInt8(ascii: ":"),
                let value = unsafe skipBlanks(colon + 1, end)
            else { return .unclear }
            // Safe: the string found has two quotes, so its content has `key.end - place - 2` bytes.
            let entry =
                unsafe key.hasEscape
                ? self.entry(
                    in: keys, escaped: UnsafeRawBufferPointer(start: place, count: key.end - place))
                : keys.entry(place + 1, key.end - place - 2)
            let step: Step
            if let entry {
                step = unsafe readValue(keys.entries[entry], value, end, depth: depth)
            } else {
                step = unsafe valueEnd(value, end).map { unsafe .goesOn($0) } ?? .unclear
            }
            guard case .goesOn(let next) = step, let separator = unsafe skipBlanks(next, end) else {
                return closed(step)
            }
            if unsafe separator.pointee == UInt8(ascii: "}") { return unsafe .goesOn(separator + 1) }
            guard unsafe separator.pointee == UInt8(ascii: ","),
                let key = unsafe skipBlanks(separator + 1, end)
            else {
                return .unclear
            }
            unsafe place = unsafe key
        }
    }

    /// Reads the elements of an array whose content begins at `inside`, after its bracket. Their indices can be keys of a path.
    private mutating func readElements(_ keys: FilterKeys, _ inside: Place, _ end: Place, depth: Int)
        -> Step
    {
        guard var place = unsafe skipBlanks(inside, end) else { return .unclear }
        if unsafe place.pointee == UInt8(ascii: "]") { return unsafe .goesOn(place + 1) }
        var number = 0
        while true {
            let step = unsafe readValue(
                keys.entry(ofElement: number).map { keys.entries[$0] }, place, end, depth: depth)
            guard case .goesOn(let next) = step, let separator = unsafe skipBlanks(next, end) else {
                return closed(step)
            }
            if unsafe separator.pointee == UInt8(ascii: "]") { return unsafe .goesOn(separator + 1) }
            guard unsafe separator.pointee == UInt8(ascii: ","),
                let element = unsafe skipBlanks(separator + 1, end)
            else {
                return .unclear
            }
            unsafe place = unsafe element
            number += 1
        }
    }

    /// The step for a container in which the scan stopped: the decision of its last value, or `unclear`.
    private func closed(_ step: Step) -> Step {
        if case .decided = step { return step }
        return .unclear
    }

    /// Scans a value, and evaluates the conditions on it and the whole expression.
    private mutating func readValue(
        _ entry: FilterKeys.Entry?, _ place: Place, _ end: Place, depth: Int
    ) -> Step {
        var next: Place?
        if let inner = entry?.inner {
            let step: Step
            switch unsafe place.pointee {
            case UInt8(ascii: "{"): step = unsafe readMembers(inner, place + 1, end, depth: depth + 1)
            case UInt8(ascii: "["): step = unsafe readElements(inner, place + 1, end, depth: depth + 1)
            default: step = unsafe valueEnd(place, end).map { unsafe .goesOn($0) } ?? .unclear
            }
            guard case .goesOn(let behind) = step else { return step }
            unsafe next = unsafe behind
        } else {
            unsafe next = unsafe valueEnd(place, end)
        }
        guard let next = unsafe next else { return .unclear }
        guard let entry, !entry.conditions.isEmpty else { return unsafe .goesOn(next) }
        for (number, rank) in entry.conditions {
            unsafe note(number, rank, UnsafeRawBufferPointer(start: place, count: next - place))
        }
        switch expression.evaluate({ findings[$0].isFinal ? findings[$0].truth : nil }) {
        case .no, .unknown: return unsafe .decided(next, depth: depth)
        case .yes, nil: return unsafe .goesOn(next)
        }
    }

    /// Notes a value for a condition. If a key occurs twice, the first value counts.
    private mutating func note(_ number: Int, _ rank: Int, _ value: UnsafeRawBufferPointer) {
        if !hasFound[number] {
            hasFound[number] = true
            sightings += 1
        }
        guard !findings[number].isFinal, rank < findings[number].rank else { return }
        // If a condition has alternative keys, a null counts as absent.
        if isOneOfSeveral[number], unsafe value.first == UInt8(ascii: "n") { return }
        let truth = unsafe conditions.truth(of: number, value)
        findings[number] = Finding(truth: truth, rank: rank, isFinal: rank == 0 && truth != nil)
    }

    // MARK: Text

    /// The address of the next byte that is not white space; nil at the end of the record.
    @inline(__always)
    private func skipBlanks(_ start: Place, _ end: Place) -> Place? {
        var place = unsafe start
        while unsafe place < end {
            if unsafe !JSONWhiteSpace.contains(place.pointee) { return unsafe place }
            unsafe place += 1
        }
        return nil
    }

    private func isBlank(_ place: Place, _ end: Place) -> Bool {
        unsafe skipBlanks(place, end) == nil
    }

    /// Whether the `depth` containers that are open at a place are closed exactly at the end of the record.
    private func isBalanced(_ place: Place, _ end: Place, _ depth: Int) -> Bool {
        var state = cscan_container(in_string: 0, escaped: 0, depth: depth, limit: .max)
        let closing = unsafe cscan_container_scan(&state, place, end - place)
        guard unsafe closing < end - place else { return false }
        return unsafe place[closing] == UInt8(ascii: "}") && isBlank(place + (closing + 1), end)
    }

    /// The address after a value; nil if the value does not end within the record.
    @inline(__always)
    private func valueEnd(_ place: Place, _ end: Place) -> Place? {
        switch unsafe place.pointee {
        case UInt8(ascii: "\""): return unsafe string(place, end)?.end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let count = unsafe end - place - 1
            let closing = unsafe cscan_container_end(place + 1, count, .max)
            return unsafe closing < count ? place + (closing + 2) : nil
        default:
            var next = unsafe place
            while unsafe next < end, unsafe !Self.endsScalar(next.pointee) { unsafe next += 1 }
            return unsafe next == place ? nil : next
        }
    }

    @inline(__always)
    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"),
            UInt8(ascii: "\""):
            true
        default: JSONWhiteSpace.contains(byte)
        }
    }

    /// The address after the string that begins at a quote, and whether it has escapes; nil if it does not end within the record.
    @inline(__always)
    private func string(_ quote: Place, _ end: Place) -> (end: Place, hasEscape: Bool)? {
        var place = unsafe quote + 1
        var hasEscape = false
        while unsafe place < end {
            if unsafe end - place >= 16 {
                let special = unsafe cscan_string16(place) & 0xFFFF
                if special == 0 {
                    unsafe place += 16
                    continue
                }
                unsafe place += special.trailingZeroBitCount
            }
            switch unsafe place.pointee {
            case UInt8(ascii: "\""): return unsafe (place + 1, hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                // Safe: the address may now be behind the end, where it is only compared, never read.
                unsafe place += 2
            default: unsafe place += 1
            }
        }
        return nil
    }

    /// The entry of a key with escapes.
    @inline(never)
    private func entry(in keys: FilterKeys, escaped key: UnsafeRawBufferPointer) -> Int? {
        var reader = JSONReader(options: .strict)
        guard var text = try? unsafe reader.read(String.self, from: key) else { return nil }
        return text.withUTF8 { text in
            unsafe keys.entry(text.baseAddress ?? NoBytes.address, text.count)
        }
    }
}
