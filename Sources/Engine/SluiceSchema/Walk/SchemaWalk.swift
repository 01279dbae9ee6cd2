// A value's tape is walked once, with the subschemas that apply to each value. Most values have one subschema that is plain, and are checked
// right here. Where several apply, SchemaWalk+Judging.swift applies each of them once.

internal import SluiceCore

/// Checks one value after the other against a program.
@safe
struct SchemaWalk {
    let program: SchemaProgram
    let nodes: SchemaNodes
    let hasScopes: Bool
    let maximumActive: Int
    /// The value that is being checked.
    var value: CanonicalValue

    /// After each key of the program: the key of the same object that came next the last time, or -1.
    private var followers: [Int32]
    /// The digests of containers that were looked for equal ones.
    private var digests: [Int: UInt64] = [:]

    // What judging keeps, from the outermost open value to the innermost.
    var applications: [Application] = []
    var edges: [Int32] = []
    var requests: [ChildRequest] = []
    var bits: [UInt64] = []
    var marks: [ApplicationMark]
    var serial: UInt32 = 0
    var scopes = DynamicScopes()

    /// Whether breaches are noted. Otherwise the walk ends at the first one that decides.
    var collects = false
    var notes = SchemaNotes()

    init(_ program: SchemaProgram, value: CanonicalValue, maximumActive: Int) {
        self.program = program
        self.value = value
        self.maximumActive = maximumActive
        nodes = program.nodes
        hasScopes = program.hasScopes
        followers = program.contents.followers
        marks = Array(repeating: ApplicationMark(), count: program.nodes.count)
    }

    /// Begins another value.
    mutating func begin(_ tape: JSONTape, collecting: Bool) {
        value = unsafe CanonicalValue(entries: tape.entries, text: tape.start, tape: tape)
        if collects || collecting { notes = SchemaNotes() }
        collects = collecting
        if !digests.isEmpty { digests = [:] }
        if !applications.isEmpty { applications.removeAll(keepingCapacity: applications.count < 1 << 14) }
        if !edges.isEmpty { edges.removeAll(keepingCapacity: edges.count < 1 << 14) }
        if !requests.isEmpty { requests.removeAll(keepingCapacity: requests.count < 1 << 14) }
        if !bits.isEmpty { bits.removeAll(keepingCapacity: bits.count < 1 << 14) }
    }

    @inline(__always)
    func entry(_ index: Int) -> TapeEntry {
        // Safe: the walk follows the tape, whose entries say where the next one is.
        unsafe value.entries[index]
    }

    /// The index after the value at an index.
    @inline(__always)
    func after(_ index: Int) -> Int {
        let entry = entry(index)
        switch entry.kind {
        case .array, .object: return entry.next
        default: return index &+ 1
        }
    }

    // MARK: One subschema

    /// Whether the subschema accepts the value at an index.
    ///
    /// - Parameter scope: The dynamic scope of the subschema that applies this one.
    @inline(__always)
    mutating func accepts(_ node: Int32, _ scope: Int32, _ index: Int) throws(JSONError) -> Bool {
        let entry = entry(index)
        if nodes[node].sureKinds & 1 &<< UInt16(entry.kind.code) != 0, entry.kind != .integer || entry.flags == 0 { return true }
        if nodes[node].needs.contains(.everything) { return try acceptsEverything(node, scope, index) }
        guard passes(node, index) else { return false }
        switch entry.kind {
        case .object where nodes[node].needs.contains(.objects): return try acceptsMembers(node, enter(node, scope), index)
        case .array where nodes[node].needs.contains(.arrays): return try acceptsElements(node, enter(node, scope), index)
        default: return true
        }
    }

    /// The dynamic scope inside of a subschema.
    @inline(__always)
    mutating func enter(_ node: Int32, _ scope: Int32) -> Int32 {
        hasScopes ? scopes.enter(nodes[node].resource, from: scope, program.contents.dynamicResources) : 0
    }

    @inline(never)
    private mutating func acceptsEverything(_ node: Int32, _ scope: Int32, _ index: Int) throws(JSONError) -> Bool {
        var node = node
        while nodes[node].alias >= 0 { node = nodes[node].alias }
        if !nodes[node].needs.contains(.everything) { return try acceptsAlias(node, scope, index) }
        let base = applications.count
        applications.append(Application(node: node, scope: enter(node, scope)))
        try judge(index, from: base)
        let isValid = applications[base].isValid
        applications.removeLast(applications.count - base)
        return isValid
    }

    private mutating func acceptsAlias(_ node: Int32, _ scope: Int32, _ index: Int) throws(JSONError) -> Bool {
        try accepts(node, scope, index)
    }

    private mutating func acceptsMembers(_ node: Int32, _ scope: Int32, _ index: Int) throws(JSONError) -> Bool {
        let keys = nodes[node].keys
        let additional = nodes[node].additional
        let end = entry(index).next
        var member = index &+ 2
        var last = keys.base
        var present: UInt64 = 0
        while member < end {
            let key = find(keys, member, &last)
            var child = additional
            if key >= 0 {
                present |= keys[key].bit
                child = keys[key].node
            }
            if child >= 0, try !accepts(child, scope, member &+ 1) { return false }
            member = after(member &+ 1)
        }
        return present & nodes[node].required == nodes[node].required
    }

    /// The number of the key of a member; -1 if the subschema does not name it.
    ///
    /// - Parameter last: The key found before: ``SchemaKeys/base`` before the first, and one more for each number.
    @inline(__always)
    mutating func find(_ keys: SchemaKeys, _ member: Int, _ last: inout Int) -> Int {
        let entry = entry(member)
        let expected = Int(followers[last])
        // Safe: the bytes of a key lie in the text.
        if expected >= 0, entry.flags & TapeEntry.isNotPlain == 0,
            unsafe keys.isKey(expected, value.text + Int(entry.offset), entry.count)
        {
            last = keys.base &+ expected &+ 1
            return expected
        }
        return lookUp(keys, member, &last)
    }

    @inline(never)
    private mutating func lookUp(_ keys: SchemaKeys, _ member: Int, _ last: inout Int) -> Int {
        guard keys.count > 0 else { return -1 }
        let text = unsafe value.text
        let found = unsafe value.withString(member) { bytes in
            // Safe: an empty text has an address, or else no byte is read.
            unsafe keys.find(bytes.baseAddress ?? text, bytes.count)
        }
        guard found >= 0 else { return -1 }
        followers[last] = Int32(found)
        last = keys.base &+ found &+ 1
        return found
    }

    private mutating func acceptsElements(_ node: Int32, _ scope: Int32, _ index: Int) throws(JSONError) -> Bool {
        let end = entry(index).next
        var element = index &+ 2
        var number: Int32 = 0
        let (prefixStart, prefixCount, items) = (nodes[node].prefixStart, nodes[node].prefixCount, nodes[node].items)
        while element < end {
            let child = number < prefixCount ? program.contents.prefixItems[Int(prefixStart &+ number)] : items
            if child < 0 {
                if number >= prefixCount { return true }
            } else if try !accepts(child, scope, element) {
                return false
            }
            number &+= 1
            element = after(element)
        }
        return true
    }

    // MARK: The value alone

    /// Whether the value itself is accepted, whatever is inside of it.
    @inline(__always)
    mutating func passes(_ node: Int32, _ index: Int) -> Bool {
        surelyPasses(node, index) || failures(of: node, at: index).isEmpty
    }

    /// Returns true only if the value is accepted; false if it may not be.
    @inline(__always)
    private mutating func surelyPasses(_ node: Int32, _ index: Int) -> Bool {
        let entry = entry(index)
        let needs = nodes[node].needs
        let types = nodes[node].types
        switch entry.kind {
        case .null: return types.contains(.null) && !needs.contains(.values)
        case .true, .false: return types.contains(.boolean) && !needs.contains(.values)
        case .integer:
            guard entry.flags == 0, types.contains(.integer), !needs.contains(.values) else { return false }
            guard needs.contains(.numbers) else { return true }
            let number = Int64(bitPattern: entry.bits)
            guard number >= nodes[node].lowest, number <= nodes[node].highest else { return false }
            if !needs.contains(.multiples) { return true }
            // A divisor of -1 does not exist, so the remainder cannot overflow.
            return nodes[node].divisor > 0 && number % nodes[node].divisor == 0
        case .double:
            let number = Double(bitPattern: entry.bits)
            guard types.contains(.fraction), types.contains(.integer) || number != number.rounded(), !needs.contains(.values)
            else {
                return false
            }
            return !needs.contains(.numbers)
                || number > nodes[node].lowestDouble && number < nodes[node].highestDouble && !needs.contains(.multiples)
        case .number, .bounds: return false
        case .string:
            guard types.contains(.string) else { return false }
            if needs.isDisjoint(with: [.strings, .values]) { return true }
            guard entry.flags & TapeEntry.isNotPlain == 0 else { return false }
            if needs.contains(.values), unsafe !isAmong(node, value.text + Int(entry.offset), entry.count) { return false }
            guard needs.contains(.strings) else { return true }
            let least = entry.flags == 0 ? entry.count : (entry.count &+ 3) &>> 2
            guard least >= nodes[node].minLength, entry.count <= nodes[node].maxLength else { return false }
            return !needs.contains(.matches) || matches(node, index)
        case .array:
            guard types.contains(.array), needs.isDisjoint(with: [.values, .uniqueItems]) else { return false }
            return entry.count >= nodes[node].minItems && entry.count <= nodes[node].maxItems
        case .object:
            guard types.contains(.object), !needs.contains(.values) else { return false }
            return entry.count >= nodes[node].minProperties && entry.count <= nodes[node].maxProperties
        }
    }

    @inline(__always)
    private func isAmong(_ node: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let strings = nodes[node].strings
        return unsafe strings.count > 0 && (strings.isKey(0, bytes, count) || strings.find(bytes, count) >= 0)
    }

    @inline(never)
    private func matches(_ node: Int32, _ index: Int) -> Bool {
        // A closure that used `self` would copy the whole walk.
        let (pattern, format, program) = (nodes[node].pattern, nodes[node].format, program)
        return unsafe value.withString(index) { text in
            if pattern >= 0, unsafe !program.contents.patterns[Int(pattern)].matches(text) { return false }
            return unsafe format < 0 || program.contents.formats[Int(format)].accepts(text)
        }
    }

    /// The keywords that refuse the value itself, whatever is inside of it. This decides; ``surelyPasses(_:_:)`` only saves time.
    @inline(never)
    mutating func failures(of node: Int32, at index: Int) -> [SchemaKeyword] {
        let rule = nodes[node]
        if rule.needs.contains(.never) { return [.never] }
        var failed: [SchemaKeyword] = []
        func demand(_ isTrue: Bool, _ keyword: SchemaKeyword) { if !isTrue { failed.append(keyword) } }
        demand(!rule.types.isDisjoint(with: type(of: index)), .type)
        if rule.needs.contains(.values) {
            let bytes = value.bytes(of: index)
            for values in program.contents.values[Int(rule.values)..<Int(rule.values + rule.valueCount)] {
                demand(values.canonical.contains(bytes), values.isConstant ? .const : .enum)
            }
        }
        let entry = entry(index)
        switch entry.kind {
        case .integer, .double, .number:
            guard rule.needs.contains(.numbers), let number = value.lexeme(at: index) else { break }
            let limits = program.contents.numbers[Int(rule.numbers)]
            if let limit = limits.multipleOf { demand(limit.divides(number), .multipleOf) }
            if let limit = limits.maximum { demand(limit.order(of: number) <= 0, .maximum) }
            if let limit = limits.exclusiveMaximum { demand(limit.order(of: number) < 0, .exclusiveMaximum) }
            if let limit = limits.minimum { demand(limit.order(of: number) >= 0, .minimum) }
            if let limit = limits.exclusiveMinimum { demand(limit.order(of: number) > 0, .exclusiveMinimum) }
        case .string:
            guard rule.needs.contains(.strings) else { break }
            let length = length(of: index)
            demand(length <= rule.maxLength, .maxLength)
            demand(length >= rule.minLength, .minLength)
            unsafe value.withString(index) { text in
                if rule.pattern >= 0 { demand(unsafe program.contents.patterns[Int(rule.pattern)].matches(text), .pattern) }
                if rule.format >= 0 { demand(unsafe program.contents.formats[Int(rule.format)].accepts(text), .format) }
            }
        case .array:
            demand(entry.count <= rule.maxItems, .maxItems)
            demand(entry.count >= rule.minItems, .minItems)
            if rule.needs.contains(.uniqueItems) { demand(hasUniqueItems(index), .uniqueItems) }
        case .object:
            demand(entry.count <= rule.maxProperties, .maxProperties)
            demand(entry.count >= rule.minProperties, .minProperties)
        default: break
        }
        return failed
    }

    /// What kind of value there is.
    private func type(of index: Int) -> SchemaTypes {
        let entry = entry(index)
        guard entry.isNumber, entry.kind != .integer || entry.flags != 0 else { return SchemaTypes(entry.kind) }
        return value.lexeme(at: index)?.isInteger == true ? .integer : .fraction
    }

    /// How many Unicode scalars a string has.
    func length(of index: Int) -> Int {
        if entry(index).flags == 0 { return entry(index).count }
        // All bytes of a character but the first begin with the bits 10.
        return unsafe value.withString(index) { unsafe $0.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 &+ 1 } }
    }

    private mutating func hasUniqueItems(_ index: Int) -> Bool {
        let end = entry(index).next
        var elements: [(digest: UInt64, index: Int)] = []
        elements.reserveCapacity(entry(index).count)
        var element = index + 2
        while element < end {
            elements.append((value.digest(of: element, &digests), element))
            element = after(element)
        }
        elements.sort { $0.digest < $1.digest }
        for (number, element) in elements.enumerated().dropFirst() {
            // Elements of one digest that are not equal would need luck.
            var other = number - 1
            while other >= 0, elements[other].digest == element.digest {
                if value.bytes(of: elements[other].index) == value.bytes(of: element.index) { return false }
                other -= 1
            }
        }
        return true
    }
}
