// What the shell learns.

#if CommandLine
internal import ArgumentParser

/// The exit codes of `sluice`, as `--help` lists them.
enum ExitStatus: Hashable {
    /// All that was asked for is done.
    case success
    /// `check` found something wrong.
    case invalid
    /// Something of the input is not in the output: records were rejected, or values left out.
    case rejected
    /// A file or the database could not be opened, read or written.
    case inputOutput
    /// More records were rejected than `--max-errors` allows.
    case tooManyErrors
    /// A key came that `--contract freeze` forbids.
    case frozen
    /// The command line is wrong: EX_USAGE of sysexits.h, which ArgumentParser uses too.
    case usage
    /// A signal ended the work early; what was read before it is stored.
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

    /// What the work ends with of which one part ended like this and another like that.
    func worse(_ other: ExitStatus) -> ExitStatus { code < other.code ? other : self }

    var exitCode: ExitCode { ExitCode(code) }
}
#endif
