// The notes of a walk become breaches with places and words, in the order of the text, or the standard's outputs.

internal import SluiceCore

/// The notes of one value, while its tape is there.
struct BreachReport {
    let program: SchemaProgram
    let walk: SchemaWalk
    let tape: JSONTape
    let list: NoteList

    private var notes: SchemaNotes { walk.notes }

    /// A note on its way out.
    struct Found {
        let note: SchemaNote
        /// The note of the keyword that has applied the subschema; nil for the root.
        let outer: SchemaNote?
        /// The way through the schema.
        let evaluationPath: String
    }

    // MARK: Breaches

    /// At most so many breaches, in the order of the text.
    func breaches(_ most: Int) -> [JSONSchemaBreach] {
        let found = leaves(of: list, withCauses: false)
        let order = found.indices.sorted { (offset(found[$0]), $0) < (offset(found[$1]), $1) }
        return order.prefix(most).map { breach(found[$0]) }
    }

    /// The first breach as an error of kind `constraint`; nil if the value fits.
    ///
    /// - Parameter hidesText: Whether the error must not show the text of the value, nor its keys.
    func firstError(hidesText: Bool) -> JSONError? {
        let found = leaves(of: list, withCauses: false)
        guard let first = found.indices.min(by: { (offset(found[$0]), $0) < (offset(found[$1]), $1) }) else { return nil }
        let breach = breach(found[first])
        let keyword = [breach.keyword.isEmpty ? "false" : breach.keyword]
        let place = "see \(breach.schemaPath)"
        if hidesText {
            return JSONError(
                .constraint, position: breach.position, expected: breach.expected, keys: keyword, hint: place, hidesText: true)
        }
        let steps = steps(found[first].note.path)
        return JSONError(
            .constraint, path: steps.isEmpty ? "" : PathSyntax.text(of: steps), position: breach.position,
            expected: breach.expected, found: breach.found, keys: keyword,
            hint: breach.hint.map { "\($0); \(place)" } ?? place, excerpt: tape.excerpt(at: offset(found[first])))
    }

    private func breach(_ found: Found) -> JSONSchemaBreach {
        let offset = offset(found)
        let words = BreachWords(program: program, walk: walk, tape: tape, note: found.note, outer: found.outer)
        return JSONSchemaBreach(
            keyword: (found.note.keyword == .never ? found.outer?.keyword ?? .never : found.note.keyword).rawValue,
            schemaPath: program.path(of: found.note.node) + suffix(found), path: path(found.note.path),
            position: tape.position(of: offset), expected: words.expected, found: words.found, hint: words.hint,
            excerpt: tape.excerpt(at: offset)?.description)
    }

    private func suffix(_ found: Found) -> String { found.note.keyword == .never ? "" : "/" + found.note.keyword.rawValue }

    /// The byte that a breach is shown at: of a member that may not be there its key.
    private func offset(_ found: Found) -> Int {
        let index = Int(found.note.index)
        return tape.offset(of: found.note.keyword == .never && found.outer?.keyword.isAboutOtherKeys == true ? index - 1 : index)
    }

    /// The steps of a path.
    private func steps(_ path: Int32) -> [PathStep] {
        var steps: [PathStep] = []
        var path = path
        while path >= 0 {
            let (outer, step) = notes.paths[Int(path)]
            switch step {
            case .key(let index): steps.append(.key(tape.string(at: index) ?? ""))
            case .element(let number): steps.append(.index(number))
            }
            path = outer
        }
        return steps.reversed()
    }

    /// The JSON Pointer of a path.
    private func path(_ path: Int32) -> String {
        SchemaProgram.pointer(
            steps(path).map { step in
                switch step {
                case .key(let key): SchemaURI.step(key)
                case .index(let number): "\(number)"
                case .any: "*"
                }
            })
    }

    /// The notes of keywords that refuse a value themselves, each of them once.
    ///
    /// - Parameter withCauses: Whether those of branches come after the note of `anyOf` or `oneOf`.
    private func leaves(
        of list: NoteList, withCauses: Bool, outer: SchemaNote? = nil, path: String = ""
    ) -> [Found] {
        var found: [Found] = []
        var seen = Set<Int32>()
        var stack = [(note: list.first, outer: outer, path: path)]
        while let (number, outer, path) = stack.popLast() {
            guard number >= 0, seen.insert(number).inserted else { continue }
            let note = notes.notes[Int(number)]
            stack.append((note.next, outer, path))
            guard let inner = note.inner else {
                let place = note.keyword == .never ? path : path + "/" + note.keyword.rawValue
                found.append(Found(note: note, outer: outer, evaluationPath: place))
                if withCauses { stack.append((note.causes.first, outer, path)) }
                continue
            }
            stack.append((inner.first, note, path + "/" + step(note)))
        }
        return found
    }

    /// The step through the schema from a subschema to the one that a keyword applies.
    private func step(_ note: SchemaNote) -> String {
        let node = program.nodes[note.node]
        let name: String? =
            switch note.keyword {
            case .properties, .dependentSchemas: node.keys.text(Int(note.number))
            case .patternProperties: program.contents.keyRules[Int(node.keyRules)].patterns[Int(note.number)].pattern.source
            case .allOf, .anyOf, .oneOf, .prefixItems: "\(note.number)"
            default: nil
            }
        return note.keyword.rawValue + (name.map { "/" + SchemaURI.step($0) } ?? "")
    }

    // MARK: The standard's outputs

    /// The most units of an output, and how deep they lie inside of each other.
    private static let greatestUnitCount = 10_000
    private static let greatestDepth = 100

    /// The output *basic* or *detailed*.
    func output(isDetailed: Bool) -> JSONValue {
        var left = BreachReport.greatestUnitCount
        let units = isDetailed ? detailed(list, nil, "", 0, &left) : basic(list, nil, "", &left)
        return .object(["valid": .bool(false), "errors": .array(units)])
    }

    private func basic(_ list: NoteList, _ outer: SchemaNote?, _ path: String, _ left: inout Int) -> [JSONValue] {
        let found = leaves(of: list, withCauses: true, outer: outer, path: path).prefix(max(left, 0))
        left -= found.count
        return found.map { unit($0, []) }
    }

    private func detailed(
        _ list: NoteList, _ outer: SchemaNote?, _ path: String, _ depth: Int, _ left: inout Int
    ) -> [JSONValue] {
        if depth > BreachReport.greatestDepth { return basic(list, outer, path, &left) }
        var units: [JSONValue] = []
        var number = list.first
        while number >= 0, left > 0 {
            let note = notes.notes[Int(number)]
            number = note.next
            left -= 1
            let place = note.keyword == .never ? path : path + "/" + (note.inner == nil ? note.keyword.rawValue : step(note))
            let found = Found(note: note, outer: outer, evaluationPath: place)
            guard let inner = note.inner else {
                units.append(unit(found, detailed(note.causes, outer, path, depth + 1, &left)))
                continue
            }
            let children = detailed(inner, note, place, depth + 1, &left)
            // A unit with one inner unit is left out, as the standard asks.
            if children.count == 1 { units += children } else { units.append(unit(found, children)) }
        }
        return units
    }

    private func unit(_ found: Found, _ inner: [JSONValue]) -> JSONValue {
        var members: [JSONObject.Member] = [
            ("valid", .bool(false)), ("keywordLocation", .string(found.evaluationPath)),
            ("instanceLocation", .string(path(found.note.path))),
        ]
        if let uri = program.absolutePath(of: found.note.node) {
            members.insert(
                ("absoluteKeywordLocation", .string(uri + (found.note.inner == nil ? suffix(found) : "/" + step(found.note)))),
                at: 2)
        }
        if found.note.inner == nil {
            let words = BreachWords(program: program, walk: walk, tape: tape, note: found.note, outer: found.outer)
            members.append(("error", .string("expected \(words.expected), found \(words.found)")))
        }
        if !inner.isEmpty { members.append(("errors", .array(inner))) }
        return .object(JSONObject(members))
    }
}
