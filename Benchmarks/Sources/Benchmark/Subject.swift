// A subject is a document and a direction: all its lanes do the same work, so their speeds can be compared.

internal import CBaselines
internal import Sluice

/// Which way the data flows.
enum Direction: String, Codable, CaseIterable {
    case reading, writing
}

/// The same work, done in several ways.
final class Subject {
    let name: String
    let direction: Direction
    /// Bytes of one piece of work, the same for all lanes, whatever text they write.
    let size: Int
    /// Bare yajl, or bare yajl_gen.
    let baseline: Lane
    let lanes: [Lane]

    init(_ name: String, _ direction: Direction, size: Int, baseline: Lane, lanes: [Lane]) {
        self.name = name
        self.direction = direction
        self.size = size
        self.baseline = baseline
        self.lanes = lanes
    }

    func lane(_ kind: LaneKind) -> Lane? { kind == baseline.kind ? baseline : lanes.first { $0.kind == kind } }
}

/// A subject that has not been loaded yet.
struct SubjectEntry {
    let name: String
    let direction: Direction
    /// Nil when the data is absent.
    let make: () throws -> Subject?

    /// For the command line.
    var key: String { "\(name) \(direction.rawValue)" }
}

/// Bare yajl, reading a text.
@safe
final class BareReader {
    private let reader: OpaquePointer
    private let bytes: UnsafeRawBufferPointer

    /// The caller keeps the bytes alive.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe reader = unsafe baseline_reader_make()
        unsafe self.bytes = unsafe bytes
    }

    deinit { unsafe baseline_reader_free(reader) }

    func run(_ count: Int) throws {
        // Safe: a document is never empty.
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        guard unsafe baseline_read(reader, start, bytes.count, count) else { throw BenchmarkError("yajl rejects the text") }
    }

    static func lane(_ document: Document) -> Lane {
        let reader = unsafe BareReader(document.bytes)
        return .inProcess(.yajl, { count in try reader.run(count) }) {
            withExtendedLifetime(document) {}
            let start = unsafe document.bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
            return unsafe baseline_count_events(start, document.count) > 0 ? nil : "yajl rejects the text"
        }
    }
}

/// Bare yajl_gen, replaying a text that has been read beforehand.
@safe
final class BareWriter {
    private let writer: OpaquePointer
    private let text: [UInt8]

    init(_ text: [UInt8]) throws {
        guard let writer = unsafe baseline_writer_make(text, text.count) else { throw BenchmarkError("yajl rejects the text") }
        unsafe self.writer = unsafe writer
        self.text = text
    }

    deinit { unsafe baseline_writer_free(writer) }

    func run(_ count: Int) throws {
        guard unsafe baseline_write(writer, count) else { throw BenchmarkError("yajl_gen refuses an event") }
    }

    /// What the last run wrote.
    var written: [UInt8] {
        var count = 0
        guard let start = unsafe baseline_written(writer, &count) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    static func lane(_ text: [UInt8]) throws -> Lane {
        let writer = try BareWriter(text)
        return .inProcess(.yajlGen, { count in try writer.run(count) }) {
            try writer.run(1)
            // It may escape otherwise than the text that it was given.
            return try JSONValue(json: writer.written) == JSONValue(json: text) ? nil : "yajl_gen wrote another document"
        }
    }
}
