// The error of a run that finds that another one reads the same input.

/// Another run reads an input, or has read it since this run looked.
public struct OtherRun: Error {
    /// The name of the input.
    public let input: String
    /// The other run; nil if it has left no name.
    package let run: RunIdentity?
    /// Whether the other run still goes on.
    public let isRunning: Bool

    package init(_ input: String, _ entry: SinkCheckpoint?, isRunning: Bool) {
        self.input = input
        run = entry?.run
        self.isRunning = isRunning
    }

    /// The error to report if this run does not wait.
    package func error(_ sink: any RecordSink) -> IngestError {
        let other = "another run (\(run?.description ?? "of an unknown process"))"
        let target = sink.name
        if isRunning { return .outrun("\(other) is reading \(input) into \(target); \(option: .wait) waits until it has ended") }
        return .outrun(
            "\(other) has read \(input) into \(target) since this run began; what this run read in the meantime was not stored; "
                + "run the same command again to go on")
    }

    /// The note about a run on another machine, which may or may not go on.
    package static func note(_ input: String, _ run: RunIdentity) -> String {
        "a run on \(run.host) (\(run.description)) has not ended its work on \(input); if it is still running, it will stop with "
            + "an error, because this run takes the input over"
    }
}
