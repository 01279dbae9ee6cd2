// A compiled schema: all subschemas in one list, and what they refer to by number. It is made once, and never changed again.

internal import SluiceCore

/// The keywords of numbers.
struct SchemaNumbers: Sendable {
    var minimum: SchemaNumber?
    var exclusiveMinimum: SchemaNumber?
    var maximum: SchemaNumber?
    var exclusiveMaximum: SchemaNumber?
    var multipleOf: SchemaNumber?
}

/// The values of `enum` or `const`.
struct SchemaValues: Sendable {
    let isConstant: Bool
    /// The canonical bytes of the values.
    let canonical: Set<[UInt8]>
    /// The values as the schema writes them, shortened.
    let words: String
}

/// What a subschema demands of keys besides their values.
struct SchemaKeyRules: Sendable {
    var patterns: [(pattern: TextPattern, node: Int32)] = []
    /// Numbers of keys.
    var required: [Int32] = []
    var dependentRequired: [(key: Int32, required: [Int32])] = []
}

/// Where a subschema is in its document.
struct SchemaPlace: Sendable {
    /// The place of the value around it; -1 for a document.
    let parent: Int32
    /// The step from there, as in a JSON Pointer.
    let step: String
    let document: Int32
    /// The resource that begins here; -1 elsewhere.
    var resource: Int32 = -1
}

/// A compiled schema.
// Safe: it is not changed after its compilation, and its memory lives as long as it.
@safe
final class SchemaProgram: @unchecked Sendable {
    let memory: SchemaMemory
    let nodes: SchemaNodes
    let contents: Contents

    /// The lists that nodes refer to.
    struct Contents {
        var links: [SchemaLink] = []
        var numbers: [SchemaNumbers] = []
        var values: [SchemaValues] = []
        var keyRules: [SchemaKeyRules] = []
        var patterns: [TextPattern] = []
        var formats: [JSONTextFormat] = []
        var prefixItems: [Int32] = []
        /// The place of each subschema.
        var nodePlaces: [Int32] = []
        var places: [SchemaPlace] = []
        /// The URIs of documents and resources.
        var documents: [String] = []
        var resources: [String] = []
        /// For each anchor that a dynamic reference names: the subschemas that have it, by their resources.
        var dynamicAnchors: [[Int32: Int32]] = []
        /// The resources that have such an anchor.
        var dynamicResources: Set<Int32> = []
        /// The formats that are not checked, although formats are asserted.
        var uncheckedFormats: [String] = []
        var root: Int32 = 0
        /// What the root says of the members of objects.
        var members: [SchemaMember] = []
        /// For each key, and the beginning of each object: the key that is expected next, or -1.
        var followers: [Int32] = [-1]
    }

    init(_ nodes: [SchemaNode], _ contents: Contents, in memory: SchemaMemory) {
        self.nodes = SchemaNodes(nodes, in: memory)
        self.contents = contents
        self.memory = memory
    }

    /// Whether the meaning of a reference depends on the way to it.
    var hasScopes: Bool { !contents.dynamicResources.isEmpty }

    // MARK: Places

    /// The JSON Pointer of a node in its document, with the document's URI unless it is the first one: `#/properties/age`.
    func path(of node: Int32) -> String {
        var place = contents.nodePlaces[Int(node)]
        let document = contents.places[Int(place)].document
        var steps: [String] = []
        while place >= 0 {
            let here = contents.places[Int(place)]
            if here.parent >= 0 { steps.append(here.step) }
            place = here.parent
        }
        return (document == 0 ? "" : contents.documents[Int(document)]) + "#" + SchemaProgram.pointer(steps.reversed())
    }

    /// The URI of a node: that of its resource, and the JSON Pointer in it; nil if the resource has no absolute URI.
    func absolutePath(of node: Int32) -> String? {
        var place = contents.nodePlaces[Int(node)]
        var steps: [String] = []
        while contents.places[Int(place)].resource < 0, contents.places[Int(place)].parent >= 0 {
            steps.append(contents.places[Int(place)].step)
            place = contents.places[Int(place)].parent
        }
        let uri = contents.resources[Int(max(contents.places[Int(place)].resource, 0))]
        return uri.utf8.contains(UInt8(ascii: ":")) ? uri + "#" + SchemaProgram.pointer(steps.reversed()) : nil
    }

    static func pointer(_ steps: [String]) -> String { steps.map { "/" + $0 }.joined() }
}
