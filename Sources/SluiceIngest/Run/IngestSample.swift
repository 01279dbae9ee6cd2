// Samples the first records of the inputs, from which the columns are inferred.

package import SluiceCore
internal import SluiceFeed

/// Samples the first records to infer columns.
package struct IngestSample {
    private let options: IngestOptions
    private let interruption: Interruption
    package private(set) var inference: ColumnInference
    private var filter: PathWatch?
    package private(set) var records = 0
    /// How many of the records come from inputs that cannot be read again.
    package private(set) var passingRecords = 0
    package private(set) var passedOver = 0
    package private(set) var bytes = 0
    /// The first error of a record, with its input's name if there are several inputs.
    private var firstFailure: (error: JSONError, input: String?)?
    private var hasSeveralInputs = false
    /// The number of records at which the sample of the current input ends.
    private var sampleEnd = 0
    /// Whether any record was JSON.
    private var hasJSON = false
    /// Whether all records of files are looked at, because the sink takes no late columns.
    private let seesWholeFiles: Bool
    private let looksForEnvelope: Bool
    private let known: KnownColumns

    /// - Parameters:
    ///   - looksForEnvelope: Whether it is an error if an input is one object that holds arrays of records.
    ///   - known: The columns that the table has.
    package init(
        _ options: IngestOptions, _ interruption: Interruption, seesWholeFiles: Bool = false, looksForEnvelope: Bool = true,
        known: KnownColumns = KnownColumns()
    ) {
        self.known = known
        self.seesWholeFiles = seesWholeFiles
        self.looksForEnvelope = looksForEnvelope
        self.options = options
        self.interruption = interruption
        inference = ColumnInference(flattening: options.flattening, looksIntoArrays: options.children.hasTables)
        filter = options.feed.filter?.makeFilter()
    }

    /// Infers the columns from the first records of some inputs. An input that cannot be opened again is left open.
    ///
    /// - Throws: ``IngestError``, also if there are records but none has a key; ``JSONError`` of kind `inputOutput`.
    package mutating func columns(of parts: inout [IngestPlan.Part]) throws -> [SluiceCore.Column] {
        let isUnlimited = options.sample < 0
        sampleEnd = options.sample
        hasSeveralInputs = parts.count > 1
        // The last record of the sample is read to its end, or until it is known to be too long.
        let limit = isUnlimited ? Int.max : options.maximumSampleSize + options.maximumRecordSize + 1
        // The name of an input that cannot be read again, and whose sample has reached the limit.
        var cutInput: String?
        for index in parts.indices {
            guard isUnlimited || seesWholeFiles || records < options.sample, interruption.received == 0 else { break }
            let input = parts[index].input
            let isRegular = input.identity != nil
            if seesWholeFiles, isRegular {
                try look(atAllOf: input)
                continue
            }
            if seesWholeFiles { sampleEnd = isUnlimited ? .max : records + options.sample }
            let opened = try OpenInput(
                input, options.feed, recordingLimit: isRegular ? 0 : limit, interruption: interruption)
            if !isRegular { parts[index].opened = opened }
            let before = records
            try look(at: opened)
            if !isRegular { passingRecords += records - before }
            bytes += opened.source.count
            if !isRegular, opened.source.count >= limit { cutInput = input.name }
            if !isRegular { opened.source.rewind() }
        }
        if interruption.received != 0, passingRecords == 0 { return [] }
        let columns = try inferredColumns()
        if columns.isEmpty, filter != nil, let cutInput {
            throw IngestError.noColumns(
                "no columns: no record of the first \(megabytes(bytes)) matches \(option: .filter), and \(cutInput) cannot be read again; "
                    + "declare the columns with \(option: .column)")
        }
        guard columns.isEmpty, !hasOnlyTables, records > 0 || firstFailure != nil else { return columns }
        let failure = firstFailure.map { ($0.input.map { "\($0): " } ?? "") + $0.error.description }
        if !hasJSON, let failure { throw IngestError.noColumns("no columns, for no record is JSON: \(failure)") }
        throw IngestError.noColumns(
            "no columns: none of the first \(max(records, 1).grouped) records is an object with a key\(inference.rowsHint)"
                + "\(failure.map { "\n\($0)" } ?? "")")
    }

    /// Looks at all records of a file, with all workers.
    private mutating func look(atAllOf input: IngestInput) throws(JSONError) {
        let pass = RecordPass(
            feed: options.feed, reading: JSONReader.Options(validation: .full), workers: options.workers ?? 2,
            interruption: interruption)
        let name = hasSeveralInputs ? input.name : nil
        var (count, failure) = (0, JSONError?.none)
        try pass.observe(input, limit: options.limit.map { max(0, $0 - records) }, into: inference.shapes) {
            count += $0
            failure = failure ?? $1.first
        }
        records += count
        hasJSON = hasJSON || count > 0
        if let failure { firstFailure = firstFailure ?? (failure, name) }
    }

    /// The columns, without the arrays that go into tables of their own.
    private func inferredColumns() throws -> [SluiceCore.Column] {
        guard options.children.hasTables else { return try inference.columns() }
        let children = options.childInference(TableNames())
        // An array that has a table keeps it, also if this sample has other values there: these get a column of their own.
        let leaves = children.columns(
            among: children.leaves(of: inference, at: []) ?? [], of: TableLayout(), inference, isThere: known.contains
        ).filter { !known.hasTable(at: $0.path) }
        guard leaves.count <= ColumnInference.maximumColumns else { return try inference.columns() }
        return inference.named(leaves).map { column in
            let place = inference.place(at: column.keys[0].components)
            return place.map(inference.hasOnlyNull) == true ? known.typed(column) : column
        }
    }

    /// Whether the records have arrays that go into tables, and nothing else.
    package var hasOnlyTables: Bool {
        guard options.children.hasTables, options.model == nil else { return false }
        return (options.childInference(TableNames()).leaves(of: inference, at: []) ?? []).contains {
            !inference.hasOnlyNull($0.place)
        }
    }

    /// Whether no record has matched `--where` yet. Then the sample continues beyond its size limit, because without a match
    /// there are no columns.
    private var seeksFirst: Bool { filter != nil && records == 0 }

    /// The input's name, if an error must say which input it is.
    private func inputName(_ input: OpenInput) -> String? { hasSeveralInputs ? input.name : nil }

    private mutating func look(at input: OpenInput) throws {
        var splitter = try input.splitter(maximumRecordSize: options.maximumRecordSize)
        var reader = JSONReader()
        reader.hidesText = options.feed.hidesText
        // The error to throw if the whole input turns out to be one object with arrays of records.
        var problem: IngestError?
        var isAtEnd = false
        let before = records
        while options.sample < 0
            || (records < sampleEnd && (seeksFirst || bytes + input.source.count < options.maximumSampleSize)),
            interruption.received == 0
        {
            do throws(JSONError) {
                guard let record = try splitter.next() else {
                    isAtEnd = true
                    break
                }
                // A signal ends the source early, so the last record may be cut in half.
                if interruption.received != 0 { break }
                if unsafe filter?.matches(record.bytes) == false {
                    passedOver += 1
                    continue
                }
                records += 1
                do throws(JSONError) {
                    inference.observe(try unsafe reader.read(JSONValue.self, from: record.bytes))
                    hasJSON = true
                    let mayBeEnvelope =
                        looksForEnvelope && records == before + 1 && input.mayBeEnvelope && splitter.detectedFormat != .array
                        && !(input.hasNameOfLines && splitter.detectedFormat == .lines)
                    problem =
                        mayBeEnvelope
                        ? unsafe EnvelopeHint.problem(
                            of: record.bytes, at: options.feed.path, isLine: splitter.detectedFormat == .lines,
                            in: inputName(input)) : nil
                } catch {
                    throw splitter.located(error)
                }
            } catch {
                // The records before the unreadable place are stored, as they would be if that place came after the sample.
                if error.kind == .inputOutput, records > 0 { return }
                if error.endsIngest { throw error }
                problem = nil
                firstFailure = firstFailure ?? (error, inputName(input))
            }
        }
        if isAtEnd, let problem { throw problem }
    }
}
