// The command line.

internal import Foundation

/// What was asked for.
struct Arguments {
    static let usage = """
        USAGE: benchmark [--quick | --full] [--filter TEXT] [--rounds N] [--size MB] [--only PARTS] [--json FILE]
                         [--results FOLDER | --no-results]
               benchmark --once LANE DATA [--iterations N]
               benchmark --list

          --quick            a look of one or two minutes: fewer and shorter runs, 2 MB of feed
          --full             adds the 400 MB feed of GitHub events and the 1 GB step of growth
          --filter TEXT      subjects whose name contains TEXT, as in "twitter" or "writing"
          --rounds N         runs of each lane (15; quick 3)
          --size MB          the feeds that are read from memory (4; quick 2)
          --only PARTS       of lanes,memory,growth,feed: what to run, separated by commas
          --json FILE        all samples as JSON; - is standard output
          --results FOLDER   where the tables and the chart go (Benchmarks/results)
          --no-results       tables on standard output only
          --once LANE DATA   runs one lane N times and prints nothing else: for callgrind. DATA is a name of --list
          --list             names of lanes and data
        """

    enum Mode { case quick, usual, full }
    enum Part: String, CaseIterable { case lanes, memory, growth, feed }

    var mode = Mode.usual
    var filter = ""
    var rounds: Int?
    var size: Int?
    var parts = Set(Part.allCases)
    var json: String?
    var results: String? = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../results").standardizedFileURL.path
    var once: (lane: String, data: String)?
    var iterations = 1
    var isMemoryProbe = false
    var feedProbe: (isGitHub: Bool, path: String)?
    var folder: String?
    var isList = false
    /// As it was typed.
    let command: String

    init(_ arguments: [String]) throws {
        command = (["benchmark"] + arguments).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        var rest = arguments[...]
        func value(_ name: String) throws -> String {
            guard let value = rest.popFirst() else { throw BenchmarkError("\(name) needs a value\n\n\(Arguments.usage)") }
            return value
        }
        func number(_ name: String) throws -> Int {
            guard let number = Int(try value(name)), number > 0 else { throw BenchmarkError("\(name) needs a number above 0") }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": mode = .quick
            case "--full": mode = .full
            case "--filter": filter = try value(argument)
            case "--rounds": rounds = try number(argument)
            case "--size": size = try number(argument)
            case "--only":
                parts = Set(
                    try value(argument).split(separator: ",").map { word in
                        guard let part = Part(rawValue: String(word)) else { throw BenchmarkError("no part \(word)") }
                        return part
                    })
            case "--json": json = try value(argument)
            case "--results": results = try value(argument)
            case "--no-results": results = nil
            case "--once": once = (try value(argument), try value(argument))
            case "--iterations": iterations = try number(argument)
            case "--memory-probe": isMemoryProbe = true
            case "--feed-probe": feedProbe = (try value(argument) == "github", try value(argument))
            case "--folder": folder = try value(argument)
            case "--list": isList = true
            case "--help", "-h": throw BenchmarkError(Arguments.usage)
            default: throw BenchmarkError("unknown option \(argument)\n\n\(Arguments.usage)")
            }
        }
    }

    /// Runs of each lane.
    var chosenRounds: Int {
        rounds ?? (mode == .quick ? 3 : 15)
    }

    /// Megabytes of the feeds in memory.
    var chosenSize: Int { size ?? (mode == .quick ? 2 : 4) }

    /// How long a lane runs at a time.
    var nanoseconds: Double { mode == .quick ? 15e6 : 30e6 }

    /// How often a run among noise is repeated.
    var attempts: Int { mode == .quick ? 5 : 10 }
}
