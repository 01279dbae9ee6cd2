// Turns a shape into Swift: `@JSONModel` structs that can read every observed record.

internal import SluiceCore

/// Writes the Swift models for a shape.
package struct SwiftModel {
    private var lines: [String] = []

    /// The text of a Swift file.
    ///
    /// - Parameters:
    ///   - shape: The shape of the records.
    ///   - name: The name of the type.
    package static func text(of shape: RecordShape, name: String) -> String {
        var model = SwiftModel()
        let name = SwiftName.type(for: name, taken: [])
        if shape.kinds == .object, !shape.members.isEmpty, !shape.isDictionary {
            model.declare(name, shape, level: 0, enclosing: [])
        } else {
            // The records are not objects with fixed keys, so their type is a type alias.
            var nested: [(name: String, shape: RecordShape)] = []
            var taken: Set<String> = [name]
            let type = SwiftModel.type(of: shape, key: name + "Element", nested: &nested, taken: &taken)
            model.lines.append("typealias \(name) = \(type)")
            for type in nested {
                model.lines.append("")
                model.declare(type.name, type.shape, level: 0, enclosing: [name])
            }
        }
        let needsFoundation = model.lines.contains { $0.contains(/: \[?(Date|URL)\b/) }
        return (needsFoundation ? "import Foundation\n" : "") + "import Sluice\n\n" + model.lines.joined(separator: "\n") + "\n"
    }

    /// A property of a model.
    private struct Property {
        let key: String
        let name: String
        let type: String
        let isSensitive: Bool
        /// How a date is written, if not as ISO 8601.
        let dateFormat: String?
    }

    /// Declares an enum of words. Others may come later, so it has a case for them.
    private mutating func declare(_ name: String, _ words: [String], indent: String) {
        lines += [indent + "@JSONModel", "\(indent)enum \(name) {"]
        var taken: Set<String> = ["unknown"]
        for word in words {
            let name = SwiftName.property(for: word, taken: &taken)
            let attribute = name.utf8.elementsEqual(word.utf8) ? "" : "@JSONKey(\(SwiftName.literal(word))) "
            lines.append("\(indent)    \(attribute)case \(SwiftName.quoted(name))")
        }
        lines += ["\(indent)    case unknown(String)", "\(indent)}"]
    }

    private mutating func declare(_ name: String, _ shape: RecordShape, level: Int, enclosing: Set<String>) {
        let indent = String(repeating: "    ", count: level)
        if case .words(let words) = shape.meaning(under: "") { return declare(name, words, indent: indent) }
        var nested: [(name: String, shape: RecordShape)] = []
        var types = enclosing.union([name])
        var names: Set<String> = []
        let properties = shape.members.map { member in
            var type = SwiftModel.type(of: member.shape, key: member.key, isProperty: true, nested: &nested, taken: &types)
            if member.shape.hasNull || !shape.isAlwaysThere(member.shape) { type += "?" }
            return Property(
                key: member.key, name: SwiftName.property(for: member.key, taken: &names), type: type,
                isSensitive: member.shape.holdsSensitive, dateFormat: SwiftModel.dateFormat(of: member.shape, member.key))
        }
        // Choose the key strategy that leaves fewer keys to be spelled out.
        func exceptions(_ strategy: JSONKeyStrategy) -> Int { properties.count { !SwiftModel.fits($0, strategy) } }
        let isSnakeCase = exceptions(.snakeCase) < exceptions(.verbatim)
        let strategy: JSONKeyStrategy = isSnakeCase ? .snakeCase : .verbatim
        lines.append(indent + (isSnakeCase ? "@JSONModel(keys: .snakeCase)" : "@JSONModel"))
        lines.append("\(indent)struct \(name) {")
        for property in properties {
            let mark = property.isSensitive ? "@JSONSensitive " : ""
            let date = property.dateFormat.map { "@JSONDate(\($0)) " } ?? ""
            let attribute = mark + date + (SwiftModel.fits(property, strategy) ? "" : SwiftModel.keyAttribute(property.key) + " ")
            lines.append("\(indent)    \(attribute)var \(SwiftName.quoted(property.name)): \(property.type)")
        }
        for type in nested {
            lines.append("")
            declare(type.name, type.shape, level: level + 1, enclosing: types)
        }
        lines.append("\(indent)}")
    }

    /// The format of a property whose values, or elements, are dates.
    private static func dateFormat(of shape: RecordShape, _ key: String) -> String? {
        switch shape.meaning(under: key) {
        case .date: ".format(\"yyyy-MM-dd\")"
        case .epoch(let format): ".\(format.text)"
        default: nil
        }
    }

    /// Whether a key strategy produces the key of a property.
    private static func fits(_ property: Property, _ strategy: JSONKeyStrategy) -> Bool {
        strategy.key(for: property.name).components.elementsEqual([property.key]) { $0.utf8.elementsEqual($1.utf8) }
    }

    private static func keyAttribute(_ key: String) -> String {
        // Without `literal:`, a key with a dot or bracket would be a path, and digits the index of an element.
        let isPlain = (try? PathSyntax.steps(of: key)) == [.key(key)]
        let isLiteral = !isPlain || key.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return "@JSONKey(\(isLiteral ? "literal: " : "")\(SwiftName.literal(key)))"
    }

    /// The type of the values of a shape, without the question mark. Types that must be declared for it are added to `nested`.
    private static func type(
        of shape: RecordShape, key: String, isProperty: Bool = false, nested: inout [(name: String, shape: RecordShape)],
        taken: inout Set<String>
    ) -> String {
        switch shape.meaning(under: key) {
        case .timestamp(isStrict: true): return "Date"
        // The attribute of a property says how its own dates are written, not those of elements.
        case .date where isProperty, .epoch where isProperty: return "Date"
        case .url: return "URL"
        case .words:
            let name = SwiftName.type(for: key, taken: taken)
            taken.insert(name)
            nested.append((name, shape))
            return name
        default: break
        }
        switch shape.kinds {
        case [.bool]: return "Bool"
        case [.integer], [.integer, .long]: return "Int"
        case [.real], [.integer, .real]: return "Double"
        case [.string]: return "String"
        case [.array]:
            guard let element = shape.element else { return "[JSONValue]" }
            let type = type(of: element, key: SwiftName.singular(of: key), nested: &nested, taken: &taken)
            return "[\(type)\(element.hasNull ? "?" : "")]"
        case [.object] where shape.isDictionary:
            let values = shape.memberShape
            let type = type(of: values, key: SwiftName.singular(of: key), nested: &nested, taken: &taken)
            return "[String: \(type)\(values.hasNull ? "?" : "")]"
        case [.object] where !shape.members.isEmpty && !shape.members.contains { $0.key.isEmpty }:
            let name = SwiftName.type(for: key, taken: taken)
            taken.insert(name)
            nested.append((name, shape))
            return name
        default:
            // Values of several kinds, numbers that no Swift type holds without loss, or nothing but null.
            return "JSONValue"
        }
    }
}
