// A name on the command line becomes bytes that come until they end, or until a signal arrives; and a feed of records.

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

extension CommandInput {
    /// The records of the input, or those of a range of it.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if it has no ranges.
    func feed<Record: JSONReadable>(
        of type: Record.Type, _ reading: FeedReading, _ options: JSONReader.Options = .init(), maximumRecordSize: Int? = nil
    ) throws(JSONError) -> JSONFeed<Record> {
        var feedOptions = reading.options(of: type, reading: options)
        if let maximumRecordSize { feedOptions.maximumRecordSize = maximumRecordSize }
        guard let range = reading.range else {
            return JSONFeed(source: source, totalBytes: size, options: feedOptions)
        }
        guard let file else { throw .inputOutput("cannot read a range of \(source.name): it is not a regular file") }
        return try JSONFeed(file: file, range: range, options: feedOptions)
    }
}
#endif
