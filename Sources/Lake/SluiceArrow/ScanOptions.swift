// The options of a scan, from JSON text.

internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed
internal import SluiceSchema

/// Which part of a feed to read, and how.
struct ScanOptions {
    /// Whether the rows of the stream are the records, or the rejected records.
    enum Mode: String, CaseIterable { case records, rejects }

    /// The columns to read.
    enum Columns {
        /// All columns found in the first records.
        case inferred
        /// These paths, with the types found in the first records.
        case named([ColumnText])
        case declared([JSONColumn])
    }

    /// What happens to a record with values that no column takes: they are ignored, or the record is rejected.
    enum UnknownKeys: String, CaseIterable { case ignore, reject }

    var mode = Mode.records
    var columns = Columns.inferred
    /// The paths of values that no error may show.
    var sensitive = SensitivePaths()
    /// The paths, or names, of the columns that must have a value in each record.
    var required: [String] = []
    var range: Range<Int>?
    var batchSize = 65_536
    var sampleSize = 1_000
    var workers = 0
    /// Whether the caller spells options with underscores, as Python does.
    private(set) var hasUnderscores = false
    /// Nil if the kind of columns decides: named or declared columns ignore other keys; inferred columns must take all keys.
    var unknownKeys: UnknownKeys?
    var feed = JSONFeed<JSONValue>.Options()
    /// The path of a schema's file, or the schema itself; nil for none.
    private var schema: JSONValue?
    private var assertsFormats = false

    init() {}

    /// - Throws: `JSONError` whose path names the option: of kind `unknownKey`, `typeMismatch`, `invalidValue`, or `duplicateKey` for a
    ///   column that occurs twice.
    init(json value: JSONValue) throws(JSONError) {
        guard case .object(let object) = value else {
            throw JSONError(.typeMismatch, expected: "an object of options", found: value.kindInWords)
        }
        for (key, value) in object.members {
            guard let option = Self.options.first(where: { [$0.name, $0.nameWithUnderscores].contains(key) }) else {
                let known = Self.options.map { "'\($0.name)'" }.joined(separator: ", ")
                throw JSONError(.unknownKey, path: key, expected: "one of \(known)", found: "'\(key)'")
            }
            hasUnderscores = hasUnderscores || key.contains("_")
            do throws(JSONError) {
                if !value.isNull { try option.read(value, &self) }
            } catch {
                throw error.prefixed(by: key)
            }
        }
        try compileSchema()
    }

    /// - Throws: `JSONError` whose path names the option.
    private mutating func compileSchema() throws(JSONError) {
        let options = JSONSchema.Options(assertsFormats: assertsFormats)
        do throws(JSONError) {
            switch schema {
            case nil: return
            case .string(let path): feed.schema = try JSONSchema(path: path, options: options)
            case .some(let schema): feed.schema = try JSONSchema(json: schema.jsonBytes(), options: options)
            }
        } catch {
            throw JSONError(.invalidValue, path: "schema", expected: "a JSON Schema, or the path of one", found: error.summary)
        }
    }

    /// Makes the columns required that the options name.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` for a path that no column has.
    func requiring(_ columns: [JSONColumn]) throws(JSONError) -> [JSONColumn] {
        var columns = columns
        for path in required {
            // A name need not be a path.
            let keys = try? Columns.keys(of: path)
            let named = columns.firstIndex { $0.name.utf8.elementsEqual(path.utf8) }
            guard let index = named ?? columns.firstIndex(where: { $0.keys.first?.components == keys }) else {
                throw JSONError(.invalidValue, expected: "required columns that are among the columns", found: "'\(path)'")
            }
            columns[index].isRequired = true
        }
        return columns
    }

    /// Whether a record is rejected for a value that no column takes.
    var rejectsUnknownKeys: Bool {
        if let unknownKeys { return unknownKeys == .reject }
        if case .inferred = columns { return true }
        return false
    }

    /// The name of an option as the caller spells options.
    func spelled(_ name: String) -> String { hasUnderscores ? ScanOptions.withUnderscores(name) : name }

    private static func withUnderscores(_ name: String) -> String {
        name.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    private struct Option: Sendable {
        let name: String
        let read: @Sendable (JSONValue, inout ScanOptions) throws(JSONError) -> Void
        /// `batch_size` for `batchSize`.
        var nameWithUnderscores: String { ScanOptions.withUnderscores(name) }

        init(_ name: String, _ read: @escaping @Sendable (JSONValue, inout ScanOptions) throws(JSONError) -> Void) {
            self.name = name
            self.read = read
        }
    }

    private static let options: [Option] = [
        Option("columns") { value, options throws(JSONError) in options.columns = try Columns(json: value) },
        Option("required") { value, options throws(JSONError) in options.required = try value.texts() },
        Option("sensitive") { value, options throws(JSONError) in
            let paths = try value.texts()
            for path in paths { _ = try Columns.keys(of: path) }
            options.sensitive = SensitivePaths(paths)
            options.feed.hidesText = !paths.isEmpty
        },
        Option("at") { value, options throws(JSONError) in options.feed.at = try JSONRecordPath(value.text()) },
        Option("atOptional") { value, options throws(JSONError) in options.feed.atOptional = try value.flag() },
        // A file is one of several, and another one may have the path.
        Option("sharesPath") { value, options throws(JSONError) in options.feed.requiresPath = try !value.flag() },
        Option("format") { value, options throws(JSONError) in
            options.feed.format = try value.choice(JSONFeedFormat.self, auto: .automatic)
        },
        Option("compression") { value, options throws(JSONError) in
            options.feed.compression = try value.choice(JSONCompression.self, auto: .automatic)
        },
        Option("range") { value, options throws(JSONError) in options.range = try value.range() },
        Option("limit") { value, options throws(JSONError) in options.feed.limit = try value.number(from: 0) },
        Option("batchSize") { value, options throws(JSONError) in options.batchSize = try value.number(from: 1) },
        Option("sampleSize") { value, options throws(JSONError) in options.sampleSize = try value.number(from: 1) },
        Option("mode") { value, options throws(JSONError) in options.mode = try value.choice(Mode.self) },
        Option("invalidRecords") { value, options throws(JSONError) in
            options.feed.invalidRecords = try value.choice(InvalidRecords.self) == .skip ? .skip : .throw
        },
        Option("schema") { value, options throws(JSONError) in options.schema = value },
        Option("formats") { value, options throws(JSONError) in options.assertsFormats = try value.flag() },
        Option("unknownKeys") { value, options throws(JSONError) in options.unknownKeys = try value.choice(UnknownKeys.self) },
        Option("maximumErrors") { value, options throws(JSONError) in options.feed.maximumErrors = try value.number(from: 0) },
        Option("workers") { value, options throws(JSONError) in options.workers = try value.number(from: 0) },
    ]

    private enum InvalidRecords: String, CaseIterable { case `throw`, skip }
}

extension ScanOptions {
    /// A column as the caller names it: a path such as `actor.login`, or a column name and a path, `who=actor.login`. A name with
    /// `=` must be in double quotes.
    struct ColumnText {
        /// The path as it was given.
        let path: String
        let keys: [String]
        /// The name, if one is given.
        let name: String?

        init(_ text: String) throws(JSONError) {
            guard let equals = PathSyntax.positions(of: "=", in: text).first else {
                (path, name) = (text, nil)
                keys = try Columns.keys(of: text)
                return
            }
            let given = String(text[..<equals])
            let name = PathSyntax.unquoted(given) ?? given
            guard !name.isEmpty else {
                throw JSONError(
                    .invalidValue, expected: "a name before '='", found: "'\(text)'",
                    hint: "a key with '=' stands in double quotes")
            }
            path = String(text[text.index(after: equals)...])
            self.name = name
            keys = try Columns.keys(of: path)
        }

        /// Whether the text is just the path with these keys.
        func isPath(of keys: [String]) -> Bool { name == nil && self.keys == keys }

        /// The columns' names: those that are given, and the paths of the others.
        static func names(of columns: [ColumnText]) -> [String] {
            zip(columns, PathSyntax.names(of: columns.map(\.keys))).map { $0.name ?? $1 }
        }
    }
}

extension ScanOptions.Columns {
    fileprivate init(json value: JSONValue) throws(JSONError) {
        let texts: [ScanOptions.ColumnText]
        switch value {
        case .array(let names):
            var read: [ScanOptions.ColumnText] = []
            for name in names { read.append(try ScanOptions.ColumnText(name.text())) }
            texts = read
            self = .named(texts)
        case .object(let types):
            var read: [(text: ScanOptions.ColumnText, type: DeclaredType)] = []
            for (path, type) in types.members {
                do throws(JSONError) {
                    read.append((try ScanOptions.ColumnText(path), try DeclaredType(json: type)))
                } catch {
                    throw error.prefixed(by: path)
                }
            }
            texts = read.map(\.text)
            self = .declared(
                zip(ScanOptions.ColumnText.names(of: texts), read).map {
                    JSONColumn(
                        name: $0, type: $1.type.type, keys: [JSONKeyPath(components: $1.text.keys)], dates: $1.type.dates)
                })
        default:
            throw JSONError(.typeMismatch, expected: "an array of paths, or an object of types by path", found: value.kindInWords)
        }
        if let repeated = Self.repeated(among: texts) {
            throw JSONError(.duplicateKey, expected: "each column once", found: "a second '\(repeated)'")
        }
    }

    static func keys(of path: String) throws(JSONError) -> [String] {
        do throws(PathFault) { return try PathSyntax.keys(of: path) } catch { throw JSONError(error, in: path) }
    }

    /// The first path, or name, that two columns have.
    private static func repeated(among columns: [ScanOptions.ColumnText]) -> String? {
        // By bytes: the two Unicode spellings of é are two columns.
        var paths: Set<[[UInt8]]> = []
        if let column = columns.first(where: { !paths.insert($0.keys.map { Array($0.utf8) }).inserted }) {
            return PathSyntax.text(ofKeys: column.keys)
        }
        var names: Set<[UInt8]> = []
        return ScanOptions.ColumnText.names(of: columns).first { !names.insert(Array($0.utf8)).inserted }
    }
}

extension DeclaredType {
    /// Reads a type from the options: its name; for a list, an array with the element's type; for an object, an object of types by key.
    fileprivate init(json value: JSONValue) throws(JSONError) {
        switch value {
        case .string(let name): self = try Self.named(name)
        case .array(let types) where types.count == 1:
            let element = try DeclaredType(json: types[0])
            self.init(.list(of: element.type), dates: element.dates)
        case .object(let object) where !object.isEmpty:
            var columns: [JSONColumn] = []
            for (key, type) in object.members {
                let member = try DeclaredType(json: type)
                columns.append(JSONColumn(name: key, type: member.type, dates: member.dates))
            }
            self.init(.object(columns))
        default:
            throw JSONError(
                .typeMismatch, expected: "the name of a type, an array of one type, or an object of types by key",
                found: value.kindInWords)
        }
    }

    /// The names of the types for a single scalar or any JSON, which are those of Arrow.
    private static let plainTypes: [(name: String, type: ColumnType)] = [
        ("bool", .bool), ("int64", .integer), ("int32", .int32), ("double", .real), ("string", .text),
        ("timestamp", .timestamp), ("date", .date), ("json", .json),
    ]

    private static func named(_ name: String) throws(JSONError) -> DeclaredType {
        if let decimal = decimal(name) { return DeclaredType(decimal) }
        do throws(JSONError) {
            if let known = try DeclaredType(named: name, among: plainTypes) { return known }
        } catch {
            throw JSONError(.invalidValue, expected: "a date pattern", found: error.found)
        }
        let plain = plainTypes.map(\.name)
        let names = plain + ofDates.map(\.name).filter { !plain.contains($0) }
        let word = String(name.prefix { $0 != "(" })
        throw JSONError(
            .invalidValue,
            expected: "one of \(names.map { "'\($0)'" }.joined(separator: ", ")), 'date(pattern)', 'timestamp(pattern)', "
                + "'decimal(precision,scale)' with at most 18 digits",
            found: "'\(name)'", hint: KeyLikeness.closest(to: word, among: names).map { "did you mean '\($0)'?" } ?? "")
    }

    /// The type of a text such as `decimal(12,2)`; nil for another text.
    private static func decimal(_ name: String) -> ColumnType? {
        guard name.hasPrefix("decimal("), name.hasSuffix(")") else { return nil }
        let numbers = name.dropFirst("decimal(".count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0.drop { $0 == " " }) }
        guard numbers.count == 2, let precision = numbers[0], let scale = numbers[1],
            ColumnType.decimalDigits.contains(precision), (0...precision).contains(scale)
        else { return nil }
        return .decimal(precision: precision, scale: scale)
    }
}

extension JSONValue {
    fileprivate func text() throws(JSONError) -> String {
        guard case .string(let text) = self else { throw JSONError(.typeMismatch, expected: "a string", found: kindInWords) }
        return text
    }

    fileprivate func texts() throws(JSONError) -> [String] {
        guard case .array(let values) = self else {
            throw JSONError(.typeMismatch, expected: "an array of strings", found: kindInWords)
        }
        var texts: [String] = []
        for value in values { texts.append(try value.text()) }
        return texts
    }

    fileprivate func flag() throws(JSONError) -> Bool {
        guard let flag = bool else { throw JSONError(.typeMismatch, expected: "true or false", found: kindInWords) }
        return flag
    }

    fileprivate func number(from least: Int) throws(JSONError) -> Int {
        guard let number = int, number >= least else {
            throw JSONError(.invalidValue, expected: "an integer of at least \(least)", found: kindInWords)
        }
        return number
    }

    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(
        _ type: Choice.Type, auto: Choice? = nil
    ) throws(JSONError) -> Choice where Choice.RawValue == String {
        let text = try text()
        if text == "auto", let auto { return auto }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        throw JSONError(.invalidValue, expected: "one of \(names)", found: "'\(text)'")
    }

    /// Reads `[start, end]` in bytes; a null as end means the end of the file.
    fileprivate func range() throws(JSONError) -> Range<Int> {
        guard case .array(let bounds) = self, bounds.count == 2, let start = bounds[0].int, start >= 0,
            let end = bounds[1].isNull ? Int.max : bounds[1].int, end >= start
        else {
            throw JSONError(
                .invalidValue, expected: "[start, end] in bytes, with 0 <= start <= end, or null for the end of the file",
                found: kindInWords)
        }
        return start..<end
    }

    fileprivate var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number): number.lexeme
        case .string(let text): "'\(text)'"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
