// Where JSON text comes from if it does not lie in memory as a whole.

internal import SluiceSystem

/// Gives bytes in order, some at a time.
///
/// ```swift
/// struct Ones: ByteSource {
///     var left: Int
///     mutating func read(into output: inout OutputRawSpan) {
///         let count = min(left, output.freeCapacity)
///         for _ in 0..<count { output.append(UInt8(ascii: "1")) }
///         left -= count
///     }
/// }
/// ```
public protocol ByteSource {
    /// The name of the source in errors, such as the file's path; by default, the name of its type.
    var name: String { get }

    /// Appends the next bytes to `output`, which has room for `output.freeCapacity` of them; none at the end.
    ///
    /// Safe code cannot claim bytes that it has not appended. Who uses `withUnsafeMutableBytes` answers for the count: a count beyond the
    /// room ends the process. So does another span put in the place of `output`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`. Bytes that were appended before are lost.
    mutating func read(into output: inout OutputRawSpan) throws(JSONError)
}

extension ByteSource {
    /// The name of the source's type.
    public var name: String { "\(type(of: self))" }

    /// Puts the next bytes into `buffer` and returns how many they are; 0 at the end.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
        try read(into: &output)
        return unsafe output.finalize(for: buffer)
    }
}

extension OutputRawSpan {
    /// Appends bytes that `fill` puts into the free room, and whose number it returns.
    package mutating func append<Failure: Error>(
        by fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        try unsafe withUnsafeMutableBytes { room, count throws(Failure) in
            count += try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: room[count...]))
        }
    }
}

/// A source that reads into memory at an address.
package protocol BufferSource: ByteSource {
    /// Puts the next bytes into `buffer` and returns how many they are; 0 at the end.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int
}

extension BufferSource {
    package mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try unsafe output.append { buffer throws(JSONError) in try unsafe fill(buffer) }
    }
}

/// An open file, pipe or socket.
public struct FileDescriptorSource: ByteSource, Sendable {
    private let descriptor: Int32
    /// The name of the file in errors.
    public let name: String

    /// Reads from a descriptor that the caller keeps open and closes.
    public init(descriptor: Int32, name: String = "the input") {
        self.descriptor = descriptor
        self.name = name
    }

    /// Reads the bytes that are available, at most as many as `output` has room for; waits only if there are none.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    public mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try unsafe output.append { buffer throws(JSONError) in
            let part = unsafe CallSize.part(of: buffer)
            while true {
                let count = unsafe SluiceSystem.read(descriptor, part.baseAddress, part.count)
                if count >= 0 { return count }
                // A call that a signal has interrupted before its first byte is repeated.
                if errno != EINTR { throw JSONError.inputOutput("read", name, errno) }
            }
        }
    }
}

/// Bytes in memory, given out in pieces of a chosen size.
public struct BytesSource: ByteSource, Sendable {
    private let bytes: [UInt8]
    private let chunkSize: Int
    private var offset = 0

    /// - Parameters:
    ///   - bytes: All bytes of the source.
    ///   - chunkSize: The most bytes that one call gives; at least 1.
    public init(_ bytes: [UInt8], chunkSize: Int = .max) {
        self.bytes = bytes
        self.chunkSize = max(chunkSize, 1)
    }

    /// Copies the next piece.
    public mutating func read(into output: inout OutputRawSpan) {
        let count = min(bytes.count - offset, chunkSize, output.freeCapacity)
        let piece = offset..<(offset + count)
        unsafe output.append { buffer in
            unsafe bytes.withUnsafeBytes { unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[piece])) }
            return count
        }
        offset += count
    }
}

extension JSONError {
    /// An error of the operating system.
    package static func inputOutput(_ action: String, _ name: String, _ code: Int32) -> JSONError {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return JSONError(.inputOutput, found: "cannot \(action) \(name): \(reason)")
    }
}
