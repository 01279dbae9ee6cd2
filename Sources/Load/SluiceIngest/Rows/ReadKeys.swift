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
        /// The number of the child table that earlier rows have here.
        fileprivate var table: Int?
        /// The column of an earlier run, inside of a value that is read whole.
        fileprivate var covered: Int?
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
        for (number, child) in layout.children.enumerated() { add(child, number) }
    }

    package func add(_ child: ChildTable, _ number: Int) {
        let node = node(at: child.path)
        node.table = number
        if !child.isCovered { node.child = child.kind }
    }

    package func add(_ column: IngestColumn, at index: Int) {
        guard let path = column.path else { return }
        let node = node(at: path)
        switch column.source {
        case .variant: node.variant = index
        case .covered: node.covered = index
        default: node.column = index
        }
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
        /// The numbers of the child tables whose arrays the record leads elsewhere.
        package var emptied: Set<Int> = []

        fileprivate mutating func subtract(_ other: Findings) {
            cleared.subtract(other.cleared)
            emptied.subtract(other.emptied)
        }
    }

    /// Compares a record with the columns.
    ///
    /// - Parameters:
    ///   - isKnown: Whether null at an unknown path counts as a value, because the table has a column for it.
    ///   - isSplit: Whether the table has columns for the keys of the objects at a path. An object without keys is nothing there.
    package func findings(
        in record: JSONObject, isKnown: @escaping ([String]) -> Bool, isSplit: @escaping ([String]) -> Bool
    ) -> Findings {
        var findings = Findings()
        look(into: record, root, [], &findings, TableWords(isKnown: isKnown, isSplit: isSplit))
        return findings
    }

    /// What the table says of unknown paths.
    private struct TableWords {
        let isKnown: ([String]) -> Bool
        let isSplit: ([String]) -> Bool
    }

    /// Whether a value has the form (array or object) whose parts become rows of a child table.
    private static func isSplit(_ value: JSONValue, _ kind: ChildTable.Kind) -> Bool {
        switch kind {
        case .array: value.array != nil
        case .map: value.object != nil
        }
    }

    /// Whether a value is null, or an object with nothing but such values: without a column, nothing of it is lost.
    private static func isNothing(_ value: JSONValue, _ path: [String], _ table: TableWords) -> Bool {
        guard !table.isKnown(path) else { return false }
        guard case .object(let object) = value else { return value.isNull }
        if object.members.isEmpty { return table.isSplit(path) }
        return object.members.allSatisfy { isNothing($0.value, path + [$0.key], table) }
    }

    private func look(
        into object: JSONObject, _ node: Node, _ path: [String], _ findings: inout Findings, _ table: TableWords
    ) {
        // For each key that a column reads: whether its last value was null.
        var seen: [ObjectIdentifier: Bool] = [:]
        for member in object.members {
            let (value, way) = (member.value, path + [member.key])
            guard let child = node.children[Array(member.key.utf8)] else {
                if ReadKeys.isNothing(value, way, table) { continue }
                findings.unknown.append(
                    UnknownValue(path: way, value: value, isVariant: false, neighbours: node.children.count))
                continue
            }
            if let wasNull = seen.updateValue(value.isNull, forKey: ObjectIdentifier(child)) {
                if wasNull, value.isNull { continue }
                // Of members with the same key, the last one counts.
                if !findings.cleared.isEmpty || !findings.emptied.isEmpty {
                    var earlier = Findings()
                    child.clear(&earlier)
                    findings.subtract(earlier)
                }
            }
            if child.isRead {
                if value.object == nil {
                    child.clear(&findings, besides: child.column, value.array)
                } else {
                    child.clearCovered(&findings)
                }
            } else if child.child.map({ ReadKeys.isSplit(value, $0) }) == true {
                child.clear(&findings, besides: nil, value.array, keepsTable: true)
            } else if case .object(let inner) = value, !child.children.isEmpty {
                if let variant = child.variant { findings.cleared.insert(variant) }
                look(into: inner, child, way, &findings, table)
            } else if value.isNull {
                child.clear(&findings)
            } else {
                child.clear(&findings, besides: child.variant, value.array)
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
    /// Adds the columns and tables at and below this key, apart from one.
    ///
    /// - Parameters:
    ///   - other: The column that has read the key's value.
    ///   - elements: The elements of the value. Columns that read one of them, or the keys of one, have read it.
    ///   - keepsTable: Whether the elements are rows of this key's table.
    fileprivate func clear(
        _ findings: inout ReadKeys.Findings, besides other: Int? = nil, _ elements: [JSONValue]? = nil, keepsTable: Bool = false
    ) {
        for column in [column, variant, covered] { if let column, column != other { findings.cleared.insert(column) } }
        if let table, !keepsTable { findings.emptied.insert(table) }
        for (key, child) in children {
            let index = elements == nil ? nil : Int(String(decoding: key, as: UTF8.self))
            guard let index, let elements, elements.indices.contains(index), !elements[index].isNull else {
                child.clear(&findings)
                continue
            }
            let element = elements[index]
            if element.object == nil { child.clear(&findings, besides: child.column, element.array) }
        }
    }

    /// Adds the columns and tables of earlier runs at and below this key, whose value a column has read whole.
    fileprivate func clearCovered(_ findings: inout ReadKeys.Findings) {
        if let covered { findings.cleared.insert(covered) }
        if let table, child == nil { findings.emptied.insert(table) }
        for child in children.values { child.clearCovered(&findings) }
    }
}
