// Swift stores a string of more than 15 bytes in an object of its own. Here we make that object for strings of up to 63 bytes: the standard
// library's own call does the same in 140 instructions more, most of them to find out what we know already.

internal import CScan

/// Strings of 16 to 63 bytes of valid UTF-8.
///
/// This is the layout on 64-bit platforms: after the object's header come the capacity, and the count with flags; then the text and a zero
/// (StringStorage.swift of the standard library). A string has the count with its flags, and the address of the object.
/// ``storage`` checks all of this. Longer objects also have room for breadcrumbs: see `_StringBreadcrumbs`.
enum HeapString {
    static let counts = 16...63
    private static let headSize = 32
    /// The flags of a string that has a native object with its text after the header, and those of such a string that is ASCII and so in
    /// normal form. Other strings may be in normal form without the flag.
    private static let flags: UInt64 = 0x3 << 60, flagsOfASCII: UInt64 = 0xF << 60
    private static let normalForm: UInt64 = 0x4 << 60

    /// The class of the objects; nil if the standard library makes others than we do.
    // Safe: metadata of a class is never written by its users, nor freed.
    nonisolated(unsafe) static let storage: UnsafeRawPointer? = {
        #if canImport(Darwin)
        // The standard library comes with the system, and may be a newer one than any that this was tested with.
        return nil
        #else
        guard MemoryLayout<String?>.size == 16, MemoryLayout<UInt>.size == 8, 1.littleEndian == 1 else { return nil }
        let letters = (0..<UInt8(counts.upperBound)).map { UInt8(ascii: "A") + $0 % 26 }
        var found: UnsafeRawPointer?
        for count in counts {
            for (text, isASCII) in [(letters.prefix(count), true), (letters.prefix(count - 2) + "é".utf8, false)] {
                guard let type = unsafe type(of: Array(text), isASCII), unsafe found == nil || found == type else { return nil }
                unsafe found = unsafe type
            }
        }
        return unsafe found
        #endif
    }()

    /// The class of the standard library's object for a text; nil if the string is not what ``make(_:_:isASCII:_:)`` would make.
    private static func type(of text: [UInt8], _ isASCII: Bool) -> UnsafeRawPointer? {
        let expected = String(decoding: text, as: UTF8.self)
        // Safe: the sizes are equal; the second word is followed only if its high bits say that it is the address of an object.
        let (first, second) = unsafe unsafeBitCast(expected, to: (UInt64, UInt64).self)
        guard first & (isASCII ? ~0 : ~normalForm) == (isASCII ? flagsOfASCII : flags) | UInt64(text.count), second >> 60 == 0,
            let object = unsafe UnsafeRawPointer(bitPattern: UInt(second)),
            let type = unsafe object.load(as: UnsafeRawPointer?.self),
            unsafe object.load(fromByteOffset: 16, as: Int.self) == room(text.count),
            unsafe object.load(fromByteOffset: 24, as: UInt64.self) == first,
            unsafe text.withUnsafeBufferPointer({
                unsafe make($0.baseAddress.unsafelyUnwrapped, text.count, isASCII: isASCII, type)
            }) == expected
        else { return nil }
        withExtendedLifetime(expected) {}
        return unsafe type
    }

    /// The bytes of the object after its header: the text, a zero, and what fills the last 16 bytes.
    @inline(__always)
    private static func room(_ count: Int) -> Int { (count &+ 16) & ~15 }

    /// Makes a string of so many bytes of valid UTF-8.
    ///
    /// - Parameter type: ``storage``.
    @inline(__always)
    static func make(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool, _ type: UnsafeRawPointer) -> String {
        assert(counts.contains(count))
        let text = unsafe UnsafeRawPointer(bytes)
        let object = unsafe swift_allocObject(type, headSize &+ room(count), 7).unsafelyUnwrapped
        let first = (isASCII ? flagsOfASCII : flags) | UInt64(truncatingIfNeeded: count)
        unsafe object.storeBytes(of: room(count), toByteOffset: 16, as: Int.self)
        unsafe object.storeBytes(of: first, toByteOffset: 24, as: UInt64.self)
        let copy = unsafe object + headSize
        var offset = 0
        // Safe: there are 16 bytes at least. The last 16 overlap those before them, and the object has room for a zero after them.
        repeat {
            unsafe copy.storeBytes(
                of: text.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self), toByteOffset: offset,
                as: SIMD16<UInt8>.self)
            offset &+= 16
        } while offset < count &- 16
        let last = count &- 16
        unsafe copy.storeBytes(
            of: text.loadUnaligned(fromByteOffset: last, as: SIMD16<UInt8>.self), toByteOffset: last, as: SIMD16<UInt8>.self)
        unsafe copy.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        var words = (first, UInt64(UInt(bitPattern: object)))
        // Safe: `storage` has checked that a string has these two words. The object's only reference is moved into the string; a cast would
        // retain it.
        return unsafe withUnsafeMutablePointer(to: &words) {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
        }
    }
}
