// A file that is written under a temporary name. It takes its own name when it is complete, and until then the old file stays.

internal import Foundation
internal import SluiceCompression
package import SluiceCore

/// An output that is being written.
package final class OutputFile: ByteSink {
    private let path: String
    /// The file that takes its name at the end, with symbolic links resolved, and where it is written; nil for standard output, a pipe or a
    /// device, which are written at once.
    private var names: (final: String, aside: String)?
    /// -1 once it is closed.
    private var descriptor: Int32
    private var sink: any ByteSink

    /// Opens an output; `-` is standard output.
    ///
    /// Files that runs which were killed have left beside it are removed.
    ///
    /// - Throws: ``IngestError/output(_:)``.
    package init(path: String) throws(IngestError) {
        self.path = path
        let name = OutputFile.name(of: path)
        var status = stat()
        let exists = unsafe path != "-" && stat(path, &status) == 0
        if path == "-" {
            descriptor = STDOUT_FILENO
        } else if exists, status.st_mode & S_IFMT != S_IFREG {
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // Renaming a file over the old one works even if the old one is read-only. But the user may have protected it, so
            // this is checked.
            if exists, unsafe access(path, W_OK) != 0 { throw OutputFile.error("create", path) }
            let final = OutputFile.target(of: path)
            OutputFile.removeLeftovers(of: final)
            let aside: String
            (descriptor, aside) = OutputFile.made(beside: final)
            if descriptor >= 0, exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
            names = (final, aside)
        }
        let file = FileDescriptorSink(descriptor: descriptor, name: name)
        sink = file
        guard descriptor >= 0 else {
            names = nil
            throw OutputFile.error("create", path)
        }
        sink = try OutputFile.compressing(file, path)
    }

    deinit { abandon() }

    // MARK: The temporary file

    /// A temporary name is that of the file, this, and so many hexadecimal digits. Nothing else has such a name, so it may be removed.
    private static let mark = ".sluice-"
    private static let digitCount = 16

    /// Makes a temporary file, and locks it until it is closed: so the next run knows whether its process still writes.
    private static func made(beside final: String) -> (descriptor: Int32, path: String) {
        while true {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            let path = final + mark + String(repeating: "0", count: digitCount - digits.utf8.count) + digits
            let descriptor = SystemCall.uninterrupted { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            guard descriptor >= 0 else { return (descriptor, path) }
            // Another run may be removing it, or have removed it before it was locked. There are file systems without locks.
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
            if isLocked, unsafe access(path, F_OK) == 0 { return (descriptor, path) }
            close(descriptor)
        }
    }

    /// Removes the temporary files of a file that no process writes.
    private static func removeLeftovers(of final: String) {
        let url = URL(fileURLWithPath: final)
        let (folder, beginning) = (url.deletingLastPathComponent().path, url.lastPathComponent + mark)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasPrefix(beginning) {
            let digits = name.utf8.dropFirst(beginning.utf8.count)
            guard digits.count == digitCount, digits.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { continue }
            let descriptor = unsafe open("\(folder)/\(name)", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            var status = stat()
            let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            if isFile, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unsafe unlink("\(folder)/\(name)") }
            close(descriptor)
        }
    }

    /// The sink for the text of a file, whose name says whether it is compressed.
    private static func compressing(_ file: FileDescriptorSink, _ path: String) throws(IngestError) -> any ByteSink {
        guard path != "-", let ending = FileEnding(of: path).compression else { return file }
        #if Compression
        do throws(JSONError) {
            return try CompressingSink(to: file, format: ending == "gz" ? .gzip : .zstd)
        } catch {
            throw .output("\(error.found)")
        }
        #else
        throw .usage("\(path) ends in .\(ending), and this build of Sluice has no compression")
        #endif
    }

    /// The output's name in messages.
    package static func name(of path: String) -> String { path == "-" ? "standard output" : path }

    /// Checks that the output can be made, without making it.
    ///
    /// - Throws: ``IngestError/output(_:)``.
    package static func check(_ path: String) throws(IngestError) {
        guard path != "-" else { return }
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw error("create", path, EISDIR) }
            if unsafe access(path, W_OK) != 0 { throw error("create", path) }
            guard status.st_mode & S_IFMT == S_IFREG else { return }
        }
        let folder = URL(fileURLWithPath: target(of: path)).deletingLastPathComponent().path
        if unsafe access(folder, W_OK) != 0 { throw error("create", path) }
    }

    /// Writes the next bytes.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { try unsafe sink.write(bytes) }

    /// Ends the output: it is complete, and takes its name.
    ///
    /// - Parameter isSynced: Whether to wait until it is on the disk. A file that is written anew every second need not be there.
    /// - Throws: ``IngestError/output(_:)``.
    package func complete(isSynced: Bool = true) throws(IngestError) {
        do throws(JSONError) {
            try sink.finish()
        } catch {
            throw .output("\(error.summary)")
        }
        guard let (final, aside) = names else { return closeFile() }
        // The bytes must be on the disk before the name. Otherwise a power failure could leave an empty file under the name.
        let failure = isSynced ? FileSync.sync(descriptor) : 0
        guard failure == 0 else { throw OutputFile.error("write", path, failure) }
        guard SystemCall.uninterrupted({ unsafe rename(aside, final) }) == 0 else { throw OutputFile.error("write", path) }
        closeFile()
        names = nil
        if isSynced { FileSync.syncFolder(of: final) }
    }

    /// Removes what was written: the old file stays as it was.
    package func abandon() {
        closeFile()
        guard let (_, aside) = names else { return }
        unsafe unlink(aside)
        names = nil
    }

    private func closeFile() {
        guard path != "-", descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }

    /// The path of the file that a path stands for, which need not exist.
    private static func target(of path: String) -> String {
        if case .missing(let path) = FileIdentity(path: path) { return path }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func error(_ action: String, _ path: String, _ number: Int32 = errno) -> IngestError {
        .output("\(JSONError.inputOutput(action, path, number).summary)")
    }
}
