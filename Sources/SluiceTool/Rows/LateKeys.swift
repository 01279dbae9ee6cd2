// A record holds a value that no column reads: it is found, and the contract says what becomes of it.
//
// The reader of columns says of each record whether there is such a value; only then is the record read as a whole and compared
// with the columns. So a feed without late keys costs nothing more.

#if CommandLine
internal import SluiceCore

/// The keys that columns read, as a tree.
struct ReadKeys {
    /// A key on the way to columns.
    final class Node {
        fileprivate(set) var children: [[UInt8]: Node] = [:]
        /// Whether a column reads the value.
        fileprivate(set) var isRead = false
        /// The column that reads the value if it is no object, though columns read an object's keys.
        fileprivate(set) var variant: Int?
    }

    /// A value that no column reads.
    struct Find {
        let path: [String]
        let value: JSONValue
        /// Whether columns read the keys of an object there.
        let isVariant: Bool
        /// How many keys of the object around it are read.
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

    /// The values of a record that no column reads; null is no value.
    ///
    /// - Parameter variants: Is told of the values that go to columns by themselves, because the reader of columns has no way to.
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
    /// Reads columns. If nothing is done with the keys that none of them reads, these are counted by the reader itself.
    static func reading(_ columns: [Column], countsKeys: Bool) -> ColumnReader {
        var options = JSONReader.Options.strict
        if countsKeys { options.unknownKeys = .report }
        return ColumnReader(columns: columns, options: options)
    }
}

/// The keys that no column read, by their paths, in the order in which they were found.
struct LateKeyCounts {
    /// Names that are kept; of more, only the number.
    static let keptKeys = 100

    private(set) var keys: [LateKey] = []
    private(set) var total = 0
    private var index: [[UInt8]: Int] = [:]

    /// Counts keys whose names are not known.
    mutating func noteUnnamed(_ count: Int) { total += count }

    mutating func note(_ path: String, count: Int = 1, at place: @autoclosure () -> String) {
        total += count
        if let known = index[Array(path.utf8)] {
            keys[known].count += count
        } else if keys.count < LateKeyCounts.keptKeys {
            index[Array(path.utf8)] = keys.count
            keys.append(LateKey(path: path, count: count, place: place()))
        }
    }
}

extension JSONObject {
    /// Puts a value at a path of keys; objects on the way are made.
    mutating func put(_ value: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first else { return }
        let rest = path.dropFirst()
        guard !rest.isEmpty else {
            self = JSONObject(members + [(key, value)])
            return
        }
        var inner = JSONObject()
        var others = members
        if let place = others.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }),
            case .object(let known) = others[place].value
        {
            inner = known
            inner.put(value, at: rest)
            others[place].value = .object(inner)
        } else {
            inner.put(value, at: rest)
            others.append((key, .object(inner)))
        }
        self = JSONObject(others)
    }
}
#endif
