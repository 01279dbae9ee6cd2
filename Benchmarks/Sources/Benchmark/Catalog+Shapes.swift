// Shapes that no published document has alone: each is made here, and read in all of Sluice's ways.

internal import Foundation
internal import Sluice

extension Catalog {
    /// Subjects whose text is made by code.
    func addShapes(_ entries: inout [SubjectEntry]) {
        addShape(&entries, "catalogue, pretty-printed", in: .twoSpaces, isWritten: true, Catalogue.sample)
        addShape(
            &entries, "[String: Int]", Dictionary(uniqueKeysWithValues: (0..<20_000).map { ("key number \($0)", $0 * 37) }))
        addShape(
            &entries, "[String: model]",
            Dictionary(uniqueKeysWithValues: (0..<5000).map { ("product-\($0)", Catalogue.product($0)) }))
        addShape(&entries, "[String] of 16 bytes", (0..<20_000).map { String("0123456789abcdef\($0)".suffix(16)) })
        addShape(&entries, "models, 100 deep", (0..<100).map { Chain(depth: 100, value: $0) })
        addNestedArrays(&entries)
        addRows(&entries)
        addSmall(&entries, "a tick of 14 bytes", Tick(id: 12_345_678))
        addSmall(&entries, "a measurement of 20 bytes", SensorReading(id: 1234, t: 21.5))
        addSmall(&entries, "a book of 60 bytes", Book(title: "The Sea", author: "Banville", pages: 264, isLent: false))
        addSmall(
            &entries, "a log entry of 120 bytes",
            LogEntry(
                time: "2026-11-23T21:27:02Z", level: "info", host: "web-3", message: "request was answered", status: 200,
                size: 51_200))
    }

    /// Arrays in arrays, as a tree.
    private func addNestedArrays(_ entries: inout [SubjectEntry]) {
        let name = "arrays, 100 deep"
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                let one = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
                let text = "[" + Array(repeating: one, count: 100).joined(separator: ",") + "]"
                let document = Document(name, Array(text.utf8), path: "")
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [SluiceLanes.tree(document), FoundationLanes.tree(document)])
            })
    }

    /// Rows under a header, as models.
    private func addRows(_ entries: inout [SubjectEntry]) {
        let name = "lines: rows under a header"
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                let records = (0..<10_000).map {
                    LogEntry(
                        time: "2026-11-23T21:27:02Z", level: "info", host: "web-3", message: "request \($0) was answered",
                        status: 200, size: 51_200)
                }
                let rows = records.map {
                    "[\"\($0.time)\",\"\($0.level)\",\"\($0.host)\",\"\($0.message)\",\($0.status),\($0.size)]\n"
                }
                let text = "[\"time\",\"level\",\"host\",\"message\",\"status\",\"size\"]\n" + rows.joined()
                let document = Document(name, Array(text.utf8), path: "")
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [SluiceLanes.feed(document, LogEntry.self, hasHeader: true) { records }])
            })
    }

    /// A small record, as a document and as the lines of a feed.
    private func addSmall<Record: JSONModel & Codable & Equatable & Sendable>(
        _ entries: inout [SubjectEntry], _ name: String, _ record: Record
    ) {
        addShape(&entries, name, isWritten: true, record)
        let lines = "lines: \(name)"
        entries.append(
            SubjectEntry(name: lines, direction: .reading) {
                let records = Array(repeating: record, count: 10_000)
                let text = try records.flatMap { try $0.jsonBytes() + [UInt8(ascii: "\n")] }
                let document = try data.document(named: lines, text)
                return Subject(
                    lines, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [
                        SluiceLanes.feed(document, Record.self) { records },
                        FoundationLanes.readingLines(document, Record.self, JSONDecoder()),
                    ] + peers.lanes(lines, .reading, document, .lines(Record.self) { records }))
            })
    }

    /// A value in a style of text, read in all ways, and written.
    func addShape<Value: JSONBindable & Codable & Equatable>(
        _ entries: inout [SubjectEntry], _ name: String, in layout: TextLayout = .compact, isWritten: Bool = false,
        _ value: @escaping @autoclosure () -> Value
    ) {
        entries.append(
            SubjectEntry(name: name, direction: .reading) {
                let value = value()
                let document = try data.document(named: name, layout.applied(to: try value.jsonBytes()))
                return Subject(
                    name, .reading, size: document.count, baseline: BareReader.lane(document),
                    lanes: [
                        SluiceLanes.reading(document, Value.self) { value }, SluiceLanes.tree(document),
                        FoundationLanes.reading(document, Value.self, JSONDecoder()),
                    ] + SluiceLanes.otherWays(document, Value.self) { value }
                        + peers.lanes(name, .reading, document, .value(Value.self) { value }))
            })
        guard isWritten else { return }
        entries.append(
            SubjectEntry(name: name, direction: .writing) { try writing(name, value(), nil, .iso8601) })
    }
}
