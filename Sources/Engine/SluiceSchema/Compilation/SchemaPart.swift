// One subschema: its keywords become the fields of a node.

internal import SluiceCore

/// A subschema that is being compiled.
struct SchemaPart {
    let library: SchemaLibrary
    let location: SchemaLocation
    let text: SchemaText
    let place: Int32
    let dialect: SchemaDialect
    var node: SchemaNode
    var members: [String: Int] = [:]
    var links: [SchemaLink] = []
    var numbers = SchemaNumbers()
    var rules = SchemaKeyRules()
    /// The keys that keywords name, in the order of the schema.
    var keyNames: [String] = []
    private var keyNumbers: [String: Int32] = [:]

    init(_ library: SchemaLibrary, _ location: SchemaLocation, _ node: SchemaNode) {
        self.library = library
        self.location = location
        self.node = node
        text = library.text(of: location)
        place = library.known[location]?.place ?? 0
        dialect = library.resources[Int(node.resource)].dialect
    }

    mutating func compile(_ compiler: inout SchemaCompiler) throws(JSONError) {
        let index = Int(location.index)
        if let isValid = text.boolean(index) {
            if !isValid { (node.needs, node.types) = (.never, []) }
            node.noteSureKinds()
            return
        }
        guard text.isObject(index) else {
            throw text.error(
                at: index, library.pointer(place), expected: "a schema: an object, true or false", found: text.description(index))
        }
        for (key, value) in text.members(index) { members[key] = value }
        if dialect.validates { try compileAssertions(&compiler) }
        try compileFormat(&compiler)
        try compileObject(&compiler)
        try compileArray(&compiler)
        let hasOtherKeywords = !node.needs.isEmpty || node.types != .all
        try compileLinks(&compiler)
        finish(&compiler, hasOtherKeywords: hasOtherKeywords)
    }

    private mutating func finish(_ compiler: inout SchemaCompiler, hasOtherKeywords: Bool) {
        node.linkStart = Int32(compiler.contents.links.count)
        node.linkCount = Int32(links.count)
        compiler.contents.links += links
        if !links.isEmpty { node.needs.insert(.everything) }
        if links.count == 1, links[0].keyword == .reference, !hasOtherKeywords { node.alias = links[0].node }
        node.noteSureKinds()
    }

    // MARK: Parts

    func fail(_ index: Int, _ path: String, _ expected: String, found: String? = nil, hint: String? = nil) -> JSONError {
        text.error(
            at: index, library.pointer(place) + "/" + path, expected: expected, found: found ?? text.description(index),
            hint: hint)
    }

    func child(_ index: Int) -> SchemaLocation { SchemaLocation(document: location.document, index: Int32(index)) }

    /// The node of a keyword whose value is a schema; -1 if the keyword is absent.
    func schema(_ key: String, _ compiler: inout SchemaCompiler) -> Int32 {
        members[key].map { compiler.node(at: child($0)) } ?? -1
    }

    /// The members of a keyword whose value is an object.
    func object(_ key: String) throws(JSONError) -> [(key: String, value: Int)] {
        guard let index = members[key] else { return [] }
        guard text.isObject(index) else { throw fail(index, key, "an object") }
        return text.members(index)
    }

    /// The elements of a keyword whose value is an array of schemas.
    func schemas(_ key: String, _ compiler: inout SchemaCompiler) throws(JSONError) -> [Int32] {
        guard let index = members[key] else { return [] }
        guard let elements = text.elements(index), !elements.isEmpty else { throw fail(index, key, "an array of schemas") }
        return elements.map { compiler.node(at: child($0)) }
    }

    func string(_ key: String) throws(JSONError) -> (text: String, index: Int)? {
        guard let index = members[key] else { return nil }
        guard let string = text.string(index) else { throw fail(index, key, "a string") }
        return (string, index)
    }

    /// The strings of an array.
    func strings(_ index: Int, _ path: String) throws(JSONError) -> [String] {
        guard let elements = text.elements(index) else { throw fail(index, path, "an array of strings") }
        var found: [String] = []
        for (number, element) in elements.enumerated() {
            guard let string = text.string(element) else { throw fail(element, "\(path)/\(number)", "a string") }
            found.append(string)
        }
        return found
    }

    func number(_ key: String) throws(JSONError) -> SchemaNumber? {
        guard let index = members[key] else { return nil }
        guard let number = text.number(index) else { throw fail(index, key, "a number") }
        return number
    }

    func count(_ key: String) throws(JSONError) -> Int? {
        guard let index = members[key] else { return nil }
        guard let count = text.number(index)?.count else { throw fail(index, key, "a whole number, 0 or above") }
        return count
    }

    /// The number of a key among those that the subschema names.
    mutating func keyNumber(_ name: String) -> Int32 {
        if let number = keyNumbers[name] { return number }
        keyNumbers[name] = Int32(keyNames.count)
        keyNames.append(name)
        return Int32(keyNames.count - 1)
    }
}

extension SchemaPart {
    // MARK: Objects

    fileprivate mutating func compileObject(_ compiler: inout SchemaCompiler) throws(JSONError) {
        let properties = try object("properties")
        for property in properties { _ = keyNumber(property.key) }
        try compileRequired()
        for (pattern, value) in try object("patternProperties") {
            rules.patterns.append(
                (
                    try self.pattern(pattern, value, "patternProperties/" + SchemaURI.step(pattern)),
                    compiler.node(at: child(value))
                ))
        }
        for (name, value) in try object("dependentSchemas") {
            links.append(SchemaLink(keyword: .dependentSchemas, node: compiler.node(at: child(value)), number: keyNumber(name)))
        }
        node.additional = schema("additionalProperties", &compiler)
        node.propertyNames = schema("propertyNames", &compiler)
        node.unevaluatedProperties = schema("unevaluatedProperties", &compiler)
        let keys = compiler.keys(keyNames)
        for number in 0..<keys.count { keys[number].node = node.additional }
        for (number, property) in properties.enumerated() {
            keys[number].node = compiler.node(at: child(property.value))
            keys[number].isProperty = true
        }
        if rules.required.count <= 64 {
            for (bit, number) in rules.required.enumerated() {
                keys[Int(number)].bit = 1 << UInt64(bit)
                node.required |= 1 << UInt64(bit)
            }
        }
        node.keys = keys
        if !keyNames.isEmpty || node.additional >= 0 || node.minProperties > 0 || node.maxProperties < .max {
            node.needs.insert(.objects)
        }
        if !rules.patterns.isEmpty || !rules.required.isEmpty || !rules.dependentRequired.isEmpty {
            node.keyRules = Int32(compiler.contents.keyRules.count)
            compiler.contents.keyRules.append(rules)
        }
        if !rules.patterns.isEmpty || !rules.dependentRequired.isEmpty || rules.required.count > 64 || node.propertyNames >= 0
            || node.unevaluatedProperties >= 0
        {
            node.needs.formUnion([.objects, .everything])
        }
        if node.unevaluatedProperties >= 0 { node.needs.insert(.unevaluated) }
    }

    private mutating func compileRequired() throws(JSONError) {
        guard dialect.validates else { return }
        if let index = members["required"] {
            var seen = Set<String>()
            for name in try strings(index, "required") where seen.insert(name).inserted { rules.required.append(keyNumber(name)) }
        }
        for (name, value) in try object("dependentRequired") {
            let names = try strings(value, "dependentRequired/" + SchemaURI.step(name))
            rules.dependentRequired.append((keyNumber(name), names.map { keyNumber($0) }))
        }
        node.minProperties = try count("minProperties") ?? 0
        node.maxProperties = try count("maxProperties") ?? .max
    }

    func pattern(_ pattern: String, _ index: Int, _ path: String) throws(JSONError) -> TextPattern {
        do throws(TextPattern.Failure) { return try TextPattern(pattern) } catch {
            throw fail(
                index, path, error.isRefusal ? "a regular expression that a walk can check" : "a regular expression",
                found: "\(error.reason) at byte \(error.offset) of '\(SchemaWords.short(pattern))'")
        }
    }

    // MARK: Arrays

    fileprivate mutating func compileArray(_ compiler: inout SchemaCompiler) throws(JSONError) {
        let prefix = try schemas("prefixItems", &compiler)
        node.prefixStart = Int32(compiler.contents.prefixItems.count)
        node.prefixCount = Int32(prefix.count)
        compiler.contents.prefixItems += prefix
        node.items = schema("items", &compiler)
        node.contains = schema("contains", &compiler)
        node.unevaluatedItems = schema("unevaluatedItems", &compiler)
        if dialect.validates {
            node.minContains = try count("minContains") ?? 1
            node.maxContains = try count("maxContains") ?? .max
            node.minItems = try count("minItems") ?? 0
            node.maxItems = try count("maxItems") ?? .max
            if let index = members["uniqueItems"] {
                guard let isUnique = text.boolean(index) else { throw fail(index, "uniqueItems", "true or false") }
                if isUnique { node.needs.insert(.uniqueItems) }
            }
        }
        if !prefix.isEmpty || node.items >= 0 || node.minItems > 0 || node.maxItems < .max || node.needs.contains(.uniqueItems) {
            node.needs.insert(.arrays)
        }
        if node.contains >= 0 || node.unevaluatedItems >= 0 { node.needs.formUnion([.arrays, .everything]) }
        if node.unevaluatedItems >= 0 { node.needs.insert(.unevaluated) }
    }

    // MARK: Applicators in place

    fileprivate mutating func compileLinks(_ compiler: inout SchemaCompiler) throws(JSONError) {
        if let (reference, index) = try string("$ref") {
            let target = try library.resolve(reference, from: location, at: index, keyword: "$ref")
            links.append(SchemaLink(keyword: .reference, node: compiler.node(at: target.location), number: -1))
        }
        if let (reference, index) = try string("$dynamicRef") {
            let target = try library.resolve(reference, from: location, at: index, keyword: "$dynamicRef")
            let number = target.dynamicAnchor.map { compiler.dynamicAnchor($0) } ?? -1
            links.append(SchemaLink(keyword: .dynamicReference, node: compiler.node(at: target.location), number: number))
        }
        for keyword in [SchemaKeyword.allOf, .anyOf, .oneOf] {
            for (number, schema) in try schemas(keyword.rawValue, &compiler).enumerated() {
                links.append(SchemaLink(keyword: keyword, node: schema, number: Int32(number)))
            }
        }
        for keyword in [SchemaKeyword.not, .if, .then, .else] {
            if keyword == .then || keyword == .else, members["if"] == nil { continue }
            let schema = schema(keyword.rawValue, &compiler)
            if schema >= 0 { links.append(SchemaLink(keyword: keyword, node: schema, number: -1)) }
        }
    }
}
