// What the records have in common, as a tree of shapes: the record's, those of its members, and that of an array's elements.

package import SluiceCore

/// The observed values of one kind of position in the records: at the top, under a key, or in an array.
package struct RecordShape {
    package typealias Kinds = RecordShapes.Kinds

    private let shapes: RecordShapes
    private let number: Int
    /// The shapes of sensitive values and of their elements. Reports do not show the keys inside them.
    private var sensitive: Set<Int> = []

    package init(_ shapes: RecordShapes) { self.init(shapes, at: RecordShapes.root) }

    /// - Parameter paths: The paths of sensitive values.
    package init(_ shapes: RecordShapes, hiding paths: SensitivePaths) {
        self.init(shapes)
        var numbers: Set<Int> = []
        for keys in paths.keys {
            var shape = shape(at: keys[...])
            while let number = shape?.number {
                numbers.insert(number)
                shape = shape?.element
            }
        }
        sensitive = numbers
    }

    private init(_ shapes: RecordShapes, at number: Int, sensitive: Set<Int> = []) {
        self.shapes = shapes
        self.number = number
        self.sensitive = sensitive
    }

    /// The kinds of the observed values, except null. A number beyond the doubles is real, and wide.
    var kinds: Kinds {
        let kinds = shapes.kinds(of: number)
        return kinds.contains(.infinite) ? kinds.subtracting(.infinite).union([.real, .wide]) : kinds
    }

    var hasNull: Bool { shapes.hasNull(number) }

    /// What the values stand for under a key; nil if that is unknown, or if they are sensitive.
    func meaning(under key: String) -> ValueForms.Meaning? { isSensitive ? nil : shapes.meaning(of: number, under: key) }

    /// The keys of the objects in order of first appearance, with the shapes of their values.
    var members: [(key: String, shape: RecordShape)] {
        if isSensitive { return [] }
        return shapes.members(of: number).map { (shapes.key(of: $0), RecordShape(shapes, at: $0, sensitive: sensitive)) }
    }

    /// The shape of the arrays' elements; nil if there was no element.
    var element: RecordShape? { shapes.elements(of: number).map { RecordShape(shapes, at: $0, sensitive: sensitive) } }

    /// Whether the values are sensitive.
    var isSensitive: Bool { sensitive.contains(number) }

    /// Whether every object had this member.
    func isAlwaysThere(_ member: RecordShape) -> Bool { member.shapes.isAlwaysThere(member.number) }

    /// An object with more keys than this may be a dictionary.
    static let dictionaryThreshold = 200

    /// Whether the keys are data rather than names of properties: there are very many, and nearly all have values of the same
    /// kinds.
    var isDictionary: Bool {
        let members = members
        guard members.count > RecordShape.dictionaryThreshold else { return false }
        var counts: [Kinds: Int] = [:]
        for member in members where !member.shape.kinds.isEmpty { counts[member.shape.kinds, default: 0] += 1 }
        let total = counts.values.reduce(0, +)
        return total == 0 || (counts.values.max() ?? 0) * 5 >= total * 4
    }

    /// The merged shape of all members of a dictionary.
    var memberShape: RecordShape { RecordShape(shapes.merged(membersOf: number, closed: sensitive)) }
}
