// A new object of the same properties: written out and read back, so that nothing is shared.

extension JSONModel {
    /// A copy that shares no object with the original: models inside it are copied too.
    ///
    /// ```swift
    /// let draft = try article.copy()
    /// draft.title = "Untitled"       // article.title is what it was
    /// ```
    ///
    /// This is for classes. A struct is copied by assigning it, which is free and exact; `copy()` of a struct is of use only where
    /// instances of classes are inside it.
    ///
    /// An object of a subclass is copied as what it is, wherever a variable of its superclass holds it.
    ///
    /// All mapped properties are copied, whatever their policies, each through the JSON form that its type has by default (a date
    /// keeps its microseconds). Hooks are not asked. Properties that are never read keep their initial values: those that are
    /// ignored, and constants. A property that is ignored in writing is copied if the model writes it when asked for its slot,
    /// as those made by `@JSONModel` do.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a number that is not finite, and for an object that holds itself; of kind
    ///   `depthLimit` beyond 512 levels; of kind `missingKeys` if a required property could not be written.
    public func copy() throws(JSONError) -> Self {
        let stored = try stored(in: .copy)
        let objects = stored.objects.isEmpty ? nil : StoredObjects(form: .copy, stored.objects)
        return try Self(stored: stored.text, objects, in: .copy)
    }
}
