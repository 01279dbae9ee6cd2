// Descriptions of values for people: in logs, in a debugger, in the messages of tests.

extension JSONWritable {
    /// A description for people: the name of each model, then its properties sorted by name, each on its own line.
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
    /// The text of a value is always the same: it has no addresses, and sets and dictionaries are sorted. Values are shown as their types
    /// write them to JSON, cut after 100 characters. A sensitive property is shown as `<redacted>`, an object inside itself as
    /// `<…>`, a number that is not finite as `<nan>` or `<inf>`. Properties that are ignored in both directions are left out.
    public var jsonDescription: String { description(for: .description) }

    /// A description on one line, with the properties in the order of their declaration.
    ///
    /// ```swift
    /// user.jsonSummary     // name = xiaowang, userid = 45, address = china, type = 1
    /// ```
    ///
    /// Nested models are in braces. Everything else is as in ``jsonDescription``.
    public var jsonSummary: String { description(for: .summary) }

    private func description(for purpose: ModelRendering.Purpose) -> String {
        do throws(JSONError) {
            return TextLayout.described(try bytes(for: purpose), isSummary: purpose == .summary)
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
