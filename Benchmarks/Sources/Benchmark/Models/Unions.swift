// Types that try one thing after another, as hand-written Codable code does. They are Codable and nothing else.

internal import Foundation

/// A value of one of three types, which are tried in this order.
enum UnionValue: Codable, Equatable {
    case flag(Bool), number(Double), text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

/// A row all of whose columns are unions.
struct UnionRow: Codable, Equatable {
    let id: UnionValue
    let label: UnionValue
    let isOpen: UnionValue
    let size: UnionValue

    static func row(_ number: Int) -> UnionRow {
        UnionRow(
            id: .number(Double(number)), label: .text("label \(number)"), isOpen: .flag(number % 2 == 0),
            size: .text("x\(number)"))
    }
}

/// The first of two types that fits.
enum EitherOf<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
    case first(First), second(Second)

    init(from decoder: any Decoder) throws {
        do {
            self = .first(try First(from: decoder))
        } catch {
            self = .second(try Second(from: decoder))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .first(let value): try value.encode(to: encoder)
        case .second(let value): try value.encode(to: encoder)
        }
    }
}

struct UnionCircle: Codable, Equatable {
    var radius = 1.5
    var x: Double
    var y = 2.0
}

struct UnionLabel: Codable, Equatable {
    var text: String
    var x: Double
    var y = 2.0
}

/// Any JSON, by trying what there is, as the libraries of this name do.
enum AnyCodable: Codable, Equatable {
    case null, flag(Bool), integer(Int), number(Double), text(String)
    case elements([AnyCodable])
    case members([String: AnyCodable])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let elements = try? container.decode([AnyCodable].self) {
            self = .elements(elements)
        } else {
            self = .members(try container.decode([String: AnyCodable].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .elements(let elements): try container.encode(elements)
        case .members(let members): try container.encode(members)
        }
    }

    static func record(_ number: Int) -> AnyCodable {
        .members([
            "id": .integer(number), "name": .text("name \(number)"), "tags": .elements([.text("a"), .text("b")]),
            "isOpen": .flag(true), "size": .number(1.5), "parent": .null,
        ])
    }
}
