// Notes which paths of `--sensitive` the records have: a path that no record has hides nothing, and is probably misspelt.

#if CommandLine
internal import SluiceCore
internal import Synchronization

/// What all threads have found of the sensitive paths, in all inputs.
final class SensitiveSightings: Sendable {
    private struct State {
        var found: [Bool]
        var missed: [Bool]
        /// The paths of the first records that lack a sensitive one.
        var paths: [[String]] = []
        var known: Set<[[UInt8]]> = []
        var looks = 0
    }

    private let sensitive: SensitivePaths
    private let state: Mutex<State>
    private static let lookLimit = 100

    init(_ sensitive: SensitivePaths) {
        self.sensitive = sensitive
        let none = Array(repeating: false, count: sensitive.keys.count)
        state = Mutex(State(found: none, missed: none))
    }

    /// Makes a watch, which must not be used by several threads at once.
    func makeWatch() -> SensitiveWatch { SensitiveWatch(sensitive, self) }

    /// What else the records are to be looked at for, after one of a watch's records.
    fileprivate func note(_ filter: RecordFilter) -> SensitiveWatch.Need {
        state.withLock { state in
            for number in state.found.indices {
                if filter.hasFound[number] { state.found[number] = true }
                if filter.hasMissed[number] { state.missed[number] = true }
            }
            return need(state)
        }
    }

    /// Notes the paths of a record.
    fileprivate func look(at record: UnsafeRawBufferPointer) -> SensitiveWatch.Need {
        var reader = JSONReader()
        var inference = ColumnInference()
        if let value = try? unsafe reader.read(JSONValue.self, from: record) { inference.observe(value) }
        // The keys inside a sensitive value are not for reports.
        let paths = inference.paths.filter { path in
            sensitive.path(above: path).map { $0.components.count == path.count } ?? true
        }
        return state.withLock { state in
            state.looks += 1
            for path in paths where state.known.insert(path.map { Array($0.utf8) }).inserted { state.paths.append(path) }
            return need(state)
        }
    }

    private func need(_ state: State) -> SensitiveWatch.Need {
        if !state.found.contains(false) { return .nothing }
        return state.looks < Self.lookLimit ? .allPaths : .sensitivePaths
    }

    /// The sensitive paths that no record has had. Records that are not objects do not count.
    var unseenPaths: [UnseenPath] {
        state.withLock { state in
            let keys = sensitive.keys
            return keys.indices.compactMap { number in
                // A path that is named twice is reported once.
                guard !state.found[number], state.missed[number], keys.firstIndex(where: { $0 == keys[number] }) == number else {
                    return nil
                }
                return UnseenPath(keys[number], reader: .sensitive, among: state.paths)
            }
        }
    }
}

/// Looks for the sensitive paths in records, until each was in one.
struct SensitiveWatch {
    fileprivate enum Need { case nothing, sensitivePaths, allPaths }

    /// One condition for each path, none of which decides the record before all are found.
    private struct Paths: FilterConditions {
        let paths: [JSONKeyPath]

        func keys(of number: Int) -> [JSONKeyPath] { [paths[number]] }
        func truth(of number: Int, _ value: UnsafeRawBufferPointer) -> FilterTruth? { .no }
        func truthIfAbsent(of number: Int) -> FilterTruth? { .no }
    }

    private var filter: RecordFilter
    private let sightings: SensitiveSightings
    /// How often the filter has found something that the sightings do not have yet.
    private var noted = 0
    private var need = Need.allPaths

    fileprivate init(_ sensitive: SensitivePaths, _ sightings: SensitiveSightings) {
        let paths = sensitive.keys.map { JSONKeyPath(components: $0) }
        filter = RecordFilter(.or(paths.indices.map { .condition($0) }), Paths(paths: paths), count: paths.count)
        self.sightings = sightings
    }

    /// Looks at a record, unless all paths were seen.
    mutating func look(at record: UnsafeRawBufferPointer) {
        if need == .nothing { return }
        _ = unsafe filter.verdict(on: record)
        if filter.sightings != noted {
            noted = filter.sightings
            need = sightings.note(filter)
        }
        if need == .allPaths { need = unsafe sightings.look(at: record) }
    }
}
#endif
