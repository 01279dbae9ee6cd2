// Entry points for the generated code of classes that may have subclasses. A subclass inherits its superclass's conformance, but
// has a draft of its own.

extension _Contents {
    /// Makes an object from a finished draft, runs its `didRead` hook, and stores it.
    public func complete<Model: JSONModel & AnyObject, Draft>(
        at destination: _Destination, table: PropertyTable,
        _ make: (inout Draft, _BoundProperties) throws(JSONError) -> Model
    ) throws(JSONError) {
        let observed = observed(by: table)
        // Safe: the reader hands over a draft of the type that the table was compiled with.
        let draft = unsafe base.assumingMemoryBound(to: Draft.self)
        defer { unsafe draft.deinitialize(count: 1) }
        let model = try unsafe make(&draft.pointee, bound)
        if !skipsHooks, var hooked = model as? any JSONDidRead {
            try hooked._didRead(JSONReadContext(members: observed, of: table))
        }
        destination.store(model)
    }

    /// Destroys a draft that will not be finished.
    public func destroy<Draft>(_ type: Draft.Type) {
        // Safe: the reader hands over a draft of this type, and either completes or destroys it, once.
        unsafe base.assumingMemoryBound(to: Draft.self).deinitialize(count: 1)
    }
}

extension JSONModel where Self: AnyObject {
    /// Always throws an error of kind `invalidModel`: a class that may have subclasses is made by its class methods, from its own
    /// draft.
    public init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        throw JSONError(.invalidModel, found: "\(Self.self) is not made of a draft")
    }
}

extension JSONWriter {
    /// Writes an object by the table of its own class, and runs its hooks, which a subclass may have declared.
    public mutating func _model<Model: JSONModel & AnyObject>(_ model: Model, _ table: PropertyTable) throws(JSONError) {
        if let form, !form.purpose.isStored { return try self.model(model, table) }
        // A class without a table of its own inherits its superclass's table: its own properties would be lost silently.
        guard table.binding.type == type(of: model) else {
            throw .unmarkedSubclass(type(of: model), of: table.binding.type)
        }
        if let form { return try form.writeReference(to: model, table, &self) }
        guard let variant = table.variant else { return try untaggedModel(model, table) }
        try variant.write(to: &self) { (writer) throws(JSONError) in try writer.untaggedModel(model, table) }
    }

    private mutating func untaggedModel<Model: JSONModel & AnyObject>(
        _ model: Model, _ table: PropertyTable
    ) throws(JSONError) {
        if let hooked = model as? any JSONWillWrite { try hooked._askWillWrite(self) }
        if let hooked = model as? any JSONDidWrite { return try hooked._writeHooked(to: &self) }
        try self.model(model, table)
    }
}
