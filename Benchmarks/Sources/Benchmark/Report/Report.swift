// Results go in, files come out.

internal import Foundation

/// All that was measured.
struct Report {
    let arguments: Arguments
    let machine: Machine
    var skipped: [String] = []
    var peers: [String] = []
    var subjects: [SubjectResult] = []
    /// One long feed, read in different ways.
    var longFeeds: [LongFeedResult] = []
    var growth: [GrowthTable] = []

    init(arguments: Arguments, machine: Machine) {
        self.arguments = arguments
        self.machine = machine
    }

    /// Prints the tables, and the samples where they go to standard output.
    func show() throws {
        print(MarkdownTables(self).text)
        print(TargetTable(self).text)
        if arguments.json == "-" { print(String(decoding: try samples, as: UTF8.self)) }
        if let results = arguments.results {
            Terminal.tell("written: \(results)/RESULTS.md, TARGETS.md, throughput.svg")
        }
    }

    /// Writes the files that were asked for, with what has been measured so far.
    func write() throws {
        if let json = arguments.json, json != "-" { try samples.write(to: URL(fileURLWithPath: json)) }
        guard let results = arguments.results else { return }
        let folder = URL(fileURLWithPath: results)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(MarkdownTables(self).text, "RESULTS.md")
        try write(TargetTable(self).text, "TARGETS.md")
        try write(Chart(self).text, "throughput.svg")
    }

    private var samples: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            return try encoder.encode(
                Samples(machine: machine, command: arguments.command, subjects: subjects, growth: growth))
        }
    }

    private struct Samples: Encodable {
        let machine: Machine
        let command: String
        let subjects: [SubjectResult]
        let growth: [GrowthTable]
    }
}
