// Counts go in, one line of a terminal is kept up to date.

#if CommandLine
internal import Foundation

/// A line that shows how far the work has come; without a terminal it shows nothing.
struct ProgressLine {
    /// How far the work has come.
    struct State {
        var bytes: Int
        /// Unknown for a pipe.
        var totalBytes: Int?
        var records: Int
        var rejected: Int
        var nanoseconds: UInt64
    }

    private let isShown: Bool
    private let put: (String) -> Void
    private var isOnScreen = false
    /// The moment before which the line is left as it is: ten updates a second are enough for people.
    private var nextUpdate: UInt64
    private static let interval: UInt64 = 100_000_000

    /// - Parameter put: where text goes; by default, standard error.
    init(isShown: Bool, put: @escaping (String) -> Void = Terminal.show) {
        self.isShown = isShown
        self.put = put
        nextUpdate = isShown ? ProgressLine.interval : .max
    }

    /// For a terminal on standard error, unless the user wants quiet.
    static func standard(isQuiet: Bool) -> ProgressLine {
        ProgressLine(isShown: !isQuiet && isatty(STDERR_FILENO) == 1)
    }

    /// Whether the line is due for an update at this moment; cheap, for every record.
    @inline(__always)
    func isDue(_ nanoseconds: UInt64) -> Bool { nanoseconds >= nextUpdate }

    /// Shows a state.
    mutating func show(_ state: State) {
        guard isShown else { return }
        nextUpdate = state.nanoseconds + ProgressLine.interval
        isOnScreen = true
        // Back to the start of the line, and erase to its end.
        put("\r" + ProgressLine.text(for: state) + "\u{1B}[K")
    }

    /// Takes the line off the screen.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        put("\r\u{1B}[K")
    }

    /// The line's text; short enough for a terminal of 80 columns.
    static func text(for state: State) -> String {
        let seconds = Double(state.nanoseconds) / 1e9
        let speed = seconds > 0 ? Double(state.bytes) / seconds : 0
        var parts: [String] = []
        if let total = state.totalBytes, total > 0 {
            parts.append("\((Double(state.bytes) / Double(total) * 100).fixed(0)) % of \(megabytes(total))")
        } else {
            parts.append(megabytes(state.bytes))
        }
        parts.append("\(state.records.grouped) records")
        if state.rejected > 0 { parts.append("\(state.rejected.grouped) rejected") }
        parts.append("\((speed / 1e6).fixed(1)) MB/s")
        if let total = state.totalBytes, speed > 0, state.bytes <= total {
            let left = Int((Double(total - state.bytes) / speed).rounded(.up))
            let rest = left % 60
            parts.append("\(left / 60):\(rest < 10 ? "0" : "")\(rest) left")
        }
        return parts.joined(separator: "  ")
    }
}
#endif
