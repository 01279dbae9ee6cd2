// Texts that name options of an ingest: in a program, an option is a method, and on a command line it is written otherwise.

package import SluiceCore

/// The text of an error or of an outcome.
///
/// A sink writes it like any other text:
///
/// ```swift
/// throw IngestError.output("cannot write \(destination)")
/// ```
///
/// Where a text of Sluice names an option, it names the method of ``Ingest``: `primaryKey("id")`. The command-line tool shows its own words for the
/// same options: `--pk id`.
///
/// A text that is put in, such as a name, stays on its line, and cannot command a terminal: control characters become `\n` or `\u{1b}`.
public struct IngestMessage: Hashable, Sendable, Codable, CustomStringConvertible {
    fileprivate enum Part: Hashable, Sendable, Codable {
        case text(String)
        case option(IngestOption)
    }

    private var parts: [Part]

    package init(_ text: String) { parts = text.isEmpty ? [] : [.text(text.printableLines)] }

    /// The text, with options as methods of ``Ingest``.
    public var description: String { text { $0.description } }

    /// The text, with options in other words.
    package func text(naming name: (IngestOption) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .option(let option): name(option).printable
            }
        }.joined()
    }

    package static func + (left: IngestMessage, right: IngestMessage) -> IngestMessage { "\(left)\(right)" }
}

extension IngestMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }

    public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ text: String) { append(.text(text)) }

        public mutating func appendInterpolation(_ value: some Any) { append(.text("\(value)".printable)) }

        /// Adds an error of this package, whose description may have several lines. It is printable already.
        package mutating func appendInterpolation(_ error: JSONError) { append(.text(error.description)) }

        /// Adds a text of several lines.
        package mutating func appendInterpolation(lines text: String) { append(.text(text.printableLines)) }

        /// Adds a message, with its options and several lines.
        public mutating func appendInterpolation(_ message: IngestMessage) { for part in message.parts { append(part) } }

        /// Adds a part. Texts that stand side by side become one: equal messages are equal, however they were put together.
        private mutating func append(_ part: Part) {
            guard case .text(let text) = part else { return parts.append(part) }
            if case .text(let before)? = parts.last {
                parts[parts.count - 1] = .text(before + text)
            } else if !text.isEmpty {
                parts.append(part)
            }
        }

        /// Names an option.
        package mutating func appendInterpolation(option: IngestOption) { parts.append(.option(option)) }
    }
}

/// An option that a text names.
package enum IngestOption: Hashable, Sendable, Codable, CustomStringConvertible {
    case at(String?), atOptional(OptionalPath), format(String), keyColumn(String), valueColumn(String), header, filter, range
    case column, type(String), contract(KeyContract), overflow(String), sensitive(String)
    case table, key(String?), upsert, ignore, replace, append, truncate, drop
    case rejects(String), changes(String), metrics(String), provenance(String?), missing(MissingRows), restart, wait

    /// The option in a program.
    package var description: String {
        switch self {
        case .at(let path): path.map { "at(\"\($0)\")" } ?? "at(_:)"
        case .atOptional(let optional): "at(_:optional: .\(optional))"
        case .format(let name): "format(.\(name == "ndjson" ? "lines" : name))"
        case .keyColumn(let name): "keyColumn(\"\(name)\")"
        case .valueColumn(let name): "valueColumn(\"\(name)\")"
        case .header: "header()"
        case .filter: "filter(_:)"
        case .range: "a range"
        case .column: "columns(_:)"
        case .type(let column): "the type of \(column)"
        case .contract(let contract): "contract(.\(contract))"
        case .overflow(let column): "overflow(\"\(column)\")"
        case .sensitive(let path): "sensitive(\"\(path)\")"
        case .table: "table"
        case .key(let column): column.map { "primaryKey(\"\($0)\")" } ?? "primaryKey(_:)"
        case .upsert: "conflict(.upsert)"
        case .ignore: "conflict(.ignore)"
        case .replace: "conflict(.replace)"
        case .append: "existing(.append)"
        case .truncate: "existing(.truncate)"
        case .drop: "existing(.drop)"
        case .rejects(let path): "rejects(.file(path: \"\(path)\"))"
        case .changes(let name): "changes(\(name))"
        case .metrics(let path): "the metrics in \(path)"
        case .provenance(let table): "provenance(\(table.map { ".table(\"\($0)\")" } ?? ""))"
        case .missing(let rows): "missing(.\(rows))"
        case .restart: "restarting()"
        case .wait: "waiting()"
        }
    }
}
