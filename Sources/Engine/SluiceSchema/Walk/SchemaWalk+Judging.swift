// Where several subschemas apply to a value, each is applied once: those that the value around it asks for, and those that they apply in
// place. A member or element is walked once, for all that ask for it. When the value ends, the results of branches are combined.

internal import SluiceCore

extension SchemaWalk {
    /// The most words for bits of open objects and arrays.
    private static let greatestBits = 1 << 23
    /// How many subschemas may apply each other to one value, one inside the other.
    private static let greatestNesting = 1000

    /// Checks the value at an index with the applications from `base` on, which get their results.
    mutating func judge(_ index: Int, from base: Int) throws(JSONError) {
        let roots = applications.count
        if !collects, roots == base + 1, !nodes[applications[base].node].needs.contains(.everything) {
            applications[base].isValid = try accepts(applications[base].node, applications[base].scope, index)
            return
        }
        let (edgeBase, bitBase) = (edges.count, bits.count)
        try expand(from: base)
        let end = applications.count
        for application in base..<end { applyAlone(application, index) }
        switch entry(index).kind {
        case .object: try judgeMembers(index, base, end)
        case .array: try judgeElements(index, base, end)
        default: break
        }
        for application in base..<roots { try conclude(application, index, 0) }
        applications.removeLast(applications.count - roots)
        edges.removeLast(edges.count - edgeBase)
        bits.removeLast(bits.count - bitBase)
    }

    // MARK: Which subschemas

    private mutating func beginRound() {
        serial &+= 1
        if serial == 0 {
            for index in marks.indices { marks[index].serial = 0 }
            serial = 1
        }
    }

    /// Adds the subschemas that are applied in place.
    private mutating func expand(from base: Int) throws(JSONError) {
        beginRound()
        for index in base..<applications.count { mark(index) }
        var index = base
        while index < applications.count {
            let (node, scope) = (applications[index].node, applications[index].scope)
            applications[index].firstEdge = Int32(edges.count)
            let first = Int(nodes[node].linkStart)
            for number in first..<(first + Int(nodes[node].linkCount)) {
                let link = program.contents.links[number]
                var target = link.node
                if link.keyword == .dynamicReference, link.number >= 0 {
                    target = scopes.outermost(in: scope, program.contents.dynamicAnchors[Int(link.number)]) ?? target
                }
                edges.append(try application(of: target, scope, from: base))
            }
            index += 1
        }
    }

    private mutating func slot(of node: Int32, _ scope: Int32) -> Int {
        if scope == 0 { return Int(node) }
        let slot = scopes.pair(node, scope, base: nodes.count)
        while marks.count <= slot { marks.append(ApplicationMark()) }
        return slot
    }

    private mutating func mark(_ index: Int) {
        let slot = slot(of: applications[index].node, applications[index].scope)
        marks[slot] = ApplicationMark(serial: serial, index: Int32(index))
    }

    /// The application of a subschema in this round, which begins if there is none.
    private mutating func application(of node: Int32, _ outer: Int32, from base: Int) throws(JSONError) -> Int32 {
        let scope = enter(node, outer)
        let slot = slot(of: node, scope)
        if marks[slot].serial == serial { return marks[slot].index }
        guard applications.count - base < maximumActive, scopes.count <= maximumActive else {
            throw JSONError(
                .sizeLimit, expected: "at most \(maximumActive) subschemas that apply to one value", found: "more",
                hint: "the option 'maximumActiveSubschemas' allows more")
        }
        let index = Int32(applications.count)
        applications.append(Application(node: node, scope: scope))
        marks[slot] = ApplicationMark(serial: serial, index: index)
        return index
    }

    private mutating func applyAlone(_ application: Int, _ index: Int) {
        let node = applications[application].node
        if collects {
            for keyword in failures(of: node, at: index) { fail(application, keyword, index) }
        } else if !passes(node, index) {
            applications[application].isValid = false
        }
    }

    /// Whether what happens inside of the value still counts for a subschema.
    private func isOpen(_ application: Int) -> Bool { collects || applications[application].isValid }

    // MARK: Members

    private mutating func judgeMembers(_ index: Int, _ base: Int, _ end: Int) throws(JSONError) {
        let count = entry(index).count
        let counts = (base..<end).contains { nodes[applications[$0].node].unevaluatedProperties >= 0 }
        var areObjects = false
        for application in base..<end {
            let node = applications[application].node
            guard nodes[node].needs.contains(.objects) || counts else { continue }
            areObjects = true
            applications[application].lastKey = nodes[node].keys.base
            if nodes[node].keys.count > 0 { applications[application].present = try row(nodes[node].keys.count) }
            if counts { try openRows(application, count, nodes[node].unevaluatedProperties >= 0) }
        }
        guard areObjects else { return }
        var member = index + 2
        for number in 0..<count {
            try judgeMember(member, number, index, base, end)
            member = after(member + 1)
        }
        for application in base..<end where isOpen(application) { checkRequired(application, index) }
    }

    private mutating func judgeMember(_ member: Int, _ number: Int, _ index: Int, _ base: Int, _ end: Int) throws(JSONError) {
        beginRound()
        let (requestBase, children) = (requests.count, applications.count)
        for owner in base..<end where isOpen(owner) {
            let node = applications[owner].node
            guard nodes[node].needs.contains(.objects) else { continue }
            var isEvaluated = false
            let keys = nodes[node].keys
            var last = applications[owner].lastKey
            let key = find(keys, member, &last)
            applications[owner].lastKey = last
            if key >= 0 {
                setBit(key, applications[owner].present)
                if keys[key].isProperty {
                    isEvaluated = true
                    try request(keys[key].node, owner, .properties, Int32(key), children)
                }
            }
            if nodes[node].keyRules >= 0 {
                for (place, rule) in program.contents.keyRules[Int(nodes[node].keyRules)].patterns.enumerated()
                where unsafe value.withString(member, { unsafe rule.pattern.matches($0) }) {
                    isEvaluated = true
                    try request(rule.node, owner, .patternProperties, Int32(place), children)
                }
            }
            if !isEvaluated, nodes[node].additional >= 0 {
                isEvaluated = true
                try request(nodes[node].additional, owner, .additionalProperties, -1, children)
            }
            if isEvaluated {
                setBit(number, applications[owner].evaluated)
            } else if nodes[node].unevaluatedProperties >= 0 {
                try request(nodes[node].unevaluatedProperties, owner, .unevaluatedProperties, Int32(number), children)
            }
        }
        try judgeChildren(member + 1, .key(member), requestBase, children)
        for owner in base..<end where isOpen(owner) && nodes[applications[owner].node].propertyNames >= 0 {
            beginRound()
            try request(nodes[applications[owner].node].propertyNames, owner, .propertyNames, -1, children)
            try judgeChildren(member, nil, requestBase, children)
        }
    }

    private mutating func checkRequired(_ application: Int, _ index: Int) {
        let node = applications[application].node
        guard nodes[node].keyRules >= 0 else { return }
        let rules = program.contents.keyRules[Int(nodes[node].keyRules)]
        let present = applications[application].present
        if !rules.required.allSatisfy({ hasBit(Int($0), present) }) {
            let missing = rules.required.filter { !hasBit(Int($0), present) }
            fail(application, .required, index, missing: missing)
        }
        for (key, required) in rules.dependentRequired where hasBit(Int(key), present) {
            let missing = required.filter { !hasBit(Int($0), present) }
            if !missing.isEmpty { fail(application, .dependentRequired, index, number: key, missing: missing) }
        }
    }

    // MARK: Elements

    private mutating func judgeElements(_ index: Int, _ base: Int, _ end: Int) throws(JSONError) {
        let count = entry(index).count
        let counts = (base..<end).contains { nodes[applications[$0].node].unevaluatedItems >= 0 }
        var areArrays = false
        for application in base..<end {
            let node = applications[application].node
            if nodes[node].needs.contains(.arrays) { areArrays = true }
            if counts { try openRows(application, count, nodes[node].unevaluatedItems >= 0) }
        }
        guard areArrays else { return }
        var element = index + 2
        for number in 0..<count {
            beginRound()
            let (requestBase, children) = (requests.count, applications.count)
            for owner in base..<end where isOpen(owner) {
                try requestElement(Int32(truncatingIfNeeded: number), owner, children)
            }
            try judgeChildren(element, .element(number), requestBase, children)
            element = after(element)
        }
        for application in base..<end where isOpen(application) && nodes[applications[application].node].contains >= 0 {
            let rule = nodes[applications[application].node]
            let matched = applications[application].matched
            if matched < rule.minContains {
                fail(application, rule.minContains == 1 ? .contains : .minContains, index, number: Int32(clamping: matched))
            }
            if matched > rule.maxContains { fail(application, .maxContains, index, number: Int32(clamping: matched)) }
        }
    }

    private mutating func requestElement(_ number: Int32, _ owner: Int, _ children: Int) throws(JSONError) {
        let rule = nodes[applications[owner].node]
        guard rule.needs.contains(.arrays) else { return }
        var isEvaluated = true
        if number < rule.prefixCount {
            try request(program.contents.prefixItems[Int(rule.prefixStart + number)], owner, .prefixItems, number, children)
        } else if rule.items >= 0 {
            try request(rule.items, owner, .items, -1, children)
        } else {
            isEvaluated = false
        }
        if isEvaluated { setBit(Int(number), applications[owner].evaluated) }
        if rule.contains >= 0 { try request(rule.contains, owner, .contains, number, children) }
        if !isEvaluated, rule.unevaluatedItems >= 0 {
            try request(rule.unevaluatedItems, owner, .unevaluatedItems, number, children)
        }
    }

    // MARK: Children

    private mutating func request(
        _ node: Int32, _ owner: Int, _ keyword: SchemaKeyword, _ number: Int32, _ children: Int
    ) throws(JSONError) {
        let rule = nodes[node]
        // What accepts everything need not be asked. But `contains` counts.
        if rule.needs.isEmpty, rule.types == .all, keyword != .contains { return }
        let child = try application(of: node, applications[owner].scope, from: children)
        requests.append(ChildRequest(owner: Int32(owner), child: child, keyword: keyword, number: number))
    }

    /// Walks a member or element, and gives the results to the subschemas that asked for them.
    private mutating func judgeChildren(
        _ index: Int, _ step: SchemaNotes.Step?, _ requestBase: Int, _ children: Int
    ) throws(JSONError) {
        guard requests.count > requestBase else { return }
        if collects, let step { notes.enter(step) }
        try judge(index, from: children)
        for number in requestBase..<requests.count { settle(requests[number], index) }
        if collects, step != nil { notes.leave() }
        requests.removeLast(requests.count - requestBase)
        applications.removeLast(applications.count - children)
    }

    private mutating func settle(_ request: ChildRequest, _ index: Int) {
        let (owner, isValid) = (Int(request.owner), applications[Int(request.child)].isValid)
        switch request.keyword {
        case .contains:
            guard isValid else { return }
            applications[owner].matched += 1
            setBit(Int(request.number), applications[owner].evaluated)
        case .unevaluatedProperties, .unevaluatedItems:
            guard !isValid else { return }
            setBit(Int(request.number), applications[owner].refused)
            if collects {
                let list = applications[Int(request.child)].breaches
                notes.append(
                    group: request.keyword, request.number, of: applications[owner].node, index, list,
                    to: &applications[owner].waiting)
            }
        default:
            guard !isValid else { return }
            applications[owner].isValid = false
            if collects {
                let list = applications[Int(request.child)].breaches
                notes.append(
                    group: request.keyword, request.number, of: applications[owner].node, index, list,
                    to: &applications[owner].breaches)
            }
        }
    }

    // MARK: Results

    private mutating func fail(
        _ application: Int, _ keyword: SchemaKeyword, _ index: Int, number: Int32 = -1, missing: [Int32] = []
    ) {
        applications[application].isValid = false
        guard collects else { return }
        notes.append(
            keyword, number, of: applications[application].node, index, missing: missing, to: &applications[application].breaches)
    }

    private mutating func failLink(_ application: Int, _ link: SchemaLink, _ child: Int, _ index: Int) {
        applications[application].isValid = false
        guard collects else { return }
        let list = applications[child].breaches
        notes.append(
            group: link.keyword, link.number, of: applications[application].node, index, list,
            to: &applications[application].breaches)
    }

    /// Combines the results of the subschemas that an application applies in place.
    private mutating func conclude(_ application: Int, _ index: Int, _ depth: Int) throws(JSONError) {
        guard !applications[application].isConcluded else { return }
        applications[application].isConcluded = true
        guard depth < SchemaWalk.greatestNesting else {
            throw JSONError(
                .depthLimit, expected: "at most \(SchemaWalk.greatestNesting) subschemas that apply each other to one value",
                found: "more")
        }
        let node = applications[application].node
        let (first, edge) = (Int(nodes[node].linkStart), Int(applications[application].firstEdge))
        var (condition, anyOf, oneOf) = (true, -1, -1)
        for number in 0..<Int(nodes[node].linkCount) {
            let link = program.contents.links[first + number]
            let child = Int(edges[edge + number])
            try conclude(child, index, depth + 1)
            let isValid = applications[child].isValid
            switch link.keyword {
            case .anyOf: anyOf = max(anyOf, 0) + (isValid ? 1 : 0)
            case .oneOf: oneOf = max(oneOf, 0) + (isValid ? 1 : 0)
            case .not:
                if isValid { fail(application, .not, index) }
                continue
            case .if: condition = isValid
            case .then: if condition, !isValid { failLink(application, link, child, index) } else if !condition { continue }
            case .else: if !condition, !isValid { failLink(application, link, child, index) } else if condition { continue }
            case .dependentSchemas:
                guard hasBit(Int(link.number), applications[application].present) else { continue }
                if !isValid { failLink(application, link, child, index) }
            default: if !isValid { failLink(application, link, child, index) }
            }
            if isValid { merge(child, into: application) }
        }
        if anyOf == 0 { failBranches(application, .anyOf, index, 0) }
        if oneOf >= 0, oneOf != 1 { failBranches(application, .oneOf, index, oneOf) }
        concludeUnevaluated(application, index)
    }

    /// No branch of `anyOf` accepts the value, or not exactly one of `oneOf` does.
    private mutating func failBranches(_ application: Int, _ keyword: SchemaKeyword, _ index: Int, _ count: Int) {
        applications[application].isValid = false
        guard collects else { return }
        let node = applications[application].node
        let (first, edge) = (Int(nodes[node].linkStart), Int(applications[application].firstEdge))
        var branches = NoteList()
        for number in 0..<Int(nodes[node].linkCount) where program.contents.links[first + number].keyword == keyword {
            let child = applications[Int(edges[edge + number])]
            if !child.isValid {
                notes.append(
                    group: keyword, program.contents.links[first + number].number, of: node, index, child.breaches, to: &branches)
            }
        }
        notes.append(
            keyword, Int32(clamping: count), of: node, index, causes: branches, to: &applications[application].breaches)
    }

    // MARK: What has been evaluated

    private mutating func openRows(_ application: Int, _ count: Int, _ refuses: Bool) throws(JSONError) {
        applications[application].words = Int32((count + 63) / 64)
        applications[application].evaluated = try row(count)
        if refuses { applications[application].refused = try row(count) }
    }

    /// A row of bits, all of them 0; it ends with the value.
    private mutating func row(_ count: Int) throws(JSONError) -> Int32 {
        let words = (count + 63) / 64
        guard bits.count + words <= SchemaWalk.greatestBits else {
            throw JSONError(
                .sizeLimit, expected: "a value whose members fit the memory for 'unevaluatedProperties'", found: "more")
        }
        let start = Int32(bits.count)
        for _ in 0..<words { bits.append(0) }
        return start
    }

    @inline(__always)
    private mutating func setBit(_ number: Int, _ row: Int32) {
        if row >= 0 { bits[Int(row) + number >> 6] |= 1 << UInt64(number & 63) }
    }

    @inline(__always)
    private func hasBit(_ number: Int, _ row: Int32) -> Bool {
        row >= 0 && bits[Int(row) + number >> 6] & 1 << UInt64(number & 63) != 0
    }

    private mutating func merge(_ child: Int, into application: Int) {
        let (from, to) = (applications[child].evaluated, applications[application].evaluated)
        guard from >= 0, to >= 0, from != to else { return }
        for word in 0..<Int(applications[child].words) { bits[Int(to) + word] |= bits[Int(from) + word] }
    }

    private mutating func concludeUnevaluated(_ application: Int, _ index: Int) {
        let (refused, evaluated) = (applications[application].refused, applications[application].evaluated)
        guard refused >= 0, evaluated >= 0 else { return }
        var isRefused = false
        for word in 0..<Int(applications[application].words) where bits[Int(refused) + word] & ~bits[Int(evaluated) + word] != 0 {
            isRefused = true
        }
        if isRefused {
            applications[application].isValid = false
            if collects {
                let row = bits[Int(evaluated)...].prefix(Int(applications[application].words))
                let waiting = applications[application].waiting
                notes.move(waiting, without: row, to: &applications[application].breaches)
            }
        }
        for word in 0..<Int(applications[application].words) { bits[Int(evaluated) + word] = .max }
    }
}
