// Writes the value of an inlined property: as an object, whose brackets are then taken away.

extension JSONWriter {
    /// Writes the members of a value into the object that is open. For generated code.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` if the value is not written as an object.
    public mutating func _inlined<Value: JSONWritable>(_ value: borrowing Value) throws(JSONError) {
        // A stored form has the property under its name.
        if form != nil { return try property(value) }
        guard !value._isNil else { return }
        let before = (count: count, nesting: nesting)
        // The members are on the level of those of the object around them.
        nesting -= 1
        do throws(JSONError) {
            try value._write(to: &self)
        } catch {
            guard isOmission(error) else { throw error }
            (count, nesting) = before
            return
        }
        nesting = before.nesting
        try takeAwayBrackets(from: before.count)
    }

    /// Turns the object that was written from a position on into members, with a comma after the last.
    private mutating func takeAwayBrackets(from first: Int) throws(JSONError) {
        if count > first, unsafe start[first] == TextLayout.Mark.verbatim {
            // The marks keep the layout of the text between them. As members, it is laid out like those around it. Safe: the bytes between the marks move down by one byte.
            count -= 2
            unsafe (start + first).update(from: start + first + 1, count: count - first)
        }
        guard count >= first + 2, unsafe start[first] == UInt8(ascii: "{") && start[count - 1] == UInt8(ascii: "}") else {
            count = first
            throw JSONError.notWritable("an object, because the property is inlined", found: "a value of another kind")
        }
        let inside = count - first - 2
        // Safe: the bytes between the brackets move down by one byte.
        unsafe (start + first).update(from: start + first + 1, count: inside)
        count = first + inside
        while count > first, unsafe JSONWhiteSpace.contains(start[count - 1]) { count -= 1 }
        if count > first { endElement() }
    }
}
