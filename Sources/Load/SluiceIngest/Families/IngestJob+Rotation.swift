// Reads rotated logs once: what a look finds, and what was moved while it was read.

internal import SluiceCore

extension IngestJob {
    /// Ingests the logs that arguments of a command line name, with their rotated files.
    package func runRotated(_ arguments: [String], _ progress: any ProgressDisplay) throws -> IngestReport {
        var passedOver: [IngestInput.FolderRest] = []
        let families = try Family.list(arguments, passedOver: &passedOver)
        var listing = FolderListing()
        for family in families where try listing.files(of: family, movedTo: options.rotation?.folders ?? []).isEmpty {
            // It says what is wrong with the name.
            try IngestInput.file(family.folder + family.name.stem).checkThatItOpens()
        }
        let memory = LookMemory()
        var report = try pass(families, progress, memory, passedOver: passedOver)
        for _ in 0..<IngestJob.mostLooks where report.movedFiles > 0 && report.outcome == .complete {
            report.movedFiles = 0
            report = try report.followed(by: pass(families, progress, memory))
        }
        if report.movedFiles > 0 {
            report.unread.append("\(counted(report.movedFiles, "file")) could not be read, because rotation moved them again and again")
        }
        return report
    }

    private static let mostLooks = 100

    /// Looks at the logs, and reads what is new in them.
    package func pass(
        _ families: [Family], _ progress: any ProgressDisplay, _ memory: LookMemory,
        passedOver: [IngestInput.FolderRest] = []
    ) throws -> IngestReport {
        var options = options
        options.rotation?.families = families
        return try IngestJob(options, into: sink, interruption: interruption).run(
            [], passedOver: passedOver, progress: progress, memory: memory)
    }
}

extension Family {
    /// The logs that arguments of a command line name: by one of their files, by a folder, or by a pattern.
    package static func list(
        _ arguments: [String], passedOver: inout [IngestInput.FolderRest]
    ) throws(IngestError) -> [Family] {
        guard !arguments.contains("-") else {
            throw .usage("standard input cannot be read again, and has no rotated files: name the files")
        }
        var known: Set<Family> = []
        return try IngestInput.list(arguments, areRotated: true, passedOver: &passedOver).map { Family(ofFile: $0.name) }
            .filter { known.insert($0).inserted }
    }
}
