// What happens to the speed when the input grows: in length, in properties, in depth, in the share of keys that are bound.

internal import Foundation
internal import Sluice

/// The measurements of growth.
struct Growth {
    private let arguments: Arguments
    private let data: GeneratedData

    init(_ arguments: Arguments, _ data: GeneratedData) {
        self.arguments = arguments
        self.data = data
    }

    func run() throws -> [GrowthTable] {
        guard arguments.filter.isEmpty || "growth".contains(arguments.filter) else { return [] }
        return [try length(), try properties(), try share(), try depth()]
    }

    // MARK: Length

    private func length() throws -> GrowthTable {
        var table = GrowthTable(
            title: "Length of the feed", note: "The generated feed from a file, every property bound.",
            columns: ["MB", "MB/s", "× yajl", "memory"])
        let sizes = arguments.mode == .quick ? [1, 10] : arguments.mode == .usual ? [1, 10, 100] : [1, 10, 100, 1000]
        for megabytes in sizes {
            let path = try data.feedFile("growth-\(megabytes).ndjson", bytes: megabytes * 1_000_000)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let result = try LongFeed.read(FeedEvent.self, "feed", path, megabytes, arguments)
            table.rows.append([
                "\(megabytes)", result.speed.short, result.ratio.fixed(2),
                result.memory.map { ($0 / 1_048_576).fixed(1) + " MiB" } ?? "–",
            ])
        }
        return table
    }

    // MARK: Properties

    private func properties() throws -> GrowthTable {
        var table = GrowthTable(
            title: "Properties of a model", note: "Objects with that number of keys, all bound: integers and strings by turns.",
            columns: ["properties", "MB/s", "× yajl", "ns a property", "× Foundation"])
        func add<Model: JSONBindable & Codable & Equatable>(_ type: Model.Type, _ count: Int) throws {
            let document = Growth.objects(keys: count)
            let result = try measure(document, [Model].self, "\(count) properties")
            table.rows.append([
                "\(count)", result.speed.short, result.ratio.fixed(2),
                (Double(document.text.count) * 1e3 / result.speed / Double(document.members)).fixed(1), result.foundation.short,
            ])
        }
        try add(Wide1.self, 1)
        try add(Wide10.self, 10)
        try add(Wide50.self, 50)
        try add(Wide200.self, 200)
        return table
    }

    private func share() throws -> GrowthTable {
        var table = GrowthTable(
            title: "Share of keys bound", note: "Objects of 50 keys, scalars all, of which a share is bound.",
            columns: ["bound", "MB/s", "× yajl", "× Foundation"])
        let document = Growth.objects(keys: 50)
        func add<Model: JSONBindable & Codable & Equatable>(_ type: Model.Type, _ count: Int) throws {
            let result = try measure(document, [Model].self, "\(count) of 50 keys")
            table.rows.append(["\(count)", result.speed.short, result.ratio.fixed(2), result.foundation.short])
        }
        try add(Share1.self, 1)
        try add(Share5.self, 5)
        try add(Share10.self, 10)
        try add(Share25.self, 25)
        try add(Wide50.self, 50)
        return table
    }

    /// An array of objects with keys `p0`, `p1` … 200 KB of them.
    private static func objects(keys: Int) -> (text: [UInt8], members: Int) {
        var text = "["
        var members = 0
        while text.utf8.count < 200_000 {
            text += members == 0 ? "{" : ",{"
            for key in 0..<keys {
                if key > 0 { text += "," }
                text += key % 2 == 0 ? "\"p\(key)\":\(members &* 7919 % 100_000)" : "\"p\(key)\":\"text of member \(members)\""
                members += 1
            }
            text += "}"
        }
        return (Array((text + "]").utf8), members)
    }

    // MARK: Depth

    private func depth() throws -> GrowthTable {
        var table = GrowthTable(
            title: "Depth",
            note: "An array of chains of nested objects, as a recursive model; and of nested arrays, as `JSONValue`.",
            columns: ["depth", "model, MB/s", "model, × yajl", "JSONValue, MB/s", "JSONValue, × yajl"])
        for depth in [1, 10, 100, 500] {
            let chain = (0..<depth).map { "{\"value\":\($0),\"next\":" }.joined() + "null" + String(repeating: "}", count: depth)
            let nest = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            let model = try measure(Growth.repeated(chain), [Chain].self, "depth \(depth)", comparing: false)
            let value = try measure(Growth.repeated(nest), JSONValue.self, "depth \(depth)", comparing: false)
            table.rows.append(["\(depth)", model.speed.short, model.ratio.fixed(2), value.speed.short, value.ratio.fixed(2)])
        }
        return table
    }

    /// An array of copies of a text, 100 KB long.
    private static func repeated(_ text: String) -> (text: [UInt8], members: Int) {
        let copies = max(1, 100_000 / text.utf8.count)
        return (Array(("[" + Array(repeating: text, count: copies).joined(separator: ",") + "]").utf8), copies)
    }

    // MARK: Measuring

    private struct Result {
        var speed: Double
        var ratio: Double
        var foundation = Double.nan
    }

    private func measure<Model: JSONBindable & Equatable>(
        _ input: (text: [UInt8], members: Int), _ type: Model.Type, _ name: String, comparing: Bool = true
    ) throws -> Result {
        let document = Document(name, input.text, path: "")
        var lanes: [Lane] = []
        if comparing, let decodable = type as? any Decodable.Type {
            lanes.append(foundation(document, decodable))
        }
        lanes.append(
            SluiceLanes.reading(document, type) {
                guard comparing, let decodable = type as? any Decodable.Type else { return nil }
                return try JSONDecoder().decode(decodable, from: document.data) as? Model
            })
        let subject = Subject(name, .reading, size: document.count, baseline: BareReader.lane(document), lanes: lanes)
        let interleaver = try Interleaver(subject, nanoseconds: arguments.nanoseconds / 2, attempts: arguments.attempts)
        for _ in 0..<min(7, arguments.chosenRounds) { try interleaver.runRound() }
        let ours = LaneResult(.sluice, interleaver.samples[.sluice] ?? [])
        var result = Result(speed: ours.speed, ratio: ours.ratio)
        if let theirs = interleaver.samples[.foundation] {
            result.foundation = ours.ratio / LaneResult(.foundation, theirs).ratio
        }
        if let problem = try subject.lane(.sluice)?.check() { throw BenchmarkError("\(name): \(problem)") }
        return result
    }

    private func foundation<Model: Decodable>(_ document: Document, _ type: Model.Type) -> Lane {
        FoundationLanes.reading(document, type, JSONDecoder())
    }
}

/// A table of one kind of growth.
struct GrowthTable: Codable {
    let title: String
    let note: String
    let columns: [String]
    var rows: [[String]] = []

    var markdown: String {
        "\n## Growth: \(title)\n\n\(note)\n\n"
            + "| " + columns.joined(separator: " | ") + " |\n|" + String(repeating: "---:|", count: columns.count) + "\n"
            + rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
