// The deterministic automaton of a pattern, built while it is used: a state is a row of addresses, one for each symbol. A row and a symbol
// give the next row with one load. Rows that are full stay; what is missing is computed under a lock, and published with one store.

internal import Synchronization

/// Matches texts with one pattern, from any number of threads.
// Safe: rows are only added, and their entries are atomic; what changes besides them is used only while the lock is held.
@safe
final class PatternMatcher: @unchecked Sendable {
    /// A state: the address of the next row for each symbol, then for the end of the text; then the state's own number.
    private typealias Row = UnsafeMutablePointer<Atomic<UInt>>

    /// Entries that are no address.
    private static let unknown: UInt = 0
    private static let fails: UInt = 1
    private static let matches: UInt = 2

    /// The most bytes that rows and states take: 64 rows, but at least 1 MiB, and at most 8 MiB. After them, texts that reach further
    /// states are matched by sets of instructions.
    private var maximumSize: Int { min(8 << 20, max(1 << 20, 64 * (alphabet.count + 2) * 8)) }

    private let program: PatternProgram
    private let alphabet: PatternAlphabet
    /// The symbols of ASCII.
    private let asciiSymbols: UnsafeMutablePointer<UInt16>
    private let start: Row

    private let lock = Lock()
    private var stepper: PatternStepper
    private var states: [PatternState] = []
    private var rows: [Row]
    private var numbers: [PatternState: Int] = [:]
    private var size = 0
    private var gathered: [Int32] = []

    init(_ program: PatternProgram, _ alphabet: PatternAlphabet) {
        (self.program, self.alphabet) = (program, alphabet)
        stepper = PatternStepper(program, alphabet)
        unsafe asciiSymbols = .allocate(capacity: 128)
        for byte in 0..<128 {
            let symbol = alphabet.interval(of: UInt32(byte)).symbol
            // Safe: there is room for 128.
            unsafe (asciiSymbols + byte).initialize(to: UInt16(truncatingIfNeeded: symbol))
        }
        unsafe start = PatternMatcher.makeRow(alphabet, number: 0)
        states = [PatternStepper.start]
        unsafe rows = unsafe [start]
        numbers = [PatternStepper.start: 0]
    }

    deinit {
        unsafe asciiSymbols.deallocate()
        for index in unsafe rows.indices {
            unsafe rows[index].deinitialize(count: alphabet.count + 2)
            unsafe rows[index].deallocate()
        }
    }

    private static func makeRow(_ alphabet: PatternAlphabet, number: Int) -> Row {
        let row = Row.allocate(capacity: alphabet.count + 2)
        // Safe: these are the indices of the row's memory.
        for index in 0...alphabet.count { unsafe (row + index).initialize(to: Atomic(unknown)) }
        unsafe (row + (alphabet.count + 1)).initialize(to: Atomic(UInt(bitPattern: number)))
        return unsafe row
    }

    // MARK: Matching

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var row = unsafe start
        var index = 0
        // Most text outside of ASCII stays in one script, and so often in one interval.
        var interval = PatternAlphabet.Interval(start: 1, end: 0, symbol: 0)
        while index <= text.count {
            let before = index
            let symbol: Int
            if index == text.count {
                symbol = alphabet.end
                index &+= 1
            } else if unsafe text[index] < 0x80 {
                // Safe: the index is below the count, and the byte below 128.
                symbol = unsafe Int(asciiSymbols[Int(text[index])])
                index &+= 1
            } else {
                let scalar = unsafe PatternAlphabet.nextScalar(in: text, &index)
                if !interval.contains(scalar) { interval = alphabet.interval(of: scalar) }
                symbol = interval.symbol
            }
            // Safe: a row has an entry for each symbol and for the end.
            var next = unsafe row[symbol].load(ordering: .acquiring)
            if next <= PatternMatcher.matches {
                if next == PatternMatcher.unknown { next = unsafe advance(row, symbol) }
                if next == PatternMatcher.unknown { return unsafe simulate(from: row, text, before) }
                if next <= PatternMatcher.matches { return next == PatternMatcher.matches }
            }
            // Safe: all other entries are addresses of rows, which live as long as the matcher.
            unsafe row = unsafe Row(bitPattern: next).unsafelyUnwrapped
        }
        return false
    }

    // MARK: Missing states

    /// Computes the entry of a row and stores it; `unknown` if there is no more room for states.
    @inline(never)
    private func advance(_ row: Row, _ symbol: Int) -> UInt {
        lock.withLock { () -> UInt in
            var entry: UInt
            // Safe: the last entry of each row is the index of its state.
            let state = unsafe states[number(of: row)]
            switch stepper.next(after: state, symbol, into: &gathered) {
            case .matches: entry = PatternMatcher.matches
            case .fails: entry = PatternMatcher.fails
            case .state(var next):
                next.instructions = next.instructions.sorted()
                guard let known = unsafe self.row(of: next) else { return PatternMatcher.unknown }
                entry = UInt(bitPattern: known)
            }
            unsafe row[symbol].store(entry, ordering: .releasing)
            return entry
        }
    }

    private func number(of row: Row) -> Int { unsafe Int(bitPattern: row[alphabet.count + 1].load(ordering: .relaxed)) }

    /// The row of a state, which is made if it is new; nil if there is no room. The caller holds the lock.
    private func row(of state: PatternState) -> Row? {
        if let number = numbers[state] { return unsafe rows[number] }
        // The state's own list is shared by the dictionary and the array. 128 bytes are what these take besides.
        let added = (alphabet.count + 2) * 8 + state.instructions.count * 4 + 128
        guard size <= maximumSize - added else { return nil }
        size += added
        let row = unsafe PatternMatcher.makeRow(alphabet, number: states.count)
        numbers[state] = states.count
        states.append(state)
        unsafe rows.append(row)
        return unsafe row
    }

    /// Matches the rest of a text from the state of a row on, without making rows.
    @inline(never)
    private func simulate(from row: Row, _ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        // Safe: as in `advance`.
        var state = lock.withLock { unsafe states[number(of: row)] }
        var stepper = PatternStepper(program, alphabet)
        var memory: [Int32] = []
        var index = start
        while index <= text.count {
            var symbol = alphabet.end
            if index < text.count {
                symbol = unsafe alphabet.interval(of: PatternAlphabet.nextScalar(in: text, &index)).symbol
            } else {
                index += 1
            }
            switch stepper.next(after: state, symbol, into: &memory) {
            case .matches: return true
            case .fails: return false
            case .state(let next): (state, memory) = (next, state.instructions)
            }
        }
        return false
    }
}
