// Notes which of the paths that an option names the records have: a path that no record has is probably misspelt.

package import SluiceCore
internal import Synchronization

/// What all threads have found of the paths that an option names, in all inputs.
package final class PathSightings: Sendable {
    /// What a watch still has to look for.
    package enum Need { case nothing, namedPaths, allPaths }

    private struct State {
        /// For each condition of the filter: whether some record had its value, and whether some record lacked it.
        var found: [Bool]
        var missed: [Bool]
        /// The paths of the first records, noted while a named path is missing.
        var paths: [[String]] = []
        var known: Set<[[UInt8]]> = []
        var looks = 0
    }

    /// The named paths, with the numbers of their conditions.
    private let named: [(number: Int, path: [String])]
    private let option: UnseenPath.Reader
    /// Reports must not show the keys inside the values of these paths.
    private let sensitive: SensitivePaths
    private let predicate: RecordPredicate
    private let state: Mutex<State>
    /// How many records are searched for a path that was probably meant.
    private static let lookLimit = 100

    private init(_ predicate: RecordPredicate, _ option: UnseenPath.Reader, hiding sensitive: SensitivePaths) {
        (self.predicate, self.option, self.sensitive) = (predicate, option, sensitive)
        named = predicate.comparedPaths
        let none = Array(repeating: false, count: predicate.conditionCount)
        state = Mutex(State(found: none, missed: none))
    }

    /// The paths that a condition compares. A record does not count as lacking a path if other paths already decide the
    /// condition.
    package convenience init(comparedBy predicate: RecordPredicate) {
        self.init(predicate, .condition, hiding: SensitivePaths())
    }

    /// The paths of sensitive values: a path that no record has hides nothing. No condition on them decides a record before all are found.
    package convenience init(of sensitive: SensitivePaths) {
        self.init(RecordPredicate(anyOf: sensitive.keys.map { RecordCondition(watching: $0) }), .sensitive, hiding: sensitive)
    }

    /// Makes a watch, which must not be used by several threads at once.
    package func makeWatch() -> PathWatch { PathWatch(predicate.makeFilter(), self) }

    /// Notes what a watch has found.
    fileprivate func note(_ filter: RecordFilter) -> Need {
        state.withLock { state in
            for number in state.found.indices {
                if filter.hasFound[number] { state.found[number] = true }
                if filter.hasMissed[number] { state.missed[number] = true }
            }
            return need(state)
        }
    }

    /// Notes all paths of a record.
    fileprivate func look(at record: UnsafeRawBufferPointer) -> Need {
        var reader = JSONReader()
        var inference = ColumnInference()
        if let value = try? unsafe reader.read(JSONValue.self, from: record) { inference.observe(value) }
        let paths = inference.paths.filter { !sensitive.hidesKey(at: $0) }
        return state.withLock { state in
            state.looks += 1
            for path in paths where state.known.insert(Self.bytes(of: path)).inserted { state.paths.append(path) }
            return need(state)
        }
    }

    private func need(_ state: State) -> Need {
        if named.allSatisfy({ state.found[$0.number] }) { return .nothing }
        return state.looks < Self.lookLimit ? .allPaths : .namedPaths
    }

    /// The named paths that no record has had. Records that are not objects do not count.
    package func unseenPaths(hiding sensitive: SensitivePaths) -> [UnseenPath] {
        state.withLock { state in
            // A path may be named twice, and only one of its conditions may have found it.
            let found = Set(named.filter { state.found[$0.number] }.map { Self.bytes(of: $0.path) })
            var reported: Set<[[UInt8]]> = []
            return named.compactMap { number, path in
                let bytes = Self.bytes(of: path)
                guard state.missed[number], !found.contains(bytes), reported.insert(bytes).inserted else { return nil }
                return UnseenPath(path, reader: option, among: state.paths, hiding: sensitive)
            }
        }
    }

    /// The keys of a path as bytes: two keys are the same key only if their bytes are the same.
    private static func bytes(of path: [String]) -> [[UInt8]] { path.map { Array($0.utf8) } }
}

/// Filters records, and notes which of the named paths they have. A watch must not be used by several threads at once.
package struct PathWatch {
    private var filter: RecordFilter
    private let sightings: PathSightings
    /// How often the filter had found something when the sightings were last told.
    private var noted = 0
    private var need = PathSightings.Need.allPaths

    fileprivate init(_ filter: RecordFilter, _ sightings: PathSightings) {
        self.filter = filter
        self.sightings = sightings
    }

    /// Whether a record must be read: it matches, or only reading it can decide or report what is wrong with it.
    package mutating func matches(_ record: UnsafeRawBufferPointer) -> Bool {
        let isMatch = unsafe filter.matches(record)
        if filter.sightings != noted {
            noted = filter.sightings
            need = sightings.note(filter)
        }
        if need == .allPaths { need = unsafe sightings.look(at: record) }
        return isMatch
    }

    /// Looks for the named paths in a record, until all of them are found.
    package mutating func look(at record: UnsafeRawBufferPointer) {
        if need != .nothing { _ = unsafe matches(record) }
    }
}
