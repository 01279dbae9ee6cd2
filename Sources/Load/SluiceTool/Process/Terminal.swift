// Output for people, on standard error and standard output.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// Standard error and standard output, unbuffered.
enum Terminal {
    /// Writes a message to standard error. A failure is ignored, because it cannot be reported anywhere else. The tool's name
    /// before an error is coloured on a terminal that shows colours.
    static func tell(_ message: String) {
        let (name, line) = ("sluice: ", message.printableLines.withoutPasswords)
        guard line.hasPrefix(name) else { return show(line + "\n") }
        show(Colour.red.paint("sluice:", on: STDERR_FILENO) + " " + line.dropFirst(name.count) + "\n")
    }

    /// Writes text to standard error, as it is: it may have colours.
    static func show(_ text: String) { try? write(text, to: FileOutput(descriptor: STDERR_FILENO, name: "standard error")) }

    /// Writes text to standard output.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    static func put(_ text: String) throws(JSONError) {
        try write(text, to: FileOutput(descriptor: STDOUT_FILENO, name: "standard output"))
    }

    /// The width of a terminal in columns; 80 if it does not say.
    static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static func write(_ text: String, to output: FileOutput) throws(JSONError) {
        var output = output
        try output.put(Array(text.utf8))
    }
}

/// Colours on a terminal.
enum Colour: Int {
    case red = 31
    case green = 32

    /// The text in this colour if the descriptor is a terminal that shows colours and the user has not turned them off
    /// (https://no-color.org); otherwise the plain text.
    func paint(_ text: String, on descriptor: Int32) -> String {
        Colour.areWelcome(on: descriptor) ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }

    private static func areWelcome(on descriptor: Int32) -> Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(descriptor) == 1 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}

extension String {
    /// The text without the passwords of addresses, and of settings of a connection.
    var withoutPasswords: String {
        replacing(/\/\/\S*@/) { _ in "//...@" }
            .replacing(/(password\s*=\s*)('[^']*'|[^\s&'"]+)/.ignoresCase()) { "\($0.1)..." }
    }
}
#endif
