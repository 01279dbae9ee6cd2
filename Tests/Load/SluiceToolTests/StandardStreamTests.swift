#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// The process itself, with standard streams that are closed, full or broken.
@Suite struct StandardStreamTests {
    private static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    // A shell closes a stream before the tool starts. In a process that runs already, another thread could be given its number.
    @Test(.enabled(if: Shell.isPresent)) func aClosedStandardInputIsAnError() throws {
        let result = try Scratch().shell("sluice ingest - out.db <&-")
        #expect(result.status == 3)
        #expect(result.errors.contains("cannot read standard input: Bad file descriptor"))
    }

    @Test(.enabled(if: Shell.isPresent)) func aClosedStandardOutputIsAnErrorAfterTheWork() throws {
        let scratch = try Scratch()
        let result = try scratch.shell("echo '{\"a\":1}' | sluice ingest - out.db >&-")
        #expect(result.status == 3)
        #expect(result.errors.contains("cannot write standard output: Bad file descriptor"))
        // The report is not lost, nor is the work.
        #expect(result.errors.contains("1 added, 1 now in records"))
        #expect(try scratch.count() == 1)
    }

    @Test(.enabled(if: Shell.hasFullDevice))
    func aFullStandardOutputIsAnError() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            dup2(unsafe open("/dev/full", O_WRONLY), 1)
            runSluice(["generate", "--records", "10", "-"])
        }
        let words = Self.text(result?.standardErrorContent)
        #expect(words.contains("cannot write standard output: No space left on device"))
    }

    @Test(.enabled(if: Shell.isPresent), arguments: ["--help", "--version", "ingest --help"])
    func helpThatCannotBePrintedIsAnError(arguments: String) throws {
        let scratch = try Scratch()
        #expect(try scratch.shell("sluice \(arguments)").status == 0)
        let redirections = [("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")]
        for (redirection, reason) in redirections where Shell.hasFullDevice || !redirection.contains("full") {
            let result = try scratch.shell("sluice \(arguments) \(redirection)")
            #expect(result.status == 3)
            #expect(result.errors == "sluice: input/output error: cannot write standard output: \(reason)\n")
        }
    }

    @Test(.enabled(if: Shell.isPresent)) func aClosedStandardErrorEndsNothing() throws {
        #expect(try Scratch().shell("sluice ingest gone.ndjson out.db 2>&-").status == 3)
    }

    @Test func aBrokenPipeDoesNotEndAnIngest() async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            let feed = temporary("broken-pipe.ndjson")
            try Data("{\"a\":1}\n".utf8).write(to: URL(fileURLWithPath: feed))
            breakStandardOutput()
            runSluice(["ingest", "--drop", feed, temporary("broken-pipe.db")])
        }
        let words = Self.text(result?.standardErrorContent)
        #expect(words.contains("cannot write standard output: Broken pipe"))
    }

    @Test func aBrokenPipeEndsAGeneratedFeedWithoutAWord() async {
        let result = await #expect(processExitsWith: .signal(SIGPIPE), observing: [\.standardErrorContent]) {
            breakStandardOutput()
            _ = signal(SIGPIPE, SIG_DFL)
            runSluice(["generate", "--records", "10", "-"])
        }
        let words = Self.text(result?.standardErrorContent)
        // What the test library itself writes there is no word of ours.
        #expect(!words.contains("sluice"))
    }

    @Test func theVersionComesWithYajls() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            runSluice(["--version"])
        }
        let words = Self.text(result?.standardOutputContent)
        #expect(words.contains("sluice \(SluiceVersion.text)\nyajl \(YajlLibrary.version)\n"))
    }
}

/// A path for a test that ends with its process.
private func temporary(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(getpid())-\(name)").path
}

/// Makes standard output a pipe that has no reader any more.
private func breakStandardOutput() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    dup2(ends[1], 1)
    close(ends[0])
}
#endif
