// Records on their way from the thread that reads them to the one that uses them.

/// Memory for records. One thread puts them in, then another takes them out, in the same order; each record is moved, never copied.
///
/// `Slot` is the optional type of the records, because generic code that makes it from theirs looks it up for each record.
// Safe: the worker fills the buffer before it passes it on, and the consumer alone uses it afterwards. The records are Sendable, because
// `JSONFeed.parallel(workers:)` asks that of their type.
@safe
final class RecordBuffer<Slot: ExpressibleByNilLiteral>: @unchecked Sendable {
    /// The slots of the records that were put in and not taken yet are `start..<end`. Those behind hold nil, those before nothing.
    private var slots: UnsafeMutableBufferPointer<Slot>
    private var start = 0
    private var end = 0

    /// - Parameter capacity: How many records there will probably be.
    init(capacity: Int) {
        unsafe slots = .allocate(capacity: max(capacity, 8))
        unsafe slots.initialize(repeating: nil)
    }

    deinit {
        unsafe UnsafeMutableBufferPointer(rebasing: slots[start...]).deinitialize()
        unsafe slots.deallocate()
    }

    /// Passes the address of a slot that holds nil to `read`, and keeps what it stores there if it returns true. Otherwise the slot must
    /// still hold nil.
    @inline(__always)
    func append(_ read: (UnsafeMutableRawPointer) -> Bool) {
        if unsafe end == slots.count { grow() }
        // Safe: `end` lies inside of the memory.
        if unsafe read(UnsafeMutableRawPointer(slots.baseAddress.unsafelyUnwrapped + end)) { end += 1 }
    }

    @inline(never)
    private func grow() {
        let grown = UnsafeMutableBufferPointer<Slot>.allocate(capacity: unsafe slots.count * 2)
        let used = unsafe grown.moveInitialize(fromContentsOf: slots[start...])
        unsafe UnsafeMutableBufferPointer(rebasing: grown[used...]).initialize(repeating: nil)
        unsafe slots.deallocate()
        unsafe slots = unsafe grown
        end -= start
        start = 0
    }

    /// Moves the first record to memory that holds a nil.
    @inline(never)
    func take(into address: UnsafeMutableRawPointer) {
        precondition(start < end, "a record is taken that no worker has read")
        // Safe: `start` lies inside of the memory; a nil may be copied over without being destroyed. A range of one would be moved with the
        // bytes up to the next element, for which the caller has no room.
        let record = unsafe (slots.baseAddress.unsafelyUnwrapped + start).move()
        unsafe address.assumingMemoryBound(to: Slot.self).initialize(to: record)
        start += 1
    }
}
