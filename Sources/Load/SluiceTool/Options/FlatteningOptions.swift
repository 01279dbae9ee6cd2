// How far objects become columns, and how records without their own keys are read: options of `ingest`, `convert` and `infer`.

#if CommandLine
internal import ArgumentParser
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// Options about the columns that are inferred.
struct FlatteningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many levels of keys become columns, from 1 to 8; what is deeper becomes JSON.", valueName: "n"))
    var depth: Int?

    @Flag(help: "Objects in records become JSON: the same as --depth 1.")
    var noFlatten = false

    @Option(
        name: .customLong("json"),
        help: ArgumentHelp("A value that stays one column of JSON. May be repeated.", valueName: "path"))
    var whole: [String] = []

    @Option(
        help: ArgumentHelp(
            "A column with the key that a record stands under, where --at has a *, such as 'events.*'.", valueName: "column"))
    var keyColumn: String?

    @Option(
        help: ArgumentHelp(
            "A column for records that are no objects. (default: value, with --key-column)", valueName: "column"))
    var valueColumn: String?

    func validate() throws {
        try require((1...Flattening.maximumDepth).contains(depth ?? 1), "--depth is from 1 to 8.")
        try require(depth == nil || !noFlatten, "--depth and --no-flatten exclude each other.")
        try require(keyColumn != "" && valueColumn != "", "A column needs a name.")
        try require(keyColumn != valueColumn || keyColumn == nil, "--key-column and --value-column need two names.")
        do throws(IngestError) { _ = try flattening() } catch { throw ValidationError("--json: \(error.commandLine)") }
    }

    func flattening(mapThreshold: Int = 200) throws(IngestError) -> Flattening {
        var paths: [[String]] = []
        for path in whole { paths.append(try ColumnOption.keyPath(path).components) }
        return Flattening(
            depth: noFlatten ? 1 : depth ?? Flattening.maximumDepth, mapThreshold: mapThreshold, whole: paths)
    }

    /// The first option about flattening that is given, or nil.
    var given: String? { depth != nil ? "--depth" : noFlatten ? "--no-flatten" : whole.isEmpty ? nil : "--json" }

    /// A feed with its records as objects.
    func feed(_ options: FeedOptions) throws -> FeedReading {
        var feed = options.feed
        guard keyColumn != nil || valueColumn != nil else { return feed }
        try require(!options.header, "--header and --key-column or --value-column exclude each other.")
        try require(
            keyColumn == nil || feed.path?.hasWildcard == true,
            "--key-column needs an --at with a *, such as --at '*' or --at 'events.*'.")
        feed.wrapping = RecordWrapping(keyColumn: keyColumn, valueColumn: valueColumn ?? "value")
        return feed
    }
}
#endif
