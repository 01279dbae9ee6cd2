// The report as text, and as JSON.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

extension IngestReport {
    /// The report as it is printed with default options and without colours.
    var text: String { text() }

    /// The report as it is printed.
    ///
    /// - Parameter paint: Colours the added rows, the rejected records, and the reason why the work stopped.
    func text(isVerbose: Bool = false, _ paint: (Colour, String) -> String = { $1 }) -> String {
        var lines = notes.map { "note: " + $0.printable }
        lines += unread.map { paint(.red, "not read") + ": " + $0.printable }
        let stopped = paint(.red, "stopped")
        switch outcome {
        case .complete: break
        case .nothingToDo: return lines.map { $0 + "\n" }.joined() + nothingToDoText
        case .tooManyErrors: lines.append("\(stopped): too many records were rejected")
        case .frozen(let reason), .failed(let reason): lines.append("\(stopped): \(reason.commandLine)")
        case .interrupted(let signal):
            lines.append(
                "\(stopped) by \(ExitStatus.name(ofSignal: signal))" + (isResumable ? "; run the same command to go on" : ""))
        }
        for resumption in resumed {
            lines.append("\(resumption.input.printable): taken up after record \(resumption.records.grouped)")
        }
        lines.append(rowsText(paint))
        if let missing { lines.append(paint(missing.refusal == nil ? .green : .red, missing.text(\.commandLine))) }
        if !columns.isEmpty { lines.append("\(counted(columns.count, "column")), \(originText)") }
        lines += columnLines.map(\.printable)
        if rejected > 0 {
            let target = rejectsTarget.map { "; all are in \($0.printable)" } ?? ""
            lines.append(
                paint(.red, "\(counted(rejected, "record")) rejected") + target
                    + (rejections.count < rejected ? "; the first:" : ":"))
            for rejection in rejections { lines.append("  " + rejection.reason.replacing("\n", with: "\n    ")) }
        }
        if rejectedBefore > 0 { lines.append("\(counted(rejectedBefore, "record")) rejected by earlier runs") }
        if nanoseconds >= IngestReport.longRun || isVerbose && nanoseconds > 0 { lines.append(speedText) }
        if isVerbose, nanoseconds > 0 { lines.append(timeText) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report of a run that takes at least this many nanoseconds shows its times, even if the user did not ask for them.
    private static let longRun: UInt64 = 5_000_000_000

    private var nothingToDoText: String {
        let (destination, table) = (destination.printable, table.printable)
        let all = rejectedBefore == 0 ? "all records" : "all records but \(rejectedBefore.grouped), rejected by earlier runs,"
        return
            "nothing to do: \(all) of \(inputs == 1 ? "the input" : "the \(inputs.grouped) inputs") are in \(destination), table \(table)"
            + (totalRows.map { ", which has \(counted($0, "row"))" } ?? "")
            + (isRotated ? "\n" : "; --restart reads them again\n")
    }

    private func rowsText(_ paint: (Colour, String) -> String) -> String {
        let (destination, table) = (destination.printable, table.printable)
        if table.isEmpty { return fileText(paint) }
        // Records that have only arrays have no column, and rows in child tables.
        let hasTable = !columns.isEmpty || stored > 0
        if !hasTable, passedOver > 0 { return "no record matches --where: no table was made" }
        if !hasTable { return "the input holds no records: no table was made" }
        if isDryRun {
            return "dry run, nothing was written: \(counted(stored, "record")) would go into \(destination), table \(table)"
        }
        var parts = [paint(.green, "\(rows.added.grouped) added")]
        if isMerged { parts.append("\(rows.changed.grouped) changed") }
        if rows.same > 0 { parts.append("\(rows.same.grouped) the same") }
        if rows.kept > 0 { parts.append("\(rows.kept.grouped) there already") }
        if let totalRows { parts.append("\(totalRows.grouped) now in \(table)") }
        return parts.joined(separator: ", ") + " (\(destination))"
    }

    /// The records of an output without tables.
    private func fileText(_ paint: (Colour, String) -> String) -> String {
        let shown = destination.printable
        if isDryRun { return "dry run, nothing was written: \(counted(stored, "record")) would go into \(shown)" }
        let written = paint(.green, "\(counted(stored, "record")) written") + " (\(shown))"
        // The file takes its name only when it is complete.
        return outcome == .complete || destination == "standard output" ? written : "\(shown) is as it was"
    }

    private var originText: String {
        switch origin {
        case .declared: "declared"
        case .inferred(let records): "inferred from the first \(counted(records, "record"))"
        case .resumed: "those of the run before"
        }
    }

    /// Lines about single columns and keys.
    private var columnLines: [String] {
        var lines = children.map { child in
            let words = [
                (child.rows.added, "added"), (child.rows.changed, "changed"), (child.rows.removed, "removed"),
                (child.rows.same, "the same"),
            ]
            let parts = words.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
            return "\(child.table): \(parts.isEmpty ? "nothing new" : parts.joined(separator: ", "))"
        }
        if rejectedElements > 0 {
            lines.append("\(counted(rejectedElements, "element")) of arrays rejected, their records stored")
        }
        if !lateColumns.isEmpty {
            let names = lateColumns.prefix(10).map { "\($0.path) (\($0.position))" }.joined(separator: ", ")
            lines.append("columns for keys that came late: \(names)\(more(lateColumns.count - 10))")
        }
        let late = Set(lateColumns.map { $0.path.replacing(".", with: "_") })
        let others = addedColumns.filter { !late.contains($0.replacing(".", with: "_")) }
        if !others.isEmpty { lines.append("columns added to the table: \(others.joined(separator: ", "))") }
        if unknownValues > 0 {
            let keys = unknownKeys.prefix(10).map { "\($0.path) (\($0.count.grouped), first at \($0.position))" }
            let verb = (unknownValues == 1 ? "is " : "are ") + (hasOverflow ? "in the overflow column" : "left out")
            lines.append(
                "\(counted(unknownValues, "value")) of keys without a column \(verb): "
                    + keys.joined(separator: ", ") + more(unknownKeys.count - 10))
            lines += limitTexts
        }
        if discarded > 0 { lines.append("\(counted(discarded, "record")) with keys without a column left out") }
        if passedOver > 0, !columns.isEmpty {
            lines.append("\(counted(passedOver, "record")) passed over, for which --where does not hold")
        }
        lines += unseenPaths.map(\.text)
        lines += digitLosses.map(\.text) + generatedTexts
        lines += cellLossTexts
        for deviation in typeDeviations {
            let kept = deviation.count == 1 ? "was kept as it is" : "were kept as they are"
            lines.append(
                "\(deviation.column) is \(deviation.type), but \(counted(deviation.count, "value")) of another type came later and \(kept)"
            )
        }
        return lines
    }

    /// Why keys have no column.
    var limitTexts: [String] {
        guard !hasOverflow else { return [] }
        let columns = columnLimit.map {
            "a table has no more than \($0.grouped) columns; --overflow NAME lets one of them take the other values"
        }
        let keys = keyLimit.map {
            "late keys of \($0.path) have no column beyond \($0.count.grouped) keys; --map-threshold N takes more, "
                + "and --json \($0.path) keeps the object as JSON"
        }
        return [columns, keys].compactMap(\.self)
    }

    /// The columns whose values were left out, because the table computes them or cannot have them.
    var generatedTexts: [String] {
        generatedValues.map { column in
            let verb = column.count == 1 ? "is" : "are"
            let cause =
                unnameableColumns.contains(column.column)
                ? "the encoding of the database lacks a character of the name" : "the table generates its values"
            return "\(column.column): \(cause), so \(counted(column.count, "value")) of the records \(verb) left out"
        }
    }

    /// What a conversion to Arrow has cut off.
    var cellLossTexts: [String] {
        let cut = "\(counted(cutFractions, "timestamp")) cut off after the microseconds, which is what Arrow's columns keep"
        let rounded = "\(counted(cutNumbers, "number")) with more digits than a double keeps"
        return [(cutFractions, cut), (cutNumbers, rounded)].filter { $0.0 > 0 }.map { $0.1 + "; the type text keeps all digits" }
    }

    private var speedText: String {
        let seconds = Double(nanoseconds) / 1e9
        return "\(megabytes(bytes)) in \(seconds.fixed(2)) s: \((Double(bytes) / 1e6 / seconds).fixed(1)) MB/s, "
            + "\((Double(records) / seconds).fixed(0)) records/s"
    }

    private var timeText: String {
        let others = nanoseconds - min(nanoseconds, readingNanoseconds + databaseNanoseconds)
        func share(_ part: UInt64) -> String { (Double(part) / Double(nanoseconds) * 100).fixed(0) + " %" }
        return
            "reading \(share(readingNanoseconds)), parsing and binding \(share(others)), database \(share(databaseNanoseconds))"
    }

    /// The end of a list of keys, if the list does not show all.
    private func more(_ count: Int) -> String { count > 0 ? " and \(count.grouped) more; --report json names them" : "" }

    // MARK: JSON

    /// The report as one line of JSON.
    var json: String {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
        func list(_ columns: [ColumnSummary]) -> JSONValue {
            .array(
                columns.map {
                    ["name": .string($0.hiddenName ?? $0.name), "type": .string($0.type.name), "path": .string($0.path)]
                })
        }
        func keys(_ keys: [UnknownKey]) -> JSONValue {
            .array(keys.map { ["path": .string($0.path), "count": number($0.count), "first": .string($0.position)] })
        }
        let value: JSONValue = [
            "outcome": .string(outcomeName), "reason": outcomeReason.map { .string($0) } ?? .null,
            "exit_code": number(Int(status.code)), "database": .string(destination), "table": .string(table),
            "dry_run": .bool(isDryRun), "inputs": number(inputs), "records": number(records), "added": number(rows.added),
            "changed": number(rows.changed), "same": number(rows.same), "kept": number(rows.kept),
            "rows": totalRows.map { number($0) } ?? .null, "rejected": number(rejected),
            "rejected_before": number(rejectedBefore), "discarded": number(discarded),
            "passed_over": number(passedOver),
            "columns": list(columns),
            "children": .array(
                children.map {
                    [
                        "table": .string($0.table), "added": number($0.rows.added), "changed": number($0.rows.changed),
                        "same": number($0.rows.same), "removed": number($0.rows.removed), "columns": list($0.columns),
                    ]
                }),
            "removed": number(rows.removed),
            "missing": missing.map {
                [
                    "rows": number($0.count), "back": number($0.returned),
                    "refusal": $0.refusal.map { .string($0.commandLine) } ?? .null,
                ]
            } ?? .null,
            "rejected_elements": number(rejectedElements),
            "late_columns": keys(lateColumns),
            "left_out": keys(unknownKeys + generatedValues.map { UnknownKey(path: $0.column, count: $0.count, position: "") }),
            "unseen_columns": .array(
                unseenPaths.map {
                    [
                        "name": $0.column.map { .string($0) } ?? .null, "path": .string($0.path),
                        "meant": $0.meant.map { .string($0) } ?? .null,
                    ]
                }),
            "lost_digits": .array(
                digitLosses.map { ["column": .string($0.column), "count": number($0.count), "example": .string($0.example)] }),
            "resumed": .array(resumed.map { ["input": .string($0.input), "records": number($0.records)] }),
            "notes": .array(notes.map { .string($0) }), "not_read": .array(unread.map { .string($0) }),
            "rejections": .array(
                rejections.map {
                    ["byte": number($0.position.offset), "line": number($0.position.line), "reason": .string($0.reason)]
                }),
            "bytes": number(bytes), "seconds": JSONNumber(Double(nanoseconds) / 1e9).map { .number($0) } ?? .null,
        ]
        return (try? value.jsonString()).map { $0.printableJSON + "\n" } ?? ""
    }

    private var outcomeName: String {
        switch outcome {
        case .complete: "complete"
        case .nothingToDo: "nothing to do"
        case .tooManyErrors: "too many errors"
        case .frozen: "frozen"
        case .interrupted: "interrupted"
        case .failed: "failed"
        }
    }

    private var outcomeReason: String? {
        switch outcome {
        case .frozen(let reason), .failed(let reason): reason.commandLine
        case .interrupted(let signal): ExitStatus.name(ofSignal: signal)
        case .complete, .nothingToDo, .tooManyErrors: nil
        }
    }
}

extension DigitLoss {
    /// The loss in a report.
    var text: String {
        // If values became texts, a column of text does not help: only a column for all records keeps their kind, such as one of JSON.
        let remedy =
            isOfContainer ? "--json \(path ?? column)" : isOfTexts ? "--sample-size -1" : "--type \(path ?? column) text"
        let isOfDigits = !isOfKind && !isOfContainer && example.contains(where: \.isNumber)
        return "\(column): the database \(isOfDigits ? "made other digits of" : "changed") \(counted(count, "value")) to fit the "
            + "column's type, the first is \(example); \(remedy) keeps them in a new table"
    }
}
#endif
