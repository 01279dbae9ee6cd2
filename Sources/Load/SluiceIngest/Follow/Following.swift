// How logs are followed, and what a run that follows them tells.

/// How logs are followed.
package struct Following: Sendable {
    /// How many seconds lie between the beginnings of two passes at least.
    package var interval = 1.0
    /// How many seconds lie between two looks at the files; nil if the system tells of changes.
    package var poll: Double?

    package init() {}
}

/// What a run that follows logs tells while it goes on.
package protocol FollowObserver {
    /// A pass has stored something; the report is of all passes.
    mutating func passed(_ report: IngestReport)
    /// The run cannot go on for now, and tries again. It is told once, until a pass succeeds.
    mutating func paused(_ reason: IngestMessage)
}
