// The positions and kinds of the open containers. An error about input that ends too early needs the position, and a syntax error needs
// the kind. They are only noted while yajl reads the text, because the scanner reports no syntax errors.

/// The containers around the position that is being read.
struct OpenContainers {
    /// For each open container, the offset of its opening bracket, doubled, plus 1 for an object. This costs little for each
    /// container.
    private var openings: [Int] = []
    /// The positions of the opening brackets that lie in earlier chunks.
    private var placed: [SourcePosition] = []

    @inline(__always)
    mutating func open(isObject: Bool, at offset: Int) { openings.append(offset &<< 1 | (isObject ? 1 : 0)) }

    @inline(__always)
    mutating func close() {
        if !openings.isEmpty { openings.removeLast() }
        if placed.count > openings.count { placed.removeLast() }
    }

    mutating func removeAll() {
        openings.removeAll(keepingCapacity: true)
        placed.removeAll(keepingCapacity: true)
    }

    /// The innermost container.
    var kind: SyntaxDiagnosis.Container {
        guard let last = openings.last else { return .none }
        return last & 1 == 1 ? .object : .array
    }

    /// Where the innermost container began, in the current chunk or before it.
    func start(in chunk: Chunk) -> SourcePosition? {
        guard let last = openings.last else { return nil }
        if placed.count == openings.count { return placed.last }
        return unsafe OpenContainers.position(of: last >> 1, in: chunk.bytes, from: chunk.position)
    }

    /// Finds the positions of the containers that opened in a chunk and are still open, before the chunk is gone.
    mutating func endChunk(_ chunk: Chunk) {
        var last = chunk.position
        var rest = unsafe chunk.bytes
        while placed.count < openings.count {
            let offset = openings[placed.count] >> 1
            let position = unsafe OpenContainers.position(of: offset, in: rest, from: last)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[min(max(offset - last.offset, 0), rest.count)...])
            last = position
            placed.append(position)
        }
    }

    private static func position(
        of offset: Int, in chunk: UnsafeRawBufferPointer, from start: SourcePosition
    ) -> SourcePosition {
        let count = min(max(offset - start.offset, 0), chunk.count)
        return unsafe start.advanced(over: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
}
