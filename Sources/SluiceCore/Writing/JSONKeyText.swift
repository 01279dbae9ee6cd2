// The written form of a key that is written many times; it is made once.

/// A key with its quotes, its escapes and its colon. Its memory is freed by ``deallocate()`` alone.
@safe
package struct JSONKeyText: Sendable {
    // Safe: immutable once made, and padded to whole blocks of 16 bytes.
    nonisolated(unsafe) let start: UnsafePointer<UInt8>
    let count: Int

    package init(_ name: String, escapesSlashes: Bool) {
        var options = JSONWriter.Options()
        options.escapesSlashes = escapesSlashes
        var writer = JSONWriter(options: options)
        writer.writeString(name)
        writer.append(UInt8(ascii: ":"))
        count = writer.count
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 16)
        unsafe bytes.initialize(repeating: 0, count: count + 16)
        unsafe bytes.update(from: writer.start, count: count)
        unsafe start = unsafe UnsafePointer(bytes)
    }

    /// Frees the memory of a key that is not used.
    package func deallocate() { unsafe start.deallocate() }
}
