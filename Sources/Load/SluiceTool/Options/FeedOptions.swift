// How an input holds its records: the options that all commands that read feeds share.

#if CommandLine
internal import ArgumentParser
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// Options about the inputs.
struct FeedOptions: ParsableArguments {
    @Option(
        help:
            "How the records are laid out: one per line, in one array, one after another, as one object, or as RFC 7464 says."
    )
    var format: Format = .auto

    @Option(
        help: ArgumentHelp(
            "Where the records are in each input, such as data.items, '*.jobs' or /data/items; '' means the input's own values.",
            valueName: "path"),
        transform: { text in
            do throws(JSONError) { return try JSONRecordPath(text) } catch { throw ValidationError(error.summary) }
        })
    var at: JSONRecordPath?

    @Option(
        help: ArgumentHelp(
            "Documents may lack the path of --at: --at-optional. With --at-optional=empty they count as empty, also for --missing.",
            valueName: "yes|empty"))
    var atOptional: AtOptional?

    /// Whether documents may lack the path, under the names on the command line.
    enum AtOptional: String, CaseIterable, ExpressibleByArgument {
        case yes, empty

        /// Gives the option without a value its value: the parser knows only options that have one, and those that have none.
        static func filled(_ arguments: [String]) -> [String] {
            let options = arguments.prefix { $0 != "--" }
            let filled = options.indices.map { index in
                let next = index + 1 < options.endIndex ? options[index + 1] : ""
                return options[index] == "--at-optional" && AtOptional(rawValue: next) == nil
                    ? "--at-optional=yes" : options[index]
            }
            return filled + arguments[options.endIndex...]
        }
    }

    @Option(help: "How the inputs are compressed; auto finds out.")
    var compression: Compression = .auto

    @Flag(help: "Records are arrays of values; the first array holds their names.")
    var header = false

    @Option(
        help: ArgumentHelp(
            "Read the lines of one file that begin in a range of its bytes, such as 0:1000000, or 1000000: for the rest. Ranges that together cover a file read each line once.",
            valueName: "start:end"),
        transform: { try FeedOptions.range($0) })
    var range: Range<Int>?

    @Option(
        help: ArgumentHelp(
            "The path of a value that no error and no report shows; for ingest also a column. May be repeated.",
            valueName: "path"))
    var sensitive: [String] = []

    /// The layouts under their names on the command line.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case auto, ndjson, array, concatenated, object, seq

        var layout: JSONFeedFormat {
            switch self {
            case .auto: .automatic
            case .ndjson: .lines
            case .array: .array
            case .concatenated: .concatenated
            case .object: .object
            case .seq: .sequence
            }
        }
    }

    /// The kinds of compression under their names on the command line.
    enum Compression: String, CaseIterable, ExpressibleByArgument {
        case auto, none, gzip, zstd

        var kind: JSONCompression { JSONCompression(rawValue: rawValue) ?? .automatic }
    }

    func validate() throws {
        try require(atOptional == nil || at != nil, "--at-optional is about the path of --at.")
        guard let range else { return }
        try require(
            format == .auto || format == .ndjson, "--range needs a feed of lines: --format \(format.rawValue) has no ranges.")
        try require(
            !header || range.lowerBound == 0, "--range \(range.text) begins after the row that --header takes the names from.")
    }

    /// Parses a range of bytes such as `0:1000`, `1000:` or `:1000`.
    private static func range(_ text: String) throws -> Range<Int> {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bounds = parts.map { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        guard parts.count == 2, let start = parts[0].isEmpty ? 0 : bounds[0], let end = parts[1].isEmpty ? .max : bounds[1],
            start <= end
        else { throw ValidationError("'\(text)' is no range of bytes such as 0:1000, 1000:2000 or 2000:") }
        return start..<end
    }

    /// Checks that ``sensitive`` names paths, for commands that have no columns.
    func checkSensitivePaths() throws {
        for text in sensitive {
            do throws(PathFault) {
                _ = try PathSyntax.keys(of: text)
            } catch {
                throw ValidationError(
                    "--sensitive '\(text)': expected \(error.expected), found \(error.found) (column \(error.column)); \(PathFault.hint)"
                )
            }
        }
    }

    /// Checks the inputs of a command line: with `--range`, there must be only one.
    func checked(_ inputs: [String]) throws {
        do throws(IngestError) { try InputHint.check(inputs) } catch { throw ValidationError(error.commandLine) }
        guard range != nil, inputs.count > 1 else { return }
        throw ValidationError("--range is a range of one file, and there are \(inputs.count) inputs.")
    }
}

/// The option that selects records.
struct WhereOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only the records for which a condition holds, such as \"type = 'Push' and (size > 3 or exists actor.login)\". It has =, !=, <, <=, >, >=, in (…), exists, and, or, not.",
            valueName: "condition"))
    var condition: String?

    /// Parses the condition; nil if none is given.
    ///
    /// - Parameter columns: The declared columns, which the condition can refer to by name.
    /// - Throws: `ValidationError` if the condition cannot be parsed.
    func clause(columns: [JSONColumn] = []) throws -> WhereClause? {
        do throws(WhereError) {
            guard let condition else { return nil }
            return try WhereClause(condition, columns: columns)
        } catch {
            throw ValidationError("--where: \(error)")
        }
    }
}

extension FeedOptions {
    var feed: FeedReading {
        var reading = FeedReading(
            format: format.layout, path: at, compression: compression.kind, hasHeader: header, range: range,
            sensitive: SensitivePaths(sensitive))
        reading.optional = atOptional.flatMap { OptionalPath(rawValue: $0.rawValue) } ?? .no
        return reading
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
#endif
