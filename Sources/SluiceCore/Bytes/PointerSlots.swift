// Addresses that are made when they are first needed, and kept as long as the process.

internal import Synchronization

/// A fixed number of addresses, each of which is made once.
@safe
struct PointerSlots: @unchecked Sendable {
    // Safe: the slots are never freed. What an address leads to is complete and immutable when the address is stored.
    private let slots: UnsafeMutablePointer<Atomic<UnsafeRawPointer?>>
    private static let lock = Mutex(())

    init(count: Int) {
        unsafe slots = .allocate(capacity: count)
        for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(nil)) }
    }

    /// The address of a slot.
    ///
    /// - Parameter index: The number of the slot, which must be below the count.
    @inline(__always)
    func address(at index: Int, _ make: () -> UnsafeRawPointer) -> UnsafeRawPointer {
        if let known = unsafe slots[index].load(ordering: .acquiring) { return unsafe known }
        return unsafe makeAddress(at: index, make)
    }

    @inline(never)
    private func makeAddress(at index: Int, _ make: () -> UnsafeRawPointer) -> UnsafeRawPointer {
        unsafe PointerSlots.lock.withLock { _ in
            if let known = unsafe slots[index].load(ordering: .acquiring) { return unsafe Made(address: known) }
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
