// What the file system says about a file: a look compares it with an earlier one, and reads only files that have changed.

internal import CFileStatus
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

    /// When the file was made, in nanoseconds since 1970; 0 if the file system does not say. The number of a deleted file is given to a
    /// new one.
    package var made: Int

    package init(path: String, device: UInt64, inode: UInt64, size: Int, changed: Int, modified: Int, made: Int = 0) {
        (self.path, self.device, self.inode) = (path, device, inode)
        (self.size, self.changed, self.modified, self.made) = (size, changed, modified, made)
    }

    /// - Returns: nil unless the path is that of a regular file.
    package init?(path: String) {
        guard let status = FileStamp.status(path, -1) else { return nil }
        self.init(path: path, status)
    }

    package init?(path: String, descriptor: Int32) {
        guard let status = FileStamp.status(nil, descriptor) else { return nil }
        self.init(path: path, status)
    }

    private init?(path: String, _ status: sluice_file_status) {
        guard status.mode & UInt32(S_IFMT) == UInt32(S_IFREG) else { return nil }
        self.init(
            path: path, device: status.device, inode: status.inode, size: Int(status.size), changed: Int(status.changed),
            modified: Int(status.modified), made: Int(status.made))
    }

    private static func status(_ path: String?, _ descriptor: Int32) -> sluice_file_status? {
        var status = sluice_file_status()
        return unsafe sluice_file_status(path, descriptor, &status) == 0 ? status : nil
    }

    /// When names in a folder have come or gone last, in nanoseconds since 1970; nil if it is not there.
    static func changeTime(ofFolder path: String) -> Int? { status(path, -1).map { Int($0.modified) } }

    /// The file, whatever it is called.
    package struct Place: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
        let made: Int
    }

    package var place: Place { Place(device: device, inode: inode, made: made) }

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
