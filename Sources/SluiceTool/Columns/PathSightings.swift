// Which paths that an option names the records have: one that no record has is probably misspelt.

#if CommandLine
internal import SluiceCore
internal import Synchronization

/// What the threads of a pass have found of some paths.
final class PathSightings: Sendable {
    private struct State {
        var unseen: Set<Int>
        /// The paths of the first records.
        var paths: [[String]] = []
        var known: Set<[[UInt8]]> = []
        var looks = 0
    }

    fileprivate let paths: [[String]]
    private let state: Mutex<State>
    /// From how many records a misspelt path is recognised.
    private static let lookLimit = 100

    init(_ paths: [[String]]) {
        self.paths = paths
        state = Mutex(State(unseen: Set(paths.indices)))
    }

    /// Notes the paths that no record of one thread has had yet, and the keys of a record. Returns whether some are looked for still.
    fileprivate func note(unseen: Set<Int>, _ tape: JSONTape) -> Bool {
        let isNew = state.withLock { state in
            state.unseen.formIntersection(unseen)
            state.looks += 1
            return state.looks <= Self.lookLimit
        }
        guard isNew else { return state.withLock { !$0.unseen.isEmpty } }
        let inference = ColumnInference()
        inference.shapes.observe(tape)
        let paths = inference.paths
        return state.withLock { state in
            for path in paths where state.known.insert(path.map { Array($0.utf8) }).inserted { state.paths.append(path) }
            return !state.unseen.isEmpty
        }
    }

    /// The paths that no record has had; none if there was no record.
    func unseenPaths(_ reader: UnseenPath.Reader) -> [UnseenPath] {
        state.withLock { state in
            guard state.looks > 0 else { return [] }
            return state.unseen.sorted().map { UnseenPath(paths[$0], reader: reader, among: state.paths) }
        }
    }
}

/// Looks for paths in the records of one thread, until all have been found.
struct PathWatch: ~Copyable {
    private let sightings: PathSightings
    private var fields: RecordFields
    private var isLooking = true

    init(_ sightings: PathSightings) {
        self.sightings = sightings
        fields = RecordFields(paths: sightings.paths)
    }

    /// Looks at a record. One that is damaged has no paths: its error is found where it is read.
    mutating func look(at record: UnsafeRawBufferPointer) {
        guard isLooking, unsafe (try? fields.read(record)) != nil else { return }
        isLooking = sightings.note(unseen: fields.unseen, fields.tape)
    }
}
#endif
