// A name on the command line becomes bytes that come until they end, or until a signal arrives.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

/// An input that is open: a file, or standard input for `-`.
final class CommandInput {
    /// The input's bytes; readable as long as this object lives.
    let source: any ByteSource
    /// The input's size, if it is a regular file.
    let size: Int?
    private let file: OpenFile?

    // On Linux `poll` waits for the writer of a FIFO as it waits for bytes, so that a signal is never missed.
    #if os(Linux)
    private static let waitsForWriter = false
    #else
    private static let waitsForWriter = true
    #endif

    /// - Throws: ``JSONError`` of kind `inputOutput`.
    init(path: String, interruption: Interruption) throws(JSONError) {
        guard path != "-" else {
            source = InterruptibleSource(descriptor: 0, name: "standard input", interruption: interruption)
            size = OpenFile.size(of: 0)
            file = nil
            return
        }
        do throws(JSONError) {
            let file = try OpenFile(path: path, waitsForWriter: CommandInput.waitsForWriter)
            source = InterruptibleSource(descriptor: file.descriptor, name: path, interruption: interruption)
            size = file.size
            self.file = file
        } catch {
            // Opening a FIFO waits for its writer; a signal ends that wait.
            guard interruption.received != 0 else { throw error }
            source = BytesSource([])
            size = nil
            file = nil
        }
    }
}
#endif
