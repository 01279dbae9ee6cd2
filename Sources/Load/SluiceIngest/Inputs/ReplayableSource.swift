// Reads bytes whose beginning is read twice: the first records are read once to find the columns, and once to be stored.

package import SluiceCore

/// A source whose beginning can be read again, and which measures the time that reading takes.
///
/// The bytes to be read again are kept in memory, up to a limit. At the limit, the first reading ends.
package final class ReplayableSource: BufferSource {
    private var source: any ByteSource
    private var recorded: [UInt8] = []
    private var isRecording: Bool
    /// Whether the source has ended. A terminal would ask for another end of file if it were read again.
    private var hasEnded = false
    /// Why the source could not be read. It is not read again, because bytes could be missing after the failure.
    private var failure: JSONError?
    private let recordingLimit: Int
    /// How many of the kept bytes have been returned again.
    private var replayed = 0

    /// Time spent reading the source, in nanoseconds.
    package private(set) var nanoseconds: UInt64 = 0
    /// How many bytes have been read from the source.
    package private(set) var count = 0

    package var name: String { source.name }

    /// - Parameter recordingLimit: The most bytes to keep; 0 if the beginning is not read again.
    package init(_ source: any ByteSource, recordingLimit: Int = .max) {
        self.source = source
        isRecording = recordingLimit > 0
        self.recordingLimit = recordingLimit
    }

    /// Whether the next read gives bytes that are kept, or the end that was found.
    package var isReplaying: Bool { !isRecording && replayed < recorded.count || hasEnded }

    /// Goes back to the start. This works once: bytes that are read afterwards are not kept.
    package func rewind() { isRecording = false }

    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        if !isRecording, replayed < recorded.count { return unsafe replay(into: buffer) }
        if hasEnded || isRecording && recorded.count >= recordingLimit { return 0 }
        if let failure { throw failure }
        let start = Clock.nanoseconds
        let read: Int
        do throws(JSONError) {
            read = unsafe try source.read(into: buffer)
        } catch {
            failure = error
            throw error
        }
        nanoseconds += Clock.nanoseconds - start
        count += read
        hasEnded = unsafe read == 0 && !buffer.isEmpty
        if isRecording { unsafe recorded.append(contentsOf: buffer[..<read]) }
        return read
    }

    private func replay(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = recorded[replayed..<min(recorded.count, replayed + buffer.count)]
        unsafe buffer.copyBytes(from: piece)
        replayed += piece.count
        if replayed == recorded.count {
            recorded = []
            replayed = 0
        }
        return piece.count
    }
}
