// What operators watch while a run goes on: options of `ingest`.

#if CommandLine
internal import ArgumentParser
internal import SluiceIngest

/// Options about the figures of a run.
struct WatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file that gets the figures of the run after each batch, in Prometheus' text format.", valueName: "file"),
        completion: .file())
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "With --report json: print a line of figures after the first batch of every n seconds, too.", valueName: "seconds"))
    var reportEvery: Double?

    private static let longest = 86_400.0

    func validate() throws {
        try require(metrics != "" && metrics != "-", "--metrics needs a file, which is written anew after each batch.")
        try require(
            reportEvery.map { $0 > 0 && $0 <= WatchOptions.longest } ?? true,
            "--report-every is a number of seconds above 0, and 86400 at most.")
    }

    /// Sets what watches a run.
    ///
    /// - Parameter isQuiet: Whether nothing is printed.
    /// - Throws: ``IngestError/output(_:)`` if the file of metrics cannot be made.
    func apply(to options: inout IngestOptions, isQuiet: Bool) throws(IngestError) {
        // A dry run commits and writes nothing.
        guard !options.isDryRun else { return }
        let file = try metrics.map { path throws(IngestError) in try MetricsFile(path: path) }
        let lines = isQuiet ? nil : reportEvery.map { FigureLines(every: $0) }
        guard file != nil || lines != nil else { return }
        options.metricsFile = metrics
        options.watch = { figures in
            file?.write(figures)
            lines?.print(figures)
        }
    }
}
#endif
