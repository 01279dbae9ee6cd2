// The forms that names of output files say, also those which a command does not write.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

enum OtherForm {
    private static let files = [
        "parquet": "Write .arrow, and let pyarrow or DuckDB make Parquet of it.", "xlsx": "Write .csv, which spreadsheets open.",
    ]
    private static let databases = ["db", "sqlite", "sqlite3"]

    /// The form that the name of an output says, as options name it; nil for standard output, and for a name that says none.
    static func named(_ output: String) -> String? {
        guard output != "-", let ending = FileEnding(of: output).form else { return nil }
        return ["jsonl": "ndjson", "tab": "tsv", "arrows": "arrow"][ending] ?? ending
    }

    /// Whether an ending is that of a file that no command writes.
    static func isFile(_ ending: String?) -> Bool { ending.map { files[$0] != nil } ?? false }

    /// Refuses a name with the ending of another form, and says how to get that form.
    ///
    /// - Parameter ways: What to do instead, by ending, where that is special to the command.
    static func check(_ output: String, of command: String, ways: [String: String] = [:]) throws {
        try IngestTarget.check(output)
        guard output != "-", let ending = FileEnding(of: output).form else { return }
        let database = databases.contains(ending) ? "sluice ingest writes databases." : nil
        guard let way = ways[ending] ?? files[ending] ?? database else { return }
        throw ValidationError("\(output): \(command) does not write .\(ending). \(way)")
    }
}
#endif
