// A source that behaves as a bad disk or a slow line does.

package import SluiceCore

/// Gives bytes in pieces, and does something wrong at chosen calls.
package struct FaultySource: BufferSource {
    /// What goes wrong.
    package enum Fault: CaseIterable, Sendable {
        /// The read fails.
        case failure
        /// One byte comes where more were asked for and are there.
        case shortRead
    }

    private let bytes: [UInt8]
    private let chunkSize: Int
    private let fault: Fault
    private let first: Int
    private let isLasting: Bool
    private var offset = 0
    private var calls = 0

    /// What errors call the source.
    package let name = "the faulty disk"

    /// - Parameters:
    ///   - first: The call, counted from 1, at which the fault happens.
    ///   - isLasting: Whether it happens at every later call, too.
    package init(_ bytes: [UInt8], chunkSize: Int, _ fault: Fault, at first: Int, isLasting: Bool) {
        self.bytes = bytes
        self.chunkSize = chunkSize
        self.fault = fault
        self.first = first
        self.isLasting = isLasting
    }

    package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        calls += 1
        let isFaulty = calls == first || (isLasting && calls > first)
        if isFaulty, fault == .failure { throw JSONError.inputOutput("read", name, 5) }
        let count = min(bytes.count - offset, isFaulty ? 1 : chunkSize, buffer.count)
        unsafe buffer.copyBytes(from: bytes[offset..<(offset + count)])
        offset += count
        return count
    }

    /// How many calls reading all bytes takes when nothing goes wrong.
    package static func calls(_ count: Int, chunkSize: Int) -> Int { (count + chunkSize - 1) / chunkSize + 1 }
}
