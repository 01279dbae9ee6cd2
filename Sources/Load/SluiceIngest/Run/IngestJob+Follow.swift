// Follows logs that grow: pass after pass, each of them a run of its own that begins with what the database and the disk say. So a run that
// is killed at any moment is no special case.

internal import Foundation
internal import SluiceCore

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
        let folders = FolderWatch(poll: following.poll)
        let watcher = makeWatcher()
        var report: IngestReport?
        var pauses = Pauses()
        func pause(_ reason: IngestMessage, isFailure: Bool = true) {
            let isFirst = pauses.begin(reason, isFailure: isFailure)
            if isFirst { observer.paused(reason) }
            watcher?.pause(isFirst ? reason.description : nil)
        }
        while interruption.received == 0 {
            let start = Clock.nanoseconds
            var next: Int?
            do {
                let logs = try folders.logs(arguments, movedTo: options.rotation?.folders ?? [])
                let pass = try job.pass(logs, NoProgress(), memory, watcher, isFollowed: true)
                memory.keepOpen()
                let hasNews = pass.records > 0 || !Set(pass.unread).isSubset(of: report?.unread ?? [])
                let sum = report?.followed(by: pass) ?? pass
                if hasNews || report == nil { observer.passed(sum) }
                report = sum
                if pass.isTableMade { job.options.existing = .append }
                switch pass.outcome {
                case .complete, .nothingToDo: pauses.end()
                case .interrupted: continue
                case .failed(let reason): pause(reason, isFailure: !pass.isOutrun)
                case .tooManyErrors, .frozen:
                    watcher?.end(sum)
                    return sum
                }
                next = pass.movedFiles > 0 ? 0 : memory.nextLook.map { max(0, $0 - FamilyLook.time) / 1_000_000 }
            } catch let error as IngestError where error.mayPass(isFirst: report == nil) {
                pause(error.message, isFailure: !error.isOutrun)
            } catch let error as JSONError {
                // A file was moved while the first records were looked at.
                pause("\(error.summary)")
            }
            if let length = pauses.length {
                _ = interruption.waits(for: -1, atMost: length)
                continue
            }
            guard folders.wait(atMost: next, interruption) else { continue }
            // What comes within the interval is stored together.
            let rest = Int(following.interval * 1_000) - Int((Clock.nanoseconds - start) / 1_000_000)
            if rest > 0 { _ = interruption.waits(for: -1, atMost: rest) }
        }
        var result = report ?? IngestReport(destination: sink.destination, table: sink.table)
        // A signal is how such a run ends. What it could not store during a pause is not in the table.
        let end: IngestReport.Outcome = result.outcome == .nothingToDo ? .nothingToDo : .complete
        result.outcome = pauses.failure.map { .failed($0) } ?? end
        watcher?.end(result)
        return result
    }

    /// The pauses after failures, which become longer, in milliseconds.
    private struct Pauses {
        private(set) var length: Int?
        /// The newest failure since a pass has succeeded; nil if another run reads the logs.
        private(set) var failure: IngestMessage?
        private static let longest = 30_000

        /// Begins a pause, and returns whether it is the first one since a pass has succeeded.
        mutating func begin(_ reason: IngestMessage, isFailure: Bool) -> Bool {
            defer { length = min((length ?? 50) * 2, Pauses.longest) }
            failure = isFailure ? reason : nil
            return length == nil
        }

        mutating func end() { (length, failure) = (nil, nil) }
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
    ///
    /// - Parameter isFirst: Whether nothing has succeeded so far. Then a database that cannot be opened is probably misspelt.
    fileprivate func mayPass(isFirst: Bool) -> Bool {
        switch self {
        case .locked, .outrun, .noColumns: true
        case .database, .input, .output: !isFirst
        case .usage, .frozen: false
        }
    }
}

extension FolderWatch {
    /// The logs that arguments name now, whose folders are watched from now on. What is not there yet is waited for.
    fileprivate func logs(_ arguments: [String], movedTo folders: [String]) throws -> NamedLogs {
        while true {
            var passedOver: [IngestInput.FolderRest] = []
            let logs = try NamedLogs(arguments, movedTo: folders, mustExist: false, passedOver: &passedOver)
            let inner = logs.roots.flatMap(FolderWatch.folders)
            // A file that was made before its folder was watched is not told.
            guard watch(logs.families, movedTo: folders, inputs: inner, places: logs.places) else { return logs }
        }
    }

    /// A folder and those inside it, without hidden ones and links.
    private static func folders(in folder: String) -> [String] {
        let inner = ((try? FolderListing.entries(of: folder)) ?? []).filter(\.mayBeFolder).map { entry in
            folder.hasSuffix("/") ? folder + entry.name : folder + "/" + entry.name
        }
        .filter { path in
            var status = stat()
            return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        }
        return [folder] + inner.flatMap(folders)
    }
}
