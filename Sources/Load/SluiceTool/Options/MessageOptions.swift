// The messages that a command prints while it works and afterwards: the options that all commands share.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

/// Options about messages.
struct MessageOptions: ParsableArguments {
    @Option(help: "Show how far the work has come: auto, where standard error is a terminal; always; never.")
    var progress: ProgressLine.Visibility = .auto

    @Flag(name: .shortAndLong, help: "Show neither progress nor a report; errors are still shown.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show more: the time that was needed, and more of what is wrong.")
    var verbose = false

    func validate() throws {
        try require(!(quiet && verbose), "--quiet and --verbose exclude each other.")
    }

    /// The progress line that these options ask for.
    var progressLine: ProgressLine { .standard(isQuiet: quiet, visibility: progress) }
}

extension ProgressLine.Visibility: ExpressibleByArgument {}
#endif
