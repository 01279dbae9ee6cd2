// JSON as Foundation's JSONSerialization sees it, in a form that can be compared: the independent opinion of the corpus tests.

import Foundation

/// A JSON value with nothing of Sluice in it. Integers are exact; an integral double equals its integer.
indirect enum PlainJSON: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([PlainJSON])
    case object([String: PlainJSON])

    /// Parses with JSONSerialization.
    init(foundation bytes: [UInt8]) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let members as [String: Any]: self = .object(members.mapValues { PlainJSON($0) })
        case let elements as [Any]: self = .array(elements.map { PlainJSON($0) })
        case let text as String: self = .string(text)
        case let number as NSNumber:
            // "c" is a C char, of which Foundation makes booleans.
            let code = unsafe String(cString: number.objCType)
            if code == "c" || code == "B" {
                self = .bool(number.boolValue)
            } else if code == "d" || code == "f" {
                let integral = Int64(exactly: number.doubleValue).flatMap { abs($0) < 1 << 53 ? $0 : nil }
                self = integral.map { .integer($0) } ?? .double(number.doubleValue)
            } else {
                self = .integer(number.int64Value)
            }
        default: self = .null
        }
    }

    /// The value without members that are null: a nil property is left out when written.
    var withoutNulls: PlainJSON {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNulls))
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
        default: self
        }
    }

    subscript(key: String) -> PlainJSON? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    subscript(index: Int) -> PlainJSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var elements: [PlainJSON] { if case .array(let elements) = self { elements } else { [] } }

    var double: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// All numbers in order of arrays; members of objects are not ordered and not looked into.
    var flattened: [Double] {
        switch self {
        case .array(let elements): elements.flatMap(\.flattened)
        default: double.map { [$0] } ?? []
        }
    }
}
