// Exact texts of values: two values have the same text only if no bit differs.

import Foundation

enum Exact {
    static func path(_ path: [any CodingKey]) -> String {
        "<" + path.map { "\($0.stringValue)#\($0.intValue.map(String.init) ?? "")" }.joined(separator: "/") + ">"
    }

    static func sorted(_ values: [String: String]) -> String {
        values.sorted { $0.key < $1.key }.map { "\($0.key.precomposedStringWithCanonicalMapping): \($0.value)" }.joined(
            separator: ", ")
    }

    static func text(_ value: Any) -> String {
        switch value {
        case let value as Double: "d\(value.bitPattern)"
        case let value as Float: "f\(value.bitPattern)"
        case let value as Date: "date\(value.timeIntervalSinceReferenceDate.bitPattern)"
        case let value as Data: "data\(Array(value))"
        case let value as [Double]: value.map { text($0) }.description
        case let value as [[Double]]: value.map { $0.map { text($0) } }.description
        case let value as [String: Double]: sorted(value.mapValues { text($0) })
        case let value as [String: Int]: sorted(value.mapValues { text($0) })
        case let value as [Int: String]: value.sorted { $0.key < $1.key }.description
        case let value as String: value.unicodeScalars.map { "\($0.value)" }.joined(separator: " ")
        default: "\(value)"
        }
    }

    /// What a single-value container has as a scalar.
    static func text(_ scalar: Shape.Scalar, _ container: any SingleValueDecodingContainer) throws -> String {
        switch scalar {
        case .bool: text(try container.decode(Bool.self))
        case .string: text(try container.decode(String.self))
        case .double: text(try container.decode(Double.self))
        case .float: text(try container.decode(Float.self))
        case .int: text(try container.decode(Int.self))
        case .int8: text(try container.decode(Int8.self))
        case .int16: text(try container.decode(Int16.self))
        case .int32: text(try container.decode(Int32.self))
        case .int64: text(try container.decode(Int64.self))
        case .int128: text(try container.decode(Int128.self))
        case .uint: text(try container.decode(UInt.self))
        case .uint8: text(try container.decode(UInt8.self))
        case .uint16: text(try container.decode(UInt16.self))
        case .uint32: text(try container.decode(UInt32.self))
        case .uint64: text(try container.decode(UInt64.self))
        case .uint128: text(try container.decode(UInt128.self))
        case .date: text(try container.decode(Date.self))
        case .data: text(try container.decode(Data.self))
        case .url: text(try container.decode(URL.self))
        case .decimal: text(try container.decode(Decimal.self))
        case .doubles: text(try container.decode([Double].self))
        case .ints: text(try container.decode([Int].self))
        case .strings: text(try container.decode([String].self))
        case .counts: text(try container.decode([String: Int].self))
        case .numbers: text(try container.decode([String: Double].self))
        case .optionals: text(try container.decode([Int?].self))
        case .doubleLists: text(try container.decode([[Double]].self))
        case .integerKeys: text(try container.decode([Int: String].self))
        case .uuid: text(try container.decode(UUID.self))
        }
    }

    /// What a keyed container has for a key as a scalar.
    static func text(_ scalar: Shape.Scalar, _ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey) throws -> String {
        switch scalar {
        case .bool: text(try container.decode(Bool.self, forKey: key))
        case .string: text(try container.decode(String.self, forKey: key))
        case .double: text(try container.decode(Double.self, forKey: key))
        case .float: text(try container.decode(Float.self, forKey: key))
        case .int: text(try container.decode(Int.self, forKey: key))
        case .int8: text(try container.decode(Int8.self, forKey: key))
        case .int16: text(try container.decode(Int16.self, forKey: key))
        case .int32: text(try container.decode(Int32.self, forKey: key))
        case .int64: text(try container.decode(Int64.self, forKey: key))
        case .int128: text(try container.decode(Int128.self, forKey: key))
        case .uint: text(try container.decode(UInt.self, forKey: key))
        case .uint8: text(try container.decode(UInt8.self, forKey: key))
        case .uint16: text(try container.decode(UInt16.self, forKey: key))
        case .uint32: text(try container.decode(UInt32.self, forKey: key))
        case .uint64: text(try container.decode(UInt64.self, forKey: key))
        case .uint128: text(try container.decode(UInt128.self, forKey: key))
        case .date: text(try container.decode(Date.self, forKey: key))
        case .data: text(try container.decode(Data.self, forKey: key))
        case .url: text(try container.decode(URL.self, forKey: key))
        case .decimal: text(try container.decode(Decimal.self, forKey: key))
        case .doubles: text(try container.decode([Double].self, forKey: key))
        case .ints: text(try container.decode([Int].self, forKey: key))
        case .strings: text(try container.decode([String].self, forKey: key))
        case .counts: text(try container.decode([String: Int].self, forKey: key))
        case .numbers: text(try container.decode([String: Double].self, forKey: key))
        case .optionals: text(try container.decode([Int?].self, forKey: key))
        case .doubleLists: text(try container.decode([[Double]].self, forKey: key))
        case .integerKeys: text(try container.decode([Int: String].self, forKey: key))
        case .uuid: text(try container.decode(UUID.self, forKey: key))
        }
    }

    /// The same where it may be absent.
    static func textIfPresent(
        _ scalar: Shape.Scalar, _ container: KeyedDecodingContainer<AnyKey>, _ key: AnyKey
    ) throws -> String {
        switch scalar {
        case .bool: try container.decodeIfPresent(Bool.self, forKey: key).map { text($0) } ?? "absent"
        case .string: try container.decodeIfPresent(String.self, forKey: key).map { text($0) } ?? "absent"
        case .double: try container.decodeIfPresent(Double.self, forKey: key).map { text($0) } ?? "absent"
        case .float: try container.decodeIfPresent(Float.self, forKey: key).map { text($0) } ?? "absent"
        case .int: try container.decodeIfPresent(Int.self, forKey: key).map { text($0) } ?? "absent"
        case .int8: try container.decodeIfPresent(Int8.self, forKey: key).map { text($0) } ?? "absent"
        case .int16: try container.decodeIfPresent(Int16.self, forKey: key).map { text($0) } ?? "absent"
        case .int32: try container.decodeIfPresent(Int32.self, forKey: key).map { text($0) } ?? "absent"
        case .int64: try container.decodeIfPresent(Int64.self, forKey: key).map { text($0) } ?? "absent"
        case .int128: try container.decodeIfPresent(Int128.self, forKey: key).map { text($0) } ?? "absent"
        case .uint: try container.decodeIfPresent(UInt.self, forKey: key).map { text($0) } ?? "absent"
        case .uint8: try container.decodeIfPresent(UInt8.self, forKey: key).map { text($0) } ?? "absent"
        case .uint16: try container.decodeIfPresent(UInt16.self, forKey: key).map { text($0) } ?? "absent"
        case .uint32: try container.decodeIfPresent(UInt32.self, forKey: key).map { text($0) } ?? "absent"
        case .uint64: try container.decodeIfPresent(UInt64.self, forKey: key).map { text($0) } ?? "absent"
        case .uint128: try container.decodeIfPresent(UInt128.self, forKey: key).map { text($0) } ?? "absent"
        case .date: try container.decodeIfPresent(Date.self, forKey: key).map { text($0) } ?? "absent"
        case .data: try container.decodeIfPresent(Data.self, forKey: key).map { text($0) } ?? "absent"
        case .url: try container.decodeIfPresent(URL.self, forKey: key).map { text($0) } ?? "absent"
        case .decimal: try container.decodeIfPresent(Decimal.self, forKey: key).map { text($0) } ?? "absent"
        case .doubles: try container.decodeIfPresent([Double].self, forKey: key).map { text($0) } ?? "absent"
        case .ints: try container.decodeIfPresent([Int].self, forKey: key).map { text($0) } ?? "absent"
        case .strings: try container.decodeIfPresent([String].self, forKey: key).map { text($0) } ?? "absent"
        case .counts: try container.decodeIfPresent([String: Int].self, forKey: key).map { text($0) } ?? "absent"
        case .numbers: try container.decodeIfPresent([String: Double].self, forKey: key).map { text($0) } ?? "absent"
        case .optionals: try container.decodeIfPresent([Int?].self, forKey: key).map { text($0) } ?? "absent"
        case .doubleLists: try container.decodeIfPresent([[Double]].self, forKey: key).map { text($0) } ?? "absent"
        case .integerKeys: try container.decodeIfPresent([Int: String].self, forKey: key).map { text($0) } ?? "absent"
        case .uuid: try container.decodeIfPresent(UUID.self, forKey: key).map { text($0) } ?? "absent"
        }
    }

    /// What an unkeyed container has next as a scalar.
    static func text(_ scalar: Shape.Scalar, _ container: inout any UnkeyedDecodingContainer) throws -> String {
        switch scalar {
        case .bool: text(try container.decode(Bool.self))
        case .string: text(try container.decode(String.self))
        case .double: text(try container.decode(Double.self))
        case .float: text(try container.decode(Float.self))
        case .int: text(try container.decode(Int.self))
        case .int8: text(try container.decode(Int8.self))
        case .int16: text(try container.decode(Int16.self))
        case .int32: text(try container.decode(Int32.self))
        case .int64: text(try container.decode(Int64.self))
        case .int128: text(try container.decode(Int128.self))
        case .uint: text(try container.decode(UInt.self))
        case .uint8: text(try container.decode(UInt8.self))
        case .uint16: text(try container.decode(UInt16.self))
        case .uint32: text(try container.decode(UInt32.self))
        case .uint64: text(try container.decode(UInt64.self))
        case .uint128: text(try container.decode(UInt128.self))
        case .date: text(try container.decode(Date.self))
        case .data: text(try container.decode(Data.self))
        case .url: text(try container.decode(URL.self))
        case .decimal: text(try container.decode(Decimal.self))
        case .doubles: text(try container.decode([Double].self))
        case .ints: text(try container.decode([Int].self))
        case .strings: text(try container.decode([String].self))
        case .counts: text(try container.decode([String: Int].self))
        case .numbers: text(try container.decode([String: Double].self))
        case .optionals: text(try container.decode([Int?].self))
        case .doubleLists: text(try container.decode([[Double]].self))
        case .integerKeys: text(try container.decode([Int: String].self))
        case .uuid: text(try container.decode(UUID.self))
        }
    }
}
