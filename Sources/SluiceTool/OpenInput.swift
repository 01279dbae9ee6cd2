// An input is opened, at its start or where an earlier run ended, and gives its records with their places in it.

#if CommandLine
internal import Foundation
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// The layouts of inputs by the names under which checkpoints keep them.
enum IngestLayout {
    static func name(of format: JSONFeedFormat) -> String {
        switch format {
        case .automatic: ""
        case .lines: "lines"
        case .array: "array"
        case .concatenated: "concatenated"
        case .object: "object"
        case .sequence: "sequence"
        }
    }

    static func named(_ name: String) -> JSONFeedFormat? {
        [JSONFeedFormat.lines, .array, .concatenated, .object, .sequence].first { IngestLayout.name(of: $0) == name }
    }
}

/// Bytes of which the first come from memory.
private struct PrefixedSource: ByteSource {
    private var prefix: ArraySlice<UInt8>
    private var source: any ByteSource

    init(_ prefix: some Sequence<UInt8>, _ source: any ByteSource) {
        self.prefix = Array(prefix)[...]
        self.source = source
    }

    var name: String { source.name }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        guard !prefix.isEmpty else { return unsafe try source.readChecked(into: buffer) }
        let piece = prefix.prefix(buffer.count)
        unsafe buffer.copyBytes(from: piece)
        prefix = prefix.dropFirst(piece.count)
        return piece.count
    }
}

/// An input that is open.
final class OpenInput {
    let name: String
    let identity: String?
    let source: ReplayableSource
    /// Bytes of the whole input, where that is known.
    let totalBytes: Int?
    private let input: CommandInput
    private var file: OpenFile? { input.file }
    /// The text of the file; shares its state with the source that is read.
    private let text: DecompressingSource
    private let format: JSONFeedFormat
    private let path: JSONRecordPath?
    /// What the places in the text that is read are counted from.
    private let base: SourcePosition
    private let prefixCount: Int
    /// Records before the place where the input is taken up, which are passed over: their ends are found, and no more.
    private let skippedRecords: Int

    /// - Parameter checkpoint: Where an earlier run ended; the input then begins there.
    /// - Throws: ``JSONError`` of kind `inputOutput`, or ``IngestError`` if the input is not the one that was read.
    init(
        _ input: IngestInput, format: JSONFeedFormat, at path: JSONRecordPath?, compression: JSONCompression = .automatic,
        from checkpoint: Checkpoint? = nil, recordingLimit: Int = 0,
        interruption: Interruption
    ) throws {
        self.path = path
        name = input.name
        identity = input.identity
        var source: any ByteSource
        self.input = try CommandInput(input, interruption: interruption)
        let file = self.input.file
        totalBytes = self.input.size
        // A file never waits, so a signal may be noticed between two records.
        source = totalBytes == nil ? self.input.source : file?.source ?? self.input.source
        let layout = checkpoint.flatMap { IngestLayout.named($0.layout) } ?? format
        let isFlat =
            path?.isEmpty != false && layout != .object && layout != .sequence
            && checkpoint.map { $0.compression == JSONCompression.none } ?? true
        guard let checkpoint, checkpoint.position.offset > 0, let file, isFlat else {
            (self.format, base, prefixCount) = (layout, .start, 0)
            skippedRecords = checkpoint?.records ?? 0
            text = DecompressingSource(source, compression: compression)
            self.source = ReplayableSource(text, recordingLimit: recordingLimit)
            return
        }
        self.format = layout
        skippedRecords = 0
        // An array is read on as one that begins with an element which is passed over.
        let prefix = self.format == .array ? "[0" : ""
        if lseek(file.descriptor, off_t(checkpoint.position.offset), SEEK_SET) < 0 {
            throw JSONError.inputOutput("read", name, errno)
        }
        source = PrefixedSource(prefix.utf8, source)
        text = DecompressingSource(source, compression: .none)
        prefixCount = prefix.utf8.count
        base = SourcePosition(
            offset: checkpoint.position.offset - prefixCount, line: checkpoint.position.line,
            column: checkpoint.position.column - prefixCount)
        self.source = ReplayableSource(text, recordingLimit: 0)
    }

    /// The records of the input. Their places are those in the text that is read: see ``place(_:)``.
    func splitter(maximumRecordSize: Int) throws(JSONError) -> RecordSplitter {
        var splitter = RecordSplitter(source: source, format: format, at: path, maximumRecordSize: maximumRecordSize)
        if prefixCount > 0 { _ = try splitter.next() }
        var skipped = 0
        while skipped < skippedRecords {
            do throws(JSONError) {
                guard try splitter.next() != nil else { break }
            } catch {
                if splitter.isBroken { throw error }
            }
            skipped += 1
        }
        return splitter
    }

    /// A place in the input.
    func place(_ position: SourcePosition) -> SourcePosition { position.shifted(by: base) }

    /// How the input is compressed.
    var compression: JSONCompression { text.compression }

    /// Bytes of the file that have been read, when the text has been read up to a place.
    func bytesRead(at position: SourcePosition) -> Int {
        text.compression == .gzip || text.compression == .zstd ? text.inputOffset : position.offset
    }

    /// What tells whether the input is still the same, later.
    func fingerprint() -> InputFingerprint {
        guard let file, let totalBytes else { return InputFingerprint() }
        return InputFingerprint(descriptor: file.descriptor, size: totalBytes, end: 0)
    }

    /// The same after more was read.
    ///
    /// - Parameter end: The end of what was read, in bytes of the text.
    func moved(_ fingerprint: InputFingerprint, to end: Int) -> InputFingerprint {
        guard let file else { return fingerprint }
        var moved = fingerprint
        moved.move(to: text.compression == .none ? end : nil, file.descriptor)
        return moved
    }
}

extension Checkpoint {
    /// What is left to be read of an input.
    enum Rest: Hashable {
        case all
        case nothing
        case behind(Checkpoint)
    }

    /// What is left of the input that was read up to here.
    ///
    /// - Throws: ``IngestError`` if it is no longer the same input, ``JSONError`` if it cannot be opened.
    func rest(of input: IngestInput) throws -> Rest {
        guard case .file(let path) = input else { return .all }
        let file = try OpenFile(path: path)
        guard let size = file.size else { return .all }
        guard fingerprint.matches(descriptor: file.descriptor, size: size) else {
            throw IngestError.input(
                "\(path) is not the file of which \(records.grouped) records are in the table: its beginning has changed; "
                    + "--restart reads it from its start, as another input")
        }
        return isComplete && size == fingerprint.size ? .nothing : .behind(self)
    }
}
#endif
