// An object on the tape, as a keyed container.

internal import Foundation
internal import SluiceCore

/// The state of a keyed decoding container: its decoder, its object, and how keys are found there.
@safe
struct DecodingState {
    /// Not retained here. The decoder lives as long as the container, see ``ContainerHandle``.
    let decoder: Unmanaged<TapeDecoder>
    /// The entry of the object.
    var head: Int32
    var mark: TapeDecoder.Mark
    /// Whether the object has a known layout, so that `values` gives the index of a value by its key's byte.
    var isLaidOut = false
    /// The known layouts of objects with these keys; nil if the key type is not a one-byte enum, and for a container that is not kept.
    let layouts: KeyOrders?
    /// The values of `layouts`: an index on the tape for each key byte.
    let values: UnsafeMutablePointer<Int32>?

    init(_ decoder: TapeDecoder, _ layouts: KeyOrders?) {
        unsafe self.decoder = .passUnretained(decoder)
        head = 0
        mark = TapeDecoder.Mark(depth: 0, serial: 0)
        self.layouts = layouts
        unsafe values = unsafe layouts?.values
    }
}

/// Reads the members of an object whose keys are of one type.
struct KeyedTape<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let handle: ContainerHandle<DecodingState>

    init(_ handle: ContainerHandle<DecodingState>) { self.handle = handle }

    /// Calls a closure with the decoder, without retaining it.
    @inline(__always)
    private func decoding<Result>(_ body: (TapeDecoder) throws -> Result) rethrows -> Result {
        try unsafe handle.state.pointee.decoder._withUnsafeGuaranteedRef(body)
    }

    private var decoder: TapeDecoder { unsafe handle.state.pointee.decoder.takeUnretainedValue() }
    @inline(__always)
    private var head: Int { unsafe Int(handle.state.pointee.head) }
    @inline(__always)
    private var mark: TapeDecoder.Mark { unsafe handle.state.pointee.mark }

    var codingPath: [any CodingKey] { decoder.path(at: mark, of: head) }

    // MARK: Keys

    var allKeys: [Key] {
        if !decoder.hasDefaultKeys {
            let members = decoder.members[head] ?? [:]
            return members.sorted { $0.value < $1.value }.compactMap { Key(stringValue: $0.key) }
        }
        return decoder.keys(of: head).compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { find(key) != 0 }

    /// The index of a key's value; 0 if the key is absent.
    @inline(__always)
    private func find(_ key: Key) -> Int {
        if unsafe handle.state.pointee.isLaidOut {
            // Safe: a state with a layout has 256 values, one for each byte.
            let index = unsafe handle.state.pointee.values.unsafelyUnwrapped[key.byte]
            if index != 0 { return Int(index) }
        }
        return look(for: key)
    }

    /// Searches for a value that is not found by its key's byte, and returns its index; 0 if the key is absent.
    @inline(never)
    private func look(for key: Key) -> Int {
        let layouts = unsafe handle.state.pointee.isLaidOut ? handle.state.pointee.layouts : nil
        if let layouts, layouts.isAbsent(key.byte) { return 0 }
        let index = search(key)
        if index == 0 { layouts?.noteAbsent(key.byte) }
        return index
    }

    private func search(_ key: some CodingKey) -> Int {
        if !decoder.hasDefaultKeys { return decoder.members[head]?[key.stringValue] ?? 0 }
        return decoder.tape.value(of: key.stringValue, in: head) ?? 0
    }

    @inline(__always)
    private func index(of key: Key) throws -> Int {
        let index = find(key)
        if index == 0 { throw missing(key) }
        return index
    }

    @inline(never)
    private func missing(_ key: Key) -> DecodingError { decoder.missing(key, in: head, codingPath) }

    /// The index of a key's value; 0 if it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> Int {
        let index = find(key)
        // Entry 0, the one of absent keys, is a null, so one test finds both.
        return decoding { $0.entry(index).kind == .null } ? 0 : index
    }

    private func path(to key: some CodingKey) -> [any CodingKey] { codingPath + [key] }

    // MARK: Values

    func decodeNil(forKey key: Key) throws -> Bool {
        let index = try index(of: key)
        return decoding { $0.entry(index).kind == .null }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        let index = try index(of: key)
        return try decoding { try $0.bool(at: index) { path(to: key) } }
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        let index = try index(of: key)
        return try decoding { try $0.string(at: index) { path(to: key) } }
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        let index = try index(of: key)
        return try decoding { try $0.double(at: index) { path(to: key) } }
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        let index = try index(of: key)
        return try decoding { try $0.float(at: index) { path(to: key) } }
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
        let index = try index(of: key)
        return try decoding { try $0.integer(type, at: index) { path(to: key) } }
    }

    @inline(__always)
    private func make<T: Decodable>(_ type: T.Type, at index: Int, _ key: Key) throws -> T {
        if unsafe handle.state.pointee.layouts != nil { return try make(type, at: index, .byte(of: key)) }
        return try CodingStep.to(key) { try make(type, at: index, $0) }
    }

    @inline(__always)
    private func make<T: Decodable>(_ type: T.Type, at index: Int, _ step: CodingStep) throws -> T {
        try decoding { decoder in
            if decoder.isAt(mark) { return try decoder.make(type, at: index, step) }
            return try decoder.other(at: head, path: decoder.path(at: mark, of: head)).make(type, at: index, step)
        }
    }

    // MARK: Values that may be absent

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        let index = present(key)
        return index == 0 ? nil : try decoding { try $0.bool(at: index) { path(to: key) } }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        let index = present(key)
        return index == 0 ? nil : try decoding { try $0.string(at: index) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        let index = present(key)
        return index == 0 ? nil : try decoding { try $0.double(at: index) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        let index = present(key)
        return index == 0 ? nil : try decoding { try $0.float(at: index) { path(to: key) } }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integerIfPresent(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integerIfPresent(type, key) }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        let index = present(key)
        return index == 0 ? nil : try make(type, at: index, key)
    }

    @inline(__always)
    private func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type, _ key: Key) throws -> Value? {
        let index = present(key)
        return index == 0 ? nil : try decoding { try $0.integer(type, at: index) { path(to: key) } }
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

    /// If the key `super` is absent, the decoder reads null.
    func superDecoder() throws -> any Decoder {
        decoder.other(at: search(PathKey.super), path: path(to: PathKey.super))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        decoder.other(at: find(key), path: path(to: key))
    }
}
