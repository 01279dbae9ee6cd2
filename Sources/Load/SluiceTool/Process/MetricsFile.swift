// The file of `--metrics`, which the textfile collector of Prometheus' node_exporter reads, and the lines of `--report-every`.

#if CommandLine
internal import Foundation
internal import SluiceCore
internal import SluiceIngest
internal import Synchronization

/// A file with the figures of a run. It is written aside and renamed, so that nobody reads a part of it.
final class MetricsFile: Sendable {
    private let path: String
    private let hasFailed = Mutex(false)

    /// - Throws: ``IngestError/output(_:)`` if the file cannot be made: that is better said before anything is read.
    init(path: String) throws(IngestError) {
        try OutputFile.check(path)
        // It is written again and again, and takes its name each time.
        guard !FileManager.default.fileExists(atPath: path) || IngestInput.isRegularFile(path) else {
            throw .output("\(path) is no regular file, and --metrics needs one")
        }
        self.path = path
    }

    /// Writes the figures. If that fails, the run goes on, and the reason is shown once.
    func write(_ figures: RunFigures) {
        do {
            var file = try OutputFile(path: path)
            try file.put(Array(figures.prometheus.utf8))
            // What is written anew after each commit need not outlast a power failure.
            try file.complete(isSynced: false)
        } catch {
            let isKnown = hasFailed.withLock { known in
                defer { known = true }
                return known
            }
            guard !isKnown else { return }
            let reason = (error as? IngestError)?.commandLine ?? (error as? JSONError)?.summary ?? "\(error)"
            // The progress line is on the screen.
            if isatty(STDERR_FILENO) == 1 { Terminal.show("\r\u{1B}[K") }
            Terminal.tell("sluice: --metrics: \(reason); the run goes on, and tries again after each batch")
        }
    }
}

/// Prints a line of figures now and then.
final class FigureLines: Sendable {
    private let interval: UInt64
    /// When the next line is due, by the clock: a run that follows logs waits most of the time.
    private let next: Mutex<UInt64>

    init(every seconds: Double) {
        interval = UInt64(seconds * 1e9)
        next = Mutex(Clock.nanoseconds + interval)
    }

    /// Prints the figures, if a line is due. If that fails, so will the report, which says it.
    func print(_ figures: RunFigures) {
        guard !figures.isEnd, next.withLock({ isDue(&$0) }) else { return }
        try? Terminal.put(figures.json)
    }

    private func isDue(_ next: inout UInt64) -> Bool {
        let now = Clock.nanoseconds
        guard now >= next else { return false }
        next = now + interval
        return true
    }
}
#endif
