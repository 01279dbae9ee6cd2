// A text goes in, and comes out as accepted, or with its breaches. The text is read once; a value that is refused is walked a second time for
// its breaches, which are rare.

internal import SluiceCore

/// Checks one text after the other.
final class SchemaChecker {
    private let program: SchemaProgram
    private let options: JSONSchema.Options
    // Safe: a checker is used by one caller at a time.
    @exclusivity(unchecked) private var records = RecordTape()
    @exclusivity(unchecked) private var walk: SchemaWalk

    init(_ program: SchemaProgram, _ options: JSONSchema.Options) {
        self.program = program
        self.options = options
        let tape = unsafe records.tape
        unsafe walk = unsafe SchemaWalk(
            program, value: CanonicalValue(entries: tape.entries, text: tape.start, tape: tape),
            maximumActive: options.maximumActiveSubschemas)
    }

    private func scan(_ text: UnsafeRawBufferPointer) throws(JSONError) {
        guard text.count <= options.maximumSize else {
            throw JSONError(.sizeLimit, expected: "a value of at most \(options.maximumSize) bytes", found: "\(text.count)")
        }
        if options.parser == .yajl {
            _ = try unsafe CheckedText(json: text, options: JSONReader.Options(validation: .full, parser: .yajl))
        }
        try unsafe records.scan(text)
    }

    /// Whether the schema accepts a text.
    func accepts(_ text: UnsafeRawBufferPointer) throws(JSONError) -> Bool {
        try unsafe scan(text)
        return try acceptsTape()
    }

    private func acceptsTape() throws(JSONError) -> Bool {
        unsafe walk.begin(records.tape, collecting: false)
        return try unsafe walk.accepts(program.contents.root, 0, SchemaText.root)
    }

    /// The report on a text, made by a closure if the text is refused; nil if it is accepted.
    func report<Report>(_ text: UnsafeRawBufferPointer, _ body: (BreachReport) -> Report) throws(JSONError) -> Report? {
        guard try unsafe !accepts(text) else { return nil }
        unsafe walk.begin(records.tape, collecting: true)
        var list = try unsafe walk.collect()
        // All notes were those of branches that do not count.
        if list.first < 0 { unsafe walk.notes.append(.allOf, -1, of: program.contents.root, SchemaText.root, to: &list) }
        return unsafe body(BreachReport(program: program, walk: walk, tape: records.tape, list: list))
    }
}

extension SchemaWalk {
    /// Walks the value for its breaches.
    fileprivate mutating func collect() throws(JSONError) -> NoteList {
        let root = program.contents.root
        let scope = enter(root, 0)
        applications.append(Application(node: root, scope: scope))
        try judge(SchemaText.root, from: 0)
        return applications[0].breaches
    }
}

/// Checkers that are not in use, kept for the next value.
final class CheckerPool: @unchecked Sendable {
    private let lock = Lock()
    private var checkers: [SchemaChecker] = []

    func take() -> SchemaChecker? { lock.withLock { checkers.popLast() } }
    func keep(_ checker: SchemaChecker) { lock.withLock { if checkers.count < 8 { checkers.append(checker) } } }
}
