// What is remembered while a value is tried as one type after the other.

/// What is known of values that are tried as one type after the other.
struct Trials {
    /// How many attempts are under way, one inside the other.
    var depth = 0
    /// What became of a text with a table of variants, while some attempt is under way.
    var outcomes: [TrialKey: TrialOutcome] = [:]
    /// The tables that the scalar at hand is being tried with.
    var scalarTables: [ObjectIdentifier] = []
    /// How often the text at hand is read for one of several properties, each of which wants a value of its own.
    var sharing = 0
    /// How the value of the last attempt is stored once more.
    var stored: ((_Destination) -> Void)?
    /// What the last attempt left out.
    var report = JSONReadReport()

    /// The outermost attempt is done: the texts may be gone when the next one begins.
    mutating func forget() {
        stored = nil
        guard !outcomes.isEmpty else { return }
        // Memory that one large value needed would be cleared for each small one behind it.
        outcomes.removeAll(keepingCapacity: outcomes.count < 64)
    }
}

/// A text and the variants that it may be.
struct TrialKey: Hashable {
    /// The address of the text's first byte: no two values begin at one.
    let address: UInt
    let table: ObjectIdentifier
}

/// What became of a text.
enum TrialOutcome {
    /// It is being tried: a variant that holds its own type without anything around it would try it again forever.
    case underWay
    /// No variant fits.
    case unfit
    /// It is one of them.
    case fits(variant: Int, store: ((_Destination) -> Void)?, report: JSONReadReport)
}
