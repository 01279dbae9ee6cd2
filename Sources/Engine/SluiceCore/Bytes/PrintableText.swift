// Text from outside (keys, values, names of files, messages of a server) passes through here before it becomes part of a message or goes to
// a terminal. A character that a terminal obeys, or that breaks a line or turns it around, is shown by its number. The macro's target has
// this file too, by a symbolic link: so it imports nothing.

extension Unicode.Scalar {
    /// Whether the character has no picture of its own, but commands a terminal or changes the text around it: C0, DEL, C1, line breaks, and
    /// marks that set the direction of text. The two that join letters and emoji are left.
    package var isCommand: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0x200C && value != 0x200D
        default: false
        }
    }
}

extension String {
    /// The text on one line, without characters that command a terminal. These become escapes as in Swift: `\n`, `\u{1b}`.
    package var printable: String {
        replacingCommands { scalar in
            switch scalar {
            case "\n": #"\n"#
            case "\r": #"\r"#
            case "\t": #"\t"#
            default: #"\u{"# + String(scalar.value, radix: 16) + "}"
            }
        }
    }

    /// The same for a text of several lines, whose line breaks stay.
    package var printableLines: String {
        replacingCommands { $0 == "\n" ? "\n" : String($0).printable }
    }

    /// The same for a text of JSON, whose layout stays. Inside its strings, the escapes are those of JSON: `\u001b`.
    package var printableJSON: String {
        replacingCommands { scalar in
            if scalar == "\n" { return "\n" }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return #"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }.joined()
        }
    }

    /// The text with a dot for each such character, so that a mark below it stays at its position.
    package var dotted: String { replacingCommands { _ in "." } }

    private func replacingCommands(_ replacement: (Unicode.Scalar) -> String) -> String {
        // Most texts are printable ASCII.
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }), unicodeScalars.contains(where: \.isCommand) else { return self }
        return replacingScalars { $0.isCommand ? replacement($0) : nil }
    }

    /// The text with others in place of some scalars.
    ///
    /// - Parameter replacement: Nil for a scalar that stays.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if let other = replacement(scalar) { text += other.unicodeScalars } else { text.append(scalar) }
        }
        return String(text)
    }
}
