// Collection types of the user's own: elements are read like an array's, and appended one by one.

/// A collection type of your own that is bound to a JSON array, like `Array`.
///
/// Conform a type that already is a `RangeReplaceableCollection`; it needs no further code.
///
/// ```swift
/// struct EntryCollection: RangeReplaceableCollection {
///     private var entries: [Entry] = []
///     var startIndex: Int { entries.startIndex }
///     var endIndex: Int { entries.endIndex }
///     subscript(position: Int) -> Entry { entries[position] }
///     func index(after index: Int) -> Int { index + 1 }
///     mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Entry>) {
///         entries.replaceSubrange(range, with: elements)
///     }
/// }
///
/// extension EntryCollection: JSONCollection {}
///
/// let entries = try EntryCollection(json: #"[{"v": 1}, {"v": 2}]"#)     // entries[1].v == 2
/// ```
///
/// A generic type is bindable if its elements are. It needs both conformances, since a conditional conformance implies no other:
///
/// ```swift
/// extension Deque: JSONBindable where Element: JSONBindable {}
/// extension Deque: JSONCollection where Element: JSONBindable {}
/// ```
///
/// Elements are first read into the reader's memory. Then `reserveCapacity(_:)` is called with their count, and `append(_:)` with
/// each of them, in the order of the text. Writing uses the collection's iterator.
public protocol JSONCollection: RangeReplaceableCollection, JSONBindable where Element: JSONBindable {}

extension JSONCollection {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.array(self, of: Element.self, by: CollectionAssembly<Self>.self)
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginArray()
        var index = 0
        for element in self {
            do throws(JSONError) {
                try element._write(to: &writer)
            } catch {
                try writer.leaveOutElement(error, index)
                index += 1
                continue
            }
            writer.endElement()
            index += 1
        }
        writer.endArray()
    }
}

extension ContiguousArray: JSONBindable where Element: JSONBindable {}
extension ContiguousArray: JSONCollection where Element: JSONBindable {}
