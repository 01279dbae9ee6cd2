#if SQLite
import Foundation
import SluiceCompression
import SluiceTestSupport
import Testing

@testable import SinkConformance
@testable import SluiceIngest

/// Texts that no file has any more, and what comes back.
@Suite struct MissingLogTests {
    /// Runs several times after files were removed.
    private func reports(_ log: LogFolder, giving ids: some Sequence<Int>) throws -> [IngestReport] {
        let expected = ids.sorted()
        return try (1...4).map { number -> IngestReport in
            let report = try log.run()
            #expect(try log.ids() == expected, "run \(number)")
            return report
        }
    }

    /// The program that wrote it has ended, so that nothing has the log's own name any more.
    @Test(arguments: ["logs", "logs/*.ndjson", "l?gs/a*", "logs/../logs/[a-z]*"])
    func aLogThatWasMovedAwayForGoodIsReadToItsEnd(argument: String) throws {
        let log = try LogFolder()
        try log.makeFolder("archive")
        log.arguments = [log.loader.scratch.path(argument)]
        log.movedTo = [log.path("../archive")]
        try log.write(lines(1...2))
        try log.write(lines(10...10), to: "an.ndjson")
        try log.run(giving: [1, 2, 10])
        try log.append(lines(3...4))
        try log.move("app.ndjson", to: "../archive/app.ndjson.1")
        try log.run(giving: [1, 2, 3, 4, 10])
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aTextThatWasReadToItsEndAndIsGoneIsNotedOnce(sink: LoaderSink, argument: LogArgument) throws {
        for count in [3, 200] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...count))
            try log.run(giving: 1...count)
            try log.rotate(then: lines(501...501))
            try log.run(giving: Array(1...count) + [501])
            try log.remove("app.ndjson.1")
            let reports = try reports(log, giving: Array(1...count) + [501])
            #expect(reports.allSatisfy { $0.isSuccess })
            #expect(reports.map { $0.mentions(of: log.path("app.ndjson.1")) }.reduce(0, +) == 1, "\(reports.map(\.notes))")
            #expect(reports.allSatisfy { $0.unread.isEmpty })
        }
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aTextThatWasNotReadToItsEndAndIsGoneIsALossWithItsBytes(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        // A line that is not complete yet was seen, and not read.
        let part = "{\"id\":4,\"name\":\"ä"
        try log.write(lines(1...3) + part)
        try log.run(giving: 1...3)
        try log.replace(with: lines(5...5))
        let reports = try reports(log, giving: [1, 2, 3, 5])
        #expect(reports.count(where: \.isLossy) == 1, "\(reports.map(\.unread))")
        let losses = reports.flatMap(\.unread)
        #expect(losses.count == 1)
        #expect(losses.first?.contains("\(part.utf8.count) bytes") == true, "\(losses)")
        #expect(losses.first?.contains(log.path("app.ndjson")) == true, "\(losses)")
    }

    /// A file is not there while it is moved: one look may miss it.
    @Test(arguments: LoaderSink.databases) func aTextThatOneLookDoesNotFindIsNotReported(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.move("app.ndjson", to: ".away")
        try log.write(lines(4...4))
        for round in 1...3 {
            let report = try log.run(giving: 1...4)
            #expect(report.notes.isEmpty && report.unread.isEmpty, "\(report.notes)")
            try log.move(round == 1 ? ".away" : "app.ndjson.\(round - 1)", to: "app.ndjson.\(round)")
        }
        try log.append(lines(5...5), to: "app.ndjson.3")
        try log.run(giving: 1...5)
    }

    /// A folder stands for its logs, also for one that has no files there any more.
    @Test(arguments: LoaderSink.databases) func aLogWhoseLastFileIsGoneIsNotedToo(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.write(lines(4...5), to: "other.ndjson")
        try log.run(giving: 1...5)
        try log.remove("app.ndjson")
        let reports = try reports(log, giving: 1...5)
        #expect(reports.map { $0.mentions(of: log.path("app.ndjson")) }.reduce(0, +) == 1, "\(reports.map(\.notes))")
    }

    /// A run that was killed has left its claim behind.
    @Test(arguments: LoaderSink.databases) func aTextThatAKilledRunHadClaimedIsReportedToo(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3) + "{\"id\":4")
        // The transaction that gives up the claim does not come about.
        try log.run(into: FaultySink(log.loader.target(), Fault(.release, 1, .before)))
        #expect(try log.ids() == Array(1...3))
        try log.replace(with: lines(5...5))
        let reports = try reports(log, giving: [1, 2, 3, 5])
        let losses = reports.flatMap(\.unread)
        #expect(losses.count == 1 && losses.first?.contains("7 bytes") == true, "\(losses)")
        #expect(reports.count(where: \.isLossy) == 1)
    }

    // MARK: What comes back

    /// A log of which some lines were read, and whose file is gone; another one with the next line has its name.
    private func logWithTombstone(of count: Int, _ sink: LoaderSink) throws -> LogFolder {
        let log = try LogFolder(sink)
        try log.write(lines(1...count))
        try log.run(giving: 1...count)
        try log.replace(with: lines(count + 1...count + 1))
        for _ in 1...3 { try log.run(giving: 1...count + 1) }
        return log
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aFileThatComesBackFromABackupIsNotReadAgain(sink: LoaderSink, argument: LogArgument) throws {
        for name in ["app.ndjson.1", "app.ndjson.7", "app.ndjson-20261130", "app.ndjson"] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...100))
            try log.run(giving: 1...100)
            try log.rotate(then: lines(101...101))
            let backup = try log.bytes(of: "app.ndjson.1")
            try log.remove("app.ndjson.1")
            // Its checkpoint is a tombstone now.
            for _ in 1...3 { try log.run(giving: 1...101) }
            if name == "app.ndjson" { try log.move("app.ndjson", to: "app.ndjson.2") }
            try log.write(backup, to: name)
            #expect(try log.run(giving: 1...101).records == 0, "\(name)")
            #expect(try log.run(giving: 1...101).records == 0, "\(name)")
            // It is a file like all others again.
            try log.append(lines(102...102), to: name)
            try log.run(giving: 1...102)
            try log.move(name, to: "app.ndjson.9")
            #expect(try log.run(giving: 1...102).records == 0, "\(name)")
        }
    }

    /// A member that begins with all that was read is that input wherever it lies, however little that is.
    @Test(arguments: LoaderSink.databases) func aShortFileThatComesBackUnderAnotherNameIsNotReadAgain(sink: LoaderSink) throws {
        let log = try logWithTombstone(of: 2, sink)
        try log.write(lines(1...2), to: "app.ndjson.4")
        #expect(try log.run(giving: 1...3).records == 0)
    }

    @Test(arguments: LoaderSink.databases) func aFileThatComesBackWithMoreIsReadOn(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...100))
        try log.run(giving: 1...100)
        try log.replace(with: lines(201...201))
        for _ in 1...3 { try log.run(giving: Array(1...100) + [201]) }
        try log.write(lines(1...103), to: "app.ndjson.1")
        #expect(try log.run(giving: Array(1...103) + [201]).records == 3)
    }

    @Test(arguments: LoaderSink.databases) func aFileThatComesBackShorterHasNothingNew(sink: LoaderSink) throws {
        let log = try logWithTombstone(of: 100, sink)
        try log.write(lines(1...70), to: "app.ndjson.1")
        #expect(try log.run(giving: 1...101).records == 0)
        #expect(try log.run(giving: 1...101).records == 0)
    }

    /// Nothing can tell whether its last bytes were read: the text that has them is gone.
    @Test(arguments: LoaderSink.databases) func aPartOfATextThatIsGoneEndsWithALossOnceItHasSettled(sink: LoaderSink) throws {
        let log = try logWithTombstone(of: 200, sink)
        // Between two of the lengths that have digests.
        try log.write(lines(1...150), to: "app.ndjson.1")
        #expect(try log.run(giving: 1...201).records == 0)
        try log.age("app.ndjson.1", by: 100)
        let report = try log.run()
        #expect(report.isLossy && report.records == 0 && report.mentions(of: log.path("app.ndjson.1")) == 1, "\(report.unread)")
        // Once it is back as a whole, it is known.
        try log.write(lines(1...200), to: "app.ndjson.1")
        #expect(try log.run(giving: 1...201).records == 0)
    }

    #if Compression
    @Test(arguments: LoaderSink.databases, [CompressionFormat.gzip, .zstd])
    func aFileThatComesBackCompressedIsNotReadAgain(sink: LoaderSink, format: CompressionFormat) throws {
        for seconds in [0.0, 1_000.0] {
            let log = try logWithTombstone(of: 100, sink)
            let name = "app.ndjson-20261130" + format.ending
            try log.write(packed(Array(lines(1...100).utf8), format), to: name)
            try log.age(name, by: seconds)
            #expect(try log.run(giving: 1...101).records == 0)
        }
    }
    #endif
}
#endif
