// Tells whether two names stand for one file, so that no command writes over what it reads.

internal import Foundation

/// The regular file that a path or descriptor stands for, whatever the file is called.
package enum FileIdentity: Hashable {
    case existing(device: UInt64, number: UInt64)
    /// A file that writing to this path would make.
    case missing(path: String)

    /// Nil for a folder, a device or a pipe, and if a part of the path does not exist.
    package init?(path: String) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            self.init(status)
            return
        }
        guard errno == ENOENT else { return nil }
        // A symbolic link to a missing file makes that file.
        var url = URL(fileURLWithPath: path)
        for _ in 0..<FileIdentity.mostLinks {
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
            url = URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()).absoluteURL
        }
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
        self = .missing(path: folder.appendingPathComponent(url.lastPathComponent).path)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self = .existing(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// How many links the system follows in a row.
    private static let mostLinks = 40
}
