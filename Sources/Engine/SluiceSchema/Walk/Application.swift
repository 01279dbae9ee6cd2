// What the walk keeps of a subschema that applies to an open value.

/// A subschema applied to a value, in a dynamic scope.
struct Application {
    let node: Int32
    let scope: Int32
    /// Where the applications of its links begin in the walk's edges.
    var firstEdge: Int32 = 0
    /// The key found before, as ``SchemaWalk/find(_:_:_:)`` counts.
    var lastKey = 0
    /// Where rows of bits begin; -1 without one. A bit for each key of the subschema: it is present.
    var present: Int32 = -1
    /// A bit for each member or element: it has been evaluated. `words` is the length of this row and the next.
    var words: Int32 = 0
    var evaluated: Int32 = -1
    /// A bit for each member or element: the subschema of `unevaluatedProperties` or `unevaluatedItems` refuses it.
    var refused: Int32 = -1
    /// How many elements `contains` accepts.
    var matched = 0
    var isValid = true
    /// Whether the applications in place have been, or are being, combined.
    var isConcluded = false
    /// The breaches, and those that count only for members and elements that nothing has evaluated.
    var breaches = NoteList()
    var waiting = NoteList()
}

/// A subschema that a subschema of the value applies to a member or element.
struct ChildRequest {
    let owner: Int32
    let child: Int32
    let keyword: SchemaKeyword
    /// The number of the subschema in the keyword; -1 if it has only one.
    let number: Int32
}

/// Where a subschema is among the applications, if it was put there in the current round.
struct ApplicationMark {
    var serial: UInt32 = 0
    var index: Int32 = 0
}

/// Dynamic scopes: the resources on the way to a subschema, each of them where it was entered first. Only that counts, because the outermost
/// anchor is the one that is meant.
struct DynamicScopes {
    private var parents: [Int32] = [-1]
    private var resources: [Int32] = [-1]
    private var next: [UInt64: Int32] = [:]
    private var pairs: [UInt64: Int] = [:]

    var count: Int { parents.count }

    /// The scope after a resource was entered.
    mutating func enter(_ resource: Int32, from scope: Int32, _ dynamic: Set<Int32>) -> Int32 {
        guard dynamic.contains(resource) else { return scope }
        let step = DynamicScopes.key(resource, scope)
        if let known = next[step] { return known }
        var (outer, entered) = (scope, scope)
        while outer >= 0, resources[Int(outer)] != resource { outer = parents[Int(outer)] }
        if outer < 0 {
            entered = Int32(parents.count)
            parents.append(scope)
            resources.append(resource)
        }
        next[step] = entered
        return entered
    }

    /// The node of the outermost resource of a scope that has one.
    func outermost(in scope: Int32, _ nodes: [Int32: Int32]) -> Int32? {
        var (scope, found): (Int32, Int32?) = (scope, nil)
        while scope > 0 {
            found = nodes[resources[Int(scope)]] ?? found
            scope = parents[Int(scope)]
        }
        return found
    }

    /// The number of a node in a scope, from `base` on.
    mutating func pair(_ node: Int32, _ scope: Int32, base: Int) -> Int {
        let key = DynamicScopes.key(node, scope)
        if let known = pairs[key] { return known }
        pairs[key] = base + pairs.count
        return base + pairs.count - 1
    }

    private static func key(_ low: Int32, _ high: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: low)) | UInt64(UInt32(bitPattern: high)) << 32
    }
}
