// The logs that the arguments of a command line name.

internal import Foundation
internal import SluiceCore

/// The logs that arguments of a command line name: by one of their files, by a folder, or by a pattern.
struct NamedLogs {
    private(set) var families: [Family] = []
    /// The folders among the arguments.
    private(set) var roots: [String] = []
    /// The patterns among the arguments, without links.
    let patterns: [String]
    /// The folders in which files or folders may appear that a pattern among the arguments names.
    let places: [(folder: String, names: String?)]

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
        patterns = arguments.compactMap(IngestInput.resolvedPattern)
        places = arguments.flatMap(IngestInput.places)
        var known: Set<Family> = []
        for input in try IngestInput.list(arguments, areRotated: true, mayBeEmpty: !mustExist, passedOver: &passedOver) {
            let family = Family(ofFile: input.name, beside: families.last)
            if known.insert(family).inserted { families.append(family) }
        }
        // What lies in the folder to which files are moved belongs to a log in another folder.
        let archives = Set(folders.map { IngestInput.identity(ofFile: $0) })
        let names = Dictionary(grouping: families.filter { !archives.contains($0.resolvedFolder) }, by: \.name).values
        if !folders.isEmpty, let alike = names.first(where: { $0.count > 1 }) {
            let logs = alike.map { $0.folder + $0.name.stem }.joined(separator: " and ")
            throw IngestError.usage(
                "in the folder to which rotation moves files, nothing tells those of \(logs) apart: name one log at a time")
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
