// Keyed containers that are kept for reuse. To make one, the runtime looks up three generic types and allocates the box that hides
// the container's type: as much work as reading three members. So the container of each key type is kept, and reused for the next
// object once nothing else refers to it.
//
// A container is a pointer to its state, which `ContainerPool` owns. So nothing is retained when the standard library copies the
// container at each call. A container that somebody keeps for later becomes the owner of its state, and of the decoder or encoder.

internal import SluiceCore

/// The content of a keyed container, for any key type: a pointer to the container's state.
@safe
struct ContainerHandle<State> {
    /// The container's state, which lives as long as the container.
    let state: UnsafeMutablePointer<State>
    /// The owner of the state; nil while ``ContainerPool`` owns it.
    fileprivate(set) var owner: StateOwner<State>?

    init(_ state: UnsafeMutablePointer<State>, owner: StateOwner<State>?) {
        unsafe self.state = unsafe state
        self.owner = owner
    }
}

/// Keeps a container's state alive, and the decoder or encoder, which the state does not retain.
@safe
final class StateOwner<State> {
    private let state: UnsafeMutablePointer<State>
    private let coder: AnyObject

    init(_ state: UnsafeMutablePointer<State>, _ coder: AnyObject) {
        unsafe self.state = unsafe state
        self.coder = coder
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }
}

/// The boxes of a decoder's or an encoder's keyed containers. A key type has several boxes if objects of its type are nested.
///
/// The standard library does not promise that its box is an object that contains only the container. So boxes are kept only if
/// ``isBox(_:of:)`` is true.
@safe
final class ContainerPool<State> {
    typealias Handle = ContainerHandle<State>

    @safe
    private struct Slot {
        var keys: UnsafeRawPointer?
        /// The box, which the copier owns.
        var box: UnsafeMutableRawPointer?
        var copier: AnyObject?
        var state: UnsafeMutablePointer<State>?

        static var empty: Slot { unsafe Slot(keys: nil, box: nil, copier: nil, state: nil) }
    }

    private let slots: UnsafeMutablePointer<Slot>
    /// The indices of all slots that have had a box.
    private var used: [Int] = []
    private static var size: Int { 256 }
    /// The slots of a key type reach from its first one to an empty one, and are at most this many.
    private static var reach: Int { 16 }

    init() {
        unsafe slots = .allocate(capacity: ContainerPool.size)
        unsafe slots.initialize(repeating: .empty, count: ContainerPool.size)
    }

    /// ``settle(_:)`` has been called before, so no box is in use.
    deinit {
        for index in 0..<ContainerPool.size { unsafe clear(slots + index) }
        unsafe slots.deinitialize(count: ContainerPool.size)
        unsafe slots.deallocate()
    }

    /// Empties a slot, and frees its box and its state.
    private func clear(_ slot: UnsafeMutablePointer<Slot>) {
        guard let state = unsafe slot.pointee.state else { return }
        unsafe slot.pointee = .empty
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// The bytes of an object's header, in front of its first property.
    private static var headerSize: Int { 2 * MemoryLayout<Int>.size }

    /// Whether the standard library's container is a reference to a box that has our container right after its header. The test
    /// compares the first word there with the pointer to the state, the first property of a ``ContainerHandle``. It does not follow that
    /// word, so any other content is harmless.
    static func isBox<Boxed>(_ boxed: Boxed, of container: Handle) -> Bool {
        guard MemoryLayout<Boxed>.size == MemoryLayout<AnyObject>.size, MemoryLayout<Handle>.alignment <= headerSize else {
            return false
        }
        // Safe: the sizes are equal, and the standard library's container is one class reference. An object has at least three words.
        let box = unsafe Unmanaged.passUnretained(unsafeBitCast(boxed, to: AnyObject.self)).toOpaque()
        let word = unsafe (box + headerSize).load(as: UInt.self)
        return unsafe word == UInt(bitPattern: container.state)
    }

    @inline(__always)
    private func firstSlot(_ keys: Any.Type) -> (index: Int, address: UnsafeRawPointer) {
        // Safe: the address of a type is that of its metadata, which lives as long as the process.
        let address = unsafe unsafeBitCast(keys, to: UnsafeRawPointer.self)
        let mixed = UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15
        // Safe: the highest eight bits are below the number of slots.
        return unsafe (Int(truncatingIfNeeded: mixed &>> 56), address)
    }

    /// Whether only the copier refers to the slot's box.
    @inline(__always)
    private func isFree(_ slot: UnsafeMutablePointer<Slot>) -> Bool {
        // Safe: the slot has a box, which is an object, so its address can be read as a reference. The copier keeps it alive.
        unsafe withUnsafeMutablePointer(to: &slot.pointee.box) { box in
            unsafe box.withMemoryRebound(to: AnyObject?.self, capacity: 1) { unsafe isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// The copier, the state and the box of a free container for a key type; nil if none is kept, or all are in use. The container is in
    /// use while anything else than the copier refers to its box.
    @inline(__always)
    func take(_ keys: Any.Type) -> (copier: Unmanaged<AnyObject>, state: UnsafeMutablePointer<State>, box: AnyObject)? {
        let (first, address) = unsafe firstSlot(keys)
        for offset in 0..<ContainerPool.reach {
            let slot = unsafe slots + ((first &+ offset) & (ContainerPool.size &- 1))
            guard let keys = unsafe slot.pointee.keys else { return nil }
            if unsafe keys == address, unsafe isFree(slot) {
                // Safe: a slot with a key type has all three, and keeps them until its container is given up. A box is an object.
                return unsafe (
                    .passUnretained(slot.pointee.copier.unsafelyUnwrapped), slot.pointee.state.unsafelyUnwrapped,
                    Unmanaged<AnyObject>.fromOpaque(slot.pointee.box.unsafelyUnwrapped).takeUnretainedValue()
                )
            }
        }
        return nil
    }

    /// The index of a slot for a new box of a key type: an empty slot, or else a slot of another type whose box is free; nil if there is
    /// neither.
    func slot(for keys: Any.Type) -> Int? {
        let (first, address) = unsafe firstSlot(keys)
        let candidates = (first..<first + ContainerPool.reach).lazy.map { $0 & (ContainerPool.size - 1) }
        // Safe: the mask keeps the indices below the number of slots.
        return candidates.first { unsafe slots[$0].keys == nil }
            ?? candidates.first { unsafe slots[$0].keys != address && isFree(slots + $0) }
    }

    /// Keeps a box and its state in a slot that ``slot(for:)`` has found.
    func keep<Boxed>(_ boxed: Boxed, _ state: UnsafeMutablePointer<State>, _ keys: Any.Type, at slot: Int) {
        // Safe: boxes are kept only if `isBox` is true, so the value is a reference to an object.
        let box = unsafe Unmanaged.passUnretained(unsafeBitCast(boxed, to: AnyObject.self)).toOpaque()
        unsafe clear(slots + slot)
        unsafe slots[slot] = unsafe Slot(
            keys: firstSlot(keys).address, box: box, copier: ContainerCopier(boxed), state: state)
        if !used.contains(slot) { used.append(slot) }
    }

    /// Gives up the boxes that are still in use. They then own their states and the decoder or encoder.
    func settle(_ coder: AnyObject) {
        for index in used {
            let slot = unsafe slots + index
            if unsafe slot.pointee.keys == nil || isFree(slot) { continue }
            // Safe: boxes are kept only if `isBox` is true, so the handle lies after the header. A slot with a key type has a box and
            // a state.
            unsafe (slot.pointee.box.unsafelyUnwrapped + ContainerPool.headerSize).assumingMemoryBound(to: Handle.self)
                .pointee.owner = StateOwner(slot.pointee.state.unsafelyUnwrapped, coder)
            unsafe slot.pointee = .empty
        }
    }
}

/// Copies a value whose type is its own generic parameter, so that the runtime does not look up the type for each copy.
final class ContainerCopier<Boxed> {
    private let boxed: Boxed

    init(_ boxed: Boxed) { self.boxed = boxed }

    @inline(never)
    func copy() -> Boxed { boxed }
}
