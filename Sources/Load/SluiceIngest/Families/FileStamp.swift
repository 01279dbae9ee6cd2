// What the file system says about a file: a look compares it with an earlier one, and reads only files that have changed.

internal import Foundation

/// A file as it was at one moment.
package struct FileStamp: Hashable, Sendable {
    /// Its path, as the inputs name it.
    package var path: String
    package var device: UInt64
    package var inode: UInt64
    /// Its size in bytes.
    package var size: Int
    /// When its contents, name or rights changed last, in nanoseconds since 1970.
    package var changed: Int
    /// When its contents changed last, in nanoseconds since 1970.
    package var modified: Int

    package init(path: String, device: UInt64, inode: UInt64, size: Int, changed: Int, modified: Int) {
        (self.path, self.device, self.inode) = (path, device, inode)
        (self.size, self.changed, self.modified) = (size, changed, modified)
    }

    /// - Returns: nil unless the path is that of a regular file.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(path: path, status)
    }

    package init?(path: String, descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(path: path, status)
    }

    private init?(path: String, _ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        (changed, modified) = FileStamp.times(status)
    }

    /// When names in a folder have come or gone last, in nanoseconds since 1970; nil if it is not there.
    static func changeTime(ofFolder path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? times(status).modified : nil
    }

    private static func times(_ status: stat) -> (changed: Int, modified: Int) {
        #if canImport(Darwin)
        (nanoseconds(status.st_ctimespec), nanoseconds(status.st_mtimespec))
        #else
        (nanoseconds(status.st_ctim), nanoseconds(status.st_mtim))
        #endif
    }

    private static func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

    /// The file, whatever it is called.
    package struct Place: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    package var place: Place { Place(device: device, inode: inode) }

    /// Whether both are names or states of one file.
    package func isSameFile(as other: FileStamp) -> Bool { place == other.place }

    /// Whether nothing about the file has changed since the other stamp, its name apart.
    package func isUnchanged(since other: FileStamp) -> Bool {
        isSameFile(as: other) && size == other.size && changed == other.changed
    }

    /// The same with the path from the root, for whoever works in another folder later on.
    package var absolute: FileStamp {
        guard !path.hasPrefix("/") else { return self }
        var stamp = self
        stamp.path = FileManager.default.currentDirectoryPath + "/" + path
        return stamp
    }

    /// The name without its folder.
    package var name: String { path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "" }
}
