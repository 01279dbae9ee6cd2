#if SQLite
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// When the last line of a file is complete, though no line break ends it. Until then it is neither stored nor rejected.
@Suite struct LastLineTests {
    private static let third = "{\"id\":3,\"name\":\"n3\"}"

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func theLastLineOfALogThatIsWrittenToIsLeftAlone(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        log.settle = 0
        for part in [lines(1...2) + "{\"id\":3,", "\"name\":\"n", "3\"}"] {
            if log.exists("app.ndjson") { try log.append(part) } else { try log.write(part) }
            let report = try log.run(giving: 1...2) { $0.rejects = .table("bad") }
            #expect(report.rejected == 0 && report.rejectedBefore == 0)
            // However long ago it was written: nothing is newer.
            try log.age("app.ndjson", by: 10_000)
            try log.run(giving: 1...2) { $0.rejects = .table("bad") }
        }
        try log.append("\n")
        #expect(try log.run(giving: 1...3) { $0.rejects = .table("bad") }.records == 1)
        #expect(try log.run(giving: 1...3) { $0.rejects = .table("bad") }.records == 0)
    }

    /// A writer writes a record in two pieces, and a run comes in between, at each byte.
    @Test(arguments: LoaderSink.databases) func aLineThatIsCutAnywhereIsReadOnceWhenItIsWhole(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        log.settle = 0
        func line(_ id: Int) -> [UInt8] { Array("{\"id\":\(id),\"name\":\"ä€😀\",\"more\":[{}]}\n".utf8) }
        try log.write("")
        var last = 0
        for cut in stride(from: 1, to: line(100).count, by: sink == .sqlite ? 1 : 5) {
            last += 1
            let bytes = line(last)
            let place = min(cut, bytes.count - 1)
            try log.append(Array(bytes[..<place]))
            if last == 1 {
                #expect(try log.run().outcome == .nothingToDo)
            } else {
                try log.run(giving: 1...last - 1)
            }
            try log.append(Array(bytes[place...]))
            if last.isMultiple(of: 3) { try log.rotate(then: "") }
        }
        try log.run(giving: 1...last)
        #expect(try log.loader.rows("name").allSatisfy { $0 == ["ä€😀"] })
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func theLastLineIsReadOnceANewerFileHasBytesAndThisOneHasSettled(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...2) + Self.third)
        try log.run(giving: 1...2)
        try log.rotate(then: "")
        // The newer file has no bytes.
        try log.age("app.ndjson.1", by: 100)
        try log.run(giving: 1...2)
        // It has, but the older one has changed within 30 seconds.
        try log.write(lines(4...4))
        try log.age("app.ndjson.1", by: 10)
        try log.run(giving: [1, 2, 4])
        try log.age("app.ndjson.1", by: 100)
        #expect(try log.run(giving: 1...4).records == 1)
        #expect(try log.run(giving: 1...4).records == 0)
        // Whatever becomes of the file, the line is not read again.
        try log.rotate(then: lines(5...5))
        #expect(try log.run(giving: 1...5).records == 1)
    }

    @Test(arguments: LoaderSink.databases, [0.0, 5.0]) func theTimeToSettleCanBeChosen(sink: LoaderSink, settle: Double) throws {
        let log = try LogFolder(sink)
        log.settle = settle
        try log.write(lines(1...2) + Self.third, to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: settle + 1)
        // A newer file without a whole line has bytes, too.
        try log.write("{")
        try log.run(giving: 1...3)
    }

    @Test(arguments: LoaderSink.databases) func aFileThatIsNotTheOldestSettlesToo(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        for (index, id) in [10, 20, 30].enumerated() {
            let name = "app.ndjson.\(3 - index)"
            try log.write(lines(id...id) + "{\"id\":\(id + 1)}", to: name)
            try log.age(name, by: Double(1_000 - 100 * index))
        }
        // The newest is still written to.
        try log.run(giving: [10, 11, 20, 21, 30])
        try log.write(lines(40...40))
        try log.run(giving: [10, 11, 20, 21, 30, 31, 40])
    }

    // MARK: Growth after that

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func whatIsAddedToALineThatCountedAsCompleteIsNamedAndTheNextLinesAreRead(sink: LoaderSink, argument: LogArgument) throws {
        for isRead in [true, false] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...2) + "{\"id\":3}")
            if isRead { try log.run(giving: 1...2) }
            try log.rotate(then: lines(6...6))
            try log.age("app.ndjson.1", by: 100)
            try log.run(giving: [1, 2, 3, 6])
            // The writer still had the file, and the line was not complete.
            try log.append(",x]}\n" + lines(4...5), to: "app.ndjson.1")
            let report = try log.run()
            #expect(report.isLossy && report.rejected == 0, "\(report)")
            #expect(report.unread.count == 1 && report.unread[0].contains("5 bytes"), "\(report.unread)")
            #expect(report.unread.first?.contains("for 30 seconds") == true, "\(report.unread)")
            #expect(report.mentions(of: log.path("app.ndjson.1")) == 1)
            #expect(try log.ids() == Array(1...6))
            // It is said once, and the file is read on as before.
            #expect(try log.run(giving: 1...6).records == 0)
            try log.append(lines(7...7), to: "app.ndjson.1")
            try log.run(giving: 1...7)
        }
    }

    /// The line break comes late: the line was whole, and the next ones are read.
    @Test(arguments: LoaderSink.databases, ["\n", "\r\n"])
    func theNextLinesAreReadThoughTheLineBreakCameLate(sink: LoaderSink, lineBreak: String) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...2) + Self.third, to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 100)
        try log.write(lines(6...6))
        try log.run(giving: [1, 2, 3, 6])
        try log.append(lineBreak + lines(4...5), to: "app.ndjson.1")
        let report = try log.run()
        #expect(report.rejected == 0 && report.records == 2, "\(report)")
        #expect(try log.ids() == Array(1...6))
        #expect(try log.run(giving: 1...6).records == 0)
    }

    /// The line goes on, but does not end yet: nothing can be said of it, and nothing of it is read.
    @Test(arguments: LoaderSink.databases) func aLineThatCountedAsCompleteMayGrowBitByBit(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...2) + Self.third, to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 100)
        try log.write(lines(6...6))
        try log.run(giving: [1, 2, 3, 6])
        var lost = 0
        for part in ["ab", "c", "def\n" + lines(4...5)] {
            try log.append(part, to: "app.ndjson.1")
            let report = try log.run()
            #expect(report.rejected == 0, "\(report)")
            lost += report.unread.count
        }
        #expect(lost > 0)
        #expect(try log.ids() == Array(1...6))
    }

    // MARK: Nothing but an incomplete line

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aFileThatOnlyHasAnIncompleteLineMakesNoInput(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        log.settle = 0
        try log.write("{\"id\":1,")
        for _ in 1...2 {
            let report = try log.run()
            #expect(report.isSuccess && report.records == 0 && report.rejected == 0, "\(report)")
            #expect(try log.checkpoints().isEmpty)
        }
        // It may be another text by the time of the next run.
        try log.write("{\"id\":2,\"name\":\"n2\"}\n{\"id\"")
        try log.run(giving: [2])
        #expect(try log.checkpoints().count == 1)
        try log.append(":3,\"name\":\"n3\"}\n")
        try log.run(giving: [2, 3])
    }

    @Test(arguments: LoaderSink.databases) func besideOtherFilesAnIncompleteLineMakesNoInputEither(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...2))
        try log.rotate(then: "{\"id\":3,")
        try log.run(giving: 1...2)
        #expect(try log.checkpoints().count == 1)
        try log.append("\"name\":\"n3\"}\n")
        try log.run(giving: 1...3)
        #expect(try log.checkpoints().count == 2)
    }

    /// Blank lines are complete lines without records.
    @Test(arguments: LoaderSink.databases) func blankLinesAreNoRecords(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write("\n\n" + lines(1...1) + "\n")
        #expect(try log.run(giving: 1...1).records == 1)
        try log.append("\n\n")
        #expect(try log.run(giving: 1...1).records == 0)
        try log.append(lines(2...2))
        try log.rotate(then: "\n" + lines(3...3))
        try log.run(giving: 1...3)
    }
}
#endif
