// Finds the values of a record whose keys are unknown: no column reads them. The contract then decides what happens to them.
//
// The column reader says of each record whether it has such a value. Only then is the record read as a whole and compared with
// the columns, so a feed without unknown keys costs nothing more.

package import SluiceCore

/// The keys that columns read, as a tree.
package struct ReadKeys {
    /// A key on the path to one or more columns.
    package final class Node {
        package fileprivate(set) var children: [[UInt8]: Node] = [:]
        /// Whether a column reads this key's value.
        package fileprivate(set) var isRead = false
        /// The column that reads the value if it is not an object, although other columns read an object's keys here.
        package fileprivate(set) var variant: Int?
        /// How the value is split into child rows; nil if it is not.
        package fileprivate(set) var child: ChildTable.Kind?
    }

    /// A value that no column reads.
    package struct UnknownValue {
        package let path: [String]
        package let value: JSONValue
        /// Whether columns read an object's keys there, and the value is not an object.
        package let isVariant: Bool
        /// How many keys of the enclosing object lead to columns.
        package let neighbours: Int
    }

    private let root = Node()

    package init(_ layout: TableLayout) {
        for (index, column) in layout.columns.enumerated() { add(column, at: index) }
        for child in layout.children { add(child) }
    }

    package func add(_ child: ChildTable) { node(at: child.path).child = child.kind }

    package func add(_ column: IngestColumn, at index: Int) {
        guard let path = column.path else { return }
        let node = node(at: path)
        if case .variant = column.source { node.variant = index } else { node.isRead = true }
    }

    private func node(at path: [String]) -> Node {
        var node = root
        for key in path {
            let bytes = Array(key.utf8)
            if node.children[bytes] == nil { node.children[bytes] = Node() }
            node = node.children[bytes] ?? node
        }
        return node
    }

    /// Finds the values of a record that no column reads; ignores null.
    ///
    /// - Parameter variants: Called with each value that belongs to a variant column, because the column reader cannot read
    ///   those.
    package func unknownValues(in record: JSONObject, variants: (Int, JSONValue) -> Void) -> [UnknownValue] {
        var unknown: [UnknownValue] = []
        look(into: record, root, [], &unknown, variants)
        return unknown
    }

    /// Whether a value has the form (array or object) whose parts become rows of a child table.
    private static func isSplit(_ value: JSONValue, _ kind: ChildTable.Kind) -> Bool {
        switch kind {
        case .array: value.array != nil
        case .map: value.object != nil
        }
    }

    private func look(
        into object: JSONObject, _ node: Node, _ path: [String], _ unknown: inout [UnknownValue],
        _ variants: (Int, JSONValue) -> Void
    ) {
        for member in object.members where !member.value.isNull {
            let way = path + [member.key]
            guard let child = node.children[Array(member.key.utf8)] else {
                unknown.append(UnknownValue(path: way, value: member.value, isVariant: false, neighbours: node.children.count))
                continue
            }
            if child.isRead || child.child.map({ ReadKeys.isSplit(member.value, $0) }) == true { continue }
            if case .object(let inner) = member.value, !child.children.isEmpty {
                look(into: inner, child, way, &unknown, variants)
            } else if let variant = child.variant {
                variants(variant, member.value)
            } else {
                unknown.append(UnknownValue(path: way, value: member.value, isVariant: true, neighbours: node.children.count))
            }
        }
    }
}
