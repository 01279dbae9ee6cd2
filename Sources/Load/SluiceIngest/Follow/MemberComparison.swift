// What the text of a file has to do with the inputs that earlier runs have read.

internal import SluiceCompression
package import SluiceCore
package import SluiceFeed

/// The text of a file, compared with that of inputs.
package struct MemberComparison: Sendable {
    /// For each input, what the text has to do with it.
    package private(set) var relations: [String: KnownInput.Relation] = [:]
    /// The length of the text; nil if it was not read to its end.
    package private(set) var length: Int?
    /// Whether the file is compressed.
    package let isCompressed: Bool
    /// Why the text could not be read to its end: a file that is still being compressed ends too early.
    package private(set) var failure: JSONError?

    /// A file that is known to hold the text of an input.
    init(of input: KnownInput, isCompressed: Bool, length: Int?) {
        relations[input.identity] = .begins
        (self.isCompressed, self.length) = (isCompressed, length)
    }

    /// The same for the file after it has grown: it was not read to its new end.
    var ofGrownFile: MemberComparison {
        var grown = self
        (grown.length, grown.failure) = (nil, nil)
        return grown
    }

    /// Reads the text as far as is needed to tell it from the others.
    ///
    /// - Parameters:
    ///   - isCompressed: Whether the file is compressed. Then its text is read to its end if it is that of an input.
    ///   - readsAll: Whether to read it to its end in any case.
    package init(_ file: OpenFile, isCompressed: Bool, with inputs: [KnownInput], readsAll: Bool = false) {
        self.isCompressed = isCompressed
        var open = inputs.map { (input: $0, next: 0) }
        var digests: [ContentDigest.Key: ContentDigest] = [:]
        var beginnings: [ContentDigest.Key: [UInt8]] = [:]
        for key in inputs.compactMap({ $0.evidence?.key }) { (digests[key], beginnings[key]) = (ContentDigest(key), []) }
        // The last bytes before the position, and at the beginning of the text its first ones.
        var window: [UInt8] = []
        var position = 0
        var text = DecompressingSource(file.source, compression: isCompressed ? .automatic : .none)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
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
            case .beginning(let bytes): input.evidence.flatMap { beginnings[$0.key] } == bytes
            case .head(let hash): JSONCheckpoint.hash(ofHead: window) == hash
            case .tail(let tail): unsafe window.withUnsafeBytes { unsafe tail.matches($0) } ?? false
            }
        }

        var isText: Bool { readsAll || isCompressed && relations.values.contains(.begins) }
        while isText || !open.isEmpty {
            let count: Int
            do throws(JSONError) {
                count = try unsafe text.read(into: buffer)
            } catch {
                failure = error
                break
            }
            if count == 0 {
                length = position
                break
            }
            var start = 0
            while start < count {
                // The next length that a test or the end of an input is at.
                let lengths = open.flatMap { entry in
                    [entry.input.length] + (entry.next < entry.input.tests.count ? [entry.input.tests[entry.next].length] : [])
                }
                let step = min(count - start, (lengths.filter { $0 > position }.min() ?? .max) - position)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<start + step])
                if !open.isEmpty {
                    for key in digests.keys { unsafe digests[key]?.update(piece, beginning: &beginnings[key, default: []]) }
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
        if failure != nil { length = position }
        for entry in open {
            let known = entry.next > 0 ? entry.input.tests[entry.next - 1].length : 0
            let beginning = entry.input.evidence?.beginning ?? []
            let common = zip(beginning, entry.input.evidence.flatMap { beginnings[$0.key] } ?? [])
            relations[entry.input.identity] =
                common.allSatisfy(==) ? .isPrefix(known: position <= beginning.count ? position : min(known, position)) : .differs
        }
    }
}
