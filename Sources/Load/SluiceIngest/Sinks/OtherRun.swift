// The error of a run that finds that another one reads the same input.

/// Another run reads an input, or has read it since this run looked; or it loads a snapshot of the same table from other inputs.
package struct OtherRun: Error {
    /// The name of the input; empty if the other run reads other inputs.
    package let input: String
    /// The other run; nil if it has left no name.
    package let run: RunIdentity?
    /// Whether the other run is still running.
    package let isRunning: Bool

    package init(_ input: String, _ entry: SinkCheckpoint?, isRunning: Bool) {
        self.input = input
        run = entry?.run
        self.isRunning = isRunning
    }

    /// A run that loads other inputs, to find the rows that they lack.
    package init(loading run: RunIdentity) {
        input = ""
        self.run = run
        isRunning = true
    }

    /// The error to report if this run does not wait.
    package func error(_ sink: any RecordSink) -> IngestError {
        let other = "another run (\(run?.description ?? "of an unknown process"))"
        let target = sink.name
        if input.isEmpty {
            return .outrun(
                "\(other) is loading other inputs into \(target), to find the rows that they lack; \(option: .wait) waits until it has "
                    + "ended")
        }
        if isRunning { return .outrun("\(other) is reading \(input) into \(target); \(option: .wait) waits until it has ended") }
        return .outrun(
            "\(other) has read \(input) into \(target) since this run began; what this run read in the meantime was not stored; "
                + "run the same command again to go on")
    }

    /// The note about a run on another machine, of which it is unknown whether it is still running.
    package static func note(_ input: String, _ run: RunIdentity) -> String {
        "a run on \(run.host) (\(run.description)) has not ended its work on \(input); if it is still running, it will stop with "
            + "an error, because this run takes the input over"
    }
}
