// Selects one of a model's write plans.

/// The options that a write plan depends on. Their raw value is the index of the plan.
struct PlanOptions: OptionSet, Sendable {
    let rawValue: Int

    static let sorted = PlanOptions(rawValue: 1)
    static let flat = PlanOptions(rawValue: 2)
    static let escapedSlashes = PlanOptions(rawValue: 4)
    static let escapedNonASCII = PlanOptions(rawValue: 8)
    static let count = PropertyTable.planCount

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ options: JSONWriter.Options) {
        var planOptions: PlanOptions = []
        if options.sortedKeys { planOptions.insert(.sorted) }
        if options.paths == .flat { planOptions.insert(.flat) }
        if options.escapesSlashes { planOptions.insert(.escapedSlashes) }
        if options.escapesNonASCII { planOptions.insert(.escapedNonASCII) }
        self = planOptions
    }
}
