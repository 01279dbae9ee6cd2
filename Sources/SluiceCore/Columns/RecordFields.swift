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
    /// The keys of the columns, and behind them the unknown ones: those that no column reads.
    private let keys = RecordShapes(looksIntoArrays: false)
    /// How many places the columns' keys have, that of the record included.
    private let knownCount: Int
    /// For each of these places, the first column that reads it; for each column, the next one that reads the same place; -1 for no column.
    private var firstColumn: [Int]
    private var nextColumn: [Int]
    /// For each column, its value's entry in ``tape``; 0 if the record read last has no value for the column.
    package private(set) var entries: [Int]
    /// The columns that no record has had a key for.
    package private(set) var unseen: Set<Int>
    /// How many values of unknown keys each place had, and those places in the order in which they were found.
    private var unknownCounts: [Int]
    private var unknown: [Int] = []

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
            var place = RecordShapes.root
            for key in path { place = keys.child(of: place, key) }
            while firstColumn.count < keys.count { firstColumn.append(-1) }
            nextColumn[column] = firstColumn[place]
            firstColumn[place] = column
        }
        while firstColumn.count < keys.count { firstColumn.append(-1) }
        self.firstColumn = firstColumn
        knownCount = keys.count
        entries = Array(repeating: 0, count: paths.count)
        unseen = Set(paths.indices)
        unknownCounts = Array(repeating: 0, count: knownCount)
    }

    /// Finds the fields of a record.
    ///
    /// - Throws: ``JSONError`` if the record is damaged.
    package mutating func read(_ record: UnsafeRawBufferPointer) throws(JSONError) {
        try unsafe records.scan(record)
        for column in entries.indices { entries[column] = 0 }
        if tape[1].kind == .object {
            readMembers(of: 1, RecordShapes.root)
        } else {
            noteUnknown(RecordShapes.root)
        }
    }

    /// Returns the unknown keys so far, in the order in which they were found, with the numbers of their values, and forgets them.
    package mutating func takeUnknownKeys() -> [(path: String, count: Int)] {
        defer {
            for place in unknown { unknownCounts[place] = 0 }
            unknown = []
        }
        return unknown.map { place in
            let path = place == RecordShapes.root ? "a value that is no object" : PathSyntax.text(ofKeys: keys.path(of: place))
            return (path, unknownCounts[place])
        }
    }

    // MARK: Walking

    private mutating func readMembers(of object: Int, _ place: Int) {
        let tape = tape
        var expected = keys.firstMember(of: place)
        var index = object &+ 2
        let end = tape[object].next
        while index < end {
            let member = keys.child(of: place, tape, index, expected)
            expected = keys.nextMember(behind: member)
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
    private mutating func readValue(at index: Int, _ place: Int) {
        let kind = tape[index].kind
        var column = firstColumn[place]
        let isRead = column >= 0
        while column >= 0 {
            if !unseen.isEmpty { unseen.remove(column) }
            // Of a key that is repeated, the last value counts, null included.
            entries[column] = kind == .null ? 0 : index
            column = nextColumn[column]
        }
        guard kind != .null else { return }
        let firstKey = keys.firstMember(of: place)
        guard firstKey >= 0, firstKey < knownCount else {
            if !isRead { noteUnknown(place) }
            return
        }
        switch kind {
        case .object: readMembers(of: index, place)
        case .array: readElements(of: index, place, isRead: isRead)
        default: if !isRead { noteUnknown(place) }
        }
    }

    private mutating func readElements(of array: Int, _ place: Int, isRead: Bool) {
        var isRead = isRead
        var index = array &+ 2
        var number = 0
        let end = tape[array].next
        while index < end {
            if let element = keys.member(of: place, String(number)), element < knownCount {
                isRead = true
                readValue(at: index, element)
            }
            index = tape.index(after: index)
            number &+= 1
        }
        if !isRead { noteUnknown(place) }
    }

    @inline(never)
    private mutating func noteUnknown(_ place: Int) {
        while unknownCounts.count <= place { unknownCounts.append(0) }
        if unknownCounts[place] == 0 { unknown.append(place) }
        unknownCounts[place] += 1
    }
}
