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
    }

    let options: Options
    let interruption: Interruption
    private let columns: ColumnInference
    private let shapes = RecordShapes(looksIntoArrays: true)
    /// Records that were looked at; the next property counts those that could not be read.
    private(set) var seen = 0
    private(set) var rejected = 0
    /// The error of the first of these, and the input that it is in.
    private(set) var firstError: JSONError?
    private(set) var firstErrorInput: String?

    init(_ options: Options, interruption: Interruption = Interruption()) {
        self.options = options
        self.interruption = interruption
        columns = ColumnInference(looksIntoArrays: options.children.hasTables)
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
            case .columns, .sql: columns.shapes
            case .jsonSchema, .swift: shapes
            }
        try pass.observe(input, limit: options.sample.map { $0 - seen }, into: shapes) { count, errors throws(JSONError) in
            seen += count
            rejected += errors.count
            firstError = firstError ?? errors.first
        }
    }

    /// The description of the records.
    ///
    /// - Throws: ``IngestError`` if no columns were found, or too many for a table.
    func text() throws -> String {
        switch options.form {
        case .columns:
            return try foundColumns().map { ColumnOption.text(of: $0) + "\n" }.joined()
        case .sql:
            return try TableDefinitions(tables(), options.dialect).text
        case .jsonSchema:
            return try RecordShape(shapes, hiding: options.feed.sensitive).schemaText(title: options.name)
        case .swift:
            return SwiftModel.text(of: RecordShape(shapes, hiding: options.feed.sensitive), name: options.name)
        }
    }

    /// The table of the records, and behind it those of their arrays.
    private func tables() throws -> [SinkTable] {
        guard options.children.hasTables else {
            let columns = try foundColumns().map { IngestColumn($0) }
            try checkKey(among: columns)
            return [SinkTable(name: options.name, columns: columns, key: options.key, existing: .refuse, conflict: .reject)]
        }
        let sensitive = options.feed.sensitive
        let plan = try ChildInference(options.children, closed: sensitive).plan(
            columns, table: options.name, key: options.key, choosing: sensitive.withoutKeys)
        guard plan.columns.contains(where: { $0.path != nil }) || !plan.children.isEmpty else {
            throw noColumns
        }
        try checkKey(among: plan.columns)
        return plan.tables(name: options.name, key: options.key)
    }

    private func checkKey(among columns: [IngestColumn]) throws(IngestError) {
        for name in options.key where !columns.contains(where: { ColumnName.areEqual($0.name, name) }) {
            throw .usage(
                "\(option: .key(name)): there is no such column\(ColumnName.hint(for: name, among: columns.map(\.name)))")
        }
    }

    /// The paths of `--sensitive` that no record has.
    var unseenPaths: [UnseenPath] {
        guard seen > 0 else { return [] }
        let hasColumns = options.form == .columns || options.form == .sql
        let shape = RecordShape(shapes)
        let unseen = options.feed.sensitive.keys.filter {
            hasColumns ? !columns.mayHaveValue(at: $0) : !shape.hasValue(at: $0)
        }
        return unseen.map { UnseenPath($0, reader: .sensitive, among: hasColumns ? columns.paths : shape.paths) }
    }

    private func foundColumns() throws(IngestError) -> [Column] {
        let found = options.feed.sensitive.withoutKeys(try columns.columns())
        guard found.isEmpty else { return found }
        throw noColumns
    }

    private var noColumns: IngestError {
        .noColumns("no columns: none of the \(counted(seen, "record")) is an object with a key\(columns.rowsHint)")
    }
}
#endif
