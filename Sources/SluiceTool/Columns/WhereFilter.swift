// Chooses records by a condition, and notes which of its paths the records have: a path that no record has is probably misspelt.

#if CommandLine
internal import SluiceCore
internal import Synchronization

/// What the filters of one condition, in all threads, have found.
final class WhereSightings: Sendable {
    private struct State {
        var found: [Bool]
        var missed: [Bool]
        /// The paths of the first records that lack a value.
        var paths: [[String]] = []
        var known: Set<[[UInt8]]> = []
        var looks = 0
    }

    private let compared: [(number: Int, path: [String])]
    private let state: Mutex<State>
    private static let lookLimit = 100

    init(_ predicate: ColumnPredicate) {
        compared = predicate.comparedPaths
        let none = Array(repeating: false, count: predicate.conditionCount)
        state = Mutex(State(found: none, missed: none))
    }

    /// Whether a path that is compared has not been found, and not enough records have been looked at to say what was meant.
    fileprivate func note(_ filter: RecordFilter) -> Bool {
        state.withLock { state in
            for number in state.found.indices {
                if filter.hasFound[number] { state.found[number] = true }
                if filter.hasMissed[number] { state.missed[number] = true }
            }
            return state.looks < Self.lookLimit && compared.contains { !state.found[$0.number] }
        }
    }

    /// Notes the paths of a record.
    fileprivate func look(at record: UnsafeRawBufferPointer) -> Bool {
        var reader = JSONReader()
        var inference = ColumnInference()
        if let value = try? unsafe reader.read(JSONValue.self, from: record) { inference.observe(value) }
        let paths = inference.paths
        return state.withLock { state in
            state.looks += 1
            for path in paths where state.known.insert(path.map { Array($0.utf8) }).inserted { state.paths.append(path) }
            return state.looks < Self.lookLimit && compared.contains { !state.found[$0.number] }
        }
    }

    /// The paths that are compared, and that no record has had. Records that were decided by other paths do not count.
    var unseenPaths: [UnseenPath] {
        state.withLock { state in
            var seen: Set<[[UInt8]]> = []
            return compared.compactMap { number, path in
                // A path may be compared twice, and be found by one of the comparisons.
                let isFound = compared.contains { $0.path == path && state.found[$0.number] }
                guard !isFound, state.missed[number], seen.insert(path.map { Array($0.utf8) }).inserted else { return nil }
                return UnseenPath(path, reader: .condition, among: state.paths)
            }
        }
    }
}

/// Decides which records match a condition. A filter must not be used by several threads at once.
struct WhereFilter {
    private var filter: RecordFilter
    private let sightings: WhereSightings
    /// How often the filter has found something that the sightings do not have yet.
    private var noted = 0
    private var looksAtRecords = true

    init(_ predicate: ColumnPredicate, _ sightings: WhereSightings) {
        filter = predicate.makeFilter()
        self.sightings = sightings
    }

    /// Whether a record must be read: it matches, or only reading it can decide or report what is wrong with it.
    mutating func matches(_ record: UnsafeRawBufferPointer) -> Bool {
        let isMatch = unsafe filter.matches(record)
        if filter.sightings != noted {
            noted = filter.sightings
            looksAtRecords = sightings.note(filter)
        }
        if looksAtRecords { looksAtRecords = unsafe sightings.look(at: record) }
        return isMatch
    }
}
#endif
