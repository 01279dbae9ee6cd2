// The options about the schema that records must fit.

#if CommandLine
internal import ArgumentParser
internal import SluiceCore
internal import SluiceSchema

/// `--schema` and `--formats`.
struct SchemaOptions: ParsableArguments {
    @Option(
        name: .customLong("schema"),
        help: ArgumentHelp(
            "A JSON Schema (draft 2020-12) that each record must fit; of a record that does not, the first breach is shown.",
            valueName: "file"), completion: .file())
    var path: String?

    @Flag(help: "Strings must have the format that 'format' of the schema names.")
    var formats = false

    func validate() throws { try require(path != nil || !formats, "--formats is for --schema.") }

    /// The compiled schema; nil without one.
    func schema() throws -> JSONSchema? {
        guard let path else { return nil }
        do throws(JSONError) {
            let schema = try JSONSchema(path: path, options: JSONSchema.Options(assertsFormats: formats))
            for format in schema.uncheckedFormats { Terminal.tell("sluice: the format '\(format.printable)' is not checked") }
            return schema
        } catch {
            Terminal.tell("sluice: \(path.printable): \(error)")
            throw (error.kind == .inputOutput ? ExitStatus.inputOutput : .usage).exitCode
        }
    }
}
#endif
