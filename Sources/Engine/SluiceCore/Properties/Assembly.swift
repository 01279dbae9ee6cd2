// Makes values of a type from the contents of a finished container. This is not part of the type's own interface: the library's
// containers have separate types for it (ContainerAssembly.swift). For types that make their values themselves, it is
// `OwnAssembly`.

/// Makes values from contents, and answers the binder's questions while it gathers them.
package protocol Assembly: _JSONReadable {
    /// Adds the contents of a finished container to the collection at the destination, consuming them. If the destination is empty,
    /// returns false and consumes nothing.
    static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool

    /// Moves the elements of a container that has outgrown its memory.
    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer)

    /// Stores the type's empty value (`""`, `[]`, 0); false if it has none.
    static func storeEmpty(at destination: _Destination) -> Bool

    /// The error in a key of a dictionary; nil if the type accepts the key.
    static func problem(ofKey key: String) -> JSONError?

    /// Whether a key of JSON may become the same key as one with other bytes, so that only one of their values is kept.
    static func mayMerge(_ key: String, isASCII: Bool) -> Bool

    /// What a key of JSON becomes.
    static func merged(_ key: String) -> AnyHashable
}

extension Assembly {
    package static func append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool { false }

    package static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {}

    package static func storeEmpty(at destination: _Destination) -> Bool { false }

    package static func problem(ofKey key: String) -> JSONError? { nil }

    package static func mayMerge(_ key: String, isASCII: Bool) -> Bool { false }

    package static func merged(_ key: String) -> AnyHashable { AnyHashable(key) }
}

/// The assembly of a type that makes its values itself: a model or a scalar.
enum OwnAssembly<Value: JSONReadable>: Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { Value._bind(&compiler) }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        try Value._complete(contents, at: destination)
    }

    static func _destroy(_ contents: _Contents) { Value._destroy(contents) }

    static func storeEmpty(at destination: _Destination) -> Bool {
        if let type = Value.self as? any (JSONScalarReadable & Numeric).Type { return storeZero(of: type, at: destination) }
        if let type = Value.self as? any (JSONScalarReadable & RangeReplaceableCollection).Type {
            return storeNothing(of: type, at: destination)
        }
        guard Value.self == Bool.self else { return false }
        destination.store(false)
        return true
    }

    private static func storeZero<Number: Numeric>(of type: Number.Type, at destination: _Destination) -> Bool {
        destination.store(Number.zero)
        return true
    }

    private static func storeNothing<Text: RangeReplaceableCollection>(
        of type: Text.Type, at destination: _Destination
    ) -> Bool {
        destination.store(Text())
        return true
    }
}
