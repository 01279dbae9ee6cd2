// The way from a tree to a value inside it.

/// One step from a model's JSON to the value of a property.
enum JSONStep: Hashable {
    /// The members on the way to a property of an object: more than one if its key is a path.
    case member([String])
    /// The element of a property in a model that is written as an array.
    case element(Int)
}

extension JSONValue {
    /// The value after some steps, or nil.
    func value(at steps: some Sequence<JSONStep>) -> JSONValue? {
        var value: JSONValue? = self
        for step in steps {
            switch step {
            case .member(let keys): for key in keys { value = value?[key] }
            case .element(let index): value = value?[index]
            }
        }
        return value
    }

    /// Changes the value after some steps, if there is one.
    mutating func change(at steps: ArraySlice<JSONStep>, _ body: (inout JSONValue) -> Void) {
        guard let step = steps.first else { return body(&self) }
        switch (self, step) {
        case (.object(var object), .member(let keys)):
            // Key paths are also written as one key: see JSONWriter.Options.Paths.
            guard let first = keys.first else { return change(at: steps.dropFirst(), body) }
            let joined = keys.joined(separator: ".")
            let isFlat = object[first] == nil && object[joined] != nil
            let rest = isFlat || keys.count == 1 ? steps.dropFirst() : [.member(Array(keys.dropFirst()))] + steps.dropFirst()
            guard var member = object[isFlat ? joined : first] else { return }
            member.change(at: rest, body)
            object[isFlat ? joined : first] = member
            self = .object(object)
        case (.array(var elements), .element(let index)) where elements.indices.contains(index):
            elements[index].change(at: steps.dropFirst(), body)
            self = .array(elements)
        default: break
        }
    }
}
