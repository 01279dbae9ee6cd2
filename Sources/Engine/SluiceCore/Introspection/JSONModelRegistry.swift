// Finds models by name at run time: for documents that name their type, and for collections whose element type is not declared.

internal import Synchronization

/// Models by name, for types that are known only at run time.
///
/// ```swift
/// let registry = JSONModelRegistry()
/// registry.register(User.self)                                   // as "User"
/// registry.register(Photo.self, forElementsOf: "gallery")
///
/// let user = try registry.read(named: "User", from: text)                    // any JSONModel
/// let users = try registry.readElements(of: "userList", from: json)          // [.model(User), …]
/// ```
///
/// The elements of a collection have the type that was registered for the collection's name, or else the type that the name
/// implies, as `userList`, `userItems` and `users` imply `User`. If neither type exists, the elements
/// stay raw values.
///
/// A registry may be used from several tasks at a time.
public final class JSONModelRegistry: Sendable {
    /// An element that was read by the name of its collection.
    public enum Element {
        /// A model: an object in a collection for whose name there is a type.
        case model(any JSONModel)
        /// The JSON value, for every other element.
        case raw(JSONValue)

        /// The model; nil for a raw value.
        package var model: (any JSONModel)? { if case .model(let model) = self { model } else { nil } }

        /// The model as the given type; nil for a raw value, and for a model of another type.
        package func model<Model: JSONModel>(as type: Model.Type) -> Model? {
            if case .model(let model) = self { model as? Model } else { nil }
        }

        /// The JSON value; nil for a model.
        package var value: JSONValue? { if case .raw(let value) = self { value } else { nil } }
    }

    /// A registry for the whole process.
    public static let shared = JSONModelRegistry()

    private struct Entries {
        var types: [String: any JSONModel.Type] = [:]
        var elementTypes: [String: any JSONModel.Type] = [:]
    }

    private let entries = Mutex(Entries())

    /// An empty registry.
    public init() {}

    /// Registers a model under a name, by default the type's own name, such as `User`. It replaces a model registered under that name.
    public func register(_ type: any JSONModel.Type, as name: String? = nil) {
        entries.withLock { $0.types[name ?? String(describing: type)] = type }
    }

    /// Registers the model for the elements of a collection. It takes precedence over the model that the collection's name implies.
    public func register(_ type: any JSONModel.Type, forElementsOf collection: String) {
        entries.withLock { $0.elementTypes[collection] = type }
    }

    /// The model with a name; nil if none is registered.
    package func type(named name: String) -> (any JSONModel.Type)? { entries.withLock { $0.types[name] } }

    /// The model of the elements of a collection: the registered one, or the one that the collection's name implies.
    package func elementType(of collection: String) -> (any JSONModel.Type)? {
        entries.withLock { entries in
            entries.elementTypes[collection]
                ?? JSONElementName.typeName(for: collection).flatMap { entries.types[$0] }
        }
    }

    /// Reads a model by its name.
    ///
    /// - Throws: ``JSONError``; of kind `invalidModel` if no model of that name is registered.
    public func read(
        named name: String, from json: String, options: JSONReader.Options = .init()
    ) throws(JSONError) -> any JSONModel {
        guard let type = type(named: name) else {
            throw JSONError(.invalidModel, expected: "the name of a registered model", found: "'\(name)'")
        }
        return try Self.read(type, from: json, options)
    }

    /// Reads a JSON array by the name of the property or key that it belongs to.
    ///
    /// If there is a type for the name, each object is read as a model of that type. All other elements stay raw values.
    ///
    /// - Throws: ``JSONError``; for an object that does not fit its model, the position counts from the start of that object.
    public func readElements(
        of collection: String, from json: String, options: JSONReader.Options = .init()
    ) throws(JSONError) -> [Element] {
        guard let type = elementType(of: collection) else {
            return try [JSONValue](json: json, options: options).map { .raw($0) }
        }
        let texts = try [RawJSON](json: json, options: options)
        var elements: [Element] = []
        elements.reserveCapacity(texts.count)
        for (index, raw) in texts.enumerated() {
            do throws(JSONError) {
                let isObject = raw.text.utf8.first == UInt8(ascii: "{")
                elements.append(
                    isObject
                        ? .model(try Self.read(type, from: raw.text, options))
                        : .raw(try JSONValue(json: raw.text, options: options)))
            } catch {
                throw error.prefixed(by: "[\(index)]")
            }
        }
        return elements
    }

    private static func read<Model: JSONModel>(
        _ type: Model.Type, from json: String, _ options: JSONReader.Options
    ) throws(JSONError) -> any JSONModel {
        try Model(json: json, options: options)
    }
}
