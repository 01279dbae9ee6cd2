// Keyed containers that are handed out again. To make one, the runtime looks up three generic types and allocates the box that hides the
// container's type: as much work as reading three members. So the container of each type of keys is kept, and sent to the next object
// once its last user has let go of it.

internal import SluiceCore

/// The boxes of a decoder's or an encoder's keyed containers, one for each type of keys.
///
/// `Container` stands for the containers of all types of keys, which have one layout. The standard library does not promise that its box
/// is an object with nothing but the container in it, so ``isBox(_:of:)`` is asked before boxes are kept at all.
@safe
final class KeptContainers<Container> {
    @safe
    private struct Slot {
        var keys: UnsafeRawPointer?
        /// The box, which the copier owns.
        var box: UnsafeMutableRawPointer?
        var copier: AnyObject?
    }

    private let slots: UnsafeMutablePointer<Slot>
    /// One bit for each slot that holds a box.
    private var used: UInt64 = 0
    private static var size: Int { 64 }

    init() {
        unsafe slots = .allocate(capacity: KeptContainers.size)
        unsafe slots.initialize(repeating: Slot(keys: nil, box: nil, copier: nil), count: KeptContainers.size)
    }

    deinit {
        unsafe slots.deinitialize(count: KeptContainers.size)
        unsafe slots.deallocate()
    }

    /// What an object has in front of its first property.
    private static var headerSize: Int { 2 * MemoryLayout<Int>.size }

    /// Whether a container as the standard library has it is a reference to a box in which the container lies. The container's
    /// first property must be a reference: it is looked for as a word, which is nothing but a number if it is something else.
    static func isBox<Boxed>(_ boxed: Boxed, of container: Container) -> Bool {
        guard MemoryLayout<Boxed>.size == MemoryLayout<AnyObject>.size, MemoryLayout<Container>.alignment <= headerSize else {
            return false
        }
        // Safe: the sizes are equal, and what the standard library has here is a class. No object takes less than three words.
        let box = unsafe Unmanaged.passUnretained(unsafeBitCast(boxed, to: AnyObject.self)).toOpaque()
        let word = unsafe (box + headerSize).load(as: UInt.self)
        return unsafe withUnsafeBytes(of: container) { unsafe $0.loadUnaligned(as: UInt.self) } == word
    }

    @inline(__always)
    private func slot(_ keys: Any.Type) -> (index: Int, address: UnsafeRawPointer) {
        // Safe: the address of a type is that of its metadata, which lives as long as the process.
        let address = unsafe unsafeBitCast(keys, to: UnsafeRawPointer.self)
        let mixed = UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15
        return unsafe (Int(truncatingIfNeeded: mixed &>> 58), address)
    }

    /// Whether the box of a slot has no other reference than the copier's.
    @inline(__always)
    private func isFree(_ slot: UnsafeMutablePointer<Slot>) -> Bool {
        // Safe: the slot has a box; its address is looked at as the reference that it is to the copier.
        unsafe withUnsafeMutablePointer(to: &slot.pointee.box) { box in
            unsafe box.withMemoryRebound(to: AnyObject?.self, capacity: 1) { unsafe isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// The container for a type of keys, and what copies the reference to its box; nil if absent or in use.
    @inline(__always)
    func take(_ keys: Any.Type) -> (copier: AnyObject, container: UnsafeMutablePointer<Container>)? {
        let (index, address) = unsafe slot(keys)
        let slot = unsafe slots + index
        guard unsafe slot.pointee.keys == address, unsafe isFree(slot) else { return nil }
        // Safe: a slot with a type has both.
        return unsafe (slot.pointee.copier.unsafelyUnwrapped, container(in: slot))
    }

    /// Safe: boxes are kept only where their layout is known.
    @inline(__always)
    private func container(in slot: UnsafeMutablePointer<Slot>) -> UnsafeMutablePointer<Container> {
        unsafe (slot.pointee.box.unsafelyUnwrapped + KeptContainers.headerSize).assumingMemoryBound(to: Container.self)
    }

    /// Keeps a box, unless its slot holds another one that is in use.
    func keep<Boxed>(_ boxed: Boxed, _ keys: Any.Type) {
        let (index, address) = unsafe slot(keys)
        let slot = unsafe slots + index
        if unsafe slot.pointee.keys != nil, unsafe !isFree(slot) { return }
        // Safe: what is boxed is a reference to an object.
        let box = unsafe Unmanaged.passUnretained(unsafeBitCast(boxed, to: AnyObject.self)).toOpaque()
        unsafe slot.pointee = unsafe Slot(keys: address, box: box, copier: ContainerCopier(boxed))
        used |= 1 &<< UInt64(truncatingIfNeeded: index)
    }

    /// Gives up the boxes that are still in use, and calls a closure for the containers in the others.
    func settle(_ idle: (inout Container) -> Void) {
        var rest = used
        while rest != 0 {
            let index = rest.trailingZeroBitCount
            rest &= rest &- 1
            let slot = unsafe slots + index
            if unsafe isFree(slot) {
                unsafe idle(&container(in: slot).pointee)
            } else {
                unsafe slot.pointee = unsafe Slot(keys: nil, box: nil, copier: nil)
                used &= ~(1 &<< UInt64(truncatingIfNeeded: index))
            }
        }
    }
}

/// Copies a value of a type that it knows from its own, so that the runtime need not be asked for the type each time.
final class ContainerCopier<Boxed> {
    private let boxed: Boxed

    init(_ boxed: Boxed) { self.boxed = boxed }

    @inline(never)
    func copy() -> Boxed { boxed }
}
