// How an input holds its records: the same options for every command that reads feeds.

#if CommandLine
internal import ArgumentParser
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// Options about the inputs.
struct FeedOptions: ParsableArguments {
    @Option(
        help:
            "How records stand one behind the other: one a line, in one array, one behind the other, as one object, or as RFC 7464 has it."
    )
    var format: Format = .auto

    @Option(
        help: ArgumentHelp(
            "Where the records stand in each input, such as data.items, '*.jobs' or /data/items; '' is the input's own values.",
            valueName: "path"),
        transform: { text in
            do throws(JSONError) { return try JSONRecordPath(text) } catch { throw ValidationError(error.summary) }
        })
    var at: JSONRecordPath?

    @Option(help: "How the inputs are compressed; auto finds out.")
    var compression: Compression = .auto

    @Flag(help: "Records are arrays of values; the first array holds their names.")
    var header = false

    @Option(
        help: ArgumentHelp(
            "Read the lines of one file that begin in a range of its bytes, such as 0:1000000 or 1000000: for the rest. Ranges that cover a file give each line once.",
            valueName: "start:end"),
        transform: { try FeedOptions.range($0) })
    var range: Range<Int>?

    /// The layouts by their names in the command line.
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

    /// The kinds of compression by their names in the command line.
    enum Compression: String, CaseIterable, ExpressibleByArgument {
        case auto, none, gzip, zstd

        var kind: JSONCompression { JSONCompression(rawValue: rawValue) ?? .automatic }
    }

    func validate() throws {
        guard let range else { return }
        guard format == .auto || format == .ndjson else {
            throw ValidationError("--range needs a feed of lines: --format \(format.rawValue) has no ranges.")
        }
        guard !header || range.lowerBound == 0 else {
            throw ValidationError("--range \(range.text) begins behind the row that --header takes the names from.")
        }
    }

    /// A range of bytes such as `0:1000`, `1000:` or `:1000`.
    private static func range(_ text: String) throws -> Range<Int> {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bounds = parts.map { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
        guard parts.count == 2, let start = parts[0].isEmpty ? 0 : bounds[0], let end = parts[1].isEmpty ? .max : bounds[1],
            start <= end
        else { throw ValidationError("'\(text)' is no range of bytes such as 0:1000, 1000:2000 or 2000:") }
        return start..<end
    }

    /// The inputs of a command line; a range is one of one file.
    func checked(_ inputs: [String]) throws {
        guard range != nil, inputs.count > 1 else { return }
        throw ValidationError("--range is a range of one file, and there are \(inputs.count) inputs.")
    }
}

/// The option about which records are wanted.
struct WhereOption: ParsableArguments {
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only the records for which a condition holds, such as \"type = 'Push' and (size > 3 or exists actor.login)\". It has =, !=, <, <=, >, >=, in (…), exists, and, or, not.",
            valueName: "condition"))
    var condition: String?

    /// The condition.
    ///
    /// - Parameter columns: The declared columns, which are meant by their names.
    func clause(columns: [Column] = []) throws -> WhereClause? {
        do throws(WhereError) {
            guard let condition else { return nil }
            return try WhereClause(condition, columns: columns)
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// How the feed of an input is read.
struct FeedReading: Sendable {
    var format = JSONFeedFormat.automatic
    /// Where records stand in the documents; nil if that is not said.
    var path: JSONRecordPath?
    var compression = JSONCompression.automatic
    /// Whether records are arrays under a first row of names.
    var hasHeader = false
    /// The bytes of the file that records are read from; nil for all.
    var range: Range<Int>?
    /// Which records are wanted; nil for all.
    var filter: WhereClause?

    func options<Record>(of type: Record.Type, reading: JSONReader.Options = .init()) -> JSONFeed<Record>.Options {
        JSONFeed<Record>.Options(
            format: format, at: path, compression: compression, keptReasons: 0, reading: reading, hasHeader: hasHeader)
    }
}

extension FeedOptions {
    var feed: FeedReading {
        FeedReading(format: format.layout, path: at, compression: compression.kind, hasHeader: header, range: range)
    }
}

extension Range<Int> {
    /// The range as `--range` takes it.
    var text: String { "\(lowerBound):\(upperBound == .max ? "" : "\(upperBound)")" }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
#endif
