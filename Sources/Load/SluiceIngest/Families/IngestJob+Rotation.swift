// Reads rotated logs once: what a look finds, and what was moved while it was read.

internal import Foundation
internal import SluiceCore

extension IngestJob {
    /// Ingests the logs that arguments of a command line name, with their rotated files.
    package func runRotated(_ arguments: [String], _ progress: any ProgressDisplay) throws -> IngestReport {
        var passedOver: [IngestInput.FolderRest] = []
        let logs = try NamedLogs(arguments, movedTo: options.rotation?.folders ?? [], mustExist: true, passedOver: &passedOver)
        var job = self
        let memory = LookMemory()
        var report = try job.pass(logs, progress, memory, passedOver: passedOver)
        for number in 0..<IngestJob.mostLooks where report.movedFiles > 0 && report.outcome == .complete {
            // Rotation takes a moment.
            _ = interruption.waits(for: -1, atMost: number)
            report.movedFiles = 0
            // What was stored must not be deleted again.
            if report.isTableMade { job.options.existing = .append }
            report = try report.followed(by: job.pass(logs, progress, memory))
        }
        if report.movedFiles > 0 {
            report.unread.append("\(counted(report.movedFiles, "file")) could not be read, because rotation moved them again and again")
        }
        return report
    }

    private static let mostLooks = 100

    /// Looks at the logs, and reads what is new in them.
    func pass(
        _ logs: NamedLogs, _ progress: any ProgressDisplay, _ memory: LookMemory, isFollowed: Bool = false,
        passedOver: [IngestInput.FolderRest] = []
    ) throws -> IngestReport {
        var options = options
        options.rotation?.families = logs.families
        options.rotation?.roots = logs.roots
        options.rotation?.isFollowed = isFollowed
        return try IngestJob(options, into: sink, interruption: interruption).run(
            [], passedOver: passedOver, progress: progress, memory: memory)
    }
}

/// The logs that arguments of a command line name: by one of their files, by a folder, or by a pattern.
struct NamedLogs {
    private(set) var families: [Family] = []
    /// The folders among the arguments.
    private(set) var roots: [String] = []

    /// - Parameters:
    ///   - folders: The folders to which rotation moves files.
    ///   - mustExist: Whether each argument must name a file that is there.
    /// - Throws: ``IngestError``; ``JSONError`` if a file is missing that must exist.
    init(
        _ arguments: [String], movedTo folders: [String], mustExist: Bool, passedOver: inout [IngestInput.FolderRest]
    ) throws {
        guard !arguments.contains("-") else {
            throw IngestError.usage("standard input cannot be read again, and has no rotated files: name the files")
        }
        roots = arguments.filter(NamedLogs.isFolder)
        var known: Set<Family> = []
        families = try IngestInput.list(arguments, areRotated: true, mayBeEmpty: !mustExist, passedOver: &passedOver)
            .map { Family(ofFile: $0.name) }.filter { known.insert($0).inserted }
        // What lies in the folder to which files are moved belongs to a log in another folder.
        let archives = Set(folders.map { IngestInput.identity(ofFile: $0) })
        let names = Dictionary(grouping: families.filter { !archives.contains($0.resolvedFolder) }, by: \.name).values
        if !folders.isEmpty, let alike = names.first(where: { $0.count > 1 }) {
            let logs = alike.map { $0.folder + $0.name.stem }.joined(separator: " and ")
            throw IngestError.usage("in the folder to which rotation moves files, nothing tells those of \(logs) apart: name one log at a time")
        }
        var listing = FolderListing()
        for family in families where mustExist {
            guard try listing.files(of: family, and: folders.map { family.moved(to: $0) }).isEmpty else { continue }
            let path = family.folder + family.name.stem
            // It says what is wrong with the name.
            try IngestInput.file(path).checkThatItOpens()
            throw IngestError.input("\(path) is no file that can be read again")
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
