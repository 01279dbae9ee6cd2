// Numbers that identify the records of a table without a key. Child rows need such a key, because they refer to it.
//
// A number depends on nothing but the input and the record's position in it, so a run that was killed and taken up again gives the same
// numbers as an undisturbed one:
//
//     bits 36 to 62   the input: a hash of what its checkpoint is stored under; the next free number, if another input has that one
//     bits 0 to 35    the index of the record in the input

package enum RecordNumbers {
    /// The name of the column.
    package static let column = "record_id"

    private static let indexBits = 36
    private static let inputs = 1 << 27

    /// The numbers of an input, if those are free.
    ///
    /// - Parameters:
    ///   - identity: The name under which the checkpoint of the input is stored. An input without a checkpoint has another name
    ///     that no other run and no other input has.
    ///   - taken: The numbers of other inputs.
    package static func input(_ identity: String, taken: Set<Int>) -> Int {
        let hash = NameHash.value(of: identity)
        var input = Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(inputs - 1))
        while taken.contains(input) { input = (input + 1) % inputs }
        return input
    }

    /// The number of a record; nil if the input has more records than there are numbers.
    package static func number(_ index: Int, of input: Int) -> Int64? {
        guard index < 1 << indexBits else { return nil }
        return Int64(input) << Int64(indexBits) | Int64(index)
    }
}
