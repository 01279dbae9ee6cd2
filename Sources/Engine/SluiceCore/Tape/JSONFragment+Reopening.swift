// Containers that were complete, and to which more is written: a type asks for the nested container of a key that has a value already, or
// encodes a whole value and then asks for the container again. This is rare, so the text is scanned once more to find its members.

extension JSONFragment {
    /// A complete container that has been opened again.
    package struct Reopened {
        package let isObject: Bool
        /// For an object, the number that ``endObject(_:isUnique:)`` needs.
        package let first: Int
        /// The number of members or elements.
        package let count: Int
    }

    /// Removes the closing bracket of the container that begins at an offset and ends the text. Returns nil for a text that is not
    /// a container.
    package func reopen(at start: Int) -> Reopened? {
        fillHoles(from: start)
        let text = unsafe UnsafeRawBufferPointer(start: writer.start + start, count: writer.count - start)
        guard let tape = unsafe JSONFragment.tape(of: text) else { return nil }
        let first = unsafe members.count
        let count = tape[1].count
        if tape[1].kind == .object {
            var entry = 3
            for _ in 0..<count {
                let key = tape.offset(of: entry)
                // The text is compact, so the value follows the colon.
                unsafe members.append(Member(start: start + key, keySize: tape.offset(of: entry + 1) - key))
                entry = tape.index(after: entry + 1)
            }
        }
        unsafe writer.nesting += 1
        unsafe writer.count -= 1
        if count > 0 { endElement() }
        return Reopened(isObject: tape[1].kind == .object, first: first, count: count)
    }

    private static func tape(of text: UnsafeRawBufferPointer) -> JSONTape? {
        guard unsafe text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else { return nil }
        let tape = JSONTape()
        do throws(JSONError) {
            try unsafe tape.scan(text)
            return tape
        } catch {
            return nil
        }
    }

    // MARK: Keys that are written again

    /// Where the keys of an object with many members are, by their written form.
    package struct KeyIndices {
        fileprivate var indices: [String: Int] = [:]
        /// The index of the first member that has not been entered.
        fileprivate var next: Int
    }

    /// The value that an object has for a key.
    package struct EarlierValue {
        fileprivate let range: Range<Int>
        /// The fragment whose whole text is the value; nil if the value is in the text itself.
        package let hole: JSONFragment?
    }

    /// The value that the innermost object has for the key that has just been written; of several, the last one. Returns nil if it has none.
    ///
    /// - Parameters:
    ///   - first: The number that ``beginObject()`` returned for the object.
    ///   - indices: The object's keys; made and kept up to date here if it has many.
    package func earlierValue(of first: Int, _ indices: inout KeyIndices?) -> EarlierValue? {
        guard let index = earlierMember(first, &indices) else { return nil }
        let member = unsafe members[index]
        let start = member.start + member.keySize
        // A comma follows the value. The next member begins after it: there is one, the key that has just been written.
        let end = unsafe members[index + 1].start - 1
        return unsafe EarlierValue(range: start..<end, hole: start == end ? holes.first { $0.offset == start }?.child : nil)
    }

    /// A fragment with a copy of a complete value.
    package func copy(of value: EarlierValue) -> JSONFragment {
        var text: [UInt8] = []
        append(value.range, to: &text)
        let copy = unsafe JSONFragment(options: writer.options, within: self)
        unsafe text.withUnsafeBufferPointer { unsafe copy.writer.append($0) }
        return copy
    }

    private func earlierMember(_ first: Int, _ indices: inout KeyIndices?) -> Int? {
        let last = unsafe members.count - 1
        let key = unsafe key(of: members[last])
        // Keys outside ASCII may be equal although their bytes differ.
        let isASCII = unsafe key.allSatisfy { $0 < 0x80 }
        if last - first > 16 || !isASCII { return earlierMember(among: first..<last, &indices) }
        return (first..<last).last { index in
            let other = unsafe self.key(of: members[index])
            return unsafe other.count == key.count && other.elementsEqual(key)
        }
    }

    private func earlierMember(among range: Range<Int>, _ kept: inout KeyIndices?) -> Int? {
        var known = kept ?? KeyIndices(next: range.lowerBound)
        kept = nil
        for index in min(known.next, range.upperBound)..<range.upperBound {
            known.indices[unsafe String(decoding: key(of: members[index]), as: UTF8.self)] = index
        }
        known.next = range.upperBound
        let index = known.indices[unsafe String(decoding: key(of: members[range.upperBound]), as: UTF8.self)]
        kept = known
        return index
    }
}
