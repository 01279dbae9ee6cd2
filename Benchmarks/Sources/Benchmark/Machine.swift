// Where the numbers come from: a number without its machine is a rumour.

internal import CBaselines
internal import Foundation

/// The machine, the system, the compiler and the commit.
struct Machine: Codable {
    let processor: String
    let cores: Int
    let system: String
    let compiler: String
    let commit: String
    let yajl: String

    init() {
        processor = Machine.processorName
        cores = ProcessInfo.processInfo.processorCount
        let release = Machine.lines("/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
        let name = release.map { $0.dropFirst("PRETTY_NAME=".count).trimmingCharacters(in: ["\""]) }
        system = [name ?? ProcessInfo.processInfo.operatingSystemVersionString, Machine.output(["uname", "-m"])]
            .compactMap { $0 }.joined(separator: ", ")
        compiler = Machine.output(["swift", "--version"])?.split(separator: "\n").first.map(String.init) ?? "unknown"
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let revision = Machine.output(["git", "-C", folder, "rev-parse", "--short", "HEAD"])
        let changes = Machine.output(["git", "-C", folder, "status", "--porcelain"])
        commit = (revision ?? "unknown") + (changes?.isEmpty == false ? " + changes" : "")
        let version = Int(baseline_yajl_version())
        yajl = "\(version / 10_000).\(version / 100 % 100).\(version % 100)"
    }

    private static var processorName: String {
        if let line = lines("/proc/cpuinfo").first(where: { $0.hasPrefix("model name") }) {
            return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? line
        }
        return output(["sysctl", "-n", "machdep.cpu.brand_string"]) ?? "unknown"
    }

    private static func lines(_ path: String) -> [String] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    /// What a command prints; nil if it fails.
    private static func output(_ command: [String]) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
