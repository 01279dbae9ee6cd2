// The documents of a compilation, and what can be referred to in them: resources by their URI, subschemas by anchor or JSON Pointer.

internal import SluiceCore

/// A value of a schema document.
struct SchemaLocation: Hashable {
    let document: Int32
    let index: Int32
}

/// A part of a document that has a URI of its own: the document, and each subschema with `$id`.
struct SchemaResource {
    let uri: String
    let location: SchemaLocation
    let place: Int32
    let dialect: SchemaDialect
    var anchors: [String: SchemaLocation] = [:]
    var dynamicAnchors: [String: SchemaLocation] = [:]
}

/// Which keywords a resource has.
struct SchemaDialect {
    /// Whether the keywords of the vocabulary "validation" are known.
    var validates = true
    var assertsFormats = false
}

/// The documents of a compilation.
final class SchemaLibrary {
    let options: JSONSchema.Options
    private(set) var documents: [SchemaText] = []
    private(set) var resources: [SchemaResource] = []
    private(set) var places: [SchemaPlace] = []
    /// The resource and the place of each subschema.
    private(set) var known: [SchemaLocation: (resource: Int, place: Int32)] = [:]
    private var numbers: [String: Int] = [:]
    private var dialects: [String: SchemaDialect] = [:]
    private var folder: SchemaFolder?

    init(options: JSONSchema.Options) {
        self.options = options
        folder = options.folder.map { SchemaFolder(path: $0) }
    }

    func text(of location: SchemaLocation) -> SchemaText { documents[Int(location.document)] }

    /// The JSON Pointer of a place in its document.
    func pointer(_ place: Int32) -> String {
        var steps: [String] = []
        var place = place
        while place >= 0, places[Int(place)].parent >= 0 {
            steps.append(places[Int(place)].step)
            place = places[Int(place)].parent
        }
        return SchemaProgram.pointer(steps.reversed())
    }

    // MARK: Documents

    /// Adds a document; returns the number of its resource.
    @discardableResult
    func add(_ bytes: UnsafeRawBufferPointer, uri: String) throws(JSONError) -> Int {
        guard bytes.count <= options.maximumSize else {
            throw JSONError(
                .sizeLimit, path: uri, expected: "a schema of at most \(options.maximumSize) bytes", found: "\(bytes.count)")
        }
        let text: SchemaText
        do throws(JSONError) { text = try unsafe SchemaText(bytes, uri: uri) } catch {
            throw uri.isEmpty ? error : error.hinting("the document is \(uri)")
        }
        let location = SchemaLocation(document: Int32(documents.count), index: Int32(SchemaText.root))
        documents.append(text)
        places.append(SchemaPlace(parent: -1, step: "", document: location.document, resource: Int32(resources.count)))
        let place = Int32(places.count - 1)
        let number = try addResource(at: location, place: place, uri: uri, inherited: nil)
        numbers[uri] = numbers[uri] ?? number
        try register(location, resource: number, place: place)
        return number
    }

    private func addResource(
        at location: SchemaLocation, place: Int32, uri base: String, inherited: SchemaDialect?
    ) throws(JSONError) -> Int {
        let text = text(of: location)
        var uri = base
        if let index = text.value(of: "$id", in: Int(location.index)) {
            guard let id = text.string(index) else { throw wrong(text, index, place, "$id", "a string") }
            let (resolved, fragment) = SchemaURI.resolve(id, against: base)
            guard fragment?.isEmpty ?? true else {
                throw text.error(
                    at: index, pointer(place) + "/$id", expected: "a URI without a fragment",
                    found: SchemaWords.short(text.words(index)),
                    hint: "a part of a schema is named by '$anchor'")
            }
            uri = resolved
        }
        let number = resources.count
        if numbers[uri] == nil { numbers[uri] = number }
        // The metaschema may be this very document, so it is there before it is looked for.
        resources.append(SchemaResource(uri: uri, location: location, place: place, dialect: inherited ?? SchemaDialect()))
        if let dialect = try dialect(of: location, place) {
            resources[number] = SchemaResource(uri: uri, location: location, place: place, dialect: dialect)
        }
        return number
    }

    /// The number of the resource with a URI; nil if there is none.
    func find(_ uri: String) throws(JSONError) -> Int? {
        if let number = numbers[uri] { return number }
        if let text = options.documents[uri] ?? Metaschemas.texts[uri].map({ Array($0.utf8) }) { return try add(text, uri: uri) }
        guard let text = try folder?.text(of: uri, near: options.baseURI.isEmpty ? resources.first?.uri ?? "" : options.baseURI)
        else { return nil }
        return try add(text, uri: uri)
    }

    private func add(_ bytes: [UInt8], uri: String) throws(JSONError) -> Int {
        var failure: JSONError?
        let number: Int? = unsafe bytes.withUnsafeBytes { bytes in
            do throws(JSONError) { return try unsafe add(bytes, uri: uri) } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        return number ?? 0
    }

    // MARK: Subschemas

    /// Notes a subschema and all in it that keywords say are subschemas.
    private func register(_ location: SchemaLocation, resource: Int, place: Int32) throws(JSONError) {
        var queue = [(location, resource, place)]
        while let (location, outer, place) = queue.popLast() {
            guard known[location] == nil else { continue }
            let text = text(of: location)
            var resource = outer
            let members = text.members(Int(location.index))
            if places[Int(place)].resource >= 0 {
                resource = Int(places[Int(place)].resource)
            } else if members.contains(where: { $0.key == "$id" }) {
                let base = resources[outer]
                resource = try addResource(at: location, place: place, uri: base.uri, inherited: base.dialect)
                places[Int(place)].resource = Int32(resource)
            }
            known[location] = (resource, place)
            for (key, value) in members { try note(key, value, location, resource, place, &queue) }
        }
    }

    private func note(
        _ key: String, _ value: Int, _ location: SchemaLocation, _ resource: Int, _ place: Int32,
        _ queue: inout [(SchemaLocation, Int, Int32)]
    ) throws(JSONError) {
        let text = text(of: location)
        func child(_ index: Int, _ step: String) {
            places.append(SchemaPlace(parent: place, step: step, document: location.document))
            queue.append((SchemaLocation(document: location.document, index: Int32(index)), resource, Int32(places.count - 1)))
        }
        switch key {
        case "$anchor", "$dynamicAnchor":
            guard let name = text.string(value) else { throw wrong(text, value, place, key, "a string") }
            if let other = resources[resource].anchors[name], other != location {
                throw text.error(
                    at: value, pointer(place) + "/" + key, expected: "an anchor of its own", found: "'\(name)' again")
            }
            resources[resource].anchors[name] = location
            if key == "$dynamicAnchor" { resources[resource].dynamicAnchors[name] = location }
        case "additionalProperties", "propertyNames", "unevaluatedProperties", "items", "contains", "unevaluatedItems", "not",
            "if",
            "then", "else", "contentSchema":
            child(value, key)
        case "prefixItems", "allOf", "anyOf", "oneOf":
            for (number, element) in (text.elements(value) ?? []).enumerated() { child(element, "\(key)/\(number)") }
        case "properties", "patternProperties", "dependentSchemas", "$defs":
            for (name, value) in text.members(value) { child(value, key + "/" + SchemaURI.step(name)) }
        default: break
        }
    }

    func wrong(_ text: SchemaText, _ index: Int, _ place: Int32, _ key: String, _ expected: String) -> JSONError {
        text.error(at: index, pointer(place) + "/" + key, expected: expected, found: text.description(index))
    }

    // MARK: References

    /// What a reference means.
    struct Target {
        let location: SchemaLocation
        /// The name of the anchor, if the reference has one that is dynamic where it was found.
        var dynamicAnchor: String?
    }

    /// Finds what a reference of a subschema means.
    ///
    /// - Parameters:
    ///   - index: The reference's value in the text of the subschema.
    func resolve(
        _ reference: String, from location: SchemaLocation, at index: Int, keyword: String
    ) throws(JSONError) -> Target {
        guard let (number, place) = known[location] else { return Target(location: location) }
        func missing(_ found: String, _ hint: String? = nil) -> JSONError {
            text(of: location).error(
                at: index, pointer(place) + "/" + keyword, expected: "a reference to a schema that is there", found: found,
                hint: hint)
        }
        let (uri, fragment) = SchemaURI.resolve(reference, against: resources[number].uri)
        guard let resource = try find(uri) else {
            throw missing(
                SchemaWords.short("'\(uri)'"),
                KeyLikeness.closest(to: uri, among: Array(numbers.keys)).map { "did you mean '\($0)'?" }
                    ?? "hand it over in the option 'documents', or name a folder")
        }
        guard let fragment, !fragment.isEmpty else { return Target(location: resources[resource].location) }
        if let steps = SchemaURI.steps(ofPointer: fragment) {
            return Target(location: try follow(steps, from: resource, missing))
        }
        guard let anchor = resources[resource].anchors[fragment] else {
            let near = KeyLikeness.closest(to: fragment, among: Array(resources[resource].anchors.keys))
            throw missing("no anchor '\(fragment)'", near.map { "did you mean '\($0)'?" })
        }
        let isDynamic = resources[resource].dynamicAnchors[fragment] == anchor
        return Target(location: anchor, dynamicAnchor: isDynamic ? fragment : nil)
    }

    /// Follows a JSON Pointer. What it leads to is a subschema, even if no keyword says so.
    private func follow(
        _ steps: [String], from resource: Int, _ missing: (String, String?) -> JSONError
    ) throws(JSONError) -> SchemaLocation {
        var location = resources[resource].location
        let text = text(of: location)
        var (owner, place, open) = (resource, resources[resource].place, [String]())
        for step in steps {
            var next = text.value(of: step, in: Int(location.index))
            if next == nil, let elements = text.elements(Int(location.index)), let number = Int(step),
                elements.indices.contains(number),
                step.utf8.first != UInt8(ascii: "+")
            {
                next = elements[number]
            }
            guard let next else {
                let near = KeyLikeness.closest(to: step, among: text.members(Int(location.index)).map(\.key))
                throw missing("nothing at '\(step)'", near.map { "did you mean '\($0)'?" })
            }
            location = SchemaLocation(document: location.document, index: Int32(next))
            open.append(SchemaURI.step(step))
            if let found = known[location] { (owner, place, open) = (found.resource, found.place, []) }
        }
        if known[location] == nil {
            places.append(SchemaPlace(parent: place, step: open.joined(separator: "/"), document: location.document))
            try register(location, resource: owner, place: Int32(places.count - 1))
        }
        return location
    }
}

// MARK: Dialects

extension SchemaLibrary {
    private static let draft = "https://json-schema.org/draft/2020-12/"
    private static let others = [
        "https://json-schema.org/draft-03/schema": "draft-03", "https://json-schema.org/draft-04/schema": "draft-04",
        "https://json-schema.org/draft-06/schema": "draft-06", "https://json-schema.org/draft-07/schema": "draft-07",
        "https://json-schema.org/draft/2019-09/schema": "draft 2019-09",
    ]

    /// The dialect that a resource names by `$schema`; nil if it names none.
    private func dialect(of location: SchemaLocation, _ place: Int32) throws(JSONError) -> SchemaDialect? {
        let text = text(of: location)
        guard let index = text.value(of: "$schema", in: Int(location.index)) else { return nil }
        guard let name = text.string(index) else { throw wrong(text, index, place, "$schema", "a string") }
        func refusal(_ found: String, _ hint: String? = nil) -> JSONError {
            text.error(at: index, pointer(place) + "/$schema", expected: "draft 2020-12", found: found, hint: hint)
        }
        let (uri, _) = SchemaURI.resolve(name, against: "")
        let secure = uri.hasPrefix("http://") ? "https" + uri.dropFirst(4) : uri
        if let other = SchemaLibrary.others[secure] {
            throw refusal("\(other), which is not read", "draft 2020-12 is '\(SchemaLibrary.draft)schema'")
        }
        if secure == SchemaLibrary.draft + "schema" { return SchemaDialect() }
        if let dialect = dialects[uri] { return dialect }
        dialects[uri] = SchemaDialect()
        guard let number = try find(uri) else {
            throw refusal("the metaschema '\(uri)', which is not there", "draft 2020-12 is '\(SchemaLibrary.draft)schema'")
        }
        let dialect = try vocabularies(of: resources[number].location, refusal)
        dialects[uri] = dialect
        return dialect
    }

    /// The dialect that the vocabularies of a metaschema make.
    private func vocabularies(
        of location: SchemaLocation, _ refusal: (String, String?) -> JSONError
    ) throws(JSONError) -> SchemaDialect {
        let text = text(of: location)
        guard let list = text.value(of: "$vocabulary", in: Int(location.index)) else { return SchemaDialect() }
        var dialect = SchemaDialect(validates: false)
        for (uri, value) in text.members(list) {
            switch uri {
            case SchemaLibrary.draft + "vocab/validation": dialect.validates = true
            case SchemaLibrary.draft + "vocab/format-assertion": dialect.assertsFormats = true
            default:
                if text.boolean(value) == true, !uri.hasPrefix(SchemaLibrary.draft + "vocab/") {
                    throw refusal("the vocabulary '\(uri)', which is not known", nil)
                }
            }
        }
        return dialect
    }
}
