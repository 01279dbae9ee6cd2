// The documents of a schema become a program: a list of subschemas, made from the first one and all that it refers to.

internal import SluiceCore

/// Makes the program of a schema.
struct SchemaCompiler {
    let library: SchemaLibrary
    let memory = SchemaMemory()
    var nodes: [SchemaNode] = []
    var contents = SchemaProgram.Contents()
    private var locations: [SchemaLocation] = []
    private var ids: [SchemaLocation: Int32] = [:]
    private var compiled = 0
    /// The names of dynamic anchors that references name, in the order of their numbers.
    private var dynamicNames: [String] = []
    private let noKeys: SchemaKeys

    init(_ library: SchemaLibrary) {
        self.library = library
        noKeys = SchemaKeys.none(in: memory)
    }

    /// Compiles a subschema and all that it needs.
    static func compile(_ root: SchemaLocation, of library: SchemaLibrary) throws(JSONError) -> SchemaProgram {
        var compiler = SchemaCompiler(library)
        compiler.contents.root = compiler.node(at: root)
        repeat {
            while compiler.compiled < compiler.nodes.count {
                let number = compiler.compiled
                compiler.compiled += 1
                var part = SchemaPart(library, compiler.locations[number], compiler.nodes[number])
                try part.compile(&compiler)
                compiler.nodes[number] = part.node
            }
            compiler.addDynamicAnchors()
        } while compiler.compiled < compiler.nodes.count
        if !compiler.contents.dynamicResources.isEmpty {
            for number in compiler.nodes.indices { compiler.nodes[number].alias = -1 }
        }
        try compiler.refuseLoops()
        compiler.contents.members = try library.members(of: root)
        compiler.contents.places = library.places
        compiler.contents.documents = library.documents.map(\.uri)
        compiler.contents.resources = library.resources.map(\.uri)
        return SchemaProgram(compiler.nodes, compiler.contents, in: compiler.memory)
    }

    /// The number of the subschema at a location, which is compiled later.
    mutating func node(at location: SchemaLocation) -> Int32 {
        if let id = ids[location] { return id }
        let id = Int32(nodes.count)
        ids[location] = id
        let (resource, place) = library.known[location] ?? (0, 0)
        var node = SchemaNode(strings: noKeys, keys: noKeys)
        node.resource = Int32(resource)
        nodes.append(node)
        locations.append(location)
        contents.nodePlaces.append(place)
        return id
    }

    /// A set of keys, each of them once.
    mutating func keys(_ texts: [String]) -> SchemaKeys {
        let base = contents.followers.count
        contents.followers += (0..<texts.count).map { Int32($0) } + [-1]
        return SchemaKeys(texts.map { Array($0.utf8) }, base: base, in: memory)
    }

    /// The number of a dynamic anchor.
    mutating func dynamicAnchor(_ name: String) -> Int32 {
        if let number = dynamicNames.firstIndex(of: name) { return Int32(number) }
        dynamicNames.append(name)
        contents.dynamicAnchors.append([:])
        return Int32(dynamicNames.count - 1)
    }

    /// Makes nodes of the dynamic anchors of all resources that a walk may come through.
    private mutating func addDynamicAnchors() {
        let entered = Set(nodes.map(\.resource))
        for (number, name) in dynamicNames.enumerated() {
            for resource in entered where contents.dynamicAnchors[number][resource] == nil {
                guard let location = library.resources[Int(resource)].dynamicAnchors[name] else { continue }
                contents.dynamicAnchors[number][resource] = node(at: location)
                contents.dynamicResources.insert(resource)
            }
        }
    }

    /// A reference that leads back to itself, without going into the value, would never be decided.
    private func refuseLoops() throws(JSONError) {
        // 0 is not seen, 1 on the way, 2 done.
        var states = [UInt8](repeating: 0, count: nodes.count)
        for start in nodes.indices where states[start] == 0 {
            var way = [(node: start, next: 0)]
            states[start] = 1
            while let (number, next) = way.last {
                let node = nodes[number]
                guard next < Int(node.linkCount) else {
                    states[number] = 2
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                let link = contents.links[Int(node.linkStart) + next]
                // What a dynamic reference means is known only in a value.
                if link.keyword == .dynamicReference && link.number >= 0 { continue }
                let target = Int(link.node)
                if states[target] == 0 {
                    states[target] = 1
                    way.append((target, 0))
                } else if states[target] == 1 {
                    throw library.text(of: locations[number]).error(
                        at: Int(locations[number].index), library.pointer(contents.nodePlaces[number]),
                        expected: "a reference that goes into the value",
                        found: "'\(link.keyword.rawValue)', which leads back to the same subschema")
                }
            }
        }
    }
}
