#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// No command writes over what it reads, whatever the file is called.
@Suite(.enabled(if: Shell.isPresent)) struct OutputNameTests {
    @Test(arguments: [
        "a.ndjson", "./a.ndjson", "link.ndjson", "hard.ndjson", "e.db", "./e.db-wal", "e.db-shm", "e.db-journal",
        "dangling.ndjson", "logs/c.ndjson",
    ])
    func aFileThatIsUsedOtherwiseIsRefused(target: String) throws {
        let scratch = try Scratch()
        let text = "{\"a\":1}\nx\n"
        _ = try scratch.file("a.ndjson", text)
        _ = try scratch.shell(
            "ln -s a.ndjson link.ndjson; ln a.ndjson hard.ndjson; ln -s e.db dangling.ndjson; mkdir logs; cp a.ndjson logs/c.ndjson"
        )
        for inputs in ["a.ndjson logs", "link.ndjson 'lo*/*.ndjson'", "- logs < a.ndjson"] {
            let result = try scratch.shell("sluice ingest -q -o e.db --rejects \(target) \(inputs)")
            #expect(result.status == 64, "\(inputs)")
            #expect(result.errors.contains("--rejects \(target) is "), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("e.db")))
        }
        #expect(try String(contentsOfFile: scratch.path("a.ndjson"), encoding: .utf8) == text)
        #expect(try String(contentsOfFile: scratch.path("logs/c.ndjson"), encoding: .utf8) == text)
    }

    @Test func theFileOfAStandardStreamIsRefused() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        for stream in ["> bad.ndjson", "2> bad.ndjson"] {
            #expect(try scratch.shell("sluice ingest -q a.ndjson -o e.db --rejects bad.ndjson \(stream)").status == 64)
        }
    }

    @Test(arguments: ["a.ndjson -o a.ndjson", "-o hard.ndjson a.ndjson", "a.ndjson >> a.ndjson", "- -o a.ndjson < link.ndjson"])
    func anInputIsNotConvertedIntoItself(arguments: String) throws {
        let scratch = try Scratch()
        let text = "{\"a\": 1}\n"
        _ = try scratch.file("a.ndjson", text)
        _ = try scratch.shell("ln -s a.ndjson link.ndjson; ln a.ndjson hard.ndjson")
        let result = try scratch.shell("sluice convert \(arguments)")
        #expect(result.status == 64)
        #expect(result.errors.contains("is an input too"), "\(result.errors)")
        #expect(try String(contentsOfFile: scratch.path("a.ndjson"), encoding: .utf8) == text)
    }

    @Test(arguments: ["gone.ndjson", "a.ndjson gone.ndjson", "folder"])
    func anInputThatCannotBeOpenedLeavesTheOutputAsItIs(inputs: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\n")
        _ = try scratch.file("out.ndjson", "precious\n")
        let result = try scratch.shell("mkdir folder; sluice convert \(inputs) -o out.ndjson")
        #expect(result.status == 3)
        #expect(try String(contentsOfFile: scratch.path("out.ndjson"), encoding: .utf8) == "precious\n")
    }

    /// SQLite does not tell capitals from small letters in the names of tables.
    @Test(arguments: [
        "--rejects Records", "--rejects _sluice_checkpoints", "--rejects _Sluice_Checkpoints", "--table _Sluice_Checkpoints",
        "--rejects _sluice_memory", "--table _Sluice_Memory",
    ])
    func aTableThatIsUsedOtherwiseIsRefused(options: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "{\"a\":1}\nx\n")
        #expect(try scratch.shell("sluice ingest -q a.ndjson e.db \(options)").status == 64)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("e.db")))
    }

    @Test func anEmptyInputIsNotMadeADatabase() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", "")
        _ = try scratch.file("b.ndjson", "{\"a\":1}\n")
        let result = try scratch.shell("sluice ingest a.ndjson b.ndjson -o a.ndjson")
        #expect(result.status == 64)
        #expect(try Data(contentsOf: scratch.folder.appendingPathComponent("a.ndjson")).isEmpty)
    }
}
#endif
