// What is left to read of an input that earlier runs have read.

package import SluiceCore
internal import SluiceFeed

extension StoredCheckpoint {
    /// What is left to read of an input.
    package enum Rest: Hashable {
        case all
        case nothing
        indirect case after(StoredCheckpoint)
    }

    /// What is left to read of an input with this checkpoint.
    ///
    /// - Throws: ``IngestError`` if the input has changed since the checkpoint, ``JSONError`` if it cannot be opened.
    package func rest(of input: IngestInput, _ reading: FeedReading, _ interruption: Interruption) throws -> Rest {
        if case .member(let member) = input { return member.rest }
        let opened = try OpenInput(input, reading, interruption: interruption)
        guard let size = opened.totalBytes else { return .all }
        let isSame: Bool
        do throws(JSONError) {
            isSame = try opened.compare(with: feed)
        } catch {
            guard error.kind == .unusableCheckpoint else { throw error }
            throw IngestError.input(words(for: error, of: input))
        }
        return isComplete && size == feed.feedSize && isSame ? .nothing : .after(self)
    }

    /// An error of an input that is to be continued, in words.
    package func words(for error: JSONError, of input: IngestInput) -> IngestMessage {
        guard error.kind == .unusableCheckpoint else { return "\(error.summary)" }
        let read = "\(counted(feed.recordIndex, "record")) \(feed.recordIndex == 1 ? "was" : "were") read into the table"
        return "\(input.name) is not the input of which \(read): "
            + "expected \(error.expected), found \(error.found); \(option: .restart) reads it from its start, as another input"
    }
}
