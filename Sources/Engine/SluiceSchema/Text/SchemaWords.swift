// The words of messages.

internal import SluiceCore

/// Makes the words of messages.
enum SchemaWords {
    /// The most bytes of a text that is shown.
    private static let longest = 60

    /// A text in one line, cut where it is long.
    static func short(_ text: String) -> String {
        guard text.utf8.count > longest else { return text.printable }
        // Characters can be long, too.
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))).printable + "…"
    }

    /// `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    static func count(_ count: Int, _ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }
}
