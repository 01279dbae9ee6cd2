// Finds what a schema says of the members of objects, as far as references and `allOf` lead.

internal import SluiceCore

extension SchemaLibrary {
    /// How many objects inside of each other are looked at: a schema may refer to itself.
    private static let greatestDepth = 8
    private static let greatestCount = 2_000

    /// The keywords of all subschemas that surely apply to a value.
    private struct Facts {
        var types = SchemaTypes.all
        var format: String?
        var properties: [(key: String, locations: [SchemaLocation])] = []
        var required = Set<String>()

        mutating func add(_ key: String, _ location: SchemaLocation) {
            if let known = properties.firstIndex(where: { $0.key == key }) {
                properties[known].locations.append(location)
            } else {
                properties.append((key, [location]))
            }
        }
    }

    /// What a subschema says of the members of objects.
    func members(of root: SchemaLocation) throws(JSONError) -> [SchemaMember] {
        let facts = try facts(of: [root])
        var count = 0
        return facts.types.contains(.object) ? try members(facts, depth: 1, &count) : []
    }

    private func members(_ facts: Facts, depth: Int, _ count: inout Int) throws(JSONError) -> [SchemaMember] {
        var members: [SchemaMember] = []
        for (key, locations) in facts.properties where count < SchemaLibrary.greatestCount {
            let inner = try self.facts(of: locations)
            guard let kind = SchemaLibrary.kind(inner) else { continue }
            count += 1
            members.append(
                SchemaMember(
                    key: key, kind: kind, isRequired: facts.required.contains(key) && !inner.types.contains(.null),
                    members: kind == .object && depth < SchemaLibrary.greatestDepth
                        ? try self.members(inner, depth: depth + 1, &count) : []))
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

    private func facts(of locations: [SchemaLocation]) throws(JSONError) -> Facts {
        var facts = Facts()
        var (queue, seen) = (locations, Set<SchemaLocation>())
        while !queue.isEmpty {
            let location = queue.removeFirst()
            guard seen.insert(location).inserted else { continue }
            let text = text(of: location)
            for (key, value) in text.members(Int(location.index)) {
                func child(_ index: Int) -> SchemaLocation { SchemaLocation(document: location.document, index: Int32(index)) }
                switch key {
                case "type":
                    let names = text.string(value).map { [$0] } ?? (text.elements(value) ?? []).compactMap(text.string)
                    let types = SchemaTypes.names.filter { names.contains($0.0) }.map(\.1)
                    facts.types.formIntersection(SchemaTypes(types))
                case "const": facts.types.formIntersection(text.types(value))
                case "enum": facts.types.formIntersection(SchemaTypes((text.elements(value) ?? []).map(text.types)))
                case "format": facts.format = text.string(value)
                case "$ref":
                    guard let reference = text.string(value) else { continue }
                    queue.append(try resolve(reference, from: location, at: value, keyword: key).location)
                case "allOf": queue += (text.elements(value) ?? []).map(child)
                case "properties": for (name, schema) in text.members(value) { facts.add(name, child(schema)) }
                case "required": facts.required.formUnion((text.elements(value) ?? []).compactMap(text.string))
                default: continue
                }
            }
        }
        return facts
    }
}

extension SchemaText {
    /// What kind of value there is.
    fileprivate func types(_ index: Int) -> SchemaTypes {
        switch kind(index) {
        case .null: .null
        case .true, .false: .boolean
        case .integer: .integer
        case .double, .number: .fraction
        case .string: .string
        case .array: .array
        case .object, .bounds: .object
        }
    }
}
