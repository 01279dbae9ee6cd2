// The tool as a process of its own, from the folder that the tests were built into.

#if CommandLine && os(Linux)
import Foundation
import Testing

/// Runs the built tool.
enum BuiltTool {
    struct Result {
        let code: Int32
        let output: String
        let error: String
    }

    /// The tool, not started yet.
    static func process(_ arguments: [String]) throws -> Process {
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("sluice")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs it to its end.
    static func run(_ arguments: [String], input: String? = nil) throws -> Result {
        let process = try process(arguments)
        let (output, error) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = error
        let feed = Pipe()
        if input != nil { process.standardInput = feed }
        try process.run()
        if let input {
            try feed.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try feed.fileHandleForWriting.close()
        }
        // What is printed is less than a pipe holds.
        process.waitUntilExit()
        func text(_ pipe: Pipe) -> String { String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
        return Result(
            code: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
            output: text(output), error: text(error))
    }

    /// Starts it, and kills it after a time; whether it was still at work then.
    static func kill(_ arguments: [String], after seconds: Double) throws -> Bool {
        let process = try process(arguments)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: seconds)
        let wasRunning = process.isRunning
        if wasRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return wasRunning
    }
}
#endif
