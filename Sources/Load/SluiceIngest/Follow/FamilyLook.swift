// Which file holds the text of which input: the decisions for rotated logs. Content decides; names and inodes only where content cannot.

internal import Foundation
internal import SluiceCore
internal import SluiceFeed

/// What the files of some logs are, compared with what earlier runs have read.
package struct FamilyLook {
    /// What to read, the older text first.
    package internal(set) var members: [LogMember] = []
    /// The checkpoints of what is read, by the identities of the inputs.
    package private(set) var entries: [String: SinkCheckpoint] = [:]
    /// What earlier runs have read of the logs.
    package private(set) var past = FamilyPast()
    /// The inputs whose stored evidence is to be replaced, once the run has ended.
    package private(set) var restamped: [KnownInput] = []
    /// The inputs whose text has been missing for so long that they are forgotten.
    package private(set) var expired: [FamilyPast.Missing] = []
    /// All files of the logs.
    package private(set) var files: [FileStamp] = []
    /// What the report says.
    package private(set) var notes: [String] = []
    /// What is not read, or was lost before it could be read, in words.
    package private(set) var losses: [String] = []
    /// How many files were moved during the look: another look finds them.
    package private(set) var movedFiles = 0

    /// The inputs of a log whose text was found.
    private var present: Set<String> = []
    private let rotation: Rotation
    private let now: Int
    private let memory: LookMemory

    /// - Parameters:
    ///   - entries: The table's checkpoints, or their versions only.
    ///   - now: The time, in nanoseconds since 1970.
    ///   - memory: What earlier looks of this process have found.
    ///   - run: The run that looks.
    ///   - load: Reads the whole checkpoints of some entries. Of many logs, only some have theirs in memory at a time.
    package init(
        _ rotation: Rotation, _ entries: [SinkCheckpoint], now: Int = FamilyLook.time, memory: LookMemory = LookMemory(),
        run: RunIdentity? = nil, load: ([SinkCheckpoint]) throws -> [SinkCheckpoint] = { $0 }
    ) rethrows {
        (self.rotation, self.now, self.memory) = (rotation, now, memory)
        memory.begin()
        var listing = FolderListing()
        let byFamily = FamilyLook.grouped(entries)
        func allPlaces(of family: Family) -> [Family] {
            [family] + rotation.folders.map { family.moved(to: $0) }.filter { $0 != family }
        }
        var next = families(byFamily)[...]
        while !next.isEmpty {
            // Several logs are looked at with one reading of their checkpoints.
            var wanted: [SinkCheckpoint] = []
            let part = next.prefix { log in
                guard wanted.count < FamilyLook.enoughInputs else { return false }
                wanted += allPlaces(of: log.family).flatMap { byFamily[$0] ?? [] }
                return true
            }
            next = next.dropFirst(part.count)
            let loaded = try wanted.isEmpty ? [:] : FamilyLook.grouped(load(wanted))
            for (family, isNamed) in part where isNamed || loaded[family]?.contains(where: \.hasEvidence) == true {
                let places = allPlaces(of: family)
                look(at: family, places, &listing, places.flatMap { loaded[$0] ?? [] }, run)
            }
        }
        movedFiles += listing.movedFamilies
        memory.end(files)
        forgetOldest()
        members.sort { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
    }

    private static func grouped(_ entries: [SinkCheckpoint]) -> [Family?: [SinkCheckpoint]] {
        var last: Family?
        return Dictionary(grouping: entries) { entry in
            let family = Family(ofInput: entry.input, beside: last)
            last = family ?? last
            return family
        }
    }

    /// How many checkpoints are in memory at a time, unless a log has more.
    private static let enoughInputs = 200

    /// Looks at a log.
    ///
    /// - Parameters:
    ///   - places: The log, and the same one in the folders to which rotation moves files.
    ///   - own: Its checkpoints.
    private mutating func look(
        at family: Family, _ places: [Family], _ listing: inout FolderListing, _ own: [SinkCheckpoint], _ run: RunIdentity?
    ) {
        let known = own.compactMap { entry in KnownInput(entry, isHeld: run.map { entry.isTaken(seenFrom: $0) } ?? false) }
        // A claim without a checkpoint does not count: two runs that find a new file must take the same number, so that one gives way.
        let number = own.filter { $0.checkpoint != nil }.compactMap { Family.number(of: $0.input) }.max() ?? 0
        let earlier = members.count
        present = []
        do throws(IngestError) {
            let files = try listing.files(of: family, and: Array(places.dropFirst())) + memory.deletedFiles(of: family)
            self.files += files
            memory.see(files, of: family)
            look(at: family, files, known, next: number + 1)
        } catch {
            losses.append(error.description)
        }
        let read = Set(members[earlier...].map(\.identity))
        for entry in own where read.contains(entry.input) { entries[entry.input] = entry }
        for input in known {
            past.add(input, isRead: read.contains(input.identity), isPresent: present.contains(input.identity))
        }
    }

    /// The time, in nanoseconds since 1970.
    package static var time: Int { Int(Date().timeIntervalSince1970 * 1e9) }

    /// How long a file must not have changed, in nanoseconds.
    private var settle: Int { Int((rotation.settle * 1e9).rounded()) }

    private var settleText: String {
        Int(exactly: rotation.settle).map { counted($0, "second") } ?? "\(rotation.settle) seconds"
    }

    /// The logs that have files, and those that the same arguments would name if their files were not gone.
    private func families(_ known: [Family?: [SinkCheckpoint]]) -> [(family: Family, isNamed: Bool)] {
        let archives = Set(rotation.folders.map { IngestInput.identity(ofFile: $0) })
        let roots = rotation.roots.map { IngestInput.identity(ofFile: $0) }
        func isMeant(_ family: Family) -> Bool {
            roots.contains { family.resolvedFolder == $0 || family.resolvedFolder.hasPrefix($0 + "/") }
                || rotation.patterns.contains { unsafe fnmatch($0, family.resolvedPath, FNM_PATHNAME | FNM_PERIOD) == 0 }
        }
        var found: Set<Family> = []
        // A file in a folder to which rotation moves files belongs to the log in the other folder.
        func isNew(_ family: Family) -> Bool { !archives.contains(family.resolvedFolder) && found.insert(family).inserted }
        let named = (rotation.families + memory.openFamilies).filter(isNew)
        let others = known.keys.compactMap(\.self).filter { isMeant($0) && isNew($0) }
        return named.map { ($0, true) } + others.sorted { $0.identity(0) < $1.identity(0) }.map { ($0, false) }
    }

    // MARK: One log

    /// A file, with what its text has to do with the inputs.
    private struct Candidate {
        let file: FileStamp
        let comparison: MemberComparison
        /// The length of its text as far as it is known.
        var length: Int { comparison.length ?? (comparison.isCompressed ? 0 : file.size) }
    }

    private mutating func look(at family: Family, _ files: [FileStamp], _ known: [KnownInput], next number: Int) {
        var number = number
        let key = known.lazy.compactMap { $0.evidence?.key }.first ?? .random()
        var candidates: [Candidate] = []
        var (hasMoved, isWhole) = (false, true)
        for file in files where file.size > 0 {
            do throws(JSONError) {
                if let comparison = try compare(file, with: known) {
                    candidates.append(Candidate(file: file, comparison: comparison))
                } else {
                    hasMoved = true
                    movedFiles += 1
                }
            } catch {
                isWhole = false
                losses.append("\(error.summary)")
            }
        }
        isWhole = isWhole && !hasMoved
        // A text that begins with that of several inputs is that of the longest.
        var holders: [String: Candidate] = [:]
        var taken: Set<FileStamp.Place> = []
        for input in known.sorted(by: { $0.length > $1.length }) {
            let found = texts(of: input, candidates).filter { !taken.contains($0.file.place) }
                .sorted { isBetter($0, than: $1, for: input) }
            guard let holder = found.first else { continue }
            holders[input.identity] = holder
            taken.insert(holder.file.place)
            for copy in found.dropFirst() {
                switch memory.isEqual(copy.file, to: holder.file, upTo: min(copy.length, holder.length)) {
                case true?:
                    taken.insert(copy.file.place)
                    noteCopy(copy)
                case false? where memory.stillHas(input, in: holder.file):
                    losses.append(
                        "\(holder.file.path) and \(copy.file.path) begin with the same text and go on differently, so that nothing tells "
                            + "which of them goes on with what was read: neither is read")
                    return
                case nil, false?:
                    movedFiles += 1
                    return
                }
            }
        }
        for input in known {
            if let holder = holders[input.identity] {
                present.insert(input.identity)
                add(input, in: holder, key, among: candidates)
            } else if isWhole {
                noteMissing(input)
            }
        }
        var fresh: [Candidate] = []
        for candidate in candidates where !taken.contains(candidate.file.place) {
            // A new log may begin with the same few lines as the one before it.
            if candidate.length < JSONCheckpoint.headSize, isLog(candidate.file, of: family) {
                fresh.append(candidate)
                continue
            }
            switch isCopy(candidate, of: known, holders) {
            case .yes: noteCopy(candidate)
            case .perhaps(let input): noteRemains(candidate, of: input)
            case .moved: movedFiles += 1
            case .no: fresh.append(candidate)
            }
        }
        // What was moved meanwhile may be what another file is a copy of. The next look sees both.
        if hasMoved { return }
        guard let copies = copies(of: family, among: fresh) else {
            movedFiles += 1
            return
        }
        for (index, candidate) in fresh.enumerated() {
            if copies.contains(index) {
                noteCopy(candidate)
            } else if addNew(candidate, as: family.identity(number), key, among: candidates) {
                number += 1
            }
        }
    }

    /// Those of some new files whose text is equal to that of another one, or the beginning of it; nil if one was moved before it could be
    /// compared.
    private func copies(of family: Family, among candidates: [Candidate]) -> Set<Int>? {
        guard candidates.count > 1 else { return [] }
        let texts = candidates.compactMap { memory.head(of: $0.file) }
        guard texts.count == candidates.count else { return nil }
        let heads = texts.map(\.bytes)
        let alike = Dictionary(grouping: candidates.indices) { heads[$0].prefix(ContentEvidence.shortest) }
        var copies: Set<Int> = []
        for (beginning, group) in alike {
            // The file with the log's own name goes on growing, and its copies do not.
            for one in group.sorted(by: { FamilyLook.isNewer(candidates[$1].file, than: candidates[$0].file) }) {
                // A new log may begin with the same few lines as the one before it.
                let isLog = heads[one].count < JSONCheckpoint.headSize && isLog(candidates[one].file, of: family)
                // What has hardly begun to be compressed may be a copy of any.
                let others = beginning.count < ContentEvidence.shortest && texts[one].isCutOff ? Array(candidates.indices) : group
                for other in others where one != other && !copies.contains(one) && !copies.contains(other) {
                    guard isLog ? heads[one] == heads[other] : heads[other].starts(with: heads[one]) else { continue }
                    guard let isCopy = memory.isEqual(candidates[one].file, to: candidates[other].file, upTo: nil) else {
                        return nil
                    }
                    if isCopy { copies.insert(one) }
                }
            }
        }
        return copies
    }

    /// The files that hold the text of an input.
    private func texts(of input: KnownInput, _ candidates: [Candidate]) -> [Candidate] {
        let found = candidates.filter { $0.comparison.relations[input.identity] == .begins }
        guard let file = input.evidence?.file, input.length < JSONCheckpoint.headSize else { return found }
        // A new log may begin with the same few bytes.
        if let same = found.first(where: { $0.file.isSameFile(as: file) }) { return [same] }
        let path = IngestInput.identity(ofFile: file.path)
        // So may any log begin with a part of a line. It is known again as a whole only.
        let isPart = input.evidence?.isEnded == true
        return found.filter {
            (!isPart || $0.length == input.length)
                && ($0.file.name != file.name || IngestInput.identity(ofFile: $0.file.path) != path)
        }
    }

    /// Which of two files with the text of an input it is read from: the one with more text, then the one where it was read last, then one
    /// that need not be decompressed.
    private func isBetter(_ one: Candidate, than other: Candidate, for input: KnownInput) -> Bool {
        func rank(_ candidate: Candidate) -> (Int, Int, Int) {
            let isSame = input.evidence.map { candidate.file.isSameFile(as: $0.file) } ?? false
            return (candidate.length, isSame ? 1 : 0, candidate.comparison.isCompressed ? 0 : 1)
        }
        return rank(one) > rank(other)
    }

    /// Whether a file is a copy of what was read.
    private enum CopyAnswer {
        case yes, no
        /// What was read of this input is gone, and the digests are equal as far as they reach.
        case perhaps(KnownInput)
        /// A file was moved before it could be compared.
        case moved
    }

    /// Whether a file is a part of what another one holds, or of what was read of one that is gone: a copy that was made earlier, or is being
    /// made.
    private func isCopy(
        _ candidate: Candidate, of known: [KnownInput], _ holders: [String: Candidate]
    ) -> CopyAnswer {
        let relations = candidate.comparison.relations
        var answer = CopyAnswer.no
        for input in known {
            guard let relation = relations[input.identity], relation != .differs else { continue }
            if let holder = holders[input.identity] {
                // Without a length its text was not read. Of a file that has not been compressed to its end, perhaps none can be read.
                let isUnreadable = candidate.length == 0 && candidate.comparison.failure != nil
                guard candidate.length > 0 || isUnreadable, candidate.length <= holder.length else { continue }
                switch memory.isEqual(candidate.file, to: holder.file, upTo: isUnreadable ? nil : candidate.length) {
                case true?: return .yes
                case false? where memory.stillHas(input, in: holder.file): continue
                case nil, false?: answer = .moved
                }
            } else if case .isPrefix(let count) = relation {
                // Shorter than it was, it has been truncated, and what it holds is new.
                if let file = input.evidence?.file, candidate.file.isState(of: file, sharing: count) { continue }
                if count == candidate.length { return .yes }
                if count >= JSONCheckpoint.headSize, case .no = answer { answer = .perhaps(input) }
            }
        }
        return answer
    }

    // MARK: Files

    /// Compares a file with the inputs. Returns nil for a file that is gone, or is another one by now.
    private func compare(_ file: FileStamp, with known: [KnownInput]) throws(JSONError) -> MemberComparison? {
        if let comparison = memory.comparison(of: file, with: known) { return comparison }
        guard let open = try memory.open(file) else { return nil }
        let isCompressed = try open.isCompressed()
        // There is nothing to compare a text of lines with.
        let isAlone = known.isEmpty && !isCompressed
        // A file that has just been compressed may still be growing.
        let comparison = MemberComparison(
            open, isCompressed: isCompressed, with: known, readsAll: !isAlone && now - file.modified < settle)
        if !isAlone { memory.keep(comparison, of: file, known) }
        return comparison
    }

    /// Whether the last line of a file is complete, also without a line break.
    private func isEnded(_ candidate: Candidate, among candidates: [Candidate]) -> Bool {
        if candidate.comparison.isCompressed { return true }
        guard now - candidate.file.modified >= settle else { return false }
        return memory.isDeleted(candidate.file)
            || candidates.contains { !$0.comparison.isCompressed && FamilyLook.isNewer($0.file, than: candidate.file) }
    }

    /// Whether a file was begun after another one of the same log. Rotation leaves the log's own name to the newest; the times of two
    /// changes may be equal.
    private static func isNewer(_ one: FileStamp, than other: FileStamp) -> Bool {
        if hasLogsName(one) != hasLogsName(other) { return hasLogsName(one) || one.modified > other.modified }
        return (one.modified, one.path) > (other.modified, other.path)
    }

    /// Whether rotation has added nothing to the name of a file.
    private static func hasLogsName(_ file: FileStamp) -> Bool { FamilyName(ofFile: file.name).stem == file.name }

    /// Whether a file is the log itself: rotation has neither moved nor deleted it.
    private func isLog(_ file: FileStamp, of family: Family) -> Bool {
        FamilyLook.hasLogsName(file) && !memory.isDeleted(file) && Family(ofFile: file.path) == family
    }

    /// Where to stop in a file; nil for its end if its text is not known as a whole.
    private func end(_ candidate: Candidate, after length: Int, isEnded: Bool) -> Int? {
        if candidate.comparison.isCompressed { return candidate.comparison.length }
        if isEnded { return candidate.file.size }
        let end = memory.lastLineEnd(of: candidate.file, after: length) ?? length
        if end < candidate.file.size { lookAgain(whenSettled: candidate) }
        return end
    }

    private func lookAgain(whenSettled candidate: Candidate) {
        let time = candidate.file.modified + settle
        if time > now { memory.lookAgain(at: time) }
    }

    /// Reads an input on in the file that has its text.
    private mutating func add(
        _ input: KnownInput, in holder: Candidate, _ key: ContentDigest.Key, among candidates: [Candidate]
    ) {
        let earlier = input.checkpoint
        var input = input
        let file = holder.file.absolute
        if var evidence = input.evidence,
            !file.isUnchanged(since: evidence.file) || file.path != evidence.file.path
                || evidence.missingSince != nil
        {
            // What was read is there, perhaps under another name. If more is read now, its checkpoint says so anyway.
            (evidence.file, evidence.isCompressed) = (file, holder.comparison.isCompressed)
            (evidence.missingSince, evidence.isMissingReported) = (nil, false)
            input.checkpoint.evidence = evidence
        }
        guard holder.comparison.failure == nil else { return noteBroken(holder) }
        let isEnded = isEnded(holder, among: candidates)
        let end = end(holder, after: input.length, isEnded: isEnded)
        if end.map({ $0 <= input.length }) ?? false || !passLine(of: &input, in: holder) {
            if input.checkpoint != earlier, input.evidence != nil, !input.isHeld {
                restamped.append(input)
            }
            if isEnded, memory.isDeleted(holder.file) { memory.forget(holder.file) }
            return
        }
        members.append(
            LogMember(
                file: holder.file, openPath: memory.openPath(of: holder.file), identity: input.identity,
                checkpoint: input.checkpoint,
                end: end, isCompressed: holder.comparison.isCompressed, isEnded: isEnded, key: input.evidence?.key ?? key))
    }

    /// If the last line was taken as a whole record and has grown since, passes over the rest of it.
    ///
    /// - Returns: Whether the text after it can be read.
    private mutating func passLine(of input: inout KnownInput, in holder: Candidate) -> Bool {
        guard input.evidence?.isEnded == true else { return true }
        let line = memory.line(of: holder.file, from: input.checkpoint.feed.offset, after: input.length)
        guard let line, line.hasText || !line.isBroken else {
            // Only the line break was missing.
            if let line { input.pass(lineEndingAt: line.end, breaks: line.breaks) }
            return line != nil
        }
        losses.append(
            "\(holder.file.path) has grown by \(counted(line.end - input.length, "byte")) in a line whose beginning was taken as a whole "
                + "record, because the file had not changed for \(settleText): these bytes are not read")
        if line.isBroken { input.pass(lineEndingAt: line.end, breaks: line.breaks) }
        return line.isBroken
    }

    /// Adds a file that no run has read. Returns false if there is nothing to read in it yet.
    private mutating func addNew(
        _ candidate: Candidate, as identity: String, _ key: ContentDigest.Key, among candidates: [Candidate]
    ) -> Bool {
        guard candidate.comparison.failure == nil else {
            noteBroken(candidate)
            return false
        }
        let isEnded = isEnded(candidate, among: candidates)
        let end = end(candidate, after: 0, isEnded: isEnded)
        guard end != 0 else { return false }
        members.append(
            LogMember(
                file: candidate.file, openPath: memory.openPath(of: candidate.file), identity: identity, checkpoint: nil,
                end: end,
                isCompressed: candidate.comparison.isCompressed, isEnded: isEnded, key: key))
        return true
    }

    // MARK: What the report says

    /// Notes an input whose text no file has. Two looks must have missed it, because a file is not there while it is moved.
    private mutating func noteMissing(_ input: KnownInput) {
        guard var evidence = input.evidence, !evidence.isMissingReported, !input.isHeld else { return }
        if evidence.missingSince != nil {
            evidence.isMissingReported = true
            let unread = evidence.file.size - evidence.length
            if !evidence.isCompressed, unread > 0 {
                losses.append(
                    "\(evidence.file.path) is gone, and \(counted(unread, "byte")) of its \(evidence.file.size.grouped) had not been read"
                )
            } else {
                notes.append("\(evidence.file.path), of which all was read, is gone")
            }
        } else {
            evidence.missingSince = now / 1_000_000_000
            memory.lookAgain(at: now)
        }
        var input = input
        input.checkpoint.evidence = evidence
        restamped.append(input)
    }

    /// For so many seconds, and for so many inputs, a text that is gone is still known, because a backup may bring it back.
    private static let (longestMissing, mostMissing) = (30 * 86_400, 100_000)

    private mutating func forgetOldest() {
        for (index, input) in past.missing.sorted(by: { $0.since > $1.since }).enumerated() {
            let seconds = now / 1_000_000_000 - input.since
            if index >= FamilyLook.mostMissing || seconds > FamilyLook.longestMissing { expired.append(input) }
        }
    }

    private mutating func noteCopy(_ candidate: Candidate) {
        guard memory.isFirstCopy(candidate.file) else { return }
        notes.append("\(candidate.file.path) has the text of a file that was read, or the beginning of it: it is not read again")
    }

    /// Notes a file that is perhaps a part of what was read of an input that is gone. It may still be growing.
    private mutating func noteRemains(_ candidate: Candidate, of input: KnownInput) {
        guard now - candidate.file.modified >= settle else { return lookAgain(whenSettled: candidate) }
        losses.append(
            "\(candidate.file.path) begins as \(input.evidence?.file.path ?? "a text that was read"), which is gone, and is shorter than what "
                + "was read of that: whether its last bytes are the same cannot be told, and it is not read")
    }

    private mutating func noteBroken(_ candidate: Candidate) {
        guard now - candidate.file.modified >= settle, let failure = candidate.comparison.failure else {
            return lookAgain(whenSettled: candidate)
        }
        losses.append("\(failure.summary)")
    }
}

extension FileStamp {
    /// Whether this is a later state of a file. Where the file system does not say when a file was made, one that is called otherwise may
    /// also be a new one with the number of that file, which was deleted; then their text decides.
    ///
    /// - Parameter count: How many first bytes are known to be equal.
    package func isState(of earlier: FileStamp, sharing count: Int) -> Bool {
        guard isSameFile(as: earlier) else { return false }
        return made != 0 || count < JSONCheckpoint.headSize
            || IngestInput.identity(ofFile: path) == IngestInput.identity(ofFile: earlier.path)
    }
}
