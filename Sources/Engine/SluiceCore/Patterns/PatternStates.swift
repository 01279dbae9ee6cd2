// One step of the automaton: a set of instructions and a symbol go in, and the next set comes out.

/// A state of the deterministic automaton: the instructions that a text may have reached.
struct PatternState: Hashable, Sendable {
    /// In ascending order. Assertions at and after them are not decided yet: they depend on the next symbol, too.
    var instructions: [Int32]
    /// Whether no code point has been read.
    var isStart: Bool
    /// Whether the last code point belongs to `\w`. Always false for patterns without word boundaries.
    var isAfterWord: Bool
}

/// Makes states from states. It has memory that each step needs, so each thread has its own, or a lock.
struct PatternStepper {
    enum Outcome {
        case matches
        /// Whatever follows, the text does not match.
        case fails
        case state(PatternState)
    }

    private let program: PatternProgram
    private let alphabet: PatternAlphabet
    private let isAnchored: Bool

    /// The number of the step in which an instruction was last reached, and in which it was last among the next state's.
    private var reached: [Int]
    private var gathered: [Int]
    private var step = 0
    private var waiting: [Int] = []

    init(_ program: PatternProgram, _ alphabet: PatternAlphabet) {
        (self.program, self.alphabet) = (program, alphabet)
        isAnchored = program.isAnchored
        reached = Array(repeating: 0, count: program.instructions.count)
        gathered = reached
    }

    static let start = PatternState(instructions: [0], isStart: true, isAfterWord: false)

    /// What a symbol, or the end of the text, turns a state into.
    ///
    /// - Parameter next: Memory for the instructions; its contents are replaced.
    mutating func next(after state: PatternState, _ symbol: Int, into next: inout [Int32]) -> Outcome {
        step += 1
        next.removeAll(keepingCapacity: true)
        let isWord = program.wordSet.map { alphabet.contains(symbol, in: $0) } ?? false
        for instruction in state.instructions {
            waiting.append(Int(instruction))
            while let index = waiting.popLast() {
                if reached[index] == step { continue }
                reached[index] = step
                switch program.instructions[index] {
                case .match:
                    waiting.removeAll(keepingCapacity: true)
                    return .matches
                case .jump(let distance): waiting.append(index + Int(distance))
                case .split(let distance):
                    waiting.append(index + Int(distance))
                    waiting.append(index + 1)
                case .condition(let assertion):
                    let holds =
                        switch assertion {
                        case .start: state.isStart
                        case .end: symbol == alphabet.end
                        case .wordBoundary: state.isAfterWord != isWord
                        case .noWordBoundary: state.isAfterWord == isWord
                        }
                    if holds { waiting.append(index + 1) }
                case .set(let set):
                    if alphabet.contains(symbol, in: set) { gather(index + 1, into: &next) }
                }
            }
        }
        guard symbol != alphabet.end else { return .fails }
        // A match may begin after each code point.
        if !isAnchored { gather(0, into: &next) }
        if next.isEmpty { return .fails }
        return .state(PatternState(instructions: next, isStart: false, isAfterWord: isWord))
    }

    private mutating func gather(_ index: Int, into next: inout [Int32]) {
        var index = index
        while case .jump(let distance) = program.instructions[index] { index += Int(distance) }
        guard gathered[index] != step else { return }
        gathered[index] = step
        next.append(Int32(truncatingIfNeeded: index))
    }
}
