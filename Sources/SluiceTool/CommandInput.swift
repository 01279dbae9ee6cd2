// A name on the command line becomes bytes that come until they end, or until a signal arrives.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceFeed

/// An input that is open.
final class CommandInput {
    /// The input's bytes, which end when a signal arrives; readable as long as this object lives.
    let source: any ByteSource
    /// The input's size, if it is a regular file.
    let size: Int?
    /// The input, if it is a file; nil as well if a signal came while its writer was awaited.
    let file: OpenFile?

    // On Linux `poll` waits for the writer of a FIFO as it waits for bytes, so that a signal is never missed.
    #if os(Linux)
    private static let waitsForWriter = false
    #else
    private static let waitsForWriter = true
    #endif

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    convenience init(path: String, interruption: Interruption) throws(JSONError) {
        try self.init(path == "-" ? .standardInput : .file(path), interruption: interruption)
    }

    /// - Throws: ``JSONError`` of kind `inputOutput`.
    init(_ input: IngestInput, interruption: Interruption) throws(JSONError) {
        switch input {
        case .source(let given, let total):
            (source, size, file) = (given, total, nil)
        case .standardInput:
            source = InterruptibleSource(descriptor: STDIN_FILENO, name: input.name, interruption: interruption)
            size = OpenFile.size(of: STDIN_FILENO)
            file = nil
        case .file(let path):
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
}
#endif
