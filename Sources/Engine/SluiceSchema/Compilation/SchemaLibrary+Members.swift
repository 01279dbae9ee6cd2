// Finds what a schema says of the members of objects, as far as references and `allOf` lead.

internal import SluiceCore

extension SchemaLibrary {
    /// How many objects inside of each other are looked at: a schema may refer to itself.
    private static let greatestDepth = 8
    /// How many members and keywords are looked at: a table has fewer columns, and a schema may refer to a part of it again and again.
    private static let greatestCount = 100_000
    /// How many members of one object are columns at most.
    private static let mostMembers = 2_000

    /// The keywords of all subschemas that surely apply to a value.
    private struct Facts {
        var types = SchemaTypes.all
        var format: String?
        private(set) var properties: [(key: String, locations: [SchemaLocation])] = []
        private var numbers: [String: Int] = [:]
        var required = Set<String>()
        /// The subschemas.
        var seen = Set<SchemaLocation>()

        mutating func add(_ key: String, _ location: SchemaLocation) {
            if let known = numbers[key] {
                properties[known].locations.append(location)
            } else {
                numbers[key] = properties.count
                properties.append((key, [location]))
            }
        }
    }

    /// What a subschema says of the members of objects.
    func members(of root: SchemaLocation) throws(JSONError) -> [SchemaMember] {
        var left = SchemaLibrary.greatestCount
        let facts = try facts(of: [root], &left)
        return facts.types.contains(.object) ? try members(facts, inside: facts.seen, depth: 1, &left) : []
    }

    /// - Parameters:
    ///   - outer: The subschemas of the objects around these members: what refers to one of them is not followed.
    ///   - left: How many members and keywords may still be looked at.
    private func members(
        _ facts: Facts, inside outer: Set<SchemaLocation>, depth: Int, _ left: inout Int
    ) throws(JSONError) -> [SchemaMember] {
        var members: [SchemaMember] = []
        for (key, locations) in facts.properties where left > 0 && members.count < SchemaLibrary.mostMembers {
            let inner = try self.facts(of: locations, &left)
            guard let kind = SchemaLibrary.kind(inner) else { continue }
            let isFollowed = kind == .object && depth < SchemaLibrary.greatestDepth && inner.seen.isDisjoint(with: outer)
            members.append(
                SchemaMember(
                    key: key, kind: kind, isRequired: facts.required.contains(key) && !inner.types.contains(.null),
                    members: isFollowed
                        ? try self.members(inner, inside: outer.union(inner.seen), depth: depth + 1, &left) : []))
        }
        return members
    }

    private static func kind(_ facts: Facts) -> SchemaMember.Kind? {
        switch facts.types.subtracting(.null) {
        case .integer: .integer
        case .fraction, .number: .number
        case .boolean: .boolean
        case .string: facts.format == "date-time" ? .dateTime : facts.format == "date" ? .date : .string
        case .array: .array
        case .object: .object
        default: nil
        }
    }

    private func facts(of locations: [SchemaLocation], _ left: inout Int) throws(JSONError) -> Facts {
        var facts = Facts()
        var queue = locations
        var next = 0
        while next < queue.count {
            let location = queue[next]
            next += 1
            guard facts.seen.insert(location).inserted else { continue }
            let text = text(of: location)
            left -= 1
            for (key, value) in text.members(Int(location.index)) {
                left -= 1
                func child(_ index: Int) -> SchemaLocation { SchemaLocation(document: location.document, index: Int32(index)) }
                switch key {
                case "type":
                    let names = text.string(value).map { [$0] } ?? (text.elements(value) ?? []).compactMap(text.string)
                    let types = SchemaTypes.names.filter { names.contains($0.0) }.map(\.1)
                    facts.types.formIntersection(SchemaTypes(types))
                case "const": facts.types.formIntersection(SchemaTypes(text.kind(value)))
                case "enum":
                    facts.types.formIntersection(SchemaTypes((text.elements(value) ?? []).map { SchemaTypes(text.kind($0)) }))
                case "format": facts.format = text.string(value)
                case "$ref":
                    guard let reference = text.string(value) else { continue }
                    queue.append(try resolve(reference, from: location, at: value, keyword: key).location)
                case "allOf": queue += (text.elements(value) ?? []).map(child)
                case "properties":
                    for (name, schema) in text.members(value) {
                        left -= 1
                        facts.add(name, child(schema))
                    }
                case "required": facts.required.formUnion((text.elements(value) ?? []).compactMap(text.string))
                default: continue
                }
            }
        }
        return facts
    }
}
