// Reads feeds and describes their records: as columns, SQL, a JSON Schema or Swift.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest
internal import SluiceSQLite

/// Infers what the records of feeds have in common.
struct Infer {
    /// The form of the description.
    enum Form: String, CaseIterable {
        case columns, sql
        case jsonSchema = "json-schema"
        case swift
    }

    /// What to look at, and how to describe it.
    struct Options {
        var feed = FeedReading()
        /// How many records to look at; nil is all.
        var sample: Int?
        var form = Form.columns
        /// The name of the table or type.
        var name = ""
        /// How many threads read records.
        var workers = 1
        /// Which arrays have tables of their own.
        var children = ChildOptions()
        /// The columns of the table's key.
        var key: [String] = []
        var dialect = SQLDialect.sqlite
        var flattening = Flattening()

        /// Whether the description is one of tables.
        var describesTables: Bool { form == .sql || form == .jsonSchema && children.hasTables }
    }

    let options: Options
    let interruption: Interruption
    private let columns: ColumnInference
    private let shapes = RecordShapes(looksIntoArrays: true, looksAtValues: true)
    /// Records that were looked at; the next property counts those that could not be read.
    private(set) var seen = 0
    private(set) var rejected = 0
    /// The error of the first of these, and the input that it is in.
    private(set) var firstError: JSONError?
    private(set) var firstErrorInput: String?
    /// What the documents have at the path of the records.
    private var pathFindings = PathFindings()

    init(_ options: Options, interruption: Interruption = Interruption()) {
        self.options = options
        self.interruption = interruption
        columns = ColumnInference(
            flattening: options.flattening, looksIntoArrays: options.children.hasTables,
            looksAtValues: options.describesTables)
    }

    /// Looks at the records of a file, or of standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    mutating func observe(input path: String) throws(JSONError) {
        let before = firstError
        defer { if before == nil, firstError != nil { firstErrorInput = path == "-" ? "standard input" : path } }
        try observe(IngestInput(path))
    }

    /// Looks at the records of a source.
    mutating func observe(_ source: any ByteSource) throws(JSONError) { try observe(.source(source, totalBytes: nil)) }

    private mutating func observe(_ input: IngestInput) throws(JSONError) {
        let pass = RecordPass(
            feed: options.feed, reading: JSONReader.Options(validation: .full), workers: options.workers,
            interruption: interruption)
        let shapes =
            switch options.form {
            case _ where options.describesTables: columns.shapes
            case .columns, .sql: columns.shapes
            case .jsonSchema, .swift: shapes
            }
        pathFindings.add(
            try pass.observe(input, limit: options.sample.map { $0 - seen }, into: shapes) { count, errors throws(JSONError) in
                seen += count
                rejected += errors.count
                firstError = firstError ?? errors.first
            })
    }

    /// The description of the records.
    ///
    /// - Throws: ``IngestError`` if no columns were found, or too many for a table; `JSONError` if no document has the path of the records.
    func text() throws -> String {
        try pathFindings.check()
        switch options.form {
        case .columns:
            return try foundColumns().map { ColumnOption.text(of: $0) + "\n" }.joined()
        case .sql:
            let layout = try layout()
            let tables = layout.tables(name: options.name, key: options.key)
            return TableDefinitions(tables, options.dialect, meanings(in: layout)).text
        case .jsonSchema where options.describesTables:
            let layout = try layout()
            return try TableSchema(layout.tables(name: options.name, key: options.key), meanings(in: layout)).text(
                title: options.name
            ).printableJSON
        case .jsonSchema:
            return try RecordShape(shapes, hiding: options.feed.sensitive).schemaText(title: options.name).printableJSON
        case .swift:
            return SwiftModel.text(of: RecordShape(shapes, hiding: options.feed.sensitive), name: options.name)
        }
    }

    private func meanings(in layout: TableLayout) -> TableMeanings {
        TableMeanings(layout, name: options.name, columns, hiding: options.feed.sensitive)
    }

    /// The columns of the records' table, and the tables of their arrays.
    private func layout() throws -> TableLayout {
        guard options.children.hasTables else {
            let columns = try foundColumns().map { IngestColumn($0) }
            try checkKey(among: columns)
            return TableLayout(columns)
        }
        let sensitive = options.feed.sensitive
        let plan = try ChildInference(options.children, closed: sensitive, flattening: options.flattening).plan(
            columns, table: options.name, key: options.key, choosing: sensitive.withoutKeys)
        guard plan.columns.contains(where: { $0.path != nil }) || !plan.children.isEmpty else {
            throw noColumns
        }
        try checkKey(among: plan.columns)
        return plan
    }

    private func checkKey(among columns: [IngestColumn]) throws(IngestError) {
        let shown = columns.filter { !$0.isHidden(by: options.feed.sensitive) }
        for name in options.key where !columns.contains(where: { ColumnName.areEqual($0.name, name) }) {
            throw .usage(
                "\(option: .key(name)): there is no such column\(ColumnName.hint(for: name, among: shown.map(\.name)))")
        }
    }

    /// The paths of `--sensitive` and `--json` that no record has.
    var unseenPaths: [UnseenPath] {
        guard seen > 0 else { return [] }
        let hasColumns = options.form == .columns || options.describesTables
        let shape = RecordShape(shapes)
        let unseen = options.feed.sensitive.keys.filter {
            hasColumns ? !columns.mayHaveValue(at: $0) : !shape.hasValue(at: $0)
        }
        let paths = hasColumns ? columns.paths : shape.paths
        let whole = hasColumns ? options.flattening.whole.filter { !columns.mayHaveValue(at: $0) } : []
        return unseen.map { UnseenPath($0, reader: .sensitive, among: paths, hiding: options.feed.sensitive) }
            + whole.map { UnseenPath($0, reader: .json, among: paths, hiding: options.feed.sensitive) }
    }

    private func foundColumns() throws(IngestError) -> [JSONColumn] {
        let found = options.feed.sensitive.withoutKeys(try columns.columns())
        guard found.isEmpty else { return found }
        throw noColumns
    }

    private var noColumns: IngestError {
        .noColumns("no columns: none of the \(counted(seen, "record")) is an object with a key\(columns.rowsHint)")
    }
}
#endif
