// Infers columns from the first records.
//
// Each key becomes a column. An object's keys become columns of their own, named by their path: `{"actor": {"id": 1}}` gives the
// column `actor_id`. The values of a key in all records seen decide the column's type; null counts for nothing:
//
//     only booleans                         bool
//     only integers                         integer
//     only numbers                          real
//     an integer that 64 bits do not hold   text, so that no digit is lost; likewise one that a double does not hold, among reals
//     a number beyond the doubles, 1e400    text
//     only strings, or only null            text
//     any other mix of scalars              text
//     only objects                          their keys, one level down
//     an array, or objects mixed with other values   json
//
// Strings that look like dates stay text: a date column rewrites its values in UTC, and inference must not change data.
// An object becomes one json column if it is deeper than ``Flattening`` allows (8 levels unless an option says otherwise), has no key, has a key that is empty or has a dot in it
// (such keys are data, not names), or is a dictionary: it has very many keys, with values of one kind. If there are more columns
// than a table may have, the deepest level of objects is not flattened, then the one above it, and so on.

/// Infers columns from records.
package struct ColumnInference {
    /// A column that was found: the values at the end of a path.
    package struct Leaf {
        package let path: [String]
        package let keyPath: JSONKeyPath
        package let type: ColumnType
        /// The number of the values among the shapes.
        package let shape: Int
    }

    private typealias Kinds = RecordShapes.Kinds
    private typealias Node = (shape: Int, path: [String])

    /// SQLite's own limit: https://www.sqlite.org/limits.html#max_column
    package static let maximumColumns = 2_000
    /// How many levels of objects are flattened at most.
    package static let maximumDepth = Flattening.maximumDepth

    /// What the records have in common.
    package let shapes: RecordShapes
    private let path: [String]
    private let flattening: Flattening
    private let tape = JSONTape()

    /// - Parameters:
    ///   - path: The path at which the observed objects are.
    ///   - flattening: How far objects become columns.
    ///   - looksIntoArrays: Whether the elements of arrays are looked at, so that they can have columns of their own.
    ///   - looksAtValues: Whether it is noted what texts and whole numbers may stand for.
    package init(
        at path: [String] = [], flattening: Flattening = Flattening(), looksIntoArrays: Bool = false, looksAtValues: Bool = false
    ) {
        self.path = path
        self.flattening = flattening
        shapes = RecordShapes(looksIntoArrays: looksIntoArrays, looksAtValues: looksAtValues)
    }

    /// The count of records seen that were objects.
    package var records: Int { shapes.objects(RecordShapes.root) }

    /// Whether all records are texts, numbers or booleans.
    package var areScalars: Bool {
        let kinds = shapes.kinds(of: RecordShapes.root)
        return !kinds.isEmpty && kinds.isDisjoint(with: [.array, .object])
    }

    /// Whether the records are probably rows of values under a row of names.
    package var looksLikeRows: Bool { shapes.looksLikeRows }

    /// The columns for a single value, found at a path after the inference has ended.
    package static func columns(
        for value: JSONValue, at path: [String], flattening: Flattening
    ) -> [(path: [String], type: ColumnType)] {
        var inference = ColumnInference(at: path.dropLast(), flattening: flattening)
        inference.observe(.object(JSONObject([(path[path.count - 1], value)])))
        // A value that was always null has no type yet.
        return inference.gathered(depth: flattening.depth) { flattening.keepsWhole($0) }.compactMap { node in
            let kinds = inference.shapes.kinds(of: node.shape)
            if kinds.isEmpty { return nil }
            return (node.path, flattening.keepsWhole(node.path) ? .json : inference.type(of: kinds))
        }
    }

    /// All paths that were seen.
    package var paths: [[String]] {
        var paths: [[String]] = []
        func add(_ shape: Int, _ path: [String]) {
            for member in shapes.members(of: shape) {
                let way = path + [shapes.key(of: member)]
                paths.append(way)
                add(member, way)
            }
        }
        add(RecordShapes.root, path)
        return paths
    }

    /// Adds a record to the inference, if it is an object.
    package mutating func observe(_ record: JSONValue) {
        // A value that was read can always be written, and its text has a tape.
        guard let text = try? record.jsonBytes() else { return }
        unsafe text.withUnsafeBytes { text in
            guard unsafe (try? tape.scan(text)) != nil else { return }
            shapes.observe(tape)
        }
    }

    /// The columns, in the order in which their keys first appeared; empty if no record had a key. Nil if there are more than `limit`
    /// even without flattening.
    ///
    /// - Parameters:
    ///   - shape: The shape of the objects whose keys become columns: that of the records, or of the elements of an array.
    ///   - isClosed: Whether an object at a path from there is not flattened.
    package func leaves(
        limit: Int = maximumColumns, depth: Int = maximumDepth, of shape: Int = RecordShapes.root,
        isClosed: ([String]) -> Bool = { _ in false }
    ) -> [Leaf]? {
        let isRoot = shape == RecordShapes.root
        for depth in stride(from: max(1, min(depth, flattening.depth)), through: 1, by: -1) {
            let leaves = gathered(depth: depth, of: shape) { isRoot && flattening.keepsWhole($0) || isClosed($0) }
            if leaves.count <= limit {
                return leaves.map {
                    Leaf(
                        path: $0.path, keyPath: JSONKeyPath(components: $0.path),
                        type: isRoot && flattening.keepsWhole($0.path) ? .json : type(of: shapes.kinds(of: $0.shape)),
                        shape: $0.shape)
                }
            }
        }
        return nil
    }

    /// The type for the values at a shape that are not objects; nil if all are.
    package func scalarType(at shape: Int) -> ColumnType? {
        let kinds = shapes.kinds(of: shape).subtracting(.object)
        return kinds.isEmpty ? nil : type(of: kinds)
    }

    /// Whether all values at a shape are null.
    package func hasOnlyNull(_ shape: Int) -> Bool { shapes.kinds(of: shape).isEmpty }

    /// Whether the values at a shape are arrays, or null.
    package func hasOnlyArrays(_ shape: Int) -> Bool { shapes.kinds(of: shape) == .array }

    /// Whether the values at a shape are objects whose keys are data.
    package func hasOnlyDictionaries(_ shape: Int) -> Bool { shapes.kinds(of: shape) == .object && isDictionary(shape) }

    /// Whether the values at a shape are objects, or null.
    package func hasOnlyObjects(_ shape: Int) -> Bool { shapes.kinds(of: shape) == .object }

    /// Whether the values at a shape are objects without keys, or null.
    package func hasOnlyEmptyObjects(_ shape: Int) -> Bool {
        hasOnlyObjects(shape) && !shapes.members(of: shape).contains { _ in true }
    }

    /// What the members of the objects at a shape have in common: their own inference.
    package func inference(ofMembersOf shape: Int) -> ColumnInference {
        ColumnInference(
            shapes: shapes.merged(membersOf: shape),
            flattening: Flattening(depth: flattening.depth, mapThreshold: flattening.mapThreshold))
    }

    private init(shapes: RecordShapes, flattening: Flattening) {
        self.shapes = shapes
        self.flattening = flattening
        path = []
    }

    /// The shape at the end of a path; nil if no record has had it.
    package func shape(at path: [String], of shape: Int = RecordShapes.root) -> Int? {
        var shape = shape
        for key in path {
            guard let member = shapes.member(of: shape, key) else { return nil }
            shape = member
        }
        return shape
    }

    /// The count of keys on the top level.
    package var keyCount: Int { shapes.members(of: RecordShapes.root).reduce(0) { count, _ in count + 1 } }

    /// The type of the values at a path; text if there were none.
    package func type(at path: [String]) -> ColumnType {
        shape(at: path).map { type(of: shapes.kinds(of: $0)) } ?? .text
    }

    /// What the values at a path stand for; nil if that is unknown.
    package func meaning(at path: [String]) -> ValueForms.Meaning? {
        shape(at: path).flatMap { shapes.meaning(of: $0, under: path.last ?? "") }
    }

    /// Whether a record had a value or null at a path, as far as that is known: elements of arrays are not looked at.
    package func mayHaveValue(at path: [String]) -> Bool {
        var shape = RecordShapes.root
        for key in path {
            guard let member = shapes.member(of: shape, key) else {
                return shapes.kinds(of: shape).contains(.array) && Int(key) != nil
            }
            shape = member
        }
        return true
    }

    /// The shapes that become columns if objects are flattened to a depth.
    private func gathered(
        depth: Int, of root: Int = RecordShapes.root, _ isClosed: ([String]) -> Bool = { _ in false }
    ) -> [Node] {
        var leaves: [Node] = []
        func gather(_ shape: Int, _ path: [String]) {
            for member in shapes.members(of: shape) {
                let way = path + [shapes.key(of: member)]
                let kinds = shapes.kinds(of: member)
                let isSplit = kinds.contains(.object) && flattening.splits(way)
                if isSplit || kinds == .object, way.count < depth, hasNames(member), !isDictionary(member), !isClosed(way) {
                    gather(member, way)
                } else {
                    leaves.append((member, way))
                }
            }
        }
        gather(root, path)
        return leaves
    }

    /// Whether an object's keys are data, not property names: there are very many, and at least four fifths have values of one kind.
    private func isDictionary(_ shape: Int) -> Bool {
        var counts: [Kinds: Int] = [:]
        var keys = 0
        for member in shapes.members(of: shape) {
            keys += 1
            var kinds = shapes.kinds(of: member)
            if kinds.contains(.infinite) { kinds = kinds.subtracting(.infinite).union(.wide) }
            if !kinds.isEmpty { counts[kinds, default: 0] += 1 }
        }
        guard keys > flattening.mapThreshold else { return false }
        let total = counts.values.reduce(0, +)
        return total == 0 || (counts.values.max() ?? 0) * 5 >= total * 4
    }

    /// Whether an object has keys, and all can be names of columns.
    private func hasNames(_ shape: Int) -> Bool {
        var hasKeys = false
        for member in shapes.members(of: shape) {
            hasKeys = true
            let key = shapes.key(of: member).utf8
            if key.isEmpty || key.contains(UInt8(ascii: ".")) { return false }
        }
        return hasKeys
    }

    private func type(of kinds: Kinds) -> ColumnType {
        if !kinds.isDisjoint(with: [.array, .object]) { return .json }
        switch kinds {
        case [.bool]: return .bool
        case [.integer], [.integer, .long]: return .integer
        case [.real], [.integer, .real]: return .real
        default: return .text
        }
    }
}
