// What the argument parser says of a wrong command line, with what was probably meant. The parser checks values before it looks for unknown
// options, so a misspelt option can lead to an error about something else. Here, the misspelt option is named first.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore

extension SluiceCommand {
    /// The whole message of an error.
    static func hintedMessage(for error: any Error, _ arguments: [String]) -> String {
        let (text, message) = (fullMessage(for: error), "Error: " + message(for: error))
        guard exitCode(for: error) == .validationFailure, text.hasPrefix(message) else { return text }
        guard let better = unknownOption(in: arguments) ?? choice(in: message) else { return text }
        return "Error: " + better + text.dropFirst(message.count)
    }

    // MARK: Options

    /// Names the first option that its command does not have; nil without one.
    private static func unknownOption(in arguments: [String]) -> String? {
        guard let command = configuration.subcommands.first(where: { $0.configuration.commandName == arguments.first }) else {
            return nil
        }
        let known = optionNames(of: command)
        let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
        guard let unknown = given.first(where: { !known.contains($0) }) else { return nil }
        let others = configuration.subcommands.filter { optionNames(of: $0).contains(unknown) }
        if !others.isEmpty {
            let names = others.compactMap { $0.configuration.commandName }.joined(separator: ", ")
            return "Unknown option '\(unknown)': \(arguments[0]) does not have it; it is an option of \(names)."
        }
        let meant = KeyLikeness.closest(to: unknown, among: known).map { ". Did you mean '\($0)'?" }
        return "Unknown option '\(unknown)'\(meant ?? "")"
    }

    /// The long names of a command's options. The parser tells them only in the text of its help: there, they begin a line.
    private static func optionNames(of command: any ParsableCommand.Type) -> [String] {
        helpMessage(for: command, includeHidden: true).split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
            let label = line.dropFirst(2).components(separatedBy: "  ")[0]
            return label.components(separatedBy: CharacterSet(charactersIn: ",/ <")).filter { $0.hasPrefix("--") }
        }
    }

    // MARK: Values

    /// An error about a value that is none of an option's choices, with the choice that was probably meant; nil for other errors.
    private static func choice(in message: String) -> String? {
        let (start, middle, end) = ("Error: The value '", "' is invalid for '", ". Please provide one of ")
        guard message.hasPrefix(start), let isInvalid = message.range(of: middle),
            let list = message.range(of: end, range: isInvalid.upperBound..<message.endIndex)
        else { return nil }
        let value = String(message[..<isInvalid.lowerBound].dropFirst(start.count))
        // A long list has a line for each choice, a short one has them in quotes.
        let lines = message[list.upperBound...].components(separatedBy: "\n  - ").dropFirst()
        let quoted = message[list.upperBound...].components(separatedBy: "'").enumerated().filter { $0.offset % 2 == 1 }
        let choices = lines.isEmpty ? quoted.map(\.element) : Array(lines)
        guard let meant = KeyLikeness.closest(to: value, among: choices) else { return nil }
        let head = message[..<list.lowerBound].dropFirst("Error: ".count)
        return "\(head); did you mean '\(meant)'? \(message[list.lowerBound...].dropFirst(2))"
    }
}
#endif
