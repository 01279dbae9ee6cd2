// Copies a model by writing its properties and reading them back, so that nothing is shared.

extension JSONModel {
    /// A copy that shares no object with the original: models inside it are copied too.
    ///
    /// ```swift
    /// let draft = try article.copy()
    /// draft.title = "Untitled"       // article.title is unchanged
    /// ```
    ///
    /// This is for classes. A struct is copied by assigning it, which is free and exact; `copy()` of a struct is useful only if it
    /// contains instances of classes.
    ///
    /// An object of a subclass is copied as an object of that subclass, even if the variable has the type of its superclass.
    ///
    /// All mapped properties are copied. Their policies do not apply: each value is copied through the default JSON form of its type (a
    /// date keeps its microseconds). Hooks do not run. Properties that are never read, which are ignored ones and constants, keep their
    /// initial values. A property that is ignored in writing is copied if the model can write it by its slot, as models made by
    /// `@JSONModel` can.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a number that is not finite, and for an object inside itself; of kind
    ///   `depthLimit` beyond 512 levels; of kind `missingKeys` if a required property could not be written.
    public func copy() throws(JSONError) -> Self {
        let stored = try stored(in: .copy)
        let objects = stored.objects.isEmpty ? nil : StoredObjects(form: .copy, stored.objects)
        return try Self(stored: stored.text, objects, in: .copy)
    }
}
