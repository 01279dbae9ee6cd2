// Opens a file, and returns its records or its rejected records batch by batch.

internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed
internal import SluiceSchema

/// The records of a file as columns.
final class FeedScan: BatchSource {
    private let batches: JSONColumnBatches<JSONValue>

    var columns: [JSONColumn] { batches.columns }

    /// - Throws: `JSONError` of kind `inputOutput` if the file cannot be read with these options; of kind `invalidValue` if no columns, or
    ///   too many, are found in its first records; an error of the feed if these cannot be read.
    init(path: String, _ options: ScanOptions) throws(JSONError) {
        let columns = try Self.columns(path, options)
        let feed = try Self.feed(path, options)
        unknownKeyHint =
            "name the columns, raise \(options.spelled("sampleSize")), or set \(options.spelled("unknownKeys")) to \"ignore\""
        batches = try feed.columnBatches(of: options.batchSize, columns: columns, workers: options.workers)
    }

    func next() throws(JSONError) -> JSONColumnBatch? {
        do throws(JSONError) {
            return try batches.next()
        } catch {
            throw error.kind == .unknownKey ? error.hinting(unknownKeyHint) : error
        }
    }

    private let unknownKeyHint: String

    static func feed(_ path: String, _ options: ScanOptions) throws(JSONError) -> JSONFeed<JSONValue> {
        var reading = options.feed
        if options.rejectsUnknownKeys { reading.reading.unknownKeys = .reject }
        guard let range = options.range else { return try JSONFeed(path: path, options: reading) }
        return try JSONFeed(path: path, range: range, options: reading)
    }

    /// The columns of a scan. If they are inferred, they are the same for each range of a file, because the file's start is read.
    static func columns(_ path: String, _ options: ScanOptions) throws(JSONError) -> [JSONColumn] {
        options.sensitive.marking(try options.requiring(chosenColumns(path, options)))
    }

    private static func chosenColumns(_ path: String, _ options: ScanOptions) throws(JSONError) -> [JSONColumn] {
        let inference: ColumnInference
        let ofSchema = options.feed.schema.flatMap(SchemaColumns.init)
        switch options.columns {
        case .declared(let columns): return columns
        case .named(let names):
            inference = try infer(path, options, ofSchema)
            var paths: [[String]] = []
            for name in names { paths.append(try found(name, in: inference, options)) }
            let found = Self.columns(paths.map { ($0, inference.type(at: $0)) }, ofSchema)
            return zip(names, found).map { text, column in
                column.with { $0.name = text.name ?? $0.name }
            }
        case .inferred: inference = try infer(path, options, ofSchema)
        }
        guard let leaves = inference.leaves() else {
            throw JSONError(
                .invalidValue, expected: "at most \(ColumnInference.maximumColumns) keys", found: "\(inference.keyCount)",
                hint: "name the columns that are wanted")
        }
        guard !leaves.isEmpty else {
            throw JSONError(
                .invalidValue, expected: "an object with a key among the first \(options.sampleSize) records",
                found: "\(inference.records) objects without one", hint: "name the columns that are wanted")
        }
        return Self.columns(leaves.map { ($0.path, $0.type) }, ofSchema)
    }

    private static func columns(_ found: [(path: [String], type: ColumnType)], _ ofSchema: SchemaColumns?) -> [JSONColumn] {
        zip(PathSyntax.names(of: found.map(\.path)), found).map {
            let column = JSONColumn(name: $0, type: $1.type, keys: [JSONKeyPath(components: $1.path)])
            return ofSchema?.typed(column) ?? column
        }
    }

    /// The path of a column that is named without its type: one that a record has, or the one of the inferred column with that name.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` if no record has the path.
    private static func found(
        _ name: ScanOptions.ColumnText, in inference: ColumnInference, _ options: ScanOptions
    ) throws(JSONError) -> [String] {
        if inference.records == 0 || inference.mayHaveValue(at: name.keys) { return name.keys }
        let paths = inference.paths
        let names = paths.map { $0.joined(separator: ".") }
        func index(of text: String) -> Int? { names.firstIndex { $0.utf8.elementsEqual(text.utf8) } }
        if let named = index(of: name.path) { return paths[named] }
        let meant = KeyLikeness.closest(to: name.keys.joined(separator: "."), among: names).flatMap { index(of: $0) }
        throw JSONError(
            .invalidValue, path: "columns", expected: "a path that one of the first \(options.sampleSize) records has",
            found: "'\(name.path)'",
            hint: meant.map { "did you mean '\(PathSyntax.text(ofKeys: paths[$0]))'?" }
                ?? "give its type if it comes later, or raise \(options.hasUnderscores ? "sample_size" : "sampleSize")")
    }

    /// Finds the keys and types in the first records of a file, and in the schema that they must fit.
    private static func infer(
        _ path: String, _ options: ScanOptions, _ ofSchema: SchemaColumns?
    ) throws(JSONError) -> ColumnInference {
        let file = try OpenFile(path: path, waitsForWriter: false)
        guard let size = file.size else {
            throw .inputOutput("cannot find columns in \(path): it is not a regular file; name the columns and their types")
        }
        var reading = options.feed
        reading.invalidRecords = .skip
        reading.limit = options.sampleSize
        reading.maximumErrors = nil
        let feed = JSONFeed<JSONValue>(source: file.source, totalBytes: size, options: reading)
        var inference = ColumnInference()
        if let ofSchema { inference.observe(ofSchema.record) }
        try withExtendedLifetime(file) { () throws(JSONError) in
            while let record = try feed.next() { inference.observe(record) }
        }
        return inference
    }
}

/// The rejected records of a file, as columns.
final class RejectScan: BatchSource {
    let columns = [
        JSONColumn(name: "file", type: .text, isRequired: true),
        JSONColumn(name: "start", type: .integer, isRequired: true),
        JSONColumn(name: "end", type: .integer, isRequired: true),
        JSONColumn(name: "line", type: .integer, isRequired: true),
        JSONColumn(name: "path", type: .text, isRequired: true),
        JSONColumn(name: "reason", type: .text, isRequired: true),
    ]
    private let path: String
    private let batchSize: Int
    private let feed: JSONFeed<JSONValue>
    private let batches: JSONColumnBatches<JSONValue>
    /// The error that came after the rows of the last batch; the next call throws it.
    private var failure: JSONError?

    init(path: String, _ options: ScanOptions) throws(JSONError) {
        var options = options
        // Each rejected record is thrown, and becomes a row here.
        options.feed.invalidRecords = .throw
        self.path = path
        batchSize = options.batchSize
        let columns = try FeedScan.columns(path, options)
        feed = try FeedScan.feed(path, options)
        batches = try feed.columnBatches(of: 4096, columns: columns, workers: options.workers)
    }

    func next() throws(JSONError) -> JSONColumnBatch? {
        if let failure {
            self.failure = nil
            throw failure
        }
        var rows = ColumnBatchReader(columns: columns, expectedRows: 64)
        do throws(JSONError) {
            while rows.rowCount < batchSize, let record = try nextRejected() {
                let row = try self.row(of: record).jsonBytes()
                if let error = unsafe row.withUnsafeBytes({ unsafe rows.append($0) }) { throw error }
            }
        } catch {
            if rows.rowCount == 0 { throw error }
            failure = error
        }
        return rows.rowCount > 0 ? rows.takeBatch() : nil
    }

    /// The next rejected record; nil at the end.
    private func nextRejected() throws(JSONError) -> JSONRejectedRecord? {
        while true {
            do throws(JSONError) {
                guard try batches.next() != nil else { return nil }
            } catch {
                // An error that ends the feed is not a rejected record.
                guard error.kind != .tooManyErrors, let last = feed.lastRejected, last.error == error else { throw error }
                return last
            }
        }
    }

    private func row(of record: JSONRejectedRecord) -> JSONValue {
        .object([
            "file": .string(path), "start": .number(JSONNumber(record.range.lowerBound)),
            "end": .number(JSONNumber(record.range.upperBound)),
            "line": .number(JSONNumber(record.line)), "path": .string(record.error.path), "reason": .string(record.error.summary),
        ])
    }
}
