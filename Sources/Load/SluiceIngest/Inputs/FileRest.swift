// How much of a file is behind the position up to which it was read: what operators watch of an input.

package import SluiceFeed

/// What a file has after the position up to which it was read.
package enum FileRest: Hashable, Sendable {
    /// So many bytes of the file, as it lies on the disk.
    case bytes(Int)
    /// The file is compressed, and was not read to its end: the position is one in its text. Or it is another one by now.
    case unknown
    /// The file is shorter than what was read of it.
    case shorter
    case gone

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - known: The file that was read, if another one may have its name by now; nil for whichever has it.
    ///   - range: The bytes of the file that belong to the input; nil for all.
    ///   - read: How many bytes of the file were read; nil if that is unknown.
    package init(of path: String, as known: FileStamp? = nil, range: Range<Int>? = nil, after read: Int?) {
        guard let file = FileStamp(path: path) else {
            self = .gone
            return
        }
        guard let read, known.map(file.isSameFile) ?? true else {
            self = .unknown
            return
        }
        self = file.size < read ? .shorter : .bytes(max(0, min(file.size, range?.upperBound ?? file.size) - read))
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
}
