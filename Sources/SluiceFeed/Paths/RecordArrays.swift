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
        var search = unsafe RecordArraySearch(text: bytes)
        _ = search.readObject([])
        return search.found
    }
}

/// Searches the beginning of an object for arrays of objects.
@safe
private struct RecordArraySearch {
    let text: UnsafeRawBufferPointer
    var index = 0
    var found: [RecordArray] = []

    init(text: UnsafeRawBufferPointer) {
        unsafe self.text = unsafe text
        if unsafe text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next byte that is not white space; nil at the end of the text.
    private mutating func next() -> UInt8? {
        while unsafe index < text.count, unsafe JSONWhiteSpace.contains(text[index]) { index += 1 }
        return unsafe index < text.count ? unsafe text[index] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        index += 1
        return true
    }

    /// Skips the value at the next byte; false if it does not end in the text.
    private mutating func skip() -> Bool {
        var scanner = ContainerScanner()
        guard let length = unsafe scanner.end(in: UnsafeRawBufferPointer(rebasing: text[index...])) else {
            index = unsafe text.count
            return false
        }
        index += length
        return true
    }

    /// Reads the object at the next byte, or as much of it as is there; false if it does not end in the text.
    mutating func readObject(_ path: [String]) -> Bool {
        guard take(UInt8(ascii: "{")) else { return false }
        if take(UInt8(ascii: "}")) { return true }
        while next() == UInt8(ascii: "\"") {
            let start = index
            guard skip() else { return false }
            let key = unsafe RecordWalk.text(of: UnsafeRawBufferPointer(rebasing: text[(start + 1)..<(index - 1)]))
            guard take(UInt8(ascii: ":")), let byte = next(), readValue(byte, path + [key]) else { return false }
            if take(UInt8(ascii: "}")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
            _ = next()
        }
        return false
    }

    private mutating func readValue(_ byte: UInt8, _ path: [String]) -> Bool {
        switch byte {
        case UInt8(ascii: "["): readArray(path)
        case UInt8(ascii: "{") where path.count < 2: readObject(path)
        default: skip()
        }
    }

    private mutating func readArray(_ path: [String]) -> Bool {
        let start = index
        index += 1
        guard next() == UInt8(ascii: "{") else {
            index = start
            return skip()
        }
        var count = 0
        defer { found.append(RecordArray(path: JSONRecordPath.joined(path), count: count)) }
        while next() != nil {
            if take(UInt8(ascii: "]")) { return true }
            count += 1
            guard skip() else { return false }
            _ = take(UInt8(ascii: ","))
        }
        return false
    }
}
