// The exit codes that the shell gets.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// The exit codes of `sluice`, as `--help` lists them.
enum ExitStatus: Hashable {
    /// Everything that was asked for is done.
    case success
    /// `check` found something wrong.
    case invalid
    /// Part of the input is not in the output: records were rejected, or values left out.
    case rejected
    /// A file or the database could not be opened, read or written.
    case inputOutput
    /// More records were rejected than `--max-errors` allows.
    case tooManyErrors
    /// A key appeared that `--contract freeze` forbids.
    case frozen
    /// The command line is wrong: EX_USAGE of sysexits.h, which ArgumentParser uses too.
    case usage
    /// A signal ended the work early; the records read before it are stored.
    case interrupted(signal: Int32)

    var code: Int32 {
        switch self {
        case .success: 0
        case .invalid: 1
        case .rejected: 2
        case .inputOutput: 3
        case .tooManyErrors: 4
        case .frozen: 5
        case .usage: 64
        case .interrupted(let signal): 128 + signal
        }
    }

    /// The status of work in two parts, where one part ended with this status and the other with `other`: the higher code wins.
    func worse(_ other: ExitStatus) -> ExitStatus { code < other.code ? other : self }

    /// A signal's name in messages.
    static func name(ofSignal signal: Int32) -> String {
        switch signal {
        case SIGINT: "SIGINT"
        case SIGTERM: "SIGTERM"
        default: "signal \(signal)"
        }
    }

    var exitCode: ExitCode { ExitCode(code) }

    /// Runs the work of a command. An error of it is written to standard error, and becomes the exit code.
    ///
    /// - Parameter detail: A second line for an error of the command, such as the first error in its input.
    static func reportingErrors(_ body: () throws -> Void, detail: () -> String? = { nil }) throws {
        do {
            try body()
        } catch let error as IngestError {
            Terminal.tell("sluice: \(error.commandLine)")
            if let detail = detail() { Terminal.tell(detail) }
            throw error.status.exitCode
        } catch let error as JSONError {
            Terminal.tell("sluice: \(error.summary)")
            throw ExitStatus.inputOutput.exitCode
        }
    }
}

/// Refuses a command line for which a condition does not hold.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ValidationError(message()) }
}

extension IngestError {
    /// The exit status of the process.
    var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .noColumns: .rejected
        case .database, .locked, .outrun, .input, .output: .inputOutput
        case .frozen: .frozen
        }
    }
}

extension IngestReport {
    /// The exit status of the process.
    var status: ExitStatus {
        switch outcome {
        case .complete, .nothingToDo: isWhole ? .success : .rejected
        case .tooManyErrors: .tooManyErrors
        case .frozen: .frozen
        case .interrupted(let signal): .interrupted(signal: signal)
        case .failed: .inputOutput
        }
    }
}
#endif
