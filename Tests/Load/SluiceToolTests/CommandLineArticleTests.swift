// The commands of articles of Sources/Engine/Sluice/Sluice.docc, run one after the other in one folder: what they print is what the article shows.

#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@Suite(.enabled(if: Shell.isPresent)) struct CommandLineArticleTests {
    /// A command with what the article shows below it.
    private struct Step {
        let command: String
        var output: [String] = []
    }

    /// The article's files by their names, and the steps of its blocks.
    private func article(_ name: String) throws -> (files: [String: String], blocks: [[Step]]) {
        let file = TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/\(name).md")
        let text = try String(contentsOf: file, encoding: .utf8)
        var files: [String: String] = [:]
        var blocks: [[Step]] = []
        var language: Substring?
        var block: [String] = []
        var name: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let ended = language {
                    if ended == "json", let name { files[name] = block.joined(separator: "\n") + "\n" }
                    if ended == "console" { blocks.append(CommandLineArticleTests.steps(block)) }
                    language = nil
                } else {
                    language = line.dropFirst(3)
                    block = []
                }
            } else if language != nil {
                block.append(String(line))
            } else if let match = line.firstMatch(of: /`([^`]+)` holds:$/) {
                name = String(match.1)
            }
        }
        return (files, blocks)
    }

    private static func steps(_ block: [String]) -> [Step] {
        var steps: [Step] = []
        for line in block {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
            }
        }
        return steps
    }

    /// The lines without what differs from run to run: times, speeds and shares.
    private func comparable(_ lines: [String]) -> [String] {
        lines.map { line in
            if line.contains("MB/s") || line.hasPrefix("reading ") { return line.replacing(/[0-9][0-9.,]*/, with: "#") }
            return line.replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":#")
        }
    }

    @Test(arguments: [
        ("TheCommandLine", 6, 26), ("NestedFeeds", 1, 3), ("WhatChanged", 2, 2), ("WhatToWatch", 2, 4),
        ("WhereRowsComeFrom", 2, 3), ("FeedsThatGrow", 1, 1),
        ("Contracts", 2, 2),
    ])
    func theCommandsPrintWhatTheArticleShows(name: String, fileCount: Int, blockCount: Int) throws {
        let (files, blocks) = try article(name)
        #expect(files.count == fileCount)
        #expect(blocks.count >= blockCount)
        let scratch = try Scratch()
        for (name, text) in files { _ = try scratch.file(name, text) }
        var status: Int32 = 0
        for block in blocks where CommandLineArticleTests.canRun(block) {
            for step in block where CommandLineArticleTests.canRun(step) {
                let command = step.command.replacing("$?", with: "\(status)")
                let result = try scratch.shell("{ \(command)\n} 2>&1")
                status = result.status
                var lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                if lines.last == "" { lines.removeLast() }
                #expect(comparable(lines) == comparable(step.output), "\(step.command)")
            }
        }
    }

    private static let hasSQLite = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Whether this build reads what a block reads.
    private static func canRun(_ block: [Step]) -> Bool {
        #if Compression
        true
        #else
        !block.contains { $0.command.contains("gz") }
        #endif
    }

    /// Whether this machine has what shows a table.
    private static func canRun(_ step: Step) -> Bool { hasSQLite || !step.command.contains("sqlite3") }

    /// Each option of the commands is in the article.
    @Test(arguments: ["check", "infer", "convert", "query", "ingest", "replay", "status"])
    func theArticleNamesEachOption(command: String) throws {
        let file = TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/TheCommandLine.md")
        let article = try String(contentsOf: file, encoding: .utf8)
        let help = try Scratch().shell("sluice \(command) --help").output
        let options = Set(help.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }).subtracting(["--version", "--help"])
        #expect(options.count >= (command == "status" ? 2 : 5))
        for option in options.sorted() { #expect(article.contains(option), "\(option)") }
    }
}
#endif
