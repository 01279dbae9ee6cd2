// Plans an ingest before anything is changed: which inputs are left to read, what the database holds, and which columns there
// are.

internal import SluiceCore
internal import SluiceFeed

/// The inputs that are left to read, and the columns that their records go into.
package struct IngestPlan {
    /// An input, and how much of it is left.
    package struct Part {
        package let input: IngestInput
        package let rest: StoredCheckpoint.Rest
        /// The opened input, if its first records were sampled and it cannot be opened again.
        package var opened: OpenInput?
    }

    package private(set) var parts: [Part] = []
    package private(set) var layout = TableLayout()
    /// The columns that earlier runs have filled, and the records of this run's sample do not have.
    private var columnsOfOthers: Set<String> = []
    /// The columns that the report lists.
    package func reported(_ layout: TableLayout) -> [IngestReport.ColumnSummary] {
        IngestPlan.summaries(of: layout).filter { !columnsOfOthers.contains($0.name) }
    }

    /// The columns that values of the records go into.
    package static func summaries(of layout: TableLayout) -> [IngestReport.ColumnSummary] {
        layout.columns.compactMap { column in
            column.read.map { .init($0, in: layout, hiddenName: layout.hiddenName(of: column)) }
        }
    }
    package private(set) var origin = IngestReport.Origin.declared
    package let connection: any SinkConnection
    /// The columns of the table; empty if the database has no such table.
    private var tableColumns: [String] = []
    private var exactColumns: [String] = []
    /// What the table remembers of earlier runs.
    package private(set) var memory = TableMemory()
    /// A memory that the sink has of a table that is gone.
    package private(set) var oldMemory: String?
    /// The child tables of a table that is dropped, the deepest first.
    package private(set) var droppedTables: [String] = []
    /// The text of ``memory`` in the sink.
    package private(set) var storedMemory: String?
    /// Whether the sink changes the type of a column that has only had null.
    package private(set) var retypesColumns = false
    /// The folded names of the columns that have only had null in earlier runs, if the sink changes their types.
    package var retypable: Set<[UInt8]> {
        guard retypesColumns else { return [] }
        return memory.layout.undecidedTexts
    }
    /// The folded names of the columns of texts that have had other values only in earlier runs, if the sink has types for these.
    package var openNames: Set<[UInt8]> {
        guard retypesColumns else { return [] }
        return Set(memory.layout.columns.filter(\.isOpen).map { ColumnName.folded($0.name) })
    }
    /// The columns with these names.
    package var openColumns: Set<Int> {
        let names = openNames
        return Set(
            layout.columns.indices.filter { index in
                let column = layout.columns[index]
                return column.type == .text && !column.isForeign && names.contains(ColumnName.folded(column.name))
            })
    }
    /// Whether a column that has only had null can still get a type: it has none, or the sink changes it.
    package private(set) var takesLateTypes = false
    /// The columns that earlier runs have filled.
    package private(set) var known = KnownColumns()
    private var storedSnapshot: SinkSnapshot?
    package private(set) var primaryKey: [String] = []
    package private(set) var rowCount: Int?
    /// The names of the tables of the run.
    package let names = TableNames()
    /// The indices of the key's columns, if there can be child tables.
    package private(set) var keyIndices: [Int] = []
    /// The columns and child tables of earlier runs, if their rows stay.
    private var earlier = TableLayout()
    /// Looks for inputs that earlier runs have read under other names.
    private var renamed: RenamedInputs?
    /// The numbers of the table's inputs; see ``RecordNumbers``.
    package private(set) var takenInputs: Set<Int> = []
    /// What the sink says about triggers that may change the key of a row before it is stored.
    private var rowTriggers: [RowTrigger] = []
    /// The number that an input had before it was restarted.
    package func formerNumber(of identity: String) -> Int? { checkpoints[identity]?.checkpoint?.recordInput }
    /// The newest checkpoint of the inputs.
    package private(set) var newest: StoredCheckpoint?
    /// The identities of all inputs that have a checkpoint of the table.
    private var inputsOfTable: [String] = []
    /// The checkpoints of the inputs, by the inputs' identities.
    package private(set) var checkpoints: [String: SinkCheckpoint] = [:]
    package let sink: any RecordSink
    /// How records become text; nil if they become cells.
    package let text: RecordTextForm?
    private var onlyType: ColumnType?
    /// What the report says about runs whose end is unknown.
    package private(set) var notes: [String] = []
    /// Those notes, and what the inputs' records have lost in earlier runs.
    package var reportedNotes: [String] { notes + lossesBefore.notes }
    /// How many records of the inputs earlier runs have read, without those that do not match `--where`.
    package private(set) var recordsBefore = 0
    /// How many records of the inputs earlier runs have rejected.
    package private(set) var rejectedBefore = 0
    /// Whether earlier runs have read a document with the path of the records, and how many they have read that lack it.
    private var isPathKnown = false
    package private(set) var absentBefore = 0
    /// What the stored records have lost in earlier runs.
    package private(set) var lossesBefore = StoredLosses()
    /// If a signal ended the sampling: how many complete records were sampled of inputs that cannot be read again. Only these are
    /// stored; the next run reads the others from their start, and finds columns in a whole sample.
    package private(set) var recordsBeforeSignal: Int?
    /// How many of the sampled records do not match `--where`.
    package private(set) var passedOverInSample = 0
    /// The load whose keys are noted; nil if rows that the inputs lack stay.
    package internal(set) var snapshot: SnapshotPlan?
    /// What the files of rotated logs are; nil if no inputs are rotated.
    package private(set) var families: FamilyLook?
    /// Whether earlier runs have read all inputs to their end, and have also dealt with missing rows.
    package var isDone: Bool { parts.isEmpty && snapshot?.isPending != true }

    /// - Throws: ``JSONError`` of kind `inputOutput`; ``IngestError``;
    ///   ``OtherRun`` if another run is reading an input.
    /// - Parameter memory: What earlier looks at rotated logs have found.
    package init(
        _ inputs: [IngestInput], _ options: IngestOptions, _ sink: any RecordSink, _ run: SinkRun, _ interruption: Interruption,
        text: RecordTextForm? = nil, memory looks: LookMemory = LookMemory()
    ) throws {
        self.sink = sink
        self.text = text
        names.take(sink.table)
        for table in OwnTables.names { names.take(table) }
        if case .table(let name)? = options.changes { names.take(name) }
        if case .table(let name)? = options.rejects { names.take(name) }
        if let name = options.provenance?.table { names.take(name) }
        // A missing file is reported before any file is read.
        for input in inputs { try input.checkThatItOpens() }
        guard options.feed.range == nil || inputs.count == 1 else {
            throw IngestError.usage("\(option: .range) is a range of one file, and there are \(inputs.count.grouped) inputs")
        }
        connection = try sink.connect(run)
        let contents = try connection.look(options.rotation == nil ? .whole : .versions)
        var inputs = inputs
        if let rotation = options.rotation {
            // Without the rows, checkpoints say nothing.
            let entries = contents.hasTable && !options.emptiesTable ? contents.checkpoints : []
            var families = try FamilyLook(rotation, entries, memory: looks, run: run.identity, load: load)
            inputs = families.members.map { .member($0) }
            // There may be very many, and the parts have them.
            families.members = []
            notes += families.notes
            self.families = families
        }
        let known = try look(contents, inputs, options, run.identity)
        parts.reserveCapacity(inputs.count)
        for input in inputs {
            let identity = input.identity(of: options.feed)
            let checkpoint = identity.flatMap { known[$0] }
            let rest = try checkpoint?.rest(of: input, options.feed, interruption) ?? .all
            recordsBefore += checkpoint.map { $0.feed.recordIndex - $0.passedOver } ?? 0
            if let rejections = checkpoint?.lastingRejections, rejections > 0 {
                rejectedBefore += max(0, rejections - replayedRecords(of: input))
            }
            lossesBefore += checkpoint?.losses ?? StoredLosses()
            isPathKnown = isPathKnown || checkpoint?.feed.pathFindings.isFound == true
            absentBefore += checkpoint?.feed.pathFindings.absentCount ?? 0
            guard rest != .nothing else { continue }
            parts.append(Part(input: input, rest: rest))
            guard let entry = identity.flatMap({ checkpoints[$0] }), entry.isHeld, !options.isDryRun else { continue }
            switch entry.run?.state(seenFrom: run.identity) {
            case .running: throw OtherRun(input.name, entry, isRunning: true)
            case .unknown: notes.append(OtherRun.note(input.name, entry.run ?? run.identity))
            case .ended, nil: break
            }
        }
        // What is there of a rotated log, and has nothing new, may have lost records, too.
        if let past = families?.past {
            rejectedBefore += past.rejected
            lossesBefore += past.losses
        }
        if let newest, newest.signature != options.signature {
            let places: IngestMessage = options.provenance == nil ? "" : " other \(option: .provenance(nil)),"
            let remedy: IngestMessage =
                families == nil
                ? "\(option: .restart) forgets it, and \(option: .drop) or \(option: .truncate) its rows"
                : "\(option: .drop) or \(option: .truncate) forgets it, and its rows"
            throw IngestError.usage(
                "an earlier run has read these inputs with other columns,\(places) another \(option: .at(nil)) or another \(option: .filter); \(remedy)"
            )
        }
        if options.missing != .keep {
            snapshot = try SnapshotPlan(
                inputs, options, run.identity, read: Array(known.values), isLeft: !parts.isEmpty, stored: storedSnapshot)
            // Another run has read the inputs to their end, and may be dealing with the missing rows now.
            for input in inputs where parts.isEmpty && snapshot?.isPending == true && !options.isDryRun {
                let entry = input.identity(of: options.feed).flatMap { checkpoints[$0] }
                if let entry, entry.isTaken(seenFrom: run.identity) { throw OtherRun(input.name, entry, isRunning: true) }
            }
        }
        if let renamed {
            for part in parts where part.rest == .all && part.input.identity(of: options.feed).flatMap({ checkpoints[$0] }) == nil
            {
                if let note = renamed.note(on: part.input, options.feed, interruption) { notes.append(note) }
            }
        }
        guard known.isEmpty, families?.past.isEmpty ?? true, !tableColumns.isEmpty, !options.addsToTable else { return }
        throw IngestError.database(
            "\(sink.destination) has a table \(sink.table) already; choose \(option: .append), \(option: .truncate), \(option: .drop), "
                + "\(option: .upsert) with a \(option: .key(nil)), or another \(option: .table)")
    }

    /// How many rejected records of an input replays have stored. They know it by its name, and folders have files of the same name: then
    /// no one knows whose records they were, and none is taken off.
    private func replayedRecords(of input: IngestInput) -> Int {
        guard let file = input.name.split(separator: "/").last else { return 0 }
        let namesakes = inputsOfTable.filter { $0.split(separator: "/").last?.hasPrefix(file) == true }
        return namesakes.count == 1 ? memory.replayed(of: input.name) : 0
    }

    /// Looks into the sink for the columns and key of the table. Returns the checkpoints of its inputs.
    private mutating func look(
        _ contents: SinkContents, _ inputs: [IngestInput], _ options: IngestOptions, _ run: RunIdentity
    ) throws -> [String: StoredCheckpoint] {
        let identities = Set(inputs.compactMap { $0.identity(of: options.feed) })
        onlyType = contents.onlyType
        // The index of a cell's column has 16 bits.
        layout.mostColumns = min(contents.mostColumns, Int(Int16.max))
        storedSnapshot = contents.snapshot
        if options.existing != .drop { (tableColumns, exactColumns) = (contents.columns, contents.exactColumns) }
        primaryKey = tableColumns.isEmpty ? [] : contents.key
        if options.emptiesTable, !options.isDryRun, let other = contents.checkpoints.first(where: { $0.isTaken(seenFrom: run) }) {
            throw OtherRun(other.input, other, isRunning: true)
        }
        inputsOfTable = contents.checkpoints.map(\.input)
        let known = contents.checkpoints.filter { identities.contains($0.input) }.map { families?.entries[$0.input] ?? $0 }
        checkpoints = Dictionary(known.map { ($0.input, $0) }, uniquingKeysWith: { $1 })
        // Records with the key of a row are not added once more.
        let hasKey = !options.primaryKey.isEmpty || primaryKey.contains { !ColumnName.areEqual($0, RecordNumbers.column) }
        if !options.emptiesTable, options.conflict == .reject, !hasKey, options.feed.range == nil, families == nil {
            renamed = RenamedInputs(contents.checkpoints)
        }
        try remember(contents, options)
        if !options.emptiesTable { takenInputs = try numbers(of: contents.checkpoints, options) }
        rowTriggers = contents.rowTriggers
        guard contents.hasTable, !options.emptiesTable, !options.restarts else { return [:] }
        newest = known.last { $0.checkpoint != nil }?.checkpoint
        if let families, newest == nil {
            // The new files of a log have the columns of the others.
            newest = families.past.widest
        }
        let stored = checkpoints.compactMapValues(\.checkpoint)
        let isWhole =
            families == nil && identities.count == inputs.count && identities.allSatisfy { stored[$0]?.isComplete == true }
        if isWhole { rowCount = connection.rowCount() }
        return stored
    }

    /// Takes what the table remembers. A table from before has the checkpoints of its inputs.
    private mutating func remember(_ contents: SinkContents, _ options: IngestOptions) throws {
        retypesColumns = contents.retypesColumns
        takesLateTypes = retypesColumns || contents.hasUntypedColumns
        guard contents.hasTable, options.existing != .drop else {
            oldMemory = contents.memory
            guard contents.hasTable, let text = oldMemory, let old = try? TableMemory(text: text, of: sink.table) else { return }
            // Another table may have the name by now.
            droppedTables = old.childTables.filter { child in
                let found = Set(((try? connection.columns(of: child.name)) ?? []).map(ColumnName.folded))
                let key = child.layout.columns.prefix(child.keyCount)
                return !found.isEmpty && key.allSatisfy { found.contains(ColumnName.folded($0.name)) }
            }.map(\.name)
            return
        }
        if let text = contents.memory {
            memory = try TableMemory(text: text, of: sink.table)
            storedMemory = text
        } else {
            let entries = try families == nil ? contents.checkpoints : load(contents.checkpoints)
            memory = TableMemory(entries.compactMap { $0.checkpoint?.layout })
        }
        memory.forget(allBut: contents.columns, cutAfter: contents.longestName) { [connection] name in
            guard options.children.hasTables else { return nil }
            return try? connection.columns(of: name)
        }
        guard options.model == nil else { return }
        known = KnownColumns(memory.layout, retypes: takesLateTypes)
        if !options.emptiesTable { earlier = memory.layout }
    }

    // MARK: Columns

    /// Finds the columns: those of the run that is resumed, the declared ones, or those inferred from the first records.
    package mutating func findColumns(
        _ options: IngestOptions, _ interruption: Interruption
    ) throws -> (records: Int, bytes: Int) {
        var seen = (records: 1, bytes: 0)
        var options = options
        options.flattening.split = keyPaths(options)
        var sample = IngestSample(
            options, interruption, seesWholeFiles: !sink.abilities.contains(.lateColumns), looksForEnvelope: text == nil,
            known: known, isPathKnown: isPathKnown, mostColumns: layout.mostColumns)
        if let text, !text.hasColumns {
            try sample.seekPath(of: &parts)
            return seen
        }
        let children = options.childInference(names)
        var sampled: ColumnInference?
        var foundColumns: [JSONColumn]?
        layout.setPast(TablePast(memory, of: tableColumns, keepsNames: options.model == nil))
        if let newest, !newest.columns.isEmpty {
            try sample.seekPath(of: &parts)
            layout = layout.with(newest.columns, exact: exactColumns)
            layout.decide(as: known)
            for child in newest.children.compactMap({ ChildTable(json: $0, in: layout) }) { layout.append(child) }
            if hasMarks(options) { layout.reserve(MissingRows.markColumn) }
            origin = .resumed
        } else {
            var columns = options.columns
            if columns.isEmpty || options.children.hasTables && options.model == nil {
                let found = try sample.columns(of: &parts)
                sampled = sample.inference
                if columns.isEmpty { columns = found }
                passedOverInSample = sample.passedOver
                if interruption.received != 0 {
                    recordsBeforeSignal = sample.passingRecords
                    parts = parts.filter { $0.opened != nil }
                }
                if options.columns.isEmpty { origin = .inferred(records: sample.records) }
                seen = (sample.records, sample.bytes)
                guard !columns.isEmpty || sample.hasOnlyTables else { return seen }
            } else {
                try sample.seekPath(of: &parts)
            }
            let isNumbered = options.children.hasTables && options.primaryKey.isEmpty && takesNumbers(besides: columns)
            let number = IngestColumn(name: RecordNumbers.column, type: .integer, source: .recordNumber)
            layout = layout.with(isNumbered ? [number] : [], exact: exactColumns, onlyType: onlyType)
            if hasMarks(options) {
                layout.reserve(MissingRows.markColumn)
                try checkMarkColumn(among: options.columns.map(\.name) + [options.overflow ?? ""])
            }
            columns = layout.named(columns, areDeclared: !options.columns.isEmpty)
            foundColumns = columns
            for column in try chosen(columns, options) {
                var added = IngestColumn(column)
                let shape = options.columns.isEmpty ? sampled?.shape(at: column.keys[0].components) : nil
                added.isUndecided =
                    column.isTolerant && shape.map { sampled?.hasOnlyNull($0) == true } == true
                    && !known.contains(column.keys[0].components)
                layout.append(added)
            }
            if options.addsFileName {
                layout.append(
                    IngestColumn(name: layout.freeName(of: .fileName, like: "filename"), type: .text, source: .fileName))
            }
            if let provenance = options.provenance, provenance.table == nil {
                try layout.checkNames(of: provenance)
                layout.addPlaces(provenance)
            }
            if let overflow = options.overflow {
                guard layout.index(of: overflow) == nil else {
                    throw IngestError.usage("\(option: .overflow(overflow)): the records have a column of that name")
                }
                layout.append(IngestColumn(name: overflow, type: .json, source: .overflow))
            }
        }
        let isWhole = wholeColumns(options, sampled)
        let resumed = layout.jsonPaths
        let ownTables =
            sampled.map { (children.leaves(of: $0, at: []) ?? []).map(\.path) }
            ?? layout.children.filter { !$0.isCovered }.map(\.path)
        if options.conflict == .upsert, options.columns.isEmpty, options.model == nil, options.effectiveContract == .evolve {
            addEarlierColumns(options, sampled, isWhole: isWhole)
        }
        try findKey(options)
        try checkPlaces(options)
        if options.missing != .keep { try checkSnapshot(options) }
        if options.children.hasTables {
            keyIndices = try indicesOfKey()
            // Rows that earlier runs have stored in child tables may be replaced. So these tables belong to the layout, even if
            // this run finds no such arrays.
            if options.model == nil {
                layout.add(memory.layout.children.compactMap { $0.with(parentKey: keyIndices)?.uncovered })
                layout.settleChildren(wholePaths: sampled == nil ? resumed : [])
            }
            takeNames(of: layout)
            if let model = options.model, layout.children.isEmpty {
                layout.addTables(of: model.columns, to: sink.table, key: keyIndices, names: names)
            }
            if let sampled {
                try children.addTables(to: &layout, of: sink.table, key: keyIndices, sampled)
                noteMisspeltArrays(options, sampled)
            }
            if options.model == nil {
                layout.settle(
                    isWhole: { isWhole($0.keys[0].components) || options.types.typed($0) != nil },
                    isOwn: { path in ownTables.contains { ColumnName.areEqual($0, path) } },
                    coversColumns: options.columns.isEmpty)
            }
        }
        if let foundColumns, options.effectiveContract != .evolve {
            try options.types.filter { !layout.hasColumn(meantBy: $0) }.check(among: foundColumns, hiding: options.feed.sensitive)
        }
        try options.checkRejects(sink, among: layout.childNames)
        // Tables for arrays that come later get other names.
        if case .table(let name)? = options.rejects { names.take(name) }
        if case .table(let name)? = options.changes { names.take(name) }
        if options.tracksChanges, primaryKey.isEmpty {
            throw IngestError.usage(
                "\(options.changes == nil ? "places beside the rows" : "changes") name rows by their key: name its column with "
                    + "\(option: .key(nil))")
        }
        try options.checkProvenance(sink, among: layout.childNames)
        // If records become text, a sensitive path need not exist here: the report at the end names a path that no record has.
        try layout.markSensitive(options.sensitive, mustExist: text == nil)
        var others = options.model?.sensitivePaths ?? []
        // A record that is no object, and goes into one column, may hold any of the values.
        if !options.sensitive.isEmpty, let wrapping = options.feed.wrapping {
            others.append(PathSyntax.text(ofKeys: [wrapping.valueColumn]))
        }
        if !others.isEmpty { try layout.markSensitive(options.sensitive + others, mustExist: false) }
        guard options.changes != nil else { return seen }
        if let name = layout.hiddenNames.first(where: { name in primaryKey.contains { ColumnName.areEqual($0, name) } }) {
            throw IngestError.usage("changes name rows by their key, and \(option: .sensitive(name)) must not be shown")
        }
        try options.checkChanges(sink, among: layout.childNames)
        return seen
    }

    /// Tells whether one of the columns of this run takes the objects at a path whole.
    private func wholeColumns(_ options: IngestOptions, _ sample: ColumnInference?) -> ([String]) -> Bool {
        let columns = layout.columns.filter { $0.read != nil }
        let own = Set(columns.compactMap(\.path))
        // Without a sample, the columns are those of the run that is resumed, which has decided this.
        let resumed = Set(columns.filter { $0.type == .json }.compactMap(\.path))
        return { path in
            guard own.contains(path), !options.children.splits(path) else { return false }
            if !options.columns.isEmpty { return true }
            guard let sample else { return resumed.contains(path) || options.flattening.keepsWhole(path) }
            let kinds = sample.shape(at: path).map { sample.shapes.kinds(of: $0) }
            return kinds?.contains(.object) == true || options.flattening.keepsWhole(path)
        }
    }

    /// Adds the columns that earlier runs have filled, and that records of this run may clear.
    ///
    /// - Parameter isWhole: Whether a column of this run takes the objects at a path whole.
    private mutating func addEarlierColumns(
        _ options: IngestOptions, _ sample: ColumnInference?, isWhole: ([String]) -> Bool
    ) {
        let (known, children) = (known, options.children)
        let own = Set(layout.columns.map(\.name))
        defer { columnsOfOthers = Set(layout.columns.map(\.name)).subtracting(own) }
        func isNull(_ path: [String]) -> Bool { sample.flatMap { $0.shape(at: path).map($0.hasOnlyNull) } == true }
        func hasTable(_ path: [String]) -> Bool {
            guard children.hasTables, children.choice(at: path) != .json else { return false }
            let isArray = sample.flatMap { $0.shape(at: path).map($0.hasOnlyArrays) } == true
            return known.hasTable(at: path) || children.choice(at: path) == .tables || isArray && children.storage == .tables
        }
        layout.addColumns(
            of: earlier.columns, in: Set(tableColumns.map(ColumnName.folded)), isNull: isNull, isWhole: isWhole,
            hasTable: hasTable, typed: { options.types.typed($0) })
    }

    /// Whether the records get numbers as their key: those of a new table do, and those of a table whose records have numbers.
    ///
    /// - Parameter columns: The columns of the records' own values.
    private func takesNumbers(besides columns: [JSONColumn]) -> Bool {
        guard !tableColumns.isEmpty else { return true }
        guard primaryKey.count == 1, ColumnName.areEqual(primaryKey[0], RecordNumbers.column) else { return false }
        if let column = memory.layout.columns.first(where: { ColumnName.areEqual($0.name, RecordNumbers.column) }) {
            return column.source == .recordNumber
        }
        // Nothing tells. If the records have a value of that name, it has got a number there.
        guard columns.contains(where: { ColumnName.areEqual($0.name, RecordNumbers.column) }) else { return true }
        return tableColumns.contains { ColumnName.areEqual($0, RecordNumbers.column + "_2") }
    }

    // MARK: Missing rows

    /// Whether the table has the column of marks, or may get it.
    private func hasMarks(_ options: IngestOptions) -> Bool {
        if options.missing != .keep { return true }
        return storedSnapshot != nil && tableColumns.contains { ColumnName.areEqual($0, MissingRows.markColumn) }
            && earlier.index(of: MissingRows.markColumn) == nil
    }

    private func checkMarkColumn(among names: [String]) throws {
        guard names.contains(where: { ColumnName.areEqual($0, MissingRows.markColumn) }) else { return }
        throw IngestError.usage(
            "the column \(MissingRows.markColumn) says since when a row has been missing; give the records' own column another name"
        )
    }

    /// Checks that the noted keys will be those of the table's rows, and that the marks replace no values of records.
    private func checkSnapshot(_ options: IngestOptions) throws {
        // The database removes rows of child tables with the rows that they belong to, and says nothing of them.
        let children = earlier.childNames.sorted()
        if options.missing == .delete, !options.children.hasTables,
            let child = try children.first(where: { try !connection.columns(of: $0).isEmpty })
        {
            throw IngestError.usage(
                "\(option: .missing(options.missing)) would also remove rows of \(child), a child table of \(sink.table), without "
                    + "counting them; add --children tables")
        }
        if earlier.columns.contains(where: { ColumnName.areEqual($0.name, MissingRows.markColumn) }) {
            throw IngestError.usage(
                "the column \(MissingRows.markColumn) of \(sink.table) has values of the records, and "
                    + "\(option: .missing(options.missing)) keeps its marks in a column of that name; load into another table")
        }
        // A record without a value of the key gets it from the table, where its row would not be found again.
        if let name = primaryKey.first(where: { name in !layout.columns.contains { ColumnName.areEqual($0.name, name) } }) {
            throw IngestError.usage(
                "\(option: .missing(options.missing)) finds rows by the keys of the records, and these have no \(name)")
        }
        if let trigger = rowTriggers.first(where: { $0.mayChange(primaryKey) }) {
            throw IngestError.usage(
                "\(option: .missing(options.missing)) finds rows by the keys of the records, and the trigger \(trigger.name) of "
                    + "\(sink.table) may change the key of a row before it is stored")
        }
    }

    /// Notes arrays that the options name and the first records do not have, if these have a similar one.
    private mutating func noteMisspeltArrays(_ options: IngestOptions, _ sampled: ColumnInference) {
        let paths = sampled.paths
        for choice in options.children.choices where !sampled.mayHaveValue(at: choice.path) {
            // The elements of arrays are not looked at.
            if paths.contains(where: { $0.count < choice.path.count && ColumnName.path(choice.path, startsWith: $0) }) {
                continue
            }
            let unseen = UnseenPath(choice.path, reader: .condition, among: paths, hiding: options.feed.sensitive)
            guard let meant = unseen.meant else { continue }
            let use = choice.storage == .json ? "which stays JSON" : "which has a table of its own"
            notes.append("no record of the sample has \(unseen.path), \(use); did you mean \(meant)?")
        }
    }

    private func takeNames(of layout: TableLayout) {
        for child in layout.children {
            names.take(child.name)
            takeNames(of: child.layout)
        }
    }

    /// The key's columns, which child rows take their key from.
    private func indicesOfKey() throws -> [Int] {
        let indices = try primaryKey.map { name in
            guard let index = layout.columns.firstIndex(where: { ColumnName.areEqual($0.name, name) }) else {
                throw IngestError.usage(
                    "the key of \(sink.table) is \(primaryKey.joined(separator: ", ")), and the records have no \(name); "
                        + "rows of child tables cannot refer to it")
            }
            return index
        }
        guard indices.isEmpty else { return indices }
        throw IngestError.usage(
            "the table \(sink.table) has no key that rows of child tables could refer to; name its column with \(option: .key(nil))"
        )
    }

    /// The columns with the types that `--type` gives them, without those that the contract forbids.
    private func chosen(_ columns: [JSONColumn], _ options: IngestOptions) throws -> [JSONColumn] {
        let table = TableLayout([], exact: exactColumns, onlyType: onlyType)
        let typed = columns.map { column in
            if let typed = options.types.typed(column) { return typed }
            guard options.columns.isEmpty else { return column }
            let type = table.readingType(of: column.name, known.type(at: column.keys[0].components, of: column.type))
            return column.with { $0.type = type }
        }
        guard options.columns.isEmpty, !tableColumns.isEmpty, options.effectiveContract != .evolve else { return typed }
        let names = Set(tableColumns.map(ColumnName.folded))
        let kept = typed.filter { names.contains(ColumnName.folded($0.name)) }
        guard kept.isEmpty else { return kept }
        throw IngestError.noColumns("no columns: the records have no key that the table \(sink.table) has a column for")
    }

    /// The paths of the key's values. What the key names has a column, whatever other records have instead of an object around it.
    private func keyPaths(_ options: IngestOptions) -> [[String]] {
        let names = options.primaryKey.isEmpty ? primaryKey : options.primaryKey
        let known = names.compactMap { name in memory.layout.columns.first { ColumnName.areEqual($0.name, name) }?.path }
        return known + options.primaryKey.compactMap { try? PathSyntax.keys(of: $0) }
    }

    /// Finds the columns of the primary key by their names or paths.
    private mutating func findKey(_ options: IngestOptions) throws {
        if !options.primaryKey.isEmpty {
            primaryKey = try options.primaryKey.map { name in
                if let index = layout.index(of: name) { return layout.columns[index].name }
                if tableColumns.contains(where: { ColumnName.areEqual($0, name) }) { return name }
                let hint = layout.hint(for: name, hiding: options.feed.sensitive)
                throw IngestError.usage("\(option: .key(name)): there is no such column\(hint)")
            }
        } else if layout.columns.first?.source == .recordNumber {
            primaryKey = [layout.columns[0].name]
        }
        guard options.conflict == .reject || !primaryKey.isEmpty else {
            throw IngestError.usage(
                "\(option: .upsert), \(option: .ignore) and \(option: .replace) need a key: name its column with \(option: .key(nil))"
                    + "\(tableColumns.isEmpty ? "" : ", for the table \(sink.table) has no primary key")")
        }
    }
}
