// For feeds whose first record is a row of names, and whose other records are rows of values: a row goes in, and the text of an object
// with these names comes out, for readers that bind keys.

internal import SluiceCore

/// Turns the rows under a header into objects.
@safe
final class RowObjects {
    /// The names; nil before the first row.
    var names: [String]? {
        didSet { keys = (names ?? []).map { (try? $0.jsonBytes()) ?? [] } }
    }
    /// The names as JSON strings, quoted and escaped.
    private var keys: [[UInt8]] = []
    /// The text of the current row's object, `count` bytes long.
    private var object: UnsafeMutableRawBufferPointer
    private var count = 0
    /// The byte offset of each value of the row, in the object and in the row.
    private var places: [(made: Int, source: Int)] = []
    /// The text of the current row.
    private(set) var row = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    init() { unsafe object = .allocate(byteCount: 4096, alignment: 16) }

    deinit { unsafe object.deallocate() }

    /// The names, each made unique: an object has only one value for a key. A name that has come before in the row gets a number,
    /// as in `a`, `a_2`.
    static func distinct(_ names: [String]) -> [String] {
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

    /// The text of a row's object; nil if the row is not an array, is damaged, or has more values than there are names.
    func makeObject(of row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        unsafe self.row = unsafe row
        count = 0
        places.removeAll(keepingCapacity: true)
        guard let base = row.baseAddress else { return nil }
        // Safe: the start and the end are those of the row.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        let text = unsafe TextCursor(end: start + row.count)
        guard let opening = unsafe text.skipBlanks(start), unsafe opening.pointee == UInt8(ascii: "[") else { return nil }
        append(UInt8(ascii: "{"))
        var elements = unsafe ElementCursor(text, at: opening)
        while let value = unsafe elements.next(), let address = value.baseAddress {
            guard places.count < keys.count else { return nil }
            if !places.isEmpty { append(UInt8(ascii: ",")) }
            unsafe keys[places.count].withUnsafeBytes { unsafe append($0) }
            append(UInt8(ascii: ":"))
            unsafe places.append((count, address - start))
            unsafe append(UnsafeRawBufferPointer(value))
        }
        guard let end = unsafe elements.end, unsafe text.isBlank(from: end) else { return nil }
        append(UInt8(ascii: "}"))
        return unsafe UnsafeRawBufferPointer(rebasing: object[..<count])
    }

    private func append(_ byte: UInt8) {
        unsafe withUnsafeBytes(of: byte) { unsafe append($0) }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        if unsafe object.count - count < bytes.count {
            let grown = unsafe UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(object.count * 2, count + bytes.count), alignment: 16)
            unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: object[..<count]))
            unsafe object.deallocate()
            unsafe object = unsafe grown
        }
        unsafe UnsafeMutableRawBufferPointer(rebasing: object[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// Moves an error's position from the object to the row, and so to the feed.
    func located(_ error: JSONError, in record: SourcePosition) -> JSONError {
        let place = places.last { $0.made <= error.offset }
        // An error of the whole object, such as a missing key, is placed at the row's beginning.
        let isInside = place.map { error.offset < count - 1 || $0.made == error.offset } ?? false
        let offset = isInside ? place.map { $0.source + (error.offset - $0.made) } ?? 0 : 0
        let index = unsafe min(max(offset, 0), row.count)
        let position = unsafe record.advancedByLines(over: UnsafeRawBufferPointer(rebasing: row[..<index]))
        return unsafe JSONError(
            error.kind, path: error.path, position: position, expected: error.expected, found: error.found, keys: error.keys,
            keyWords: error.keyWords, hint: error.hint, excerpt: error.hidesText ? nil : SourceExcerpt(of: row, at: index),
            hidesText: error.hidesText)
    }
}
