#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceCore
import SluiceSQL
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// The file of `--rejects`: each rejection is in it once, and other lines stay unchanged.
@Suite(.enabled(if: Shell.isPresent)) struct RejectsFileTests {
    /// The texts of the records in a file of rejected records.
    private func texts(_ scratch: Scratch, _ name: String = "bad.ndjson") throws -> [String] {
        let data = try Data(contentsOf: scratch.folder.appendingPathComponent(name))
        #expect(data.isEmpty || data.last == UInt8(ascii: "\n"))
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").map {
            try #require(try JSONValue(json: String($0))["json_line"]?.string)
        }
    }

    private func append(_ text: String, to name: String, in scratch: Scratch) throws {
        let handle = try #require(FileHandle(forWritingAtPath: scratch.path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    // MARK: Other lines stay

    @Test func theLinesOfEarlierRunsStay() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        _ = try scratch.file("b.ndjson", "{\"a\":2}\ny\n")
        #expect(try scratch.shell("sluice ingest -q a.ndjson -o e.db --rejects bad.ndjson").status == 2)
        #expect(try scratch.shell("sluice ingest -q --append b.ndjson -o e.db --rejects bad.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "y"])
        #expect(try scratch.shell("sluice ingest -q a.ndjson b.ndjson -o other.db --rejects bad.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "y", "x", "y"])
        // What has grown since is added, and what is read again is rejected again.
        try append("z\n", to: "a.ndjson", in: scratch)
        #expect(try scratch.shell("sluice ingest -q a.ndjson b.ndjson -o e.db --rejects bad.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "y", "x", "y", "z"])
        #expect(try scratch.shell("sluice ingest -q --drop --restart b.ndjson -o e.db --rejects bad.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "y", "x", "y", "z", "y"])
    }

    @Test func aFileThatWasDeletedOrShortenedIsNotFilledUp() throws {
        for change in ["rm bad.ndjson", ": > bad.ndjson", "echo '{\"json_line\":\"mine\"}' > bad.ndjson"] {
            let scratch = try Scratch()
            let long = "{\"a\":\"" + String(repeating: "x", count: 300)
            _ = try scratch.file("a.ndjson", "{\"a\":1}\n\(long)\n{\"a\":2}\ny\n")
            #expect(try scratch.shell("sluice ingest -q --limit 3 a.ndjson -o e.db --rejects bad.ndjson").status == 2)
            #expect(try texts(scratch) == [long])
            #expect(try scratch.shell("\(change); sluice ingest -q a.ndjson -o e.db --rejects bad.ndjson").status == 2)
            #expect(try texts(scratch) == (change.contains("mine") ? ["mine", "y"] : ["y"]), "\(change)")
        }
    }

    @Test func aLineWithoutAnEndIsNotContinued() throws {
        for input in ["a.ndjson", "- < a.ndjson"] {
            let scratch = try Scratch()
            _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
            _ = try scratch.file("bad.ndjson", "{\"json_line\":\"mine\"}")
            #expect(try scratch.shell("sluice ingest -q -o e.db --rejects bad.ndjson \(input)").status == 2)
            #expect(try texts(scratch) == ["mine", "x"])
        }
    }

    // MARK: Runs that are cut short

    @Test func aKilledRunIsTakenUpWithEachRejectionOnce() throws {
        let scratch = try Scratch()
        var lines = String(decoding: try generated(1_500), as: UTF8.self).split(separator: "\n").map(String.init)
        var expected: [String] = []
        for index in stride(from: 3, to: lines.count, by: 7) {
            lines[index] = "broken \(index)"
            expected.append(lines[index])
        }
        _ = try scratch.file("a.ndjson", lines[..<800].joined(separator: "\n") + "\n")
        _ = try scratch.file("b.ndjson", lines[800...].joined(separator: "\n") + "\n")
        let options = "--batch 20 --sample-size 20 -q"
        func command(_ name: String) -> String {
            "exec sluice ingest a.ndjson b.ndjson -o \(name).db --rejects \(name).ndjson \(options)"
        }
        let start = Date()
        #expect(try scratch.shell(command("whole")).status == 2)
        let seconds = Date().timeIntervalSince(start)
        #expect(try texts(scratch, "whole.ndjson") == expected)
        var random = SluiceTool.SplitMix64(seed: 815)
        for moment in 0..<8 {
            let delay = seconds * Double(random.next(below: 1_000)) / 1_000
            _ = try scratch.file("\(moment).ndjson", "{\"json_line\":\"mine\"}\n")
            try scratch.start(command("\(moment)")).kill(after: delay)
            #expect([0, 2].contains(try scratch.shell(command("\(moment)")).status))
            #expect(try texts(scratch, "\(moment).ndjson") == ["mine"] + expected, "killed after \(delay) s")
        }
    }

    /// The run was killed after a commit, and before all lines of the commit were in the file.
    @Test(arguments: ["", "{\"json_line\":\"mine\"}\n"])
    func whatIsOwedIsWrittenWhereverTheRunWasKilled(_ before: String) throws {
        let scratch = try Scratch()
        let input = try scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"a\":2}\ny\n")
        let bad = try scratch.file("bad.ndjson", before)
        #expect(try scratch.ingest(file: input) { $0.rejects = bad }.rejected == 2)
        let url = URL(fileURLWithPath: bad)
        let whole = try Data(contentsOf: url)
        let owed = whole.dropFirst(before.utf8.count)
        func kill(after count: Int, _ others: String = "") throws {
            try (whole.prefix(before.utf8.count + count) + Data(others.utf8)).write(to: url)
            try DatabaseQueue(path: scratch.path("out.db")).write { db in
                // The last run has left no pending rejects.
                #expect(try Ledger(db, of: "records", in: "").pendingRejects(to: IngestInput.identity(ofFile: bad)).isEmpty)
                let pendingRejects = RejectsFile.Pending(start: before.utf8.count, lines: Array(owed))
                try owe(pendingRejects, of: RunIdentity.new().id, to: IngestInput.identity(ofFile: bad), db)
            }
        }
        for count in 0...owed.count {
            try kill(after: count)
            // There is nothing to read, but the missing lines are written.
            #expect(try scratch.ingest(file: input) { $0.rejects = bad }.outcome == .nothingToDo)
            #expect(try Data(contentsOf: url) == whole, "\(count)")
            // A run of another database has appended lines since.
            let other = "{\"json_line\":\"other\"}\n"
            try kill(after: count, other)
            #expect(try scratch.ingest(file: input) { $0.rejects = bad }.outcome == .nothingToDo)
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            for line in String(decoding: owed, as: UTF8.self).split(separator: "\n") {
                #expect(lines.count { $0 == line } == 1, "\(count)")
            }
            #expect(try String(contentsOf: url, encoding: .utf8).contains(other))
        }
    }

    @Test func twoKilledRunsThatShareAFileAreBothPaid() throws {
        let scratch = try Scratch()
        let input = try scratch.file("a.ndjson", "{\"a\":1}\n")
        _ = try scratch.ingest(file: input)
        let bad = try scratch.file("bad.ndjson", "")
        let lines = ["first", "second"].map { "{\"json_line\":\"\($0)\"}\n" }
        let whole = lines.joined()
        // Each of the two runs may have been killed first, at any byte of its lines.
        for count in 0...whole.utf8.count {
            try whole.prefix(count).write(toFile: bad, atomically: false, encoding: .utf8)
            try DatabaseQueue(path: scratch.path("out.db")).write { db in
                let identity = IngestInput.identity(ofFile: bad)
                let pendingRejects = [
                    RejectsFile.Pending(start: 0, lines: Array(lines[0].utf8)),
                    RejectsFile.Pending(start: lines[0].utf8.count, lines: Array(lines[1].utf8)),
                ]
                for pending in pendingRejects {
                    try owe(pending, of: RunIdentity.new().id, to: identity, db)
                }
                let stored = try Ledger(db, of: "records", in: "").pendingRejects(to: identity).map {
                    RejectsFile.Pending(text: $0.text)
                }
                #expect(stored == pendingRejects)
            }
            #expect(try scratch.ingest(file: input) { $0.rejects = bad }.outcome == .nothingToDo)
            #expect(try texts(scratch) == ["first", "second"], "killed after \(count) bytes")
        }
    }

    @Test func linesThatCannotBeReadAreNamedAndStay() throws {
        let scratch = try Scratch()
        let input = try scratch.file("a.ndjson", "{\"a\":1}\n")
        _ = try scratch.ingest(file: input)
        let bad = try scratch.file("bad.ndjson", "")
        try DatabaseQueue(path: scratch.path("out.db")).write { db in
            let pending = RejectsFile.Pending(
                start: 0, lines: Array("{}\n".utf8), removals: [RejectsFile.Line(start: 0, text: Array("x\n".utf8))])
            try owe(pending, of: "one", to: IngestInput.identity(ofFile: bad), db)
            try db.execute(
                sql: "UPDATE _sluice_checkpoints SET state = replace(state, '\"text\"', '\"t\"') WHERE input LIKE 'rejects:%'")
        }
        let error = #expect(throws: IngestError.self) { try scratch.ingest(file: input) { $0.rejects = bad } }
        #expect(error.map { "\($0)".hasPrefix("the note on what the run one has still to write to \(bad) is damaged") } == true)
        #expect(try scratch.value("SELECT count(*) FROM _sluice_checkpoints WHERE input LIKE 'rejects:%'") == 1)
    }

    #if os(Linux)
    /// To Swift, both names are one string.
    @Test func filesWhoseNamesDifferInUnicodeFormOweTheirOwnLines() throws {
        let names = ["/bad/caf\u{E9}", "/bad/cafe\u{301}", "/bad/cafe%CC%81"]
        #expect(Set(names.map { IngestInput.identity(ofFile: $0) }).count == 3)
    }
    #endif

    @Test func aRunReplacesItsOwnPendingRejectsAndNoOther() throws {
        let database = try DatabaseQueue()
        try database.write { db in
            try Ledger(db, of: "records", in: "").makeCheckpoints()
            let (one, other) = (RunIdentity.new(), RunIdentity.new())
            func keep(_ text: String, of run: RunIdentity) throws {
                let pending = RejectsFile.Pending(start: 0, lines: Array(text.utf8))
                try owe(pending, of: run.id, to: "/bad", db)
            }
            func owed() throws -> [String] {
                try Ledger(db, of: "records", in: "").pendingRejects(to: "/bad").map {
                    String(decoding: try #require(RejectsFile.Pending(text: $0.text)).lines, as: UTF8.self)
                }.sorted()
            }
            try keep("a", of: one)
            try keep("b", of: other)
            try keep("c", of: one)
            #expect(try owed() == ["b", "c"])
            try Ledger(db, of: "records", in: "").setPendingRejects(nil, of: one.id, to: "/bad")
            #expect(try owed() == ["b"])
        }
    }

    @Test func whatIsOwedIsWrittenWithoutHoldingUpARunThatHasTheDatabase() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        let command = "sluice ingest -q a.ndjson out.db --rejects bad.ndjson"
        #expect(try scratch.shell(command).status == 2)
        let bad = scratch.path("bad.ndjson")
        let lines = try Data(contentsOf: URL(fileURLWithPath: bad))
        try Data().write(to: URL(fileURLWithPath: bad))
        let database = try DatabaseQueue(path: scratch.path("out.db"))
        let run = try database.inDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            let pendingRejects = RejectsFile.Pending(start: 0, lines: Array(lines))
            try owe(pendingRejects, of: RunIdentity.new().id, to: IngestInput.identity(ofFile: bad), db)
            try db.beginTransaction(.immediate)
            let run = try scratch.start(command)
            // The run waits for the database, and this one gets the file in the meantime.
            let file = try RejectsFile(path: bad)
            for _ in 0..<50 {
                file.lock()
                usleep(2_000)
                file.unlock()
            }
            try db.rollback()
            return run
        }
        #expect(try run.result().status == 2)
        #expect(try texts(scratch) == ["x"])
    }

    // MARK: Records that the input ends in

    @Test(arguments: ["1", "2"]) func aRecordThatTheInputEndedInIsRejectedOnce(workers: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n{\"b\":\n{\"a\":")
        _ = try scratch.file("b.ndjson", "{\"a\":9}\ny\n")
        let command = "sluice ingest -q -o e.db --rejects bad.ndjson --workers \(workers)"
        #expect(try scratch.shell("\(command) a.ndjson").status == 2)
        #expect(try scratch.shell("\(command) ./a.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "{\"b\":", "{\"a\":"])
        #expect(try scratch.shell("\(command) --append b.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "{\"b\":", "{\"a\":", "y"])
        try append("2}\nz\n", to: "a.ndjson", in: scratch)
        #expect(try scratch.shell("\(command) a.ndjson").status == 2)
        #expect(try texts(scratch) == ["x", "{\"b\":", "y", "z"])
        #expect(try scratch.shell("\(command) a.ndjson").status == 2)
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func aContainerThatTheInputEndedInIsRejectedOnce(target: String) throws {
        let scratch = try Scratch()
        func count() throws -> Int {
            if target == "bad" { return try scratch.count("bad") }
            return try Data(contentsOf: scratch.folder.appendingPathComponent(target)).count { $0 == UInt8(ascii: "\n") }
        }
        let feed = "[{\"a\":1},\n{\"a\":2"
        let command = "sluice ingest -q a.json out.db --rejects \(target)"
        _ = try scratch.file("a.json", feed)
        #expect(try scratch.shell(command).status == 2)
        let first = try count()
        for _ in 0..<2 { #expect(try scratch.shell(command).status == 2) }
        #expect(try count() == first)
        _ = try scratch.file("a.json", feed + "}]")
        #expect(try scratch.shell(command).status == 0)
        #expect(try count() == 0)
        #expect(try scratch.count() == 2)
    }

    @Test(arguments: ["bad", "bad.ndjson"]) func aBrokenRecordOfAnotherTableStays(target: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":\n{\"a\":2}\n")
        for options in ["--table one", "--table two --limit 1", "--table two"] {
            _ = try scratch.shell("sluice ingest -q a.ndjson out.db --rejects \(target) \(options)")
        }
        #expect(try (target == "bad" ? scratch.count("bad") : texts(scratch).count) == 2)
    }

    @Test func removedLinesLeaveTheOthersWhereTheyWere() throws {
        let scratch = try Scratch()
        let long = String(repeating: "l", count: 3 << 20)
        let text = ["---", "a", "---", "", long, "---", "---", "b", long + "x"].joined(separator: "\n")
        for end in ["", "\n", "\n---", "\n---\n---\n"] {
            let path = try scratch.file("bad.ndjson", text + end)
            let file = try RejectsFile(path: path)
            let pendingRejects = try file.pendingRejects(of: Array("c\n".utf8), removing: file.lines { $0 == Array("---".utf8) })
            let left = text.replacing("---\n", with: "    ") + (end.hasSuffix("\n") ? "\n" : end + "\n") + "c\n"
            for _ in 0..<2 {
                try file.pay(pendingRejects)
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(left.utf8))
            }
        }
    }

    /// A kill may come at any moment while a line is overwritten. The result must be the same as without it.
    @Test func aRemovalThatWasCutShortIsCompleted() throws {
        let scratch = try Scratch()
        let lines = ["{\"a\":1}", "{\"b\":22}", "{\"c\":3}"].map { $0 + "\n" }
        let path = try scratch.file("bad.ndjson", lines.joined())
        let pendingRejects = try RejectsFile(path: path).pendingRejects(
            of: Array("{\"d\":4}\n".utf8), removing: RejectsFile(path: path).lines { $0.starts(with: Array("{\"b".utf8)) })
        let blank = String(repeating: " ", count: lines[1].count)
        for count in 0..<lines[1].count {
            let torn = String(repeating: " ", count: count) + lines[1].dropFirst(count)
            for tail in ["", "{\"d\"", "{\"d\":4}\n", "{\"d\0\0\0\0\0"] {
                _ = try scratch.file("bad.ndjson", lines[0] + torn + lines[2] + tail)
                try RejectsFile(path: path).pay(pendingRejects)
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(text == lines[0] + blank + lines[2] + "{\"d\":4}\n")
            }
        }
    }

    /// A record that breaks off again is often rejected with the same text. If a run is killed right after it has changed the
    /// file, each line is in the file, and the next run makes the same change again.
    @Test func aLineThatIsRemovedAndWrittenAgainStandsThereOnce() throws {
        let scratch = try Scratch()
        let (same, other, new) = ("{\"a\":1}\n", "{\"b\":22}\n", "{\"c\":\"later\"}\n")
        for before in [same + other, other + same, same, "{\"mine\":0}\n" + same + other, same + "{\"mine\":0}\n" + other] {
            for lines in [same + new, new + same, same, same + other] {
                let path = try scratch.file("bad.ndjson", before)
                let pendingRejects = try RejectsFile(path: path).pendingRejects(
                    of: Array(lines.utf8), removing: RejectsFile(path: path).lines { !$0.contains(UInt8(ascii: "m")) })
                let expected = (lines + (before.contains("mine") ? "{\"mine\":0}\n" : "")).split(separator: "\n").sorted()
                func expectEachLineOnce(_ moment: String) throws {
                    let file = try RejectsFile(path: path)
                    for _ in 0..<2 { try file.pay(pendingRejects) }
                    let found = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                    let texts = found.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
                    #expect(texts.sorted() == expected, "\(before) \(lines) \(moment)")
                }
                try expectEachLineOnce("at once")
                // The run was killed while it appended the lines, after any number of bytes.
                let paid = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
                for size in pendingRejects.start...max(pendingRejects.start, paid.count) {
                    _ = try scratch.file("bad.ndjson", String(decoding: paid[..<size], as: UTF8.self))
                    try expectEachLineOnce("\(size) bytes")
                }
            }
        }
    }

    @Test func twoRunsAtTheSameTimeShareAFile() throws {
        let scratch = try Scratch()
        var expected: [String] = []
        for name in ["a", "b"] {
            let lines = (0..<900).map { $0.isMultiple(of: 3) ? "\(name)\($0)" : "{\"a\":\($0)}" }
            expected += lines.filter { !$0.hasPrefix("{") }
            _ = try scratch.file("\(name).ndjson", lines.joined(separator: "\n") + "\n")
        }
        // The first two share the database too.
        let runs = try [("a", "e"), ("b", "e"), ("a", "f")].map { input, database in
            try scratch.start("sluice ingest -q --append --batch 20 \(input).ndjson -o \(database).db --rejects bad.ndjson")
        }
        for run in runs { #expect(try run.result().status == 2) }
        #expect(try texts(scratch).sorted() == (expected + expected[..<300]).sorted())
    }

    @Test func aFeedOfRejectionsIsCommittedInPieces() throws {
        let scratch = try Scratch()
        let text = String(repeating: "x", count: 300 << 10)
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n" + (0..<12).map { "\($0)\(text)\n" }.joined() + "{\"a\":2}\n")
        #expect(try scratch.shell("sluice ingest -q a.ndjson -o e.db --rejects bad.ndjson").status == 2)
        #expect(try texts(scratch) == (0..<12).map { "\($0)\(text)" })
        #expect(try scratch.count("records", in: "e.db") == 2)
    }

    // MARK: What cannot be written

    @Test(arguments: [
        ("/nonexistent/x.json", "cannot open /nonexistent/x.json: No such file or directory"),
        ("./folder", "cannot open ./folder: Is a directory"), ("/dev/full", "cannot write /dev/full: No space left on device"),
    ])
    func theMessageNamesWhatFailed(target: String, message: String) throws {
        guard target != "/dev/full" || Shell.hasFullDevice else { return }
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        let result = try scratch.shell("mkdir folder; sluice ingest -q a.ndjson -o e.db --rejects \(target)")
        #expect(result.status == 3)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains("e.db: "), "\(result.errors)")
        if target == "/dev/full" {
            // The rows were rolled back with their checkpoint, so the next run reads the records again.
            #expect(try scratch.shell("sluice ingest -q a.ndjson -o e.db --append --rejects bad.ndjson").status == 2)
            #expect(try texts(scratch) == ["x"])
            #expect(try scratch.count("records", in: "e.db") == 1)
        } else {
            #expect(!FileManager.default.fileExists(atPath: scratch.path("e.db")))
        }
    }

    @Test func rejectionsGoToPipesAndDevicesToo() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        #expect(try scratch.shell("sluice ingest -q a.ndjson -o null.db --rejects /dev/null").status == 2)
        #expect(try scratch.count("records", in: "null.db") == 1)
        #expect(try scratch.shell("sluice ingest -q a.ndjson -o out.db --rejects /dev/stdout | cat").output.contains("\"x\""))
        let fifo = try scratch.shell(
            "mkfifo bad.pipe; cat bad.pipe > bad.ndjson & sluice ingest -q a.ndjson -o e.db --rejects bad.pipe; echo $?; wait")
        #expect(fifo.output == "2\n")
        #expect(try texts(scratch) == ["x"])
    }
}

/// Stores lines as a run does that owes them to a file.
private func owe(_ lines: RejectsFile.Pending, of owner: String, to file: String, _ db: Database) throws {
    let ledger = Ledger(db, of: "records", in: "")
    try ledger.setPendingRejects(PendingRejects(owner: owner, text: lines.text), of: owner, to: file)
}
#endif
