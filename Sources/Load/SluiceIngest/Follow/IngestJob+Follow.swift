// Follows logs that grow: pass after pass, each of them a run of its own that begins with what the database and the disk say. So a run that
// is killed at any moment is no special case.

internal import Foundation
internal import SluiceCore

/// How logs are followed.
package struct Following: Sendable {
    /// How many seconds lie between the beginnings of two passes at least.
    package var interval = 1.0
    /// How many seconds lie between two looks at the files; nil if the system tells of changes.
    package var poll: Double?

    package init() {}
}

/// What a run that follows logs tells while it goes on.
package protocol FollowObserver {
    /// A pass has stored something; the report is of all passes.
    mutating func passed(_ report: IngestReport)
    /// The run cannot go on for now, and tries again. It is told once, until a pass succeeds.
    mutating func paused(_ reason: String)
}

extension IngestJob {
    /// Reads logs, and goes on as they grow, until a signal comes.
    ///
    /// - Returns: The report of all passes.
    /// - Throws: ``IngestError`` if the first pass cannot begin, or if no later one could.
    package func follow(
        _ arguments: [String], _ following: Following, _ observer: inout some FollowObserver
    ) throws -> IngestReport {
        guard sink.abilities.contains(.appending) else {
            throw IngestError.usage("\(sink.name) is written anew by each run: only a table can follow files that grow")
        }
        guard following.interval >= 0.01, following.interval <= 86_400, following.poll ?? 1 >= 0.01, following.poll ?? 1 <= 86_400
        else { throw IngestError.usage("there are 0.01 to 86,400 seconds between two passes, or looks") }
        var job = self
        let memory = LookMemory()
        let watch = FolderWatch(poll: following.poll)
        var report: IngestReport?
        var pause = Pause()
        while interruption.received == 0 {
            let start = Clock.nanoseconds
            var next: Int?
            do {
                let families = try watch.families(of: arguments, movedTo: options.rotation?.folders ?? [])
                let pass = try job.pass(families, NoProgress(), memory)
                memory.keepOpen()
                if pass.records > 0 || report == nil || pass.unread != report?.unread {
                    report = report?.followed(by: pass) ?? pass
                    report.map { observer.passed($0) }
                }
                if pass.isTableMade { job.options.existing = .append }
                switch pass.outcome {
                case .complete, .nothingToDo: pause.end()
                case .interrupted: continue
                case .failed(let reason): pause.begin(reason.description, &observer)
                case .tooManyErrors, .frozen: return report ?? pass
                }
                next = pass.movedFiles > 0 ? 0 : memory.nextLook.map { max(0, $0 - FamilyLook.time) / 1_000_000 }
            } catch let error as IngestError where report != nil && error.mayPass || error.isOfOtherRun {
                pause.begin(error.description, &observer)
            } catch let error as JSONError where report != nil {
                // A file was moved while the first records were looked at.
                pause.begin(error.summary.description, &observer)
            }
            if let length = pause.length {
                _ = interruption.waits(for: -1, atMost: length)
                continue
            }
            guard watch.wait(atMost: next, interruption) else { continue }
            // What comes within the interval is stored together.
            let rest = Int(following.interval * 1_000) - Int((Clock.nanoseconds - start) / 1_000_000)
            if rest > 0 { _ = interruption.waits(for: -1, atMost: rest) }
        }
        var result = report ?? IngestReport(destination: sink.destination, table: sink.table)
        // A signal is how such a run ends.
        if case .interrupted = result.outcome { result.outcome = .complete }
        return result
    }

    /// The pauses after failures, which become longer.
    private struct Pause {
        private(set) var length: Int?
        private var told: String?
        private static let longest = 30_000

        mutating func begin(_ reason: String, _ observer: inout some FollowObserver) {
            length = min((length ?? 50) * 2, Pause.longest)
            if told == nil { observer.paused(reason) }
            told = reason
        }

        mutating func end() { (length, told) = (nil, nil) }
    }
}

/// Shows nothing.
private struct NoProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    func show(_ progress: IngestProgress) {}
    func clear() {}
}

extension IngestError {
    /// Whether the same may succeed later: a server may be down for a while, or a disk full.
    fileprivate var mayPass: Bool {
        switch self {
        case .database, .locked, .input, .output: true
        case .usage, .noColumns, .outrun, .frozen: false
        }
    }

    fileprivate var isOfOtherRun: Bool { if case .outrun = self { true } else { false } }
}

extension FolderWatch {
    /// The logs that arguments name now, whose folders are watched from now on. What is not there yet is waited for.
    fileprivate func families(of arguments: [String], movedTo folders: [String]) throws(IngestError) -> [Family] {
        var families: [Family] = []
        var inputs: [String] = []
        for argument in arguments {
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder)
            if isThere, isFolder.boolValue { inputs += FolderWatch.folders(in: argument) }
            var passedOver: [IngestInput.FolderRest] = []
            do throws(IngestError) {
                families += try Family.list([argument], passedOver: &passedOver)
            } catch .input(_) where !isThere || isFolder.boolValue {
                continue
            }
        }
        var known: Set<Family> = []
        families = families.filter { known.insert($0).inserted }
        watch(families, movedTo: folders, inputs: inputs)
        return families
    }

    /// A folder and those inside it.
    private static func folders(in folder: String) -> [String] {
        let inner = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
        let paths = (inner?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
        return [folder] + paths.map(\.path)
    }
}
