// Which arrays of the records go into tables of their own.

internal import SluiceCore

/// Where the elements of an array go.
public enum ChildStorage: String, Hashable, Sendable, Codable, CaseIterable {
    /// The array is one value of its record: JSON text.
    case json
    /// Each element is a row of a table of its own, which has the key of the record's row, and the element's position.
    case tables
}

/// What happens to a record if an element of one of its arrays cannot be stored.
public enum ChildRejects: String, Hashable, Sendable, Codable, CaseIterable {
    /// The record is rejected, and nothing of it is stored.
    case record
    /// Only the element is rejected.
    case element
}

/// The choice for all arrays, and for those at single paths.
package struct ChildOptions: Sendable, Hashable {
    /// An array, or an object whose members are rows, at a path.
    package struct Choice: Sendable, Hashable {
        /// The keys that lead to it. Array elements on the way have no key.
        package let path: [String]
        package let storage: ChildStorage
    }

    /// Where arrays go that have no choice of their own.
    package var storage = ChildStorage.json
    package var choices: [Choice] = []
    package var rejects = ChildRejects.record
    /// Whether a model says which arrays have tables.
    package var areOfModel = false

    package init() {}

    /// Whether there can be child tables.
    package var hasTables: Bool { areOfModel || storage == .tables || choices.contains { $0.storage == .tables } }

    /// Adds a choice.
    ///
    /// - Parameter text: A path, such as `order.items`; `[*]` after the key of an array may be left out.
    /// - Throws: ``IngestError/usage(_:)``
    package mutating func choose(_ text: String, _ storage: ChildStorage) throws(IngestError) {
        guard let path = try? PathSyntax.keys(of: text.replacing("[*]", with: "")), !path.isEmpty else {
            throw .usage("the path of an array has its keys, joined by points: \(text)")
        }
        choices.append(Choice(path: path, storage: storage))
    }

    /// The choice for a path, or nil.
    package func choice(at path: [String]) -> ChildStorage? {
        choices.last { JSONKeyPath(components: $0.path) == JSONKeyPath(components: path) }?.storage
    }

    /// Whether something inside of the values at a path was chosen to go into a table.
    package func splits(_ path: [String]) -> Bool {
        choices.contains { $0.storage == .tables && $0.path.count > path.count && ColumnName.path($0.path, startsWith: path) }
    }

    /// How the values at a path are split into rows; nil if they are columns.
    package func kind(at path: [String], isArray: Bool, isDictionary: Bool, isObject: Bool) -> ChildTable.Kind? {
        switch choice(at: path) {
        case .json: nil
        case .tables: isObject ? .map : .array
        case nil: storage == .json ? nil : isArray ? .array : isDictionary ? .map : nil
        }
    }

    /// The choice as part of what must not change when a run is resumed.
    package var signature: String {
        guard hasTables, !areOfModel else { return "" }
        return " \(storage) " + choices.map { "\(PathSyntax.text(ofKeys: $0.path))=\($0.storage)" }.joined(separator: " ")
    }
}
