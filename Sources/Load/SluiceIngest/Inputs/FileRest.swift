// How much of a file is behind the position up to which it was read: what operators watch of an input.

internal import Foundation
package import SluiceFeed

/// What a file has after the position up to which it was read.
package enum FileRest: Hashable, Sendable {
    /// So many bytes of the file, as it lies on the disk.
    case bytes(Int)
    /// The file is compressed, and was not read to its end: the position is one in its text.
    case unknown
    /// The file is shorter than what was read of it.
    case shorter
    case gone

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - range: The bytes of the file that belong to the input; nil for all.
    ///   - read: How many bytes of the file were read; nil if that is unknown.
    package init(of path: String, range: Range<Int>? = nil, after read: Int?) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            self = .gone
            return
        }
        guard let read else {
            self = .unknown
            return
        }
        let size = Int(status.st_size)
        self = size < read ? .shorter : .bytes(max(0, min(size, range?.upperBound ?? size) - read))
    }

    /// How many bytes there are; nil if that is unknown.
    package var count: Int? { if case .bytes(let count) = self { count } else { nil } }
}

extension JSONCheckpoint {
    /// How many bytes of the file were read; nil if it is compressed, and was not read to its end.
    ///
    /// - Parameter isComplete: Whether the input was read to its end. After the last record, a file may have a line break or a bracket.
    package func readBytes(isComplete: Bool) -> Int? {
        guard memberOffset == nil else { return isComplete ? feedSize : nil }
        return isComplete ? max(offset, feedSize ?? 0) : offset
    }
}

extension IngestInput {
    /// The path of the file that an identity of ``identity(of:)`` stands for, and the range of its bytes, if it is one of a range.
    package static func fileAndRange(ofIdentity identity: String) -> (path: String, range: Range<Int>?) {
        let path = path(ofIdentity: identity)
        // A file may have such a name, too.
        guard !isRegularFile(path), let match = identity.wholeMatch(of: /(.+)\[(\d+):(\d*)\]/.dotMatchesNewlines()),
            let start = Int(match.2), let end = match.3.isEmpty ? .max : Int(match.3), start <= end
        else { return (path, nil) }
        return (self.path(ofIdentity: String(match.1)), start..<end)
    }

    /// Undoes what ``identity(ofFile:)`` does to a path that has a `%` or is not composed.
    private static func path(ofIdentity identity: String) -> String {
        #if os(Linux)
        guard identity.utf8.contains(UInt8(ascii: "%")) else { return identity }
        var (bytes, rest) = ([UInt8](), Substring(identity).utf8)
        while let byte = rest.popFirst() {
            let value = byte == UInt8(ascii: "%") ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
            bytes.append(value ?? byte)
            if value != nil { rest = rest.dropFirst(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
        #else
        return identity
        #endif
    }
}
