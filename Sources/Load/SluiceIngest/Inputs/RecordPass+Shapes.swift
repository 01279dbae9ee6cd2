// Collects the shapes of the records of an input, in one thread or in several.

package import SluiceCore
package import SluiceFeed
internal import Synchronization

/// The shapes that one thread of a pass has found.
// Safe: the shapes are used under the lock alone.
private final class ShapePart: @unchecked Sendable {
    private let shapes: RecordShapes
    private let lock = Mutex(())

    init(like other: RecordShapes.Looks) {
        shapes = RecordShapes(looksIntoArrays: other.intoArrays, looksAtValues: other.atValues)
    }

    /// Adds a record. After a signal, a thread may do so while the others' shapes are merged.
    func observe(_ tape: JSONTape, at offset: Int) { lock.withLock { _ in shapes.observe(tape, at: offset) } }

    /// Adds the shapes of some parts to other shapes.
    static func merge(_ parts: [ShapePart], into shapes: RecordShapes) {
        guard let part = parts.first else { return shapes.merge([]) }
        part.lock.withLock { _ in merge(parts.dropFirst(), [part.shapes], into: shapes) }
    }

    private static func merge(_ parts: ArraySlice<ShapePart>, _ locked: [RecordShapes], into shapes: RecordShapes) {
        guard let part = parts.first else { return shapes.merge(locked) }
        part.lock.withLock { _ in merge(parts.dropFirst(), locked + [part.shapes], into: shapes) }
    }
}

/// Adds records to the shapes of one thread.
private struct ShapeWorker: ~Copyable, RecordWorker {
    private let part: ShapePart
    private var records: RecordTape

    init(_ part: ShapePart, hidesText: Bool) {
        self.part = part
        records = RecordTape(hidesText: hidesText)
    }

    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
        do throws(JSONError) {
            try unsafe records.scan(record)
        } catch {
            return error
        }
        part.observe(records.tape, at: offset)
        return nil
    }

    mutating func takeOutput() {}
}

extension RecordPass {
    /// Adds the records of an input to shapes.
    ///
    /// - Parameter note: Called with the count of some records, and the errors of those between them that cannot be read.
    /// - Returns: What the documents have at the path of the records.
    package func observe(
        _ input: IngestInput, limit: Int? = nil, into shapes: RecordShapes,
        note: (Int, [JSONError]) throws(JSONError) -> Void
    ) throws(JSONError) -> PathFindings {
        let parts = Mutex<[ShapePart]>([])
        let (looks, hidesText) = (shapes.looks, feed.hidesText)
        defer { ShapePart.merge(parts.withLock { $0 }, into: shapes) }
        let results = try self.parts(of: input, limit: limit) {
            let part = ShapePart(like: looks)
            parts.withLock { $0.append(part) }
            return ShapeWorker(part, hidesText: hidesText)
        }
        while let part = results.next() {
            try part.check()
            try note(part.count, part.problems.map(\.error))
        }
        return results.pathFindings
    }
}
