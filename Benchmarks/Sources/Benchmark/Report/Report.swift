// Results go in, files come out.

internal import Foundation

/// All that was measured.
struct Report {
    let arguments: Arguments
    let machine: Machine
    var skipped: [String] = []
    var peers: [String] = []
    var subjects: [SubjectResult] = []
    var longFeed: LongFeedResult?
    var growth: [GrowthTable] = []

    init(arguments: Arguments, machine: Machine) {
        self.arguments = arguments
        self.machine = machine
    }

    /// Prints the tables, and writes the files that were asked for.
    func publish() throws {
        let tables = MarkdownTables(self)
        print(tables.text)
        let targets = TargetTable(self)
        print(targets.text)
        if let json = arguments.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            let data = try encoder.encode(
                Samples(machine: machine, command: arguments.command, subjects: subjects, growth: growth))
            if json == "-" {
                print(String(decoding: data, as: UTF8.self))
            } else {
                try data.write(to: URL(fileURLWithPath: json))
            }
        }
        guard let results = arguments.results else { return }
        let folder = URL(fileURLWithPath: results)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        try write(tables.text, "RESULTS.md")
        try write(targets.text, "TARGETS.md")
        try write(Chart(self).text, "throughput.svg")
        Terminal.tell("written: \(folder.path)/RESULTS.md, TARGETS.md, throughput.svg")
    }

    private struct Samples: Encodable {
        let machine: Machine
        let command: String
        let subjects: [SubjectResult]
        let growth: [GrowthTable]
    }
}
