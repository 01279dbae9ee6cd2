// Where JSON text goes to.

/// Takes bytes in order.
///
/// ```swift
/// struct Counter: ByteSink {
///     var count = 0
///     mutating func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
/// }
/// ```
public protocol ByteSink {
    /// Takes the next bytes; they may be read during the call only.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` when they cannot be kept.
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError)
}

extension [UInt8]: ByteSink {
    /// Appends the bytes.
    public mutating func write(_ bytes: UnsafeRawBufferPointer) { unsafe append(contentsOf: bytes) }
}
