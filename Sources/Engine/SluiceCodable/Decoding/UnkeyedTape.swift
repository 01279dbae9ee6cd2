// An array on the tape, as an unkeyed container.

internal import Foundation
internal import SluiceCore

/// Reads the elements of an array, one after another.
struct UnkeyedTape: UnkeyedDecodingContainer {
    let decoder: TapeDecoder
    private let head: Int32
    /// The entry of the next element.
    private var cursor: Int32
    private var index: Int32 = 0
    private let mark: TapeDecoder.Mark

    init(_ decoder: TapeDecoder, head: Int, mark: TapeDecoder.Mark) {
        self.decoder = decoder
        // Safe: a tape has at most `JSONTape.greatestEntryCount` entries.
        self.head = Int32(truncatingIfNeeded: head)
        cursor = Int32(truncatingIfNeeded: head &+ 2)
        self.mark = mark
    }

    var codingPath: [any CodingKey] { decoder.path(at: mark, of: Int(head)) }
    var currentIndex: Int { Int(index) }
    var count: Int? { decoder.count(at: Int(head)) }
    var isAtEnd: Bool { Int(index) >= decoder.count(at: Int(head)) }

    private var path: [any CodingKey] { codingPath + [PathKey(index: Int(index))] }

    /// The entry of the next element; throws at the end of the array.
    @inline(__always)
    private func next(_ type: Any.Type) throws -> Int {
        if isAtEnd { throw decoder.exhausted(type, in: Int(head), path) }
        return Int(cursor)
    }

    @inline(__always)
    private mutating func advance() {
        cursor = Int32(truncatingIfNeeded: decoder.index(after: Int(cursor)))
        index &+= 1
    }

    /// The entry of the next element; nil if it is absent or null. A null is skipped, and past the end the index still grows.
    @inline(__always)
    private mutating func present() -> Int? {
        if isAtEnd {
            index &+= 1
            return nil
        }
        if decoder.entry(Int(cursor)).kind != .null { return Int(cursor) }
        advance()
        return nil
    }

    /// Returns the value of the next element, and goes on to the one after it.
    @inline(__always)
    private mutating func passing<Value>(_ value: Value) -> Value {
        advance()
        return value
    }

    // MARK: Values

    mutating func decodeNil() throws -> Bool {
        guard decoder.entry(try next(Never.self)).kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try passing(decoder.bool(at: next(type)) { path }) }
    mutating func decode(_ type: String.Type) throws -> String { try passing(decoder.string(at: next(type)) { path }) }
    mutating func decode(_ type: Double.Type) throws -> Double { try passing(decoder.double(at: next(type)) { path }) }
    mutating func decode(_ type: Float.Type) throws -> Float { try passing(decoder.float(at: next(type)) { path }) }
    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try passing(make(type, at: next(type)))
    }

    @inline(__always)
    private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        try passing(decoder.integer(type, at: next(type)) { path })
    }

    @inline(__always)
    private func make<T: Decodable>(_ type: T.Type, at item: Int) throws -> T {
        if decoder.isAt(mark) { return try decoder.make(type, at: item, .element(Int(index))) }
        return try decoder.other(at: Int(head), path: codingPath).make(type, at: item, .element(Int(index)))
    }

    // MARK: Values that may be absent

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        guard let item = present() else { return nil }
        return try passing(decoder.bool(at: item) { path })
    }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
        guard let item = present() else { return nil }
        return try passing(decoder.string(at: item) { path })
    }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
        guard let item = present() else { return nil }
        return try passing(decoder.double(at: item) { path })
    }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
        guard let item = present() else { return nil }
        return try passing(decoder.float(at: item) { path })
    }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try integerIfPresent(type) }
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try integerIfPresent(type) }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        guard let item = present() else { return nil }
        return try passing(make(type, at: item))
    }

    @inline(__always)
    private mutating func integerIfPresent<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value? {
        guard let item = present() else { return nil }
        return try passing(decoder.integer(type, at: item) { path })
    }

    // MARK: Containers inside

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let item = try next(KeyedDecodingContainer<NestedKey>.self)
        return try passing(decoder.other(at: item, path: path).container(keyedBy: type))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let item = try next((any UnkeyedDecodingContainer).self)
        return try passing(decoder.other(at: item, path: path).unkeyedContainer())
    }

    mutating func superDecoder() throws -> any Decoder {
        let item = try next((any Decoder).self)
        return passing(decoder.other(at: item, path: path))
    }
}
