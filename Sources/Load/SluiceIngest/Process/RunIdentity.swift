// Identifies a run of the tool, so that another run, perhaps on another machine, can find out whether it is still running.

internal import Foundation
internal import SluiceCore
internal import Synchronization

/// One run of the tool: the process that it is part of, the machine that the process is on, and when it began.
package struct RunIdentity: Hashable, Sendable {
    /// What another run can find out about this one.
    package enum State: Hashable {
        case running
        case ended
        /// The run is on another machine, or in a container whose processes this process cannot see.
        case unknown
    }

    /// Distinguishes the run from all others, also from those of the same process.
    package var id: String
    package var host: String
    /// The processes that the run can see: numbers of processes mean something only among these.
    package var space: String
    /// Changes when the machine is started anew, which ends all its processes.
    package var boot: String
    package var process: Int
    /// When the process began, in the system's own unit; 0 if unknown. It is needed because the system uses process numbers
    /// again.
    package var birth: Int
    /// When the run began, in UTC, for people.
    package var started: String

    /// The ids of this process's runs that have not ended.
    private static let current = Mutex<Set<String>>([])

    /// A new run of this process. It counts as running until ``end()`` is called.
    package static func new() -> RunIdentity {
        let process = Int(getpid())
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        current.withLock { _ = $0.insert(id) }
        return RunIdentity(
            id: id, host: currentHost, space: currentSpace,
            boot: currentBoot, process: process, birth: SystemProcess(process)?.birth ?? 0, started: Date().ISO8601Format())
    }

    /// Ends the run. Releasing its inputs may have failed, and its process, such as a server, may run for a long time. So other
    /// runs of this process look into this set.
    package func end() { RunIdentity.current.withLock { _ = $0.remove(id) } }

    /// The process and when the run began, for messages.
    package var description: String { "process \(process), started at \(started)" }

    /// Whether the run still goes on, as seen from a run of this process.
    package func state(seenFrom here: RunIdentity) -> State {
        guard host == here.host else { return .unknown }
        guard boot == here.boot else { return .ended }
        guard space == here.space else { return .unknown }
        if process == Int(getpid()), birth == here.birth {
            return RunIdentity.current.withLock { $0.contains(id) } ? .running : .ended
        }
        guard let found = SystemProcess(process) else { return .ended }
        return birth == 0 || found.birth == 0 || birth == found.birth ? .running : .ended
    }

    /// The machine's own name for itself. Foundation would ask the network for it.
    private static var currentHost: String {
        unsafe text(of: 256) { unsafe gethostname($0, 256) }
    }

    /// The text that a function of C writes into a buffer; empty if it fails.
    private static func text(of size: Int, _ fill: (UnsafeMutablePointer<CChar>) -> Int32) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size + 1) { buffer in
            unsafe buffer.initialize(repeating: 0)
            // Safe: the buffer is not empty, the function writes `size` bytes at most, and the last byte stays 0.
            guard let start = buffer.baseAddress, unsafe fill(start) == 0 else { return "" }
            return unsafe String(cString: start)
        }
    }

    #if os(Linux)
    private static var currentSpace: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
    }
    private static var currentBoot: String {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
    #else
    private static let currentSpace = ""
    private static var currentBoot: String {
        unsafe text(of: 64) { buffer in
            var size = 64
            return unsafe sysctlbyname("kern.bootsessionuuid", buffer, &size, nil, 0)
        }
    }
    #endif
}

// MARK: As text

extension RunIdentity {
    /// The run as one line of JSON, as a sink stores it.
    package var text: String {
        let value: JSONValue = [
            "id": .string(id), "host": .string(host), "space": .string(space), "boot": .string(boot),
            "process": .number(JSONNumber(process)), "birth": .number(JSONNumber(birth)), "started": .string(started),
        ]
        return (try? value.jsonString()) ?? ""
    }

    /// - Returns: nil if the text does not describe a run.
    package init?(text: String) {
        guard let value = try? JSONValue(json: text), let id = value["id"]?.string, let process = value["process"]?.int else {
            return nil
        }
        self.init(
            id: id, host: value["host"]?.string ?? "", space: value["space"]?.string ?? "", boot: value["boot"]?.string ?? "",
            process: process, birth: value["birth"]?.int ?? 0, started: value["started"]?.string ?? "")
    }
}

/// A process of this machine that has not ended.
package struct SystemProcess {
    /// When it began, in the system's own unit; 0 if the system does not say.
    package let birth: Int

    /// Nil if no process has this number, or if it has ended and only its parent has not noticed yet.
    package init?(_ number: Int) {
        guard let number = pid_t(exactly: number), number > 0, let birth = SystemProcess.birth(of: number) else { return nil }
        self.birth = birth
    }

    #if os(Linux)
    private static func birth(of number: pid_t) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
            return exists(number) ? 0 : nil
        }
        // The second field is the program's name in parentheses, which may contain anything, then come state, …, start time:
        // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        guard let state = fields.first, state != "Z", state != "X" else { return nil }
        return fields.count > 19 ? Int(fields[fields.startIndex + 19]) ?? 0 : 0
    }
    #elseif os(macOS)
    private static func birth(of number: pid_t) -> Int? {
        var request = [CTL_KERN, KERN_PROC, KERN_PROC_PID, number]
        var found = unsafe kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        guard unsafe sysctl(&request, u_int(request.count), &found, &size, nil, 0) == 0, size > 0 else {
            return exists(number) ? 0 : nil
        }
        guard unsafe Int32(found.kp_proc.p_stat) != SZOMB else { return nil }
        let start = unsafe found.kp_proc.p_un.__p_starttime
        return Int(start.tv_sec) &* 1_000_000 &+ Int(start.tv_usec)
    }
    #else
    private static func birth(of number: pid_t) -> Int? { exists(number) ? 0 : nil }
    #endif

    /// Whether there is a process with this number, even if the system says nothing more about it.
    private static func exists(_ number: pid_t) -> Bool { kill(number, 0) == 0 || errno == EPERM }
}
