// The bytes of a record go in, and a tape comes out whose text is known to be JSON.

/// Makes the tapes of records, one after the other.
package struct RecordTape: ~Copyable {
    /// The tape of the last record; its text is that of the caller, without a byte order mark.
    package let tape = JSONTape()
    private var reader = JSONReader(options: JSONReader.Options(validation: .full))
    private let levels: Int

    /// - Parameter hidesText: Whether errors must not show the text of a record.
    package init(hidesText: Bool = false) {
        levels = reader.options.maximumDepth
        reader.hidesText = hidesText
        unsafe tape.holdsSensitive = hidesText
    }

    /// Makes the tape of a record.
    ///
    /// - Throws: The first error in the record.
    package mutating func scan(_ record: UnsafeRawBufferPointer) throws(JSONError) {
        if unsafe tape.scanChecked(record, levels: levels) { return }
        do throws(JSONError) {
            // Only a reader decides that a record is damaged: the checked walk gives up where it has the slightest doubt.
            _ = try unsafe reader.read(CheckedText.self, from: record)
            // A byte order mark is not on the tape, but counts in positions.
            let hasMark = unsafe record.hasByteOrderMark
            try unsafe tape.scan(
                record.withoutByteOrderMark, origin: hasMark ? SourcePosition(offset: 3, line: 1, column: 4) : .start)
        } catch {
            throw unsafe fault(in: record) ?? error
        }
    }

    /// The error in a damaged record. The record is read as a tree, because a check does not know the path of the error.
    @inline(never)
    private mutating func fault(in record: UnsafeRawBufferPointer) -> JSONError? {
        do throws(JSONError) {
            _ = try unsafe reader.read(JSONValue.self, from: record)
            return nil
        } catch {
            return error
        }
    }
}
