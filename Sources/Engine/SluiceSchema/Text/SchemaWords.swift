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

    /// `1 element`, `2 elements`.
    static func count(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
