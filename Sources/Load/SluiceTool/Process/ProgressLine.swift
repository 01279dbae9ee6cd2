// Keeps one line of a terminal up to date with how far the work has come.

#if CommandLine
internal import Foundation
internal import SluiceIngest

/// A line that shows how far the work has come; without a terminal it shows nothing.
struct ProgressLine: ProgressDisplay {
    /// When the line is shown.
    enum Visibility: String, CaseIterable {
        /// On a terminal.
        case auto
        /// Also if standard error is a file or pipe, which gets a new line every second.
        case always
        case never
    }

    private let isShown: Bool
    /// Returns the current width of the terminal in columns; nil for a file or pipe, where each state gets a line of its own.
    private let width: (() -> Int)?
    private let put: (String) -> Void
    private var isOnScreen = false
    /// The time of the next update, in nanoseconds since the start. Ten updates a second are enough for people, one is enough for
    /// a file.
    private var nextUpdate: UInt64
    private let interval: UInt64

    /// - Parameters:
    ///   - width: Returns the width of the terminal in columns; nil for a file or pipe.
    ///   - put: Writes text; by default, to standard error.
    init(isShown: Bool, width: (() -> Int)? = { 80 }, put: @escaping (String) -> Void = Terminal.show) {
        self.isShown = isShown
        self.width = width
        self.put = put
        interval = width == nil ? 1_000_000_000 : 100_000_000
        nextUpdate = isShown ? interval : .max
    }

    /// The progress line on standard error.
    static func standard(isQuiet: Bool, visibility: Visibility = .auto) -> ProgressLine {
        let isTerminal = isatty(STDERR_FILENO) == 1
        let isShown = visibility == .always || visibility == .auto && isTerminal && !isQuiet
        return ProgressLine(isShown: isShown, width: isTerminal ? { Terminal.width(of: STDERR_FILENO) } : nil)
    }

    /// Whether an update is due at this time (nanoseconds since the start); cheap enough to ask after every record.
    @inline(__always)
    func isDue(_ nanoseconds: UInt64) -> Bool { nanoseconds >= nextUpdate }

    /// Shows a state.
    mutating func show(_ state: IngestProgress) {
        guard isShown else { return }
        nextUpdate = state.nanoseconds + interval
        guard let width else { return put(ProgressLine.text(for: state, width: .max) + "\n") }
        isOnScreen = true
        // Go to the start of the line, and erase up to its end. A line that fills the last column would wrap.
        put("\r" + ProgressLine.text(for: state, width: width() - 1) + "\u{1B}[K")
    }

    /// Removes the line from the screen.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        put("\r\u{1B}[K")
    }

    /// The line's text. If it is longer than the width, the least important parts are left out first: the speed, the time that is
    /// left, the size.
    static func text(for state: IngestProgress, width: Int) -> String {
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
