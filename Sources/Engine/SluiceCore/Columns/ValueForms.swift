// What the texts and whole numbers at a position may stand for: dates, times, addresses, a few words. It is found for descriptions of
// records only. Nothing here changes how a value is stored.

/// What is known about the values at one position.
package struct ValueForms: Sendable {
    /// The forms of a text.
    package struct Texts: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// `2024-01-31`.
        package static let date = Texts(rawValue: 1)
        /// A date and a time with a zone: `2024-01-31T12:00:00Z`, `2024-01-31 12:00:00+01:00`.
        package static let zoned = Texts(rawValue: 2)
        /// The same, as RFC 3339 has it: with `T`, seconds and a zone with a colon.
        package static let strict = Texts(rawValue: 4)
        /// A date and a time without a zone.
        package static let local = Texts(rawValue: 8)
        /// `https://example.com/`.
        package static let url = Texts(rawValue: 16)
        /// A word of letters, digits, `_`, `-` and `.` that begins with a letter.
        package static let word = Texts(rawValue: 32)
        package static let all: Texts = [.date, .zoned, .strict, .local, .url, .word]
    }

    /// What the values stand for.
    package enum Meaning: Hashable, Sendable {
        case date
        /// A time with a zone; whether all are as RFC 3339 has them.
        case timestamp(isStrict: Bool)
        /// A time without a zone.
        case localTimestamp
        /// A number that counts time since 1970.
        case epoch(JSONDateFormat)
        case url
        /// One of a few words, in the order in which they first appeared.
        case words([String])
    }

    private var texts = Texts.all
    private var textCount = 0
    private var words: [String] = []
    private var hasTooManyWords = false
    private var least = Int64.max
    private var most = Int64.min
    private var numberCount = 0

    package init() {}

    // MARK: Observing

    mutating func note(_ text: UnsafeBufferPointer<UInt8>) {
        textCount += 1
        if !texts.isEmpty { unsafe texts.formIntersection(ValueForms.forms(of: text)) }
        guard texts.contains(.word), !hasTooManyWords else { return }
        let word = unsafe String(decoding: text, as: UTF8.self)
        add(word)
    }

    private mutating func add(_ word: String) {
        if words.contains(word) { return }
        hasTooManyWords = words.count == ValueForms.mostWords
        if hasTooManyWords { words = [] } else { words.append(word) }
    }

    /// A text that cannot be looked at has no form.
    mutating func noteOtherText() {
        textCount += 1
        texts = []
    }

    mutating func note(_ number: Int64) {
        numberCount += 1
        least = min(least, number)
        most = max(most, number)
    }

    mutating func merge(_ other: ValueForms) {
        texts.formIntersection(other.texts)
        textCount += other.textCount
        hasTooManyWords = hasTooManyWords || other.hasTooManyWords
        for word in other.words where !hasTooManyWords { add(word) }
        if hasTooManyWords { words = [] }
        numberCount += other.numberCount
        least = min(least, other.least)
        most = max(most, other.most)
    }

    // MARK: Meanings

    /// A choice has at most this many words.
    private static let mostWords = 8
    /// How often each word of a choice must have come on average, so that another one is not to be expected.
    private static let leastRepetitions = 5
    /// From 1990 to 2100, in seconds.
    private static let seconds: ClosedRange<Int64> = 631_152_000...4_102_444_800

    /// What texts stand for, if all values at the position are texts; nil if nothing is known.
    package var meaningOfTexts: Meaning? {
        guard textCount > 0 else { return nil }
        if texts.contains(.date) { return .date }
        if texts.contains(.zoned) { return .timestamp(isStrict: texts.contains(.strict)) }
        if texts.contains(.local) { return .localTimestamp }
        if texts.contains(.url) { return .url }
        let isChoice =
            texts.contains(.word) && !hasTooManyWords && textCount >= max(20, words.count * ValueForms.leastRepetitions)
        return isChoice && words.count > 1 ? .words(words) : nil
    }

    /// What whole numbers under a key stand for, if all values at the position are whole numbers; nil if nothing is known. The key decides
    /// together with the numbers: a large number alone may be anything.
    package func meaningOfNumbers(under key: String) -> Meaning? {
        guard numberCount > 0 else { return nil }
        let words = KeyWords.words(of: key)
        guard let last = words.last else { return nil }
        let before = words.dropLast().last
        let formats = JSONDateFormat.epochsOfColumns
        let named = formats.filter { $0.epoch?.isNamed(by: last) == true }
        guard KeyWords.areOfTime(named.isEmpty ? last : before) else { return nil }
        let fits = (named.isEmpty ? formats : named).first { format in
            let perSecond = format.epoch?.perSecond ?? 0
            return least >= ValueForms.seconds.lowerBound * perSecond && most <= ValueForms.seconds.upperBound * perSecond
        }
        return fits.map(Meaning.epoch)
    }

    // MARK: Texts

    private static func forms(of text: UnsafeBufferPointer<UInt8>) -> Texts {
        guard let first = unsafe text.first else { return [] }
        if first.isDigit { return unsafe formsOfDate(text) }
        var forms: Texts = []
        if unsafe isURL(text) { forms.insert(.url) }
        if isLetter(first), text.count <= 40,
            unsafe text.allSatisfy({
                isLetter($0) || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            })
        {
            forms.insert(.word)
        }
        return forms
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }

    private static func isURL(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let isWeb = unsafe text.starts(with: "https://".utf8) || text.starts(with: "http://".utf8)
        // A host must follow. A byte that a URL must escape is refused.
        guard isWeb, let host = unsafe text.drop(while: { $0 != UInt8(ascii: "/") }).dropFirst(2).first else { return false }
        guard isLetter(host) || host.isDigit else { return false }
        let refused = Array("\"<>\\^`{|}[]".utf8)
        return unsafe text.allSatisfy { $0 > 0x20 && $0 < 0x7F && !refused.contains($0) }
    }

    /// What a text is that begins with a digit. `DateParsing` also reads the hour 24, a leap second, small letters, a comma before the
    /// fraction, and `+0100` after a blank.
    private static func formsOfDate(_ text: UnsafeBufferPointer<UInt8>) -> Texts {
        guard let start = text.baseAddress, unsafe DateParsing.iso8601(start, text.count) != nil else { return [] }
        if text.count == 10 { return .date }
        // Safe: a date with a time has at least 16 bytes, and with seconds 19.
        let hasT = unsafe text[10] == UInt8(ascii: "T")
        let hasSeconds = unsafe text.count > 16 && text[16] == UInt8(ascii: ":")
        guard unsafe text[10] != UInt8(ascii: "t"), unsafe text[11] != UInt8(ascii: "2") || text[12] != UInt8(ascii: "4"),
            unsafe !hasSeconds || text[17] != UInt8(ascii: "6"), unsafe !text.contains(UInt8(ascii: ","))
        else { return [] }
        let zone = unsafe text[(hasSeconds ? 19 : 16)...].drop { $0 == .point || $0.isDigit }
        switch unsafe (zone.first, zone.count) {
        case (nil, _): return .local
        case (UInt8(ascii: "z"), _): return []
        case (UInt8(ascii: " "), let count): return count == 4 ? .zoned : []
        case (UInt8(ascii: "Z"), _), (_, 6): return hasT && hasSeconds ? [.zoned, .strict] : .zoned
        default: return .zoned
        }
    }
}

/// The words of a key: `created_at` and `createdAt` are created and at.
private enum KeyWords {
    private static let ofTime: Set<String> = [
        "at", "time", "timestamp", "ts", "date", "datetime", "epoch", "unix", "created", "updated", "modified", "deleted",
        "published",
        "expires", "expiry", "expiration", "since", "until", "seen", "utc",
    ]

    static func areOfTime(_ word: String?) -> Bool { word.map(ofTime.contains) ?? false }

    static func words(of key: String) -> [String] {
        var words: [String] = []
        var wasSmall = false
        var startsWord = true
        for character in key {
            guard character.isLetter || character.isNumber else {
                startsWord = true
                continue
            }
            if startsWord || wasSmall && character.isUppercase { words.append("") }
            words[words.count - 1] += character.lowercased()
            wasSmall = character.isLowercase || character.isNumber
            startsWord = false
        }
        return words
    }
}
