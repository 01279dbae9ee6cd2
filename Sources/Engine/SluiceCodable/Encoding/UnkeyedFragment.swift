// An array that is being written, as an unkeyed container.

internal import Foundation
internal import SluiceCore

/// Writes the elements of an array, one after another.
struct UnkeyedFragment: UnkeyedEncodingContainer {
    let encoder: FragmentEncoder
    let mark: FragmentEncoder.Mark
    /// The path of a detached container; nil for any other container, whose path is found by its mark.
    let path: [any CodingKey]?

    var codingPath: [any CodingKey] { path ?? encoder.path(at: mark) }
    var count: Int { encoder.isCurrent(mark) ? encoder.level.count : 0 }

    /// Writes an element; after an error, removes the part already written.
    @inline(__always)
    private func element(_ write: () throws -> Void) throws {
        guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
        let before = encoder.fragment.mark
        do {
            try write()
        } catch {
            encoder.fragment.goBack(to: before)
            throw error
        }
        encoder.fragment.endElement()
        encoder.level.count &+= 1
    }

    /// Writes an element whose value cannot fail to be written.
    @inline(__always)
    private func plain(_ write: (JSONFragment) -> Void) throws {
        guard encoder.isCurrent(mark) else { throw encoder.refusal(mark) }
        write(encoder.fragment)
        encoder.fragment.endElement()
        encoder.level.count &+= 1
    }

    private var elementPath: [any CodingKey] { encoder.codingPath + [PathKey(index: count)] }

    // MARK: Values

    func encodeNil() throws { try plain { $0.null() } }
    func encode(_ value: Bool) throws { try plain { $0.bool(value) } }
    func encode(_ value: String) throws { try plain { $0.text(value) } }
    func encode(_ value: Double) throws {
        if value.isFinite { return try plain { $0.finite(value) } }
        try element { try encoder.double(value) { elementPath } }
    }
    func encode(_ value: Float) throws { try element { try encoder.float(value) { elementPath } } }
    func encode(_ value: Int) throws { try plain { $0.integer(value) } }
    func encode(_ value: Int8) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: Int16) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: Int32) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: Int64) throws { try plain { $0.integer(value) } }
    func encode(_ value: Int128) throws { try plain { $0.integer(value) } }
    func encode(_ value: UInt) throws { try plain { $0.integer(value) } }
    func encode(_ value: UInt8) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: UInt16) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: UInt32) throws { try plain { $0.integer(Int(value)) } }
    func encode(_ value: UInt64) throws { try plain { $0.integer(value) } }
    func encode(_ value: UInt128) throws { try plain { $0.integer(value) } }

    func encode<T: Encodable>(_ value: T) throws {
        try element { try encoder.write(value, .element(encoder.level.count)) }
    }

    // MARK: Containers inside

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let path = codingPath + [PathKey(index: count)]
        let part = leave(encoder.codingPath)
        return KeyedEncodingContainer(KeyedFragment<NestedKey>(part, part.open(.object), path: path))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = codingPath + [PathKey(index: count)]
        let part = leave(encoder.codingPath)
        return UnkeyedFragment(encoder: part, mark: part.open(.array), path: path)
    }

    func superEncoder() -> any Encoder { leave(elementPath) }

    /// Leaves a hole for the next element. Returns the encoder of that element.
    private func leave(_ path: [any CodingKey]) -> FragmentEncoder {
        guard encoder.isCurrent(mark) else {
            _ = encoder.refusal(mark)
            return encoder.closedPart()
        }
        let part = encoder.part(path: path)
        encoder.fragment.endElement()
        encoder.level.count &+= 1
        return part
    }
}
