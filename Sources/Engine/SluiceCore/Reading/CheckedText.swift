// A value that is read only to find out whether it is JSON; nothing of it is kept.

/// Any JSON value, checked and then forgotten. Read it with ``JSONReader/Options/Validation/full``: otherwise strings inside
/// containers may be invalid Unicode.
///
/// ```swift
/// let feed = try JSONFeed<CheckedText>(path: "events.ndjson", options: .init(reading: .init(validation: .full)))
/// while try feed.next() != nil {}
/// ```
package struct CheckedText: JSONReadable, Sendable, Hashable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.checked, self, expectation: "a value")
    }
}

extension Binder {
    /// The checked value is a container: nothing in it is bound.
    mutating func openChecked() -> Bool {
        document.skipDepth = 1
        return true
    }

    /// The value that was checked has ended.
    mutating func closeChecked() -> Bool {
        destination.store(CheckedText())
        return advance()
    }
}
