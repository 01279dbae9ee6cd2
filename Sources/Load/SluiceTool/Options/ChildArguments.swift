// The options of `ingest` that say which arrays go into tables of their own.

#if CommandLine
public import ArgumentParser
internal import SluiceCore
public import SluiceIngest

struct ChildArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the elements of arrays go: into their record's row, as JSON, or into child tables, which have its key.",
            valueName: "json|tables"))
    var children: ChildStorage = .json

    @Option(
        help: ArgumentHelp(
            "An array whose elements go into a child table, or with =json stay in their record's row. May be repeated.",
            valueName: "path[=json]"))
    var child: [String] = []

    @Option(
        help: ArgumentHelp("What is rejected if an element of an array cannot be stored.", valueName: "record|element"))
    var childRejects: ChildRejects = .record

    /// Whether no option was given.
    var isDefault: Bool { children == .json && child.isEmpty }

    func validate() throws {
        do {
            _ = try options()
        } catch {
            throw ValidationError("--child: \(error.description)")
        }
    }

    func options() throws(IngestError) -> ChildOptions {
        var options = ChildOptions()
        options.storage = children
        options.rejects = childRejects
        for text in child {
            let (path, storage) = try ChildArguments.choice(text)
            try options.choose(path, storage)
        }
        return options
    }

    /// Splits a text such as `order.items=json`.
    private static func choice(_ text: String) throws(IngestError) -> (path: String, storage: ChildStorage) {
        guard let equals = PathSyntax.positions(of: "=", in: text).last else { return (text, .tables) }
        let word = String(text[text.index(after: equals)...])
        if let storage = ChildStorage(rawValue: word) { return (String(text[..<equals]), storage) }
        // Any other word belongs to a key, unless it is misspelt.
        guard let meant = KeyLikeness.closest(to: word, among: ChildStorage.allCases.map(\.rawValue)) else {
            return (text, .tables)
        }
        throw .usage(
            "'\(word)' in '\(text)' is not json or tables; did you mean '\(meant)'? A key with = stands in double quotes.")
    }
}

extension ChildStorage: ExpressibleByArgument {}
extension ChildRejects: ExpressibleByArgument {}
#endif
