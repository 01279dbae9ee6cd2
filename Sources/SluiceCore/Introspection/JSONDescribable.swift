// What a value is, in words for people: in logs, in a debugger, in the messages of tests.

extension JSONWritable {
    /// The value for people: the name of each model with its properties in the order of their names, on lines of their own.
    ///
    /// ```swift
    /// try Book(json: #"{"name": "Emma", "pages": 474}"#).jsonDescription
    /// // <Book> {
    /// //     author = <nil>;
    /// //     name = "Emma";
    /// //     pages = 474;
    /// //     tags = []
    /// // }
    /// ```
    ///
    /// The text is the same each time: it has no addresses in it, and what has no order of its own is sorted. Values are as their
    /// types write them to JSON; of a long one, the first 100 characters are shown. A property that is sensitive is shown as
    /// `<redacted>`, an object inside itself as `<…>`, a number that is not finite as `<nan>` or `<inf>`. Properties that are
    /// ignored in both directions are not in it.
    public var jsonDescription: String { description(for: .description) }

    /// The value for people on one line, its properties in the order of their declaration.
    ///
    /// ```swift
    /// user.jsonSummary     // name = xiaowang, userid = 45, address = china, type = 1
    /// ```
    ///
    /// Models inside it have braces around them. All else is as in ``jsonDescription``.
    public var jsonSummary: String { description(for: .summary) }

    private func description(for purpose: ModelRendering.Purpose) -> String {
        do throws(JSONError) {
            return DescriptionLayout.lay(out: try bytes(for: purpose), isSummary: purpose == .summary)
        } catch {
            return "<\(Self.self): \(error.summary)>"
        }
    }
}

/// A model that describes itself by its properties, wherever Swift asks for a description.
///
/// ```swift
/// extension Book: JSONDescribable {}
///
/// print(book)     // <Book> { …
/// ```
public protocol JSONDescribable: JSONModel, CustomStringConvertible, CustomDebugStringConvertible {}

extension JSONDescribable {
    /// The model's properties on lines of their own: see ``JSONWritable/jsonDescription``.
    public var description: String { jsonDescription }
    /// The same as ``description``.
    public var debugDescription: String { jsonDescription }
}
