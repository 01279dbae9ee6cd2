#if SQLite
import Foundation
import SluiceCompression
import SluiceCore
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// What a look decides about real files, for the checkpoints of real runs.
@Suite struct FamilyLookTests {
    private let log: LogFolder

    init() throws { log = try LogFolder() }

    private static let day = 86_400

    /// Looks at the files of some logs.
    ///
    /// - Parameters:
    ///   - entries: The table's checkpoints; nil for those that the runs have stored.
    ///   - seconds: How long after now.
    private func look(
        at names: [String] = ["app.ndjson"], _ entries: [SinkCheckpoint]? = nil, after seconds: Int = 0,
        memory: LookMemory = LookMemory()
    ) throws -> FamilyLook {
        var rotation = log.rotation
        rotation.families = names.map { Family(ofFile: log.path($0)) }
        return try FamilyLook(
            rotation, entries ?? log.checkpoints(), now: FamilyLook.time + seconds * 1_000_000_000, memory: memory)
    }

    /// The table's checkpoints after a look has been stored.
    private func entries(after look: FamilyLook, _ entries: [SinkCheckpoint]) -> [SinkCheckpoint] {
        entries.map { entry in
            guard let changed = look.restamped.last(where: { $0.identity == entry.input }) else { return entry }
            return SinkCheckpoint(
                input: entry.input, version: entry.version, checkpoint: changed.checkpoint, isHeld: entry.isHeld)
        }
    }

    /// Whether a look has found nothing to do and nothing to say.
    private func isQuiet(_ look: FamilyLook) -> Bool {
        look.members.isEmpty && look.notes.isEmpty && look.losses.isEmpty && look.expired.isEmpty
    }

    // MARK: What is read

    @Test func aNewLogIsReadUpToItsLastLineBreak() throws {
        try log.write(lines(1...2) + "{\"id\":")
        let found = try look()
        let member = try #require(found.members.first)
        #expect(found.members.count == 1)
        #expect(member.file.path == log.path("app.ndjson"))
        #expect(member.checkpoint == nil && member.rest == .all)
        #expect(member.end == lines(1...2).utf8.count)
        #expect(!member.isEnded && !member.isCompressed)
        #expect(Family(ofInput: member.identity) == Family(ofFile: log.path("app.ndjson")))
        #expect(found.notes.isEmpty && found.losses.isEmpty)
    }

    @Test func anEmptyFileAndOneWithAPartOfALineHaveNothingToRead() throws {
        try log.write("")
        try log.write("{\"id\":1,\"name\":\"n1\"}", to: "app.ndjson.1")
        #expect(try isQuiet(look()))
    }

    @Test func theOlderTextIsReadFirstAndEachHasAnIdentityOfItsOwn() throws {
        let names = ["app.ndjson", "app.ndjson.1", "app.ndjson-20261130", "app.ndjson.3"]
        for (index, name) in names.enumerated() {
            try log.write(lines(10 * index...10 * index + 5), to: name)
            try log.age(name, by: Double(100 * index + 100))
        }
        let found = try look()
        #expect(found.members.map(\.file.path) == names.reversed().map { log.path($0) })
        #expect(Set(found.members.map(\.identity)).count == names.count)
        #expect(Set(found.members.map(\.key)).count == 1)
    }

    @Test func whatWasReadHasNothingNew() throws {
        try log.write(lines(1...3))
        try log.run()
        #expect(try isQuiet(look()))
        #expect(try look().restamped.isEmpty)
    }

    @Test func anInputKeepsItsIdentityAndItsKeyWhereverItsTextLies() throws {
        try log.write(lines(1...3))
        try log.run()
        let entry = try #require(try log.checkpoints().first)
        try log.append(lines(4...4))
        try log.rotate(then: lines(5...5))
        let found = try look()
        let old = try #require(found.members.first { $0.identity == entry.input })
        let new = try #require(found.members.first { $0.identity != entry.input })
        #expect(found.members.count == 2)
        #expect(old.file.path == log.path("app.ndjson.1"))
        #expect(old.checkpoint?.feed == entry.checkpoint?.feed)
        #expect(old.end == lines(1...4).utf8.count)
        #expect(new.file.path == log.path("app.ndjson"))
        #expect(new.checkpoint == nil)
        #expect(old.key == entry.checkpoint?.evidence?.key && new.key == old.key)
    }

    @Test func aNewNameOfWhatWasReadIsStored() throws {
        try log.write(lines(1...3))
        try log.run()
        try log.rotate(then: "")
        let found = try look()
        #expect(found.members.isEmpty && found.notes.isEmpty)
        #expect(found.restamped.map { $0.evidence?.file.path } == [log.path("app.ndjson.1")])
        // Once it is stored, there is nothing to do.
        let next = try look(entries(after: found, log.checkpoints()))
        #expect(isQuiet(next) && next.restamped.isEmpty)
    }

    // MARK: The last line

    @Test func theLastLineIsCompleteOnceANewerFileHasBytesAndThisOneHasSettled() throws {
        let text = lines(1...2) + "{\"id\":3,\"name\":\"n3\"}"
        try log.write(text, to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 10)
        func member(after seconds: Int) throws -> LogMember? {
            try look(after: seconds).members.first { $0.file.path == log.path("app.ndjson.1") }
        }
        let part = lines(1...2).utf8.count
        // There is no newer file, then one without bytes.
        #expect(try member(after: 100)?.end == part)
        try log.write("")
        #expect(try member(after: 100)?.end == part)
        try log.write(lines(4...4))
        #expect(try member(after: 15)?.end == part)
        #expect(try member(after: 15)?.isEnded == false)
        #expect(try member(after: 25)?.end == text.utf8.count)
        #expect(try member(after: 25)?.isEnded == true)
        // A newer file without a whole line has bytes, too.
        try log.write("{")
        #expect(try member(after: 25)?.end == text.utf8.count)
    }

    @Test func theLastLineOfTheNewestFileIsNeverComplete() throws {
        try log.write(lines(1...2), to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 10)
        try log.write(lines(3...3) + "{\"id\":4}")
        let member = try #require(try look(after: 1_000_000).members.last)
        #expect(member.file.path == log.path("app.ndjson"))
        #expect(member.end == lines(3...3).utf8.count && !member.isEnded)
    }

    #if Compression
    @Test(arguments: [CompressionFormat.gzip, .zstd])
    func theLastLineOfACompressedFileIsComplete(format: CompressionFormat) throws {
        let text = lines(1...2) + "{\"id\":3}"
        try log.write(packed(Array(text.utf8), format), to: "app.ndjson.1" + format.ending)
        for seconds in [0, 100] {
            let member = try #require(try look(after: seconds).members.first)
            #expect(member.isCompressed && member.isEnded, "after \(seconds) seconds")
            #expect(member.end == nil || member.end == text.utf8.count)
        }
    }
    #endif

    // MARK: What is missing

    @Test func aTextThatTwoLooksDoNotFindIsReportedOnce() throws {
        try log.write(lines(1...3))
        try log.run()
        try log.replace(with: "")
        var entries = try log.checkpoints()
        var said: [Int] = []
        for second in 0..<5 {
            let found = try look(entries, after: 10 * second)
            #expect(found.members.isEmpty && found.losses.isEmpty)
            said.append(found.notes.count)
            if let note = found.notes.first { #expect(note.contains(log.path("app.ndjson")), "\(note)") }
            entries = self.entries(after: found, entries)
        }
        #expect(said == [0, 1, 0, 0, 0])
    }

    @Test func aTextThatIsThereAgainAtTheNextLookIsNotMissing() throws {
        try log.write(lines(1...3))
        try log.run()
        try log.move("app.ndjson", to: ".away")
        let first = try look()
        #expect(isQuiet(first))
        let entries = try self.entries(after: first, log.checkpoints())
        try log.move(".away", to: "app.ndjson.1")
        let second = try look(entries)
        #expect(isQuiet(second))
        let later = self.entries(after: second, entries)
        try log.remove("app.ndjson.1")
        // It is counted anew from here.
        #expect(try isQuiet(look(later)))
    }

    @Test func whatIsMissingForThirtyDaysIsForgotten() throws {
        try log.write(lines(1...3))
        try log.run()
        try log.replace(with: "")
        let stored = try log.checkpoints()
        let first = try self.entries(after: look(stored), stored)
        let tombstones = try self.entries(after: look(first, after: 10), first)
        #expect(try look(tombstones, after: 29 * Self.day).expired.isEmpty)
        #expect(try look(tombstones, after: 31 * Self.day).expired.map(\.identity) == stored.map(\.input))
        // What comes back before that is there again.
        try log.write(lines(1...3), to: "app.ndjson.1")
        let back = try look(tombstones, after: 29 * Self.day)
        #expect(back.members.isEmpty && back.expired.isEmpty)
        let alive = self.entries(after: back, tombstones)
        #expect(alive.allSatisfy { $0.checkpoint?.evidence?.missingSince == nil })
        #expect(try look(alive, after: 40 * Self.day).expired.isEmpty)
    }

    /// Of more texts that are missing, those are forgotten that have been missing for longest.
    @Test func noMoreThanAHundredThousandTextsAreMissing() throws {
        try log.write(lines(1...3))
        try log.run()
        try log.replace(with: "")
        let entry = try #require(try log.checkpoints().first)
        let now = FamilyLook.time / 1_000_000_000
        let family = Family(ofFile: log.path("app.ndjson"))
        let entries = (1...100_003).map { number -> SinkCheckpoint in
            var checkpoint = entry.checkpoint
            checkpoint?.evidence?.missingSince = now - number
            checkpoint?.evidence?.isMissingReported = true
            return SinkCheckpoint(
                input: family.identity(number), version: entry.version, checkpoint: checkpoint, isHeld: false)
        }
        let found = try look(entries)
        #expect(found.expired.map(\.identity).sorted() == (100_001...100_003).map { family.identity($0) })
    }

    // MARK: Many logs

    /// A look that has only the versions of the checkpoints decides as one that has them all, and reads some at a time.
    @Test func theCheckpointsOfManyLogsAreReadInPortions() throws {
        let names = (0..<450).map { "log\($0).ndjson" }
        for (index, name) in names.enumerated() { try log.write(lines(3 * index + 1...3 * index + 3), to: name) }
        try log.run(giving: 1...1_350)
        try log.append(lines(1_351...1_352), to: names[200])
        try log.remove(names[300])
        let entries = try log.checkpoints()
        var rotation = log.rotation
        rotation.families = names.map { Family(ofFile: log.path($0)) }
        let versions = entries.map { SinkCheckpoint(input: $0.input, version: $0.version, checkpoint: nil, isHeld: false) }
        var portions: [Int] = []
        let found = FamilyLook(rotation, versions) { part in
            portions.append(part.count)
            let inputs = Set(part.map(\.input))
            return entries.filter { inputs.contains($0.input) }
        }
        #expect(portions == [200, 200, 50])
        #expect(found.members.map(\.file.path) == [log.path(names[200])])
        #expect(found.members.first?.checkpoint?.recordCount == 3)
        #expect(found.restamped.map { Family(ofInput: $0.identity) } == [Family(ofFile: log.path(names[300]))])
        #expect(found.past.readBytes.count == 450)
        try log.run(giving: 1...1_352)
    }

    // MARK: What nothing tells apart

    @Test func twoFilesThatGoOnDifferentlyPauseTheirFamilyAndNoOther() throws {
        try log.write(lines(1...100))
        try log.write(lines(201...203), to: "other.ndjson")
        try log.run()
        for number in 1...2 {
            try log.copy("app.ndjson", to: "app.ndjson.\(number)")
            try log.append(lines(100 + number...100 + number), to: "app.ndjson.\(number)")
        }
        try log.remove("app.ndjson")
        try log.append(lines(204...204), to: "other.ndjson")
        let found = try look(at: ["app.ndjson", "other.ndjson"])
        #expect(found.members.map(\.file.path) == [log.path("other.ndjson")])
        #expect(found.losses.count == 1)
        for number in 1...2 { #expect(found.losses[0].contains(log.path("app.ndjson.\(number)")), "\(found.losses)") }
    }

    // MARK: Damage

    @Test func aDamagedFileIsLeftAloneAsLongAsItMayStillBeWrittenTo() throws {
        try log.write(damagedGzip, to: "app.ndjson.1.gz")
        try log.write(lines(1...2))
        for seconds in [0, 20] {
            let found = try look(after: seconds)
            #expect(found.losses.isEmpty && found.members.map(\.file.path) == [log.path("app.ndjson")])
        }
    }

    #if Compression
    /// Read as a new text, its lines would be stored twice.
    @Test(arguments: [CompressionFormat.gzip, .zstd], [20_000, 60])
    func aCopyThatHasNotBeenCompressedToItsEndIsNotRead(format: CompressionFormat, count: Int) throws {
        let text = lines(1...count)
        let copy = "app.ndjson.1" + format.ending
        try log.write(text, to: "app.ndjson.1")
        let whole = try packed(Array(text.utf8), format)
        // As many as tell that it is compressed.
        let shortest = 4
        let sizes = count > 100 ? [whole.count / 2, whole.count - 1] : Array(shortest..<whole.count)
        func check(_ members: [String], _ comment: Comment) throws {
            for size in sizes {
                try log.write(Array(whole[..<size]), to: copy)
                let found = try look(after: FamilyLookTests.day)
                #expect(found.members.map(\.file.path) == members, "\(size) bytes, \(comment)")
                #expect(found.losses.isEmpty, "\(size) bytes, \(comment)")
                #expect(found.notes.map { $0.hasPrefix(log.path(copy)) } == [true], "\(size) bytes, \(comment): \(found.notes)")
            }
            try log.remove(copy)
        }
        try check([log.path("app.ndjson.1")], "nothing read")
        try log.run()
        try check([], "all read")
        try log.append(lines(1...9), to: "app.ndjson.1")
        try check([log.path("app.ndjson.1")], "some read")
    }
    #endif

    /// A copy of a log is only known for one beside the log. If that is moved before the files are compared, the copy must wait.
    @Test(arguments: [false, true]) func aCopyIsNotReadBecauseItsLogIsBeingMoved(hasRead: Bool) throws {
        if hasRead {
            try log.write(lines(9_001...9_100))
            try log.run(giving: 9_001...9_100)
        }
        try log.write(lines(1...2_000), to: "app.ndjson.1")
        try log.write(lines(1...1_000), to: "app.ndjson-20240101")
        let memory = DisturbedMemory { try log.move("app.ndjson.1", to: "app.ndjson.2") }
        let found = try look(after: FamilyLookTests.day, memory: memory)
        try memory.result?.get()
        #expect(memory.result != nil && found.movedFiles > 0)
        #expect(found.members.isEmpty && found.losses.isEmpty)
        #expect(try look(after: FamilyLookTests.day, memory: memory).members.map(\.file.name) == ["app.ndjson.2"])
    }

    /// A copy that is being made, and its log, which is truncated before the files are compared.
    @Test(arguments: [nil, 5_010, 9_000]) func aCopyIsNotReadBecauseItsLogIsBeingTruncated(last: Int?) throws {
        try log.write(lines(1...2_000))
        try log.run(giving: 1...2_000)
        try log.write(lines(1...1_000), to: "app.ndjson-20240101")
        let memory = DisturbedMemory {
            try log.copy("app.ndjson", to: "app.ndjson-20240101")
            try log.write(last.map { lines(5_001...$0) } ?? "")
        }
        let found = try look(after: FamilyLookTests.day, memory: memory)
        try memory.result?.get()
        #expect(memory.result != nil && found.movedFiles > 0)
        #expect(found.members.isEmpty && found.losses.isEmpty, "\(found.losses)")
        let next = try look(after: FamilyLookTests.day, memory: memory)
        #expect(next.members.map(\.file.name) == (last == nil ? [] : ["app.ndjson"]))
    }

    // MARK: Looks of one process

    /// A run that follows logs looks again and again, and does not read again what has not changed.
    @Test func whatHasChangedSinceAnEarlierLookIsComparedAnew() throws {
        let memory = LookMemory()
        let text = (100...199).map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }
        try log.write(text.joined())
        try log.run()
        #expect(try isQuiet(look(memory: memory)))
        try log.append(lines(200...200))
        let entry = try #require(try log.checkpoints().first)
        #expect(try look(memory: memory).members.map(\.identity) == [entry.input])
        // Truncated and written anew, with another beginning, or with other text before the position.
        for line in [3, 98] {
            var other = text
            other[line] = "{\"id\":\(900 + line),\"name\":\"n\(900 + line)\"}\n"
            try log.write(other.joined() + lines(200...201))
            let found = try look(memory: memory)
            #expect(found.members.count == 1, "line \(line)")
            #expect(found.members.first?.identity != entry.input, "line \(line)")
            #expect(found.members.first?.checkpoint == nil, "line \(line)")
            // It is the old text again.
            try log.write(text.joined() + lines(200...202))
            #expect(try look(memory: memory).members.map(\.identity) == [entry.input])
        }
    }

    @Test func aFileIsComparedWithWhatHasBeenReadSinceTheEarlierLook() throws {
        let memory = LookMemory()
        try log.write(lines(1...100))
        #expect(try look(memory: memory).members.map(\.checkpoint) == [nil])
        try log.run()
        #expect(try isQuiet(look(memory: memory)))
        try log.copy("app.ndjson", to: "app.ndjson.1")
        let found = try look(memory: memory)
        #expect(found.members.isEmpty)
        #expect(found.notes.count == 1 && found.notes[0].contains("app.ndjson"), "\(found.notes)")
        // A copy is named once.
        #expect(try isQuiet(self.look(memory: memory)))
    }

    /// A log is copied, goes on for a moment, and is cut to nothing. What was read of it is then gone, and the copy is a part of that.
    @Test func aShortCopyOfALogThatWasCutIsKnownWhereverItEnds() throws {
        let text = Array(lines(1...30).utf8)
        try #require(text.count < JSONCheckpoint.headSize)
        try log.write(text, to: "app.ndjson")
        try log.run()
        try log.write(lines(100...101))
        for count in 1..<text.count {
            try log.write(Array(text[..<count]), to: "app.ndjson.1")
            #expect(try look().members.map(\.file.name) == ["app.ndjson"], "\(count) bytes")
            // A text of its own, which only begins as that one did.
            var other = Array(text[..<count]) + [UInt8](repeating: UInt8(ascii: " "), count: 8)
            other[count + 7] = UInt8(ascii: "\n")
            try log.write(other, to: "app.ndjson.1")
            #expect(try Set(look().members.map(\.file.name)) == ["app.ndjson", "app.ndjson.1"], "\(count) bytes, and others")
        }
    }

    /// A copy that was cut in its first line has the beginning of each other log, which is no reason to take a log for new.
    @Test func aLogThatAlsoBeginsWithAShortCopyIsReadOn() throws {
        let memory = LookMemory()
        try log.write("{\"", to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 100)
        try log.write(lines(1...1))
        try log.run { $0.rejects = .table("bad") }
        let copy = try #require(try log.checkpoints().first { $0.checkpoint?.feed.offset == 2 })
        // Looked at before anything of the new log has been read.
        try log.write(lines(2...3))
        #expect(try look(memory: memory).members.map(\.checkpoint) == [nil])
        try log.run { $0.rejects = .table("bad") }
        let read = try #require(try log.checkpoints().first { $0.checkpoint?.feed.offset == lines(2...3).utf8.count })
        #expect(read.input != copy.input)
        for id in 4...6 {
            try log.append(lines(id...id))
            #expect(try look(memory: memory).members.map(\.identity) == [read.input], "line \(id)")
        }
    }

    /// `mv` into another file system copies a log and deletes it, and a run that follows it still has it open.
    @Test func aDeletedLogOfWhichThereIsACopyIsNotReadAgain() throws {
        let memory = LookMemory()
        try log.write(lines(1...3))
        #expect(try look(memory: memory).members.count == 1)
        memory.keepOpen()
        try log.copy("app.ndjson", to: "app.ndjson.1")
        try log.remove("app.ndjson")
        try log.run()
        for _ in 1...2 { #expect(try look(memory: memory).members.isEmpty) }
    }

    @Test func aFolderThatIsNotThereHasNoFiles() throws {
        log.movedTo = [log.path("../archive")]
        try log.write(lines(1...3))
        #expect(try look().members.count == 1)
        try log.makeFolder("archive")
        try log.move("app.ndjson", to: "../archive/app.ndjson.1")
        #expect(try look().members.map(\.file.path) == [log.path("../archive/app.ndjson.1")])
    }
}

/// Does something once between the list of a log's files and their comparison.
private final class DisturbedMemory: LookMemory {
    private let action: () throws -> Void
    private(set) var result: Result<Void, any Error>?

    init(_ action: @escaping () throws -> Void) { self.action = action }

    override func see(_ files: [FileStamp], of family: Family) {
        super.see(files, of: family)
        result = result ?? Result(catching: action)
    }
}
#endif
