// What the catalogue of SluiceArrow shows, compiled and run.

import Foundation
import SluiceArrow
import SluiceCore
import SluiceFeed
import Testing

@Suite struct ArrowArticleTests {
    @Test func feedIsWrittenAsAStreamOfBatches() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("events.ndjson").path
        let record = #"{"id":7,"actor":{"login":"ada"},"day":"2026-01-02","price":"12.50"}"#
        try Data(record.utf8).write(to: URL(fileURLWithPath: path))
        let target = folder.appendingPathComponent("events.arrow")
        try Data().write(to: target)
        let file = try FileHandle(forWritingTo: target)
        let output = file.fileDescriptor

        let feed = try JSONFeed<JSONValue>(path: path)
        let columns = [
            JSONColumn("id", .int32), JSONColumn("actor.login", .text),
            JSONColumn("day", .date),
            JSONColumn("price", .decimal(precision: 12, scale: 2)),
        ]
        let batches = try feed.columnBatches(of: 65_536, columns: columns)
        let sink = FileDescriptorSink(descriptor: output)
        var writer = ArrowStreamWriter(columns: columns, to: sink)
        while let batch = try batches.next() { try writer.write(batch) }
        try writer.finish()

        try file.close()
        let stream = try Data(contentsOf: target)
        // The schema's message, and the end of the stream.
        #expect(stream.starts(with: [0xFF, 0xFF, 0xFF, 0xFF]))
        #expect(stream.suffix(8) == Data([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]))
        #expect(stream.range(of: Data("actor.login".utf8)) != nil)
        #expect(stream.range(of: Data("ada".utf8)) != nil)
    }
}
