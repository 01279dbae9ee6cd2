// A feed with a header: its first record is a row of names, and each row after it becomes an object.

package import SluiceCore

extension RecordSplitter {
    /// Reads the row of names, and nothing after it. Returns its position, or nil if the feed ends before.
    ///
    /// - Throws: `JSONError` if the first record is not such a row, or cannot be read.
    mutating func readHeader() throws(JSONError) -> SourcePosition? {
        guard let header else { return nil }
        while header.names == nil {
            do throws(JSONError) {
                if let record = try advance() {
                    _ = try object(for: record, header)
                } else if needsBytes {
                    try fill()
                } else {
                    return nil
                }
            } catch {
                // A record that is too long is rejected, and the next one is the first.
                if isBroken { throw error }
            }
        }
        return recordPosition
    }

    /// The object of a row; nil for the first row, which holds the names.
    ///
    /// - Throws: `JSONError` if the first row is not an array of strings, which ends the feed; or for a record that is not a row.
    mutating func object(for record: Record, _ header: RowObjects) throws(JSONError) -> Record? {
        guard header.names != nil else {
            var reader = JSONReader()
            reader.hidesText = hidesText
            do throws(JSONError) {
                header.names = RowObjects.distinct(try unsafe reader.read([String].self, from: record.bytes))
            } catch {
                isBroken = true
                throw JSONError(
                    error.kind, position: error.shifted(by: record.position).position, expected: "a first row of names",
                    found: error.found, excerpt: unsafe hidesText ? nil : SourceExcerpt(of: record.bytes, at: error.offset),
                    hidesText: hidesText)
            }
            recordCount -= 1
            mark.recordCount = recordCount
            return nil
        }
        if header.wrapping != nil { try wrap(record, header) }
        return try unsafe Record(bytes: objectText(ofRow: record.bytes, at: record.position, header), position: record.position)
    }

    /// The text of a row's object.
    ///
    /// - Throws: `JSONError` if the record is not a row.
    mutating func objectText(
        ofRow row: UnsafeRawBufferPointer, at position: SourcePosition, _ header: RowObjects
    ) throws(JSONError) -> UnsafeRawBufferPointer {
        if let object = unsafe header.makeObject(of: row) { return unsafe object }
        unsafe rejectedBytes = unsafe row
        throw problem(ofRow: unsafe Record(bytes: row, position: position), header.names?.count ?? 0)
    }

    /// Notes the key that a record has in the object around it.
    ///
    /// - Throws: `JSONError` if the record itself has a key with the name under which its own key is added.
    private mutating func wrap(_ record: Record, _ header: RowObjects) throws(JSONError) {
        if let walk { header.key = walk.anyKey }
        guard let name = header.wrapping?.keyColumn, unsafe header.hasKeyColumn(in: record.bytes) else { return }
        unsafe rejectedBytes = unsafe record.bytes
        throw JSONError(
            .duplicateKey, position: record.position, expected: "no key '\(name)' in a record: that is where its own key goes",
            found: "one")
    }

    /// The error for a record that is not a row.
    private func problem(ofRow record: Record, _ count: Int) -> JSONError {
        var reader = JSONReader()
        reader.hidesText = hidesText
        do throws(JSONError) {
            let value = try unsafe reader.read(JSONValue.self, from: record.bytes)
            let found = value.array.map { "\($0.count)" } ?? "something else"
            return JSONError(
                .typeMismatch, position: record.position,
                expected: "an array of at most \(count) values, as many as there are names",
                found: found)
        } catch {
            return error.shifted(by: record.position)
        }
    }

    /// An error of the record returned last, with its position in the feed.
    package func located(_ error: JSONError) -> JSONError {
        header?.located(error, in: recordPosition) ?? error.shifted(by: recordPosition)
    }

    /// The bytes of the record returned last as they are in the feed: of a row, not of its object.
    ///
    /// - Parameter given: The bytes that were returned.
    package func sourceBytes(of given: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        unsafe header?.row ?? given
    }
}
