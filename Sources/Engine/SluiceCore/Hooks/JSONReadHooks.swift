// Hooks that a model may run before and after it is read. A model without hooks pays nothing for them.

/// A model that inspects its JSON object before it is read, and may change or refuse it.
///
/// The object is captured and read twice, which is slow; prefer ``JSONDidRead`` where that is enough.
///
/// ```swift
/// extension Message: JSONWillRead {
///     static func willRead(_ object: inout JSONObject) -> Bool {
///         if object["time"] == nil { object["time"] = object["date"] }
///         return object["time"] != nil
///     }
/// }
/// ```
public protocol JSONWillRead: JSONModel {
    /// Inspects the object before it is read, and may change it.
    ///
    /// - Returns: Whether the object is read. False refuses it: an element is left out, a property is treated as if its key were
    ///   absent (both are counted in the ``JSONReadReport``), and at the top level reading fails with an error of kind `rejected`.
    /// - Throws: Any error that makes the object invalid. It is reported as one of kind `invalidValue`; a ``JSONError`` is passed
    ///   on as it is.
    static func willRead(_ object: inout JSONObject) throws -> Bool
}

/// A model that completes, checks or refuses itself after it has been read.
///
/// ```swift
/// extension Score: JSONDidRead {
///     mutating func didRead(_ context: JSONReadContext) -> Bool { points <= 50 }
/// }
/// ```
public protocol JSONDidRead: JSONModel {
    /// Completes or checks the model, which has all its properties.
    ///
    /// - Returns: Whether the model is kept. False refuses it: an element is left out, a property is treated as if its key were
    ///   absent (both are counted in the ``JSONReadReport``), and at the top level reading fails with an error of kind `rejected`.
    /// - Throws: Any error that makes the model invalid. It is reported as one of kind `invalidValue`; a ``JSONError`` is passed on
    ///   as it is.
    mutating func didRead(_ context: JSONReadContext) throws -> Bool
}

/// A model's view of its JSON object in ``JSONDidRead/didRead(_:)``: the values of the keys that the model observes, whether or not
/// a property binds them.
public struct JSONReadContext {
    /// Remembers a key that the model asked for but does not observe.
    final class Mistake {
        var key: String?
    }

    private let members: [(key: String, value: JSONValue)]
    private let table: PropertyTable
    let mistake = Mistake()

    init(members: [(key: String, value: JSONValue)], of table: PropertyTable) {
        self.members = members
        self.table = table
    }

    /// The value of a key of `@JSONModel(observe:)`; nil if it is absent.
    ///
    /// A key that is not observed has no value here, whatever the object holds. Asking for one is a mistake in the model: reading
    /// then fails with an error of kind `invalidModel`, whatever the hook returns.
    public func value(_ key: String) -> JSONValue? {
        if let member = members.first(where: { $0.key == key }) { return member.value }
        if !table.properties.contains(where: { $0.isObserved && $0.name == key }) { mistake.key = key }
        return nil
    }
}

extension JSONModel where Self: JSONDidRead {
    public static var _hasReadHook: Bool { true }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let context = JSONReadContext(members: contents.observed(by: _jsonTable), of: _jsonTable)
        // Safe: the reader hands over a draft of this very type, initialised from the table's template.
        let draft = unsafe contents.base.assumingMemoryBound(to: JSONDraft.self)
        defer { unsafe draft.deinitialize(count: 1) }
        var model = unsafe try Self(_jsonDraft: &draft.pointee, bound: contents.bound)
        if !contents.skipsHooks { try model._didRead(context) }
        destination.store(model)
    }

    public static func _finish(_ contents: _Contents, at destination: _Destination, isThere: Bool) throws(JSONError) {
        // Safe: the reader hands over a model of this very type, all of whose properties have been stored.
        let model = unsafe contents.base.assumingMemoryBound(to: Self.self)
        if !contents.skipsHooks {
            do throws(JSONError) {
                try unsafe model.pointee._didRead(JSONReadContext(members: [], of: _jsonTable))
            } catch {
                unsafe model.deinitialize(count: 1)
                throw error
            }
        }
        if !isThere { unsafe destination.store(model.move()) }
    }
}

extension JSONDidRead {
    /// Runs the hook; a refusal or a thrown error becomes a ``JSONError``.
    mutating func _didRead(_ context: JSONReadContext) throws(JSONError) {
        let answer = Result { () throws(JSONError) in
            try JSONError.ask("didRead", of: Self.self, elseThrow: .invalidValue) { try didRead(context) }
        }
        if let key = context.mistake.key {
            throw JSONError(
                .invalidModel,
                found: "'didRead' of \(Self.self) asks for the key '\(key)', which is not among those of 'observe:'")
        }
        try answer.get()
    }
}

extension JSONWillRead {
    public static var _isCaptured: Bool { true }

    /// Reads a captured object after the hook has seen it.
    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        var object = try captured.object()
        try JSONError.ask("willRead", of: Self.self, elseThrow: .invalidValue) { try willRead(&object) }
        let text = try JSONValue.object(object).jsonBytes()
        let old = captured.updatesAddress ? destination.load(Self.self) : nil
        guard let model = captured.read(Self.self, variant: 0, instead: text, updating: old) else { return .unbound }
        destination.store(model)
        return .bound
    }
}

extension _Contents {
    /// The values of the keys that a model observes, taken from its draft.
    func observed(by table: PropertyTable) -> [(key: String, value: JSONValue)] {
        guard table.isObserving, let layout = table.binding.model else { return [] }
        var members: [(key: String, value: JSONValue)] = []
        for (slot, property) in table.properties.enumerated() where property.isObserved {
            // Safe: the field of an observed key is a `JSONValue?`.
            let address = unsafe contents(at: layout.row(ofSlot: slot).offset).assumingMemoryBound(to: JSONValue?.self)
            if let value = unsafe address.pointee { members.append((key: property.name, value: value)) }
        }
        return members
    }

    private func contents(at offset: Int) -> UnsafeMutableRawPointer { unsafe base + offset }
}
