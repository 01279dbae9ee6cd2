// Compares two models property by property, by the text that each property writes.

/// A model for which `==` and hashing are based on all its mapped properties.
///
/// ```swift
/// final class Session: JSONModel { … }
/// extension Session: JSONHashableModel {}
///
/// let isSame = old == new
/// ```
///
/// It is meant for classes, for which Swift synthesises nothing. For a struct, `Hashable` alone is usually better: Swift's own `==`
/// compares the values themselves and costs next to nothing, while this one writes the properties of both sides as text until one
/// differs.
///
/// - Properties that are ignored in both directions are not compared. A property that is ignored in writing is compared if the model can
///   write it by its slot, as models made by `@JSONModel` can.
/// - Values are equal if their types write the same text: the doubles `1.0` and `1.00` are equal, 0 and -0 are not, and a NaN
///   equals itself. The order of sets and dictionaries does not matter.
/// - Nested models are compared in the same way, not by their own `==`, and must be of the same class.
/// - An object inside itself is compared up to the position where it occurs again. A model that is nested deeper than 512 levels
///   is equal only to the same object.
public protocol JSONHashableModel: JSONModel, Hashable {}

extension JSONHashableModel {
    /// Whether both are of one type and all their mapped properties are equal.
    public static func == (left: Self, right: Self) -> Bool {
        if let identity = ModelRendering.identity(of: left), identity == ModelRendering.identity(of: right) { return true }
        guard type(of: left) == type(of: right) else { return false }
        var comparison = ModelComparison(of: type(of: left)._jsonTable)
        return comparison.areEqual(left, right)
    }

    /// Hashes all mapped properties.
    public func hash(into hasher: inout Hasher) {
        var comparison = ModelComparison(of: type(of: self)._jsonTable)
        comparison.hash(self, into: &hasher)
    }
}

/// Compares two models, with one writer for each side.
struct ModelComparison: ~Copyable {
    private let table: PropertyTable
    private var left = JSONWriter(options: .sortedKeys)
    private var right = JSONWriter(options: .sortedKeys)

    init(of table: PropertyTable) {
        self.table = table
        left.form = ModelRendering(.comparison)
        right.form = ModelRendering(.comparison)
    }

    mutating func areEqual<Model: JSONModel>(_ first: Model, _ second: Model) -> Bool {
        for slot in table.properties.indices {
            guard isEqual(slot, first, second) else { return false }
        }
        return true
    }

    /// Whether both models write the same text for a property.
    mutating func isEqual<Model: JSONModel>(_ slot: Int, _ first: Model, _ second: Model) -> Bool {
        guard Self.write(slot, of: first, table, to: &left), Self.write(slot, of: second, table, to: &right) else { return false }
        // Safe: neither writer is touched while the bytes of both are compared.
        return unsafe left.withBytes { one in unsafe right.withBytes { two in unsafe one.elementsEqual(two) } }
    }

    mutating func hash<Model: JSONModel>(_ model: Model, into hasher: inout Hasher) {
        for slot in table.properties.indices {
            guard Self.write(slot, of: model, table, to: &left) else { continue }
            // Safe: the writer does not change while its bytes are hashed.
            unsafe left.withBytes { unsafe hasher.combine(bytes: $0) }
        }
    }

    /// Writes a single property; returns false if it is nested too deep.
    private static func write<Model: JSONModel>(
        _ slot: Int, of model: Model, _ table: PropertyTable, to writer: inout JSONWriter
    ) -> Bool {
        writer.removeAll()
        do throws(JSONError) {
            try writer.form?.write(slot, of: model, table, to: &writer)
            return true
        } catch {
            return false
        }
    }
}
