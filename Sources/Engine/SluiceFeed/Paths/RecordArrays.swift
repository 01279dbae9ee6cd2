// The first bytes of one object go in, and the members that look like arrays of records come out: for the error that suggests a path.

internal import SluiceCore

/// A member of an object that is an array of objects.
package struct RecordArray: Equatable {
    /// The path that leads to it, as ``JSONRecordPath`` reads it.
    package let path: String
    /// The number of elements that were seen in it; there may be more if the text was cut.
    package let count: Int
}

extension RecordArray {
    /// The arrays of objects among an object's members and their members; empty if the text does not begin with an object.
    ///
    /// - Parameter bytes: The beginning of the text. It may be cut off anywhere, and its syntax is not checked.
    package static func all(in bytes: UnsafeRawBufferPointer) -> [RecordArray] {
        guard let base = bytes.baseAddress else { return [] }
        // Safe: the address is that of the first byte, or of the byte after the mark, and the end is that of the text.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        let text = unsafe TextCursor(end: start + bytes.count)
        let hasMark = unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let first = unsafe text.skipBlanks(hasMark ? start + 3 : start), unsafe first.pointee == UInt8(ascii: "{") else {
            return []
        }
        var search = RecordArraySearch(text: text)
        _ = unsafe search.readObject(first, [])
        return search.found
    }
}

/// Searches the beginning of an object for arrays of objects.
private struct RecordArraySearch {
    let text: TextCursor
    var found: [RecordArray] = []

    /// Reads the object that opens at an address, or as much of it as is there; returns the address after it, or nil if it does not end in the
    /// text.
    mutating func readObject(_ opening: TextCursor.Address, _ path: [String]) -> TextCursor.Address? {
        var members = unsafe MemberCursor(text, at: opening)
        while let (key, value) = unsafe members.nextKey() {
            let name = unsafe key.decoded ?? String(decoding: key.bytes, as: UTF8.self)
            guard let end = unsafe readValue(value, path + [name]) else { return nil }
            unsafe members.pass(end)
        }
        return unsafe members.end
    }

    private mutating func readValue(_ address: TextCursor.Address, _ path: [String]) -> TextCursor.Address? {
        switch unsafe address.pointee {
        case UInt8(ascii: "["): unsafe readArray(address, path)
        case UInt8(ascii: "{") where path.count < 2: unsafe readObject(address, path)
        default: unsafe text.valueEnd(address)
        }
    }

    private mutating func readArray(_ opening: TextCursor.Address, _ path: [String]) -> TextCursor.Address? {
        var elements = unsafe ElementCursor(text, at: opening)
        guard elements.nextByte == UInt8(ascii: "{") else { return unsafe text.valueEnd(opening) }
        var count = 0
        while elements.nextByte != nil {
            count += 1
            _ = unsafe elements.next()
        }
        found.append(RecordArray(path: JSONRecordPath.joined(path), count: count))
        return unsafe elements.end
    }
}
