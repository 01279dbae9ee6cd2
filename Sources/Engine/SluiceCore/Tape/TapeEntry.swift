// One token of a document, as the scanner records it.

/// An entry of a ``JSONTape``.
///
/// A scalar has one entry. A container has two, its head and its bounds, followed by the entries of its members or elements. A
/// member is the entry of its key and the entries of its value:
///
///     {"id": 7, "tags": ["a"]}     object 2  bounds  string id  integer 7  string tags  array 1  bounds  string a
// Both types can be used from inline code of other modules: else even their inlinable members are called.
@usableFromInline
package struct TapeEntry {
    @usableFromInline
    package enum Kind: UInt8 {
        case null, `false`, `true`
        /// A number whose value is in the entry.
        case integer, double
        /// A number that the entry has only the position of; its text may not be valid.
        case number
        case string, array, object
        /// The second entry of a container.
        case bounds

        // By hand: the compiler's own `rawValue` and `==` are not inlined into other modules.
        @inlinable @inline(__always)
        package var code: UInt8 {
            // Safe: an enum of so few cases without values is a byte, which counts them.
            unsafe unsafeBitCast(self, to: UInt8.self)
        }

        @inlinable @inline(__always)
        package static func == (left: Kind, right: Kind) -> Bool { left.code == right.code }
    }

    /// The kind, the flags, the misses and the offset, from the lowest byte upwards: one word, so that writing an entry takes two stores.
    @usableFromInline
    var head: UInt64
    /// For a number, its value. For a string, its count of bytes. For a container, the count of members or elements (low half) and the
    /// index of the entry after it (high half). For an object's bounds, the key to look at next (low half) and the key found last (high).
    @usableFromInline package var bits: UInt64

    /// On a string: some bytes are not ASCII. This flag and the next are those of ``TextString``.
    @inlinable @inline(__always) package static var isNotASCII: UInt8 { 1 }
    /// On a string: it has escapes, or control characters, which are errors.
    @inlinable @inline(__always) package static var isNotPlain: UInt8 { 2 }
    /// On an integer: it is written with a fraction or an exponent, and its value is that of the nearest double.
    @inlinable @inline(__always) package static var isRounded: UInt8 { 1 }
    /// On an object's bounds: keys are looked up in a dictionary.
    package static let isIndexed: UInt8 = 4
    /// On an object's bounds: the object has been checked for duplicate keys.
    package static let isPrepared: UInt8 = 8

    @inlinable @inline(__always)
    package init(_ kind: Kind, flags: UInt8 = 0, offset: Int, bits: UInt64 = 0) {
        // Safe: only text shorter than 4 GiB gets a tape.
        head = UInt64(kind.code) | UInt64(flags) &<< 8 | UInt64(truncatingIfNeeded: offset) &<< 32
        self.bits = bits
    }

    @inlinable @inline(__always)
    package var kind: Kind {
        // Safe: the lowest byte was written from a kind.
        unsafe unsafeBitCast(UInt8(truncatingIfNeeded: head), to: Kind.self)
    }

    /// On a string, and on an object for all its keys together: ``isNotASCII`` and ``isNotPlain``. On bounds: ``isIndexed`` and
    /// ``isPrepared``. On an integer: ``isRounded``.
    @inlinable @inline(__always)
    package var flags: UInt8 {
        get { UInt8(truncatingIfNeeded: head &>> 8) }
        set { head = head & ~0xFF00 | UInt64(newValue) &<< 8 }
    }

    /// On bounds: how many searches have found nothing.
    var misses: UInt16 {
        get { UInt16(truncatingIfNeeded: head &>> 16) }
        set { head = head & ~0xFFFF_0000 | UInt64(newValue) &<< 16 }
    }

    /// The byte offset of the token's start; for a string that of the byte after its quote, for bounds that of the container's end.
    @inlinable @inline(__always)
    package var offset: UInt32 { UInt32(truncatingIfNeeded: head &>> 32) }

    /// The low half of ``bits``.
    @inlinable @inline(__always)
    package var count: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }

    /// The high half of ``bits``.
    @inlinable @inline(__always)
    package var next: Int { Int(truncatingIfNeeded: bits &>> 32) }

    @inlinable @inline(__always)
    package static func halves(_ low: Int, _ high: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: low) | UInt64(truncatingIfNeeded: high) &<< 32
    }

    /// Whether the token is a number.
    @inlinable @inline(__always)
    package var isNumber: Bool { kind.code >= Kind.integer.code && kind.code <= Kind.number.code }
}
