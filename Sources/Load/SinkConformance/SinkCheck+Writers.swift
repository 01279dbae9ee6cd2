// Two runs into one target at once.

internal import Dispatch
internal import SluiceIngest
internal import Synchronization

extension SinkCheck {
    /// Two runs at once: with one input, and with two inputs of one table.
    func writers() async throws {
        let inputs = try (0..<2).map { number in
            try scratch.file("writers-\(number).ndjson", numbered((number * 500 + 1)...(number * 500 + 500)))
        }
        let target = try makeTarget()
        try await both(inputs[0], inputs[0], target, "two runs of one input")
        try compare(target, with: rows(1...500), after: "two runs of one input at once")
        guard features.contains(.checkpoints) else { return }
        let shared = try makeTarget()
        try await both(inputs[0], inputs[1], shared, "two runs into one table")
        try compare(shared, with: rows(1...1_000), after: "two runs into one table at once")
    }

    /// A second run, which would make the same table, begins just before the first one does so.
    func newTables() async throws {
        let first = try scratch.file("new-1.ndjson", numbered(1...300))
        let second = try scratch.file("new-2.ndjson", numbered(301...600))
        let target = try makeTarget()
        let other = Mutex<Task<IngestReport, any Error>?>(nil)
        let meanwhile = Fault(.forgetCheckpoints, 1) {
            let hasEnded = DispatchSemaphore(value: 0)
            other.withLock {
                $0 = Task {
                    defer { hasEnded.signal() }
                    return try await patient(second, target.sink).run()
                }
            }
            // A sink that lets only one run make the table keeps the second one waiting.
            _ = hasEnded.wait(timeout: .now() + .milliseconds(500))
        }
        let what = "makes the table while another run begins"
        try await run(patient(first, FaultySink(target.sink, meanwhile)), what)
        do {
            guard let report = try await other.withLock({ $0 })?.value, report.outcome == .complete else {
                throw fail("A run that begins while another one makes the table did not complete.")
            }
        } catch let error as IngestError {
            throw fail("A run that begins while another one makes the table failed: \(error).")
        }
        for input in [first, second] {
            let outcome = try await patient(input, target.sink).run().outcome
            try require(
                outcome == .nothingToDo,
                "Two runs made one table. One of them, run again, ended with \(outcome); its checkpoint is lost.")
        }
        try compare(target, with: rows(1...600), after: "two runs that make one table")
    }

    /// An ingest in small batches, which waits for other runs and adds to what they have stored.
    private func patient(_ input: String, _ sink: some RecordSink) -> Ingest {
        let ingest = Ingest([input], into: sink).batch(50).waiting()
        return sink.abilities.contains(.appending) ? ingest.existing(.append) : ingest
    }

    private func both(_ first: String, _ second: String, _ target: SinkConformance.Target, _ what: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for input in [first, second] {
                group.addTask { try await complete(patient(input, target.sink), "Of \(what) at once, one") }
            }
            try await group.waitForAll()
        }
    }
}
