// What a reader notes beside the value. It is one struct, so that whoever tries a value, and puts everything back if it does not fit,
// cannot forget a part.

/// What a reader notes about a document beside its value.
///
/// An attempt to read a value as one of several types starts with findings of its own, which are added to these if the value fits, and
/// dropped if it does not.
struct ReadFindings {
    /// What has been left out so far.
    var report = JSONReadReport()
    /// The unknown keys, by name.
    var unknownKeyCounts = UnknownKeyCounts()
    /// How often each property was present, null, converted or wrong.
    var propertyCounts = PropertyCounts()

    /// Adds the findings of an attempt whose value fits.
    ///
    /// - Parameter limit: The most issues that the report keeps.
    mutating func add(_ attempt: ReadFindings, limit: Int) {
        report.add(attempt.report, limit: limit)
        if !attempt.unknownKeyCounts.isEmpty { unknownKeyCounts.add(attempt.unknownKeyCounts) }
        propertyCounts.add(attempt.propertyCounts, isRejected: false)
    }
}
