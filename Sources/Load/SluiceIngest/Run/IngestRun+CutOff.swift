// Records that an input ended in: they are rejected, and read again when the input has grown. Then their rejections are out of date.

internal import SluiceCore

extension IngestRun {
    /// A rejected record for the checkpoint, so that the next run reads it again.
    package func cutOff(_ record: RejectedRecord, of input: InputProgress) -> CutOffRecords.Record {
        var cutOff = CutOffRecords.Record(offset: record.record.offset, kind: record.kind, digest: record.digest)
        // Without --rejects, no run has kept a rejection that could be removed later, unless an earlier run has kept the same one.
        if rejects == nil, !input.earlierCutOff.records.contains(cutOff) { cutOff.digest = "" }
        return cutOff
    }

    /// The rejections of earlier runs that are removed, because their records have been read again.
    package func unwanted(_ counts: [Int]) -> [CutOffRecords] { readAgain(counts).map(\.earlierCutOff) }

    /// How many of these rejections are out of date, if they stay where an earlier run has kept them. A record may be rejected again in the
    /// same way. Then its rejection is still right.
    package func unremoved(_ counts: [Int]) -> Int {
        readAgain(counts).reduce(0) { sum, input in
            sum + input.earlierCutOff.keptRecords.count { !input.cutOff.contains($0) }
        }
    }

    /// The inputs whose cut-off records the open batch has read again.
    ///
    /// - Parameter counts: For each input, how many records of the batch are rejected.
    private func readAgain(_ counts: [Int]) -> [InputProgress] {
        zip(inputs, counts).filter { input, count in !input.earlierCutOff.records.isEmpty && input.hasNews(rejections: count) }
            .map(\.0)
    }

    /// Says which rejections stay, though their records have been read.
    package func noteStayingRejections() {
        let (outdated, ofLeftOut) = stayingRejections
        if outdated > 0 {
            let isOne = outdated == 1
            let reason = options.rejects.map {
                "not found in \($0.name), so \(isOne ? "it was" : "they were") changed, moved or removed"
            }
            report.notes.append(
                "\(counted(outdated, "record")) in which an input had ended \(isOne ? "was" : "were") read again; "
                    + "the earlier \(isOne ? "rejection is" : "rejections are") out of date, and \(isOne ? "was" : "were") "
                    + (reason ?? "not removed, because this run does not name the rejects"))
        }
        if ofLeftOut > 0 {
            report.notes.append(
                ofLeftOut == 1
                    ? "1 rejection stays, because its record was left out"
                    : "\(ofLeftOut.grouped) rejections stay, because their records were left out")
        }
    }
}
