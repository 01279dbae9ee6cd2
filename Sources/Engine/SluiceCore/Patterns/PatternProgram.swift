// The form of a pattern between its text and its automaton: instructions with relative jumps, so that a repetition copies a slice of them.
//
//     ab*|c    0 split +6    either this alternative (1), or the one at 6
//              1 set a
//              2 split +3    either one more b, or on at 5
//              3 set b
//              4 jump -2
//              5 jump +2     the end
//              6 set c
//              7 match

/// The instructions of a pattern.
struct PatternProgram: Sendable {
    enum Assertion: Sendable {
        case start, end, wordBoundary, noWordBoundary
    }

    enum Instruction: Sendable {
        /// Reads a code point of the set with this number, and goes on with the next instruction.
        case set(Int32)
        /// Goes on with the next instruction and with the one at this distance. Which of them comes first does not matter: nobody asks for
        /// the text that has matched. So lazy and greedy repetitions are the same.
        case split(Int32)
        case jump(Int32)
        /// Goes on with the next instruction if this is true between the last code point and the next one.
        case condition(Assertion)
        case match
    }

    /// The most instructions. Each of them may be a state that each code point of a text is compared with.
    static let maximumCount = 10_000

    var instructions: [Instruction] = []
    private(set) var sets: [ScalarSet] = []
    private var numbers: [ScalarSet: Int32] = [:]

    /// The number of the set `\w`; nil if no assertion asks for word boundaries.
    private(set) var wordSet: Int32?

    /// Appends a set if it is new; equal sets have one number.
    mutating func number(of set: ScalarSet) -> Int32 {
        if let number = numbers[set] { return number }
        let number = Int32(truncatingIfNeeded: sets.count)
        sets.append(set)
        numbers[set] = number
        return number
    }

    mutating func append(_ assertion: Assertion) {
        if assertion == .wordBoundary || assertion == .noWordBoundary { wordSet = number(of: .word) }
        instructions.append(.condition(assertion))
    }

    /// Turns the instructions from an index on into a choice between them and what is appended next.
    ///
    /// - Returns: The index of a jump that has no distance yet: it leads over the other alternatives.
    mutating func beginAlternative(after start: Int) -> Int {
        instructions.insert(.split(distance(start, instructions.count + 2)), at: start)
        instructions.append(.jump(0))
        return instructions.count - 1
    }

    /// Makes jumps lead to the instruction that is appended next.
    mutating func land(_ jumps: [Int]) {
        for jump in jumps { instructions[jump] = .jump(distance(jump, instructions.count)) }
    }

    /// The number of instructions that a repetition of so many takes; `Int.max` if that is no `Int`.
    static func count(repeating count: Int, _ minimum: Int, _ maximum: Int?) -> Int {
        guard let maximum else {
            let (product, overflows) = count.multipliedReportingOverflow(by: max(minimum, 1))
            return overflows || product > .max - 2 ? .max : product + (minimum == 0 ? 2 : 1)
        }
        let (product, overflows) = count.multipliedReportingOverflow(by: maximum)
        let (sum, overflowsToo) = product.addingReportingOverflow(maximum - minimum)
        return overflows || overflowsToo ? .max : sum
    }

    /// Repeats the instructions from an index on. The caller has checked the count.
    mutating func repeatInstructions(from start: Int, _ minimum: Int, _ maximum: Int?) {
        let slice = Array(instructions[start...])
        instructions.removeSubrange(start...)
        for _ in 0..<minimum { instructions += slice }
        guard let maximum else {
            if minimum == 0 {
                instructions.append(.split(distance(0, slice.count + 2)))
                instructions += slice
                instructions.append(.jump(distance(slice.count + 1, 0)))
            } else {
                instructions.append(.split(distance(slice.count, 0)))
            }
            return
        }
        let end = instructions.count + (maximum - minimum) * (slice.count + 1)
        for _ in minimum..<maximum {
            instructions.append(.split(distance(instructions.count, end)))
            instructions += slice
        }
    }

    private func distance(_ index: Int, _ target: Int) -> Int32 { Int32(truncatingIfNeeded: target - index) }

    /// Whether no match can begin after the start of the text.
    var isAnchored: Bool {
        var reached = [Bool](repeating: false, count: instructions.count)
        var waiting = [0]
        while let index = waiting.popLast() {
            if reached[index] { continue }
            reached[index] = true
            switch instructions[index] {
            case .set, .match: return false
            case .jump(let distance): waiting.append(index + Int(distance))
            case .split(let distance): waiting += [index + 1, index + Int(distance)]
            case .condition(.start): break
            case .condition: waiting.append(index + 1)
            }
        }
        return true
    }
}
