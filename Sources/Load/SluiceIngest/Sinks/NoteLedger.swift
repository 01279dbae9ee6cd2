// The ledger of a sink that keeps notes: texts under names, which the sink stores with the rows and need not understand.
//
//     input IDENTITY    how far an input has been read, and which run reads it
//     memory            what the table remembers of its columns
//     lines FILE        lines that runs still have to write to a file

internal import SluiceCore

/// A ledger of notes. Without notes, it keeps nothing.
struct NoteLedger: SinkLedger {
    private enum Name {
        static let input = "input "
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
        let entries = NoteLedger.checkpoints(in: notes)
        guard let entry = entries.first(where: { $0.input == input }), entry.version == version else { return nil }
        var next = version
        next.sequence = (entries.map(\.version.sequence).max() ?? 0) + 1
        next.offset = checkpoint.offset
        try set(SinkCheckpoint(input: input, version: next, checkpoint: checkpoint, isHeld: entry.isHeld))
        return next
    }

    func release(_ run: RunIdentity) throws {
        for entry in NoteLedger.checkpoints(in: try notes ?? [:]) where entry.version.run == run.text {
            guard let checkpoint = entry.checkpoint else {
                try transaction.setNote(nil, named: Name.input + entry.input)
                continue
            }
            try set(SinkCheckpoint(input: entry.input, version: entry.version, checkpoint: checkpoint, isHeld: false))
        }
    }

    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        for entry in NoteLedger.checkpoints(in: try notes ?? [:]) {
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
        let value = try notes?[Name.lines + file].flatMap { try? JSONValue(json: $0) }
        return value?.object?.members.compactMap { member in
            member.value.string.map { PendingRejects(owner: member.key, text: $0) }
        } ?? []
    }

    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        let kept = try pendingRejects(to: file).filter { $0.owner != owner } + (pending.map { [$0] } ?? [])
        let value = JSONValue.object(JSONObject(kept.map { ($0.owner, .string($0.text)) }))
        try transaction.setNote(kept.isEmpty ? nil : value.jsonString(), named: Name.lines + file)
    }

    // MARK: Looking

    /// The checkpoints in notes; the last one was written last.
    private static func checkpoints(in notes: [String: String]) -> [SinkCheckpoint] {
        notes.compactMap { name, text in
            name.hasPrefix(Name.input) ? SinkCheckpoint(note: text, of: String(name.dropFirst(Name.input.count))) : nil
        }.sorted { ($0.version.sequence, $0.input) < ($1.version.sequence, $1.input) }
    }

    /// The contents of a target with what its notes say.
    fileprivate static func read(_ contents: SinkContents) -> SinkContents {
        guard let notes = contents.notes else { return contents }
        var contents = contents
        contents.checkpoints = checkpoints(in: notes)
        contents.memory = notes[Name.memory]
        contents.pendingFiles = Set(notes.keys.filter { $0.hasPrefix(Name.lines) }.map { String($0.dropFirst(Name.lines.count)) })
        return contents
    }
}

extension SinkConnection {
    /// What the target holds, with what its notes say.
    package func look() throws -> SinkContents { NoteLedger.read(try contents()) }
}

extension SinkTransaction {
    /// What the target holds, with what its notes say.
    package func look() throws -> SinkContents { NoteLedger.read(try contents()) }
}

extension SinkCheckpoint {
    /// The checkpoint as one line of JSON.
    fileprivate var note: String {
        get throws {
            let value: JSONValue = [
                "sequence": .number(JSONNumber(version.sequence)), "offset": .number(JSONNumber(version.offset)),
                "run": .string(version.run), "is_held": .bool(isHeld),
                "checkpoint": checkpoint.map { .string($0.text) } ?? .null,
            ]
            return try value.jsonString()
        }
    }

    /// - Returns: nil if this version does not understand the text.
    fileprivate init?(note: String, of input: String) {
        guard let value = try? JSONValue(json: note), let sequence = value["sequence"]?.int else { return nil }
        self.init(
            input: input,
            version: CheckpointVersion(
                table: "", sequence: sequence, offset: value["offset"]?.int ?? 0, run: value["run"]?.string ?? ""),
            checkpoint: value["checkpoint"]?.string.flatMap { StoredCheckpoint(text: $0) },
            isHeld: value["is_held"]?.bool ?? false)
    }
}
