// An object that is being written, as a keyed container.

internal import Foundation
internal import SluiceCore

/// The state of a keyed encoding container: its encoder, its level, and the names of its keys.
@safe
struct EncodingState {
    /// Not retained here. The encoder lives as long as the container, see ``ContainerHandle``.
    let encoder: Unmanaged<FragmentEncoder>
    var mark: FragmentEncoder.Mark
    /// The path of a detached container; nil for any other container, whose path is found by its mark.
    let path: [any CodingKey]?
    /// The names of the keys, which live as long as the process; nil if the key type is not a one-byte enum, or for a detached container.
    let names: Unmanaged<KeyNames>?

    init(_ encoder: FragmentEncoder, _ mark: FragmentEncoder.Mark, path: [any CodingKey]? = nil, names: KeyNames? = nil) {
        unsafe self.encoder = .passUnretained(encoder)
        self.mark = mark
        self.path = path
        unsafe self.names = unsafe names.map { unsafe .passUnretained($0) }
    }
}

/// Writes the members of an object whose keys are of one type.
struct KeyedFragment<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let handle: ContainerHandle<EncodingState>

    init(_ handle: ContainerHandle<EncodingState>) { self.handle = handle }

    /// Makes a detached container, which owns its state and retains its encoder.
    init(_ encoder: FragmentEncoder, _ mark: FragmentEncoder.Mark, path: [any CodingKey]) {
        let state = UnsafeMutablePointer<EncodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: EncodingState(encoder, mark, path: path))
        unsafe self.init(ContainerHandle(state, owner: StateOwner(state, encoder)))
    }

    /// Calls a closure with the encoder, without retaining it.
    @inline(__always)
    private func encoding<Result>(_ body: (FragmentEncoder) throws -> Result) rethrows -> Result {
        try unsafe handle.state.pointee.encoder._withUnsafeGuaranteedRef(body)
    }

    private var encoder: FragmentEncoder { unsafe handle.state.pointee.encoder.takeUnretainedValue() }
    @inline(__always)
    private var mark: FragmentEncoder.Mark { unsafe handle.state.pointee.mark }

    var codingPath: [any CodingKey] { unsafe handle.state.pointee.path ?? encoder.path(at: mark) }

    /// Writes a member; after an error, removes the part already written.
    @inline(__always)
    private func member(_ key: Key, _ write: (FragmentEncoder) throws -> Void) throws {
        try encoding { encoder in
            guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
            let before = encoder.fragment.mark
            if let name = unsafe name(of: key, encoder) {
                unsafe encoder.fragment.key(name.pointee.text)
            } else {
                encoder.fragment.key(encoder.name(key) { codingPath })
            }
            do {
                try write(encoder)
            } catch {
                encoder.fragment.goBack(to: before)
                throw error
            }
            encoder.fragment.endElement()
        }
    }

    /// Writes a member whose value cannot fail to be written.
    ///
    /// - Parameters:
    ///   - write: Writes the value; used after the key has been written.
    ///   - named: Writes the whole member in one call; used if the key's text is kept.
    @inline(__always)
    private func plain(
        _ key: Key, _ write: (JSONFragment) -> Void, named: (JSONFragment, JSONKeyText) -> Void
    ) throws {
        try encoding { encoder in
            guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
            if let name = unsafe name(of: key, encoder) { return named(encoder.fragment, unsafe name.pointee.text) }
            encoder.fragment.key(encoder.name(key) { codingPath })
            write(encoder.fragment)
            encoder.fragment.endElement()
        }
    }

    /// The kept name of a key that is about to be written; nil if names are not kept. Notes the key at its level.
    @inline(__always)
    private func name(of key: Key, _ encoder: FragmentEncoder) -> UnsafePointer<KeyNames.Name>? {
        guard let names = unsafe handle.state.pointee.names, encoder.hasDefaultKeys else {
            encoder.level.add(0)
            return nil
        }
        let name = unsafe names._withUnsafeGuaranteedRef {
            unsafe $0.name(of: key, escapesSlashes: encoder.fragment.escapesSlashes)
        }
        unsafe encoder.level.add(name.pointee.bit)
        return unsafe name
    }

    // MARK: Values

    func encodeNil(forKey key: Key) throws { try member(key) { $0.fragment.null() } }
    func encode(_ value: Bool, forKey key: Key) throws { try plain(key, { $0.bool(value) }, named: { $0.member($1, value) }) }
    func encode(_ value: String, forKey key: Key) throws { try plain(key, { $0.text(value) }, named: { $0.member($1, value) }) }
    func encode(_ value: Double, forKey key: Key) throws {
        if value.isFinite {
            return try plain(key, { $0.finite(value) }, named: { $0.member($1, finite: value) })
        }
        try member(key) { encoder in try encoder.double(value) { encoder.codingPath + [key] } }
    }
    func encode(_ value: Float, forKey key: Key) throws {
        try member(key) { encoder in try encoder.float(value) { encoder.codingPath + [key] } }
    }
    func encode(_ value: Int, forKey key: Key) throws { try plain(key, { $0.integer(value) }, named: { $0.member($1, value) }) }
    func encode(_ value: Int8, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int16, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int32, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: Int64, forKey key: Key) throws { try member(key) { $0.fragment.integer(value) } }
    func encode(_ value: Int128, forKey key: Key) throws { try member(key) { $0.fragment.integer(value) } }
    func encode(_ value: UInt, forKey key: Key) throws { try member(key) { $0.fragment.integer(value) } }
    func encode(_ value: UInt8, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try encode(Int(value), forKey: key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try member(key) { $0.fragment.integer(value) } }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key) { $0.fragment.integer(value) } }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if unsafe handle.state.pointee.names != nil { return try member(key) { try $0.write(value, .byte(of: key)) } }
        try member(key) { encoder in try CodingStep.to(key) { try encoder.write(value, $0) } }
    }

    // MARK: Containers inside

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let part = nested(key)
        return KeyedEncodingContainer(KeyedFragment<NestedKey>(part, part.open(.object), path: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let part = nested(key)
        return UnkeyedFragment(encoder: part, mark: part.open(.array), path: codingPath + [key])
    }

    /// The encoder of the nested container for a key. The same key returns the same encoder again.
    private func nested(_ key: Key) -> FragmentEncoder {
        let name = encoder.name(key) { codingPath }
        guard encoder.isCurrent(mark) else { return closedPart() }
        return encoder.nested(name, bit(of: key), path: encoder.codingPath)
    }

    /// The bit of a key; 0 if names are not kept.
    private func bit(of key: Key) -> UInt64 {
        guard let names = unsafe handle.state.pointee.names, encoder.hasDefaultKeys else { return 0 }
        return unsafe names._withUnsafeGuaranteedRef {
            unsafe $0.name(of: key, escapesSlashes: encoder.fragment.escapesSlashes).pointee.bit
        }
    }

    /// The encoder of a container inside one that cannot be written.
    private func closedPart() -> FragmentEncoder {
        _ = encoder.refusal(mark)
        return encoder.closedPart()
    }

    /// Writes a key and leaves a hole for its value. Returns the encoder of that value.
    private func leave(_ name: String, _ path: [any CodingKey]) -> FragmentEncoder {
        guard encoder.isCurrent(mark) else { return closedPart() }
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
