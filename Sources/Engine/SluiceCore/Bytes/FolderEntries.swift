// Reads the names in a folder.

internal import SluiceSystem

/// The entries of a folder.
package enum FolderEntries {
    /// One entry.
    package struct Entry {
        /// The name's bytes, as the system has them.
        package let bytes: [UInt8]
        /// Whether this may be a folder: not all file systems say what an entry is.
        package let mayBeFolder: Bool

        /// The name; nil if it is not UTF-8. The system does not find such a file by a name that Swift has for it.
        package var name: String? { String(validating: bytes, as: UTF8.self) }
    }

    /// Why a folder cannot be read.
    package struct Failure: Error {
        /// The system's number of the error.
        package let code: Int32

        /// Whether the folder is not there.
        package var isAbsence: Bool { code == ENOENT }

        /// What the system says.
        package var reason: String { unsafe String(cString: strerror(code)) }
    }

    /// The entries of a folder, in no order, without the folder itself and the one around it.
    package static func read(_ folder: String) throws(Failure) -> [Entry] {
        guard let directory = unsafe opendir(folder) else { throw Failure(code: errno) }
        defer { unsafe closedir(directory) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(directory) else { break }
            // Safe: the system ends the name with a zero.
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")] { continue }
            let type = unsafe Int(entry.pointee.d_type)
            entries.append(Entry(bytes: bytes, mayBeFolder: type == Int(DT_DIR) || type == Int(DT_UNKNOWN)))
        }
        guard errno == 0 else { throw Failure(code: errno) }
        return entries
    }
}
