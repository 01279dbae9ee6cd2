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

    /// When the line is shown.
    enum Visibility: String, CaseIterable {
        /// On a terminal.
        case auto
        /// Also where standard error is a file or pipe: there, as a line each second.
        case always
        case never
    }

    private let isShown: Bool
    /// How many columns the terminal has at this moment; nil where there is no terminal, and states follow each other line by line.
    private let width: (() -> Int)?
    private let put: (String) -> Void
    private var isOnScreen = false
    /// The moment before which the line is left as it is: ten updates a second are enough for people, one is enough for a file.
    private var nextUpdate: UInt64
    private let interval: UInt64

    /// - Parameters:
    ///   - width: the columns of the terminal, or nil for a file or pipe.
    ///   - put: where text goes; by default, standard error.
    init(isShown: Bool, width: (() -> Int)? = { 80 }, put: @escaping (String) -> Void = Terminal.show) {
        self.isShown = isShown
        self.width = width
        self.put = put
        interval = width == nil ? 1_000_000_000 : 100_000_000
        nextUpdate = isShown ? interval : .max
    }

    /// For standard error, unless the user wants quiet.
    static func standard(isQuiet: Bool, visibility: Visibility = .auto) -> ProgressLine {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let isShown = visibility == .always || visibility == .auto && isTerminal && !isQuiet
        return ProgressLine(isShown: isShown, width: isTerminal ? { Terminal.width(of: STDERR_FILENO) } : nil)
    }

    /// Whether the line is due for an update at this moment; cheap, for every record.
    @inline(__always)
    func isDue(_ nanoseconds: UInt64) -> Bool { nanoseconds >= nextUpdate }

    /// Shows a state.
    mutating func show(_ state: State) {
        guard isShown else { return }
        nextUpdate = state.nanoseconds + interval
        guard let width else { return put(ProgressLine.text(for: state, width: .max) + "\n") }
        isOnScreen = true
        // Back to the start of the line, and erase to its end. A line that fills the last column would wrap.
        put("\r" + ProgressLine.text(for: state, width: width() - 1) + "\u{1B}[K")
    }

    /// Takes the line off the screen.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        put("\r\u{1B}[K")
    }

    /// The line's text. Where it is longer than the width, what matters least is left out first: the speed, the time that is left, the
    /// size.
    static func text(for state: State, width: Int) -> String {
        let seconds = Double(state.nanoseconds) / 1e9
        let speed = seconds > 0 ? Double(state.bytes) / seconds : 0
        let records = "\(state.records.grouped) records"
        var parts: [String] = []
        if let total = state.totalBytes, total > 0 {
            parts.append("\((Double(state.bytes) / Double(total) * 100).fixed(0)) % of \(megabytes(total))")
        } else {
            parts.append(megabytes(state.bytes))
        }
        parts.append(records)
        if state.rejected > 0 { parts.append("\(state.rejected.grouped) rejected") }
        let essential = parts.count
        if let total = state.totalBytes, speed > 0, state.bytes <= total {
            let left = Int((Double(total - state.bytes) / speed).rounded(.up))
            let rest = left % 60
            parts.append("\(left / 60):\(rest < 10 ? "0" : "")\(rest) left")
        }
        let speedText = "\((speed / 1e6).fixed(1)) MB/s"
        let full = (parts[..<essential] + [speedText] + parts[essential...]).joined(separator: "  ")
        if full.count <= width { return full }
        for count in stride(from: parts.count, through: 1, by: -1) {
            let text = parts[..<count].joined(separator: "  ")
            if text.count <= width { return text }
        }
        return String(records.prefix(max(width, 0)))
    }
}
#endif
