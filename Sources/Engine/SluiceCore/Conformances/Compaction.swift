// Substrings keep the text around them in memory. This copies them, for values that are kept.

extension JSONModel {
    /// The model with substrings of its own, which no longer keep the text alive that they were read from.
    ///
    /// A `Substring` property is a slice of up to 64 KiB of the text around it, which stays in memory as long as any slice of it.
    /// If you keep only a few of many records, keep compacted ones:
    ///
    /// ```swift
    /// @JSONModel struct Event { let id: Int; let actor: Substring }
    ///
    /// var kept: [Event] = []
    /// let feed = try JSONFeed<Event>(path: "events.ndjson")
    /// while let event = try feed.next() {
    ///     if event.actor == "octocat" { kept.append(event.compacted()) }
    /// }
    /// ```
    ///
    /// It reaches the properties of models in optionals, arrays, sets and dictionaries. An object of a class gets its substrings where it is,
    /// in its variables; what an enum with a `JSONTag` holds stays as it is.
    public func compacted() -> Self {
        var copy = self
        var objects: Set<ObjectIdentifier> = []
        Self.compact(&copy, &objects)
        return copy
    }

    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        // Safe: the caller's memory holds a value of this type; so below.
        let model = unsafe address.assumingMemoryBound(to: Self.self)
        if Self.self is AnyClass, !objects.insert(ObjectIdentifier(unsafe model.pointee as AnyObject)).inserted { return }
        for slot in 0..<_jsonTable._slotCount {
            guard let path = _jsonKeyPath(slot), let type = type(of: path).valueType as? any JSONReadable.Type else { continue }
            unsafe compactProperty(type, path, of: model, &objects)
        }
    }

    private static func compactProperty<Value: JSONReadable>(
        _ type: Value.Type, _ path: AnyKeyPath, of model: UnsafeMutablePointer<Self>, _ objects: inout Set<ObjectIdentifier>
    ) {
        // A constant of a struct has an address, too. No other code has access to this copy of the model.
        if let field = path as? PartialKeyPath<Self>, let offset = MemoryLayout<Self>.offset(of: field) {
            unsafe Value._compact(UnsafeMutableRawPointer(model) + offset, &objects)
        } else if let path = path as? ReferenceWritableKeyPath<Self, Value> {
            unsafe Value.compact(&model.pointee[keyPath: path], &objects)
        } else if let path = path as? WritableKeyPath<Self, Value> {
            unsafe Value.compact(&model.pointee[keyPath: path], &objects)
        }
    }
}

extension _JSONReadable {
    fileprivate static func compact<Value>(_ value: inout Value, _ objects: inout Set<ObjectIdentifier>) {
        unsafe withUnsafeMutablePointer(to: &value) { unsafe _compact(UnsafeMutableRawPointer($0), &objects) }
    }
}

extension Substring {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        let text = unsafe address.assumingMemoryBound(to: Substring.self)
        unsafe text.pointee = unsafe Substring(String(text.pointee))
    }
}

extension Optional where Wrapped: JSONReadable {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        let value = unsafe address.assumingMemoryBound(to: Self.self)
        guard var wrapped = unsafe value.pointee else { return }
        Wrapped.compact(&wrapped, &objects)
        unsafe value.pointee = wrapped
    }
}

extension JSONField where Value: JSONReadable {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        let field = unsafe address.assumingMemoryBound(to: Self.self)
        guard case .value(var value) = unsafe field.pointee else { return }
        Value.compact(&value, &objects)
        unsafe field.pointee = .value(value)
    }
}

extension Array where Element: JSONReadable {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        let array = unsafe address.assumingMemoryBound(to: Self.self)
        for index in unsafe array.pointee.indices { unsafe Element.compact(&array.pointee[index], &objects) }
    }
}

extension Set where Element: JSONReadable {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Swift.Set<ObjectIdentifier>) {
        let set = unsafe address.assumingMemoryBound(to: Self.self)
        var elements = unsafe [Element](set.pointee)
        [Element].compact(&elements, &objects)
        unsafe set.pointee = Self(elements)
    }
}

extension Dictionary where Key: JSONKeyBindable, Value: JSONReadable {
    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {
        let pairs = unsafe address.assumingMemoryBound(to: Self.self)
        for index in unsafe pairs.pointee.values.indices { unsafe Value.compact(&pairs.pointee.values[index], &objects) }
    }
}
