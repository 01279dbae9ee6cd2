// How an input holds its records: the same options for every command that reads feeds and writes no database.

#if CommandLine
internal import ArgumentParser
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// Options about the inputs.
struct FeedOptions: ParsableArguments {
    @Option(help: "How records stand one behind the other.")
    var format: IngestCommand.Format = .auto

    @Option(
        help: ArgumentHelp("Where records stand in the documents, such as data.items.", valueName: "path"),
        transform: { try JSONRecordPath($0) })
    var at: JSONRecordPath?

    @Option(help: "How the inputs are compressed; auto finds out.")
    var compression: Compression = .auto

    /// The kinds of compression by their names in the command line.
    enum Compression: String, CaseIterable, ExpressibleByArgument {
        case auto, none, gzip, zstd
    }
}

/// How the feed of an input is read.
struct FeedReading: Sendable {
    var format = JSONFeedFormat.automatic
    /// Where records stand in the documents; nil for the documents themselves.
    var path: JSONRecordPath?
    var compression = JSONCompression.automatic

    func options<Record>(of type: Record.Type, reading: JSONReader.Options = .init()) -> JSONFeed<Record>.Options {
        JSONFeed<Record>.Options(
            format: format, at: path, compression: compression, keptReasons: 0, reading: reading)
    }
}

extension FeedOptions {
    var feed: FeedReading {
        FeedReading(
            format: format.layout, path: at, compression: JSONCompression(rawValue: compression.rawValue) ?? .automatic)
    }
}
#endif
