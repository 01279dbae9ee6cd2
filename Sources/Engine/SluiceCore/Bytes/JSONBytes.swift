// The kinds of text that JSON is read from, if it lies in memory as a whole.

/// JSON text in UTF-8 that lies in memory: a `String`, an array of bytes, a part of either, a buffer or Foundation's `Data`.
///
/// Offsets in errors count from the start of what is given.
///
/// ```swift
/// let price = try Double(json: line.dropFirst("data: ".count))
/// ```
///
/// A type of your own conforms with one function:
///
/// ```swift
/// struct Message: JSONBytes {
///     let payload: [UInt8]
///     func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { payload.withUnsafeBytes(body) }
/// }
/// ```
public protocol JSONBytes {
    /// Calls the closure with the bytes, which lie there as long as it runs.
    func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension String: JSONBytes {
    /// Calls the closure with the string's UTF-8.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
}

extension Substring: JSONBytes {
    /// Calls the closure with the UTF-8 of this part of a string.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = self
        return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
}

extension Array: JSONBytes where Element == UInt8 {
    /// Calls the closure with the elements.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { unsafe withUnsafeBytes(body) }
}

extension ArraySlice: JSONBytes where Element == UInt8 {
    /// Calls the closure with the elements of this part of an array.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { unsafe withUnsafeBytes(body) }
}

extension UnsafeRawBufferPointer: JSONBytes {
    /// Calls the closure with this buffer.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { unsafe body(self) }
}
