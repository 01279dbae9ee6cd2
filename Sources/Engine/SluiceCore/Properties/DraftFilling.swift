// A draft that begins with the properties of an object, because the object is updated. Its class may have subclasses, so its properties are
// copied one by one, by their key paths.

extension PropertyTable {
    /// The key paths of all properties that are read; nil if one of them has no key path.
    func readPaths(of model: any _ReadableModel.Type) -> [(slot: Int, path: AnyKeyPath)]? {
        var paths: [(slot: Int, path: AnyKeyPath)] = []
        for (slot, property) in properties.enumerated() where property.direction != .writing && !property.isObserved {
            guard let path = model._jsonKeyPath(slot) else { return nil }
            paths.append((slot, path))
        }
        return paths
    }

    /// Whether the properties of a class's objects can be copied into a draft one by one.
    func canFillDrafts(of model: any _ReadableModel.Type) -> Bool { model is AnyClass && readPaths(of: model) != nil }

    /// Fills a draft with the properties of an object; false, without any change, if one of them has no suitable key path.
    func fill(_ draft: UnsafeMutableRawPointer, from object: AnyObject, of model: any _ReadableModel.Type) -> Bool {
        guard let layout = binding.model, let paths = readPaths(of: model) else { return false }
        let fields = paths.compactMap { $0.path as? any DraftField }
        guard fields.count == paths.count else { return false }
        for ((slot, _), field) in zip(paths, fields) {
            // Safe: the draft's field at its offset is an optional of the property's type.
            let address = unsafe draft + layout.row(ofSlot: slot).offset
            unsafe field.fill(address, from: object, isOptional: properties[slot].presence == .optional)
        }
        return true
    }
}

/// The key path of a property of any type, in a model of any type.
private protocol DraftField {
    /// Stores the property's value in a draft's field, which holds nil.
    ///
    /// - Parameter isOptional: Whether the property's own type is that of the field.
    func fill(_ address: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool)
}

extension KeyPath: DraftField {
    func fill(_ address: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool) {
        guard let model = object as? Root else { return }
        if isOptional {
            // Safe: the draft's field has this type, and is initialised.
            unsafe address.assumingMemoryBound(to: Value.self).pointee = model[keyPath: self]
        } else {
            unsafe address.assumingMemoryBound(to: Value?.self).pointee = model[keyPath: self]
        }
    }
}
