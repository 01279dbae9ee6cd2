// An input that earlier runs have read, and the tests by which its text is found again.

internal import SluiceCompression
package import SluiceCore
package import SluiceFeed

/// An input of a family, as its checkpoint knows it.
package struct KnownInput: Sendable {
    /// Something that the first bytes of a text must fulfil.
    package enum Test: Hashable, Sendable {
        case digest(UInt64)
        /// The hash of all the bytes, of a checkpoint without digests.
        case head(UInt64)
        case tail(TailDigest)
    }

    package let identity: String
    package let version: CheckpointVersion
    package var checkpoint: StoredCheckpoint
    /// How many bytes of its text have been read.
    package let length: Int
    /// The tests, by the number of bytes that they are about; shorter ones first.
    package let tests: [(length: Int, test: Test)]

    package var evidence: ContentEvidence? { checkpoint.evidence }

    /// - Returns: nil if nothing was read of the input: nothing is no text to be known by.
    package init?(_ entry: SinkCheckpoint) {
        guard let checkpoint = entry.checkpoint, checkpoint.feed.offset > 0 else { return nil }
        (identity, version, self.checkpoint) = (entry.input, entry.version, checkpoint)
        let feed = checkpoint.feed
        var tests: [(length: Int, test: Test)] = []
        if let evidence = checkpoint.evidence {
            length = evidence.length
            tests = evidence.marks.map { ($0.length, .digest($0.digest)) }
        } else {
            length = feed.offset
        }
        // These are no secrets, but they also cover the bytes after the last digest.
        if tests.last?.length ?? 0 < length {
            if let head = feed.head { tests.append((head.size, .head(head.hash))) }
            if let tail = feed.tail { tests.append((feed.offset, .tail(tail))) }
        }
        self.tests = tests.sorted { $0.length < $1.length }
    }

    /// Passes over the rest of a line whose beginning was taken as a record.
    mutating func pass(lineEndingAt offset: Int) {
        checkpoint.feed = checkpoint.feed.passing(lineEndingAt: offset)
        checkpoint.evidence?.isEnded = false
    }

    /// What a text has to do with the input.
    package enum Relation: Hashable, Sendable {
        /// It begins with all that was read.
        case begins
        /// It is shorter than what was read, and equal as far as the first so many bytes can tell.
        case isPrefix(known: Int)
        case differs
    }
}

/// The text of a file, compared with that of inputs.
package struct MemberComparison: Sendable {
    /// For each input, what the text has to do with it.
    package private(set) var relations: [String: KnownInput.Relation] = [:]
    /// The length of the text; nil if it was not read to its end.
    package private(set) var length: Int?
    /// Whether the file is compressed.
    package private(set) var isCompressed = false
    /// Why the text could not be read to its end: a file that is still being compressed ends too early.
    package private(set) var failure: JSONError?

    /// A file that is known to hold the text of an input.
    init(of input: KnownInput, isCompressed: Bool, length: Int?) {
        relations = [input.identity: .begins]
        (self.isCompressed, self.length) = (isCompressed, length)
    }

    /// Reads the text as far as is needed to tell it from the others.
    ///
    /// - Parameter readsAll: Whether to read it to its end in any case.
    /// - Throws: ``JSONError`` of kind `inputOutput` if the file cannot be opened.
    package init(_ file: OpenFile, with inputs: [KnownInput], readsAll: Bool = false) throws(JSONError) {
        var open = inputs.map { (input: $0, next: 0) }
        var digests: [ContentDigest.Key: ContentDigest] = [:]
        for key in inputs.compactMap({ $0.evidence?.key }) { digests[key] = ContentDigest(key) }
        // The last bytes before the position, and at the beginning of the text its first ones.
        var window: [UInt8] = []
        var position = 0
        var text = DecompressingSource(file.source)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { unsafe buffer.deallocate() }

        func settle() {
            for index in open.indices.reversed() {
                let input = open[index].input
                var differs = false
                while !differs, open[index].next < input.tests.count, input.tests[open[index].next].length == position {
                    differs = !holds(input.tests[open[index].next].test, of: input)
                    open[index].next += 1
                }
                guard differs || position == input.length else { continue }
                relations[input.identity] = differs ? .differs : .begins
                open.remove(at: index)
            }
        }
        func holds(_ test: KnownInput.Test, of input: KnownInput) -> Bool {
            switch test {
            case .digest(let value): input.evidence.flatMap { digests[$0.key]?.value } == value
            case .head(let hash): JSONCheckpoint.hash(ofHead: window) == hash
            case .tail(let tail): unsafe window.withUnsafeBytes { unsafe tail.matches($0) } ?? false
            }
        }

        while readsAll || !open.isEmpty {
            let count: Int
            do throws(JSONError) {
                count = try unsafe text.read(into: buffer)
            } catch {
                failure = error
                break
            }
            if count == 0 { break }
            var start = 0
            while start < count {
                // The next length that a test or the end of an input is at.
                let lengths = open.flatMap { entry in
                    [entry.input.length] + (entry.next < entry.input.tests.count ? [entry.input.tests[entry.next].length] : [])
                }
                let step = min(count - start, (lengths.filter { $0 > position }.min() ?? .max) - position)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<start + step])
                if !open.isEmpty {
                    for key in digests.keys { unsafe digests[key]?.update(piece) }
                    unsafe window.append(contentsOf: piece.suffix(JSONCheckpoint.headSize))
                    if position + step > JSONCheckpoint.headSize {
                        window.removeFirst(max(0, window.count - TailDigest.reach))
                    }
                }
                position += step
                start += step
                settle()
            }
        }
        isCompressed = [.gzip, .zstd].contains(text.compression)
        if readsAll || !open.isEmpty { length = position }
        for entry in open {
            let known = entry.next > 0 ? entry.input.tests[entry.next - 1].length : 0
            relations[entry.input.identity] = .isPrefix(known: min(known, position))
        }
    }
}
