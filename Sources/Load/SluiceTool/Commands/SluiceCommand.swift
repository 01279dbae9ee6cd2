// Runs the subcommand that the first word of the command line names.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// Runs the tool, by default with the arguments of the process. After an error, or after printing help or the version, it ends the
/// process.
package func runSluice(_ arguments: [String]? = nil) {
    let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
    StandardStreams.occupy()
    StandardStreams.ignoreFileSizeLimit()
    // Every command but this one looks whether a signal came.
    if arguments.first != GenerateCommand.configuration.commandName { Interruption.watch() }
    do {
        var command = try SluiceCommand.parseAsRoot(FeedOptions.AtOptional.filled(TypeOption.joined(arguments)))
        try command.run()
    } catch {
        if let word = arguments.first, let problem = SluiceCommand.problem(ofCommand: word) {
            Terminal.tell(problem)
            exit(ExitStatus.usage.code)
        }
        end(with: error, arguments)
    }
}

/// Prints the message of an error, and ends the process. The message may be the help or version that the user asked for.
private func end(with error: any Error, _ arguments: [String]) -> Never {
    let code = SluiceCommand.exitCode(for: error)
    let text = SluiceCommand.hintedMessage(for: error, arguments).printableLines.withoutPasswords
    guard !text.isEmpty else { exit(code.rawValue) }
    guard code.isSuccess else {
        Terminal.show(text + "\n")
        exit(code.rawValue)
    }
    do throws(JSONError) {
        try Terminal.put(text + "\n")
    } catch {
        Terminal.tell("sluice: \(error.summary)")
        exit(ExitStatus.inputOutput.code)
    }
    exit(code.rawValue)
}

/// `sluice`.
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Streams JSON records into SQLite and PostgreSQL, checks them and converts them.",
        discussion: """
            EXAMPLES
              sluice generate --records 200000 --seed 1 events.ndjson
              sluice check events.ndjson
              sluice ingest events.ndjson events.db
            """,
        version: "sluice \(SluiceVersion.text)\nyajl \(YajlLibrary.version)",
        subcommands: [
            IngestCommand.self, CheckCommand.self, InferCommand.self, ConvertCommand.self, QueryCommand.self,
            ReplayCommand.self, StatusCommand.self, LocateCommand.self, GenerateCommand.self,
        ])

    /// What is wrong with the first word of a command line; nil if it is an option or a command.
    static func problem(ofCommand word: String) -> String? {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
        let meant = KeyLikeness.closest(to: word, among: names).map { "did you mean '\($0)'?" }
        return "Error: '\(word)' is no command; \(meant ?? "there are \(names.joined(separator: ", "))")\n"
            + "  See 'sluice --help' for more information."
    }
}
#else
internal import Foundation

/// Replaces the tool in a build without its dependencies.
package func runSluice(_ arguments: [String]? = nil) {
    let text = "sluice was built without the package trait CommandLine, which brings in what the tool needs.\n"
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    exit(1)
}
#endif
