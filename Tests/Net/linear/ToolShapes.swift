// What the tool does with records.

import SluiceIngest
import SluiceSQLite
import SluiceTool

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

let toolShapes: [Shape] = [
    Shape("unknown keys for the overflow", 1000) { size in
        let run = ingest(
            "{\"id\":1,\"o\":{" + joined(size) { "\"k\($0)\":\($0)" } + "}}\n", "--column", "id:integer", "--overflow", "rest")
        return {
            run()
            return size
        }
    },
    Shape("unknown keys for the overflow, nested twice", 1000) { size in
        let inner = joined(size) { "\"k\($0)\":\($0)" }
        let run = ingest("{\"id\":1,\"o\":{\"p\":{\(inner)},\"q\":{\(inner)}}}\n", "--column", "id:integer", "--overflow", "rest")
        return {
            run()
            return size
        }
    },
    Shape("columns whose keys have common beginnings and ends", 250) { size in
        let run = ingest(
            (0..<20).map { record in
                "{" + joined(size / 5) { "\"metric_\(100_000 + ($0 * 7 + record) * 31 % size)_of_a_sensor\":\($0)" } + "}\n"
            }.joined())
        return {
            run()
            return size
        }
    },
    Shape("arrays with tables of their own", 100) { size in
        let run = ingest("{\"id\":1," + joined(size) { "\"k\($0)\":[\($0)]" } + "}\n", "--children", "tables")
        return {
            run()
            return size
        }
    },
    Shape("arrays in the elements of an array", 1000) { size in
        let run = ingest(
            "{\"id\":1,\"a\":[" + joined(size) { "{\"b\":[\($0),[\($0)]]}" } + "]}\n", "--format", "ndjson", "--children",
            "tables")
        return {
            run()
            return size
        }
    },
    Shape("a new column in each record", 100) { size in
        let run = ingest((0..<size).map { "{\"k\($0)\":\($0)}\n" }.joined(), "--sample-size", "1")
        return {
            run()
            return size
        }
    },
]

/// Writes a file, and returns a function that ingests it into a new database. An error ends the process.
private func ingest(_ text: String, _ options: String...) -> () -> Void {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let path = "\(folder)/sluice-linear-\(getpid())"
    let file = unsafe fopen(path + ".ndjson", "w")
    if let file = unsafe file {
        unsafe fputs(text, file)
        unsafe fclose(file)
    }
    return {
        runSluice(["ingest", "--quiet", "--drop", "--workers", "1"] + options + [path + ".ndjson", path + ".db"])
        for suffix in [".ndjson", ".db", ".db-wal", ".db-shm"] { unsafe unlink(path + suffix) }
    }
}
