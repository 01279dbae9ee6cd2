// A value of any shape: it decodes what the shape says and keeps an exact record of what it got.

import Foundation

/// A decoded value of a ``Shape``, as text.
struct Probe: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let box = ShapeBox.of(decoder.userInfo)
        switch box.shape {
        case .scalar(let scalar):
            let container = try decoder.singleValueContainer()
            text = try Exact.text(scalar, container)
        case .keyed(let fields):
            text = try Probe.keyed(try decoder.container(keyedBy: AnyKey.self), fields, box)
        case .unkeyed(let shapes):
            text = try Probe.unkeyed(try decoder.unkeyedContainer(), shapes, box)
        case .array(let element):
            let container = try decoder.singleValueContainer()
            text = try box.with(element) { try container.decode([Probe].self).map(\.text).description }
        case .dictionary(let value):
            let container = try decoder.singleValueContainer()
            text = try box.with(value) { try Exact.sorted(container.decode([String: Probe].self).mapValues(\.text)) }
        case .optional(let wrapped):
            let container = try decoder.singleValueContainer()
            text = try box.with(wrapped) { try container.decode(Probe?.self)?.text ?? "nil" }
        case .single(let inner):
            let container = try decoder.singleValueContainer()
            let isNil = container.decodeNil()
            text = "\(isNil) " + (try box.with(inner) { try container.decode(Probe.self).text })
        case .fixed(let index):
            text = try Fixed.types[index].decode(decoder)
        }
    }

    private static func keyed(
        _ container: KeyedDecodingContainer<AnyKey>, _ fields: [Shape.Field], _ box: ShapeBox
    ) throws -> String {
        var words = [
            "keys " + container.allKeys.map(\.stringValue.precomposedStringWithCanonicalMapping).sorted().joined(separator: ",")
        ]
        for field in fields {
            let key = AnyKey(stringValue: field.key)
            let word: String = try box.with(field.shape) {
                switch field.access {
                case .decode:
                    if case .scalar(let scalar) = field.shape { return try Exact.text(scalar, container, key) }
                    return try container.decode(Probe.self, forKey: key).text
                case .ifPresent:
                    if case .scalar(let scalar) = field.shape { return try Exact.textIfPresent(scalar, container, key) }
                    return try container.decodeIfPresent(Probe.self, forKey: key)?.text ?? "absent"
                case .nilOrDecode:
                    return try container.decodeNil(forKey: key) ? "nil" : container.decode(Probe.self, forKey: key).text
                case .nested:
                    let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                    guard case .keyed(let fields) = field.shape else { return Exact.path(nested.codingPath) }
                    return try Probe.keyed(nested, fields, box)
                case .nestedUnkeyed:
                    return try Probe.unkeyed(container.nestedUnkeyedContainer(forKey: key), [field.shape, field.shape], box)
                case .superDecoder:
                    let inner = field.key == "super" ? try container.superDecoder() : try container.superDecoder(forKey: key)
                    return Exact.path(inner.codingPath) + (try Probe(from: inner).text)
                case .contains:
                    return "\(container.contains(key))"
                case .attempt:
                    return (try? container.decode(Probe.self, forKey: key).text) ?? "failed"
                }
            }
            words.append(word)
        }
        return "\(Exact.path(container.codingPath)){\(words.joined(separator: "; "))}"
    }

    private static func unkeyed(
        _ container: any UnkeyedDecodingContainer, _ shapes: [Shape], _ box: ShapeBox
    ) throws -> String {
        var container = container
        var words = ["\(container.count ?? -1)"]
        for (number, shape) in shapes.enumerated() {
            words.append("\(container.isAtEnd) \(container.currentIndex)")
            try box.with(shape) {
                switch number % 4 {
                case 1: words.append(try container.decodeIfPresent(Probe.self)?.text ?? "absent")
                case 2 where !container.isAtEnd: words.append("\(try container.decodeNil())")
                case 3 where !container.isAtEnd: words.append(try Probe(from: container.superDecoder()).text)
                default:
                    if case .scalar(let scalar) = shape {
                        words.append(try Exact.text(scalar, &container))
                    } else {
                        words.append(try container.decode(Probe.self).text)
                    }
                }
            }
        }
        return "\(Exact.path(container.codingPath))[\(words.joined(separator: "; "))]"
    }
}
