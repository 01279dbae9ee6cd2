// A tool of twenty lines: who was most active in a feed, of any length and however it is compressed.

import ArgumentParser
import Events
import Sluice

@main
struct TopActors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top-actors", abstract: "Counts the events of each actor in a feed.")

    @Argument(help: "NDJSON, or one array; '-' reads standard input.")
    var input: String

    @Option(name: .shortAndLong, help: "How many actors are shown.")
    var count = 3

    func run() throws {
        let options = JSONFeed<Event>.Options(invalidRecords: .skip)
        let feed = input == "-" ? JSONFeed<Event>(descriptor: 0, options: options) : try JSONFeed(path: input, options: options)
        var events: [String: Int] = [:]
        while let event = try feed.next() { events[event.actor, default: 0] += 1 }
        for (actor, number) in events.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(count) {
            print(number, actor)
        }
        for rejected in feed.rejectedRecords { print("line \(rejected.line): \(rejected.error.summary)") }
        if feed.rejectedCount > 0 { throw ExitCode(2) }
    }
}
