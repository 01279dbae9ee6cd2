// The results of trying to read a text as one type after the other.

/// A text, and the table of variants that it is tried with.
struct AttemptKey: Hashable {
    /// The address of the text's first byte. No two values begin at the same address.
    let address: UInt
    let table: ObjectIdentifier
}

/// The outcome of trying a text.
enum AttemptOutcome {
    /// It is being tried. A variant that directly contains its own type would otherwise try it again forever.
    case underWay
    /// No variant fits.
    case unfit
    /// One variant fits.
    case fits(variant: Int, store: ((_Destination) -> Void)?, findings: ReadFindings)
}
