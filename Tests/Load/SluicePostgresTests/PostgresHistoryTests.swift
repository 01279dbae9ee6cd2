#if PostgreSQL
import Foundation
import Testing

@testable import SluicePostgres

/// A server that a test may kill.
private final class VictimServer {
    private let process = Process()
    private let input = Pipe()
    let url: String
    private let script: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        process.executableURL = root.appending(path: "Scripts/with-postgres")
        process.arguments = ["sh", "-c", #"echo "$SLUICE_POSTGRES $SLUICE_POSTGRES_SERVER"; cat >/dev/null"#]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            line += String(decoding: data, as: UTF8.self)
        }
        let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
        (url, script) = (parts.first ?? "", parts.last ?? "")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func run(_ command: String) throws {
        let run = Process()
        run.executableURL = URL(filePath: script)
        run.arguments = [command]
        run.standardOutput = FileHandle.nullDevice
        run.standardError = FileHandle.nullDevice
        try run.run()
        run.waitUntilExit()
    }
}

/// Runs and servers are killed at any moment. Each record must be stored once.
@Suite(.needsServer) struct PostgresHistoryTests {
    /// The program that ingests one file, beside the one that runs the tests.
    private static var program: URL? {
        var folders = [URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()]
        folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        folders.append(Bundle.main.bundleURL)
        return folders.map { $0.appending(path: "PostgresIngest") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    private static let histories = ProcessInfo.processInfo.environment["SLUICE_HISTORIES"].flatMap { Int($0) } ?? 6

    @Test func nothingIsDoubledAndNothingIsLost() throws {
        let program = try #require(PostgresHistoryTests.program)
        let server = try VictimServer()
        for history in 0..<PostgresHistoryTests.histories {
            let rule = ["reject", "upsert", "ignore", "replace"][history % 4]
            var generator = Generator(seed: UInt64(history))
            let count = 20_000
            let feed = try FeedFile(
                (0..<count).map { index in
                    let id = rule == "reject" ? index : Int.random(in: 0..<(count / 2), using: &generator)
                    if index % 997 == 3 { return "not a record \(index)" }
                    if index % 701 == 9 { return #"{"id":\#(id),"v":"b","n":-1}"# }
                    return index % 3 == 0
                        ? #"{"id":\#(id),"v":"\#(index)"}"# : #"{"id":\#(id),"v":"\#(index)","n":\#(index % 5)}"#
                })
            let tables = ["done\(history)", "killed\(history)"]
            let connection = try PostgresConnection(server.url)
            for table in tables {
                let key = rule == "reject" ? "" : "PRIMARY KEY"
                try connection.run("CREATE TABLE \(table) (id int \(key), v text, n int CHECK (n >= 0))")
            }
            let batch = String(Int.random(in: 20...700, using: &generator))
            #expect(try run(program, [server.url, tables[0], feed.path, rule, batch, "0"]) == 0)
            var attempts = 0
            while true {
                attempts += 1
                try #require(attempts < 200)
                let process = try start(program, [server.url, tables[1], feed.path, rule, batch, history % 2 == 0 ? "0" : "100"])
                let pause = UInt32.random(in: 20_000..<700_000, using: &generator)
                usleep(pause)
                // After several kills, the run is allowed to end.
                switch attempts > 8 ? 3 : Int.random(in: 0..<3, using: &generator) {
                case 0: kill(process.processIdentifier, SIGKILL)
                case 1:
                    try server.run("kill")
                    try server.run("start")
                default: break
                }
                process.waitUntilExit()
                if process.terminationReason == .exit, process.terminationStatus == 0 { break }
            }
            let found = try PostgresConnection(server.url)
            func value(_ sql: String) throws -> String? { try found.query(sql).text(0, 0) }
            let columns = "id, v, n"
            let isSame = try value(
                """
                SELECT count(*) FROM (
                    (SELECT \(columns) FROM \(tables[0]) EXCEPT ALL SELECT \(columns) FROM \(tables[1]))
                    UNION ALL (SELECT \(columns) FROM \(tables[1]) EXCEPT ALL SELECT \(columns) FROM \(tables[0]))) d
                """)
            #expect(isSame == "0", "history \(history): rows are doubled or lost")
            for table in tables {
                // The records that are not valid, and those with a number below 0.
                let rejected = (0..<count).count { $0 % 997 == 3 || $0 % 701 == 9 }
                #expect(try value("SELECT count(*) FROM bad_\(table)") == "\(rejected)", "history \(history)")
            }
        }
    }

    private func start(_ program: URL, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func run(_ program: URL, _ arguments: [String]) throws -> Int32 {
        let process = try start(program, arguments)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Numbers that are the same for the same seed: https://prng.di.unimi.it/splitmix64.c
    private struct Generator: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
#endif
