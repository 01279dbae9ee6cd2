// Turns places in a chunk into lines and columns, counting on from the place that was looked up last.

/// Counts lines and columns from one place of a text to the next.
@safe
struct PlaceCounter {
    private var start: UnsafeRawPointer?
    private var base = SourcePosition.start
    private var index = 0
    private var position = SourcePosition.start

    /// The place of a byte of a text that begins at `base`.
    mutating func position(
        of place: Int, in text: UnsafeRawBufferPointer, at base: SourcePosition
    ) -> SourcePosition {
        if unsafe start != text.baseAddress || self.base != base {
            unsafe start = text.baseAddress
            self.base = base
            index = 0
            position = base
        }
        if place >= index {
            position = unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: text[index..<place]))
        } else {
            unsafe goBack(to: place, in: text)
        }
        index = place
        return position
    }

    private mutating func goBack(to place: Int, in text: UnsafeRawBufferPointer) {
        let lineBreak = UInt8(ascii: "\n")
        let lines = unsafe text[place..<index].reduce(0) { $1 == lineBreak ? $0 + 1 : $0 }
        position.offset = base.offset + place
        position.line -= lines
        guard lines > 0 else {
            position.column -= index - place
            return
        }
        var lineStart = place
        while lineStart > 0, unsafe text[lineStart - 1] != lineBreak { lineStart -= 1 }
        position.column = lineStart == 0 ? base.column + place : place - lineStart + 1
    }
}
