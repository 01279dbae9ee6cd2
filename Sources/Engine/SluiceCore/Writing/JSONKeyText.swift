// The written form of a key that is written many times; it is made once.

/// A key with its quotes, its escapes and its colon. Its memory is freed by ``deallocate()`` alone.
@safe
package struct JSONKeyText: Sendable {
    // Safe: immutable once made, and padded to whole blocks of 16 bytes.
    nonisolated(unsafe) let start: UnsafePointer<UInt8>
    let count: Int

    package init(_ name: String, escapesSlashes: Bool, escapesNonASCII: Bool = false) {
        var writer = JSONWriter(options: .init(escapesSlashes: escapesSlashes, escapesNonASCII: escapesNonASCII))
        writer.writeString(name)
        writer.append(UInt8(ascii: ":"))
        self.init(writer)
    }

    /// Keeps the text of a writer.
    private init(_ writer: borrowing JSONWriter) {
        count = writer.count
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 16)
        unsafe bytes.initialize(repeating: 0, count: count + 16)
        unsafe bytes.update(from: writer.start, count: count)
        unsafe start = unsafe UnsafePointer(bytes)
    }

    /// The colon alone.
    static let colon: JSONKeyText = {
        var writer = JSONWriter()
        writer.append(UInt8(ascii: ":"))
        return JSONKeyText(writer)
    }()

    /// Frees the memory of a key that is not used.
    package func deallocate() { unsafe start.deallocate() }

    /// Copies a key's text in whole blocks, for which the caller has made space. Returns the end of the copy.
    @inline(__always)
    static func copy(
        _ key: UnsafePointer<UInt8>, _ count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        // Safe: keys are padded to whole blocks, and live as long as their table.
        let (key, end) = unsafe (UnsafeRawPointer(key), UnsafeMutableRawPointer(target))
        unsafe end.storeBytes(of: key.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        var offset = 16
        while offset < count {
            let block = unsafe key.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
            unsafe (end + offset).storeBytes(of: block, as: SIMD16<UInt8>.self)
            offset &+= 16
        }
        return unsafe target + count
    }
}
