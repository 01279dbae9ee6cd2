// The bytes of a record go in, and a tape comes out whose text is known to be JSON.

/// Makes the tapes of records, one after the other.
package struct RecordTape: ~Copyable {
    /// The tape of the last record; its text is that of the caller.
    package let tape = JSONTape()
    private var reader = JSONReader(options: JSONReader.Options(validation: .full))

    /// - Parameter hidesText: Whether errors must not show the text of a record.
    package init(hidesText: Bool = false) {
        reader.hidesText = hidesText
        tape.holdsSensitive = hidesText
    }

    /// Makes the tape of a record.
    ///
    /// - Throws: The first error in the record.
    package mutating func scan(_ record: UnsafeRawBufferPointer) throws(JSONError) {
        do throws(JSONError) {
            // The tape leaves the inside of strings and numbers to be checked later, and allows a comma behind the last element.
            _ = try unsafe reader.read(CheckedText.self, from: record)
            try unsafe tape.scan(record)
        } catch {
            throw unsafe fault(in: record) ?? error
        }
    }

    /// The error in a damaged record. A tree knows its path, a check does not.
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
