// A piece of JSON text that is written step by step; `SluiceCodable` encodes into it. A container that may be written after the text
// around it becomes a fragment of its own, and the outer fragment has a hole at its position.
//
// ``JSONWriter`` writes the text in compact form, with a comma after each member and element. Pretty printing is done at the very end.

/// JSON text with holes.
@safe
package final class JSONFragment {
    /// The writer that has the text. The fragment is a class so that it can be kept and shared, which a writer cannot.
    @exclusivity(unchecked)
    var writer: JSONWriter
    /// The members of all open objects, those of the innermost object last.
    @exclusivity(unchecked)
    var members = MemberStack()
    /// The holes in the text, in the order of the text.
    @exclusivity(unchecked)
    private(set) var holes: [Hole] = []
    private var slots = KeySlots()
    @exclusivity(unchecked)
    var sorting = SortingMemory()
    let sortsKeys: Bool
    package let escapesSlashes: Bool
    private let knowsWords = StringWords.isKnown
    /// A number for the code that made the fragment: it shows to what the fragment belongs.
    package var number = 0

    /// A member of an object: the offset of its key in the text, and the key's size in bytes, with its quotes and the colon.
    struct Member {
        let start: Int
        let keySize: Int
    }

    /// A stack of members; an array without bounds checks in release builds.
    @safe
    struct MemberStack {
        private var start = UnsafeMutablePointer<Member>.allocate(capacity: 32)
        private var capacity = 32
        private(set) var count = 0

        @inline(__always)
        mutating func append(_ member: Member) {
            if count == capacity { grow() }
            // Safe: the check above makes room for one more member.
            unsafe (start + count).initialize(to: member)
            count &+= 1
        }

        @inline(__always)
        subscript(_ index: Int) -> Member {
            assert(index >= 0 && index < count)
            // Safe: callers pass an index below `count`, as the assertion says.
            return unsafe start[index]
        }

        @inline(__always)
        mutating func removeLast(_ number: Int) { count &-= number }

        func deallocate() { unsafe start.deallocate() }

        @inline(never)
        private mutating func grow() {
            unsafe start.grow(to: capacity * 2, keeping: count)
            capacity *= 2
        }
    }

    struct Hole {
        /// The byte offset in the text at which the child's text is inserted.
        var offset: Int
        let child: JSONFragment
    }

    /// An empty fragment.
    ///
    /// - Parameter outer: The fragment that has a hole for this one. Its open containers count towards the depth limit.
    package init(options: JSONWriter.Options, within outer: JSONFragment? = nil) {
        unsafe writer = JSONWriter(options: options)
        sortsKeys = options.sortedKeys
        escapesSlashes = options.escapesSlashes
        if let outer { unsafe writer.nesting = unsafe outer.writer.nesting }
    }

    deinit {
        slots.deallocate()
        unsafe sorting.deallocate()
        unsafe members.deallocate()
    }

    /// Whether nothing has been written.
    package var isEmpty: Bool { unsafe writer.count == 0 && holes.isEmpty }

    // MARK: Going back

    /// A state to which a fragment can return.
    package struct Mark {
        /// The size of the text in bytes.
        package let count: Int
        fileprivate let members: Int
        fileprivate let holes: Int
        fileprivate let nesting: Int
    }

    @inline(__always)
    package var mark: Mark {
        unsafe Mark(count: writer.count, members: members.count, holes: holes.count, nesting: writer.nesting)
    }

    /// Removes all text, members and holes added since a mark, after an error.
    package func goBack(to mark: Mark) {
        unsafe writer.count = mark.count
        unsafe writer.nesting = mark.nesting
        unsafe members.removeLast(members.count - mark.members)
        unsafe holes.removeLast(holes.count - mark.holes)
    }

    /// The size of the text in bytes.
    @inline(__always)
    package var count: Int { unsafe writer.count }

    /// Removes an element or a member of the innermost container after an error in it.
    ///
    /// - Parameters:
    ///   - count: The size of the text in bytes when the element or the key began.
    ///   - start: The mark of the container's beginning, after its bracket.
    ///   - members: The members that the container has had since then.
    package func goBack(to count: Int, in start: Mark, members number: Int = 0) {
        unsafe writer.count = count
        unsafe writer.nesting = start.nesting
        unsafe members.removeLast(members.count - start.members - number)
        while let last = unsafe holes.last, last.offset >= count { unsafe holes.removeLast() }
    }

    // MARK: Containers

    /// Opens an object, and returns the number that ``endObject(_:isUnique:)`` needs.
    package func beginObject() throws(JSONError) -> Int {
        try unsafe writer.beginObject()
        return unsafe members.count
    }

    /// Closes the object for which ``beginObject()`` returned `first`.
    ///
    /// - Parameter isUnique: Whether no key can have been written twice.
    package func endObject(_ first: Int, isUnique: Bool = false) {
        let count = unsafe members.count - first
        if count > 1, sortsKeys || !isUnique {
            // Sorting is fast only if each key occurs once.
            if !isUnique && hasDuplicates(first) || sortsKeys && !sort(first) { arrange(first) }
        }
        unsafe members.removeLast(count)
        unsafe writer.endObject()
    }

    package func beginArray() throws(JSONError) { try unsafe writer.beginArray() }

    package func endArray() { unsafe writer.endArray() }

    /// Writes the key of a member whose value comes next.
    package func key(_ key: String) {
        let first = unsafe writer.count
        text(key)
        unsafe writer.append(UInt8(ascii: ":"))
        unsafe members.append(Member(start: first, keySize: writer.count &- first))
    }

    /// Writes a key whose written form is known.
    @inline(__always)
    private func append(_ key: JSONKeyText) {
        unsafe members.append(Member(start: writer.count, keySize: key.count))
        unsafe writer.reserve(key.count &+ 16)
        unsafe writer.count = JSONKeyText.copy(key.start, key.count, to: writer.start + writer.count) - writer.start
    }

    /// Writes the key of a member whose value comes next.
    package func key(_ key: JSONKeyText) { append(key) }

    /// Ends a member or an element.
    package func endElement() { unsafe writer.endElement() }

    /// Leaves a hole for a fragment whose text is written later.
    package func leave(_ child: JSONFragment) { unsafe holes.append(Hole(offset: writer.count, child: child)) }

    // MARK: Values

    package func null() { unsafe writer.writeNull() }

    package func bool(_ value: Bool) { unsafe writer.write(value) }

    package func integer(_ value: Int) { unsafe writer.write(Int64(value)) }

    package func integer<Value: FixedWidthInteger>(_ value: Value) {
        if let value = Int64(exactly: value) {
            unsafe writer.write(value)
        } else if let value = Int128(exactly: value) {
            unsafe writer.write(value)
        } else if let value = UInt128(exactly: value) {
            unsafe writer.write(value)
        }
    }

    /// Writes a finite double as Swift describes it, without `.0`: `1e+16`, `1e-05`.
    package func finite(_ value: Double) {
        let size = value.magnitude
        if size <= 0x1p53, size >= 1e-4 || size == 0 {
            unsafe writer.reserve(NumberFormatting.maximumLength)
            unsafe writer.count &+= NumberFormatting.write(value, to: writer.start + writer.count)
        } else {
            described(value.description)
        }
    }

    /// Writes a finite float as Swift describes it, without `.0`.
    package func finite(_ value: Float) { described(value.description) }

    private func described(_ text: String) { number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) }

    /// Writes the text of a number.
    package func number(_ text: String) { unsafe writer.writeRaw(text) }

    /// Writes a string with its quotes.
    @inline(__always)
    package func text(_ value: String) {
        let words = StringWords(value)
        if knowsWords, words.isSmall, !words.needsEscape, !(escapesSlashes && words.hasSlash) {
            // Safe: room is reserved for 16 bytes and two quotes; a small string has at most 15.
            unsafe writer.reserve(20)
            let end = unsafe writer.start + writer.count
            unsafe end[0] = .quote
            unsafe words.store(to: end + 1)
            unsafe end[words.count &+ 1] = .quote
            return unsafe writer.count &+= words.count &+ 2
        }
        longText(value)
    }

    @inline(never)
    private func longText(_ value: String) {
        if escapesSlashes, knowsWords, let bytes = unsafe StringWords(value).ownBytes {
            // Safe: the string lives as long as this call.
            return withExtendedLifetime(value) { unsafe writer.writeWithSlashes(bytes) }
        }
        unsafe writer.writeString(value)
    }

    /// Writes a value by its own table.
    package func value(_ value: some JSONWritable) throws(JSONError) { try unsafe value._write(to: &writer) }

    // MARK: Members, each in one call

    @inline(__always)
    private func member(_ key: JSONKeyText, _ write: () -> Void) {
        append(key)
        write()
        unsafe writer.append(UInt8(ascii: ","))
    }

    package func member(_ key: JSONKeyText, _ value: String) { member(key) { text(value) } }

    package func member(_ key: JSONKeyText, _ value: Int) { member(key) { integer(value) } }

    package func member(_ key: JSONKeyText, _ value: Bool) { member(key) { bool(value) } }

    package func member(_ key: JSONKeyText, finite value: Double) { member(key) { finite(value) } }

    // MARK: Arrays of scalars

    @inline(__always)
    private func array<Value>(_ values: [Value], _ write: (Value) -> Void) throws(JSONError) {
        try beginArray()
        for value in values {
            write(value)
            endElement()
        }
        endArray()
    }

    package func doubles(_ values: [Double]) throws(JSONError) { try array(values) { finite($0) } }

    package func integers(_ values: [Int]) throws(JSONError) { try array(values) { integer($0) } }

    package func strings(_ values: [String]) throws(JSONError) { try array(values) { text($0) } }

    // MARK: The order of members

    /// The key of a member in its written form, with quotes and without the colon.
    func key(of member: Member) -> UnsafeBufferPointer<UInt8> {
        // Safe: a member's offsets lie within the text.
        unsafe UnsafeBufferPointer(start: writer.start + member.start, count: member.keySize &- 1)
    }

    /// Whether the innermost object may have two equal keys; true if that is not certain.
    private func hasDuplicates(_ first: Int) -> Bool {
        unsafe writer.reserve(8)
        unsafe slots.begin(members.count &- first)
        for index in unsafe first..<members.count {
            let key = unsafe key(of: members[index])
            var hash: UInt64 = 0
            var offset = 0
            // Safe: room for eight more bytes after the text is reserved, so each word can be loaded whole.
            repeat {
                let word = unsafe UnsafeRawPointer(key.baseAddress.unsafelyUnwrapped + offset).loadUnaligned(as: UInt64.self)
                let left = key.count &- offset
                let kept = left >= 8 ? word : word.littleEndian &<< UInt64(truncatingIfNeeded: 64 &- 8 &* left)
                // Keys outside ASCII may be equal although their bytes differ, so a duplicate is possible.
                if kept & 0x8080_8080_8080_8080 != 0 { return true }
                hash = (hash ^ kept) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash &>> 29
                // Only the beginning and the end of a long key are hashed.
                offset = left > 16 && offset > 16 ? key.count &- 8 : offset &+ 8
            } while offset < key.count
            var slot = Int(truncatingIfNeeded: hash &>> 32)
            var probes = 0
            while let other = slots.occupant(of: slot) {
                let known = unsafe self.key(of: members[other])
                probes &+= 1
                if unsafe probes > 64 || known.count == key.count && known.elementsEqual(key) { return true }
                slot &+= 1
            }
            slots.occupy(slot, index)
        }
        return false
    }

    /// A member that stays in the text. `key` is the index of the member whose key was written first, `value` that of the member
    /// whose value was written last.
    private struct Kept {
        let key: Int
        var value: Int
    }

    /// Sorts the members of the innermost object if the options ask for that, and merges members with equal keys into one.
    private func arrange(_ first: Int) {
        var kept: [Kept] = []
        var indices: [String: Int] = [:]
        for index in unsafe first..<members.count {
            let key = unsafe String(decoding: key(of: members[index]), as: UTF8.self)
            if let known = indices[key] {
                kept[known].value = index
            } else {
                indices[key] = kept.count
                kept.append(Kept(key: index, value: index))
            }
        }
        if sortsKeys { kept.sort { unsafe isLess(members[$0.key], members[$1.key]) } }
        move(kept, from: first)
    }

    /// Whether a key sorts before another. Keys are compared by their unescaped bytes.
    private func isLess(_ left: Member, _ right: Member) -> Bool {
        let (left, right) = unsafe (key(of: left), key(of: right))
        let isPlain = unsafe !UnicodeValidation.hasBackslash(in: UnsafeRawBufferPointer(left))
        if isPlain, unsafe !UnicodeValidation.hasBackslash(in: UnsafeRawBufferPointer(right)) {
            return unsafe left.dropLast().lexicographicallyPrecedes(right.dropLast())
        }
        return unsafe JSONFragment.unescaped(left).lexicographicallyPrecedes(JSONFragment.unescaped(right))
    }

    private static func unescaped(_ key: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var scratch = ScratchBytes()
        defer { scratch.deallocate() }
        // Safe: the key ends with a quote, because the fragment has written it.
        let first = unsafe key.baseAddress.unsafelyUnwrapped
        _ = unsafe scratch.decodeString(from: first + 1, end: first + key.count)
        return unsafe Array(UnsafeBufferPointer(start: scratch.start, count: scratch.count))
    }

    /// Rewrites the innermost object with the given members in the given order.
    private func move(_ kept: [Kept], from first: Int) {
        let start = unsafe members[first].start
        var text: [UInt8] = []
        unsafe text.reserveCapacity(writer.count - start)
        var moved: [Hole] = []
        for item in kept {
            let key = unsafe members[item.key]
            // Safe: a member's offsets lie within the text.
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: writer.start + key.start, count: key.keySize))
            let member = unsafe members[item.value]
            let value = member.start + member.keySize
            let end = unsafe item.value + 1 < members.count ? members[item.value + 1].start : writer.count
            let shift = start + text.count - value
            for hole in unsafe holes where hole.offset >= value && hole.offset < end {
                moved.append(Hole(offset: hole.offset + shift, child: hole.child))
            }
            // Safe: the value ends where the next member begins, or at the end of the text.
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: writer.start + value, count: end - value))
        }
        unsafe holes.removeAll { $0.offset >= start }
        unsafe holes += moved
        unsafe writer.count = start
        unsafe text.withUnsafeBufferPointer { unsafe writer.append($0) }
    }

    // MARK: The text

    /// Calls a closure with the whole text.
    package func withText<Result>(isPretty: Bool, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if unsafe holes.isEmpty, !isPretty { return try unsafe writer.withBytes(body) }
        var text: [UInt8] = []
        append(to: &text)
        if isPretty { text = unsafe text.withUnsafeBytes { unsafe TextLayout.pretty($0, .foundation) } }
        return try unsafe text.withUnsafeBytes(body)
    }

    /// Appends the text with its holes filled. A fragment without any text counts as an empty object.
    private func append(to text: inout [UInt8]) {
        if isEmpty { return text.append(contentsOf: "{}".utf8) }
        unsafe append(0..<writer.count, to: &text)
    }

    /// Fills the holes from an offset on, whose fragments are complete.
    func fillHoles(from start: Int) {
        guard unsafe holes.contains(where: { $0.offset >= start }) else { return }
        var text: [UInt8] = []
        unsafe append(start..<writer.count, to: &text)
        unsafe holes.removeAll { $0.offset >= start }
        unsafe writer.count = start
        unsafe text.withUnsafeBufferPointer { unsafe writer.append($0) }
    }

    /// Appends a part of the text with its holes filled. A hole at either end belongs to it.
    func append(_ range: Range<Int>, to text: inout [UInt8]) {
        var offset = range.lowerBound
        for hole in unsafe holes where hole.offset >= range.lowerBound && hole.offset <= range.upperBound {
            // Safe: holes are in the order of the text, and lie within it.
            unsafe text.append(contentsOf: UnsafeBufferPointer(start: writer.start + offset, count: hole.offset - offset))
            hole.child.append(to: &text)
            offset = hole.offset
        }
        unsafe text.append(contentsOf: UnsafeBufferPointer(start: writer.start + offset, count: range.upperBound - offset))
    }
}
