// The tool as it was built, run in a folder of its own, by a shell or by itself: what a user types, with what the user sees.

#if CommandLine && !os(iOS)
import Foundation
import SluiceTestSupport

/// Commands that are run with `sluice` in the path.
struct Shell {
    /// What a command has printed, and how it ended.
    struct Result: Equatable {
        /// The exit code; 128 and the signal's number if a signal ended it.
        var status: Int32
        var output: String
        var errors: String
    }

    /// A command that is running.
    final class Running {
        fileprivate let process = Process()
        fileprivate let output: URL
        fileprivate let errors: URL

        fileprivate init(
            _ executable: URL, _ arguments: [String], _ scratch: Scratch, _ environment: [String: String] = [:]
        ) throws {
            let name = UUID().uuidString
            // Beside the folder, which the commands see empty.
            output = scratch.folder.appendingPathExtension("\(name).out")
            errors = scratch.folder.appendingPathExtension("\(name).err")
            try Data().write(to: output)
            try Data().write(to: errors)
            process.executableURL = executable
            process.arguments = arguments
            process.currentDirectoryURL = scratch.folder
            var all = ProcessInfo.processInfo.environment
            all["PATH"] = "\(Shell.folder.path):\(all["PATH"] ?? "/usr/bin:/bin")"
            // Whatever the tests run in, the tool is on no terminal, and knows nothing of colours.
            for name in ["NO_COLOR", "TERM", "COLUMNS"] { all[name] = nil }
            process.environment = all.merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = try FileHandle(forWritingTo: errors)
            // Threads of dispatch block signals, and the processes that they start inherit that.
            var signals = sigset_t()
            var before = sigset_t()
            unsafe sigemptyset(&signals)
            for signal in [SIGINT, SIGTERM] { unsafe sigaddset(&signals, signal) }
            unsafe pthread_sigmask(Int32(SIG_UNBLOCK), &signals, &before)
            defer { unsafe pthread_sigmask(Int32(SIG_SETMASK), &before, nil) }
            try process.run()
        }

        /// The process's number: that of the tool if the script ends with `exec sluice`.
        var id: Int32 { process.processIdentifier }

        var isRunning: Bool { process.isRunning }

        /// Kills it after a time, with SIGKILL.
        func kill(after seconds: Double) throws {
            Thread.sleep(forTimeInterval: seconds)
            if process.isRunning { Foundation.kill(id, SIGKILL) }
            _ = try result()
        }

        /// Waits for the end; what does not end within five minutes is killed.
        func result() throws -> Result {
            let deadline = Date(timeIntervalSinceNow: 300)
            while process.isRunning, Date() < deadline { usleep(2_000) }
            if process.isRunning { Foundation.kill(id, SIGKILL) }
            process.waitUntilExit()
            defer {
                try? FileManager.default.removeItem(at: output)
                try? FileManager.default.removeItem(at: errors)
            }
            let isKilled = process.terminationReason == .uncaughtSignal
            return try Result(
                status: process.terminationStatus + (isKilled ? 128 : 0), output: String(contentsOf: output, encoding: .utf8),
                errors: String(contentsOf: errors, encoding: .utf8))
        }
    }

    /// Where the executables of this build are: beside the tests.
    static let folder: URL = {
        #if os(Linux)
        return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        #else
        final class Mark {}
        return Bundle(for: Mark.self).bundleURL.deletingLastPathComponent()
        #endif
    }()

    static let isPresent = FileManager.default.isExecutableFile(atPath: folder.appendingPathComponent("sluice").path)

    /// Whether there is a device that is always full; macOS has none.
    static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")
}

extension Scratch {
    /// Starts a command of the shell in this folder.
    func start(_ script: String, environment: [String: String] = [:]) throws -> Shell.Running {
        try Shell.Running(URL(fileURLWithPath: "/bin/sh"), ["-c", script], self, environment)
    }

    /// Starts the tool itself, with arguments that no shell has read.
    func startSluice(_ arguments: [String]) throws -> Shell.Running {
        try Shell.Running(Shell.folder.appendingPathComponent("sluice"), arguments, self)
    }

    /// Runs the tool itself.
    func sluice(_ arguments: [String]) throws -> Shell.Result { try startSluice(arguments).result() }

    /// Runs a command of the shell in this folder.
    func shell(_ script: String, environment: [String: String] = [:]) throws -> Shell.Result {
        try start(script, environment: environment).result()
    }
}
#endif
