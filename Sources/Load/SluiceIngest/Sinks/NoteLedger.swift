// The ledger of a sink that keeps notes: texts under names, which the sink stores with the rows and need not understand.
//
//     input IDENTITY    how far an input has been read, and which run reads it
//     sequence          the number of the checkpoint that was written last
//     memory            what the table remembers of its columns
//     lines FILE        lines that runs still have to write to a file

internal import SluiceCore

/// A ledger of notes. Without notes, it keeps nothing.
struct NoteLedger: SinkLedger {
    fileprivate enum Name {
        static let input = "input "
        static let sequence = "sequence"
        static let memory = "memory"
        static let lines = "lines "
    }

    let transaction: any SinkTransaction

    /// The notes, with those of the open transaction; nil if the sink keeps none.
    private var notes: [String: String]? { get throws { try transaction.contents().notes } }

    private func set(_ entry: SinkCheckpoint) throws {
        try transaction.setNote(entry.note, named: Name.input + entry.input)
    }

    // MARK: Checkpoints

    /// Claims the inputs of a run: their notes name it as their holder from now on.
    func claim(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        guard let notes = try notes else { return [:] }
        let found = try claim.check(NoteLedger.checkpoints(in: notes))
        var versions: [String: CheckpointVersion] = [:]
        for input in claim.inputs {
            let entry = found[input.identity]
            var version = entry?.version ?? CheckpointVersion(table: "")
            version.run = claim.run.text
            try set(SinkCheckpoint(input: input.identity, version: version, checkpoint: entry?.checkpoint, isHeld: true))
            versions[input.identity] = version
        }
        return versions
    }

    func write(
        _ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion
    ) throws -> CheckpointVersion? {
        guard let notes = try notes else { return version }
        guard let note = notes[Name.input + input] else { return nil }
        let entry = try SinkCheckpoint(note: note, of: input)
        guard entry.version == version else { return nil }
        var next = version
        let last = try notes[Name.sequence].map { text in
            guard let number = Int(text), number < .max else { throw NoteLedger.unreadable(Name.sequence) }
            return number
        }
        next.sequence = try (last ?? NoteLedger.checkpoints(in: notes).last?.version.sequence ?? 0) + 1
        next.offset = checkpoint.offset
        try transaction.setNote(String(next.sequence), named: Name.sequence)
        try set(SinkCheckpoint(input: input, version: next, checkpoint: checkpoint, isHeld: entry.isHeld))
        return next
    }

    func forget(_ input: String, over version: CheckpointVersion) throws {
        guard let note = try notes?[Name.input + input], try SinkCheckpoint(note: note, of: input).version == version else {
            return
        }
        try transaction.setNote(nil, named: Name.input + input)
    }

    func release(_ run: RunIdentity) throws {
        for entry in try NoteLedger.checkpoints(in: notes ?? [:]) where entry.version.run == run.text {
            guard let checkpoint = entry.checkpoint else {
                try transaction.setNote(nil, named: Name.input + entry.input)
                continue
            }
            try set(SinkCheckpoint(input: entry.input, version: entry.version, checkpoint: checkpoint, isHeld: false))
        }
    }

    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        for entry in try NoteLedger.checkpoints(in: notes ?? [:]) {
            if entry.version.run == run.text {
                var version = entry.version
                version.offset = 0
                try set(SinkCheckpoint(input: entry.input, version: version, checkpoint: nil, isHeld: entry.isHeld))
            } else if includingOthers, entry.checkpoint != nil {
                // A note without a checkpoint belongs to a run that is about to begin.
                try transaction.setNote(nil, named: Name.input + entry.input)
            }
        }
    }

    // MARK: Columns, and lines of files

    func remember(_ change: (String?) throws -> String) throws {
        guard let notes = try notes else { return }
        try transaction.setNote(change(notes[Name.memory]), named: Name.memory)
    }

    func pendingRejects(to file: String) throws -> [PendingRejects] {
        guard let note = try notes?[Name.lines + file] else { return [] }
        guard let members = (try? JSONValue(json: note))?.object?.members else { throw NoteLedger.unreadable(Name.lines + file) }
        return try members.map { member in
            guard let text = member.value.string else { throw NoteLedger.unreadable(Name.lines + file) }
            return PendingRejects(owner: member.key, text: text)
        }
    }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        guard try notes != nil else { return }
        let kept = try pendingRejects(to: file).filter { $0.owner != owner } + (pending.map { [$0] } ?? [])
        let value = JSONValue.object(JSONObject(kept.map { ($0.owner, .string($0.text)) }))
        try transaction.setNote(kept.isEmpty ? nil : value.jsonString(), named: Name.lines + file)
    }

    // MARK: Looking

    fileprivate static func unreadable(_ name: String) -> IngestError {
        .unreadable("the note '\(name)'", remedy: "remove the note to begin anew")
    }

    /// The checkpoints in notes; the last one was written last.
    ///
    /// - Throws: ``IngestError/database(_:)`` for a note that this version does not understand: its rows would be stored again.
    private static func checkpoints(in notes: [String: String]) throws -> [SinkCheckpoint] {
        try notes.compactMap { name, text in
            name.hasPrefix(Name.input) ? try SinkCheckpoint(note: text, of: String(name.dropFirst(Name.input.count))) : nil
        }.sorted { ($0.version.sequence, $0.input) < ($1.version.sequence, $1.input) }
    }

    /// The contents of a target with what its notes say.
    fileprivate static func read(_ contents: SinkContents) throws -> SinkContents {
        guard let notes = contents.notes else { return contents }
        var contents = contents
        contents.checkpoints = try checkpoints(in: notes)
        contents.memory = notes[Name.memory]
        contents.pendingFiles = Set(notes.keys.filter { $0.hasPrefix(Name.lines) }.map { String($0.dropFirst(Name.lines.count)) })
        return contents
    }
}

extension SinkConnection {
    /// What the target holds, with what its notes say.
    ///
    /// - Parameter reading: How much of a database's checkpoints is needed.
    /// - Throws: ``IngestError/usage(_:)`` if the sink of a database stands inside another sink, which passes on what the database keeps
    ///   but cannot write to it: rows would be stored again.
    package func look(_ reading: CheckpointReading = .whole) throws -> SinkContents {
        let contents = try (self as? any TableConnection)?.contents(reading) ?? contents()
        if contents.isOfDatabase && !(self is any TableConnection) {
            throw IngestError.usage(
                "a sink must not pass on the contents of a database's sink: name their columns, key and notes in its own")
        }
        return try NoteLedger.read(contents)
    }
}

extension SinkTransaction {
    /// What the target holds, with what its notes say. Of a database's checkpoints it has the versions.
    package func look() throws -> SinkContents { try NoteLedger.read(contents()) }
}

extension SinkCheckpoint {
    /// The number of the notes' form. A later version that changes the meaning of a note counts it up.
    private static let layout = 1

    /// The checkpoint as one line of JSON.
    fileprivate var note: String {
        get throws {
            let value: JSONValue = [
                "layout": .number(JSONNumber(SinkCheckpoint.layout)), "sequence": .number(JSONNumber(version.sequence)),
                "offset": .number(JSONNumber(version.offset)),
                "run": .string(version.run), "is_held": .bool(isHeld),
                "checkpoint": checkpoint.map { .string($0.text) } ?? .null,
            ]
            return try value.jsonString()
        }
    }

    fileprivate init(note: String, of input: String) throws(IngestError) {
        let value = try? JSONValue(json: note)
        let text = value?["checkpoint"]
        let checkpoint = text?.string.flatMap { StoredCheckpoint(text: $0) }
        guard let value, let sequence = value["sequence"]?.int, value["layout"]?.int == SinkCheckpoint.layout,
            checkpoint != nil || text?.isNull == true
        else {
            throw NoteLedger.unreadable(NoteLedger.Name.input + input)
        }
        self.init(
            input: input,
            version: CheckpointVersion(
                table: "", sequence: sequence, offset: value["offset"]?.int ?? 0, run: value["run"]?.string ?? ""),
            checkpoint: checkpoint,
            isHeld: value["is_held"]?.bool ?? false)
    }
}
