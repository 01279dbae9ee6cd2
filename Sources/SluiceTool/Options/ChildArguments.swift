// The options of `ingest` that say which arrays go into tables of their own.

#if CommandLine
public import ArgumentParser
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
            let isJSON = text.hasSuffix("=json")
            let path = isJSON ? String(text.dropLast(5)) : text.hasSuffix("=tables") ? String(text.dropLast(7)) : text
            try options.choose(path, isJSON ? .json : .tables)
        }
        return options
    }
}

extension ChildStorage: ExpressibleByArgument {}
extension ChildRejects: ExpressibleByArgument {}
#endif
