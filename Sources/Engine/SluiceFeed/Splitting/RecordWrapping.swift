// Records that need something from outside: their key is in the document around them, or they are values without a key.

/// How a record becomes an object that includes its key from the object around it, or its value under a name.
package struct RecordWrapping: Sendable, Hashable {
    /// The name of the member that gets the record's key; nil if it is not wanted.
    package var keyColumn: String?
    /// The name of the value of a record that is not an object.
    package var valueColumn: String

    package init(keyColumn: String? = nil, valueColumn: String = "value") {
        (self.keyColumn, self.valueColumn) = (keyColumn, valueColumn)
    }

    /// The choice as text, for the options that must stay the same when a feed is resumed.
    package var signature: String { " \(keyColumn ?? "") \(valueColumn)" }
}
