// Opens an input of the command line: a source of bytes that ends early when a signal arrives.

internal import Foundation
package import SluiceCore
package import SluiceFeed

/// An open input.
package final class CommandInput {
    /// The input's bytes, which end early when a signal arrives; readable as long as this object lives.
    package let source: any ByteSource
    /// The input's size, if it is a regular file.
    package let size: Int?
    /// The open file, if the input is one. Nil also if a signal came while opening a FIFO waited for its writer.
    package let file: OpenFile?
    /// What to wait for before reading; nil if reading never waits, or if that is unknown.
    private let awaited: Int32?
    private let interruption: Interruption

    // On Linux, `poll` waits for the writer of a FIFO as it does for bytes, so that no signal is missed.
    #if os(Linux)
    private static let waitsForWriter = false
    #else
    private static let waitsForWriter = true
    #endif

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package convenience init(path: String, interruption: Interruption) throws(JSONError) {
        try self.init(IngestInput(path), interruption: interruption)
    }

    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package init(_ input: IngestInput, interruption: Interruption) throws(JSONError) {
        self.interruption = interruption
        switch input {
        case .source(let given, let total):
            (source, size, file, awaited) = (given, total, nil, nil)
        case .standardInput:
            source = InterruptibleSource(descriptor: STDIN_FILENO, name: input.name, interruption: interruption)
            size = OpenFile.size(of: STDIN_FILENO)
            file = nil
            awaited = size == nil ? STDIN_FILENO : nil
        case .member(let member):
            let file = try OpenFile(path: member.openPath)
            (source, size, self.file, awaited) = (file.source, file.size, file, nil)
        case .file(let path):
            do throws(JSONError) {
                let file = try OpenFile(path: path, waitsForWriter: CommandInput.waitsForWriter)
                source = InterruptibleSource(descriptor: file.descriptor, name: path, interruption: interruption)
                size = file.size
                self.file = file
                awaited = size == nil ? file.descriptor : nil
            } catch {
                // Opening a FIFO waits for its writer; a signal ends that wait.
                guard interruption.received != 0 else { throw error }
                source = BytesSource([])
                size = nil
                file = nil
                awaited = nil
            }
        }
    }

    /// Whether reading may have to wait for a writer.
    package var mayWait: Bool { awaited != nil }

    /// Whether there is something to read, or will be within some milliseconds.
    package func isReady(within milliseconds: Int) -> Bool {
        awaited.map { interruption.waits(for: $0, atMost: milliseconds) } ?? true
    }
}

/// A source whose type is known only at run time.
package struct AnyByteSource: ByteSource {
    package var source: any ByteSource
    /// The input that must stay open as long as the source is read; nil if the caller keeps it open.
    package var input: CommandInput?
    package var name: String { source.name }

    package init(source: any ByteSource, input: CommandInput? = nil) {
        self.source = source
        self.input = input
    }

    package mutating func read(into output: inout OutputRawSpan) throws(JSONError) {
        try source.read(into: &output)
    }
}
