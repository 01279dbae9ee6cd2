// Collects what many records have in common: the kinds of the values at each shape, the keys, and which of them are always there.
//
// Records come in as tapes, so their values are not converted. Each shape has one entry in a list:
//
//     {"id": 1, "tags": ["x"]}      0: the record    1: id, below 0    2: tags, below 0    3: the elements of tags

/// What is known of the values at all paths of the records seen.
@safe
package final class RecordShapes {
    /// The kinds of the observed values, except null.
    package struct Kinds: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        package static let bool = Kinds(rawValue: 1)
        package static let integer = Kinds(rawValue: 2)
        package static let real = Kinds(rawValue: 4)
        /// An integer that a double cannot hold exactly.
        package static let long = Kinds(rawValue: 8)
        /// An integer that does not fit into 64 bits.
        package static let wide = Kinds(rawValue: 16)
        package static let string = Kinds(rawValue: 32)
        package static let array = Kinds(rawValue: 64)
        package static let object = Kinds(rawValue: 128)
        /// A number beyond the doubles.
        package static let infinite = Kinds(rawValue: 256)
    }

    /// What is known about one shape.
    fileprivate struct Shape {
        var kinds: Kinds = []
        var hasNull = false
        /// How many objects have this value as a member, and the number of the last of them.
        var holders = 0
        var lastHolder = 0
        /// How many of the values were objects.
        var objects = 0
        /// The shape around it; -1 for the record.
        var parent = -1
        /// The key's bytes among those of all keys; the count is -1 for the elements of an array.
        var key = 0
        var keyCount = -1
        /// The first and the last key below, and the next key beside it; -1 for each that is missing.
        var first = -1
        var last = -1
        var next = -1
        /// The shape of an array's elements; -1 if there was none.
        var elements = -1
        /// The offset of the first record that has the shape.
        var origin = 0
    }

    /// Whether the elements of arrays are looked at.
    package let looksIntoArrays: Bool
    /// Whether it is noted what texts and whole numbers may stand for.
    package let looksAtValues: Bool
    /// What was found of that, by the index of the shape; there may be fewer.
    private var forms: [ValueForms] = []
    @exclusivity(unchecked) private var shapes: UnsafeMutablePointer<Shape>
    private(set) var count = 1
    private var capacity = 64
    /// The bytes of all keys, and how many there are, and may be.
    @exclusivity(unchecked) private var keys: UnsafeMutablePointer<UInt8>
    private var keySize = 0
    private var keyCapacity = 1_024
    /// The indexes of shapes by the hash of the shape around them and the key; 0 is free.
    // Unchecked: nothing that is called while it is used changes it.
    @safe @exclusivity(unchecked) private var slots: [Int32]
    /// The offset of the record that is being observed.
    private var origin = 0
    /// The offset of the first record, and whether it is an array of strings; nil before it.
    private var first: (origin: Int, isNames: Bool)?

    /// The index of the shape of the records themselves.
    package static let root = 0

    /// - Parameters:
    ///   - looksIntoArrays: Whether the elements of arrays are looked at.
    ///   - looksAtValues: Whether it is noted what texts and whole numbers may stand for.
    package init(looksIntoArrays: Bool, looksAtValues: Bool = false) {
        self.looksIntoArrays = looksIntoArrays
        self.looksAtValues = looksAtValues
        unsafe shapes = .allocate(capacity: capacity)
        unsafe shapes.initialize(to: Shape())
        unsafe keys = .allocate(capacity: keyCapacity)
        slots = Array(repeating: 0, count: 256)
    }

    deinit {
        unsafe shapes.deallocate()
        unsafe keys.deallocate()
    }

    // MARK: Observing

    /// Adds a record.
    ///
    /// - Parameter offset: Its offset in the feed, by which shapes are ordered that several threads have found.
    package func observe(_ tape: JSONTape, at offset: Int = 0) {
        origin = offset
        if first == nil { first = (offset, tape.isListOfStrings) }
        _ = observe(tape, 1, RecordShapes.root)
    }

    /// Adds the value at an index of a tape to a shape. Returns the index after the value.
    private func observe(_ tape: JSONTape, _ index: Int, _ shape: Int) -> Int {
        let entry = tape[index]
        switch entry.kind {
        case .null, .bounds: unsafe shapes[shape].hasNull = true
        case .true, .false: unsafe shapes[shape].kinds.insert(.bool)
        case .string:
            unsafe shapes[shape].kinds.insert(.string)
            if looksAtValues { noteText(tape, index, shape) }
        case .integer, .double, .number:
            let kinds = tape.kinds(ofNumber: entry)
            unsafe shapes[shape].kinds.formUnion(kinds)
            if looksAtValues, kinds == .integer || kinds == [.integer, .long] { noteNumber(tape, index, shape) }
        case .array:
            unsafe shapes[shape].kinds.insert(.array)
            if looksIntoArrays, entry.count > 0 { observeElements(of: tape, index, shape) }
            return entry.next
        case .object:
            observeMembers(of: tape, index, shape)
            return entry.next
        }
        return index &+ 1
    }

    /// What is looked at besides the kinds of values.
    package struct Looks: Sendable {
        package let intoArrays: Bool
        package let atValues: Bool
    }

    package var looks: Looks { Looks(intoArrays: looksIntoArrays, atValues: looksAtValues) }

    @inline(never)
    private func noteText(_ tape: JSONTape, _ index: Int, _ shape: Int) {
        makeForms(upTo: shape)
        let entry = tape[index]
        guard entry.flags & TapeEntry.isNotPlain == 0 else { return forms[shape].noteOtherText() }
        // Safe: the tape says where the text lies, which is valid during the call.
        unsafe forms[shape].note(UnsafeBufferPointer(start: tape.start + Int(entry.offset), count: entry.count))
    }

    @inline(never)
    private func noteNumber(_ tape: JSONTape, _ index: Int, _ shape: Int) {
        makeForms(upTo: shape)
        let text = unsafe String(decoding: tape.text(at: index), as: UTF8.self)
        // A number such as 1e3 is whole, but no date.
        forms[shape].note(Int64(text) ?? 0)
    }

    private func makeForms(upTo shape: Int) {
        while forms.count <= shape { forms.append(ValueForms()) }
    }

    /// What the values at a shape stand for, if all of them are texts or all whole numbers; nil if that is unknown.
    ///
    /// - Parameter key: The key that they stand under.
    package func meaning(of shape: Int, under key: String) -> ValueForms.Meaning? {
        guard shape < forms.count else { return nil }
        switch kinds(of: shape) {
        case .string: return forms[shape].meaningOfTexts
        case .integer, [.integer, .long]: return forms[shape].meaningOfNumbers(under: key)
        default: return nil
        }
    }

    private func observeElements(of tape: JSONTape, _ array: Int, _ shape: Int) {
        let elements = elements(makingOf: shape)
        var index = array &+ 2
        let end = tape[array].next
        while index < end { index = observe(tape, index, elements) }
    }

    private func observeMembers(of tape: JSONTape, _ object: Int, _ shape: Int) {
        unsafe shapes[shape].kinds.insert(.object)
        unsafe shapes[shape].objects &+= 1
        let number = unsafe shapes[shape].objects
        // Keys mostly follow one another as in the records before.
        var expected = unsafe shapes[shape].first
        var index = object &+ 2
        let end = tape[object].next
        while index < end {
            let member = child(of: shape, tape, index, expected)
            // A key may appear twice in an object.
            if unsafe shapes[member].lastHolder != number { unsafe shapes[member].holders &+= 1 }
            unsafe shapes[member].lastHolder = number
            index = observe(tape, index &+ 1, member)
            expected = unsafe shapes[member].next
        }
    }

    /// The shape of the elements of a shape's arrays, which is made if there is none.
    private func elements(makingOf shape: Int) -> Int {
        if unsafe shapes[shape].elements < 0 {
            let made = append(Shape(parent: shape, origin: origin))
            unsafe shapes[shape].elements = made
        }
        return unsafe shapes[shape].elements
    }

    /// The shape below another one that has the key at an index of a tape; made if it is new.
    @inline(__always)
    func child(of shape: Int, _ tape: JSONTape, _ index: Int, _ expected: Int) -> Int {
        let entry = tape[index]
        guard entry.flags & TapeEntry.isNotPlain == 0 else { return escapedChild(of: shape, tape, index) }
        // Safe: the tape says where the key lies in its text, which is valid during the call.
        let key = unsafe UnsafeBufferPointer(start: tape.start + Int(entry.offset), count: entry.count)
        if expected >= 0, unsafe hasKey(expected, key) { return expected }
        return unsafe child(of: shape, key)
    }

    /// The same for a key with escapes.
    @inline(never)
    private func escapedChild(of shape: Int, _ tape: JSONTape, _ index: Int) -> Int {
        // The record has been checked, so the key can be decoded.
        var key = tape.string(at: index) ?? ""
        return key.withUTF8 { unsafe child(of: shape, $0) }
    }

    // MARK: Positions

    @inline(__always)
    private func hasKey(_ shape: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard unsafe shapes[shape].keyCount == key.count else { return false }
        guard let start = key.baseAddress else { return true }
        // Safe: the keys of all shapes lie in the list of bytes.
        return unsafe equalBytes(keys + shapes[shape].key, start, key.count)
    }

    /// The slot of the shape below another one that has a key, or the free one that it would get.
    @inline(__always)
    private func slot(of shape: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int {
        var slot = unsafe RecordShapes.hash(shape, key) & (slots.count &- 1)
        while slots[slot] != 0 {
            let found = Int(slots[slot])
            if unsafe shapes[found].parent == shape, unsafe hasKey(found, key) { break }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return slot
    }

    private func child(of shape: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int {
        let slot = unsafe self.slot(of: shape, key)
        if slots[slot] != 0 { return Int(slots[slot]) }
        let made = append(Shape(parent: shape, key: keySize, keyCount: key.count, origin: origin))
        unsafe append(key)
        slots[slot] = Int32(truncatingIfNeeded: made)
        let last = unsafe shapes[shape].last
        if last < 0 { unsafe shapes[shape].first = made } else { unsafe shapes[last].next = made }
        unsafe shapes[shape].last = made
        if count > slots.count / 2 { rehash() }
        return made
    }

    private func append(_ shape: Shape) -> Int {
        if count == capacity {
            unsafe shapes.grow(to: capacity * 2, keeping: count)
            capacity *= 2
        }
        // Safe: there is room for one more.
        unsafe (shapes + count).initialize(to: shape)
        count += 1
        return count - 1
    }

    private func append(_ key: UnsafeBufferPointer<UInt8>) {
        if keyCapacity - keySize < key.count {
            keyCapacity = max(keyCapacity * 2, keySize + key.count)
            unsafe keys.grow(to: keyCapacity, keeping: keySize)
        }
        guard let start = key.baseAddress else { return }
        // Safe: there is room for the key, which lies in a tape's text or in the list of another object.
        unsafe (keys + keySize).initialize(from: start, count: key.count)
        keySize += key.count
    }

    private func rehash() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for shape in 1..<count where unsafe shapes[shape].keyCount >= 0 {
            slots[unsafe slot(of: shapes[shape].parent, keyBytes(of: shape))] = Int32(truncatingIfNeeded: shape)
        }
    }

    private static func hash(_ shape: Int, _ key: UnsafeBufferPointer<UInt8>) -> Int {
        let seed = KeyHash.seed ^ UInt64(truncatingIfNeeded: shape) &* 0xE703_7ED1_A0B4_28DB
        // Safe: the address has `key.count` bytes.
        return unsafe KeyHash.full(key.baseAddress ?? NoBytes.address, key.count, seed)
    }

    /// The shape below another one that has a key; made if it is new.
    func child(of shape: Int, _ key: String) -> Int {
        var key = key
        return key.withUTF8 { unsafe child(of: shape, $0) }
    }

    /// The shape of the first key below a shape, and the one beside it; -1 for each that is missing.
    @inline(__always)
    func firstMember(of shape: Int) -> Int { unsafe shapes[shape].first }
    @inline(__always)
    func nextMember(after shape: Int) -> Int { unsafe shapes[shape].next }

    /// The keys on the way to a shape.
    func path(of shape: Int) -> [String] {
        var path: [String] = []
        var shape = shape
        while shape != RecordShapes.root {
            path.append(key(of: shape))
            shape = unsafe shapes[shape].parent
        }
        return path.reversed()
    }

    // MARK: Several threads

    /// Adds what several threads have observed in parts of one feed, as if one had seen it all.
    package func merge(_ others: [RecordShapes]) {
        // The shapes found so far belong to earlier inputs.
        if first == nil { first = others.compactMap(\.first).min { $0.origin < $1.origin } }
        var found: [(origin: Int, number: Int, shape: Int)] = []
        for (number, other) in others.enumerated() {
            for shape in 0..<other.count { unsafe found.append((other.shapes[shape].origin, number, shape)) }
        }
        // A record is read by one thread, which lists its new shapes in the order of their appearance.
        found.sort { ($0.origin, $0.number, $0.shape) < ($1.origin, $1.number, $1.shape) }
        var homes = others.map { Array(repeating: RecordShapes.root, count: $0.count) }
        for (_, number, shape) in found {
            let home = shape == RecordShapes.root ? shape : home(of: shape, of: others[number], homes[number])
            homes[number][shape] = home
            add(shape, of: others[number], to: home)
        }
    }

    /// The shape here that another one's shape becomes; made if it is new.
    private func home(of number: Int, of other: RecordShapes, _ homes: [Int]) -> Int {
        let shape = unsafe other.shapes[number]
        let parent = homes[shape.parent]
        origin = shape.origin
        if shape.keyCount >= 0 {
            return unsafe child(of: parent, other.keyBytes(of: number))
        }
        return elements(makingOf: parent)
    }

    private func add(_ number: Int, of other: RecordShapes, to home: Int) {
        let shape = unsafe other.shapes[number]
        unsafe shapes[home].kinds.formUnion(shape.kinds)
        unsafe shapes[home].hasNull = unsafe shapes[home].hasNull || shape.hasNull
        unsafe shapes[home].holders += shape.holders
        unsafe shapes[home].objects += shape.objects
        guard number < other.forms.count else { return }
        makeForms(upTo: home)
        forms[home].merge(other.forms[number])
    }

    /// What the members of a shape have in common, as the root of other shapes.
    ///
    /// - Parameter closed: The shapes whose own members are left out.
    package func merged(membersOf shape: Int, closed: Set<Int> = []) -> RecordShapes {
        let merged = RecordShapes(looksIntoArrays: looksIntoArrays, looksAtValues: looksAtValues)
        for member in members(of: shape) { merged.add(member, and: self, below: RecordShapes.root, closed) }
        return merged
    }

    private func add(_ shape: Int, and other: RecordShapes, below home: Int, _ closed: Set<Int>) {
        add(shape, of: other, to: home)
        for member in other.members(of: shape) where !closed.contains(shape) {
            let made = unsafe child(of: home, other.keyBytes(of: member))
            add(member, and: other, below: made, closed)
        }
        guard let elements = other.elements(of: shape) else { return }
        add(elements, and: other, below: self.elements(makingOf: home), closed)
    }

    // MARK: What was found

    /// How many of the values at a shape were objects.
    package func objects(_ shape: Int) -> Int { unsafe shapes[shape].objects }

    /// Whether the records are probably rows of values under a row of names: all are arrays, and the first has only strings.
    package var looksLikeRows: Bool { unsafe first?.isNames == true && shapes[0].kinds == .array && !shapes[0].hasNull }

    package func kinds(of shape: Int) -> Kinds { unsafe shapes[shape].kinds }
    package func hasNull(_ shape: Int) -> Bool { unsafe shapes[shape].hasNull }

    /// Whether every object had this member.
    package func isAlwaysThere(_ member: Int) -> Bool {
        unsafe shapes[member].holders >= shapes[shapes[member].parent].objects
    }

    /// The shapes of an object's keys, in the order in which these first appeared.
    package func members(of shape: Int) -> some Sequence<Int> {
        sequence(state: unsafe shapes[shape].first) { member -> Int? in
            guard member >= 0 else { return nil }
            defer { member = unsafe self.shapes[member].next }
            return member
        }
    }

    /// The shape of an array's elements; nil if there was no element, or none was looked at.
    package func elements(of shape: Int) -> Int? { unsafe shapes[shape].elements < 0 ? nil : shapes[shape].elements }

    /// A member's key.
    package func key(of shape: Int) -> String { unsafe String(decoding: keyBytes(of: shape), as: UTF8.self) }

    /// The bytes of a member's key, valid until a shape is added.
    private func keyBytes(of shape: Int) -> UnsafeBufferPointer<UInt8> {
        // Safe: the key lies in the list of bytes.
        unsafe UnsafeBufferPointer(start: keys + shapes[shape].key, count: max(shapes[shape].keyCount, 0))
    }

    /// The member of a shape with a key, or nil.
    package func member(of shape: Int, _ key: String) -> Int? {
        var key = key
        let found = key.withUTF8 { unsafe slots[slot(of: shape, $0)] }
        return found == 0 ? nil : Int(found)
    }
}

extension JSONTape {
    /// Whether the document is an array of strings with at least one element.
    fileprivate var isListOfStrings: Bool {
        let entry = self[1]
        guard entry.kind == .array, entry.count > 0, entry.next == entry.count + 3 else { return false }
        return (3..<entry.next).allSatisfy { self[$0].kind == .string }
    }

    /// The kinds of a number.
    @inline(__always)
    fileprivate func kinds(ofNumber entry: TapeEntry) -> RecordShapes.Kinds {
        // Safe: the number begins there, and the text ends after `size` bytes.
        let first = unsafe start + Int(entry.offset)
        let end = unsafe start + size
        var address = unsafe first.pointee == .minus ? first + 1 : first
        while unsafe address < end, unsafe address.pointee &- .digitZero <= 9 { unsafe address += 1 }
        let isReal = unsafe address < end && (address.pointee == .point || address.pointee | 0x20 == .e)
        if entry.kind != .number, isReal { return .real }
        if entry.kind == .integer {
            let value = Int64(bitPattern: entry.bits)
            return value.magnitude <= 1 << 53 || Int64(exactly: Double(value)) == value ? .integer : [.integer, .long]
        }
        return unsafe JSONTape.kinds(ofOther: first, isReal ? TapeSink.numberEnd(first, end) - first : address - first, isReal)
    }

    @inline(never)
    private static func kinds(ofOther first: UnsafePointer<UInt8>, _ count: Int, _ isReal: Bool) -> RecordShapes.Kinds {
        if isReal { return unsafe NumberParsing.double(first, count)?.isFinite == true ? .real : .infinite }
        guard let value = unsafe NumberParsing.int64(first, count) else { return .wide }
        return Int64(exactly: Double(value)) == value ? .integer : [.integer, .long]
    }
}
