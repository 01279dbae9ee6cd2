#if SQLite && Compression
import Foundation
import SluiceCompression
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// A rotated log that is compressed is known by its text: what was read of it is passed over.
@Suite struct CompressedRotationTests {
    /// Where a test stores rows, and how it compresses.
    struct Case: CustomTestStringConvertible, Sendable {
        let sink: LoaderSink
        let format: CompressionFormat
        var testDescription: String { "\(sink.rawValue), \(format.rawValue)" }
    }

    private static let cases = LoaderSink.databases.flatMap { sink in
        [CompressionFormat.gzip, .zstd].map { Case(sink: sink, format: $0) }
    }

    @Test(arguments: cases, LogArgument.allCases)
    func whatWasReadInPartIsReadOnInTheCompressedFile(way: Case, argument: LogArgument) throws {
        let log = try LogFolder(way.sink, argument)
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.append(lines(4...5))
        try log.rotate(then: lines(6...6))
        try log.compress("app.ndjson.1", way.format)
        #expect(try log.run(giving: 1...6).records == 3)
        #expect(try log.run(giving: 1...6).outcome == .nothingToDo)
    }

    @Test(arguments: cases, LogArgument.allCases)
    func whatWasReadToItsEndHasNothingNew(way: Case, argument: LogArgument) throws {
        // Texts that are known by little, and by much.
        for count in [2, 100] {
            let log = try LogFolder(way.sink, argument)
            try log.write(lines(1...count))
            try log.run(giving: 1...count)
            try log.rotate(then: "")
            try log.compress("app.ndjson.1", way.format)
            for seconds in [0.0, 1_000.0] {
                try log.age("app.ndjson.1" + way.format.ending, by: seconds)
                #expect(try log.run(giving: 1...count).outcome == .nothingToDo)
            }
            try log.move("app.ndjson.1" + way.format.ending, to: "app.ndjson-20261130" + way.format.ending)
            #expect(try log.run(giving: 1...count).outcome == .nothingToDo)
        }
    }

    /// A file that was compressed before the first run, a while ago or just now; and one that is compressed before a later run.
    @Test(arguments: cases, LogArgument.allCases)
    func whatWasNeverReadIsReadFromTheCompressedFile(way: Case, argument: LogArgument) throws {
        for (seconds, settle) in [(0.0, 30.0), (1_000.0, 30.0), (0.0, 0.0)] {
            let log = try LogFolder(way.sink, argument)
            log.settle = settle
            try log.write(lines(1...100))
            try log.rotate(then: lines(101...102))
            try log.compress("app.ndjson.1", way.format)
            try log.age("app.ndjson.1" + way.format.ending, by: seconds)
            try log.run(giving: 1...102)
            // Two rotations, so that no run has seen the file in the middle.
            try log.append(lines(103...103))
            try log.move("app.ndjson.1" + way.format.ending, to: "app.ndjson.2" + way.format.ending)
            try log.rotate(then: lines(104...150))
            try log.move("app.ndjson.2" + way.format.ending, to: "app.ndjson.3" + way.format.ending)
            try log.rotate(then: lines(151...151))
            try log.compress("app.ndjson.1", way.format)
            try log.age("app.ndjson.1" + way.format.ending, by: seconds)
            try log.compress("app.ndjson.2", way.format)
            try log.run(giving: 1...151)
            #expect(try log.run(giving: 1...151).outcome == .nothingToDo)
        }
    }

    /// Between the end of the compression and the removal of the file, both are there; `gzip --keep` leaves both.
    @Test(arguments: cases, [true, false])
    func theFileAndItsCompressedCopyAreOne(way: Case, isRead: Bool) throws {
        for seconds in [0.0, 1_000.0] {
            let log = try LogFolder(way.sink)
            try log.write(lines(1...100))
            if isRead { try log.run(giving: 1...100) }
            try log.append(lines(101...101))
            try log.rotate(then: lines(102...102))
            let name = "app.ndjson.1" + way.format.ending
            try log.write(packed(log.bytes(of: "app.ndjson.1"), way.format), to: name)
            try log.age(name, by: seconds)
            let report = try log.run(giving: 1...102)
            #expect(report.mentions(of: "app.ndjson.1") > 0, "\(report.notes)")
            try log.run(giving: 1...102)
            try log.remove("app.ndjson.1")
            try log.run(giving: 1...102)
        }
    }

    /// A compressor writes its file bit by bit. It removes the original only when it has finished.
    @Test(arguments: cases, ["read in part", "read to its end", "never read"])
    func aHalfWrittenFileIsNotReadAndNothingIsLostOrDoubledWhenItIsFinished(way: Case, state: String) throws {
        var random = SplitMix64(seed: 11)
        // Of text that does not repeat, a half of the bytes is a half of the text.
        let text = (1...80).map { "{\"id\":\($0),\"name\":\"\(String(random.next(), radix: 36))\"}\n" }
        let whole = try packed(Array(text.joined().utf8), way.format)
        let name = "app.ndjson.1" + way.format.ending
        for count in [1, 4, 11, whole.count / 3, whole.count / 2, whole.count - 9, whole.count - 1] {
            for isOriginalThere in [true, false] {
                let log = try LogFolder(way.sink)
                try log.write(state == "read to its end" ? text.joined() : text[..<30].joined())
                let read = state == "never read" ? 0 : state == "read in part" ? 30 : 80
                if read > 0 { try log.run(giving: 1...read) }
                try log.write(text.joined())
                try log.rotate(then: lines(81...81))
                try log.write(Array(whole[..<count]), to: name)
                if !isOriginalThere { try log.remove("app.ndjson.1") }
                let report = try log.run()
                #expect(report.outcome == .complete && report.rejected == 0, "\(count) bytes: \(report)")
                let expected = Array(1..<(isOriginalThere ? 80 : read) + 1) + [81]
                #expect(try log.ids() == expected, "\(count) bytes of \(whole.count)")
                try log.write(whole, to: name)
                if isOriginalThere { try log.remove("app.ndjson.1") }
                try log.run(giving: 1...81)
            }
        }
    }

    @Test(arguments: cases) func aCompressedFileMayLieInAnotherFolder(way: Case) throws {
        let log = try LogFolder(way.sink, .file)
        log.movedTo = [log.path("../archive")]
        try log.makeFolder("archive")
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.append(lines(4...4))
        try log.move("app.ndjson", to: "../archive/app.ndjson-20261130")
        try log.compress("../archive/app.ndjson-20261130", way.format)
        try log.write(lines(5...5))
        try log.run(giving: 1...5)
        // The archive is packed anew, in the other format.
        let other: CompressionFormat = way.format == .gzip ? .zstd : .gzip
        try log.write(packed(Array(lines(1...4).utf8), other), to: "../archive/app.ndjson-20261130" + other.ending)
        try log.remove("../archive/app.ndjson-20261130" + way.format.ending)
        #expect(try log.run(giving: 1...5).records == 0)
    }

    @Test(arguments: cases, ["{\"id\":3,\"name\":\"n3\"}", "{\"id\":3,\"name\":\"n3\"}\n"])
    func theLastLineOfACompressedFileIsReadThoughNoLineBreakEndsIt(way: Case, end: String) throws {
        let log = try LogFolder(way.sink)
        try log.write(lines(1...2) + String(end.prefix(9)))
        try log.run(giving: 1...2)
        try log.append(String(end.dropFirst(9)))
        try log.move("app.ndjson", to: "app.ndjson.1")
        try log.write("")
        try log.compress("app.ndjson.1", way.format)
        try log.run(giving: 1...3)
        #expect(try log.run(giving: 1...3).records == 0)
        // It is still known by its text when the line has been read.
        try log.move("app.ndjson.1" + way.format.ending, to: "app.ndjson.2" + way.format.ending)
        #expect(try log.run(giving: 1...3).records == 0)
    }

    /// The rest of the line will never come.
    @Test(arguments: cases) func aCompressedFileThatEndsInsideARecordHasARejectedRecordOnce(way: Case) throws {
        let log = try LogFolder(way.sink)
        let name = "app.ndjson.1" + way.format.ending
        try log.write(packed(Array((lines(1...2) + "{\"id\":3").utf8), way.format), to: name)
        try log.write(lines(4...4))
        let report = try log.run { $0.rejects = .table("bad") }
        #expect(report.isLossy && report.rejected == 1, "\(report)")
        #expect(try log.ids() == [1, 2, 4])
        for _ in 1...2 {
            let again = try log.run { $0.rejects = .table("bad") }
            #expect(again.records == 0 && again.rejected == 0, "\(again)")
            #expect(try log.loader.rows("file", "line", "json_line", of: "bad") == [[.text(log.path(name)), 3, "{\"id\":3"]])
        }
        try log.append(lines(5...5))
        try log.run { $0.rejects = .table("bad") }
        #expect(try log.ids() == [1, 2, 4, 5])
        #expect(try log.loader.count("bad") == 1)
    }

    /// logrotate with `delaycompress` and `compress`: the newest rotated file is plain, and the older ones are compressed.
    @Test(arguments: cases, LogArgument.allCases)
    func aLogThatIsRotatedAndCompressedAgainAndAgainIsReadOnce(way: Case, argument: LogArgument) throws {
        let log = try LogFolder(way.sink, argument)
        var last = 0
        func rotate() throws {
            var count = 2
            while log.exists("app.ndjson.\(count)" + way.format.ending) { count += 1 }
            for number in (2..<count).reversed() {
                try log.move(
                    "app.ndjson.\(number)" + way.format.ending, to: "app.ndjson.\(number + 1)" + way.format.ending)
            }
            if log.exists("app.ndjson.1") {
                try log.move("app.ndjson.1", to: "app.ndjson.2")
                try log.compress("app.ndjson.2", way.format)
            }
            try log.move("app.ndjson", to: "app.ndjson.1")
            try log.write("")
        }
        try log.write("")
        for round in 0..<10 {
            try log.append(lines(last + 1...last + 3))
            last += 3
            if round % 3 != 1 { try log.run(giving: 1...last) }
            try log.append(lines(last + 1...last + 1))
            last += 1
            try rotate()
        }
        try log.run(giving: 1...last)
        #expect(try log.run(giving: 1...last).outcome == .nothingToDo)
    }
}
#endif
