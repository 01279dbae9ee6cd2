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
// An object becomes one json column if it is deeper than `maximumDepth` levels, has no key, has a key that is empty or has a dot in it
// (such keys are data, not names), or is a dictionary: it has very many keys, with values of one kind. If there are more columns
// than a table may have, the deepest level of objects is not flattened, then the one above it, and so on.

/// Infers columns from records.
package struct ColumnInference {
    /// A column that was found: the values at the end of a path.
    package struct Leaf {
        package let path: [String]
        package let keyPath: JSONKeyPath
        package let type: Column.ColumnType
    }

    /// The kinds of a key's values.
    private struct Kinds: OptionSet {
        let rawValue: UInt8
        static let bool = Kinds(rawValue: 1)
        static let integer = Kinds(rawValue: 2)
        static let real = Kinds(rawValue: 4)
        /// An integer beyond 64 bits, or a number beyond the doubles.
        static let wide = Kinds(rawValue: 8)
        static let string = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        static let object = Kinds(rawValue: 64)
        /// An integer that 64 bits hold but a double does not.
        static let long = Kinds(rawValue: 128)
    }

    /// A key, and the keys below it in the order in which they first appeared.
    private final class Node {
        let path: [String]
        var kinds: Kinds = []
        var children: [Node] = []
        // By bytes: Swift takes the two Unicode spellings of "é" for equal; JSON does not.
        private var index: [[UInt8]: Int] = [:]

        init(path: [String]) { self.path = path }

        func child(_ key: String) -> Node {
            let bytes = Array(key.utf8)
            if let known = index[bytes] { return children[known] }
            let made = Node(path: path + [key])
            index[bytes] = children.count
            children.append(made)
            return made
        }
    }

    /// SQLite's own limit: https://www.sqlite.org/limits.html#max_column
    package static let maximumColumns = 2_000
    /// How many levels of objects are flattened at most.
    package static let maximumDepth = 8

    private let root: Node
    private let mapThreshold: Int
    /// The count of records seen that were objects.
    package private(set) var records = 0
    /// Whether the first record was an array of strings, and whether all records were arrays.
    private var beginsWithNames: Bool?
    private var hasArraysAlone = true

    /// Whether the records are probably rows of values under a row of names.
    package var looksLikeRows: Bool { beginsWithNames == true && hasArraysAlone }

    /// - Parameters:
    ///   - path: The path at which the observed objects are.
    ///   - mapThreshold: The count of keys above which an object may be a dictionary.
    package init(at path: [String] = [], mapThreshold: Int = 200) {
        root = Node(path: path)
        self.mapThreshold = mapThreshold
    }

    /// The columns for a single value, found at a path after the inference has ended.
    package static func columns(
        for value: JSONValue, at path: [String], mapThreshold: Int
    ) -> [(path: [String], type: Column.ColumnType)] {
        var inference = ColumnInference(at: path.dropLast(), mapThreshold: mapThreshold)
        inference.observe(.object(JSONObject([(path[path.count - 1], value)])))
        var leaves: [Node] = []
        inference.gather(inference.root, depth: maximumDepth, into: &leaves)
        // A value that was always null has no type yet.
        return leaves.filter { !$0.kinds.isEmpty }.map { ($0.path, inference.type(of: $0.kinds)) }
    }

    /// All paths that were seen.
    package var paths: [[String]] {
        var paths: [[String]] = []
        func add(_ node: Node) {
            for child in node.children {
                paths.append(child.path)
                add(child)
            }
        }
        add(root)
        return paths
    }

    /// Adds a record to the inference, if it is an object.
    package mutating func observe(_ record: JSONValue) {
        guard case .object(let object) = record else { return observe(row: record.array) }
        hasArraysAlone = false
        records += 1
        observe(object, below: root)
    }

    private mutating func observe(row: [JSONValue]?) {
        if row == nil { hasArraysAlone = false }
        if beginsWithNames == nil { beginsWithNames = row.map { !$0.isEmpty && $0.allSatisfy { $0.string != nil } } }
    }

    private func observe(_ object: JSONObject, below node: Node) {
        for member in object.members {
            let child = node.child(member.key)
            switch member.value {
            case .null: break
            case .bool: child.kinds.insert(.bool)
            case .number(let number): child.kinds.insert(kind(of: number))
            case .string: child.kinds.insert(.string)
            case .array: child.kinds.insert(.array)
            case .object(let object):
                child.kinds.insert(.object)
                observe(object, below: child)
            }
        }
    }

    private func kind(of number: JSONNumber) -> Kinds {
        if number.lexeme.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 32 == UInt8(ascii: "e") }) {
            return number.double?.isFinite == true ? .real : .wide
        }
        guard let value = number.int else { return .wide }
        return Int(exactly: Double(value)) == value ? .integer : [.integer, .long]
    }

    /// The columns, in the order in which their keys first appeared; empty if no record had a key. Nil if there are more than `limit`
    /// even without flattening.
    package func leaves(limit: Int = maximumColumns, depth: Int = maximumDepth) -> [Leaf]? {
        for depth in stride(from: depth, through: 1, by: -1) {
            var leaves: [Node] = []
            gather(root, depth: depth, into: &leaves)
            if leaves.count <= limit {
                return leaves.map { Leaf(path: $0.path, keyPath: JSONKeyPath(components: $0.path), type: type(of: $0.kinds)) }
            }
        }
        return nil
    }

    /// The count of keys on the top level.
    package var keyCount: Int { root.children.count }

    /// The type of the values at a path; text if there were none.
    package func type(at path: [String]) -> Column.ColumnType {
        var node = root
        for key in path {
            guard let child = node.children.first(where: { $0.path.last?.utf8.elementsEqual(key.utf8) == true }) else {
                return .text
            }
            node = child
        }
        return type(of: node.kinds)
    }

    /// Whether a record had a value or null at a path, as far as that is known: elements of arrays are not looked at.
    package func mayHaveValue(at path: [String]) -> Bool {
        var node = root
        for key in path {
            guard let child = node.children.first(where: { $0.path.last?.utf8.elementsEqual(key.utf8) == true }) else {
                return node.kinds.contains(.array) && Int(key) != nil
            }
            node = child
        }
        return true
    }

    private func gather(_ node: Node, depth: Int, into leaves: inout [Node]) {
        for child in node.children {
            if child.kinds == .object, child.path.count < depth, !child.children.isEmpty, hasNames(child),
                !isDictionary(child)
            {
                gather(child, depth: depth, into: &leaves)
            } else {
                leaves.append(child)
            }
        }
    }

    /// Whether an object's keys are data, not property names: there are very many, and at least four fifths have values of one kind.
    private func isDictionary(_ node: Node) -> Bool {
        guard node.children.count > mapThreshold else { return false }
        var counts: [UInt8: Int] = [:]
        for child in node.children where !child.kinds.isEmpty { counts[child.kinds.rawValue, default: 0] += 1 }
        let total = counts.values.reduce(0, +)
        return total == 0 || (counts.values.max() ?? 0) * 5 >= total * 4
    }

    private func hasNames(_ node: Node) -> Bool {
        node.children.allSatisfy { $0.path.last.map { !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: ".")) } == true }
    }

    private func type(of kinds: Kinds) -> Column.ColumnType {
        if !kinds.isDisjoint(with: [.array, .object]) { return .json }
        switch kinds {
        case [.bool]: return .bool
        case [.integer], [.integer, .long]: return .integer
        case [.real], [.integer, .real]: return .real
        default: return .text
        }
    }
}
