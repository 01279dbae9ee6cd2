// Passes records from the thread that reads them to the thread that uses them.

/// Memory for records. One thread puts them in, then another takes them out, in the same order; each record is moved, never copied.
///
/// `Slot` is the optional type of the records. Generic code that made it from the records' type would look it up for each record.
// Safe: the worker fills the buffer before it passes it on, and the consumer alone uses it afterwards. The records are Sendable, because
// `JSONFeed.parallel(workers:)` asks that of their type.
@safe
final class RecordBuffer<Slot: ExpressibleByNilLiteral>: @unchecked Sendable {
    /// The slots of the records that were put in and not taken yet are `start..<end`. The others hold nothing.
    private var slots: UnsafeMutableBufferPointer<Slot>
    private var start = 0
    private var end = 0

    /// - Parameter capacity: How many records there will probably be.
    init(capacity: Int) { unsafe slots = .allocate(capacity: max(capacity, 8)) }

    deinit {
        unsafe UnsafeMutableBufferPointer(rebasing: slots[start..<end]).deinitialize()
        unsafe slots.deallocate()
    }

    /// Passes the address of a slot that holds nil to `read`, and keeps what it stores there if it returns true. Otherwise the slot must
    /// still hold nil.
    @inline(__always)
    func append(_ read: (UnsafeMutableRawPointer) -> Bool) {
        if unsafe end == slots.count { grow() }
        // Safe: `end` lies inside of the memory. A nil need not be destroyed.
        let slot = unsafe slots.baseAddress.unsafelyUnwrapped + end
        unsafe slot.initialize(to: nil)
        if unsafe read(UnsafeMutableRawPointer(slot)) { end += 1 }
    }

    @inline(never)
    private func grow() {
        let grown = UnsafeMutableBufferPointer<Slot>.allocate(capacity: unsafe slots.count * 2)
        _ = unsafe grown.moveInitialize(fromContentsOf: slots[start..<end])
        unsafe slots.deallocate()
        unsafe slots = unsafe grown
        end -= start
        start = 0
    }

    /// Takes out the first record: the caller moves it from the address that is returned, while the buffer lives. Only the caller's module
    /// knows the type, and moves it without its metadata.
    @inline(__always)
    func take() -> UnsafeMutableRawPointer {
        precondition(start < end, "a record is taken that no worker has read")
        start += 1
        // Safe: the slot lies inside of the memory.
        return unsafe UnsafeMutableRawPointer(slots.baseAddress.unsafelyUnwrapped + (start - 1))
    }
}
