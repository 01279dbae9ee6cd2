// An object of a class that is updated stays the same object. What the document brings goes into a new object first, as for any other
// model; the old one takes its values over when the whole document has been read. So an error leaves every object what it was.

/// Objects that take values over when an update has succeeded.
final class ObjectUpdates {
    private struct Step {
        /// The frames around the object: what is given up there takes the step with it.
        var level: Int
        let adopt: () -> Void
    }

    private var steps: [Step] = []
    /// The frames around the object that is being completed.
    var level = 0

    /// Adds an object; those inside it stand and fall with it.
    func add(_ adopt: @escaping () -> Void) {
        for index in steps.indices where steps[index].level > level { steps[index].level = level }
        steps.append(Step(level: level, adopt: adopt))
    }

    /// Forgets the objects inside frames that are given up.
    func unwind(to level: Int) { steps.removeAll { $0.level > level } }

    /// Lets all objects take their values over, inner ones first.
    func adopt() {
        for step in steps { step.adopt() }
        steps = []
    }
}

extension PropertyTable {
    /// The key paths of all properties that are read; nil if the model has none for one of them.
    fileprivate func readPaths(of model: any JSONModel.Type) -> [(slot: Int, path: AnyKeyPath)]? {
        var paths: [(slot: Int, path: AnyKeyPath)] = []
        for (slot, property) in properties.enumerated() where property.direction != .writing && !property.isObserved {
            guard let path = model._jsonKeyPath(slot) else { return nil }
            paths.append((slot, path))
        }
        return paths
    }

    /// Whether objects of a class can be read into drafts, property by property.
    func canFillDrafts(of model: any JSONModel.Type) -> Bool { model is AnyClass && readPaths(of: model) != nil }

    /// Fills a draft with what an object has; false, and nothing done, if a property cannot be reached.
    func fill(_ draft: UnsafeMutableRawPointer, from object: AnyObject, of model: any JSONModel.Type) -> Bool {
        guard let layout = binding.model, let paths = readPaths(of: model) else { return false }
        let fields = paths.compactMap { $0.path as? any DraftField }
        guard fields.count == paths.count else { return false }
        for ((slot, _), field) in zip(paths, fields) {
            // Safe: there is a first row for each slot, and the draft's field at its offset is of the property's type, as an optional.
            let place = unsafe draft + layout.firstRows[slot].offset
            unsafe field.fill(place, from: object, isOptional: properties[slot].presence == .optional)
        }
        return true
    }

    /// What makes an old object take over the properties of a new one; nil if one of them cannot change.
    func adoption(of new: AnyObject, by old: AnyObject, _ model: any JSONModel.Type) -> (() -> Void)? {
        guard let paths = readPaths(of: model) else { return nil }
        let fields = paths.compactMap { $0.path as? any ObjectField }
        guard fields.count == paths.count else { return nil }
        return { for field in fields { field.move(from: new, to: old) } }
    }
}

/// The key path of a property, whatever the types of the model and the property.
private protocol DraftField {
    /// Stores the property's value in a draft's field, which holds a nil.
    ///
    /// - Parameter isOptional: Whether the property's type is that of the field.
    func fill(_ place: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool)
}

extension KeyPath: DraftField {
    func fill(_ place: UnsafeMutableRawPointer, from object: AnyObject, isOptional: Bool) {
        guard let model = object as? Root else { return }
        if isOptional {
            // Safe: the draft's field is of this very type, and initialised.
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
