// Decides whether a record matches a predicate before the record is bound. The filter scans the record's keys, evaluates the values that
// conditions need, and skips all other values by their quotes and brackets.
//
//     where type = 'Push' and size > 3
//     {"id":"1","type":"Watch","size":7,"payload":{ … 3 KB … }}
//               ^^^^^^^^^^^^^^ the value that decides. With `duplicateKeys: .first` it does so at once; with the other rules the record
//               is read to its end, because the key may come again.

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

    private typealias Address = TextCursor.Address

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
        case goesOn(Address)
        /// The record is known not to match, with this many containers open.
        case decided(Address, depth: Int)
        case unclear
    }

    private let expression: FilterExpression
    /// Which value of a key counts that occurs twice in an object: the one that the record has once it is bound.
    private let duplicateKeys: JSONReader.Options.DuplicateKeys
    /// Conditions are identified by their number.
    private let conditions: [RecordCondition.Test]
    private let keys = FilterKeys()
    private var findings: [Finding]
    /// For each condition, whether its value has several alternative keys.
    private var isOneOfSeveral: [Bool] = []
    /// For each entry of the keys, the last record in which it was, and the number of the present record.
    private var lastRecords: [Int] = []
    private var recordNumber = 0
    /// Whether a key is repeated that must not be. No condition decides then: the record is bound, and the binder reports the error.
    private var isRefused = false

    /// Whether each condition's value was in a record so far, and whether a record was read to its end without it.
    package private(set) var hasFound: [Bool]
    package private(set) var hasMissed: [Bool]
    /// How often one of these has become true.
    package private(set) var sightings = 0

    /// - Parameter duplicateKeys: The rule by which the records are read.
    init(
        _ expression: FilterExpression, _ conditions: [RecordCondition.Test],
        duplicateKeys: JSONReader.Options.DuplicateKeys
    ) {
        self.expression = expression
        self.duplicateKeys = duplicateKeys
        self.conditions = conditions
        findings = Array(repeating: Finding(), count: conditions.count)
        hasFound = Array(repeating: false, count: conditions.count)
        hasMissed = hasFound
        var entryCount = 0
        for (number, condition) in conditions.enumerated() {
            let paths = condition.keys
            isOneOfSeveral.append(paths.count > 1)
            for (rank, path) in paths.enumerated() {
                keys.insert(path.components[...], number: number, rank: rank, count: &entryCount)
            }
        }
        lastRecords = Array(repeating: 0, count: entryCount)
    }

    /// Whether a record must be bound: it matches, or only binding it can decide or report what is wrong with it.
    package mutating func matches(_ record: UnsafeRawBufferPointer) -> Bool {
        unsafe verdict(on: record) != .doesNotMatch
    }

    /// Scans a record as far as needed to decide whether it matches.
    package mutating func verdict(on record: UnsafeRawBufferPointer) -> Verdict {
        for index in findings.indices { findings[index] = Finding() }
        recordNumber &+= 1
        isRefused = false
        guard let base = record.baseAddress else { return .unclear }
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        // Safe: the address after the last byte is only compared, never read.
        let text = unsafe TextCursor(end: start + record.count)
        guard let opening = unsafe text.skipBlanks(start), unsafe opening.pointee == UInt8(ascii: "{") else { return .unclear }
        switch unsafe readMembers(keys, opening, text, depth: 1) {
        case .unclear: return unsafe isDecided && !isRefused ? verdict(text, after: opening + 1, depth: 1) : .unclear
        case .decided(let address, let depth): return unsafe verdict(text, after: address, depth: depth)
        case .goesOn(let address):
            guard unsafe text.isBlank(from: address) else { return .unclear }
            return verdictAtEnd()
        }
    }

    /// The result for a record that is known not to match, if its brackets balance.
    private func verdict(_ text: TextCursor, after address: Address, depth: Int) -> Verdict {
        guard let end = unsafe text.end(of: depth, from: address), unsafe end[-1] == UInt8(ascii: "}") else { return .unclear }
        return unsafe text.isBlank(from: end) ? .doesNotMatch : .unclear
    }

    /// Whether the values that were found show that the record does not match, whatever the others are.
    private var isDecided: Bool {
        // The closure would copy the whole filter.
        let findings = findings
        return switch expression.evaluate({ findings[$0].rank == 0 ? findings[$0].truth : nil }) {
        case .no, .unknown: true
        case .yes, nil: false
        }
    }

    private mutating func verdictAtEnd() -> Verdict {
        if isDecided { return .doesNotMatch }
        for number in findings.indices where findings[number].rank == .max && !hasMissed[number] {
            hasMissed[number] = true
            sightings += 1
        }
        let truth = expression.evaluate { number in
            findings[number].rank == .max ? conditions[number].truth(nil) : findings[number].truth
        }
        return truth.map { $0 == .yes ? .matches : .doesNotMatch } ?? .unclear
    }

    // MARK: Containers

    /// Reads the members of the object that opens at a position.
    private mutating func readMembers(_ keys: FilterKeys, _ opening: Address, _ text: TextCursor, depth: Int) -> Step {
        var address: Address
        switch unsafe text.first(after: opening, closing: UInt8(ascii: "}")) {
        case nil: return .unclear
        case .end(let end): return unsafe .goesOn(end)
        case .item(let first): unsafe address = unsafe first
        }
        while true {
            guard let (key, value) = unsafe text.key(at: address) else { return .unclear }
            let entry = unsafe key.isPlain ? keys.entry(key.start, key.count) : self.entry(in: keys, of: key)
            let step = unsafe readValue(entry.map { keys.entries[$0] }, value, text, depth: depth)
            guard case .goesOn(let after) = step else { return step }
            switch unsafe text.next(after: after, closing: UInt8(ascii: "}")) {
            case nil: return .unclear
            case .end(let end): return unsafe .goesOn(end)
            case .item(let next): unsafe address = unsafe next
            }
        }
    }

    /// Reads the elements of the array that opens at a position. Their indices can be keys of a path.
    private mutating func readElements(_ keys: FilterKeys, _ opening: Address, _ text: TextCursor, depth: Int) -> Step {
        var address: Address
        switch unsafe text.first(after: opening, closing: UInt8(ascii: "]")) {
        case nil: return .unclear
        case .end(let end): return unsafe .goesOn(end)
        case .item(let first): unsafe address = unsafe first
        }
        var number = 0
        while true {
            let entry = keys.entry(ofElement: number)
            let step = unsafe readValue(entry.map { keys.entries[$0] }, address, text, depth: depth)
            guard case .goesOn(let after) = step else { return step }
            switch unsafe text.next(after: after, closing: UInt8(ascii: "]")) {
            case nil: return .unclear
            case .end(let end): return unsafe .goesOn(end)
            case .item(let next): unsafe address = unsafe next
            }
            number += 1
        }
    }

    /// Scans a value, and evaluates the conditions on it and the whole expression.
    @inline(__always)
    private mutating func readValue(_ entry: FilterKeys.Entry?, _ address: Address, _ text: TextCursor, depth: Int) -> Step {
        guard let entry else { return unsafe text.valueEnd(address).map { unsafe .goesOn($0) } ?? .unclear }
        return unsafe readValue(of: entry, address, text, depth: depth)
    }

    @inline(never)
    private mutating func readValue(of entry: FilterKeys.Entry, _ address: Address, _ text: TextCursor, depth: Int) -> Step {
        if lastRecords[entry.number] == recordNumber, duplicateKeys != .last, duplicateKeys != .first {
            isRefused = true
            return .unclear
        }
        lastRecords[entry.number] = recordNumber
        let step: Step
        if let inner = entry.inner, unsafe address.pointee == UInt8(ascii: "{") {
            step = unsafe readMembers(inner, address, text, depth: depth + 1)
        } else if let inner = entry.inner, unsafe address.pointee == UInt8(ascii: "[") {
            step = unsafe readElements(inner, address, text, depth: depth + 1)
        } else {
            step = unsafe text.valueEnd(address).map { unsafe .goesOn($0) } ?? .unclear
        }
        guard case .goesOn(let next) = step, !entry.conditions.isEmpty else { return step }
        for (number, rank) in entry.conditions {
            unsafe note(number, rank, UnsafeRawBufferPointer(start: address, count: next - address))
        }
        // With `.first`, a value decides at once; with the other rules the key may come again.
        return unsafe duplicateKeys == .first && isDecided ? .decided(next, depth: depth) : .goesOn(next)
    }

    /// Notes a value for a condition.
    private mutating func note(_ number: Int, _ rank: Int, _ value: UnsafeRawBufferPointer) {
        if !hasFound[number] {
            hasFound[number] = true
            sightings += 1
        }
        guard !findings[number].isFinal, rank <= findings[number].rank else { return }
        let isRepeated = rank == findings[number].rank
        if isRepeated, duplicateKeys == .first { return }
        // If a condition has alternative keys, a null counts as absent.
        if isOneOfSeveral[number], unsafe value.first == UInt8(ascii: "n"), !isRepeated { return }
        // Its alternative keys decide, which is known once it is bound.
        let isUnclear = isRepeated && isOneOfSeveral[number]
        let truth = unsafe isUnclear ? nil : conditions[number].truth(value)
        findings[number] = Finding(truth: truth, rank: rank, isFinal: isUnclear)
    }

    /// The entry of a key with escapes.
    @inline(never)
    private func entry(in keys: FilterKeys, of key: TextString) -> Int? {
        guard var text = key.decoded else { return nil }
        return text.withUTF8 { text in
            unsafe keys.entry(text.baseAddress ?? NoBytes.address, text.count)
        }
    }
}
