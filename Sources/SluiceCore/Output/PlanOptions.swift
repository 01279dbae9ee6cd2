// Which of a model's plans is written.

/// The options that a plan depends on, as the number of the plan.
struct PlanOptions: OptionSet, Sendable {
    let rawValue: Int

    static let sorted = PlanOptions(rawValue: 1)
    static let flat = PlanOptions(rawValue: 2)
    static let escapedSlashes = PlanOptions(rawValue: 4)
    static let escapedNonASCII = PlanOptions(rawValue: 8)
    static let count = 16

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ options: JSONWriter.Options) {
        var variant: PlanOptions = []
        if options.sortedKeys { variant.insert(.sorted) }
        if options.paths == .flat { variant.insert(.flat) }
        if options.escapesSlashes { variant.insert(.escapedSlashes) }
        if options.escapesNonASCII { variant.insert(.escapedNonASCII) }
        self = variant
    }
}
