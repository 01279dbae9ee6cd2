// A key of an object, and the keys that are expected after it.

internal import CScan

/// A key that a reader knows, and the two keys that followed it last.
///
/// The memory belongs to the reader's ``ExpectedKeys``.
@safe
struct ExpectedKey {
    /// The key as it stands in a text, with its quotes and the colon; 16 more bytes can be read. A key that JSON can only write
    /// with escapes lacks the opening quote here, so that it matches no text.
    var pattern: UnsafePointer<UInt8>
    /// How many bytes the key has; -1 in ``ExpectedKeyHandle/none``, so that no key equals it.
    var count: Int {
        didSet { free = ExpectedKey.free(count) }
    }
    /// A bit for each of the pattern's first 16 bytes, and those from the 16th on: set if the byte is not part of the pattern.
    private(set) var free: UInt32
    /// The row that the key binds; ``ReaderRows/ignored`` if no property has the key.
    var row: RowHandle
    /// The key that followed it last.
    var next: ExpectedKeyHandle
    /// The key that followed it before ``next`` did. If a key is missing from some objects, the key before it is followed now by
    /// one of these two, now by the other.
    var other: ExpectedKeyHandle

    init(pattern: UnsafePointer<UInt8>, count: Int, row: RowHandle, next: ExpectedKeyHandle, other: ExpectedKeyHandle) {
        unsafe self.pattern = unsafe pattern
        self.count = count
        free = ExpectedKey.free(count)
        self.row = row
        self.next = next
        self.other = other
    }

    /// The pattern has the quotes and the colon, too.
    private static func free(_ count: Int) -> UInt32 { ~0 << UInt32(min(count + 3, 16)) }
}

/// The address of a known key.
///
/// Safe: it lives as long as the reader's ``ExpectedKeys``, or as the process for ``none``, and is only read by the reader's own thread.
@safe
struct ExpectedKeyHandle: Equatable, @unchecked Sendable {
    private let address: UnsafeMutablePointer<ExpectedKey>

    init(_ address: UnsafeMutablePointer<ExpectedKey>) { unsafe self.address = unsafe address }

    /// Follows the last key of an object. No key equals it. All readers share it, so it is never changed.
    static let none: ExpectedKeyHandle = {
        let pattern = UnsafeMutablePointer<UInt8>.allocate(capacity: 32)
        unsafe pattern.initialize(repeating: 0, count: 32)
        let address = UnsafeMutablePointer<ExpectedKey>.allocate(capacity: 1)
        let handle = unsafe ExpectedKeyHandle(address)
        unsafe address.initialize(
            to: ExpectedKey(pattern: UnsafePointer(pattern), count: -1, row: ReaderRows.none, next: handle, other: handle))
        return handle
    }()

    var pattern: UnsafePointer<UInt8> { unsafe address.pointee.pattern }
    var row: RowHandle { @inline(__always) get { unsafe address.pointee.row } }
    var next: ExpectedKeyHandle { @inline(__always) get { unsafe address.pointee.next } }
    var other: ExpectedKeyHandle { @inline(__always) get { unsafe address.pointee.other } }
    var count: Int { @inline(__always) get { unsafe address.pointee.count } }

    /// Whether the text at `quote` is this key in quotes, followed by the colon. The text must have 16 more bytes than ``count`` and both
    /// quotes.
    @inline(__always)
    func matches(_ quote: UnsafePointer<UInt8>) -> Bool {
        unsafe cscan_begins_with_key(quote, address.pointee.pattern, count &+ 3, address.pointee.free)
    }

    /// The same without the colon.
    @inline(__always)
    func matchesWithoutColon(_ quote: UnsafePointer<UInt8>) -> Bool {
        unsafe cscan_begins_with(quote, address.pointee.pattern, count &+ 2)
    }

    /// Whether these are the key's bytes, without quotes.
    @inline(__always)
    func equals(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe self.count == count && equalBytes(address.pointee.pattern + 1, bytes, count)
    }

    /// Notes that a key has followed this one, so that it is expected here the next time.
    @inline(__always)
    func expect(_ key: ExpectedKeyHandle) {
        // ``none`` alone is followed by itself. It must not change, because all readers share it. A key that comes twice in a row is not
        // noted, or the key would be taken for ``none`` from then on.
        guard unsafe address.pointee.next != self, key != self else { return }
        assert(self != .none)
        unsafe address.pointee.other = unsafe address.pointee.next
        unsafe address.pointee.next = key
    }

    /// Puts a new key between this one and the key that was expected after it.
    func insert(_ key: ExpectedKeyHandle) {
        // The new key may have overwritten this one in memory. Then it must keep the key that is expected after it.
        guard key != self else { return }
        unsafe key.address.pointee.next = next
        expect(key)
    }

    // MARK: Keys that no property has

    /// Makes a key that no property has.
    ///
    /// - Parameter room: How many bytes the memory has room for: a longer key may be stored in it later.
    init(unboundKeyOf bytes: UnsafePointer<UInt8>, _ count: Int, _ row: RowHandle, room: Int) {
        let pattern = UnsafeMutablePointer<UInt8>.allocate(capacity: room + 19)
        unsafe pattern.initialize(repeating: 0, count: room + 19)
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: ExpectedKey(pattern: UnsafePointer(pattern), count: 0, row: row, next: .none, other: .none))
        unsafe replace(by: bytes, count)
    }

    /// Stores another key that no property has over this one. What is expected after it stays.
    func replace(by bytes: UnsafePointer<UInt8>, _ count: Int) {
        assert(self != .none)
        // Safe: the memory of such a key belongs to it alone, and has room for its quotes, the colon and 16 bytes more.
        let pattern = unsafe UnsafeMutablePointer(mutating: address.pointee.pattern)
        unsafe pattern[0] = .quote
        unsafe (pattern + 1).update(from: bytes, count: count)
        unsafe pattern[count + 1] = .quote
        unsafe pattern[count + 2] = UInt8(ascii: ":")
        unsafe address.pointee.count = count
    }

    /// Frees a key that no property has.
    func free() {
        unsafe address.pointee.pattern.deallocate()
        unsafe address.deallocate()
    }

    // By hand: the synthesised code would cause a warning about the unsafe pointer.
    static func == (left: ExpectedKeyHandle, right: ExpectedKeyHandle) -> Bool { unsafe left.address == right.address }
}
