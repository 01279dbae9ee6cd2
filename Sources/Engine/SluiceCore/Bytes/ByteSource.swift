// Where JSON text comes from if it does not lie in memory as a whole.

internal import SluiceSystem

/// Gives bytes in order, some at a time.
public protocol ByteSource {
    /// The name of the source in errors, such as the file's path; by default, the name of its type.
    var name: String { get }

    /// Puts the next bytes into `buffer` and returns how many they are; 0 at the end.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int
}

extension ByteSource {
    /// The name of the source's type.
    public var name: String { "\(type(of: self))" }

    /// Reads, and throws if the source claims more bytes than the buffer has room for.
    package mutating func readChecked(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        let count = unsafe try read(into: buffer)
        guard count >= 0, count <= buffer.count else { throw overclaim(count, buffer.count) }
        return count
    }

    @inline(never)
    private func overclaim(_ count: Int, _ room: Int) -> JSONError {
        JSONError(.inputOutput, found: "cannot read \(name): it claims \(count) bytes, and there is room for \(room)")
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

    /// Reads the bytes that are available, at most as many as the buffer holds; waits only if there are none.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        let part = unsafe CallSize.part(of: buffer)
        while true {
            let count = unsafe SluiceSystem.read(descriptor, part.baseAddress, part.count)
            if count >= 0 { return count }
            // A call that a signal has interrupted before its first byte is repeated.
            if errno != EINTR { throw JSONError.inputOutput("read", name, errno) }
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
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(bytes.count - offset, chunkSize, buffer.count)
        unsafe bytes.withUnsafeBytes {
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<(offset + count)]))
        }
        offset += count
        return count
    }
}

extension JSONError {
    /// An error of the operating system.
    package static func inputOutput(_ action: String, _ name: String, _ code: Int32) -> JSONError {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return JSONError(.inputOutput, found: "cannot \(action) \(name): \(reason)")
    }
}
