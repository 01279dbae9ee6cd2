#if SQLite
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// A log that is rotated while nobody reads it: each of its lines is stored once, wherever it lies by then.
@Suite struct RotationTests {
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aLogThatWasRenamedIsReadOnAndTheNewOneFromItsStart(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...3))
        #expect(try log.run(giving: 1...3).records == 3)
        try log.append(lines(4...5))
        try log.rotate(then: lines(6...7))
        let report = try log.run(giving: 1...7)
        #expect(report.records == 4 && report.rows.added == 4)
        let again = try log.run(giving: 1...7)
        #expect(again.outcome == .nothingToDo && again.records == 0)
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aChainOfRenamesIsFollowed(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...1))
        var last = 1
        for round in 0..<12 {
            try log.run(giving: 1...last)
            // Up to three rotations between two runs.
            for _ in 0...round % 3 {
                try log.append(lines(last + 1...last + 1))
                try log.rotate(then: lines(last + 2...last + 3))
                last += 3
            }
        }
        #expect(log.exists("app.ndjson.10"))
        try log.run(giving: 1...last)
    }

    /// Before the first run, there are several files already.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func theFirstRunReadsTheRotatedFilesToo(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...3))
        try log.rotate(then: lines(4...5))
        try log.rotate(then: lines(6...6))
        try log.run(giving: 1...6)
        try log.append(lines(7...7))
        try log.rotate(then: "")
        try log.run(giving: 1...7)
    }

    @Test(
        arguments: LoaderSink.databases,
        ["app.ndjson-202611", "app.ndjson-2026-11-", "app-202611", "app.ndjson-20261112", "app.ndjson-20261112-0000"])
    func aLogThatGetsADateIsReadOn(sink: LoaderSink, beginning: String) throws {
        for argument in LogArgument.allCases {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...2))
            for round in 0..<4 {
                try log.run(giving: 1...2 * round + 2)
                try log.append(lines(2 * round + 3...2 * round + 3))
                // The days, hours or seconds from 10 to 13.
                let name = "\(beginning)\(10 + round)" + (beginning.hasPrefix("app-") ? ".ndjson" : "")
                try log.move("app.ndjson", to: name)
                try log.write(lines(2 * round + 4...2 * round + 4))
            }
            try log.run(giving: 1...10)
        }
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aLogThatWasCopiedAndTruncatedIsReadOnInTheCopyAndAnewInTheLog(sink: LoaderSink, argument: LogArgument) throws {
        // By the next run, the log has grown less than it had been read, or more, or not at all.
        for grown in [1, 20, 0] {
            let log = try LogFolder(sink, argument)
            var last = 5
            try log.write(lines(1...5))
            for round in 1...3 {
                try log.run(giving: 1...last)
                try log.append(lines(last + 1...last + 2))
                last += 2
                for number in (1..<round).reversed() { try log.move("app.ndjson.\(number)", to: "app.ndjson.\(number + 1)") }
                try log.copy("app.ndjson", to: "app.ndjson.1")
                try log.write(grown == 0 ? "" : lines(last + 1...last + grown))
                last += grown
            }
            try log.run(giving: 1...last)
            #expect(try log.run(giving: 1...last).records == 0)
        }
    }

    /// A run may come between the copy and the truncation.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aRunBetweenTheCopyAndTheTruncationReadsEachLineOnce(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...60))
        try log.run(giving: 1...60)
        try log.append(lines(61...62))
        try log.copy("app.ndjson", to: "app.ndjson.1")
        try log.run(giving: 1...62)
        try log.write("")
        try log.run(giving: 1...62)
        try log.append(lines(63...63))
        try log.run(giving: 1...63)
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aLogThatWasMovedToAnotherFolderIsReadOn(sink: LoaderSink, argument: LogArgument) throws {
        // To another file system, files are copied; and the other folder may lie inside the log's own.
        for (isCopied, archive) in [(false, "../archive"), (true, "../archive"), (false, "archive"), (true, "archive")] {
            let log = try LogFolder(sink, argument)
            log.movedTo = [log.path(archive)]
            try log.write(lines(1...3))
            // The folder is not there yet.
            try log.run(giving: 1...3)
            try log.makeFolder("logs/" + archive)
            for round in 0..<3 {
                try log.append(lines(2 * round + 4...2 * round + 4))
                let name = "\(archive)/app.ndjson-2026111\(round)"
                if isCopied {
                    try log.copy("app.ndjson", to: name)
                    try log.remove("app.ndjson")
                } else {
                    try log.move("app.ndjson", to: name)
                }
                try log.write(lines(2 * round + 5...2 * round + 5))
                try log.run(giving: 1...2 * round + 5)
            }
        }
    }

    @Test(arguments: LoaderSink.databases) func aLogMayBeMovedToSeveralFoldersOneAfterTheOther(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        log.movedTo = [log.path("../new"), log.path("../old") + "/"]
        for name in ["new", "old"] { try log.makeFolder(name) }
        try log.write(lines(1...2))
        try log.run(giving: 1...2)
        try log.append(lines(3...3))
        try log.move("app.ndjson", to: "../new/app.ndjson.1")
        try log.write(lines(4...4))
        try log.run(giving: 1...4)
        try log.move("../new/app.ndjson.1", to: "../old/app.ndjson-20261130")
        try log.append(lines(5...5), to: "../old/app.ndjson-20261130")
        try log.move("app.ndjson", to: "../new/app.ndjson.1")
        try log.write(lines(6...6))
        try log.run(giving: 1...6)
    }

    // MARK: How a log is named

    @Test(arguments: LoaderSink.databases) func aPatternAndTheNamesOfSeveralFilesStandForTheirLogs(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...2))
        try log.rotate(then: lines(3...3))
        let names = ["app.ndjson", "app.ndjson.1"].map { log.path($0) }
        for (index, arguments) in [[log.path("*")], names, Array(names.reversed()), [log.path("app.ndjson")]].enumerated() {
            log.arguments = arguments
            try log.run(giving: 1...3 + index)
            try log.append(lines(4 + index...4 + index))
        }
        try log.run(giving: 1...7)
    }

    /// A folder, and a log, may have several names.
    @Test(arguments: LoaderSink.databases, ["", "app.ndjson"])
    func theSameFolderUnderAnotherNameHasTheSameLogs(sink: LoaderSink, name: String) throws {
        let log = try LogFolder(sink)
        let link = log.path("../link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log.path(""))
        let folders = [log.path(""), link + "/", log.path("../logs/"), log.path("./")]
        try log.write(lines(1...1))
        for round in 0..<8 {
            log.arguments = [folders[round % 4] + name]
            try log.run(giving: 1...2 * round + 1)
            try log.append(lines(2 * round + 2...2 * round + 2))
            try log.rotate(then: lines(2 * round + 3...2 * round + 3))
        }
        try log.run(giving: 1...17)
    }

    /// The new log has the same name as the one that was read, and begins otherwise; the folder is named in another way.
    @Test(arguments: LoaderSink.databases) func aNewLogIsNewThoughItsFolderIsNamedOtherwise(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        let link = log.path("../link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log.path(""))
        try log.write(lines(1...1))
        try log.run(giving: 1...1)
        // It begins with the same line as the one before.
        log.arguments = [link]
        try log.replace(with: lines(1...2))
        try log.run(giving: [1, 1, 2])
    }

    // MARK: Logs beside it

    @Test(arguments: LoaderSink.databases) func logsOfOneFolderStayApart(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.write(lines(101...103), to: "db.ndjson")
        try log.run(giving: [1, 2, 3, 101, 102, 103])
        try log.append(lines(4...4))
        try log.rotate(then: lines(5...5))
        try log.append(lines(104...104), to: "db.ndjson")
        try log.move("db.ndjson", to: "db.ndjson.1")
        try log.write(lines(105...105), to: "db.ndjson")
        try log.run(giving: Array(1...5) + Array(101...105))
        let families = try Set(log.checkpoints().map { Family(ofInput: $0.input)?.name.stem ?? "" })
        #expect(families == ["app.ndjson", "db.ndjson"])
    }

    /// Content is looked for within a family only: across families, two files are two inputs, as without the option.
    @Test(arguments: LoaderSink.databases) func equalTextsOfTwoLogsAreTwoInputs(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...60))
        try log.run(giving: 1...60)
        try log.copy("app.ndjson", to: "db.ndjson")
        try log.makeFolder("logs/deep")
        try log.copy("app.ndjson", to: "deep/app.ndjson")
        let report = try log.run(giving: (1...60).flatMap { [$0, $0, $0] })
        #expect(report.records == 120)
    }

    @Test(arguments: LoaderSink.databases) func hardLinksInOneFolderAreOneFile(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        func link(_ name: String, _ other: String) throws {
            try FileManager.default.linkItem(atPath: log.path(name), toPath: log.path(other))
        }
        try link("app.ndjson", "app.ndjson.1")
        let report = try log.run(giving: 1...3)
        #expect(report.notes.isEmpty, "\(report.notes)")
        try log.append(lines(4...4))
        try link("app.ndjson", "app.ndjson.2")
        try log.run(giving: 1...4)
        // logrotate may link before it renames.
        try log.remove("app.ndjson")
        try log.write(lines(5...5))
        try log.run(giving: 1...5)
    }

    @Test(arguments: LoaderSink.databases) func tenFilesOfOneLogAreReadInOneCommand(sink: LoaderSink) throws {
        let names = ["app.ndjson"] + (1...9).map { "app.ndjson.\($0)" }
        for isNamed in [false, true] {
            for batch in [1, 10_000] {
                let log = try LogFolder(sink)
                for (index, name) in names.enumerated() { try log.write(lines(5 * index + 1...5 * index + 5), to: name) }
                if isNamed { log.arguments = names.map { log.path($0) } }
                #expect(try log.run(giving: 1...50) { $0.batch = batch }.records == 50)
                #expect(try Set(log.checkpoints().map(\.input)).count == 10)
                #expect(try log.run(giving: 1...50).outcome == .nothingToDo)
                for (index, name) in names.enumerated() { try log.append(lines(51 + index...51 + index), to: name) }
                #expect(try log.run(giving: 1...60) { $0.batch = batch }.records == 10)
            }
        }
    }
}
#endif
