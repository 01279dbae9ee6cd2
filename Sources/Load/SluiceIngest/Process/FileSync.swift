// Waits until files and names are on the disk, so that they outlast a power failure.

internal import Foundation
internal import SluiceCore

/// Syncs files.
package enum FileSync {
    /// Syncs what has been written to a descriptor. Some devices cannot be synced; they keep nothing anyway.
    ///
    /// - Returns: The number of the error, or 0.
    package static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        // On macOS, fsync leaves data in the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            case EINVAL, ENOTSUP, EROFS: return 0
            default: return errno
            }
        }
        return 0
    }

    /// Syncs what any process has written to a file; a missing file has nothing to sync.
    ///
    /// - Returns: The number of the error, or 0.
    package static func sync(file path: String) -> Int32 {
        let descriptor = SystemCall.uninterrupted { unsafe open(path, O_RDWR | O_CLOEXEC) }
        guard descriptor >= 0 else { return errno == ENOENT ? 0 : errno }
        defer { close(descriptor) }
        return sync(descriptor)
    }

    /// Syncs the names in the folder of a file: a file whose name is lost is lost, too. A folder that cannot be opened is left to
    /// the system.
    package static func syncFolder(of path: String) {
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        let descriptor = SystemCall.uninterrupted { unsafe open(folder, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = sync(descriptor)
    }
}
