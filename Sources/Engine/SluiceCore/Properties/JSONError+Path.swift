// The error of a path that cannot be read.

extension JSONError {
    /// - Parameter text: The path.
    package init(_ fault: PathFault, in text: String) {
        let offset = text.prefix(fault.offset).utf8.count
        self.init(
            .invalidValue, position: SourcePosition(offset: offset, line: 1, column: offset + 1),
            expected: "\(fault.expected) (column \(fault.column) of the path '\(text)')", found: fault.found, hint: PathFault.hint
        )
    }
}
