// Updating an object of a class keeps the object. The document is read into a new object first, as for any other model; the old object
// takes the values over when the whole document has been read. So an error leaves every object unchanged.

/// The objects that take values over when an update has succeeded.
final class ObjectUpdates {
    private struct Step {
        /// The count of frames around the object. If one of these frames is abandoned, so is the step.
        var level: Int
        let adopt: () -> Void
    }

    private var steps: [Step] = []
    /// The count of frames around the object that is being completed.
    var level = 0

    /// Adds an object. Steps of objects inside it get its level, so that they are kept or abandoned together with it.
    func add(_ adopt: @escaping () -> Void) {
        for index in steps.indices where steps[index].level > level { steps[index].level = level }
        steps.append(Step(level: level, adopt: adopt))
    }

    /// Removes the steps of objects in frames that are abandoned.
    func unwind(to level: Int) { steps.removeAll { $0.level > level } }

    /// Lets all objects take their new values over, inner objects first.
    func adopt() {
        for step in steps { step.adopt() }
        steps = []
    }
}

extension PropertyTable {
    /// The key paths of all properties that are read; nil if one of them has no key path.
    fileprivate func readPaths(of model: any JSONModel.Type) -> [(slot: Int, path: AnyKeyPath)]? {
        var paths: [(slot: Int, path: AnyKeyPath)] = []
        for (slot, property) in properties.enumerated() where property.direction != .writing && !property.isObserved {
            guard let path = model._jsonKeyPath(slot) else { return nil }
            paths.append((slot, path))
        }
        return paths
    }

    /// Whether the properties of a class's objects can be copied into a draft one by one.
    func canFillDrafts(of model: any JSONModel.Type) -> Bool { model is AnyClass && readPaths(of: model) != nil }

    /// Fills a draft with the properties of an object; false, without any change, if one of them has no suitable key path.
    func fill(_ draft: UnsafeMutableRawPointer, from object: AnyObject, of model: any JSONModel.Type) -> Bool {
        guard let layout = binding.model, let paths = readPaths(of: model) else { return false }
        let fields = paths.compactMap { $0.path as? any DraftField }
        guard fields.count == paths.count else { return false }
        for ((slot, _), field) in zip(paths, fields) {
            // Safe: each slot has a first row, and the draft's field at its offset is an optional of the property's type.
            let place = unsafe draft + layout.firstRows[slot].offset
            unsafe field.fill(place, from: object, isOptional: properties[slot].presence == .optional)
        }
        return true
    }

    /// A function by which the old object takes the properties of the new one over; nil if one of them cannot be set.
    func adoption(of new: AnyObject, by old: AnyObject, _ model: any JSONModel.Type) -> (() -> Void)? {
        guard let paths = readPaths(of: model) else { return nil }
        let fields = paths.compactMap { $0.path as? any ObjectField }
        guard fields.count == paths.count else { return nil }
        return { for field in fields { field.move(from: new, to: old) } }
    }
}

/// The key path of a property of any type, in a model of any type.
private protocol DraftField {
    /// Stores the property's value in a draft's field, which holds nil.
    ///
    /// - Parameter isOptional: Whether the property's own type is that of the field.
    func fill(_ place: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool)
}

extension KeyPath: DraftField {
    func fill(_ place: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool) {
        guard let model = object as? Root else { return }
        if isOptional {
            // Safe: the draft's field has this type, and is initialised.
            unsafe place.assumingMemoryBound(to: Value.self).pointee = model[keyPath: self]
        } else {
            unsafe place.assumingMemoryBound(to: Value?.self).pointee = model[keyPath: self]
        }
    }
}

/// The key path of a property of a class that can be set.
private protocol ObjectField {
    func move(from new: AnyObject, to old: AnyObject)
}

extension ReferenceWritableKeyPath: ObjectField {
    func move(from new: AnyObject, to old: AnyObject) {
        guard let new = new as? Root, let old = old as? Root else { return }
        old[keyPath: self] = new[keyPath: self]
    }
}
