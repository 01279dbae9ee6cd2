// Where the containers that are open began, and of which kind they are: for the error of input that ends too early, and for what
// may stand in them. Kept only where text is read by the parser alone, which words all errors of syntax.

/// The containers around the place that is being read.
struct OpenContainers {
    private struct Opening {
        let isObject: Bool
        /// The offset of the bracket in the document.
        let offset: Int
        /// The bracket's place; nil while it lies in the chunk at hand.
        var position: SourcePosition?
    }

    private var openings: [Opening] = []
    /// Openings whose place is known: those of earlier chunks.
    private var placedCount = 0

    mutating func open(isObject: Bool, at offset: Int) {
        openings.append(Opening(isObject: isObject, offset: offset))
    }

    mutating func close() {
        _ = openings.popLast()
        placedCount = min(placedCount, openings.count)
    }

    mutating func removeAll() {
        openings.removeAll(keepingCapacity: true)
        placedCount = 0
    }

    /// The innermost container.
    var kind: SyntaxDiagnosis.Container {
        guard let last = openings.last else { return .none }
        return last.isObject ? .object : .array
    }

    /// Where the innermost container began, which may be in the chunk at hand.
    func start(in chunk: Chunk) -> SourcePosition? {
        guard let last = openings.last else { return nil }
        return unsafe last.position ?? OpenContainers.place(of: last.offset, in: chunk.bytes, from: chunk.position)
    }

    /// Finds the places of what has been opened in a chunk and is still open, before the chunk is gone.
    mutating func endChunk(_ chunk: Chunk) {
        var last = chunk.position
        var rest = unsafe chunk.bytes
        while placedCount < openings.count {
            let offset = openings[placedCount].offset
            let position = unsafe OpenContainers.place(of: offset, in: rest, from: last)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[min(max(offset - last.offset, 0), rest.count)...])
            last = position
            openings[placedCount].position = position
            placedCount += 1
        }
    }

    private static func place(
        of offset: Int, in chunk: UnsafeRawBufferPointer, from start: SourcePosition
    ) -> SourcePosition {
        let count = min(max(offset - start.offset, 0), chunk.count)
        return unsafe start.advanced(over: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
}
