// By what an input of a family is known again, wherever its text lies by then: a checkpoint stores it.

internal import Foundation
package import SluiceCore
internal import SluiceFeed

/// The digests of the text of an input, as far as it has been read, and the file that it was in.
package struct ContentEvidence: Hashable, Sendable {
    /// The digest of the first bytes of the text.
    package struct Mark: Hashable, Sendable {
        /// How many bytes.
        package let length: Int
        package let digest: UInt64
    }

    /// Makes the digests; all inputs of a table have the same.
    package let key: ContentDigest.Key
    /// The digests at lengths that double, and the last one: that of the text that was read, or shortly before its end if a run was killed.
    package var marks: [Mark]
    /// The digest at the last mark, to go on from.
    package var last: ContentDigest
    /// A byte of the digest after each of the first 1,024 bytes of the text up to the last mark. By these a shorter text is known to be its
    /// beginning: a copy of a log that is cut to nothing just afterwards may end anywhere.
    package var beginning: [UInt8]
    /// How many bytes of the text have been read.
    package var length: Int
    /// The file as it was when the text was read, with its path from the root.
    package var file: FileStamp
    /// Whether that file is compressed.
    package var isCompressed = false
    /// Whether the text ended without a line break, and its last line was taken as a record all the same.
    package var isEnded = false
    /// Since when no look has found the text, in seconds since 1970; nil if it is there.
    package var missingSince: Int?
    /// Whether a report has said so.
    package var isMissingReported = false

    /// How many bytes of the file have been read; nil if it is compressed, and was not read to its end.
    ///
    /// - Parameter isComplete: Whether the text was read to its end.
    package func readBytes(isComplete: Bool) -> Int? {
        guard isCompressed else { return length }
        return isComplete ? file.size : nil
    }

    /// The shortest text with a digest.
    package static let shortest = 16
    /// How many digests are kept at most.
    package static let mostMarks = 32
}

// MARK: As JSON

extension ContentEvidence {
    package var json: JSONValue {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
        func text(_ value: UInt64) -> JSONValue { .string(String(value, radix: 16)) }
        var members: [JSONObject.Member] = [
            ("key", .string(key.text)), ("lengths", .array(marks.map { number($0.length) })),
            ("digests", .array(marks.map { text($0.digest) })), ("last", .string(last.text)),
            ("beginning", .string(Data(beginning).base64EncodedString())), ("length", number(length)),
            ("file", .string(file.path)), ("device", text(file.device)), ("inode", text(file.inode)), ("size", number(file.size)),
            ("changed", number(file.changed)), ("modified", number(file.modified)),
        ]
        if file.made != 0 { members.append(("made", number(file.made))) }
        if isCompressed { members.append(("is_compressed", .bool(true))) }
        if isEnded { members.append(("is_ended", .bool(true))) }
        if let missingSince { members.append(("missing_since", number(missingSince))) }
        if isMissingReported { members.append(("is_missing_reported", .bool(true))) }
        return .object(JSONObject(members))
    }

    /// - Returns: nil if the value is no evidence that this version understands.
    package init?(json: JSONValue?) {
        func word(_ name: String) -> UInt64? { json?[name]?.string.flatMap { UInt64($0, radix: 16) } }
        guard let json, let key = json["key"]?.string.flatMap(ContentDigest.Key.init(text:)),
            let last = json["last"]?.string.flatMap(ContentDigest.init(text:)), let length = json["length"]?.int,
            let path = json["file"]?.string, let device = word("device"), let inode = word("inode"), let size = json["size"]?.int,
            let changed = json["changed"]?.int, let modified = json["modified"]?.int
        else { return nil }
        let beginning = json["beginning"]?.string.flatMap { Data(base64Encoded: $0) } ?? Data()
        let lengths = json["lengths"]?.array?.compactMap(\.int) ?? []
        let digests = json["digests"]?.array?.compactMap { $0.string.flatMap { UInt64($0, radix: 16) } } ?? []
        guard lengths.count == digests.count, lengths == lengths.sorted(), lengths.last ?? 0 <= length, 0 <= last.count,
            last.count <= length, beginning.count == min(last.count, JSONCheckpoint.headSize)
        else { return nil }
        self.key = key
        marks = zip(lengths, digests).map { Mark(length: $0, digest: $1) }
        (self.last, self.beginning, self.length) = (last, Array(beginning), length)
        let made = json["made"]?.int ?? 0
        file = FileStamp(
            path: path, device: device, inode: inode, size: size, changed: changed, modified: modified, made: made)
        isCompressed = json["is_compressed"]?.bool ?? false
        isEnded = json["is_ended"]?.bool ?? false
        missingSince = json["missing_since"]?.int
        isMissingReported = json["is_missing_reported"]?.bool ?? false
    }
}
