// What the library and generated code call on a type while they read values of it. No other code should call it.

/// The part of ``JSONReadable`` that generated code and the library implement.
///
/// A type meets it through the macro, or through ``JSONScalarReadable`` or ``JSONCollection``; none of it is written by hand.
public protocol _JSONReadable: SendableMetatype {
    /// Describes how values of this type are bound; called once per type.
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding

    /// Makes a value from the contents of a finished container, consuming them, and stores it.
    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Makes an array from the elements of a finished container, consuming them, and stores it. It is called on the element's type,
    /// whose module knows the size of an element.
    static func _completeArray(_ contents: _Contents, at destination: _Destination)

    /// Makes a value from a captured text and stores it.
    static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome

    /// Like `_complete`, for a model that an update replaces: the draft began with the properties of the model at the destination.
    static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Fills a draft of nils with the properties of the model at a destination; false if the destination is empty.
    static func _prefill(_ draft: UnsafeMutableRawPointer, from address: _Destination) -> Bool

    /// Destroys the contents of a container that will not be finished.
    static func _destroy(_ contents: _Contents)

    /// Makes a value from a scalar and stores it; false is a mismatch.
    static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool

    /// Stores an explicit nil.
    static func _storeNil(at destination: _Destination)

    /// Whether the bits of every value may be copied and dropped freely.
    static var _hasFreeBits: Bool { get }

    /// Runs the hook of a model that was built in its own memory, and moves it to the destination unless it is there already. If the hook
    /// throws, the model is destroyed.
    static func _finish(_ contents: _Contents, at destination: _Destination, isThere: Bool) throws(JSONError)

    /// Copies the substrings of the value at an address out of the text that they share.
    ///
    /// - Parameter objects: The class instances that have been passed already.
    static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>)
}

extension _JSONReadable {
    @inlinable
    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        throw JSONError._notAContainer(Self.self)
    }

    @inlinable
    public static func _completeArray(_ contents: _Contents, at destination: _Destination) {
        if unsafe !contents.earlier.isEmpty { return destination.store(contents.gathered(of: Self.self)) }
        // Safe: the table was compiled with this element type, and `count` elements are initialised.
        unsafe destination.store(Array(moving: contents.base.assumingMemoryBound(to: Self.self), count: contents.count))
    }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        throw JSONError._notAContainer(Self.self)
    }

    public static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        try _complete(contents, at: destination)
    }

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from address: _Destination) -> Bool { false }

    @inlinable
    public static func _destroy(_ contents: _Contents) {}

    @inlinable
    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool { false }

    @inlinable
    public static func _storeNil(at destination: _Destination) {
        destination.storeNil(as: Self.self)
    }

    public static func _compact(_ address: UnsafeMutableRawPointer, _ objects: inout Set<ObjectIdentifier>) {}

    public static var _hasFreeBits: Bool { false }

    public static func _finish(_ contents: _Contents, at destination: _Destination, isThere: Bool) throws(JSONError) {
        throw JSONError._notAContainer(Self.self)
    }
}

extension _JSONReadable where Self: BitwiseCopyable {
    public static var _hasFreeBits: Bool { true }
}
