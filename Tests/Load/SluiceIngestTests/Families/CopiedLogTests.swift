#if SQLite
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// Files of a log whose texts are alike: which of them are one, and which are new.
@Suite struct CopiedLogTests {
    /// Lines of a certain number of bytes, which count from a number.
    private func text(of count: Int, from number: Int = 1) -> String {
        var text = ""
        var id = number
        while text.utf8.count + 100 < count {
            text += lines(id...id)
            id += 1
        }
        let rest = count - text.utf8.count - "{\"id\":\(id),\"name\":\"\"}\n".utf8.count
        return text + "{\"id\":\(id),\"name\":\"\(String(repeating: "x", count: rest))\"}\n"
    }

    // MARK: Copies

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aCopyThatWasMadeEarlierHasNothingNewAndIsNamed(sink: LoaderSink, argument: LogArgument) throws {
        // What was read is known by little, and by much.
        for count in [3, 200] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...count))
            try log.copy("app.ndjson", to: "app.ndjson.1")
            try log.append(lines(count + 1...count + 1))
            try log.move("app.ndjson.1", to: ".copy")
            try log.run(giving: 1...count + 1)
            try log.move(".copy", to: "app.ndjson.1")
            let report = try log.run(giving: 1...count + 1)
            #expect(report.records == 0)
            #expect(report.mentions(of: log.path("app.ndjson.1")) == 1, "\(report.notes)")
            try log.append(lines(count + 2...count + 2))
            try log.run(giving: 1...count + 2)
            guard count > 100 else { continue }
            // What is left after the log has gone has nothing new either.
            try log.replace(with: lines(count + 3...count + 3))
            try log.run(giving: 1...count + 3)
            try log.run(giving: 1...count + 3)
        }
    }

    /// A copy that is being made ends anywhere, also inside a line.
    @Test(arguments: LoaderSink.databases) func aCopyThatIsBeingMadeHasNothingNewWhereverItEnds(sink: LoaderSink) throws {
        let text = lines(1...80)
        let bytes = Array(text.utf8)
        let log = try LogFolder(sink)
        try log.write(text)
        try log.run(giving: 1...80)
        for count in stride(from: 1, to: bytes.count, by: sink == .sqlite ? 13 : 211) {
            try log.write(Array(bytes[..<count]), to: "app.ndjson.1")
            #expect(try log.run(giving: 1...80).records == 0, "\(count) bytes")
        }
        // Then the log is truncated.
        try log.write(bytes, to: "app.ndjson.1")
        try log.write(lines(81...81))
        try log.run(giving: 1...81)
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func twoFilesOfEqualTextAreOneAndTheCopyIsNamed(sink: LoaderSink, argument: LogArgument) throws {
        for count in [3, 200] {
            for isRead in [true, false] {
                let log = try LogFolder(sink, argument)
                try log.write(lines(1...count))
                if isRead { try log.run(giving: 1...count) }
                try log.copy("app.ndjson", to: "app.ndjson.1")
                let report = try log.run(giving: 1...count)
                #expect(report.records == (isRead ? 0 : count))
                #expect(report.mentions(of: log.path("app.ndjson")) > 0, "\(report.notes)")
                // The log goes on; the copy does not.
                try log.append(lines(count + 1...count + 1))
                try log.run(giving: 1...count + 1)
                try log.remove("app.ndjson.1")
                try log.append(lines(count + 2...count + 2))
                try log.run(giving: 1...count + 2)
            }
        }
    }

    /// No run has read either; the copy was made while the log was shorter, or is still being made.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func ofTwoNewFilesOfOneTextTheLongerIsRead(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...200))
        try log.copy("app.ndjson", to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 100)
        try log.append(lines(201...300))
        try log.run(giving: 1...300)
        try log.append(lines(301...301))
        try log.run(giving: 1...301)
    }

    /// As the one above, with fewer bytes than a log is known by.
    @Test(arguments: LoaderSink.databases, ["app.ndjson.1", "app.ndjson"])
    func aShortCopyOfALongerNewFileIsNotRead(sink: LoaderSink, rotated: String) throws {
        for count in [2, 5, 100] {
            let log = try LogFolder(sink)
            try log.write(lines(1...count), to: "app.ndjson.1")
            try log.write(lines(1...count + 1), to: rotated == "app.ndjson" ? rotated : "app.ndjson.2")
            try log.age("app.ndjson.1", by: 100)
            let report = try log.run(giving: 1...count + 1)
            #expect(report.mentions(of: log.path("app.ndjson.1")) == 1, "\(report.notes)")
            #expect(try log.run(giving: 1...count + 1).records == 0)
        }
    }

    /// Two texts may have much in common, and a file that another one begins with may be new all the same.
    @Test(arguments: LoaderSink.databases) func aFileThatBeginsWithMuchOfWhatWasReadAndGoesOnDifferentlyIsNew(sink: LoaderSink)
        throws
    {
        let log = try LogFolder(sink)
        try log.write(lines(1...200))
        try log.run(giving: 1...200)
        try log.write(lines(1...100) + lines(301...310), to: "app.ndjson.1")
        let expected = Array(1...200) + Array(1...100) + Array(301...310)
        try log.run(giving: expected)
        #expect(try log.run(giving: expected).records == 0)
    }

    /// Another file system: the file is copied and deleted.
    @Test(arguments: LoaderSink.databases, [3, 200])
    func aLogThatIsMovedToAnotherFolderByACopyKeepsItsIdentity(sink: LoaderSink, count: Int) throws {
        let log = try LogFolder(sink, .file)
        try log.makeFolder("old")
        log.movedTo = [log.path("../old")]
        try log.write(lines(1...count))
        try log.run(giving: 1...count)
        try log.copy("app.ndjson", to: "../old/app.ndjson")
        try log.remove("app.ndjson")
        #expect(try log.run(giving: 1...count).records == 0)
        try log.write(lines(count + 1...count + 2))
        try log.run(giving: 1...count + 2)
        #expect(try log.run(giving: 1...count + 2).records == 0)
    }

    @Test(arguments: LoaderSink.databases) func aCopyThatGoesOnIsTheLogIfTheLogIsGone(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...100))
        try log.run(giving: 1...100)
        try log.copy("app.ndjson", to: "app.ndjson.1")
        try log.append(lines(101...101), to: "app.ndjson.1")
        try log.replace(with: lines(102...102))
        try log.run(giving: 1...102)
    }

    // MARK: The same name

    /// A log is deleted, and the application begins another one of the same name.
    @Test(arguments: LoaderSink.databases, [60, 1_023])
    func theSameNameWithAnotherInodeIsANewFileIfFewerThan1024BytesAreEqual(sink: LoaderSink, count: Int) throws {
        let log = try LogFolder(sink)
        let first = text(of: count)
        try #require(first.utf8.count == count)
        let ids = Array(1...first.split(separator: "\n").count)
        try log.write(first)
        try log.run(giving: ids)
        try log.replace(with: first + lines(500...501))
        try log.run(giving: ids + ids + [500, 501])
        #expect(try log.run(giving: ids + ids + [500, 501]).records == 0)
        try log.append(lines(502...502))
        try log.run(giving: ids + ids + [500, 501, 502])
    }

    /// As when a file is restored, or an editor writes it anew.
    @Test(arguments: LoaderSink.databases, [1_024, 1_025, 5_000])
    func theSameNameWithAnotherInodeIsTheSameFileIf1024BytesAreEqual(sink: LoaderSink, count: Int) throws {
        let log = try LogFolder(sink)
        let first = text(of: count)
        try #require(first.utf8.count == count)
        let ids = Array(1...first.split(separator: "\n").count)
        try log.write(first)
        try log.run(giving: ids)
        try log.replace(with: first)
        #expect(try log.run(giving: ids).records == 0)
        try log.replace(with: first + lines(500...501))
        try log.run(giving: ids + [500, 501])
    }

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func theSameNameWithAnotherTextIsANewFile(sink: LoaderSink, argument: LogArgument) throws {
        for count in [3, 200] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...count))
            try log.run(giving: 1...count)
            // Shorter than the one before, and longer.
            try log.replace(with: lines(301...302))
            try log.run(giving: Array(1...count) + [301, 302])
            try log.replace(with: lines(401...700))
            try log.run(giving: Array(1...count) + [301, 302] + Array(401...700))
        }
    }

    // MARK: Logs that begin alike

    /// Many applications begin each log with the same line, and a run may have seen nothing but this line.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func logsThatBeginWithTheSameLineAreEachReadOnce(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(0...0))
        try log.run(giving: [0])
        var expected = [0]
        var next = 1
        for round in 0..<6 {
            try log.rotate(then: lines(0...0) + lines(next...next))
            expected += [0, next]
            next += 1
            try log.run(giving: expected)
            for _ in 0..<round % 3 {
                try log.append(lines(next...next))
                expected.append(next)
                next += 1
                try log.run(giving: expected)
            }
        }
        #expect(try log.run(giving: expected).records == 0)
    }

    /// The head that a log is known by grows with it.
    @Test(arguments: LoaderSink.databases) func aLogThatWasFirstSeenWithFewBytesIsKnownByMoreLater(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...1))
        try #require(lines(1...1).utf8.count < 25)
        try log.run(giving: 1...1)
        try log.append(lines(2...100))
        try log.run(giving: 1...100)
        // Another file of this log begins with the same line, and one with the same 1,024 bytes.
        try log.write(lines(1...1) + lines(101...200), to: "app.ndjson.1")
        try log.run(giving: [1] + Array(1...200))
        try log.write(lines(1...70) + lines(201...240), to: "app.ndjson.2")
        try log.run(giving: [1] + Array(1...70) + Array(1...240))
        #expect(try log.run(giving: [1] + Array(1...70) + Array(1...240)).records == 0)
        // And the first is still known wherever it goes.
        try log.append(lines(241...241))
        try log.move("app.ndjson", to: "app.ndjson.3")
        try log.run(giving: [1] + Array(1...70) + Array(1...241))
    }

    // MARK: What nothing tells apart

    /// Which of two files goes on with what was read? The family pauses, is named once, and the others go on.
    @Test(arguments: LoaderSink.databases) func filesThatNothingTellsApartPauseTheirLogAndNoOther(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...100))
        try log.write(lines(301...301), to: "other.ndjson")
        try log.run(giving: Array(1...100) + [301])
        for number in 1...2 {
            try log.copy("app.ndjson", to: "app.ndjson.\(number)")
            try log.append(lines(100 + number...100 + number), to: "app.ndjson.\(number)")
        }
        try log.remove("app.ndjson")
        for last in 302...303 {
            try log.append(lines(last...last), to: "other.ndjson")
            let report = try log.run()
            #expect(report.isLossy, "\(report)")
            #expect(report.unread.count == 1, "\(report.unread)")
            #expect(report.mentions(of: log.path("app.ndjson.1")) == 1 && report.mentions(of: log.path("app.ndjson.2")) == 1)
            #expect(try log.ids() == Array(1...100) + Array(301...last))
        }
        // Somebody has decided.
        try log.remove("app.ndjson.2")
        try log.run(giving: Array(1...101) + Array(301...303))
    }
}
#endif
