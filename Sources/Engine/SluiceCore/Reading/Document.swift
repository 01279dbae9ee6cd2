// What a reader knows of the document that it reads. It is one value, so that beginning a document and undoing an attempt are one
// assignment each, and a field that is added here is part of both. One thing begins otherwise: `Binder.beginAgain` sets only the fields
// that a flat document changes. RepeatedDocumentTests fail if it misses one.

extension Binder {
    /// A document, as far as it has been read. Memory that outlives it is in ``Frames``, ``CaptureState``, and what ``ReadFindings/emptied()``
    /// keeps.
    @safe
    struct Document {
        // Every event touches these.

        /// The innermost open container.
        var frame: Frame
        /// How many open containers are being skipped.
        var skipDepth = 0
        /// The token of the current event.
        var token: TokenRange
        /// The part of the document that lies in memory now.
        var chunk: Chunk
        /// yajl, while it makes the events; nil while the scanner does.
        var yajl: UnsafeMutablePointer<YajlEvents.Context>?

        // Every container touches these.

        /// How many containers of the text are open.
        var nesting = 0
        /// How many frames lie below the innermost.
        var stackCount = 0

        // These are touched rarely.

        /// How many open frames are virtual: see ``Frame/isVirtual``.
        var virtualCount = 0
        /// How many captured values are being read, one inside the other.
        var captureDepth = 0
        /// How many attempts are under way, one inside the other.
        var attemptDepth = 0
        /// The row to restore after a container that is skipped because it did not fit, or captured to be converted to a scalar.
        var resumedRow: RowHandle?
        /// The offset in the document at which the root value ended; nil while it is open.
        var rootEnd: Int?
        /// Whether the root surely holds nil, so that a model may be built there.
        var isRootEmpty: Bool
        /// Whether the scanner has skipped a container by its brackets: the text inside has not been checked.
        var hasUncheckedText = false
        /// Whether the document has a value that nothing binds: that of an unknown key, or a scalar or array in the middle of a key path.
        var hasUnknownValue = false
        /// Whether null, a scalar or an array is in the middle of a key path, where an object is needed.
        var hasGapOnPath = false
        /// Whether a tree had text that may be damaged: trees are then read in the general way.
        var hasDoubtfulTree = false
        /// Counts lines and columns on from the position that was looked up last.
        var lastAddress = PositionCounter()
        /// How far after the chunk the same bytes lie in the input, if the chunk is a copy for the scanner.
        var textShift: UInt = 0
        var error: JSONError?
        /// Findings besides the value: what was left out, unknown keys, counts of properties.
        var findings: ReadFindings

        /// Whether anything has to be destroyed with the document: all its other fields are plain memory.
        @inline(__always)
        var ownsMemory: Bool { error != nil || findings.ownsMemory }

        @inline(__always)
        init(frame: Frame, chunk: Chunk, findings: ReadFindings = ReadFindings(), isRootEmpty: Bool = false) {
            self.frame = frame
            self.isRootEmpty = isRootEmpty
            self.chunk = chunk
            token = unsafe TokenRange(chunk.start, chunk.start)
            self.findings = findings
        }
    }
}
