// The lanes of the library that is measured. A reader is made once and used for all documents, as its documentation advises.

internal import Foundation
internal import Sluice

/// A reader that stays where it is: a stored property of a class would be checked for exclusive access at each use.
@safe
final class ReaderBox {
    let reader: UnsafeMutablePointer<JSONReader>

    init(_ options: JSONReader.Options = .init()) {
        unsafe reader = .allocate(capacity: 1)
        unsafe reader.initialize(to: JSONReader(options: options))
    }

    deinit {
        unsafe reader.deinitialize(count: 1)
        unsafe reader.deallocate()
    }
}

enum SluiceLanes {
    /// Reads the whole text into a value.
    static func reading<Value: JSONBindable & Equatable>(
        _ document: Document, _ type: Value.Type, _ kind: LaneKind = .sluice, expected: @escaping () throws -> Value?
    ) -> Lane {
        let box = ReaderBox(options(of: kind))
        return .inProcess(kind) { count in
            switch kind {
            case .sluiceBytes:
                for _ in 0..<count { _ = try unsafe box.reader.pointee.read(type, from: document.array) }
            case .sluiceOnce:
                for _ in 0..<count { _ = try type.init(json: document.array) }
            case .sluiceChunks, .sluiceYajlChunks:
                for _ in 0..<count {
                    var source = BytesSource(document.array, chunkSize: 64 << 10)
                    _ = try unsafe box.reader.pointee.read(type, from: &source)
                }
            default:
                for _ in 0..<count { _ = try unsafe box.reader.pointee.read(type, from: document.bytes) }
            }
        } check: {
            let value = try unsafe box.reader.pointee.read(type, from: document.bytes)
            guard let other = try expected() else { return nil }
            return value == other ? nil : "another value than the other lanes'"
        }
    }

    private static func options(of kind: LaneKind) -> JSONReader.Options {
        var options = JSONReader.Options(validation: kind == .sluiceFull ? .full : .bound)
        if kind == .sluiceYajl || kind == .sluiceYajlChunks { options.parser = .yajl }
        if kind == .sluiceYajlChunks { options.gathersUpTo = 0 }
        return options
    }

    /// The other ways of reading: other inputs, and yajl for every byte.
    static func otherWays<Value: JSONBindable & Equatable>(
        _ document: Document, _ type: Value.Type, expected: @escaping () throws -> Value?
    ) -> [Lane] {
        [LaneKind.sluiceBytes, .sluiceOnce, .sluiceChunks, .sluiceYajl, .sluiceYajlChunks].map {
            reading(document, type, $0, expected: expected)
        }
    }

    /// Reads the whole text into a model whose strings are slices of it. Written again, that must be the text that the other model gives.
    static func readingSubstrings<Sliced: JSONBindable, Value: JSONBindable>(
        _ document: Document, _ type: Sliced.Type, sameAs other: Value.Type
    ) -> Lane {
        let box = ReaderBox()
        return .inProcess(.sluiceSubstrings) { count in
            for _ in 0..<count { _ = try unsafe box.reader.pointee.read(type, from: document.bytes) }
        } check: {
            let text = try unsafe box.reader.pointee.read(type, from: document.bytes).jsonBytes()
            return try other.init(json: document.array).jsonBytes() == text ? nil : "another value than with strings"
        }
    }

    /// Reads records whose strings are slices of the feed's text.
    static func feedOfSubstrings<Sliced: JSONBindable, Record: JSONBindable>(
        _ document: Document, _ type: Sliced.Type, sameAs other: Record.Type
    ) -> Lane {
        .inProcess(.sluiceSubstringFeed) { count in
            for _ in 0..<count {
                let feed = JSONFeed<Sliced>(bytes: document.array)
                while let record = try feed.next() { _ = consume record }
            }
        } check: {
            let (feed, others) = (JSONFeed<Sliced>(bytes: document.array), JSONFeed<Record>(bytes: document.array))
            while let record = try others.next() {
                if try feed.next()?.jsonBytes() != record.jsonBytes() { return "another record than with strings" }
            }
            return try feed.next() == nil ? nil : "more records than with strings"
        }
    }

    /// Reads the text into a tree, which must read back as itself.
    static func tree(_ document: Document) -> Lane {
        let box = ReaderBox()
        return .inProcess(.sluiceValue) { count in
            for _ in 0..<count { _ = try unsafe box.reader.pointee.read(JSONValue.self, from: document.bytes) }
        } check: {
            let tree = try unsafe box.reader.pointee.read(JSONValue.self, from: document.bytes)
            return try JSONValue(json: try tree.jsonBytes()) == tree ? nil : "what it writes reads back as another tree"
        }
    }

    /// Writes the tree of a text.
    static func writingTree(_ document: Document) throws -> Lane {
        let tree = try JSONValue(json: document.array)
        return .inProcess(.sluiceValue) { count in
            for _ in 0..<count { _ = try tree.jsonBytes() }
        } check: {
            try JSONValue(json: try tree.jsonBytes()) == tree ? nil : "what it writes reads back as another tree"
        }
    }

    /// Reads records out of bytes in memory. With `SLUICE_WORKERS=2` in the environment, two workers read them: for callgrind, as the
    /// lanes' clock counts one thread alone.
    static func feed<Record: JSONBindable & Equatable & Sendable>(
        _ document: Document, _ type: Record.Type, _ kind: LaneKind = .sluiceFeed, hasHeader: Bool = false,
        expected: @escaping () throws -> [Record]
    ) -> Lane {
        let options = JSONFeed<Record>.Options(hasHeader: hasHeader)
        let workers = ProcessInfo.processInfo.environment["SLUICE_WORKERS"].flatMap { Int($0) } ?? 0
        func feed() throws -> JSONFeed<Record> {
            let feed =
                kind == .sluiceFeedFile
                ? try JSONFeed<Record>(path: document.path, options: options)
                : JSONFeed<Record>(bytes: document.array, options: options)
            return workers > 0 ? try feed.parallel(workers: workers) : feed
        }
        return .inProcess(kind) { count in
            for _ in 0..<count {
                let feed = try feed()
                while let record = try feed.next() { _ = consume record }
            }
        } check: {
            let feed = try feed()
            for other in try expected() where try feed.next() != other { return "another record than the other lanes'" }
            return try feed.next() == nil ? nil : "more records than the other lanes"
        }
    }

    /// Writes a value.
    static func writing<Value: JSONBindable & Equatable>(_ value: Value) -> Lane {
        .inProcess(.sluice) { count in
            for _ in 0..<count { _ = try value.jsonBytes() }
        } check: {
            try Value(json: try value.jsonBytes()) == value ? nil : "what it writes reads back as another value"
        }
    }

    /// Writes a value into the memory of the text before.
    static func writingKept<Value: JSONBindable & Equatable>(_ value: Value) -> Lane {
        var bytes: [UInt8] = []
        func write() throws {
            bytes.removeAll(keepingCapacity: true)
            try value.write(into: &bytes)
        }
        return .inProcess(.sluiceKept) { count in
            for _ in 0..<count { try write() }
        } check: {
            try write()
            return try Value(json: bytes) == value ? nil : "what it writes reads back as another value"
        }
    }

    /// Writes records to a file, from its start each time.
    static func streaming<Record: JSONBindable & Equatable>(_ records: [Record], to path: String) throws -> Lane {
        guard let file = FileHandle(forUpdatingAtPath: path) else { throw BenchmarkError("cannot write \(path)") }
        func write() throws {
            try file.seek(toOffset: 0)
            let feed = try JSONFeedWriter(descriptor: file.fileDescriptor, format: .array)
            try feed.write(contentsOf: records)
            try feed.finish()
        }
        return .inProcess(.sluice) { count in
            for _ in 0..<count { try write() }
        } check: {
            try file.truncate(atOffset: 0)
            try write()
            let feed = try JSONFeed<Record>(path: path)
            for record in records where try feed.next() != record { return "what it writes reads back as another record" }
            return try feed.next() == nil ? nil : "what it writes reads back as more records"
        }
    }
}
