#if CommandLine
import Foundation

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceTool

/// What `sluice convert` does, without its command line.
enum Conversion {
    /// Converts a file into another one, and returns what was written; nothing if the output was not completed.
    static func run(_ options: IngestOptions, _ form: FileSink.Form, of path: String, to output: String) throws -> (
        bytes: [UInt8], report: IngestReport
    ) {
        try? FileManager.default.removeItem(atPath: output)
        let job = IngestJob(options, into: FileSink(path: output, form))
        let report = try job.run(input: path, progress: ProgressLine(isShown: false))
        return (Array((try? Data(contentsOf: URL(filePath: output))) ?? Data()), report)
    }

    /// Converts a file into any form, and returns the report.
    static func report(_ options: IngestOptions, _ form: ConvertCommand.Form, of path: String, to output: String) throws
        -> IngestReport
    {
        if let file = form.file { return try run(options, file, of: path, to: output).report }
        var conversion = ArrowConversion(options, to: MemorySink(), destination: "memory")
        try conversion.run([IngestInput(path)])
        return conversion.report
    }

    /// Keeps nothing of what is written.
    private struct MemorySink: ByteSink {
        mutating func write(_ bytes: UnsafeRawBufferPointer) {}
    }
}
#endif
