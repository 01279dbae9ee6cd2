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

    package init(_ columns: [IngestColumn]) { for (index, column) in columns.enumerated() { add(column, at: index) } }

    package func add(_ column: IngestColumn, at index: Int) {
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
    package func unknownValues(in record: JSONObject, variants: (Int, JSONValue) -> Void) -> [UnknownValue] {
        var unknown: [UnknownValue] = []
        look(into: record, root, [], &unknown, variants)
        return unknown
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
            if child.isRead { continue }
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
