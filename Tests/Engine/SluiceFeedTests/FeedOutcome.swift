// What a feed gave from its first record to its end, in a form that can be compared.

import SluiceCore
import SluiceTestSupport

@testable import SluiceFeed

/// A record's text and position.
struct Piece: Equatable, CustomStringConvertible {
    var text: String
    var position: SourcePosition

    var description: String { "\(text)@\(position.offset)/\(position)" }
}

/// All records of a splitter, and its errors in between.
struct Pieces: Equatable {
    var pieces: [Piece] = []
    var errors: [JSONError] = []
    /// The range of each record that was given out, or rejected for its length.
    var ranges: [Range<Int>] = []
    var format = JSONFeedFormat.automatic
    var end = SourcePosition.start
    var bufferSize = 0

    var texts: [String] { pieces.map(\.text) }

    init(
        _ bytes: [UInt8], format: JSONFeedFormat = .automatic, chunkSize: Int = .max, at path: JSONRecordPath? = nil,
        readSize: Int = 256 << 10, maximumRecordSize: Int = 64 << 20
    ) {
        var splitter = RecordSplitter(
            source: BytesSource(bytes, chunkSize: chunkSize), format: format, at: path, readSize: readSize,
            maximumRecordSize: maximumRecordSize)
        // As many steps as there are bytes, and a few to end: a splitter that makes no headway must not hang the tests.
        for _ in 0..<(bytes.count + 8) {
            do throws(JSONError) {
                guard let record = try splitter.next() else { break }
                let text = unsafe String(decoding: record.bytes, as: UTF8.self)
                pieces.append(Piece(text: text, position: record.position))
                ranges.append(splitter.recordRange)
            } catch {
                errors.append(error)
                if error.kind == .sizeLimit { ranges.append(splitter.recordRange) }
            }
        }
        self.format = splitter.detectedFormat
        end = splitter.position
        bufferSize = splitter.bufferSize
    }

    /// The same with the bytes pushed in pieces.
    init(
        pushing bytes: [UInt8], format: JSONFeedFormat = .automatic, pieceSize: Int, at path: JSONRecordPath? = nil,
        readSize: Int = 256 << 10, maximumRecordSize: Int = 64 << 20
    ) {
        var splitter = RecordSplitter(format: format, at: path, readSize: readSize, maximumRecordSize: maximumRecordSize)
        var offset = 0
        var steps = 0
        while steps < 2 * bytes.count + 16 {
            steps += 1
            do throws(JSONError) {
                if let record = try splitter.next() {
                    let text = unsafe String(decoding: record.bytes, as: UTF8.self)
                    pieces.append(Piece(text: text, position: record.position))
                    ranges.append(splitter.recordRange)
                    continue
                }
                guard splitter.needsBytes else { break }
            } catch {
                errors.append(error)
                if error.kind == .sizeLimit { ranges.append(splitter.recordRange) }
                continue
            }
            let end = min(offset + pieceSize, bytes.count)
            if offset == end {
                splitter.finish()
            } else {
                unsafe bytes[offset..<end].withUnsafeBytes { unsafe splitter.append($0) }
            }
            offset = end
        }
        self.format = splitter.detectedFormat
        end = splitter.position
        bufferSize = splitter.bufferSize
    }

    init(_ text: String, format: JSONFeedFormat = .automatic, maximumRecordSize: Int = 64 << 20) {
        self.init(Array(text.utf8), format: format, maximumRecordSize: maximumRecordSize)
    }

    /// Whether both are the same except for the size of the buffer, which depends on how the bytes came.
    func isEqual(_ other: Pieces) -> Bool {
        pieces == other.pieces && errors == other.errors && ranges == other.ranges && format == other.format && end == other.end
    }
}

/// All that a feed gives, with its errors in between.
struct FeedOutcome<Record: JSONBindable & Equatable>: Equatable {
    var records: [Record] = []
    var errors: [JSONError] = []
    var accepted = 0
    var rejected = 0
    var reasons: [JSONError] = []
    var consumedBytes = 0
    var format = JSONFeedFormat.automatic

    init(of feed: JSONFeed<Record>, limit: Int = 100_000) {
        drain(feed, limit)
        note(feed)
    }

    /// Pushes bytes in pieces, and takes out the records in between.
    init(pushing bytes: [UInt8], pieceSize: Int, _ options: JSONFeed<Record>.Options = .init(reading: .strict)) {
        let parser = JSONFeedParser<Record>(options: options)
        for start in stride(from: 0, to: bytes.count, by: pieceSize) {
            parser.append(bytes[start..<min(start + pieceSize, bytes.count)])
            drain(parser.feed, 100_000)
        }
        parser.finish()
        drain(parser.feed, 100_000)
        note(parser.feed)
    }

    private mutating func drain(_ feed: JSONFeed<Record>, _ limit: Int) {
        for _ in 0..<limit {
            do throws(JSONError) {
                guard let record = try feed.next() else { break }
                records.append(record)
            } catch {
                errors.append(error)
            }
        }
    }

    private mutating func note(_ feed: JSONFeed<Record>) {
        accepted = feed.acceptedCount
        rejected = feed.rejectedCount
        reasons = feed.reasons
        consumedBytes = feed.consumedBytes
        format = feed.format
    }

    init(_ text: String, _ options: JSONFeed<Record>.Options = .init(reading: .strict)) {
        self.init(of: JSONFeed<Record>(bytes: Array(text.utf8), options: options))
    }
}

/// The position of a byte, found by counting.
func position(of offset: Int, in bytes: [UInt8]) -> SourcePosition {
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
    return SourcePosition(offset: offset, line: 1 + before.count { $0 == 10 }, column: offset - lineStart + 1)
}
