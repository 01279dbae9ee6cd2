// A peer that is a program of its own. It is asked line by line over pipes, and times itself:
//
//     lanes                                          →  msgspec reading twitter.json;orjson reading twitter.json;…
//     run msgspec reading 20 /path twitter.json      →  41520381 100.0 …           nanoseconds, fingerprint
//     show glaze reading /path /result twitter.json  →  41520381                   what was read or written is in the file /result
//
// So its lanes take part in the same interleaved rounds as those of this process.

internal import Foundation

/// A program that runs lanes.
final class PeerProcess {
    /// What is not measured, and why.
    private(set) var skipped: [String] = []
    /// The versions of its libraries.
    private(set) var versions: [String] = []
    private var offered: Set<String> = []
    private let showsResults: Bool
    private var process: Process?
    private var input: FileHandle?
    private var output: FileHandle?
    private var pending = Data()

    /// msgspec and orjson; `SLUICE_PYTHON` says which Python has them.
    static var python: PeerProcess {
        let python = ProcessInfo.processInfo.environment["SLUICE_PYTHON"] ?? "python3"
        return PeerProcess(
            "msgspec, orjson", ["/usr/bin/env", python, folder + "/peer.py"],
            hint: "pip install msgspec orjson, or SLUICE_PYTHON=/path/to/python")
    }

    /// serde_json.
    static var rust: PeerProcess {
        let program =
            ProcessInfo.processInfo.environment["SLUICE_SERDE_PEER"] ?? folder + "/../.build/serde/release/serde-peer"
        return PeerProcess(
            "serde_json", [program], hint: "Benchmarks/Peers/build-serde")
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Peers").standardizedFileURL.path

    /// A library in C++, in one of the programs of build-cxx.
    private static func cxx(_ name: String) -> PeerProcess {
        PeerProcess(
            name, [folder + "/../.build/cxx/\(name)-peer"], showsResults: true,
            hint: "SLUICE_PEERS=/path/\(name) Benchmarks/Peers/build-cxx")
    }

    static var glaze: PeerProcess { cxx("glaze") }
    static var simdjson: PeerProcess { cxx("simdjson") }
    static var yyjson: PeerProcess { cxx("yyjson") }

    init(_ name: String, _ command: [String], showsResults: Bool = false, hint: String) {
        self.showsResults = showsResults
        guard FileManager.default.isExecutableFile(atPath: command[0]) else {
            skipped.append("\(name): not built (\(hint))")
            return
        }
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            self.process = process
            self.input = input.fileHandleForWriting
            self.output = output.fileHandleForReading
            offered = Set(try ask("lanes").split(separator: ";").map(String.init))
            versions = try ask("versions").split(separator: ";").map(String.init)
            if offered.isEmpty { skipped.append("\(name): not installed (\(hint))") }
        } catch {
            skipped.append("\(name): does not run (\(hint))")
        }
    }

    deinit { process?.terminate() }

    /// The lanes that this program has for a document.
    func lanes(_ name: String, _ direction: Direction, _ document: Document, _ judge: PeerJudge) -> [Lane] {
        LaneKind.allCases.filter { offered.contains("\($0.key) \(direction.rawValue) \(name)") }.map { kind in
            let request = "\(kind.key) \(direction.rawValue)"
            let fingerprint = Reply()
            let run: (Int) throws -> UInt64 = { count in
                let reply = try self.ask("run \(request) \(count) \(document.path) \(name)")
                let numbers = reply.split(separator: " ").compactMap { Double($0) }
                guard let nanoseconds = numbers.first else { throw BenchmarkError("\(kind.rawValue): \(name): \(reply)") }
                fingerprint.numbers = Array(numbers.dropFirst())
                return UInt64(nanoseconds)
            }
            let check: () throws -> String? = {
                if self.showsResults {
                    let result = NSTemporaryDirectory() + "sluice-peer-\(getpid())-\(kind.key)"
                    defer { try? FileManager.default.removeItem(atPath: result) }
                    _ = try self.ask("show \(request) \(document.path) \(result) \(name)")
                    let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: result)))
                    do { return try judge.ofText(text) } catch { return "what it writes cannot be read: \(error)" }
                }
                let expected = try judge.fingerprint()
                if expected.isEmpty || fingerprint.numbers.isEmpty { return nil }
                return fingerprint.numbers == expected ? nil : "\(fingerprint.numbers) instead of \(expected)"
            }
            return Lane(kind: kind, run: run, check: check, isInProcess: false)
        }
    }

    private final class Reply {
        var numbers: [Double] = []
    }

    private func ask(_ line: String) throws -> String {
        guard let input, let output else { throw BenchmarkError("no such process") }
        try input.write(contentsOf: Data((line + "\n").utf8))
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let reply = String(decoding: pending[pending.startIndex..<end], as: UTF8.self)
                pending = Data(pending[pending.index(after: end)...])
                return reply
            }
            let more = output.availableData
            if more.isEmpty { throw BenchmarkError("the peer has ended") }
            pending += more
        }
    }
}
