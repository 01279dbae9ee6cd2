// A source as a user writes it, in safe code: it appends byte after byte.

package import SluiceCore

/// Appends a few bytes at each call, without filling the room, and can throw after it has appended some.
package struct AppendingSource: ByteSource {
    private let bytes: [UInt8]
    private let chunkSize: Int
    private let failure: Int
    private var offset = 0
    private var calls = 0

    /// What errors call the source.
    package let name = "the faulty disk"

    /// - Parameters:
    ///   - chunkSize: The most bytes of a call.
    ///   - failure: The call, counted from 1, from which on each call appends its bytes and then throws.
    package init(_ bytes: [UInt8], chunkSize: Int, failingAt failure: Int = .max) {
        self.bytes = bytes
        self.chunkSize = chunkSize
        self.failure = failure
    }

    package mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        calls += 1
        let end = offset + min(bytes.count - offset, chunkSize, output.freeCapacity)
        for byte in bytes[offset..<end] { output.append(byte) }
        offset = end
        if calls >= failure { throw JSONError.inputOutput("read", name, 5) }
    }
}
