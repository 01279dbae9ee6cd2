// What a walk notes of breaches. Whether one counts is known only when the values around it end, because a branch of `anyOf` may fail. So
// notes are linked: those of a subschema become one note of the subschema that has applied it.

/// The first and the last of some notes; -1 if there are none.
struct NoteList {
    var first: Int32 = -1
    var last: Int32 = -1
}

/// A keyword that has refused a value, or a subschema that has.
struct SchemaNote {
    let keyword: SchemaKeyword
    /// A number of the keyword: of the branch, the key, the member.
    let number: Int32
    /// The subschema that has the keyword.
    let node: Int32
    /// The value, by its index on the tape.
    let index: Int32
    /// The value's path.
    let path: Int32
    /// The notes of the subschema that the keyword applies; nil for a keyword that refuses a value itself.
    let inner: NoteList?
    /// The notes of branches, none of which accepts the value.
    let causes: NoteList
    /// The keys that are missing.
    let missing: [Int32]
    var next: Int32 = -1
}

/// The notes of one value.
struct SchemaNotes {
    /// A step into a container: a key by its index on the tape, or the number of an element.
    enum Step {
        case key(Int)
        case element(Int)
    }

    /// The most notes that wait.
    static let greatestCount = 100_000

    private(set) var notes: [SchemaNote] = []
    /// The steps of paths that notes have, each with the path before it.
    private(set) var paths: [(outer: Int32, step: Step)] = []
    /// The open steps, and their paths where a note has asked for them.
    private var steps: [(step: Step, path: Int32)] = []

    mutating func enter(_ step: Step) { steps.append((step, -1)) }
    mutating func leave() { steps.removeLast() }

    /// The path of the value that is open; -1 for the root.
    private mutating func currentPath() -> Int32 {
        var known = steps.count
        while known > 0, steps[known - 1].path < 0 { known -= 1 }
        var path = known > 0 ? steps[known - 1].path : -1
        for level in known..<steps.count {
            paths.append((path, steps[level].step))
            path = Int32(paths.count - 1)
            steps[level].path = path
        }
        return path
    }

    /// Notes a keyword that refuses a value.
    mutating func append(
        _ keyword: SchemaKeyword, _ number: Int32, of node: Int32, _ index: Int, missing: [Int32] = [],
        causes: NoteList = NoteList(),
        to list: inout NoteList
    ) {
        append(keyword, number, node, index, nil, causes, missing, to: &list)
    }

    /// Notes a subschema that refuses a value.
    mutating func append(
        group keyword: SchemaKeyword, _ number: Int32, of node: Int32, _ index: Int, _ inner: NoteList, to list: inout NoteList
    ) {
        append(keyword, number, node, index, inner, NoteList(), [], to: &list)
    }

    private mutating func append(
        _ keyword: SchemaKeyword, _ number: Int32, _ node: Int32, _ index: Int, _ inner: NoteList?, _ causes: NoteList,
        _ missing: [Int32], to list: inout NoteList
    ) {
        // What refuses the whole value is noted even if the branches in it have filled the notes.
        guard notes.count < SchemaNotes.greatestCount || steps.isEmpty && notes.count < 2 * SchemaNotes.greatestCount else {
            return
        }
        notes.append(
            SchemaNote(
                keyword: keyword, number: number, node: node, index: Int32(truncatingIfNeeded: index), path: currentPath(),
                inner: inner,
                causes: causes, missing: missing))
        link(Int32(notes.count - 1), to: &list)
    }

    private mutating func link(_ note: Int32, to list: inout NoteList) {
        if list.last >= 0 { notes[Int(list.last)].next = note } else { list.first = note }
        list.last = note
    }

    /// Moves the notes whose number has no bit in a row to the end of another list.
    mutating func move(_ waiting: NoteList, without row: ArraySlice<UInt64>, to list: inout NoteList) {
        var note = waiting.first
        while note >= 0 {
            let number = Int(notes[Int(note)].number)
            let next = notes[Int(note)].next
            notes[Int(note)].next = -1
            if row[row.startIndex + number >> 6] & 1 << UInt64(number & 63) == 0 { link(note, to: &list) }
            note = next
        }
    }
}
