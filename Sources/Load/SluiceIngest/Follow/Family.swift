// The files of a rotated log: those of one folder whose names are equal without what rotation adds, and those in the folders to which they
// are moved.

internal import Foundation
internal import SluiceCore

/// How rotated files are looked for.
package struct Rotation: Sendable {
    /// The folders to which rotation moves files.
    package var folders: [String] = []
    /// For how many seconds a file must not have changed, until its last line counts as complete though it has no line break.
    package var settle = 30.0
    /// The logs to read.
    package var families: [Family] = []
    /// The folders whose logs are all read, those without files too.
    package var roots: [String] = []
    /// The patterns whose logs are all read, those without files too.
    package var patterns: [String] = []
    /// Whether the run goes on as the logs grow.
    package var isFollowed = false

    package init() {}

    /// The longest time to settle, in seconds.
    package static let longestSettle = 365.0 * 86_400
}

/// A log and its rotated files.
package struct Family: Hashable, Sendable {
    /// The folder as the inputs name it.
    package let folder: String
    package let name: FamilyName
    /// The folder without links.
    package let resolvedFolder: String

    /// - Parameters:
    ///   - path: The path of one of the files, which need not be there.
    ///   - other: A log that is probably in the same folder: then the two share its name.
    package init(ofFile path: String, beside other: Family? = nil) {
        // A name may begin with a combining mark, which makes one character with the slash before it.
        let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        self.name = FamilyName(ofFile: String(path[name...]))
        let folder = String(path[..<name])
        if let other, other.folder.utf8.elementsEqual(folder.utf8) {
            (self.folder, resolvedFolder) = (other.folder, other.resolvedFolder)
            return
        }
        self.folder = folder
        resolvedFolder = IngestInput.identity(ofFile: folder.isEmpty ? "." : folder)
    }

    private init(folder: String, name: FamilyName, resolvedFolder: String) {
        (self.folder, self.name, self.resolvedFolder) = (folder, name, resolvedFolder)
    }

    package static func == (one: Family, other: Family) -> Bool {
        one.name == other.name && one.resolvedFolder == other.resolvedFolder
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(resolvedFolder)
    }

    /// The identity of the input with a number.
    func identity(_ number: Int) -> String { "\(resolvedFolder)/\(name.stem)\(FamilyName.mark)\(number)" }

    /// The path of the log itself, without links.
    var resolvedPath: String { IngestInput.path(ofIdentity: resolvedFolder) + "/" + name.stem }

    /// The number of an input; nil if it was read without rotation.
    static func number(of identity: String) -> Int? {
        identity.ranges(of: FamilyName.mark).last.flatMap { Int(identity[$0.upperBound...]) }
    }

    /// The log that an input is a text of, or that the file would be of; nil if it is no file.
    ///
    /// - Parameters:
    ///   - identity: The identity of an input.
    ///   - other: A log that is probably in the same folder: then the two share its name.
    init?(ofInput identity: String, beside other: Family? = nil) {
        guard let slash = identity.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let resolved = identity[..<slash]
        let last = identity[identity.utf8.index(after: slash)...]
        let mark = Family.number(of: identity).flatMap { _ in last.ranges(of: FamilyName.mark).last }
        let name =
            mark.map { FamilyName(stem: String(last[..<$0.lowerBound])) }
            ?? FamilyName(ofFile: IngestInput.path(ofIdentity: String(last)))
        if let other, other.resolvedFolder.utf8.elementsEqual(resolved.utf8) {
            self.init(folder: other.folder, name: name, resolvedFolder: other.resolvedFolder)
        } else {
            self.init(folder: IngestInput.path(ofIdentity: "\(resolved)/"), name: name, resolvedFolder: String(resolved))
        }
    }

    /// The log as it would be called if its files lay in another folder.
    func moved(to folder: String) -> Family {
        Family(
            folder: folder.hasSuffix("/") ? folder : folder + "/", name: name,
            resolvedFolder: IngestInput.identity(ofFile: folder))
    }
}

/// The files of folders by their families. A folder is read once, and again if its names change meanwhile.
struct FolderListing {
    private struct Listing {
        let names: [FamilyName: [String]]
        /// When the folder had changed last, before it was read; nil if it is not there.
        let changed: Int?
    }

    private var folders: [String: Listing] = [:]
    /// How often folders were read again.
    private var repetitions = 0
    private static let mostRepetitions = 50
    /// How many families had other files each time that they were looked at.
    private(set) var movedFamilies = 0

    /// The files of a family, the one that changed last at the end. Links to one file are one.
    ///
    /// - Parameter others: The same log in the folders to which rotation moves files.
    /// - Throws: ``IngestError`` if a folder cannot be read. A folder that is not there has no files.
    mutating func files(of family: Family, and others: [Family] = []) throws(IngestError) -> [FileStamp] {
        let places = [family] + others
        var found = try stamps(in: places)
        // A file that is renamed while its folder is read, or before it is looked at, may be in none of the names.
        while places.contains(where: { hasChanged($0.folder) }), repetitions < FolderListing.mostRepetitions {
            repetitions += 1
            for place in places { folders[place.folder] = nil }
            let next = try stamps(in: places)
            let isSame = found.mapValues(\.path) == next.mapValues(\.path)
            found = next
            if isSame { break }
            if repetitions == FolderListing.mostRepetitions { movedFamilies += 1 }
        }
        return found.values.sorted { ($0.modified, $0.path) < ($1.modified, $1.path) }
    }

    private mutating func stamps(in places: [Family]) throws(IngestError) -> [FileStamp.Place: FileStamp] {
        var found: [FileStamp.Place: FileStamp] = [:]
        for place in places {
            for entry in try names(in: place.folder)[place.name] ?? [] {
                if let stamp = FileStamp(path: place.folder + entry) { found[stamp.place] = stamp }
            }
        }
        return found
    }

    /// Whether names may have come or gone since the folder was read.
    private func hasChanged(_ folder: String) -> Bool {
        folders[folder].map { $0.changed != FolderListing.changeTime(of: folder) } ?? false
    }

    private static func changeTime(of folder: String) -> Int? { FileStamp.changeTime(ofFolder: folder.isEmpty ? "." : folder) }

    /// The names of a folder's files by their families, without hidden ones.
    mutating func names(in folder: String) throws(IngestError) -> [FamilyName: [String]] {
        if let known = folders[folder] { return known.names }
        let changed = FolderListing.changeTime(of: folder)
        let names = try FolderListing.entries(of: folder.isEmpty ? "." : folder).map(\.name).sorted()
        let grouped = Dictionary(grouping: names) { FamilyName(ofFile: $0) }
        folders[folder] = Listing(names: grouped, changed: changed)
        return grouped
    }

    /// The names in a folder without hidden ones, and whether each may be that of a folder. Not all file systems say what an entry is.
    ///
    /// - Throws: ``IngestError`` if the folder cannot be read; one that is not there has no names.
    static func entries(of folder: String) throws(IngestError) -> [(name: String, mayBeFolder: Bool)] {
        do throws(FolderEntries.Failure) {
            // A name that is not UTF-8 cannot be opened.
            return try FolderEntries.read(folder).compactMap { entry in
                guard let name = entry.name, !name.hasPrefix(".") else { return nil }
                return (name, entry.mayBeFolder)
            }
        } catch {
            guard error.isAbsence else { throw .unreadable(folder: folder, error) }
            return []
        }
    }
}
