// Rejected records are repaired and replayed by several runs, which all start from the same rejections.

internal import SluiceCore
internal import SluiceIngest

extension SinkCheck {
    /// Several replays of the same rejections store each record once, even if a run fails between its commit and the change of
    /// the rejects file.
    func replays() async throws {
        for usesFile in features.contains(.rejectsTables) ? [false, true] : [true] {
            try await replays(usesFile, nil)
            try await everyFault([.removeRejections, .setPendingRejects, .sync, .transaction]) { fault, _ in
                try await replays(usesFile, fault)
            }
        }
    }

    /// Two runs have read the same rejections, and the first one meets a fault. A third run replays the rejections that are left.
    private func replays(_ usesFile: Bool, _ fault: Fault?) async throws {
        let target = try makeTarget()
        let what = fault.map { "a replay with \($0)" } ?? "a replay"
        let rejects =
            usesFile ? RejectsTarget.file(path: try scratch.file("\(what).ndjson", [])) : RejectsTarget.table("refused")
        let lines = numbered(1...30).enumerated().map { $0.offset % 3 == 1 ? $0.element.replacing("}", with: ",}") : $0.element }
        let input = try scratch.file("replays.ndjson", lines)
        try await run(Ingest([input], into: target.sink).rejects(rejects), "has damaged records", rejected: 10)
        guard let first = try mended(rejects, target) else { return }
        let second = try mended(rejects, target) ?? first
        if isComplete(try? replay(first, rejects, fault.map { FaultySink(target.sink, $0) } ?? target.sink)) {
            try compare(target, with: rows(1...30), after: "\(what) that says that it is complete")
        }
        // This run ends with an error when it reaches a record that the first run has stored.
        _ = try? replay(second, rejects, target.sink)
        let all = "\(what), and two others of the same rejections"
        if let left = try mended(rejects, target), try !isComplete(replay(left, rejects, target.sink)) {
            throw fail("After \(all), the last one is not complete.")
        }
        try compare(target, with: rows(1...30), after: all)
        try require(mended(rejects, target)?.count ?? 0 == 0, "After \(all), some of them are left.")
    }

    /// The rejections, with their records repaired; nil if the sink cannot read its tables of rejections.
    private func mended(_ rejects: RejectsTarget, _ target: SinkConformance.Target) throws -> Replay? {
        let found: [Replay.Rejection]
        if let path = rejects.path {
            found = try Replay.rejections(inFile: path, target.sink)
        } else if let source = target.sink as? any RejectionSource {
            found = try source.rejections(in: rejects.name)
        } else {
            return nil
        }
        return Replay(
            found.map { rejection in
                var mended = rejection
                mended.text = rejection.text?.replacing(",}", with: "}")
                return mended
            })
    }

    private func isComplete(_ report: IngestReport?) -> Bool {
        report.map { [.complete, .nothingToDo].contains($0.outcome) } ?? false
    }

    private func replay(_ replay: Replay, _ rejects: RejectsTarget, _ sink: any RecordSink) throws -> IngestReport {
        var options = IngestOptions()
        options.read(replay, from: rejects)
        options.batch = 4
        return try IngestJob(options, into: sink).run(replay.inputs, progress: NoProgress())
    }
}

private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}
