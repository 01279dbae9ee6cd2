// Rows that are text from the start: a file of lines needs no cells, and a worker writes what is stored.

package import SluiceCore

/// Turns records into the text that a sink stores. One thread uses it.
package protocol RecordText: AnyObject {
    /// Appends the text of a record, which is at a position in the input, or returns the error of a record that cannot be read.
    func append(_ record: UnsafeRawBufferPointer, at position: SourcePosition) -> JSONError?
    /// How many bytes of text there are.
    var count: Int { get }
    /// Returns the text, and forgets it.
    func take() -> [UInt8]

    /// The keys that no column reads, counted since the last call.
    func takeUnknownKeys() -> CountedKeys
    /// The columns that no record has had a key for.
    var unseenColumns: Set<Int> { get }
}

/// How a sink wants its rows as text.
package struct RecordTextForm: Sendable {
    /// Makes the writer of one thread, for these columns.
    package let make: @Sendable ([JSONColumn], _ hidesText: Bool) -> any RecordText
    /// Whether the text has columns; otherwise records are copied, and no columns are looked for.
    package let hasColumns: Bool

    package init(hasColumns: Bool, _ make: @escaping @Sendable ([JSONColumn], _ hidesText: Bool) -> any RecordText) {
        self.hasColumns = hasColumns
        self.make = make
    }
}

/// What workers need to write text.
package struct TextWork: Sendable {
    package let make: @Sendable () -> any RecordText
    /// The paths that are looked for in the records; nil if there are none.
    package let sightings: PathSightings?
}
