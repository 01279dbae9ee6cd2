// Keeps one object for the next call, for objects that cost more to make than to use.

internal import Synchronization

/// Holds an object that a call takes and gives back; concurrent calls make objects of their own.
final class KeptObject<Object: AnyObject>: Sendable {
    /// The object's address; 0 while it is in use.
    private let address = Atomic<UInt>(0)

    init() {}

    deinit { unsafe exchange(nil)?.release() }

    /// The object, which the caller then has alone; nil if it is in use.
    func take() -> Object? { unsafe exchange(nil)?.takeRetainedValue() }

    /// Keeps an object that the caller had alone.
    func keep(_ object: Object) { unsafe exchange(.passRetained(object))?.release() }

    /// Puts an object in the place of the one that is kept.
    private func exchange(_ object: Unmanaged<Object>?) -> Unmanaged<Object>? {
        let bits = unsafe object.map { unsafe UInt(bitPattern: $0.toOpaque()) } ?? 0
        let old = address.exchange(bits, ordering: .acquiringAndReleasing)
        // Safe: an address comes out once for each time it was put in.
        return unsafe UnsafeRawPointer(bitPattern: old).map { unsafe Unmanaged.fromOpaque($0) }
    }
}
