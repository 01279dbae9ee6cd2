// Turns positions in a chunk into lines and columns, counting on from the position that was looked up last.

/// Counts lines and columns from one position of a text to the next.
@safe
struct PositionCounter {
    private var start: UnsafeRawPointer?
    private var base = SourcePosition.start
    private var index = 0
    private var position = SourcePosition.start

    /// The position of a byte of a text that begins at `base`.
    mutating func position(
        of target: Int, in text: UnsafeRawBufferPointer, at base: SourcePosition
    ) -> SourcePosition {
        if unsafe start != text.baseAddress || self.base != base {
            unsafe start = text.baseAddress
            self.base = base
            index = 0
            position = base
        }
        if target >= index {
            position = unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: text[index..<target]))
        } else {
            unsafe goBack(to: target, in: text)
        }
        index = target
        return position
    }

    private mutating func goBack(to target: Int, in text: UnsafeRawBufferPointer) {
        let lineBreak = UInt8(ascii: "\n")
        let lines = unsafe text[target..<index].reduce(0) { $1 == lineBreak ? $0 + 1 : $0 }
        position.offset = base.offset + target
        position.line -= lines
        guard lines > 0 else {
            position.column -= index - target
            return
        }
        var lineStart = target
        while lineStart > 0, unsafe text[lineStart - 1] != lineBreak { lineStart -= 1 }
        position.column = lineStart == 0 ? base.column + target : target - lineStart + 1
    }
}
