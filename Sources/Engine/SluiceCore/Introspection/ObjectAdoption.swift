// An object that is updated, and the new object that was read in its place: here is decided which properties the old one takes over.

extension PropertyTable {
    /// A function by which the old object takes properties of the new one over: those that the document has, and those that a hook has
    /// changed. Nil if the model has no key paths.
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` if the document has another value for a constant; its path is the property's key.
    func adoption(
        of new: AnyObject, by old: AnyObject, _ model: any JSONModel.Type, _ assigned: Set<Int>
    ) throws(JSONError) -> (() -> Void)? {
        guard let paths = readPaths(of: model) else { return nil }
        let isHooked = new is any JSONDidRead
        var fields: [any ObjectField] = []
        for (slot, path) in paths {
            let isAssigned = assigned.contains(slot)
            if let field = path as? any ObjectField {
                // An object that stays is not assigned again: its own update may set the same property of the same object.
                guard isAssigned || isHooked, !field.holdsSameObject(old, new) else { continue }
                if isAssigned || !isSame(slot, path, old, new) { fields.append(field) }
            } else if isAssigned, !isSame(slot, path, old, new) {
                throw conflict(at: slot, path, old, new)
            }
        }
        return { for field in fields { field.move(from: new, to: old) } }
    }

    private func conflict(at slot: Int, _ path: AnyKeyPath, _ old: AnyObject, _ new: AnyObject) -> JSONError {
        let property = properties[slot]
        func words(_ object: AnyObject) -> String? {
            guard !property.policy.isSensitive else { return nil }
            return switch (object as Any)[keyPath: path] {
            case let text as String: "\"\(text.prefix(40))\""
            case let number as any FixedWidthInteger: "\(number)"
            default: nil
            }
        }
        let expected = words(old).map { "\($0), because" } ?? "the value that it has, because"
        return JSONError(
            .invalidValue, path: property.keys.first?.text ?? property.name,
            expected: "\(expected) '\(property.name)' is a constant of the object that is updated",
            found: words(new) ?? "another value")
    }

    /// Whether both objects have the same value.
    private func isSame(_ slot: Int, _ path: AnyKeyPath, _ old: AnyObject, _ new: AnyObject) -> Bool {
        let values = ((old as Any)[keyPath: path] as Any, (new as Any)[keyPath: path] as Any)
        if let value = values.0 as? any Equatable, isEqual(value, values.1) { return true }
        guard let old = old as? any JSONModel else { return false }
        return hasSameText(slot, old, new)
    }

    private func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { (other as? Value) == value }

    private func hasSameText<Model: JSONModel>(_ slot: Int, _ old: Model, _ new: AnyObject) -> Bool {
        guard let new = new as? Model else { return false }
        var comparison = ModelComparison(of: self)
        return comparison.isEqual(slot, old, new)
    }
}

/// The key path of a property of a class that can be set.
private protocol ObjectField {
    func move(from new: AnyObject, to old: AnyObject)
    /// Whether the property of both is one and the same object.
    func holdsSameObject(_ old: AnyObject, _ new: AnyObject) -> Bool
}

extension ReferenceWritableKeyPath: ObjectField {
    func move(from new: AnyObject, to old: AnyObject) {
        guard let new = new as? Root, let old = old as? Root else { return }
        old[keyPath: self] = new[keyPath: self]
    }

    func holdsSameObject(_ old: AnyObject, _ new: AnyObject) -> Bool {
        guard let old = old as? Root, let new = new as? Root,
            let object = new[keyPath: self] as? any JSONModel & AnyObject
        else { return false }
        return object === old[keyPath: self] as? any JSONModel & AnyObject
    }
}

extension JSONModel {
    public static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let old = destination.load(Self.self)
        try _complete(contents, at: destination)
        guard let old, var new = destination.load(Self.self) else { return }
        new._keepUnread(of: old)
        guard Self.self is AnyClass, let updates = unsafe contents.updates?.takeUnretainedValue() else {
            return destination.store(new)
        }
        // The old object stays, and takes the new one's values over when the update ends.
        destination.store(old)
        do throws(JSONError) {
            let table = Self._jsonTable
            if let adopt = try table.adoption(of: new as AnyObject, by: old as AnyObject, Self.self, updates.slots) {
                updates.add(new as AnyObject, to: old as AnyObject, adopt)
            } else {
                destination.store(new)
            }
        } catch {
            updates.fail(error)
            throw error
        }
    }
}
