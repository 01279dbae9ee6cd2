// Names of output files that stand for a form which a command does not write.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

enum OtherForm {
    private static let common = [
        "parquet": "Write .arrow, and let pyarrow or DuckDB make Parquet of it.",
        "xlsx": "Write .csv, which spreadsheets open.", "db": "sluice ingest writes databases.",
        "sqlite": "sluice ingest writes databases.", "sqlite3": "sluice ingest writes databases.",
    ]

    /// Refuses a name with the ending of another form, and says how to get that form.
    ///
    /// - Parameter ways: What to do instead, by ending, where that is special to the command.
    static func check(_ output: String, of command: String, ways: [String: String] = [:]) throws {
        guard output != "-", let ending = FileEnding(of: output).form, let way = ways[ending] ?? common[ending] else { return }
        throw ValidationError("\(output): \(command) does not write .\(ending). \(way)")
    }
}
#endif
