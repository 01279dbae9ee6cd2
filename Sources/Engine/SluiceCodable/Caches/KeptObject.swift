// Keeps one object for the next call; for objects that cost more to make than to use.

internal import Synchronization

/// Holds an object that a call takes and later returns. While it is taken, concurrent calls make objects of their own.
final class KeptObject<Object: AnyObject>: Sendable {
    /// The object's address; 0 while it is in use.
    private let address = Atomic<UInt>(0)

    init() {}

    deinit { unsafe exchange(nil)?.release() }

    /// Takes the object, for the caller's exclusive use; nil if it is in use, or none is kept.
    func take() -> Object? { unsafe exchange(nil)?.takeRetainedValue() }

    /// Keeps an object to which only the caller refers.
    func keep(_ object: Object) { unsafe exchange(.passRetained(object))?.release() }

    /// Stores an object, or nil, and returns the previous one.
    private func exchange(_ object: Unmanaged<Object>?) -> Unmanaged<Object>? {
        let bits = unsafe object.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
        let old = address.exchange(bits, ordering: .acquiringAndReleasing)
        // Safe: the exchange returns each stored address once, so each retain has one release.
        return unsafe UnsafeRawPointer(bitPattern: old).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
