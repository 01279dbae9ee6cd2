// For feeds whose first record is a row of names, and whose other records are rows of values: a row goes in, and the text of an object
// with these names comes out, for readers that bind keys.

package import SluiceCore

/// Turns rows into objects.
@safe
final class HeaderRows {
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

    /// The names with a number behind each that stands in the row before, such as `a`, `a_2`: an object has one value for a key.
    static func distinct(_ names: [String]) -> [String] {
        // The plain names come first: a numbered one must not take the name of a column behind it.
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

    /// Moves an error's place from the object to the row, and so to the feed.
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

extension RecordSplitter {
    /// Reads the row of names, and nothing behind it. Returns its place, or nil if the feed ends before.
    ///
    /// - Throws: `JSONError` if the first record is not such a row, or cannot be read.
    mutating func readHeader() throws(JSONError) -> SourcePosition? {
        guard let header else { return nil }
        while header.names == nil {
            do throws(JSONError) {
                if let record = try advance() {
                    _ = try object(for: record, header)
                } else if needsBytes {
                    try fill()
                } else {
                    return nil
                }
            } catch {
                // A record that is too long is rejected, and the next one is the first.
                if isBroken { throw error }
            }
        }
        return recordPosition
    }

    /// The object of a row; nil for the first row, which holds the names.
    ///
    /// - Throws: `JSONError` if the first row is not an array of strings, which ends the feed; or for a record that is not a row.
    mutating func object(for record: Record, _ header: HeaderRows) throws(JSONError) -> Record? {
        guard header.names != nil else {
            var reader = JSONReader()
            reader.hidesText = hidesText
            do throws(JSONError) {
                header.names = HeaderRows.distinct(try unsafe reader.read([String].self, from: record.bytes))
            } catch {
                isBroken = true
                throw JSONError(
                    error.kind, position: error.shifted(by: record.position).position, expected: "a first row of names",
                    found: error.found, excerpt: unsafe hidesText ? nil : SourceExcerpt(of: record.bytes, at: error.offset),
                    hidesText: hidesText)
            }
            recordCount -= 1
            mark.recordCount = recordCount
            return nil
        }
        if let object = unsafe header.makeObject(of: record.bytes) {
            return unsafe Record(bytes: object, position: record.position)
        }
        unsafe rejectedBytes = unsafe record.bytes
        throw problem(ofRow: record, header.names?.count ?? 0)
    }

    /// The error for a record that is not a row.
    private func problem(ofRow record: Record, _ count: Int) -> JSONError {
        var reader = JSONReader()
        reader.hidesText = hidesText
        do throws(JSONError) {
            let value = try unsafe reader.read(JSONValue.self, from: record.bytes)
            let found = value.array.map { "\($0.count)" } ?? "something else"
            return JSONError(
                .typeMismatch, position: record.position,
                expected: "an array of at most \(count) values, as many as there are names",
                found: found)
        } catch {
            return error.shifted(by: record.position)
        }
    }

    /// An error of the record returned last, with its place in the feed.
    package func located(_ error: JSONError) -> JSONError {
        header?.located(error, in: recordPosition) ?? error.shifted(by: recordPosition)
    }

    /// The bytes of the record returned last as they are in the feed: of a row, not of its object.
    ///
    /// - Parameter given: The bytes that were returned.
    package func sourceBytes(of given: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe header?.row ?? given
    }
}
