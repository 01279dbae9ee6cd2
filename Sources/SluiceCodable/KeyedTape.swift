// An object on the tape, as a keyed container.

internal import Foundation
internal import SluiceCore

/// The members of an object by keys of a type.
struct KeyedTape<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var decoder: TapeDecoder
    /// The entry of the object.
    var head: Int32
    var mark: TapeDecoder.Mark

    var codingPath: [any CodingKey] { decoder.path(at: mark, of: Int(head)) }

    // MARK: Keys

    var allKeys: [Key] {
        if !decoder.hasDefaultKeys {
            let members = decoder.members[Int(head)] ?? [:]
            return members.sorted { $0.value < $1.value }.compactMap { Key(stringValue: $0.key) }
        }
        return decoder.keys(of: Int(head)).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    /// The index of a key's value; nil where it is absent.
    @inline(__always)
    private func find(_ key: some CodingKey) -> Int? {
        if !decoder.hasDefaultKeys { return decoder.members[Int(head)]?[key.stringValue] }
        return decoder.tape.value(of: key.stringValue, in: Int(head))
    }

    @inline(__always)
    private func index(of key: some CodingKey) throws -> Int {
        guard let index = find(key) else { throw decoder.missing(key, in: Int(head), codingPath) }
        return index
    }

    /// The index of a key's value; nil where it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let index = find(key), decoder.entry(index).kind != .null else { return nil }
        return index
    }

    private func path(to key: some CodingKey) -> [any CodingKey] { codingPath + [key] }

    // MARK: Values

    func decodeNil(forKey key: Key) throws -> Bool { decoder.entry(try index(of: key)).kind == .null }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoder.bool(at: index(of: key)) { path(to: key) }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoder.string(at: index(of: key)) { path(to: key) }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try decoder.double(at: index(of: key)) { path(to: key) }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try decoder.float(at: index(of: key)) { path(to: key) }
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try make(type, at: index(of: key), key)
    }

    @inline(__always)
    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value {
        try decoder.integer(type, at: index(of: key)) { path(to: key) }
    }

    @inline(__always)
    private func make<T: Decodable>(_ type: T.Type, at index: Int, _ key: Key) throws -> T {
        try PathStep.to(key) { try decoder.at(mark, Int(head)).make(type, at: index, $0) }
    }

    // MARK: Values that may be absent

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try decoder.bool(at: $0) { path(to: key) } }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try decoder.string(at: $0) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try decoder.double(at: $0) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try decoder.float(at: $0) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try integerIfPresent(type, key) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = present(key) else { return nil }
        return try make(type, at: index, key)
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value? {
        guard let index = present(key) else { return nil }
        return try decoder.integer(type, at: index) { path(to: key) }
    }

    // MARK: Containers inside

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder.other(at: index(of: key), path: path(to: key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder.other(at: index(of: key), path: path(to: key)).unkeyedContainer()
    }

    /// A value that is absent is null to the decoder of a superclass.
    func superDecoder() throws -> any Decoder {
        decoder.other(at: find(PathKey.super) ?? 0, path: path(to: PathKey.super))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.other(at: find(key) ?? 0, path: path(to: key))
    }
}
