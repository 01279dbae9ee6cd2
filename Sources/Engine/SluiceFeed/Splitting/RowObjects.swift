// For feeds whose first record is a row of names, and whose other records are rows of values: a row goes in, and the text of an object
// with these names comes out, for readers that bind keys.

internal import SluiceCore

/// Turns the rows under a header into objects, or the members of an object into objects with their key.
@safe
package final class RowObjects {
    /// The names; nil before the first row.
    var names: [String]? {
        didSet { layOut(names ?? []) }
    }
    /// How records become objects that are not rows; nil for rows.
    let wrapping: RecordWrapping?
    /// The key of the current record in the document around it, as it is written.
    var key: [UInt8] = []
    /// Whether records are rows, and their names are known.
    var hasNames: Bool { wrapping == nil && names != nil }
    /// The text in front of each value: a bracket or a comma, the name as a JSON string, and a colon. And where each of them ends.
    private var heads: [UInt8] = []
    private var headEnds: [Int] = []
    /// The text of the current row's object, `count` bytes long.
    private var object: UnsafeMutableRawBufferPointer
    private var count = 0
    /// The byte offset of each value of the row, in the object and in the row. There is room for one for each name.
    private var marks: UnsafeMutableBufferPointer<(made: Int, source: Int)>
    private var markCount = 0
    /// The text of the current row.
    var row = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    init(_ wrapping: RecordWrapping? = nil) {
        self.wrapping = wrapping
        names = wrapping.map { _ in [] }
        if let wrapping {
            keyHead = Array("{".utf8) + RowObjects.json(wrapping.keyColumn ?? "") + Array(":\"".utf8)
            valueHead = RowObjects.json(wrapping.valueColumn) + [UInt8(ascii: ":")]
        }
        unsafe object = .allocate(byteCount: 4096, alignment: 16)
        unsafe marks = .allocate(capacity: 0)
    }

    deinit {
        unsafe object.deallocate()
        unsafe marks.deallocate()
    }

    /// The text in front of the key, and in front of a value that is not an object.
    private var keyHead: [UInt8] = []
    private var valueHead: [UInt8] = []

    private static func json(_ text: String) -> [UInt8] { (try? text.jsonBytes()) ?? [] }

    private func layOut(_ names: [String]) {
        heads = []
        headEnds = names.map { name in
            heads.append(heads.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            heads += (try? name.jsonBytes()) ?? []
            heads.append(UInt8(ascii: ":"))
            return heads.count
        }
        unsafe marks.deallocate()
        unsafe marks = .allocate(capacity: names.count)
    }

    /// The names, each made unique: an object has only one value for a key. A name that has come before in the row gets a number,
    /// as in `a`, `a_2`.
    package static func distinct(_ names: [String]) -> [String] {
        // All plain names are taken from the start, so that a numbered one does not take the name of a later column.
        var taken = Set(names.map { Array($0.utf8) })
        var seen: Set<[UInt8]> = []
        return names.map { name in
            if seen.insert(Array(name.utf8)).inserted { return name }
            var number = 2
            while !taken.insert(Array("\(name)_\(number)".utf8)).inserted { number += 1 }
            return "\(name)_\(number)"
        }
    }

    /// Whether a record is an object that already has a key of this name.
    func hasKeyColumn(in record: UnsafeRawBufferPointer) -> Bool {
        guard let name = wrapping?.keyColumn, let base = record.baseAddress else { return false }
        // Safe: the start and the end are those of the record.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        let text = unsafe TextCursor(end: start + record.count)
        guard let opening = unsafe text.skipBlanks(start), unsafe opening.pointee == UInt8(ascii: "{") else { return false }
        var members = unsafe MemberCursor(text, at: opening)
        while let member = members.next() {
            if member.key.isEqual(to: name) { return true }
        }
        return false
    }

    /// The text of a record with its key. The members of an object, or another value under a name, follow the key.
    private func wrap(_ record: UnsafeRawBufferPointer, _ wrapping: RecordWrapping) -> UnsafeRawBufferPointer {
        unsafe row = unsafe record
        let blanks = unsafe record.prefix { JSONWhiteSpace.contains($0) }.count
        let inside = unsafe record.dropFirst(blanks)
        let isObject = unsafe inside.first == UInt8(ascii: "{")
        var head = wrapping.keyColumn == nil ? [UInt8(ascii: "{")] : keyHead + key + [.quote]
        let isAlone = head.count == 1
        if isObject {
            // After a key comes a comma, unless the object is empty.
            let next = unsafe inside.dropFirst().first { !JSONWhiteSpace.contains($0) }
            if !isAlone, next != UInt8(ascii: "}") { head.append(UInt8(ascii: ",")) }
        } else {
            if !isAlone { head.append(UInt8(ascii: ",")) }
            head += valueHead
        }
        let source = isObject ? blanks + 1 : blanks
        let size = record.count - source
        let room = unsafe makeRoom(for: head.count + size + 1)
        // Safe: there is room for the head, the rest of the record, and a bracket.
        unsafe head.withUnsafeBytes { head in
            if let start = head.baseAddress { unsafe room.copyMemory(from: start, byteCount: head.count) }
        }
        if let start = record.baseAddress { unsafe (room + head.count).copyMemory(from: start + source, byteCount: size) }
        count = head.count + size
        if !isObject {
            unsafe (room + count).storeBytes(of: UInt8(ascii: "}"), as: UInt8.self)
            count += 1
        }
        if unsafe marks.isEmpty {
            unsafe marks.deallocate()
            unsafe marks = .allocate(capacity: 1)
        }
        unsafe marks.initializeElement(at: 0, to: (head.count, source))
        markCount = 1
        return unsafe UnsafeRawBufferPointer(start: room, count: count)
    }

    /// The text of a row's object; nil if the row is not an array, is damaged, or has more values than there are names.
    func makeObject(of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        if let wrapping { return unsafe wrap(row, wrapping) }
        unsafe self.row = unsafe row
        guard let base = row.baseAddress else { return nil }
        // Safe: the start and the end are those of the row.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        let text = unsafe TextCursor(end: start + row.count)
        guard let opening = unsafe text.skipBlanks(start), unsafe opening.pointee == UInt8(ascii: "[") else { return nil }
        let room = unsafe makeRoom(for: heads.count + row.count + 2)
        var elements = unsafe ElementCursor(text, at: opening)
        let (count, markCount) = unsafe fill(room, from: &elements, of: start)
        (self.count, self.markCount) = (count, markCount)
        guard count > 0, let end = unsafe elements.end, unsafe text.isBlank(from: end) else { return nil }
        return unsafe UnsafeRawBufferPointer(start: room, count: count)
    }

    /// Writes the object of a row. Returns its size, or 0 if there are more values than names, and the number of values.
    private func fill(
        _ room: UnsafeMutableRawPointer, from elements: inout ElementCursor, of row: UnsafePointer<UInt8>
    ) -> (Int, Int) {
        let marks = unsafe marks
        return unsafe heads.withUnsafeBytes { heads in
            unsafe headEnds.withUnsafeBufferPointer { ends in
                var (size, index, head) = (0, 0, 0)
                while let value = unsafe elements.next(), let address = value.baseAddress {
                    guard index < ends.count, let texts = heads.baseAddress else { return (0, index) }
                    // Safe: a value is part of the row and comes once, and so does what is in front of it. There is room for all of them,
                    // and for two brackets; and for a mark for each name.
                    let (headSize, valueSize) = unsafe (ends[index] - head, value.count)
                    unsafe (room + size).copyMemory(from: texts + head, byteCount: headSize)
                    size += headSize
                    unsafe marks[index] = unsafe (size, address - row)
                    unsafe (room + size).copyMemory(from: address, byteCount: valueSize)
                    size += valueSize
                    head += headSize
                    index += 1
                }
                if index == 0 {
                    unsafe room.storeBytes(of: UInt8(ascii: "{"), as: UInt8.self)
                    size = 1
                }
                unsafe (room + size).storeBytes(of: UInt8(ascii: "}"), as: UInt8.self)
                return (size + 1, index)
            }
        }
    }

    /// The memory of the object, of at least this size.
    private func makeRoom(for size: Int) -> UnsafeMutableRawPointer {
        if let room = unsafe object.baseAddress, unsafe object.count >= size { return unsafe room }
        let count = unsafe max(object.count * 2, size)
        let room = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
        unsafe object.deallocate()
        unsafe object = UnsafeMutableRawBufferPointer(start: room, count: count)
        return unsafe room
    }

    /// Moves an error's position from the object to the row, and so to the feed.
    func located(_ error: JSONError, in record: SourcePosition) -> JSONError {
        let mark = unsafe marks[..<markCount].last { $0.made <= error.offset }
        // An error of the whole object, such as a missing key, is placed at the row's beginning.
        let isInside = mark.map { error.offset < count - 1 || $0.made == error.offset } ?? false
        let offset = isInside ? mark.map { $0.source + (error.offset - $0.made) } ?? 0 : 0
        let index = unsafe min(max(offset, 0), row.count)
        let position = unsafe record.advancedByLines(over: UnsafeRawBufferPointer(rebasing: row[..<index]))
        return unsafe JSONError(
            error.kind, path: error.path, position: position, expected: error.expected, found: error.found, keys: error.keys,
            keyWords: error.keyWords, hint: error.hint, excerpt: error.hidesText ? nil : SourceExcerpt(of: row, at: index),
            hidesText: error.hidesText)
    }
}
