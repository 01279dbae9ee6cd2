// Counts unknown keys (keys that no property binds) by name, for reports. A counter lives as long as its reader, so a key that occurs in
// every record of a feed costs one comparison and one addition each time.

/// A key in a model's object that no property binds.
///
/// ```swift
/// var reader = JSONReader(options: .init(unknownKeys: .report))
/// _ = try reader.read([Book].self, from: text)
/// for key in reader.report.unknownKeys { print(key.path, key.count, key.position) }
/// ```
public struct JSONUnknownKey: Sendable, Hashable {
    /// The path of the key where it first occurred: `statuses[0].user.idd`.
    public let path: String
    /// The number of times the key occurred.
    public package(set) var count: Int
    /// The position at which the key first occurred.
    public package(set) var position: SourcePosition
    /// The address of the key table that does not have the key. Keys with the same level and bytes are counted as one.
    let level: UInt
    /// The bytes of the key without its path.
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
        /// The position of the key's first occurrence, in the first document that had it.
        var position: SourcePosition
        /// The number of occurrences in accepted documents.
        var count = 0
        /// The number of occurrences in the current document.
        var inDocument = 0

        func counted(_ count: Int) -> JSONUnknownKey {
            unsafe JSONUnknownKey(path: path, count: count, position: position, level: UInt(bitPattern: level.address), key: key)
        }
    }

    /// The most names kept. It bounds the memory for documents with very many different keys.
    static let limit = 1000

    private var entries: [Entry] = []
    /// The indices of the entries whose keys the current document has.
    private var ofCurrent: [Int] = []
    /// The index of the entry tried first, the one after the last match: objects of one model often have their keys in the same order.
    private var expected = 0

    /// Whether no unknown key was counted in the current document.
    var isEmpty: Bool { ofCurrent.isEmpty }

    /// Drops the counts of the current document, because it is read again or was not accepted.
    mutating func begin() {
        for index in ofCurrent { entries[index].inDocument = 0 }
        ofCurrent.removeAll(keepingCapacity: true)
        entries.removeAll { $0.count == 0 }
    }

    /// Counts a key. Returns false if the key is new and must be added with ``add(_:of:path:at:)``. When the limit is reached, a new key is
    /// ignored and the result is true.
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

    /// Adds an entry for a new key, with one occurrence in the current document.
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

    /// Adds the current document's counts to the totals, and shifts the positions of new keys by `base`, the document's position.
    mutating func accept(at base: SourcePosition) {
        for index in ofCurrent {
            if entries[index].count == 0 { entries[index].position = entries[index].position.shifted(by: base) }
            entries[index].count += entries[index].inDocument
            entries[index].inDocument = 0
        }
        ofCurrent.removeAll(keepingCapacity: true)
    }

    /// The unknown keys of the current document.
    var ofDocument: [JSONUnknownKey] {
        ofCurrent.map { entries[$0].counted(entries[$0].inDocument) }
    }

    /// The unknown keys of all accepted documents.
    var ofAll: [JSONUnknownKey] {
        entries.filter { $0.count > 0 }.map { $0.counted($0.count) }
    }

    /// Returns the unknown keys of all accepted documents, and removes them.
    mutating func takeAll() -> [JSONUnknownKey] {
        let all = ofAll
        entries = []
        ofCurrent = []
        expected = 0
        return all
    }
}
