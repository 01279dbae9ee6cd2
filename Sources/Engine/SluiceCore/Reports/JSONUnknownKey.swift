// What a report says of a key that no property binds.

/// A key in a model's object that no property binds.
///
/// ```swift
/// var reader = JSONReader(options: .init(unknownKeys: .report))
/// _ = try reader.read([Book].self, from: text)
/// for key in reader.report.unknownKeys { print(key.path, key.count, key.position) }
/// ```
public struct JSONUnknownKey: Sendable, Hashable {
    /// The path of the key where it first occurred: `statuses[0].user.idd`. A key with other characters is quoted: `"k8s.pod"`.
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

/// The unknown keys that a reader has counted: by name, in the order in which they were found, and how many there were in all. Of very many
/// names, the later ones are only counted.
package typealias CountedKeys = (named: [JSONUnknownKey], count: Int)

extension JSONReadReport {
    /// Adds the unknown keys of other records.
    package mutating func add(unknownKeys others: [JSONUnknownKey]) {
        guard !others.isEmpty else { return }
        var indices = Dictionary(
            unknownKeys.enumerated().map { ($1.identity, $0) }, uniquingKeysWith: { first, _ in first })
        for other in others {
            if let index = indices[other.identity] {
                unknownKeys[index].count += other.count
            } else if unknownKeys.count < UnknownKeyCounts.limit {
                indices[other.identity] = unknownKeys.count
                unknownKeys.append(other)
            }
        }
    }
}

extension JSONUnknownKey {
    /// What makes two keys one.
    private struct Identity: Hashable {
        let level: UInt
        let key: [UInt8]
    }

    fileprivate var identity: some Hashable { Identity(level: level, key: key) }
}
