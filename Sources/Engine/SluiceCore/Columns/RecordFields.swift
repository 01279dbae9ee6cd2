// Finds the values of columns in a record's tape, and counts the values that no column reads.

/// The fields of records: each column reads the value at one path of keys.
///
/// ```swift
/// var fields = RecordFields(paths: [["id"], ["actor", "login"]])
/// try fields.read(record)
/// fields.entries[1]                         // the index of the login in `fields.tape`; 0 if the record has none
/// ```
package struct RecordFields: ~Copyable {
    private var records: RecordTape
    /// The keys of the columns, and after them the unknown ones: those that no column reads.
    private let keys = RecordShapes(looksIntoArrays: false)
    /// How many shapes the columns' keys have, that of the record included.
    private let knownCount: Int
    /// For each of these shapes, the first column that reads it; for each column, the next one that reads the same shape; -1 for no column.
    private var firstColumn: [Int]
    private var nextColumn: [Int]
    /// For each column, its value's entry in ``tape``; 0 if the record read last has no value for the column.
    package private(set) var entries: [Int]
    /// The columns that no record has had a key for.
    package private(set) var unseen: Set<Int>
    /// The unknown keys so far, and for each shape the index of its key among them; -1 for none.
    private var unknown: CountedKeys = ([], 0)
    private var unknownIndices: [Int] = []
    /// The position of the record read last.
    private var position = SourcePosition.start

    /// The tape of the record read last.
    package var tape: JSONTape { records.tape }

    /// - Parameters:
    ///   - paths: For each column, the keys on the way to its value; digits also stand for elements of an array.
    ///   - hidesText: Whether errors must not show the text of a record.
    package init(paths: [[String]], hidesText: Bool = false) {
        records = RecordTape(hidesText: hidesText)
        var firstColumn: [Int] = []
        nextColumn = Array(repeating: -1, count: paths.count)
        for (column, path) in paths.enumerated() {
            var shape = RecordShapes.root
            for key in path { shape = keys.child(of: shape, key) }
            while firstColumn.count < keys.count { firstColumn.append(-1) }
            nextColumn[column] = firstColumn[shape]
            firstColumn[shape] = column
        }
        while firstColumn.count < keys.count { firstColumn.append(-1) }
        self.firstColumn = firstColumn
        knownCount = keys.count
        entries = Array(repeating: 0, count: paths.count)
        unseen = Set(paths.indices)
    }

    /// Finds the fields of a record, which is at a position in the input.
    ///
    /// - Throws: ``JSONError`` if the record is damaged.
    package mutating func read(_ record: UnsafeRawBufferPointer, at position: SourcePosition = .start) throws(JSONError) {
        try unsafe records.scan(record)
        self.position = position
        for column in entries.indices { entries[column] = 0 }
        if tape[1].kind == .object {
            readMembers(of: 1, RecordShapes.root)
        } else {
            noteUnknown(RecordShapes.root)
        }
    }

    /// Returns the unknown keys so far, in the order in which they were found, with the positions of their first records, and forgets them.
    package mutating func takeUnknownKeys() -> CountedKeys {
        defer {
            unknown = ([], 0)
            unknownIndices = []
        }
        return unknown
    }

    // MARK: Walking

    private mutating func readMembers(of object: Int, _ shape: Int) {
        let tape = tape
        var expected = keys.firstMember(of: shape)
        var index = object &+ 2
        let end = tape[object].next
        while index < end {
            let member = keys.child(of: shape, tape, index, expected)
            expected = keys.nextMember(after: member)
            index &+= 1
            if member < knownCount {
                readValue(at: index, member)
            } else if tape[index].kind != .null {
                noteUnknown(member)
            }
            index = tape.index(after: index)
        }
    }

    /// Reads a value that columns read, or values inside of it.
    private mutating func readValue(at index: Int, _ shape: Int) {
        let kind = tape[index].kind
        var column = firstColumn[shape]
        let isRead = column >= 0
        while column >= 0 {
            if !unseen.isEmpty { unseen.remove(column) }
            // Of a key that is repeated, the last value counts, null included.
            entries[column] = kind == .null ? 0 : index
            column = nextColumn[column]
        }
        guard kind != .null else { return }
        let firstKey = keys.firstMember(of: shape)
        guard firstKey >= 0, firstKey < knownCount else {
            if !isRead { noteUnknown(shape) }
            return
        }
        switch kind {
        case .object: readMembers(of: index, shape)
        case .array: readElements(of: index, shape, isRead: isRead)
        default: if !isRead { noteUnknown(shape) }
        }
    }

    private mutating func readElements(of array: Int, _ shape: Int, isRead: Bool) {
        var isRead = isRead
        var index = array &+ 2
        var number = 0
        let end = tape[array].next
        while index < end {
            if let element = keys.member(of: shape, String(number)), element < knownCount {
                isRead = true
                readValue(at: index, element)
            }
            index = tape.index(after: index)
            number &+= 1
        }
        if !isRead { noteUnknown(shape) }
    }

    @inline(never)
    private mutating func noteUnknown(_ shape: Int) {
        while unknownIndices.count <= shape { unknownIndices.append(-1) }
        if unknownIndices[shape] < 0 {
            unknownIndices[shape] = unknown.named.count
            let path = shape == RecordShapes.root ? "a value that is no object" : PathSyntax.text(ofKeys: keys.path(of: shape))
            unknown.named.append(JSONUnknownKey(path: path, count: 0, position: position, level: 0, key: []))
        }
        unknown.named[unknownIndices[shape]].count += 1
        unknown.count += 1
    }
}
