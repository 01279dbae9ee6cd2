// What is wrong with an ingest whose report is not printed, because the records themselves go to standard output.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

extension IngestReport {
    /// Says on standard error what is wrong; nothing if all is well.
    ///
    /// - Parameter way: What helps against keys that came too late.
    func tellProblems(_ way: String = "") {
        switch outcome {
        case .complete, .nothingToDo, .interrupted: break
        case .failed(let reason), .frozen(let reason): Terminal.tell("sluice: \(reason.commandLine)")
        case .tooManyErrors: Terminal.tell("sluice: too many records were rejected")
        }
        if rejected > 0 {
            let target = rejectsTarget.map { "all are in \($0.printable); " } ?? ""
            Terminal.tell("sluice: \(counted(rejected, "record")) could not be read, and left out; \(target)the first:")
            for rejection in rejections { Terminal.tell("  " + rejection.reason.replacing("\n", with: "\n    ")) }
        }
        if rejectedElements > 0 {
            Terminal.tell("sluice: \(counted(rejectedElements, "element")) of arrays rejected, their records stored")
        }
        if contract == .report, !unknownKeys.isEmpty {
            Terminal.tell("sluice: values that came too late for a column: \(IngestReport.list(unknownKeys))")
            Terminal.tell(way)
        } else if unknownValues > 0, contract.losesKeys(hasOverflow: hasOverflow) {
            Terminal.tell(
                "sluice: \(counted(unknownValues, "value")) of keys beyond the columns of a table left out: "
                    + unknownKeys.prefix(10).map { "'\($0.path)' (\($0.count.grouped))" }.joined(separator: ", ")
                    + (unknownKeys.count > 10 ? " and others" : ""))
            for text in limitTexts { Terminal.tell("sluice: \(text.printable)") }
        }
        for loss in digitLosses { Terminal.tell("sluice: \(loss.text.printable)") }
        for text in generatedTexts + cellLossTexts { Terminal.tell("sluice: \(text.printable)") }
        for note in notes { Terminal.tell("sluice: \(note.printable)") }
        for path in unseenPaths { Terminal.tell("sluice: \(path.text.printable)") }
    }

    private static func list(_ unknown: [UnknownKey]) -> String {
        let shown = unknown.prefix(10).map { "'\($0.path)' (\($0.count.grouped))" }.joined(separator: ", ")
        return shown + (unknown.count > 10 ? " and \((unknown.count - 10).grouped) more" : "")
    }
}
#endif
