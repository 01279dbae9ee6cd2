// What a lane needs of memory, at the most: measured in a process of its own, in which nothing has run before.

internal import CBaselines
internal import Foundation

enum MemoryProbe {
    /// Bytes by which a process grows while it runs a lane three times, the text and the model to be written being there before.
    /// Nil where the system does not tell.
    static func growth(of kind: LaneKind, _ subject: Subject, _ data: GeneratedData) -> Int? {
        ask([
            "--once", kind.key, "\(subject.name) \(subject.direction.rawValue)", "--iterations", "3", "--memory-probe",
            "--folder", data.path,
        ])
    }

    /// The same for a process that reads a feed from a file, once.
    static func growth(ofFeed path: String, isGitHub: Bool) -> Int? {
        ask(["--feed-probe", isGitHub ? "github" : "generated", path])
    }

    /// Asks another process of this program.
    private static func ask(_ arguments: [String]) -> Int? {
        let process = Process()
        let pipe = Pipe()
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Int(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Forgets the peak so far; what is resident now, in bytes.
    static func startPeak() -> Int {
        baseline_release_free_memory()
        // `5` resets the peak: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return status("VmRSS")
    }

    /// What was resident at the most since then, in bytes.
    static var peak: Int { status("VmHWM") }

    private static func status(_ field: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes << 10
    }
}
