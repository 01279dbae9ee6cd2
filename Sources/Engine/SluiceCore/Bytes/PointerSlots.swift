// Addresses that are made when they are first needed, and then kept.

internal import Synchronization

/// A fixed number of addresses, each of which is made once.
@safe
struct PointerSlots: @unchecked Sendable {
    // Safe: the slots are freed with the table that they belong to, or never. What an address leads to is complete and immutable when the address is stored.
    private let slots: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
    private static let lock = Mutex(())

    init(count: Int) {
        unsafe slots = .allocate(capacity: count)
        for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(nil)) }
    }

    func deallocate() { unsafe slots.deallocate() }

    /// The address of a slot; nil if it was not made yet. The slot's number must be below the count.
    @inline(__always)
    func known(at index: Int) -> UnsafeRawPointer? { unsafe slots[index].load(ordering: .acquiring) }

    /// Sets the address of a slot that has none. The caller sees to it that no other thread does the same.
    func set(_ address: UnsafeRawPointer, at index: Int) { unsafe slots[index].store(address, ordering: .releasing) }

    /// Makes the address of a slot, unless another thread just has. This is apart from ``known(at:)``, because a caller that passes a
    /// closure there would retain what it captures each time.
    @inline(never)
    func address(at index: Int, _ make: () -> UnsafeRawPointer) -> UnsafeRawPointer {
        unsafe PointerSlots.lock.withLock { _ in
            if let known = unsafe known(at: index) { return unsafe Made(address: known) }
            let made = unsafe Made(address: make())
            unsafe slots[index].store(made.address, ordering: .releasing)
            return made
        }.address
    }

    @safe
    private struct Made: @unchecked Sendable {
        // Safe: see above.
        let address: UnsafeRawPointer
    }
}
