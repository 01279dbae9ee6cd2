// A key of an object, and the keys that are expected behind it.

internal import CScan

/// A key that a reader knows, and the two keys that followed it last.
///
/// The memory belongs to the reader's ``ExpectedKeys``.
@safe
struct ExpectedKey {
    /// The key between its quotes and followed by the colon, as a text has it; 16 more bytes can be read. A key that a text can only have
    /// with escapes has no opening quote, so that no text begins with it.
    var pattern: UnsafePointer<UInt8>
    /// How many bytes the key has; no key has that of ``ExpectedKeyHandle/none``.
    var count: Int
    /// The row that the key binds; ``ReaderRows/ignored`` if no property has the key.
    var row: RowHandle
    /// The key that followed it last.
    var next: ExpectedKeyHandle
    /// The key that followed it before that one: with a key that only some objects have, both come again and again.
    var other: ExpectedKeyHandle
}

/// The address of a known key.
///
/// Safe: it lives as long as the reader's ``ExpectedKeys``, or as the process for ``none``, and is only read by the reader's own thread.
@safe
struct ExpectedKeyHandle: Equatable, @unchecked Sendable {
    private let address: UnsafeMutablePointer<ExpectedKey>

    init(_ address: UnsafeMutablePointer<ExpectedKey>) { unsafe self.address = unsafe address }

    /// The key behind the last one. No key equals it, and it is never changed.
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
        unsafe cscan_begins_with(quote, address.pointee.pattern, count &+ 3)
    }

    /// Whether these are the key's bytes, without quotes.
    @inline(__always)
    func equals(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe self.count == count && equalBytes(address.pointee.pattern + 1, bytes, count)
    }

    /// Expects a key behind this one, because it has come here.
    @inline(__always)
    func expect(_ key: ExpectedKeyHandle) {
        // Nothing is expected behind ``none``, which all readers share.
        guard unsafe address.pointee.next != self else { return }
        unsafe address.pointee.other = unsafe address.pointee.next
        unsafe address.pointee.next = key
    }

    /// Expects a new key behind this one, and behind that what was expected here.
    func insert(_ key: ExpectedKeyHandle) {
        // The new key may have taken this one's place.
        guard key != self else { return }
        unsafe key.address.pointee.next = next
        expect(key)
    }

    // MARK: Keys that no property has

    /// Makes a key that no property has.
    ///
    /// - Parameter room: The most bytes of a key that may take this one's place.
    init(unboundKeyOf bytes: UnsafePointer<UInt8>, _ count: Int, _ row: RowHandle, room: Int) {
        let pattern = UnsafeMutablePointer<UInt8>.allocate(capacity: room + 19)
        unsafe pattern.initialize(repeating: 0, count: room + 19)
        unsafe address = .allocate(capacity: 1)
        unsafe address.initialize(to: ExpectedKey(pattern: UnsafePointer(pattern), count: 0, row: row, next: .none, other: .none))
        unsafe replace(by: bytes, count)
    }

    /// Makes this another key that no property has.
    func replace(by bytes: UnsafePointer<UInt8>, _ count: Int) {
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
