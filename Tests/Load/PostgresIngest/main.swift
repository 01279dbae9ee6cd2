// Ingests one file into a table of PostgreSQL, so that tests can kill the process: PostgresIngest URL TABLE FILE RULE BATCH RECONNECTS. The
// key is `id`; RULE is reject (without a key), upsert, ignore or replace. Prints what became of the records.

#if PostgreSQL
import SluiceCore
import SluiceIngest
import SluicePostgres

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Shows nothing.
struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 6, let batch = Int(arguments[4]), let reconnects = Int(arguments[5]) else {
    print("usage: PostgresIngest URL TABLE FILE reject|upsert|ignore|replace BATCH RECONNECTS")
    exit(64)
}
var options = IngestOptions()
options.existing = .append
options.batch = batch
// As the tool does: a second thread reads records, if the input is not small.
options.workers = nil
options.rejects = .table("bad_" + arguments[1])
switch arguments[3] {
case "upsert": options.conflict = .upsert
case "ignore": options.conflict = .ignore
case "replace": options.conflict = .replace
default: break
}
if options.conflict != .reject { options.primaryKey = ["id"] }
do {
    let sink = PostgresSink(arguments[0], table: arguments[1], reconnects: reconnects)
    let report = try IngestJob(options, into: sink).run(input: arguments[2], progress: NoProgress())
    let rows = report.rows
    // A run that has lost its connection ends with a report, too.
    switch report.outcome {
    case .complete, .nothingToDo: break
    default: exit(1)
    }
    print("\(report.outcome) \(report.records) \(rows.added) \(rows.changed) \(rows.same) \(rows.kept) \(report.rejected)")
} catch {
    print("\(error)")
    exit(1)
}
#endif
