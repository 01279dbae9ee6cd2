// Runs of bytes compared a word at a time.

/// Whether two runs of bytes are equal; made for keys, which are short.
@inlinable @inline(__always)
package func equalBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    // Safe: every load below ends at or before `count`; the last one of each size overlaps its predecessor instead of
    // running past the end.
    let left = unsafe UnsafeRawPointer(left)
    let right = unsafe UnsafeRawPointer(right)
    @inline(__always) func differ<Bits: FixedWidthInteger>(_ offset: Int, _ type: Bits.Type) -> Bool {
        unsafe left.loadUnaligned(fromByteOffset: offset, as: Bits.self)
            != right.loadUnaligned(fromByteOffset: offset, as: Bits.self)
    }
    if count >= 8 {
        var offset = 0
        while offset &+ 8 <= count {
            if differ(offset, UInt64.self) { return false }
            offset &+= 8
        }
        return !differ(count &- 8, UInt64.self)
    }
    if count >= 4 { return !differ(0, UInt32.self) && !differ(count &- 4, UInt32.self) }
    if count >= 2 { return !differ(0, UInt16.self) && !differ(count &- 2, UInt16.self) }
    return count == 0 || !differ(0, UInt8.self)
}
