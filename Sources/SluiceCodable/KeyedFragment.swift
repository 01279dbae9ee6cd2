// An object that is being written, as a keyed container.

internal import Foundation
internal import SluiceCore

/// The members of an object by keys of a type.
struct KeyedFragment<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var encoder: FragmentEncoder
    var mark: FragmentEncoder.Mark
    /// The path of a container that lives on its own.
    let path: [any CodingKey]?
    let names: KeyNames?

    var codingPath: [any CodingKey] { path ?? encoder.path(at: mark) }

    /// Writes a member, or takes back what was written of it.
    @inline(__always)
    private func member(_ key: Key, _ write: () throws -> Void) throws {
        guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
        let fragment = encoder.fragment
        let before = fragment.mark
        fragment.key(name(key))
        do {
            try write()
        } catch {
            fragment.goBack(to: before)
            throw error
        }
        fragment.endElement()
    }

    /// Writes a member that cannot fail.
    @inline(__always)
    private func plain(_ key: Key, _ write: (JSONFragment, String) -> Void) throws {
        guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
        write(encoder.fragment, name(key))
    }

    /// The name of a key that is written now.
    @inline(__always)
    private func name(_ key: Key) -> String {
        let name = encoder.name(key) { codingPath }
        if let names, encoder.hasDefaultKeys {
            encoder.level.add(names.bit(of: key, name))
        } else {
            encoder.level.add(0)
        }
        return name
    }

    // MARK: Values

    func encodeNil(forKey key: Key) throws { try member(key) { encoder.fragment.null() } }
    func encode(_ value: Bool, forKey key: Key) throws { try plain(key) { $0.member($1, value) } }
    func encode(_ value: String, forKey key: Key) throws { try plain(key) { $0.member($1, value) } }
    func encode(_ value: Double, forKey key: Key) throws {
        if value.isFinite { return try plain(key) { $0.member($1, finite: value) } }
        try member(key) { try encoder.double(value) { encoder.codingPath + [key] } }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try member(key) { try encoder.float(value) { encoder.codingPath + [key] } }
    }
    func encode(_ value: Int, forKey key: Key) throws { try plain(key) { $0.member($1, value) } }
    func encode(_ value: Int8, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: Int16, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: Int32, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: Int64, forKey key: Key) throws { try member(key) { encoder.fragment.integer(value) } }
    func encode(_ value: Int128, forKey key: Key) throws { try member(key) { encoder.fragment.integer(value) } }
    func encode(_ value: UInt, forKey key: Key) throws { try member(key) { encoder.fragment.integer(value) } }
    func encode(_ value: UInt8, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: UInt16, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: UInt32, forKey key: Key) throws { try plain(key) { $0.member($1, Int(value)) } }
    func encode(_ value: UInt64, forKey key: Key) throws { try member(key) { encoder.fragment.integer(value) } }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key) { encoder.fragment.integer(value) } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try member(key) { try PathStep.to(key) { try encoder.write(value, $0) } }
    }

    // MARK: Containers inside

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let part = nested(key)
        return KeyedEncodingContainer(
            KeyedFragment<NestedKey>(encoder: part, mark: part.open(.object), path: codingPath + [key], names: nil))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let part = nested(key)
        return UnkeyedFragment(encoder: part, mark: part.open(.array), path: codingPath + [key])
    }

    /// The encoder of a container inside; asked for again with the same key, it is the same.
    private func nested(_ key: Key) -> FragmentEncoder {
        let name = encoder.name(key) { codingPath }
        guard encoder.isCurrent(mark) else { return encoder.loosePart() }
        if let known = encoder.nested(name) { return known }
        let part = leave(name, encoder.codingPath)
        encoder.keep(part, name)
        return part
    }

    private func leave(_ name: String, _ path: [any CodingKey]) -> FragmentEncoder {
        guard encoder.isCurrent(mark) else { return encoder.loosePart() }
        encoder.fragment.key(name)
        encoder.level.add(0)
        let part = encoder.part(path: path)
        encoder.fragment.endElement()
        return part
    }

    func superEncoder() -> any Encoder {
        leave(encoder.name(PathKey.super) { codingPath }, encoder.codingPath + [PathKey.super])
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        leave(encoder.name(key) { codingPath }, encoder.codingPath + [key])
    }
}
