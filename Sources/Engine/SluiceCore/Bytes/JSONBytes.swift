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

extension JSONBytes where Self: StringProtocol {
    /// Calls the closure with the text's UTF-8.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable({ unsafe body(UnsafeRawBufferPointer($0)) }) { return result }
        var text = String(self)
        return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
    }
}

extension JSONBytes where Self: Collection, Element == UInt8 {
    /// Calls the closure with the bytes; with a copy of them if they do not lie in one piece.
    @inlinable
    public func withJSONBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ unsafe body(UnsafeRawBufferPointer($0)) }) { return result }
        return unsafe Array(self).withUnsafeBytes(body)
    }
}

extension String: JSONBytes {}
extension Substring: JSONBytes {}
extension Array: JSONBytes where Element == UInt8 {}
extension ArraySlice: JSONBytes where Element == UInt8 {}
extension UnsafeRawBufferPointer: JSONBytes {}
