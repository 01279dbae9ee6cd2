// One token of a document as the scanner has noted it down.

/// An entry of a ``JSONTape``.
///
/// A scalar has one entry. A container has two, its head and its bounds, and then those of its members or elements; a member is
/// the entry of its key and the entries of its value:
///
///     {"id": 7, "tags": ["a"]}     object 2  bounds  string id  integer 7  string tags  array 1  bounds  string a
package struct TapeEntry {
    package enum Kind: UInt8 {
        case null, `false`, `true`
        /// A number whose value is in the entry.
        case integer, double
        /// A number of which only the text is known; it may be damaged.
        case number
        case string, array, object
        /// The second entry of a container.
        case bounds

        // The one that the compiler makes is not inlined into other modules.
        @inlinable @inline(__always)
        package static func == (left: Kind, right: Kind) -> Bool { left.rawValue == right.rawValue }
    }

    /// The kind, the flags, the misses and the offset, from the lowest byte on: one word, so that an entry is two stores.
    @usableFromInline
    var head: UInt64
    /// The value of a number; the bytes of a string; the members or elements of a container (low half) and the index of the entry
    /// behind it (high half). Of an object's bounds: the key to be asked for next (low half) and the one found last (high half).
    package var bits: UInt64

    /// Of a string: some bytes are not ASCII.
    package static let isNotASCII: UInt8 = 1
    /// Of a string: there are escapes, or control characters that must not be there.
    package static let isNotPlain: UInt8 = 2
    /// Of an object's bounds: keys are looked up in a dictionary.
    package static let isIndexed: UInt8 = 4
    /// Of an object's bounds: it has been looked through for keys that stand twice.
    package static let isPrepared: UInt8 = 8

    @inlinable @inline(__always)
    package init(_ kind: Kind, flags: UInt8 = 0, offset: Int, bits: UInt64 = 0) {
        // Safe: a tape is made only of text that is shorter than 4 GiB.
        head = UInt64(kind.rawValue) | UInt64(flags) &<< 8 | UInt64(truncatingIfNeeded: offset) &<< 32
        self.bits = bits
    }

    @inlinable @inline(__always)
    package var kind: Kind {
        // Safe: the lowest byte is a kind's.
        unsafe unsafeBitCast(UInt8(truncatingIfNeeded: head), to: Kind.self)
    }

    /// Of a string and of an object's keys together: see ``isNotASCII`` and ``isNotPlain``; of bounds: ``isIndexed``.
    @inlinable @inline(__always)
    package var flags: UInt8 {
        get { UInt8(truncatingIfNeeded: head &>> 8) }
        set { head = head & ~0xFF00 | UInt64(newValue) &<< 8 }
    }

    /// Of bounds: how many searches in vain there have been.
    var misses: UInt16 {
        get { UInt16(truncatingIfNeeded: head &>> 16) }
        set { head = head & ~0xFFFF_0000 | UInt64(newValue) &<< 16 }
    }

    /// Where the token begins; of a string the byte behind the quote, of bounds the end of the container.
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
    package var isNumber: Bool { kind.rawValue >= Kind.integer.rawValue && kind.rawValue <= Kind.number.rawValue }
}
