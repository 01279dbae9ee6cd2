// Finds the values of a record that no column reads; the contract then decides what happens to them.
//
// The column reader says of each record whether it has such a value. Only then is the record read as a whole and compared with
// the columns, so a feed without late keys costs nothing more.

#if CommandLine
internal import SluiceCore

/// The keys that columns read, as a tree.
struct ReadKeys {
    /// A key on the path to one or more columns.
    final class Node {
        fileprivate(set) var children: [[UInt8]: Node] = [:]
        /// Whether a column reads this key's value.
        fileprivate(set) var isRead = false
        /// The column that reads the value if it is not an object, although other columns read an object's keys here.
        fileprivate(set) var variant: Int?
    }

    /// A value that no column reads.
    struct Find {
        let path: [String]
        let value: JSONValue
        /// Whether columns read an object's keys there, and the value is not an object.
        let isVariant: Bool
        /// How many keys of the enclosing object lead to columns.
        let neighbours: Int
    }

    private let root = Node()

    init(_ columns: [TableColumn]) { for (index, column) in columns.enumerated() { add(column, at: index) } }

    func add(_ column: TableColumn, at index: Int) {
        guard let path = column.path else { return }
        var node = root
        for key in path {
            let bytes = Array(key.utf8)
            if node.children[bytes] == nil { node.children[bytes] = Node() }
            node = node.children[bytes] ?? node
        }
        if case .variant = column.source { node.variant = index } else { node.isRead = true }
    }

    /// Finds the values of a record that no column reads; ignores null.
    ///
    /// - Parameter variants: Called with each value that belongs to a variant column, because the column reader cannot read
    ///   those.
    func finds(in record: JSONObject, variants: (Int, JSONValue) -> Void) -> [Find] {
        var finds: [Find] = []
        look(into: record, root, [], &finds, variants)
        return finds
    }

    private func look(
        into object: JSONObject, _ node: Node, _ path: [String], _ finds: inout [Find], _ variants: (Int, JSONValue) -> Void
    ) {
        for member in object.members where !member.value.isNull {
            let way = path + [member.key]
            guard let child = node.children[Array(member.key.utf8)] else {
                finds.append(Find(path: way, value: member.value, isVariant: false, neighbours: node.children.count))
                continue
            }
            if child.isRead { continue }
            if case .object(let inner) = member.value, !child.children.isEmpty {
                look(into: inner, child, way, &finds, variants)
            } else if let variant = child.variant {
                variants(variant, member.value)
            } else {
                finds.append(Find(path: way, value: member.value, isVariant: true, neighbours: node.children.count))
            }
        }
    }
}

extension ColumnReader {
    /// A reader of columns. If the values of other keys are only to be left out, the reader counts those keys itself.
    static func reading(_ columns: [Column], countsKeys: Bool) -> ColumnReader {
        var options = JSONReader.Options.strict
        if countsKeys { options.unknownKeys = .report }
        return ColumnReader(columns: columns, options: options)
    }
}

/// Keys that no column read, in the order in which they were found, with the number of their values.
struct LateKeyCounts {
    /// How many keys are kept by name; further ones are only counted.
    private let keptKeys: Int

    private(set) var keys: [LateKey] = []
    private(set) var total = 0
    private var index: [[UInt8]: Int] = [:]

    init(keptKeys: Int = 100) { self.keptKeys = keptKeys }

    /// Counts values whose keys are not known by name.
    mutating func noteUnnamed(_ count: Int) { total += count }

    mutating func note(_ path: String, count: Int = 1, at place: @autoclosure () -> String) {
        total += count
        if let known = index[Array(path.utf8)] {
            keys[known].count += count
        } else if keys.count < keptKeys {
            index[Array(path.utf8)] = keys.count
            keys.append(LateKey(path: path, count: count, place: place()))
        }
    }
}

/// Gathers values at paths of keys into one object, with the objects on the way.
struct GatheredObject {
    /// An object on the way.
    private final class Node {
        enum Content {
            case value(JSONValue)
            case node(Node)
        }

        var members: [(key: String, content: Content)] = []
        /// The objects among the members, by key: with many members, a search for each value would take long.
        var nodes: [[UInt8]: Node] = [:]

        /// The object of a key, made if it is missing.
        func node(_ key: String) -> Node {
            let bytes = Array(key.utf8)
            if let known = nodes[bytes] { return known }
            let made = Node()
            nodes[bytes] = made
            members.append((key, .node(made)))
            return made
        }

        var object: JSONObject {
            JSONObject(
                members.map { key, content in
                    switch content {
                    case .value(let value): (key, value)
                    case .node(let node): (key, .object(node.object))
                    }
                })
        }
    }

    private let root = Node()

    /// Adds a value at a path of keys; values of the same path stand side by side.
    func add(_ value: JSONValue, at path: [String]) {
        guard let last = path.last else { return }
        let node = path.dropLast().reduce(root) { $0.node($1) }
        node.members.append((last, .value(value)))
    }

    /// All values, in the order in which their keys first came.
    var object: JSONObject { root.object }
}
#endif
