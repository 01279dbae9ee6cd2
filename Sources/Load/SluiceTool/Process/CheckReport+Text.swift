// The result of a check in words, and the exit status for it.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

extension CheckReport {
    /// The exit status of the process.
    var status: ExitStatus {
        if signal != 0 { return .interrupted(signal: signal) }
        if errors.contains(where: { $0.kind == .inputOutput }) { return .inputOutput }
        return wrong == 0 ? .success : .invalid
    }

    /// The report as it is printed.
    ///
    /// - Parameter paint: colours the verdict.
    func text(isVerbose: Bool = false, _ paint: (Colour, String) -> String = { $1 }) -> String {
        var lines: [String] = []
        let name = name.printable
        if signal != 0 { lines.append("\(name): stopped by \(ExitStatus.name(ofSignal: signal))") }
        if wrong == 0 {
            lines.append("\(name): \(paint(.green, "valid")): \(contents)")
        } else {
            let first = errors.count < wrong ? "; the first:" : ":"
            lines.append(
                "\(name): \(paint(.red, "\(wrong.grouped) wrong")), \(counted(records, "valid record")), \(dataSize(bytes))\(first)"
            )
            for error in errors { lines.append("  " + error.loaderText.replacing("\n", with: "\n    ")) }
            if isStopped { lines.append("  not read to the end: there are more errors than allowed") }
        }
        if isVerbose, nanoseconds > 0 {
            let seconds = Double(nanoseconds) / 1e9
            lines.append("  \(seconds.fixed(2)) s: \((Double(bytes) / 1e6 / seconds).fixed(1)) MB/s")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var contents: String {
        switch format {
        case .array: "\(counted(records, "record")) in an array, \(dataSize(bytes))"
        case .concatenated, .lines, .automatic, .sequence, .object: "\(counted(records, "record")), \(dataSize(bytes))"
        }
    }
}
#endif
