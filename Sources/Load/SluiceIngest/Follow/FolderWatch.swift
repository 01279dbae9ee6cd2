// Waits until a file of some folders changes: by inotify on Linux, by kqueue on macOS, and by the clock where neither sees it.

internal import Foundation
internal import SluiceCore

/// Waits for changes of files.
final class FolderWatch {
    /// How many milliseconds to wait between two looks, if the system tells of no changes.
    private static let interval = 1_000

    /// The seconds between two looks that the user has chosen; nil if the system tells of changes.
    private let poll: Double?
    /// The descriptor that becomes readable with a change; -1 if there is none.
    private let queue: Int32
    /// The folders that are watched, by the numbers that the system has for them.
    private var watched: [Int32: String] = [:]
    /// The names that count, by their folders; the names of all JSON files count in a folder that is an input itself.
    private var families: [String: Set<FamilyName>] = [:]
    private var wholeFolders: Set<String> = []
    /// The patterns of other names that count, by their folders.
    private var patterns: [String: Set<String>] = [:]
    /// Whether some changes are not seen.
    private var isBlind = false

    init(poll: Double?) {
        self.poll = poll
        #if os(Linux)
        queue = poll == nil ? inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) : -1
        #else
        queue = poll == nil ? kqueue() : -1
        #endif
    }

    deinit {
        #if !os(Linux)
        for descriptor in watched.keys { close(descriptor) }
        #endif
        if queue >= 0 { close(queue) }
    }

    /// Watches the folders of families, from now on.
    ///
    /// - Parameters:
    ///   - folders: The folders to which rotation moves files.
    ///   - inputs: The folders that are inputs themselves: new files may appear in them.
    ///   - places: The folders in which files or folders may appear that a pattern names.
    /// - Returns: Whether a folder is watched that was not.
    func watch(
        _ families: [Family], movedTo folders: [String], inputs: [String], places: [(folder: String, names: String?)]
    ) -> Bool {
        var names: [String: Set<FamilyName>] = [:]
        for family in families {
            for folder in [family.folder] + folders { names[resolved(folder), default: []].insert(family.name) }
        }
        self.families = names
        wholeFolders = Set(inputs.map(resolved))
        patterns = Dictionary(places.map { (resolved($0.folder), Set($0.names.map { [$0] } ?? [])) }) { $0.union($1) }
        guard queue >= 0 else { return false }
        isBlind = links(families)
        var isNew = false
        let wanted = wholeFolders.union(names.keys).union(patterns.keys)
        #if os(Linux)
        let events = [
            IN_MODIFY, IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO, IN_ATTRIB, IN_CLOSE_WRITE, IN_DELETE_SELF, IN_MOVE_SELF,
        ]
        .reduce(UInt32(IN_ONLYDIR)) { $0 | UInt32($1) }
        let known = Set(watched.values)
        for folder in wanted where !known.contains(folder) {
            let number = unsafe inotify_add_watch(queue, folder, events)
            if number >= 0 { (watched[number], isNew) = (folder, true) } else { isBlind = true }
        }
        for (number, folder) in watched where !wanted.contains(folder) {
            inotify_rm_watch(queue, number)
            watched[number] = nil
        }
        #else
        watchFiles(in: wanted, families, folders)
        #endif
        return isNew
    }

    /// The folders without links, so that each has one name.
    private var resolvedFolders: [String: String] = [:]

    private func resolved(_ folder: String) -> String {
        if let known = resolvedFolders[folder] { return known }
        let path = URL(fileURLWithPath: folder.isEmpty ? "." : folder).resolvingSymlinksInPath().path
        // A folder that is not there yet may become a link.
        if NamedLogs.isFolder(path) { resolvedFolders[folder] = path }
        return path
    }

    /// Whether some files are links: what happens to a file in another folder is not told.
    private func links(_ families: [Family]) -> Bool {
        families.contains { family in
            var status = stat()
            return unsafe lstat(family.folder + family.name.stem, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
        }
    }

    /// Waits until a file may have changed.
    ///
    /// - Parameters:
    ///   - milliseconds: The most milliseconds to wait; nil for no limit.
    /// - Returns: Whether there is a reason to look.
    func wait(atMost milliseconds: Int?, _ interruption: Interruption) -> Bool {
        let interval = poll.map { Int($0 * 1_000) } ?? (queue < 0 || isBlind ? FolderWatch.interval : nil)
        var left = [milliseconds, interval].compactMap { $0 }.min()
        while interruption.received == 0 {
            let start = Clock.nanoseconds
            let isReadable = interruption.waits(for: queue, atMost: left ?? -1)
            // The changes of files that are no inputs, such as the database, are no reason.
            if isReadable, hasNews() { return true }
            if isReadable, let limit = left { left = max(0, limit - Int((Clock.nanoseconds - start) / 1_000_000)) }
            if !isReadable || left == 0 { return interruption.received == 0 }
        }
        return false
    }

    #if os(Linux)
    /// Reads what the system tells. Returns whether an input may have changed.
    private func hasNews() -> Bool {
        var hasNews = false
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(queue, $0.baseAddress, $0.count) }
            if count <= 0 { return hasNews }
            unsafe buffer.withUnsafeBytes { bytes in
                var index = 0
                // An event: the folder's number, what happened, a cookie, the length of the name, and the name with zeros after it.
                while index + 16 <= count {
                    let number = unsafe bytes.loadUnaligned(fromByteOffset: index, as: Int32.self)
                    let mask = unsafe bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
                    let length = Int(unsafe bytes.loadUnaligned(fromByteOffset: index + 12, as: UInt32.self))
                    guard index + 16 + length <= count else { return }
                    let name = unsafe String(decoding: bytes[index + 16..<index + 16 + length].prefix { $0 != 0 }, as: UTF8.self)
                    if mask & UInt32(IN_IGNORED | IN_MOVE_SELF | IN_DELETE_SELF | IN_UNMOUNT) != 0 { forget(number) }
                    // Where some were lost, any file may have changed.
                    hasNews = hasNews || mask & UInt32(IN_Q_OVERFLOW | IN_ISDIR) != 0 || isInput(name, in: watched[number])
                    index += 16 + length
                }
            }
        }
    }

    /// Watches a folder no longer that is gone, or has another name.
    private func forget(_ number: Int32) {
        inotify_rm_watch(queue, number)
        watched[number] = nil
        resolvedFolders = [:]
    }

    private func isInput(_ name: String, in folder: String?) -> Bool {
        guard let folder, !name.isEmpty else { return true }
        if families[folder]?.contains(FamilyName(ofFile: name)) == true { return true }
        if wholeFolders.contains(folder), IngestInput.isRotatedJSON(name) { return true }
        return patterns[folder]?.contains { unsafe fnmatch($0, name, FNM_PERIOD) == 0 } ?? false
    }
    #else
    /// The most files that are watched one by one.
    private static let mostFiles = 200

    /// Watches folders for new names, and each file for its changes.
    private func watchFiles(in folders: Set<String>, _ families: [Family], _ movedTo: [String]) {
        for descriptor in watched.keys { close(descriptor) }
        watched = [:]
        var listing = FolderListing()
        let files = families.flatMap { family in
            (try? listing.files(of: family, and: movedTo.map { family.moved(to: $0) })) ?? []
        }
        .map(\.path)
        isBlind = files.count > FolderWatch.mostFiles
        for path in Array(folders) + files.prefix(FolderWatch.mostFiles) {
            let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                isBlind = true
                continue
            }
            watched[descriptor] = path
            var change = unsafe kevent(
                ident: UInt(descriptor), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
                fflags: UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB), data: 0, udata: nil)
            if unsafe kevent(queue, &change, 1, nil, 0, nil) < 0 { isBlind = true }
        }
    }

    private func hasNews() -> Bool {
        var event = unsafe kevent()
        var now = timespec()
        var count: Int32 = 0
        while unsafe kevent(queue, nil, 0, &event, 1, &now) > 0 { count += 1 }
        return count > 0
    }
    #endif
}
