#if SQLite
import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// A log that is truncated and begun anew in the same file: what it has then is a new input.
@Suite struct TruncatedLogTests {
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aFileThatIsShorterThanWhatWasReadIsANewInput(sink: LoaderSink, argument: LogArgument) throws {
        let log = try LogFolder(sink, argument)
        try log.write(lines(1...50))
        try log.run(giving: 1...50)
        try log.write(lines(51...60))
        try log.run(giving: 1...60)
        try log.append(lines(61...61))
        try log.run(giving: 1...61)
        // Again, and this time it has grown beyond the first text before a run sees it.
        try log.write(lines(62...200))
        try log.run(giving: 1...200)
        try log.write("")
        try log.run(giving: 1...200)
        try log.append(lines(201...201))
        try log.run(giving: 1...201)
        #expect(try log.run(giving: 1...201).records == 0)
    }

    /// The run reads one log, and has not opened the other one yet, when this is copied and truncated.
    @Test(arguments: [3, 3_000]) func aLogThatIsTruncatedBetweenTheLookAndTheOpeningIsLookedAtAgain(count: Int) throws {
        let log = try LogFolder()
        try log.write(lines(1...count))
        try log.write(lines(10_001...10_002), to: "first.ndjson")
        try log.run(giving: Array(1...count) + [10_001, 10_002])
        try log.append(lines(count + 1...count + 1))
        try log.append(lines(10_003...10_003), to: "first.ndjson")
        try log.age("first.ndjson", by: 100)
        let progress = FirstSlice {
            try log.copy("app.ndjson", to: "app.ndjson-20261130")
            try log.write(lines(count + 2...2 * count + 10))
        }
        let report = try log.job().run(inputs: log.arguments, progress: progress)
        try progress.result?.get()
        #expect(progress.result != nil && report.isSuccess, "\(report): \(report.unread) \(report.notes)")
        #expect(try log.ids() == Array(1...2 * count + 10) + Array(10_001...10_003))
    }

    /// The run reads one log first. When it looked, the other one had not changed for long; then the rest of its last line comes.
    @Test func aLastLineThatGoesOnBetweenTheLookAndTheOpeningIsReadAsAWhole() throws {
        let log = try LogFolder()
        try log.write(lines(1...2) + "{\"id\":", to: "app.ndjson.1")
        try log.write(lines(10_001...10_002), to: "first.ndjson")
        try log.write(lines(4...4))
        try log.age("app.ndjson.1", by: 100)
        try log.age("first.ndjson", by: 200)
        let progress = FirstSlice { try log.append("3}\n", to: "app.ndjson.1") }
        let report = try log.job().run(inputs: log.arguments, progress: progress)
        try progress.result?.get()
        #expect(progress.result != nil && report.isSuccess, "\(report): \(report.unread) \(report.notes)")
        #expect(try log.ids() == Array(1...4) + Array(10_001...10_002))
    }

    /// What was written again was written: these are other lines, though they have the same text.
    @Test(arguments: LoaderSink.databases, [3, 200])
    func aShorterFileIsANewInputThoughItBeginsAsTheOldOne(sink: LoaderSink, count: Int) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...count))
        try log.run(giving: 1...count)
        let half = count / 2
        try log.write(lines(1...half))
        try log.run(giving: Array(1...half) + Array(1...count))
        try log.append(lines(501...501))
        try log.run(giving: Array(1...half) + Array(1...count) + [501])
    }

    /// A file system gives the number of a deleted file to the next one that is made.
    private func entries(of log: LogFolder, withNumberOf name: String) throws -> [SinkCheckpoint] {
        let file = try #require(FileStamp(path: log.path(name)))
        return try log.checkpoints().map { entry in
            var checkpoint = try #require(entry.checkpoint)
            checkpoint.evidence?.file.inode = file.inode
            return SinkCheckpoint(input: entry.input, version: entry.version, checkpoint: checkpoint, isHeld: false)
        }
    }

    private func rotation(of log: LogFolder) -> Rotation {
        var rotation = log.rotation
        rotation.families = [Family(ofFile: log.path("app.ndjson"))]
        return rotation
    }

    /// Whether the file system of the tests' folders says when a file was made.
    private static let knowsWhenFilesAreMade: Bool = {
        guard let log = try? LogFolder(), (try? log.write("")) != nil else { return false }
        return FileStamp(path: log.path("app.ndjson")).map { $0.made != 0 } ?? false
    }()

    /// The log was deleted, and a copy of its beginning, made earlier, has its number now.
    @Test(.enabled(if: knowsWhenFilesAreMade), arguments: ["app.ndjson", "app.ndjson-20240101"])
    func aCopyThatHasTheNumberOfADeletedLogIsNotRead(name: String) throws {
        for count in [150, 1_500] {
            let log = try LogFolder()
            try log.write(lines(1...count * 2))
            try log.run(giving: 1...count * 2)
            try log.remove("app.ndjson")
            try log.write(lines(1...count), to: name)
            let found = try FamilyLook(
                rotation(of: log), entries(of: log, withNumberOf: name), now: FamilyLook.time + 86_400 * 1_000_000_000)
            #expect(found.members.isEmpty, "\(count) lines")
            #expect(found.losses.count + found.notes.count > 0, "\(count) lines")
        }
    }

    /// Few first bytes are equal, but it is another file.
    @Test(.enabled(if: knowsWhenFilesAreMade)) func aNewLogThatHasTheNumberOfADeletedOneIsReadFromItsBeginning() throws {
        let log = try LogFolder()
        try log.write(lines(1...1))
        try log.run(giving: 1...1)
        try log.remove("app.ndjson")
        try log.write(lines(1...2))
        let found = try FamilyLook(rotation(of: log), entries(of: log, withNumberOf: "app.ndjson"))
        #expect(found.members.map(\.checkpoint) == [nil])
        #expect(found.members.first?.end == lines(1...2).utf8.count)
    }

    @Test func whereNothingSaysWhenAFileWasMadeItsNameAndTextDecide() {
        func stamp(_ path: String, made: Int, inode: UInt64 = 2) -> FileStamp {
            FileStamp(path: path, device: 1, inode: inode, size: 3, changed: 4, modified: 5, made: made)
        }
        let log = stamp("logs/app.ndjson", made: 0)
        #expect(log.isState(of: log, sharing: 5_000))
        #expect(stamp("logs/app.ndjson.1", made: 0).isState(of: log, sharing: 1_023))
        #expect(!stamp("logs/app.ndjson.1", made: 0).isState(of: log, sharing: 1_024))
        #expect(!stamp("logs/app.ndjson", made: 0, inode: 3).isState(of: log, sharing: 0))
        #expect(stamp("logs/app.ndjson.1", made: 7).isState(of: stamp("logs/app.ndjson", made: 7), sharing: 5_000))
        #expect(!stamp("logs/app.ndjson", made: 8).isState(of: stamp("logs/app.ndjson", made: 7), sharing: 0))
    }

    @Test(.enabled(if: knowsWhenFilesAreMade)) func aFileThatIsMadeAnewIsAnotherOne() throws {
        let log = try LogFolder()
        try log.write("")
        let first = try #require(FileStamp(path: log.path("app.ndjson")))
        try log.append(lines(1...2))
        try log.write(lines(3...3))
        try log.move("app.ndjson", to: "app.ndjson.1")
        let moved = try #require(FileStamp(path: log.path("app.ndjson.1")))
        #expect(moved.isSameFile(as: first) && moved.made == first.made)
        var other = moved
        other.made += 1
        #expect(!other.isSameFile(as: moved))
        let descriptor = unsafe open(log.path("app.ndjson.1"), O_RDONLY)
        defer { close(descriptor) }
        #expect(FileStamp(path: moved.path, descriptor: descriptor) == moved)
    }

    /// The first 1,024 bytes, the last ones and the size are those of what was read; only the time and the middle are not.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aFileWhoseMiddleHasChangedIsANewInput(sink: LoaderSink, argument: LogArgument) throws {
        // Before the next run, lines may be added.
        for added in [0, 1, 50] {
            let log = try LogFolder(sink, argument)
            let text = (100...199).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }
            try log.write(text.joined())
            try log.run(giving: 100...199)
            var other = text
            other[60] = "{\"id\":960,\"name\":\"n960\"}\n"
            try #require(other.joined().utf8.count == text.joined().utf8.count)
            var ids = Array(100...199) + (100...199).map { $0 == 160 ? 960 : $0 }
            let more = (0..<added).map { 200 + $0 }
            try log.write(other.joined() + more.map { lines($0...$0) }.joined())
            ids += more
            try log.run(giving: ids)
            try log.append(lines(300...300))
            try log.run(giving: ids + [300])
            #expect(try log.run(giving: ids + [300]).records == 0)
        }
    }

    /// A byte anywhere in what was read may have changed.
    @Test func aChangeOfAnyByteThatWasReadIsSeen() throws {
        let text = Array((100...199).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }.joined().utf8)
        for index in stride(from: 17, to: text.count, by: 97) {
            let log = try LogFolder()
            try log.write(text, to: "app.ndjson")
            try log.run(giving: 100...199)
            var other = text
            // In a key, or in a value.
            let place = text[..<index].lastIndex(of: UInt8(ascii: "n")) ?? 0
            other[place] = UInt8(ascii: "m")
            try log.write(other, to: "app.ndjson")
            let report = try log.run()
            #expect(report.records == 100, "byte \(place)")
            #expect(try log.ids().count == 200, "byte \(place)")
        }
    }

    /// The same bytes are written anew in place: nothing tells that from a file that was not touched but for its time.
    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aFileThatWasOnlyTouchedIsTheSame(sink: LoaderSink, argument: LogArgument) throws {
        for count in [2, 200] {
            let log = try LogFolder(sink, argument)
            try log.write(lines(1...count))
            try log.run(giving: 1...count)
            try log.age("app.ndjson", by: 1_000)
            #expect(try log.run(giving: 1...count).records == 0)
            try log.write(lines(1...count))
            #expect(try log.run(giving: 1...count).records == 0)
            try log.append(lines(count + 1...count + 1))
            try log.run(giving: 1...count + 1)
        }
    }

    /// The text of the old input is gone then. If it was read to its end, nothing is lost.
    @Test(arguments: LoaderSink.databases) func theOldTextOfATruncatedFileIsNotedAsGone(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...50))
        try log.run(giving: 1...50)
        try log.write(lines(51...51))
        let reports = try (1...4).map { _ in try log.run(giving: 1...51) }
        #expect(reports.reduce(0) { $0 + $1.mentions(of: log.path("app.ndjson")) } == 1, "\(reports.map(\.notes))")
    }
}

/// Does something when the first slice of records has been read.
private final class FirstSlice: ProgressDisplay {
    private let action: () throws -> Void
    private(set) var result: Result<Void, any Error>?

    init(_ action: @escaping () throws -> Void) { self.action = action }

    func isDue(_ nanoseconds: UInt64) -> Bool {
        result = result ?? Result(catching: action)
        return false
    }
    func show(_ progress: IngestProgress) {}
    func clear() {}
}
#endif
