// An array of values becomes a model by the names that a feed's header gives them:
//
//     names     title      author        pages
//     row       ["The Sea","Banville",264]        as {"title":"The Sea","author":"Banville","pages":264}
//
// Only a row without any fault is read here. For any other row, the feed writes the object, and the reader reports the error.

/// The rows of a model's property table that the names of a header bind.
package struct NamedColumns {
    fileprivate let rows: [RowHandle]
}

extension JSONReader {
    /// The columns for these names. Nil if rows cannot be read as a model of this type, or if a name means more than a key.
    package mutating func columns<Value: JSONReadable>(_ names: [String], of type: Value.Type) -> NamedColumns? {
        let row = row(for: type)
        guard options.parser == .automatic, !hasBudget, !hasContract, options.unknownKeys == .ignore, !options.countsProperties,
            !binder.state.policy.countsUnknownKeys, row.kind == .model, let layout = row.binding.model,
            !layout.isUncommon, !layout.isPositional, layout.level.unknownKeys == .asReader
        else { return nil }
        let ignored = binder.state.policy.ignoredRow
        return NamedColumns(
            rows: names.map { name in
                unsafe Array(name.utf8).withUnsafeBufferPointer { name in
                    // Safe: the address has `name.count` bytes.
                    unsafe layout.level.row(forKey: name.baseAddress ?? NoBytes.address, name.count) ?? ignored
                }
            })
    }

    /// Reads a row as a model into memory that holds a nil `Value?`. Returns false, and the memory holds nil, if the row is to be read as an
    /// object instead.
    package mutating func run<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, row bytes: UnsafeRawBufferPointer, _ columns: borrowing NamedColumns
    ) -> Bool {
        let row = row(for: type)
        guard let start = bytes.baseAddress else { return false }
        // A reader that is kept must not keep the document's text.
        defer { binder.state.shared.endDocument() }
        let short = unsafe shortText.copy(bytes)
        let text = unsafe short ?? bytes
        let chunk = unsafe firstChunk(text)
        let isOpen = unsafe binder.state.beginModel(row, at: root, chunk)
        if !isOpen { unsafe binder.state.begin(row, at: root, chunk, isEmpty: true) }
        binder.state.document.textShift = UInt(bitPattern: start) &- UInt(bitPattern: text.baseAddress)
        let size = unsafe text.count &+ (short == nil ? 0 : PaddedText.padding)
        let padded = unsafe UnsafeRawBufferPointer(start: text.baseAddress, count: size)
        let scanner = unsafe DocumentScanner(binder, padded)
        let isRead = unsafe columns.rows.withUnsafeBufferPointer { unsafe scanner.readRow($0, isOpen: isOpen) }
        // A report would have positions in the row instead of the object.
        if isRead, !hasReport { return true }
        if !isRead { binder.state.unwind() }
        unsafe JSONReader.forget(type, at: root)
        return false
    }
}

extension DocumentScanner {
    /// Reads an array whose elements are the values of the rows, as the object of a model at the root; false if it must be read as an
    /// object.
    ///
    /// - Parameter isOpen: Whether the object is open already.
    fileprivate func readRow(_ rows: UnsafeBufferPointer<RowHandle>, isOpen: Bool) -> Bool {
        guard let opening = unsafe text.skipBlanks(start), unsafe opening.pointee == UInt8(ascii: "[") else { return false }
        binder.state.document.token = unsafe TokenRange(opening, opening + 1)
        guard isOpen || binder.state.openObject(), var address = unsafe text.skipBlanks(opening + 1) else { return false }
        let level = binder.state.document.stackCount
        var index = 0
        while unsafe address.pointee != UInt8(ascii: "]") || index != 0 {
            // Safe: the index is below the count.
            guard index < rows.count, let first = rows.baseAddress, let next = unsafe readValue(address, of: first[index]),
                binder.state.document.stackCount == level, binder.state.document.skipDepth == 0,
                let separator = unsafe text.skipBlanks(next)
            else { return false }
            index &+= 1
            unsafe address = unsafe separator
            if unsafe separator.pointee == UInt8(ascii: "]") { break }
            guard unsafe separator.pointee == UInt8(ascii: ","), let value = unsafe text.skipBlanks(separator + 1) else {
                return false
            }
            unsafe address = unsafe value
        }
        binder.state.document.token = unsafe TokenRange(address, address + 1)
        guard isOpen ? binder.state.closeRootModel() : binder.state.closeObject() else { return false }
        return unsafe address + 1 >= binder.state.document.chunk.end || text.isBlank(from: address + 1)
    }
}
