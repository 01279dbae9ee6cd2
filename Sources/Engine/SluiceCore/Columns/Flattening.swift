// How far the objects of records become columns.

/// How far the keys of objects become columns of their own. What is not flattened goes into one column of JSON.
package struct Flattening: Sendable, Hashable {
    /// How many levels of keys become columns: with 1, only the keys of the records themselves.
    package var depth: Int
    /// An object with more keys than this, whose values are of one kind, is a dictionary.
    package var mapThreshold: Int
    /// The paths of values that are not flattened, whatever they are.
    package var whole: [[String]]

    /// The paths of values inside of objects that are flattened, whatever other records have in their places: those of the key.
    package var split: [[String]] = []

    /// How many levels of objects are flattened unless an option says otherwise, and the most that an option can ask for.
    package static let maximumDepth = 8

    package init(depth: Int = maximumDepth, mapThreshold: Int = 200, whole: [[String]] = []) {
        (self.depth, self.mapThreshold, self.whole) = (depth, mapThreshold, whole)
    }

    /// Whether an option asks for it: a dictionary is found without one.
    package var isChosen: Bool { depth != Flattening.maximumDepth || !whole.isEmpty }

    /// Whether the value at a path is not flattened.
    package func keepsWhole(_ path: [String]) -> Bool { whole.contains { Flattening.areEqual($0[...], path[...]) } }

    /// Whether an object at a path is flattened in any case.
    func splits(_ path: [String]) -> Bool {
        split.contains { $0.count > path.count && Flattening.areEqual($0[..<path.count], path[...]) }
    }

    /// The same for the elements of the arrays at a path.
    package func below(_ home: [String]) -> Flattening {
        guard !home.isEmpty, !whole.isEmpty else { return self }
        let inside = whole.filter { $0.count > home.count && Flattening.areEqual($0[..<home.count], home[...]) }
        return Flattening(depth: depth, mapThreshold: mapThreshold, whole: inside.map { Array($0[home.count...]) })
    }

    /// Keys are the same only if their bytes are.
    private static func areEqual(_ left: ArraySlice<String>, _ right: ArraySlice<String>) -> Bool {
        left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The choice as text, for the options that must not change when a run is resumed; empty without one.
    package var signature: String { isChosen ? " \(depth) \(whole)" : "" }
}
