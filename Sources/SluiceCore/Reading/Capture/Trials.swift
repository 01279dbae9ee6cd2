// What is remembered while a value is tried as one type after the other.

/// The state of values that are tried as one type after the other.
struct Trials {
    /// How many attempts are under way, one inside the other.
    var depth = 0
    /// The outcome of each text with a table of variants, while some attempt is under way.
    var outcomes: [TrialKey: TrialOutcome] = [:]
    /// The tables that the current scalar is being tried with.
    var scalarTables: [ObjectIdentifier] = []
    /// Above 0 while a text is read for each of several properties: each needs a value of its own, so no outcome is used again.
    var sharing = 0
    /// Stores the value of the last attempt once more.
    var stored: ((_Destination) -> Void)?
    /// What the last attempt noted beside its value.
    var findings = ReadFindings()

    /// Forgets the outcomes when the outermost attempt is done: the texts may be gone when the next one begins.
    mutating func forget() {
        stored = nil
        guard !outcomes.isEmpty else { return }
        // Memory that one large value needed would have to be cleared again for each small value behind it.
        outcomes.removeAll(keepingCapacity: outcomes.count < 64)
    }
}

/// A text, and the table of variants that it is tried with.
struct TrialKey: Hashable {
    /// The address of the text's first byte: no two values begin at one.
    let address: UInt
    let table: ObjectIdentifier
}

/// The outcome of trying a text.
enum TrialOutcome {
    /// It is being tried. A variant that directly contains its own type would otherwise try it again forever.
    case underWay
    /// No variant fits.
    case unfit
    /// One variant fits.
    case fits(variant: Int, store: ((_Destination) -> Void)?, findings: ReadFindings)
}
