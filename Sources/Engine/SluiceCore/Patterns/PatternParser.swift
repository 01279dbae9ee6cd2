// Reads the source of a pattern from front to back and writes its program. Open groups are on a list, so that no depth of them needs stack.
//
// What ECMA-262 allows but no automaton does is noted as a refusal, and the rest is only checked: so `format: regex` may use the parser, too.

/// Parses a pattern by the grammar of ECMA-262 (22.2.1) with the `u` flag, without Annex B.
struct PatternParser {
    /// A group that is open; the first one is the pattern itself.
    private struct Group {
        /// The offset of its bracket.
        let offset: Int
        /// Its first instruction, and that of its last alternative.
        let start: Int
        var alternative: Int
        /// The jumps at the ends of its alternatives.
        var exits: [Int] = []
        var isLookAround = false
    }

    static let maximumDepth = 500
    static let maximumRanges = 200_000

    let source: [UInt8]
    var index = 0
    private(set) var program = PatternProgram()
    /// Why the pattern is not supported, although it is valid.
    private(set) var refusal: TextPattern.Failure?

    private var groups = [Group(offset: 0, start: 0, alternative: 0)]
    private var groupCount = 0
    private var names: Set<[UInt8]> = []
    private var numberedReference: (number: Int, offset: Int)?
    private var namedReferences: [(name: [UInt8], offset: Int)] = []
    /// Instructions that `{0}` has removed. They have cost time, so they count.
    private var removedCount = 0
    private var rangeCount = 0

    init(_ source: String) { self.source = Array(source.utf8) }

    /// Parses the whole source. Throws what is a syntax error.
    mutating func parse() throws(TextPattern.Failure) {
        while let byte = peek() {
            let start = program.instructions.count
            switch byte {
            case UInt8(ascii: "("): try openGroup()
            case UInt8(ascii: ")"): try closeGroup()
            case UInt8(ascii: "|"):
                index += 1
                if hasRoom(for: 2, at: index - 1) {
                    let exit = program.beginAlternative(after: groups[groups.count - 1].alternative)
                    groups[groups.count - 1].exits.append(exit)
                    groups[groups.count - 1].alternative = program.instructions.count
                }
            case UInt8(ascii: "^"): add(.start, length: 1)
            case UInt8(ascii: "$"): add(.end, length: 1)
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
                throw fault("there is nothing that '\(Character(Unicode.Scalar(byte)))' can repeat")
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "]"):
                let sign = Character(Unicode.Scalar(byte))
                throw fault("'\(sign)' has no meaning here; the character itself is written '\\\(sign)'")
            case UInt8(ascii: "\\"):
                if try parseEscape() { try parseRepetition(of: start) }
            case UInt8(ascii: "["):
                let offset = index
                add(try parseClass(), at: offset)
                try parseRepetition(of: start)
            case UInt8(ascii: "."):
                index += 1
                add(.notLineTerminator, at: index - 1)
                try parseRepetition(of: start)
            default:
                let offset = index
                add(ScalarSet(nextScalar()), at: offset)
                try parseRepetition(of: start)
            }
        }
        if groups.count > 1, let group = groups.last { throw fault("'(' is never closed", at: group.offset) }
        try checkReferences()
        if hasRoom(for: 1, at: 0) {
            program.land(groups[0].exits)
            program.instructions.append(.match)
        }
    }

    // MARK: Program

    /// Notes that the pattern is valid, but not supported. Its program is not needed any more.
    mutating func refuse(_ reason: String, at offset: Int) {
        if refusal == nil { refusal = TextPattern.Failure(offset: offset, reason: reason, isRefusal: true) }
    }

    /// Whether the program goes on, and may have so many more instructions.
    private mutating func hasRoom(for count: Int, at offset: Int) -> Bool {
        if refusal == nil, count > PatternProgram.maximumCount - program.instructions.count - removedCount {
            refuse("the pattern has more than \(PatternProgram.maximumCount) states", at: offset)
        }
        return refusal == nil
    }

    private mutating func add(_ set: ScalarSet, at offset: Int) {
        guard hasRoom(for: 1, at: offset) else { return }
        program.instructions.append(.set(program.number(of: set)))
    }

    private mutating func add(_ assertion: PatternProgram.Assertion, length: Int) {
        index += length
        if hasRoom(for: 1, at: index - length) { program.append(assertion) }
    }

    /// Counts the ranges of a class; false if the pattern has too many.
    mutating func countRanges(_ count: Int, at offset: Int) -> Bool {
        rangeCount += count
        if rangeCount > PatternParser.maximumRanges {
            refuse("the pattern's classes have more than \(PatternParser.maximumRanges) ranges", at: offset)
        }
        return refusal == nil
    }

    // MARK: Repetitions

    /// Parses the quantifier, if there is one, of what begins at an instruction.
    private mutating func parseRepetition(of start: Int) throws(TextPattern.Failure) {
        let offset = index
        var minimum = 0
        var maximum: Int?
        if take("+") {
            minimum = 1
        } else if take("?") {
            maximum = 1
        } else if take("{") {
            guard let count = parseNumber() else { throw fault("a number is missing after '{'; the character itself is '\\{'") }
            (minimum, maximum) = (count, count)
            if take(",") { maximum = parseNumber() }
            guard take("}") else { throw fault("'}' is missing after the number of repetitions") }
            if let maximum, maximum < minimum {
                throw fault("the numbers in '{\(minimum),\(maximum)}' are out of order", at: offset)
            }
        } else if !take("*") {
            return
        }
        _ = take("?")
        let count = program.instructions.count - start
        guard refusal == nil, count > 0 else { return }
        if maximum == 0 { removedCount += count }
        guard hasRoom(for: PatternProgram.count(repeating: count, minimum, maximum) - count, at: offset) else { return }
        program.repeatInstructions(from: start, minimum, maximum)
    }

    /// The decimal number at the index; 2^32 for all that is larger. Nil if there is no digit.
    private mutating func parseNumber() -> Int? {
        var number: Int?
        while let byte = peek(), byte &- 0x30 <= 9 {
            number = min((number ?? 0) * 10 + Int(byte &- 0x30), 1 << 32)
            index += 1
        }
        return number
    }

    // MARK: Groups

    private mutating func openGroup() throws(TextPattern.Failure) {
        var group = Group(offset: index, start: program.instructions.count, alternative: program.instructions.count)
        index += 1
        if take("?") {
            if take(":") {
                // A group that only groups.
            } else if take("=") || take("!") {
                group.isLookAround = true
                refuse("look-ahead is not supported", at: group.offset)
            } else if take("<=") || take("<!") {
                group.isLookAround = true
                refuse("look-behind is not supported", at: group.offset)
            } else if take("<") {
                groupCount += 1
                let offset = index
                guard names.insert(try parseName()).inserted else { throw fault("two groups have this name", at: offset) }
            } else {
                throw fault("after '(?' comes ':' or '<name>' in ECMA-262")
            }
        } else {
            groupCount += 1
        }
        groups.append(group)
        if groups.count > PatternParser.maximumDepth + 1 {
            refuse("groups are nested more than \(PatternParser.maximumDepth) deep", at: group.offset)
        }
    }

    private mutating func closeGroup() throws(TextPattern.Failure) {
        guard groups.count > 1, let group = groups.popLast() else {
            throw fault("')' closes no group; the character itself is '\\)'")
        }
        index += 1
        if refusal == nil { program.land(group.exits) }
        // What looks around cannot be repeated, and a repetition after it is an error.
        if !group.isLookAround { try parseRepetition(of: group.start) }
    }

    /// The name of a group and the `>` after it. Escapes in it are decoded.
    private mutating func parseName() throws(TextPattern.Failure) -> [UInt8] {
        let start = index
        var name = String.UnicodeScalarView()
        while let byte = peek(), byte != UInt8(ascii: ">") {
            var value: UInt32
            if take("\\u") { value = try parseUnicodeEscape() } else { value = nextScalar() }
            guard let scalar = Unicode.Scalar(value) else {
                throw fault("the name of a group has a half of a surrogate pair", at: start)
            }
            let properties = scalar.properties
            let isPart = name.isEmpty ? properties.isIDStart : properties.isIDContinue || value == 0x200C || value == 0x200D
            guard isPart || scalar == "$" || scalar == "_" else { break }
            name.append(scalar)
        }
        guard !name.isEmpty, take(">") else {
            throw fault("the name of a group is missing, or is not an identifier and '>'", at: start)
        }
        return Array(String(name).utf8)
    }

    // MARK: Escapes

    /// Parses an escape outside of a class. Returns whether it may be repeated.
    private mutating func parseEscape() throws(TextPattern.Failure) -> Bool {
        let offset = index
        if take("\\b") {
            add(.wordBoundary, length: 0)
            return false
        }
        if take("\\B") {
            add(.noWordBoundary, length: 0)
            return false
        }
        if take("\\k") {
            guard take("<") else { throw fault("the name of a group, as in '\\k<name>', is missing") }
            namedReferences.append((try parseName(), offset))
            refuse("back-references are not supported", at: offset)
            return true
        }
        if let digit = peek(1), digit >= UInt8(ascii: "1"), digit <= UInt8(ascii: "9") {
            index += 1
            let number = parseNumber() ?? 0
            if number > numberedReference?.number ?? 0 { numberedReference = (number, offset) }
            refuse("back-references are not supported", at: offset)
            return true
        }
        switch try parseClassEscape(isInClass: false) {
        case .scalar(let scalar): add(ScalarSet(scalar), at: offset)
        case .set(let set): add(set, at: offset)
        }
        return true
    }

    /// References may name groups that come later.
    private func checkReferences() throws(TextPattern.Failure) {
        if let numberedReference, numberedReference.number > groupCount {
            throw fault("there is no group \(numberedReference.number)", at: numberedReference.offset)
        }
        for reference in namedReferences where !names.contains(reference.name) {
            throw fault("no group has this name", at: reference.offset)
        }
    }
}
