// Which file holds the text of which input: the decisions for rotated logs. Content decides; names and inodes only where content cannot.

internal import Foundation
internal import SluiceCore
internal import SluiceFeed

/// What the files of some families are, compared with what earlier runs have read.
package struct FamilyLook {
    /// What to read, the older text first.
    package private(set) var members: [LogMember] = []
    /// The inputs of the families that earlier runs have read, by their identities.
    package private(set) var inputs: [String: KnownInput] = [:]
    /// The inputs whose stored evidence is to be replaced.
    package private(set) var restamped: [KnownInput] = []
    /// What the report says.
    package private(set) var notes: [String] = []
    /// Bytes that others have removed before they were read, in words.
    package private(set) var losses: [String] = []
    /// The families of which nothing is read, because nothing tells two of their files apart, in words.
    package private(set) var pauses: [String] = []

    /// The inputs whose text has been missing for so long that they are forgotten.
    package private(set) var expired: [KnownInput] = []

    private let rotation: Rotation
    private let now: Int
    private let memory: LookMemory

    /// - Parameters:
    ///   - entries: The table's checkpoints.
    ///   - now: The time, in nanoseconds since 1970.
    ///   - memory: What earlier looks of this process have found.
    /// - Throws: ``IngestError`` if a folder cannot be read.
    package init(
        _ rotation: Rotation, _ entries: [SinkCheckpoint], now: Int = FamilyLook.time, memory: LookMemory = LookMemory()
    ) throws(IngestError) {
        (self.rotation, self.now, self.memory) = (rotation, now, memory)
        memory.begin()
        var listing = FolderListing()
        let byFamily = Dictionary(grouping: entries) { Family(ofInput: $0.input) }
        for family in rotation.families {
            let places = [family] + rotation.folders.map { family.moved(to: $0) }
            let own = places.flatMap { byFamily[$0] ?? [] }
            let known = own.compactMap(KnownInput.init)
            for input in known { inputs[input.identity] = input }
            let numbers = own.compactMap { family.number(of: $0.input) }
            let files = try listing.files(of: family, movedTo: rotation.folders) + memory.deletedFiles(of: family)
            memory.see(files, of: family)
            look(at: family, files, known, next: (numbers.max() ?? 0) + 1)
        }
        forgetOldest()
        members.sort { ($0.file.modified, $0.file.path) < ($1.file.modified, $1.file.path) }
    }

    /// How long a file must not have changed, in nanoseconds.
    private var settle: Int { Int((rotation.settle * 1e9).rounded()) }

    /// The time, in nanoseconds since 1970.
    package static var time: Int { Int(Date().timeIntervalSince1970 * 1e9) }

    // MARK: One family

    /// A file, with what its text has to do with the inputs.
    private struct Candidate {
        let file: FileStamp
        let comparison: MemberComparison
        /// The length of its text as far as it is known.
        var length: Int { comparison.length ?? (comparison.isCompressed ? .max : file.size) }
    }

    private mutating func look(at family: Family, _ files: [FileStamp], _ known: [KnownInput], next number: Int) {
        var number = number
        let key = known.lazy.compactMap { $0.evidence?.key }.first ?? .random()
        var candidates: [Candidate] = []
        for file in files where file.size > 0 {
            guard let comparison = compare(file, with: known) else { continue }
            candidates.append(Candidate(file: file, comparison: comparison))
        }
        var holders: [String: Candidate] = [:]
        for input in known {
            let found = candidates.filter { isText(of: input, $0) }.sorted { isBetter($0, than: $1, for: input) }
            guard let holder = found.first else { continue }
            holders[input.identity] = holder
            for copy in found.dropFirst() where copy.length > input.length && copy.length != .max && holder.length != .max {
                // Both go on after what was read. Until that is read, it is not known whether they go on alike.
                if holder.length == copy.length || memory.isEqual(copy.file, to: holder.file, upTo: copy.length) { continue }
                pauses.append(
                    "\(holder.file.path) and \(copy.file.path) begin with the same text and go on differently, so that nothing tells which "
                        + "of them goes on with what was read: neither is read")
                return
            }
        }
        let held = Set(holders.values.map(\.file.path))
        for input in known {
            guard let holder = holders[input.identity] else {
                noteMissing(input)
                continue
            }
            add(input, in: holder, key, among: candidates)
        }
        for candidate in candidates where !held.contains(candidate.file.path) {
            guard !known.contains(where: { isText(of: $0, candidate) }), !isCopy(candidate, of: known, holders) else {
                noteCopy(candidate)
                continue
            }
            if addNew(candidate, as: family.identity(number), key, among: candidates) { number += 1 }
        }
    }

    /// Whether a file holds the text of an input.
    private func isText(of input: KnownInput, _ candidate: Candidate) -> Bool {
        guard candidate.comparison.relations[input.identity] == .begins else { return false }
        guard let file = input.evidence?.file, input.length < JSONCheckpoint.headSize else { return true }
        // A log that is begun anew under the old name may begin with the same few bytes.
        return candidate.file.path != file.path || candidate.file.isSameFile(as: file)
    }

    /// Which of two files with the text of an input it is read from: the one with more text, then the one where it was read last, then one
    /// that need not be decompressed.
    private func isBetter(_ one: Candidate, than other: Candidate, for input: KnownInput) -> Bool {
        func rank(_ candidate: Candidate) -> (Int, Int, Int) {
            let isSame = input.evidence.map { candidate.file.isSameFile(as: $0.file) } ?? false
            return (candidate.length == .max ? 0 : candidate.length, isSame ? 1 : 0, candidate.comparison.isCompressed ? 0 : 1)
        }
        return rank(one) > rank(other)
    }

    /// Whether a file is a part of what was read: a copy that was made earlier, or is being made.
    private func isCopy(_ candidate: Candidate, of known: [KnownInput], _ holders: [String: Candidate]) -> Bool {
        known.contains { input in
            guard case .isPrefix(let count)? = candidate.comparison.relations[input.identity],
                let length = candidate.comparison.length
            else { return false }
            // Shorter than it was, it has been truncated, and what it holds is new.
            if let file = input.evidence?.file, candidate.file.isSameFile(as: file) { return false }
            if count == length { return true }
            if let holder = holders[input.identity], !candidate.comparison.isCompressed, !holder.comparison.isCompressed {
                return memory.isEqual(candidate.file, to: holder.file, upTo: length)
            }
            return count >= ContentEvidence.shortest
        }
    }

    // MARK: Files

    /// Compares a file with the inputs. A file that cannot be opened is gone again, or named in the report.
    private mutating func compare(_ file: FileStamp, with known: [KnownInput]) -> MemberComparison? {
        if let comparison = memory.comparison(of: file, with: known) { return comparison }
        do throws(JSONError) {
            let open = try OpenFile(path: memory.openPath(of: file))
            // A file that has just been compressed may still be growing.
            let isRecent = now - file.modified < settle
            let isCompressed = try open.isCompressed()
            let comparison = try MemberComparison(open, with: known, readsAll: isCompressed && isRecent)
            memory.keep(comparison, of: file, known)
            return comparison
        } catch {
            if FileStamp(path: file.path) != nil { losses.append("\(error.summary)") }
            return nil
        }
    }

    /// Whether the last line of a file is complete, also without a line break.
    private func isEnded(_ candidate: Candidate, among candidates: [Candidate]) -> Bool {
        if candidate.comparison.isCompressed { return true }
        guard now - candidate.file.modified >= settle else { return false }
        return memory.isDeleted(candidate.file)
            || candidates.contains { $0.file.modified > candidate.file.modified && !$0.comparison.isCompressed }
    }

    /// Where to stop in a file; nil for its end if its text is not known as a whole.
    private func end(_ candidate: Candidate, after length: Int, isEnded: Bool) -> Int? {
        if candidate.comparison.isCompressed { return candidate.comparison.length }
        if isEnded { return candidate.file.size }
        let end = memory.lastLineEnd(of: candidate.file, after: length) ?? length
        if end < candidate.file.size { memory.lookAgain(at: candidate.file.modified + settle) }
        return end
    }

    /// Reads an input on in the file that has its text.
    private mutating func add(
        _ input: KnownInput, in holder: Candidate, _ key: ContentDigest.Key, among candidates: [Candidate]
    ) {
        var input = input
        if let evidence = input.evidence, !holder.file.isUnchanged(since: evidence.file) || holder.file.path != evidence.file.path
            || evidence.missingSince != nil
        {
            // What was read is there, perhaps under another name. If more is read now, its checkpoint says so anyway.
            input.checkpoint.evidence?.file = holder.file
            input.checkpoint.evidence?.missingSince = nil
            input.checkpoint.evidence?.isMissingReported = false
        }
        guard holder.comparison.failure == nil else {
            noteBroken(holder)
            return
        }
        let isEnded = isEnded(holder, among: candidates)
        let end = end(holder, after: input.length, isEnded: isEnded)
        if let end, end <= input.length {
            if input.checkpoint != inputs[input.identity]?.checkpoint, input.evidence != nil { restamped.append(input) }
            return
        }
        if let evidence = input.evidence, evidence.isEnded, let lineEnd = memory.lineEnd(of: holder.file, after: input.length) {
            losses.append(
                "\(holder.file.path) has grown by \(counted(lineEnd - input.length, "byte")) in a line whose beginning was taken as a whole "
                    + "record, because the file had not changed for \(rotation.settle.fixed(0)) seconds: these bytes are not read")
            input.pass(lineEndingAt: lineEnd)
        }
        members.append(
            LogMember(
                file: holder.file, openPath: memory.openPath(of: holder.file), identity: input.identity, checkpoint: input.checkpoint,
                end: end, isCompressed: holder.comparison.isCompressed, isEnded: isEnded, key: input.evidence?.key ?? key))
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
                file: candidate.file, openPath: memory.openPath(of: candidate.file), identity: identity, checkpoint: nil, end: end,
                isCompressed: candidate.comparison.isCompressed, isEnded: isEnded, key: key))
        return true
    }

    // MARK: What the report says

    /// Notes an input whose text no file has. Two looks must have missed it, because a file is not there while it is moved.
    private mutating func noteMissing(_ input: KnownInput) {
        guard var evidence = input.evidence, !evidence.isMissingReported else { return }
        if evidence.missingSince != nil {
            evidence.isMissingReported = true
            let unread = evidence.file.size - evidence.length
            if !evidence.isCompressed, unread > 0 {
                losses.append(
                    "\(evidence.file.path) is gone, and \(counted(unread, "byte")) of its \(evidence.file.size.grouped) had not been read")
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
        let missing = inputs.values.filter { $0.evidence?.isMissingReported == true }
            .sorted { ($0.evidence?.missingSince ?? 0) > ($1.evidence?.missingSince ?? 0) }
        for (index, input) in missing.enumerated() {
            let seconds = now / 1_000_000_000 - (input.evidence?.missingSince ?? 0)
            if index >= FamilyLook.mostMissing || seconds > FamilyLook.longestMissing { expired.append(input) }
        }
    }

    private mutating func noteCopy(_ candidate: Candidate) {
        guard memory.isFirstCopy(candidate.file) else { return }
        notes.append("\(candidate.file.path) has the text of a file that was read, or the beginning of it: it is not read again")
    }

    private mutating func noteBroken(_ candidate: Candidate) {
        guard now - candidate.file.modified >= settle, let failure = candidate.comparison.failure else {
            return memory.lookAgain(at: candidate.file.modified + settle)
        }
        losses.append("\(failure.summary)")
    }
}
