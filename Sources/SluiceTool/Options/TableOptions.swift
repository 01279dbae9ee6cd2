// The key of a table, and what happens to a record whose key is there: options of `ingest` and `replay`.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

/// Options about the key.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A column of the primary key. May be repeated.", valueName: "column"))
    var pk: [String] = []

    @Flag(help: "Merge a record into the row that has its key.")
    var upsert = false

    @Flag(help: "Keep the existing row if a record has its key.")
    var ignore = false

    @Flag(help: "Replace the row that has the key of a record.")
    var replace = false

    func validate() throws {
        guard [upsert, ignore, replace].count(where: { $0 }) <= 1 else {
            throw ValidationError("--upsert, --ignore and --replace exclude each other.")
        }
    }

    func apply(to options: inout IngestOptions) {
        options.primaryKey = pk
        options.conflict = upsert ? .upsert : ignore ? .ignore : replace ? .replace : .reject
    }
}
#endif
