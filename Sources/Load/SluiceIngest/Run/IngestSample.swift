// Samples the first records of the inputs, from which the columns are inferred.

package import SluiceCore
internal import SluiceFeed
internal import SluiceSchema

/// Samples the first records to infer columns.
package struct IngestSample {
    private let options: IngestOptions
    private let interruption: Interruption
    package private(set) var inference: ColumnInference
    private var filter: PathWatch?
    package private(set) var records = 0
    /// How many of the records are JSON: those of the sample.
    private var sampled = 0
    /// How many bytes came before the first of them, if there were damaged records.
    private var bytesBefore = 0
    /// What the documents have at the path of the records.
    private var pathFindings = PathFindings()
    /// Whether a document that earlier runs have read has the path.
    private let isPathKnown: Bool
    /// How many of the records come from inputs that cannot be read again.
    package private(set) var passingRecords = 0
    package private(set) var passedOver = 0
    package private(set) var bytes = 0
    /// Why a file of a rotated log could not be read.
    private var unreadable: JSONError?
    /// The first error of a record, with its input's name if there are several inputs.
    private var firstFailure: (error: JSONError, input: String?)?
    private var hasSeveralInputs = false
    /// The number of sampled records at which the sample of the current input ends.
    private var sampleEnd = 0
    /// The name of an input that cannot be read again, and whose sample has reached the limit.
    private var cutInput: String?
    /// Whether all records of files are looked at, because the sink takes no late columns.
    private let seesWholeFiles: Bool
    private let looksForEnvelope: Bool
    private let known: KnownColumns
    /// What the schema says of the columns; nil without one.
    private let ofSchema: SchemaColumns?
    /// How many columns the records may have.
    private let mostColumns: Int

    /// - Parameters:
    ///   - mostColumns: How many columns the table may have.
    ///   - looksForEnvelope: Whether it is an error if an input is one object that holds arrays of records.
    ///   - known: The columns that the table has.
    ///   - isPathKnown: Whether earlier runs have read a document with the path of the records.
    package init(
        _ options: IngestOptions, _ interruption: Interruption, seesWholeFiles: Bool = false, looksForEnvelope: Bool = true,
        known: KnownColumns = KnownColumns(), isPathKnown: Bool = false, mostColumns: Int = ColumnInference.maximumColumns
    ) {
        self.known = known
        self.isPathKnown = isPathKnown
        // Four may have other values: the name of the input, the rest, the number of the record, and the mark of a missing one.
        let placeCount = options.provenance.map { $0.table == nil ? $0.names.count : 0 } ?? 0
        self.mostColumns = options.overflow == nil ? mostColumns : mostColumns - 4 - placeCount
        self.seesWholeFiles = seesWholeFiles
        self.looksForEnvelope = looksForEnvelope
        self.options = options
        self.interruption = interruption
        inference = ColumnInference(flattening: options.flattening, looksIntoArrays: options.children.hasTables)
        filter = options.feed.filter?.makeFilter()
        ofSchema = options.schema.flatMap(SchemaColumns.init)
        if let ofSchema { inference.observe(ofSchema.record) }
    }

    /// Infers the columns from the first records of some inputs. An input that cannot be opened again is left open.
    ///
    /// - Throws: ``IngestError``, also if there are records but none has a key, or if no document has the path of the records;
    ///   ``JSONError`` of kind `inputOutput`.
    package mutating func columns(of parts: inout [IngestPlan.Part]) throws -> [JSONColumn] {
        let isUnlimited = options.sample < 0
        sampleEnd = options.sample
        hasSeveralInputs = parts.count > 1
        for index in parts.indices {
            guard isUnlimited || seesWholeFiles || sampled < options.sample, interruption.received == 0 else { break }
            let input = parts[index].input
            if seesWholeFiles, input.identity != nil {
                try look(atAllOf: input)
                continue
            }
            if seesWholeFiles { sampleEnd = isUnlimited ? .max : sampled + options.sample }
            let before = records
            do {
                try open(&parts[index]) { try $0.look(at: $1) }
            } catch let error as JSONError where input.isMember {
                // One file of a log that cannot be read does not keep the others from being read.
                unreadable = unreadable ?? error
            }
            if input.identity == nil { passingRecords += records - before }
        }
        if let unreadable, records == 0 { throw unreadable }
        if interruption.received != 0, passingRecords == 0 { return [] }
        try checkPath()
        let columns = try inferredColumns().map { ofSchema?.typed($0) ?? $0 }
        if columns.isEmpty, filter != nil || sampled == 0, let cutInput {
            let start: IngestMessage =
                filter == nil
                ? "no columns: no record of the first \(megabytes(bytes)) can be read"
                : "no columns: no record of the first \(megabytes(bytes)) matches \(option: .filter)"
            throw IngestError.noColumns(
                start + ", and \(cutInput) cannot be read again; declare the columns with \(option: .column)")
        }
        guard columns.isEmpty, !hasOnlyTables, records > 0 || firstFailure != nil else { return columns }
        let failure = firstFailure.map { ($0.input.map { "\($0.printable): " } ?? "") + $0.error.loaderText }
        if sampled == 0, let failure { throw IngestError.noColumns("no columns, for no record is JSON: \(lines: failure)") }
        throw IngestError.noColumns(
            "no columns: none of the first \(max(records, 1).grouped) records is an object with a key\(inference.rowsHint)"
                + "\(lines: failure.map { "\n\($0)" } ?? "")")
    }

    /// Reads until a document has the path of the records, for inputs whose columns are known.
    ///
    /// - Throws: ``IngestError`` if no document has it; ``JSONError`` of kind `inputOutput`.
    package mutating func seekPath(of parts: inout [IngestPlan.Part]) throws {
        guard options.feed.requiresPath, !isPathKnown else { return }
        for index in parts.indices where !pathFindings.isFound && interruption.received == 0 {
            try open(&parts[index]) { sample, input in
                var splitter = try input.splitter(maximumRecordSize: sample.options.maximumRecordSize)
                defer { sample.pathFindings.add(splitter.pathFindings) }
                while !splitter.hasPath, !splitter.isBroken {
                    do throws(JSONError) {
                        guard try splitter.next() != nil else { break }
                    } catch {
                        if error.endsIngest { throw error }
                    }
                }
            }
        }
        try checkPath()
    }

    private func checkPath() throws {
        guard options.feed.requiresPath, !isPathKnown, cutInput == nil, interruption.received == 0 else { return }
        do throws(JSONError) { try pathFindings.check() } catch { throw IngestError.input("\(error.summary)") }
    }

    /// Opens an input whose first records are looked at. If it cannot be opened again, it stays open, and its bytes are kept.
    private mutating func open(
        _ part: inout IngestPlan.Part, _ look: (inout IngestSample, OpenInput) throws -> Void
    ) throws {
        let isRegular = part.input.identity != nil
        // The last record of the sample is read to its end, or until it is known to be too long.
        let limit = options.sample < 0 ? Int.max : options.maximumSampleSize + options.maximumRecordSize + 1
        let opened = try OpenInput(
            part.input, options.feed, recordingLimit: isRegular ? 0 : limit, interruption: interruption)
        if !isRegular { part.opened = opened }
        try look(&self, opened)
        bytes += opened.source.count
        if !isRegular, opened.source.count >= limit { cutInput = part.input.name }
        if !isRegular { opened.source.rewind() }
    }

    /// Looks at all records of a file, with all workers.
    private mutating func look(atAllOf input: IngestInput) throws(JSONError) {
        let pass = RecordPass(
            feed: options.feed, reading: JSONReader.Options(validation: .full), workers: options.workers ?? 2,
            interruption: interruption)
        let name = hasSeveralInputs ? input.name : nil
        var (count, failure) = (0, JSONError?.none)
        pathFindings.add(
            try pass.observe(input, limit: options.limit.map { max(0, $0 - records) }, into: inference.shapes) {
                count += $0
                failure = failure ?? $1.first
            })
        records += count
        sampled += count
        if let failure { firstFailure = firstFailure ?? (failure, name) }
    }

    /// The columns, without the arrays that go into tables of their own.
    private func inferredColumns() throws -> [JSONColumn] {
        guard options.children.hasTables else { return withoutEmptyObjects(try foundColumns()) }
        let children = options.childInference(TableNames())
        // An array that has a table keeps it, also if this sample has other values there: these get a column of their own.
        let leaves = children.columns(
            among: children.leaves(of: inference, at: []) ?? [], of: TableLayout(), inference, isThere: known.contains
        ).filter { !known.hasTable(at: $0.path) }
        guard leaves.count <= mostColumns else { return try foundColumns() }
        return withoutEmptyObjects(inference.named(leaves))
    }

    /// The columns without those of objects that have no keys, where the table has columns for the keys of others: of such an object,
    /// nothing is stored.
    private func withoutEmptyObjects(_ columns: [JSONColumn]) -> [JSONColumn] {
        let others = columns.filter { column in
            let path = column.keys[0].components
            guard known.hasColumns(inside: path), !options.flattening.keepsWhole(path) else { return true }
            return inference.shape(at: path).map(inference.hasOnlyEmptyObjects) != true
        }
        return others.isEmpty ? columns : others
    }

    /// The columns of all keys, or of as many as the table may have: those that options name come first.
    private func foundColumns() throws(IngestError) -> [JSONColumn] {
        guard options.overflow != nil else { return try inference.columns(limit: mostColumns) }
        let named = Set((options.primaryKey + options.sensitive).map(ColumnName.folded))
        return try inference.columns(limit: mostColumns) { leaf in
            named.contains(ColumnName.folded(leaf.path.joined(separator: "_")))
                || named.contains(ColumnName.folded(leaf.keyPath.text))
                || options.types.contains { $0.isMeant(for: "", leaf.path) }
        }
    }

    /// Whether the records have arrays that go into tables, and nothing else.
    package var hasOnlyTables: Bool {
        guard options.children.hasTables, options.model == nil else { return false }
        return (options.childInference(TableNames()).leaves(of: inference, at: []) ?? []).contains {
            !inference.hasOnlyNull($0.shape)
        }
    }

    /// The input's name, if an error must say which input it is.
    private func inputName(_ input: OpenInput) -> String? { hasSeveralInputs ? input.name : nil }

    private mutating func look(at input: OpenInput) throws {
        var splitter = try input.splitter(maximumRecordSize: options.maximumRecordSize)
        var reader = JSONReader(options: options.reading)
        reader.hidesText = options.feed.hidesText
        // The error to throw if the whole input turns out to be one object with arrays of records.
        var problem: IngestError?
        var isAtEnd = false
        let before = records
        defer { pathFindings.add(splitter.pathFindings) }
        // Until a record matches and can be read, the sample goes on beyond its size, because without one there are no columns.
        while options.sample < 0 || sampled == 0 && ofSchema == nil
            || (sampled < sampleEnd && bytes + input.source.count - bytesBefore < options.maximumSampleSize),
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
                    if sampled == 0, firstFailure != nil { bytesBefore = bytes + input.source.count }
                    sampled += 1
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
                // The records before the unreadable position are stored, as they would be if that position came after the sample.
                if error.kind == .inputOutput, records > 0 { return }
                if error.endsIngest { throw error }
                problem = nil
                firstFailure = firstFailure ?? (error, inputName(input))
            }
        }
        if isAtEnd, let problem { throw problem }
    }
}
