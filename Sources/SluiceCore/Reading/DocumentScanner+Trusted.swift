// A top-level object in trusted text is read only up to the last member that a property needs. A feed of lines then goes on behind
// the next line break, without reading the text before it.

extension DocumentScanner {
    /// Whether the value that begins at a place may count as read before its end.
    func mayEndEarly(_ first: Place) -> Bool {
        let row = binder.state.document.frame.row
        guard unsafe first.pointee == UInt8(ascii: "{") && !binder.state.update.isActive, row.kind == .model else { return false }
        return row.binding.model.map { $0.completeBits != 0 } ?? false
    }

    /// Reads the object that opens at a place, until each property has its value; false if the binder has an error or yajl must read the
    /// text.
    @inline(never)
    func readTrusted(_ opening: Place) -> Bool {
        binder.state.document.token = unsafe TokenPlace(opening, opening + 1)
        guard binder.state.openObject(), var place = unsafe text.skipBlanks(opening + 1) else { return false }
        let complete = binder.state.document.frame.modelLayout?.completeBits ?? 0
        if unsafe place.pointee == UInt8(ascii: "}") { return unsafe close(place) && text.isBlank(from: place + 1) }
        while true {
            guard unsafe place.pointee == UInt8(ascii: "\""), let next = unsafe readMember(place) else { return false }
            // Safe: a draft's block begins with a word of presence bits.
            let present = unsafe binder.state.document.frame.block.load(as: UInt64.self)
            if present & complete == complete { return unsafe close(next - 1) }
            guard let separator = unsafe text.skipBlanks(next) else { return false }
            if unsafe separator.pointee == UInt8(ascii: "}") {
                return unsafe close(separator) && text.isBlank(from: separator + 1)
            }
            guard unsafe separator.pointee == UInt8(ascii: ","), let key = unsafe text.skipBlanks(separator + 1) else {
                return false
            }
            unsafe place = unsafe key
        }
    }

    /// Closes the object; `last` is the last byte that was read.
    private func close(_ last: Place) -> Bool {
        binder.state.document.token = unsafe TokenPlace(last, last + 1)
        return binder.state.closeObject()
    }
}
