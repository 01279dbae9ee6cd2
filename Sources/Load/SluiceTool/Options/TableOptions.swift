// The key of a table, what happens to a record whose key is there, and where changes of rows go: options of `ingest` and `replay`.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

/// Options about the key, by which rows are found and changes are named.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A column of the primary key. May be repeated.", valueName: "column"))
    var pk: [String] = []

    @Flag(help: "Merge a record into the row that has its key.")
    var upsert = false

    @Flag(help: "Keep the existing row if a record has its key.")
    var ignore = false

    @Flag(help: "Replace the row that has the key of a record.")
    var replace = false

    @Option(
        help: ArgumentHelp(
            "Where the changes of rows go: a table, or a file of NDJSON (a name with a dot).", valueName: "table|file"))
    var changes: String?

    func validate() throws {
        try require([upsert, ignore, replace].count(where: { $0 }) <= 1, "--upsert, --ignore and --replace exclude each other.")
    }

    func apply(to options: inout IngestOptions) {
        options.primaryKey = pk
        options.changes = changes.map { ChangesTarget($0) }
        options.conflict = upsert ? .upsert : ignore ? .ignore : replace ? .replace : .reject
    }
}
#endif
