#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest

/// What must hold for every option of every command. The options come from the tool itself (`--experimental-dump-help` of ArgumentParser), so a
/// new one is covered without being named here.
@Suite(.enabled(if: Shell.isPresent)) struct EveryOptionTests {
    // MARK: The options

    /// One way to give an option: the words of the command line.
    struct Setting: Sendable, CustomTestStringConvertible {
        let command: String
        let option: String
        let words: [String]

        var testDescription: String { ([command] + words).joined(separator: " ") }
    }

    /// A value for each name of a value. A name that is not here gets all of them: one must be accepted.
    private static let values: [String: [String]] = [
        "n": ["1", "3"], "path": ["note", "items"], "column": ["id", "rest"], "name": ["Thing"], "table": ["other"], "r": ["0.5"],
        "start:end": ["0:400"], "condition": ["id > 0", "exists note"], "name:type": ["id:integer", "note:json"],
        "name:type=key.path": ["id:integer", "n:text=note"], "paths": ["id,note"], "path[=json]": ["codes", "codes=json"],
        "table|file": ["kept", "kept.ndjson"], "output.db": ["out.db"], "file": ["out.csv", "out.json", "out.arrow"],
        "seconds": ["0.000001"], "input,line,byte,digest": ["a,b,c,d"],
        "folder": ["archive"], "time": ["1s"],
    ]

    /// A run that follows logs does not end by itself: `FollowCommandTests` has it.
    private static let others = ["help", "version", "follow"]

    /// Options that others need, by command. Each option is given with each of these.
    private static let companions: [String: [[String]]] = [
        "ingest": [
            [], ["--children", "tables"], ["--pk", "id", "--upsert", "--child", "codes"], ["--at", "*"], ["--report", "json"],
        ],
        "convert": [
            ["--to", "ndjson"], ["--to", "csv"], ["--to", "arrow"], ["--to", "ndjson", "--at", "*"],
        ],
        "infer": [[], ["--as", "sql", "--children", "tables"], ["--as", "swift"], ["--at", "*"]],
        "query": [[], ["--at", "*"]], "check": [[], ["--at", "*"]],
        "replay": [["--children", "tables"], ["--pk", "id", "--upsert"]],
    ]

    private static let commands: [(name: String, options: [JSONValue])] = {
        guard let run = try? Scratch().sluice(["--experimental-dump-help"]), let help = try? JSONValue(json: run.output) else {
            return []
        }
        return (help["command"]?["subcommands"]?.array ?? []).map {
            ($0["commandName"]?.string ?? "", $0["arguments"]?.array ?? [])
        }
    }()

    /// All options of the commands that read records, with their values.
    private static let settings: [Setting] = commands.flatMap { command in
        companions[command.name, default: []].isEmpty
            ? []
            : command.options.flatMap { option -> [Setting] in
                guard let name = option["preferredName"]?["name"]?.string, !others.contains(name) else { return [] }
                let isFlag = option["kind"]?.string == "flag"
                let named = option["allValues"]?.array?.compactMap(\.string) ?? []
                let values =
                    named.isEmpty ? Self.values[option["valueName"]?.string ?? ""] ?? Self.values.values.flatMap(\.self) : named
                return (isFlag ? [[]] : values.map { [$0] }).map {
                    Setting(command: command.name, option: name, words: ["--\(name)"] + $0)
                }
            }
    }

    /// The settings of every third option of a command. The runs of one part come one after the other, and the parts at once.
    private static func settings(of command: String, _ part: Int) -> [Setting] {
        let all = settings.filter { $0.command == command }
        var options: [String] = []
        for setting in all where options.last != setting.option { options.append(setting.option) }
        return all.filter { setting in options.firstIndex(of: setting.option).map { $0 % parts.count == part } == true }
    }

    private static let parts = 0..<3

    /// Runs a command with a setting and each of its companions, and looks at what it has printed and stored.
    ///
    /// - Parameters:
    ///   - part: Which options are walked over.
    ///   - base: The words in front: the options that all runs have.
    ///   - server: The server whose database takes the rows; nil for a file of SQLite.
    private func walk(
        _ command: String, part: Int, _ base: [String], in server: Server? = nil, _ feed: (Int) -> String,
        look: (Seen) throws -> Void
    ) throws {
        let settings = Self.settings(of: command, part)
        try #require(settings.count > 2)
        var accepted: Set<String> = []
        for (number, setting) in settings.enumerated() {
            let base = setting.option == "quiet" ? base.filter { $0 != "-v" } : base
            // One companion is enough, if the option is accepted with it; it is another one for each option.
            var isAccepted = false
            let all = Self.companions[command, default: []]
            let companions = (0..<all.count).map { all[($0 + number) % all.count] }
            for (index, companion) in companions.enumerated() where !isAccepted {
                // An option that is given twice replaces the companion.
                let others = companion.first == setting.words[0] ? [] : companion
                let scratch = try Scratch()
                try server?.clear()
                let given = others + setting.words
                _ = try scratch.file(Self.input, Self.nested(feed(number &* 7 &+ index), given))
                let database = server?.url ?? "out.db"
                if command == "replay" {
                    _ = try scratch.sluice(
                        ["ingest", "-q", Self.input, "-o", database, "--rejects", "bad"] + base.filter { $0 != "-v" } + others)
                }
                let words = [command] + Self.arguments(of: command, besides: setting, others, into: database) + base + given
                let run = try scratch.sluice(words)
                // An option is covered, too, if the command refuses it by its name, or because a sensitive path then is no column.
                let isRefused = ["--\(setting.option)", "--sensitive"].contains { run.errors.contains($0) }
                isAccepted = run.status != 64 || index == companions.count - 1 && isRefused
                if isAccepted { accepted.insert(setting.option) }
                try look(Seen(words: words, run: run, scratch: scratch, server: server))
            }
        }
        let refused = Set(settings.map(\.option)).subtracting(accepted)
        #expect(refused.isEmpty, "add a value or a companion for \(refused)")
    }

    private static let input = "a.ndjson"

    /// A feed whose records are where `--at` says.
    private static func nested(_ feed: String, _ words: [String]) -> String {
        guard let index = words.lastIndex(of: "--at"), index + 1 < words.count else { return feed }
        let key = words[index + 1] == "*" ? "r" : words[index + 1]
        return feed.split(separator: "\n").map { "{\"\(key)\":\($0)}\n" }.joined()
    }

    private static func arguments(
        of command: String, besides setting: Setting, _ others: [String], into database: String
    ) -> [String] {
        let output = setting.option == "output" || setting.option == "dry-run"
        // An Arrow stream has no rejects.
        let hasRejects =
            !["rejects", "dry-run"].contains(setting.option) && !(others + setting.words).contains { $0.contains("arrow") }
        let rejects = hasRejects ? ["--rejects", "bad"] : []
        switch command {
        case "ingest": return [input] + ["-o", database] + rejects
        case "convert":
            return [input] + (output ? [] : ["-o", "out"]) + (rejects.isEmpty ? [] : ["--rejects", "bad.ndjson"])
        case "query": return [input, "SELECT * FROM a"] + (output ? [] : ["-o", "out.csv"])
        case "replay": return ["bad", database]
        default: return [input]
        }
    }

    /// What a run has left.
    struct Seen {
        let words: [String]
        let run: Shell.Result
        let scratch: Scratch
        var server: Server?

        /// What people read: the streams, and what is kept of a run beside the data: reasons of rejections, changes, checkpoints.
        func texts() throws -> [String] {
            var texts = [run.output, run.errors]
            for name in try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) {
                let path = scratch.path(name)
                if ["bad.ndjson", "kept.ndjson"].contains(name) {
                    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
                        let record = try #require(try JSONValue(json: String(line)).object)
                        texts += try record.members.compactMap { try Self.text($0.key, $0.value) }
                    }
                } else if name == "out.db" {
                    texts += try storedTexts()
                } else if words.contains("--metrics"), name.hasPrefix("out.") {
                    // Without the values: their digits may be those of the secret.
                    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                    texts += lines.map { String($0[..<($0.lastIndex(of: " ") ?? $0.endIndex)]) }
                }
            }
            return try texts + (server?.rows() ?? []).flatMap { row in try row.compactMap { try Self.text($0.key, $0.value) } }
        }

        /// A stored value as text with its name; nil if it is data.
        private static func text(_ name: String, _ value: JSONValue) throws -> String? {
            if data.contains(name) { return nil }
            guard name == "state" else { return try "\(name): \(value.string ?? value.jsonString())" }
            // A database may have it as JSON or as a text of JSON.
            let state = try value.string.map { try JSONValue(json: $0) } ?? value
            return try withoutData(state).jsonString()
        }

        private static func withoutData(_ value: JSONValue) -> JSONValue {
            guard let object = value.object else { return value }
            return .object(
                JSONObject(object.members.filter { !data.contains($0.key) }.map { ($0.key, withoutData($0.value)) }))
        }

        /// The members that hold data: texts of records, patches of columns that damaged keys have made, and the names of columns and tables,
        /// which the catalogue has, too. Identities of runs and records, and the paths and digests of inputs, have digits at random.
        private static let data = [
            "json_line", "patch", "hidden", "table_name", "columns", "children", "memory", "run", "checkpoint", "feed", "input",
            "record_input", "digests", "content", "load",
        ]

        private func storedTexts() throws -> [String] {
            let tables: [String] = try scratch.rows("SELECT name FROM sqlite_master WHERE type = 'table'").map { $0[0] }
            return try tables.filter { ["bad", "kept"].contains($0) || $0.hasPrefix("_sluice") }.flatMap { table in
                try scratch.rows("SELECT * FROM \"\(table)\"").flatMap { row in
                    try row.compactMap { name, value in
                        try Self.text(name, .string(String.fromDatabaseValue(value) ?? "\(value)")).map { "\(table).\($0)" }
                    }
                }
            }
        }
    }

    /// A schema of the server that Scripts/with-postgres starts.
    struct Server {
        private static let base = ProcessInfo.processInfo.environment["SLUICE_POSTGRES"]
        static var isPresent: Bool { base != nil }
        private let schema = "w" + String(UInt64.random(in: .min ... .max), radix: 16)

        var url: String { "\(Self.base ?? "")&options=-csearch_path%3D\(schema)" }

        /// Runs SQL with `psql`, and returns what it prints.
        private func psql(_ sql: String) throws -> String {
            let scratch = try Scratch()
            _ = try scratch.file("a.sql", sql)
            let run = try scratch.shell("psql -XqAt -v ON_ERROR_STOP=1 -f a.sql '\(url)'")
            guard run.status == 0 else { throw IngestError.database("\(IngestMessage(run.errors))") }
            return run.output
        }

        func clear() throws {
            _ = try psql(
                "SET client_min_messages = error; DROP SCHEMA IF EXISTS \(schema) CASCADE; CREATE SCHEMA \(schema);")
        }

        /// What is kept beside the data: the rows of the tables of rejections, of changes, and of those that are the tool's own.
        func rows() throws -> [[JSONObject.Member]] {
            // psql runs the statements that this one makes.
            let rows = try psql(
                """
                SELECT format('SELECT to_json(t.*) FROM %s t', oid::regclass) FROM pg_class
                WHERE relnamespace = '\(schema)'::regnamespace AND relkind = 'r' AND (relname IN ('bad', 'kept') OR relname ^@ '_sluice')
                \\gexec
                """)
            return try rows.split(separator: "\n").map { try JSONObject(json: String($0)).members }
        }
    }

    // MARK: Secrets

    private static let secret = "zQ7wKx93mJv51"
    private static let number = "739182645908"
    private static let good = #"""
        {"id":1,"user":{"name":"a","key":"\#(secret)"},"pin":\#(number),"note":"x","codes":["\#(secret)"],"cards":[{"no":"\#(secret)","n":1},{"no":"\#(secret)","n":2}]}
        """#

    /// Records that are whole, but unlike the good one, or damaged as people damage them.
    private static let wrong: [String] = {
        let (s, n) = (secret, number)
        return [
            #"{"id":2,"codes":\#(s)}"#, #"{"id":3,"codes":["\#(s),"n":1}"#, #"{"id":4,"cards":[{"no":\#(s)}]}"#,
            #"{"id":5,"cards":[{"no":"\#(s)"}"#, #"{"id":6,"cards":{"\#(s)":{"\#(s)":[1]}}}"#, #"{"id":7,"cards":"\#(s)"}"#,
            #"{"id":8,"cards":[{"no":{"\#(s)":1},"n":{"a":[{"b":\#(s)}]}}]}"#,
            #"{"id":9,"codes":[[["\#(s)"]],{"\#(s)":[\#(n)]}]}"#,
            #"{"id":"x","pin":[\#(n)]}"#, #"{"user":{"key":{"\#(s)":{"\#(s)":1}}},"id":10}"#, #"{"user":"\#(s)","id":11}"#,
            #"{"user":{"key":["\#(s)"]},"id":12,"pin":"\#(s)"}"#, #"{"pin":\#(n)9999999999999.5,"id":13}"#, #""\#(s)""#, s, n,
            #"["\#(s)",\#(n)]"#, #"{"id":{"a":1},"pin":\#(n)e999999}"#, #"{"pin":\#(n),"pin":"\#(s)","id":14}"#,
            #"{"user":{"kye":"\#(s)\ud800"}}"#, #"{"user" {"key":"\#(s)"}}"#, #"{"codes":{"\#(s)":{"\#(s)":[1]}},"id":15}"#,
            #"{"id":16,"cards":[{"no":"\#(s)","n":"x","\#(s)":\#(n)}]}"#, #"{"id":17,"pin":"\#(s)"}"#,
        ]
    }()

    /// A feed of good records, wrong ones, and a part of all that one wrong byte can make of a good one.
    private func secretFeed(_ number: Int) -> String {
        let bytes = Array(Self.good.utf8)
        var lines = Array(repeating: Self.good, count: 3)
        let start = number % Self.wrong.count
        lines += Self.wrong[start...] + Self.wrong[..<start]
        for index in stride(from: number % 11, to: bytes.count, by: 11) {
            for byte in Array(#""{}[],:\x1 "#.utf8) {
                var text = bytes
                text[index] = byte
                lines.append(String(decoding: text, as: UTF8.self))
                text[index] = bytes[index]
                text.insert(byte, at: index)
                lines.append(String(decoding: text, as: UTF8.self))
            }
            lines.append(String(decoding: bytes[..<index] + bytes[(index + 1)...], as: UTF8.self))
            lines.append(String(decoding: bytes[..<index], as: UTF8.self))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether a text has four characters of a secret. Places, counts, times and the numbers of records are left out: they may have the same
    /// digits. A number of fifteen digits or more is that of a record: the secret has fewer.
    private static func shows(_ text: String) -> Bool {
        // Nearly all texts have none, and a regular expression takes a thousand times as long.
        guard pieces.contains(where: { unsafe strstr(text, $0) != nil }) else { return false }
        let numbers =
            /(line|column|byte|record|position:|offset:|"(record_id|bytes?|line|count|[a-z_]*seconds|committed_at|behind|rows|records|added|[a-z_]*position|offset)":) ?[0-9.,e-]+/
        let text = text.replacing(numbers, with: "").replacing(
            /[0-9.,]+ (MB|records|bytes|columns?|values?|kB)|in [0-9.]+ s|[0-9]{15,}/, with: "")
        return pieces.contains { unsafe strstr(text, $0) != nil }
    }

    /// All four characters in a row of the secrets.
    private static let pieces = [secret, number].flatMap { secret in
        (0...(secret.count - 4)).map { String(secret.dropFirst($0).prefix(4)) }
    }

    @Test(arguments: ["ingest", "check", "infer", "convert", "query", "replay"], parts)
    func noOptionOfACommandMakesItShowASensitiveValue(command: String, part: Int) throws {
        // The columns are those of the good records: after a record with another value under user, user.key would be none.
        let sample = ["ingest", "convert", "replay"].contains(command) ? ["--sample-size", "3"] : []
        let paths = [command == "query" ? "user" : "user.key", "pin", "codes", "cards"]
        var base = paths.flatMap { ["--sensitive", $0] }
        base += sample
        if command != "infer" { base.append("-v") }
        var count = 0
        try walk(command, part: part, base, secretFeed) { seen in
            count += 1
            for text in try seen.texts() { #expect(!Self.shows(text), "\(seen.words): \(text)") }
        }
        #expect(count > 6)
    }

    @Test(.enabled(if: Server.isPresent, "needs a server: Scripts/with-postgres"), arguments: ["ingest", "replay"], parts)
    func noOptionMakesADatabaseOfPostgreSQLShowASensitiveValue(command: String, part: Int) throws {
        let base = ["user.key", "pin", "codes", "cards"].flatMap { ["--sensitive", $0] } + ["--sample-size", "3", "-v"]
        var count = 0
        try walk(command, part: part, base, in: Server(), secretFeed) { seen in
            count += 1
            for text in try seen.texts() { #expect(!Self.shows(text), "\(seen.words): \(text)") }
        }
        #expect(count > 6)
    }

    @Test func aSecretNumberInTheReportIsFound() {
        #expect(Self.shows(#"{"pin":739182645908}"#) && Self.shows(#"{"example":"7391","count":1}"#))
        #expect(!Self.shows(#"{"line":7391,"count":3918}"#))
    }

    @Test(
        arguments: [["--children", "tables"], ["--child", "password"], ["--child", "password=json"], []],
        ["password", "password.value"])
    func aSensitiveArrayIsNotShownWhereverItsElementsGo(children: [String], sensitive: String) throws {
        let lines = [
            #"{"id":1,"password":[{"value":"ok","n":1}]}"#, #"{"id":2,"password":\#(Self.secret)}"#,
            #"{"id":3,"password":["\#(Self.secret),"n":1}"#, #"{"id":4,"password":[{"value":\#(Self.secret)}]}"#,
            #"{"id":5,"password":"\#(Self.secret)"#, #"{"id":6,"password":{"\#(Self.secret)":{"value":[\#(Self.number),]}}}"#,
        ]
        for form in [[], ["--report", "json"]] {
            let scratch = try Scratch()
            _ = try scratch.file("a.ndjson", lines.joined(separator: "\n"))
            let words =
                ["ingest", "-v", "a.ndjson", "-o", "out.db", "--rejects", "bad", "--sensitive", sensitive] + children + form
            let seen = Seen(words: words, run: try scratch.sluice(words), scratch: scratch)
            if sensitive == "password" || children.last?.hasSuffix("json") == false {
                #expect(seen.run.status == 2, "\(words): \(seen.run)")
                #expect(try scratch.count("bad") == 5)
            }
            for text in try seen.texts() { #expect(!Self.shows(text), "\(words): \(text)") }
        }
    }

    @Test func withoutSensitivePathsTheSameRunsShowTheValues() throws {
        let scratch = try Scratch()
        _ = try scratch.file(Self.input, secretFeed(0))
        #expect(Self.shows(try scratch.sluice(["ingest", "-v", Self.input, "-o", "out.db", "--children", "tables"]).output))
        #expect(!Self.settings.isEmpty)
    }

    // MARK: Terminals

    /// What a terminal would obey, and a line break before words that look like a message.
    private static let commandText = "\u{1B}[2J\u{9B}31m\u{7F}\u{202E}\u{2066}\u{200F}\nFORGED: 0 wrong\u{85}"
    private static let escaped = #"\u001b[2J\u009b31m\u007f\u202e\u2066\u200f\nFORGED: 0 wrong\u0085"#

    private func hostileFeed(_ number: Int) -> String {
        let (key, raw) = (Self.escaped, Self.commandText.replacing("\n", with: "").replacing("\u{1B}", with: ""))
        let good = #"{"id":1,"t\#(key)":"v\#(key)","o\#(key)":{"p\#(key)":1},"note":"x","codes":[{"q\#(key)":1}],"m":{"a":1}}"#
        return
            (Array(repeating: good, count: 3) + [
                #"{"id":2,"t\#(key)":\#(raw)}"#,
                #"{"id":3,"t\#(key)":"\#(raw)","codes":[{"q\#(key)":"\#(key)"}],"late\#(key)":1}"#,
                #"{"id":"x\#(key)","note":{"\#(key)":1}}"#, #"{"id":4,"o\#(key)":"\#(raw)","codes":{"\#(key)":[1,\#(raw)]}}"#,
                #"{"id":5,"late\#(key)":[{"z":1}],"n\#(key)":{"a":{"b":7}}}"#, #"{"\#(key)":1,"\#(key)":2,"id":1.5}"#,
                #""\#(key)""#,
                "\u{1B}[2J", #"["\#(raw)"]"#, #"{"id":6,"t\#(key)":"\#(raw)"#,
            ]).joined(separator: "\n") + "\n"
    }

    private func check(_ seen: Seen, sourceLocation: SourceLocation = #_sourceLocation) {
        for text in [seen.run.output, seen.run.errors] {
            let commands = text.unicodeScalars.filter { $0.isCommand && $0 != "\n" }
            #expect(commands.isEmpty, "\(seen.words): \(text.debugDescription)", sourceLocation: sourceLocation)
            let isForged = text.split(separator: "\n").contains { $0.hasPrefix("FORGED") }
            #expect(!isForged, "\(seen.words): \(text)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: ["ingest", "check", "infer", "convert", "query", "replay"], parts)
    func noTextFromOutsideCommandsTheTerminal(command: String, part: Int) throws {
        try walk(command, part: part, command == "infer" ? [] : ["-v"], hostileFeed) { check($0) }
    }

    @Test func noNameOnTheCommandLineCommandsTheTerminal() throws {
        let (name, key) = ("a\(Self.commandText)", "\"t\(Self.escaped)\"")
        let scripts: [[String]] = [
            ["check", name], ["check", "-v", name, "missing" + Self.commandText], ["ingest", name, "-o", "out.db"],
            ["ingest", "-v", name, "-o", "x\(Self.commandText).db", "--rejects", "bad\(Self.commandText).ndjson"],
            ["ingest", name, "-o", "out.db", "--append", "--filename", "--report", "json"],
            ["ingest", name, "-o", "out.db", "--table", "t\(Self.commandText)"],
            ["ingest", name, "-o", "out.db", "--pk", "no\(Self.commandText)"],
            ["ingest", name, "-o", "out.db", "--column", "\(key):integer"],
            ["ingest", name, "-o", "out.db", "--type", "x\(Self.commandText):integer"],
            ["infer", name], ["infer", "--as", "sql", "--children", "tables", name], ["infer", "--as", "swift", name],
            ["infer", "--as", "json-schema", name], ["infer", "--as", "sql", "--dialect", "postgres", name],
            ["infer", name, "gone" + Self.commandText], ["query", name, "SELECT nosuch FROM a"],
            ["query", name, "SELECT * FROM nosuch"],
            ["query", "--to", "table", name, "SELECT * FROM a"], ["query", name, "SELECT '\(Self.commandText)' FROM"],
            ["convert", "--to", "csv", name, "-o", "d\(Self.commandText)/out.csv"],
            ["convert", name, "--where", "no\u{1B}[2J = 1", "-o", "out"],
            ["replay", "no\(Self.commandText)", "out.db"], ["replay", "no\(Self.commandText).ndjson", "out.db"],
            ["ingest", name, "-o", "out.db", "--at", "x\u{1B}[2J.y"], ["generate", "--records", "1", "d\(Self.commandText)/x"],
            ["status", "--to", "table", "out.db"], ["status", "out.db", "t\(Self.commandText)"],
            ["status", "no\(Self.commandText).db"], ["ingest", name, "-o", "out.db", "--metrics", "no/m\(Self.commandText)"],
            ["no\u{1B}[2J"], ["check", "--no\u{1B}[2J", name], ["check", "--format", "no\u{1B}[2J", name],
        ]
        let scratch = try Scratch()
        _ = try scratch.file(name, hostileFeed(0))
        for words in scripts { check(Seen(words: words, run: try scratch.sluice(words), scratch: scratch)) }
    }

    @Test func theColumnsThatInferPrintsAreReadBackWithTheirKeys() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", #"{"id":1,"t\#(Self.escaped)":"v","o":{"p\#(Self.escaped)":2}}"# + "\n")
        let columns = try scratch.sluice(["infer", "a.ndjson"]).output.split(separator: "\n").map(String.init)
        #expect(columns.count == 3)
        let words = columns.flatMap { ["--column", $0] } + ["a.ndjson", "-o", "out.db"]
        #expect(try scratch.sluice(["ingest"] + words).status == 0)
        let row = try #require(try scratch.rows("SELECT * FROM records").first)
        #expect(Array(row.columnNames) == ["id", "t\(Self.commandText)", "o_p\(Self.commandText)"])
        #expect(row[1] == "v")
        #expect(row[2] == 2)
    }

    @Test func theTablesThatInferPrintsForPostgreSQLHaveTheKeysThemselves() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", #"{"a\u001b\\b\"":1}"# + "\n")
        let sql = try scratch.sluice(["infer", "--as", "sql", "--dialect", "postgres", "a.ndjson"]).output
        #expect(sql.contains(#"U&"a\+00001b\\b""" bigint"#), "\(sql)")
    }

    // MARK: The function

    @Test func aTextFromOutsideIsOneLineWithoutCommands() {
        #expect("a\n\r\t\u{1B}\u{9B}\u{7F}\u{202E}\u{2028}z".printable == #"a\n\r\t\u{1b}\u{9b}\u{7f}\u{202e}\u{2028}z"#)
        #expect("a\n\u{1B}".printableLines == "a\n" + #"\u{1b}"#)
        #expect("\"\u{85}\u{1D173}\"\n".printableJSON == #""\u0085\ud834\udd73""# + "\n")
        #expect("a\u{1B}b".dotted == "a.b")
        let plain = "é 日本 👩‍💻 \\n “x”"
        #expect(plain.printable == plain && plain.printableJSON == plain && plain.dotted == plain)
        #expect("\u{1B}".printable.printable == "\u{1B}".printable)
    }

    @Test func everyCharacterIsEitherShownOrEscaped() {
        for value in (0...0x2FFF).compactMap(Unicode.Scalar.init) {
            let isSafe = !String(value).printable.unicodeScalars.contains(where: \.isCommand)
            #expect(isSafe, "\(value.value)")
        }
        for value in [0x00...0x1F, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069].joined() {
            #expect(Unicode.Scalar(UInt32(value))?.isCommand == true)
        }
    }

    @Test func noDescriptionOfAnErrorCommandsTheTerminal() throws {
        let text = Self.commandText
        for json in [#"{"a":\#(text)}"#, "[\(text)]", #"{"\#(text)":1}"#, #"{"n":"\#(text.dropFirst())"}"#] {
            do {
                _ = try JSONValue(json: json)
            } catch {
                let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines.count <= 3 && !error.description.unicodeScalars.contains { $0.isCommand && $0 != "\n" })
                #expect(!error.summary.unicodeScalars.contains { $0.isCommand })
            }
        }
        let error = IngestError.output("cannot write \(text): \(option: .key(text))")
        #expect(!error.description.unicodeScalars.contains { $0.isCommand })
        let other = IngestError.output(IngestMessage("two\nlines" + text))
        #expect(!other.description.unicodeScalars.contains { $0.isCommand && $0 != "\n" })
    }
}
#endif
