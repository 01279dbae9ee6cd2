// What the records of an input have lost on the way into a table, though they were stored. A checkpoint keeps the numbers, so that a later
// run which finds nothing to do does not say that everything is there.

package import SluiceCore

/// How much of the stored records of an input is missing or changed in the table.
package struct StoredLosses: Hashable, Sendable, Codable {
    /// Values of keys without a column.
    package var leftOut = 0
    /// Values of columns that the database computes itself, or whose names it cannot hold.
    package var generated = 0
    /// Values that the database has changed to fit their columns.
    package var changed = 0
    /// Elements of arrays that were rejected, while their records were stored.
    package var elements = 0

    package init(leftOut: Int = 0, generated: Int = 0, changed: Int = 0, elements: Int = 0) {
        (self.leftOut, self.generated, self.changed, self.elements) = (leftOut, generated, changed, elements)
    }

    package var isEmpty: Bool { self == StoredLosses() }

    package static func += (left: inout StoredLosses, right: StoredLosses) {
        left.leftOut += right.leftOut
        left.generated += right.generated
        left.changed += right.changed
        left.elements += right.elements
    }

    /// Sentences for the report of a later run.
    package var notes: [String] {
        var parts: [String] = []
        if leftOut > 0 { parts.append("\(counted(leftOut, "value")) of keys without a column left out") }
        if generated > 0 { parts.append("\(counted(generated, "value")) of columns that the table does not take left out") }
        if changed > 0 { parts.append("\(counted(changed, "value")) changed to fit a column's type") }
        if elements > 0 { parts.append("\(counted(elements, "element")) of arrays rejected") }
        return parts.map { "\($0) by earlier runs" }
    }
}

// MARK: As JSON

extension StoredLosses {
    package var json: JSONValue {
        [
            "left_out": .number(JSONNumber(leftOut)), "generated": .number(JSONNumber(generated)),
            "changed": .number(JSONNumber(changed)),
            "elements": .number(JSONNumber(elements)),
        ]
    }

    /// - Parameter json: Null in a checkpoint of an earlier version, which did not count losses.
    package init(json: JSONValue?) {
        self.init(
            leftOut: json?["left_out"]?.int ?? 0, generated: json?["generated"]?.int ?? 0, changed: json?["changed"]?.int ?? 0,
            elements: json?["elements"]?.int ?? 0)
    }
}
