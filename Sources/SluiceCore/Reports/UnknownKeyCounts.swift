// Counts keys that no property binds, by name, for reports. A counter lasts as long as its reader, so a key that each record of a
// feed has costs one comparison and one addition.

/// A key of a model that no property has.
///
/// ```swift
/// var reader = JSONReader(options: .init(unknownKeys: .report))
/// _ = try reader.read([Book].self, from: text)
/// for key in reader.report.unknownKeys { print(key.path, key.count, key.position) }
/// ```
public struct JSONUnknownKey: Sendable, Hashable {
    /// The key with the way to its object, where it was met first: `statuses[0].user.idd`.
    public let path: String
    /// How often it was met.
    public package(set) var count: Int
    /// Where it was met first.
    public package(set) var position: SourcePosition
    /// The kind of object that has it, and the key alone: what is counted as one key.
    let level: UInt
    let key: [UInt8]
}

extension JSONReadReport {
    /// Adds the unknown keys of other records.
    package mutating func add(unknownKeys others: [JSONUnknownKey]) {
        for other in others {
            if let index = unknownKeys.firstIndex(where: { $0.level == other.level && $0.key == other.key }) {
                unknownKeys[index].count += other.count
            } else if unknownKeys.count < UnknownKeyCounts.limit {
                unknownKeys.append(other)
            }
        }
    }
}

/// Counts unknown keys by name.
@safe
struct UnknownKeyCounts {
    @safe
    private struct Entry {
        let level: KeyTableHandle
        let key: [UInt8]
        let path: String
        /// Where the key was met first, in the first document that had it.
        var position: SourcePosition
        /// How often it was met in documents that were read.
        var count = 0
        var inDocument = 0

        func counted(_ count: Int) -> JSONUnknownKey {
            unsafe JSONUnknownKey(path: path, count: count, position: position, level: UInt(bitPattern: level.address), key: key)
        }
    }

    /// The most names kept: a document with endless keys must not take endless memory.
    static let limit = 1000

    private var entries: [Entry] = []
    /// The entries of the keys that the document at hand holds.
    private var ofCurrent: [Int] = []
    /// The entry behind the one met last: objects of one kind have their keys in one order.
    private var expected = 0

    /// Whether the document at hand has no such keys.
    var isEmpty: Bool { ofCurrent.isEmpty }

    /// Forgets the document at hand, which is read again or was not accepted.
    mutating func begin() {
        for index in ofCurrent { entries[index].inDocument = 0 }
        ofCurrent.removeAll(keepingCapacity: true)
        entries.removeAll { $0.count == 0 }
    }

    /// Counts a key; false if it is new and must be added. Beyond the limit a new key is ignored, and the result is true.
    mutating func count(_ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle) -> Bool {
        let index: Int
        if expected < entries.count, unsafe isSame(entries[expected], key, level) {
            index = expected
        } else if let found = entries.firstIndex(where: { unsafe isSame($0, key, level) }) {
            index = found
        } else {
            return entries.count >= Self.limit
        }
        expected = index + 1
        if entries[index].inDocument == 0 { ofCurrent.append(index) }
        entries[index].inDocument += 1
        return true
    }

    mutating func add(
        _ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle, path: String, at position: SourcePosition
    ) {
        let name = unsafe String(decoding: key, as: UTF8.self)
        let whole = path.isEmpty ? name : path + "." + name
        ofCurrent.append(entries.count)
        entries.append(unsafe Entry(level: level, key: Array(key), path: whole, position: position, inDocument: 1))
    }

    private func isSame(_ entry: Entry, _ key: UnsafeBufferPointer<UInt8>, _ level: KeyTableHandle) -> Bool {
        unsafe entry.level == level && entry.key.count == key.count && entry.key.elementsEqual(key)
    }

    /// Adds the current document's counts to the totals, and shifts its positions by the document's own.
    mutating func accept(at base: SourcePosition) {
        for index in ofCurrent {
            if entries[index].count == 0 { entries[index].position = entries[index].position.shifted(by: base) }
            entries[index].count += entries[index].inDocument
            entries[index].inDocument = 0
        }
        ofCurrent.removeAll(keepingCapacity: true)
    }

    /// The keys of the document at hand.
    var ofDocument: [JSONUnknownKey] {
        ofCurrent.map { entries[$0].counted(entries[$0].inDocument) }
    }

    /// The keys of all documents that were accepted.
    var ofAll: [JSONUnknownKey] {
        entries.filter { $0.count > 0 }.map { $0.counted($0.count) }
    }

    /// Returns the keys of all documents that were accepted, and forgets them.
    mutating func takeAll() -> [JSONUnknownKey] {
        let all = ofAll
        entries = []
        ofCurrent = []
        expected = 0
        return all
    }
}
