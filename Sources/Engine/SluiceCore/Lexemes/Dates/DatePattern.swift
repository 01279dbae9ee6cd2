// Compiles the text of a date pattern into fields, once per pattern and process, so that neither parsing nor formatting looks at
// the letters again. `DatePattern+Parsing.swift` parses dates by these fields, `DatePattern+Formatting.swift` formats them.
//
// A worked example. `yyyy-MM-dd'T'HH:mm` compiles to
//
//     number year 4…12   "-"   number month 2…2   "-"   number day 2…2   "T"   number hour 2…2   ":"   number minute 2…2

internal import Synchronization

/// A compiled pattern of date field symbols (Unicode Technical Standard #35, part 4).
///
/// | letters | field | text |
/// |---|---|---|
/// | `y` `yyy` `yyyy` | year, at least as many digits as letters | `2014` |
/// | `yy` | year of the century: 69…99 are 1969…1999, 00…68 are 2000…2068, as in POSIX | `14` |
/// | `M` `MM` `MMM` `MMMM` | month | `1` `01` `Jan` `January` |
/// | `d` `dd` | day | `5` `05` |
/// | `E` `EE` `EEE` `EEEE` | weekday, read but not compared with the date | `Mon` `Monday` |
/// | `H` `HH` | hour, 0…23 | `7` `07` |
/// | `h` `hh` with `a` | hour, 1…12, and AM or PM | `7` `07` `AM` |
/// | `m` `mm` `s` `ss` | minute, second | `8` `08` |
/// | `S` … `SSSSSSSSS` | fraction of the second, as many digits as letters | `250` |
/// | `Z` `ZZ` `ZZZ` `xx` | zone | `+0800` |
/// | `ZZZZZ` `XXX` | zone | `Z` `+08:00` |
/// | `X` `XX` | zone | `Z` `+08` `+0830`, `Z` `+0800` |
/// | `x` `xxx` | zone | `+08` `+0830`, `+08:00` |
/// | `z` `zz` `zzz` | zone | `GMT` |
///
/// Text between quotes, and every character that is not a letter, is literal; two quotes stand for one.
@safe
final class DatePattern: @unchecked Sendable {
    // Safe: `older` is written only before the pattern is published; all else is immutable.

    /// The part of a date that a number field holds.
    enum Component: Sendable {
        case year, yearOfCentury, month, day, hour, halfDayHour, minute, second
    }

    /// How a zone is written. When parsing, every zone field accepts all of these forms.
    enum Zone: Sendable {
        /// `+0000`
        case basic
        /// `+00:00`
        case extended
        /// `+00`
        case hours
        /// `Z`
        case letter
        /// `GMT`
        case name
    }

    /// A piece of the pattern.
    enum Field: Sendable {
        case literal([UInt8])
        /// A number with a least and a greatest number of digits.
        case number(Component, minimum: Int, maximum: Int)
        /// A fraction of a second. Any number of digits is read, but exactly `digits` if a number follows (`isFixed`).
        case fraction(digits: Int, isFixed: Bool)
        case monthName(isFull: Bool)
        case weekday(isFull: Bool)
        case dayPeriod
        case zone(Zone)

        /// Whether the field's text may begin with a digit.
        fileprivate var beginsWithDigit: Bool {
            switch self {
            case .number, .fraction: true
            case .literal(let bytes): bytes.first.map { $0 &- 0x30 <= 9 } ?? false
            default: false
            }
        }

        fileprivate var maximumLength: Int {
            switch self {
            case .literal(let bytes): bytes.count
            // A year has at most a sign and twelve digits.
            case .number(_, let minimum, _): max(minimum, 13) + 1
            case .fraction(let digits, _): digits
            case .monthName, .weekday: 9
            case .dayPeriod: 2
            case .zone: 6
            }
        }
    }

    /// The pattern as it was given.
    let text: String
    let fields: [Field]
    /// How many bytes a formatted date has at most.
    let maximumLength: Int
    private var older: Unmanaged<DatePattern>?

    /// Compiles a pattern.
    ///
    /// - Throws: ``JSONError`` of kind `invalidModel` that names the part that is not understood.
    init(_ text: String) throws(JSONError) {
        var compiler = DatePatternCompiler(text)
        fields = try compiler.compile()
        self.text = text
        maximumLength = fields.reduce(0) { $0 + $1.maximumLength }
    }

    // MARK: All patterns of the process

    /// The pattern compiled last, the head of a list of all patterns. They are never freed: a program has a handful.
    private static let newest = unsafe Atomic<Unmanaged<DatePattern>?>(nil)

    /// The compiled pattern of a text: one from the list, or a new one.
    ///
    /// The text that was compiled and the text of this call mostly share one storage, so that they compare at once.
    ///
    /// - Throws: ``JSONError`` of kind `invalidModel` that names the part that is not understood.
    static func compiled(_ text: String) throws(JSONError) -> DatePattern {
        let first = unsafe newest.load(ordering: .acquiring)
        // Safe: published patterns are never released.
        var next = unsafe first
        while let known = unsafe next?.takeUnretainedValue() {
            if known.text == text, known.text.utf8.count == text.utf8.count { return known }
            unsafe next = unsafe known.older
        }
        let made = try DatePattern(text)
        unsafe made.older = unsafe first
        let link = unsafe Unmanaged.passRetained(made)
        while true {
            let (exchanged, original) = unsafe newest.compareExchange(
                expected: made.older, desired: link, ordering: .acquiringAndReleasing)
            if exchanged { return made }
            // Another thread was first. The list may now hold the same pattern twice, which does no harm.
            unsafe made.older = unsafe original
        }
    }
}

extension JSONDateFormat {
    /// The error in a property's date format; nil for all formats except a pattern that is not understood.
    package func problem(of property: String) -> JSONError? {
        guard case .format(let pattern) = self else { return nil }
        do throws(JSONError) {
            _ = try DatePattern.compiled(pattern)
            return nil
        } catch {
            return JSONError(.invalidModel, found: "\(error.found) of '\(property)'")
        }
    }
}

/// Compiles the letters of a pattern into fields.
private struct DatePatternCompiler {
    private let pattern: String
    private var rest: Substring.UnicodeScalarView
    private var fields: [DatePattern.Field] = []
    private var literal: [UInt8] = []

    init(_ pattern: String) {
        self.pattern = pattern
        rest = pattern[...].unicodeScalars
    }

    mutating func compile() throws(JSONError) -> [DatePattern.Field] {
        while let scalar = rest.first {
            if scalar == "'" {
                try readQuoted()
            } else if isLetter(scalar) {
                let count = rest.prefix { $0 == scalar }.count
                rest.removeFirst(count)
                endLiteral()
                fields.append(try field(scalar, count))
            } else {
                rest.removeFirst()
                literal += Array(String(scalar).utf8)
            }
        }
        endLiteral()
        try check()
        return fields
    }

    private mutating func readQuoted() throws(JSONError) {
        rest.removeFirst()
        if rest.first == "'" {
            rest.removeFirst()
            literal.append(UInt8(ascii: "'"))
            return
        }
        while let scalar = rest.popFirst() {
            if scalar != "'" {
                literal += Array(String(scalar).utf8)
            } else if rest.first == "'" {
                rest.removeFirst()
                literal.append(UInt8(ascii: "'"))
            } else {
                return
            }
        }
        throw problem("a quote without an end")
    }

    private mutating func endLiteral() {
        if !literal.isEmpty { fields.append(.literal(literal)) }
        literal = []
    }

    private func field(_ letter: Unicode.Scalar, _ count: Int) throws(JSONError) -> DatePattern.Field {
        switch (letter, count) {
        case ("y", 2): .number(.yearOfCentury, minimum: 2, maximum: 2)
        case ("y", 1...9): .number(.year, minimum: count, maximum: 12)
        case ("M", 1...2): number(.month, count)
        case ("M", 3): .monthName(isFull: false)
        case ("M", 4): .monthName(isFull: true)
        case ("d", 1...2): number(.day, count)
        case ("E", 1...3): .weekday(isFull: false)
        case ("E", 4): .weekday(isFull: true)
        case ("H", 1...2): number(.hour, count)
        case ("h", 1...2): number(.halfDayHour, count)
        case ("a", 1...3): .dayPeriod
        case ("m", 1...2): number(.minute, count)
        case ("s", 1...2): number(.second, count)
        case ("S", 1...9): .fraction(digits: count, isFixed: false)
        case ("Z", 1...3), ("x", 2): .zone(.basic)
        case ("x", 3): .zone(.extended)
        case ("x", 1): .zone(.hours)
        case ("X", 1...3), ("Z", 5): .zone(.letter)
        case ("z", 1...3): .zone(.name)
        default: throw problem("the unknown field '\(String(repeating: String(letter), count: count))'")
        }
    }

    private func number(_ component: DatePattern.Component, _ count: Int) -> DatePattern.Field {
        .number(component, minimum: count, maximum: 2)
    }

    /// Gives every field that a number follows a fixed width, and rejects patterns that could not be parsed.
    private mutating func check() throws(JSONError) {
        var hasField = false
        var hasHalfDay = false
        var hasPeriod = false
        for index in fields.indices {
            let isFollowed = index + 1 < fields.count && fields[index + 1].beginsWithDigit
            switch fields[index] {
            case .literal: continue
            case .number(let component, let minimum, let maximum):
                if component == .halfDayHour { hasHalfDay = true }
                if isFollowed, minimum < maximum {
                    guard minimum > 1 else { throw problem("a number of no fixed width before another number") }
                    fields[index] = .number(component, minimum: minimum, maximum: minimum)
                }
            case .fraction(let digits, _): fields[index] = .fraction(digits: digits, isFixed: isFollowed)
            case .zone:
                if isFollowed { throw problem("a zone before a number") }
            case .dayPeriod: hasPeriod = true
            case .monthName, .weekday: break
            }
            hasField = true
        }
        if hasHalfDay != hasPeriod {
            throw problem(hasPeriod ? "'a' without the hour 'h'" : "the hour 'h' without 'a', which tells AM from PM")
        }
        if !hasField { throw problem("no field") }
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private func problem(_ words: String) -> JSONError {
        JSONError(.invalidModel, found: "\(words) in the date pattern \"\(pattern)\"")
    }
}

/// The English names of months and weekdays; the first three letters are the short names.
enum DateNames {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ].map { Array($0.utf8) }

    /// Sunday first.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].map { Array($0.utf8) }
}
