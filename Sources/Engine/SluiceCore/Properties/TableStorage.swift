// Who owns the parts of property tables. Tables of types live as long as the process, like the metadata of the types; a table of columns that
// are named at run time is freed with the last one who holds its plan.

internal import Synchronization

/// The memory of property tables.
@safe
final class TableStorage: Sendable {
    /// The memory of the tables of types, which is never freed.
    static let forever = TableStorage(isFreed: false)

    private let isFreed: Bool
    /// The addresses of all parts. In memory that is never freed a leak checker finds them here, also when the compilation that made them has
    /// failed.
    private let addresses = Mutex<[UInt]>([])
    /// Free the parts, in the order in which they were made.
    private let destroyers = Mutex<[@Sendable () -> Void]>([])

    init() { isFreed = true }

    private init(isFreed: Bool) { self.isFreed = isFreed }

    deinit { for destroy in destroyers.withLock({ $0 }).reversed() { destroy() } }

    /// Memory for parts, all of which must be initialised before anything else is made.
    func allocate<Part>(_ type: Part.Type, _ count: Int) -> UnsafeMutablePointer<Part> {
        let parts = UnsafeMutablePointer<Part>.allocate(capacity: count)
        let address = UInt(bitPattern: parts)
        guard isFreed else {
            addresses.withLock { $0.append(address) }
            return unsafe parts
        }
        destroyers.withLock {
            $0.append {
                // Safe: nobody reads a part after its memory was freed.
                guard let parts = unsafe UnsafeMutablePointer<Part>(bitPattern: address) else { return }
                unsafe parts.deinitialize(count: count)
                unsafe parts.deallocate()
            }
        }
        return unsafe parts
    }

    /// A part.
    func make<Part>(_ part: Part) -> UnsafeMutablePointer<Part> {
        let address = unsafe allocate(Part.self, 1)
        unsafe address.initialize(to: part)
        return unsafe address
    }

    /// Memory for bytes.
    func allocate(byteCount: Int, alignment: Int) -> UnsafeMutableRawPointer {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: alignment)
        let address = UInt(bitPattern: bytes)
        if isFreed { destroyers.withLock { $0.append { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() } } }
        return unsafe bytes
    }

    /// Keeps an object as long as the memory.
    func keep<Object: AnyObject & Sendable>(_ object: Object) -> Unmanaged<Object> {
        guard isFreed else { return unsafe Unmanaged.passRetained(object) }
        destroyers.withLock { $0.append { withExtendedLifetime(object) {} } }
        return unsafe Unmanaged.passUnretained(object)
    }

    /// The answer of ``SensitiveTypes`` for a binding in this memory; nil for a type's, which is looked up when the type is complete.
    func holdsSensitive(_ answer: @autoclosure () -> Bool) -> Bool? { isFreed ? answer() : nil }
}
