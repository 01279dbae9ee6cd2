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
        /// The column that reads this key's value.
        package fileprivate(set) var column: Int?
        package var isRead: Bool { column != nil }
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
        if case .variant = column.source { node.variant = index } else { node.column = index }
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

    /// What a record has besides the values that the column reader has read.
    package struct Findings {
        /// The values that no column reads.
        package var unknown: [UnknownValue] = []
        /// The values of variant columns, which the column reader cannot read.
        package var variants: [(column: Int, value: JSONValue)] = []
        /// The columns whose paths the record leads elsewhere. `{"a":null}` and `{"a":5}` leave nothing of an earlier
        /// `{"a":{"b":1}}`, and neither does `{"a":{"b":1}}` of an earlier `{"a":5}`.
        package var cleared: Set<Int> = []
    }

    /// Compares a record with the columns.
    ///
    /// - Parameter isKnown: Whether null at an unknown path counts as a value, because the table has a column for it.
    package func findings(in record: JSONObject, isKnown: ([String]) -> Bool) -> Findings {
        var findings = Findings()
        look(into: record, root, [], &findings, isKnown)
        return findings
    }

    /// Whether a value has the form (array or object) whose parts become rows of a child table.
    private static func isSplit(_ value: JSONValue, _ kind: ChildTable.Kind) -> Bool {
        switch kind {
        case .array: value.array != nil
        case .map: value.object != nil
        }
    }

    private func look(
        into object: JSONObject, _ node: Node, _ path: [String], _ findings: inout Findings, _ isKnown: ([String]) -> Bool
    ) {
        // For each key that a column reads: whether its last value was null.
        var seen: [ObjectIdentifier: Bool] = [:]
        for member in object.members {
            let (value, way) = (member.value, path + [member.key])
            guard let child = node.children[Array(member.key.utf8)] else {
                if value.isNull, !isKnown(way) { continue }
                findings.unknown.append(
                    UnknownValue(path: way, value: value, isVariant: false, neighbours: node.children.count))
                continue
            }
            if let wasNull = seen.updateValue(value.isNull, forKey: ObjectIdentifier(child)) {
                if wasNull, value.isNull { continue }
                // Of members with the same key, the last one counts.
                if !findings.cleared.isEmpty {
                    var columns: Set<Int> = []
                    child.clear(&columns)
                    findings.cleared.subtract(columns)
                }
            }
            if child.isRead {
                if value.object == nil { child.clear(&findings.cleared, besides: child.column, value.array) }
            } else if child.child.map({ ReadKeys.isSplit(value, $0) }) == true {
                child.clear(&findings.cleared, besides: nil, value.array)
            } else if case .object(let inner) = value, !child.children.isEmpty {
                if let variant = child.variant { findings.cleared.insert(variant) }
                look(into: inner, child, way, &findings, isKnown)
            } else if value.isNull {
                child.clear(&findings.cleared)
            } else {
                child.clear(&findings.cleared, besides: child.variant, value.array)
                if let variant = child.variant {
                    findings.variants.append((variant, value))
                } else {
                    findings.unknown.append(
                        UnknownValue(path: way, value: value, isVariant: true, neighbours: node.children.count))
                }
            }
        }
    }
}

extension ReadKeys.Node {
    /// Adds the columns at and below this key, apart from one.
    ///
    /// - Parameters:
    ///   - other: The column that has read the key's value.
    ///   - elements: The elements of the value. Columns that read one of them, or the keys of one, have read it.
    fileprivate func clear(_ columns: inout Set<Int>, besides other: Int? = nil, _ elements: [JSONValue]? = nil) {
        for column in [column, variant] { if let column, column != other { columns.insert(column) } }
        for (key, child) in children {
            let index = elements == nil ? nil : Int(String(decoding: key, as: UTF8.self))
            guard let index, let elements, elements.indices.contains(index), !elements[index].isNull else {
                child.clear(&columns)
                continue
            }
            let element = elements[index]
            if element.object == nil { child.clear(&columns, besides: child.column, element.array) }
        }
    }
}
