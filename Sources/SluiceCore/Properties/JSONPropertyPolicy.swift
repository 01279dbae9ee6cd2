// What a model says about a property beyond its key: how its values convert, and what becomes of those that do not fit.

/// What a model says about a property beyond its key; nil is "as the model, and then the reader, says".
public struct JSONPropertyPolicy: Sendable, Hashable {
    /// How values of other JSON types convert.
    public var conversions: JSONConversions?
    /// What an explicit null means.
    public var nulls: JSONNullPolicy?
    /// What becomes of a value that does not fit.
    public var mismatch: JSONMismatchPolicy?
    /// What becomes of an element that does not fit.
    public var elements: JSONElementPolicy?
    /// The form of a date, in both directions.
    public var date: JSONDateFormat?
    /// The form of binary data, in both directions.
    public var data: JSONDataFormat?
    /// What a string is made with from the elements of an array: `["a", 1.50, null, true]` with `", "` is `"a, 1.50, true"`.
    /// Nulls are passed over; containers among the elements stand as their JSON text.
    public var joinSeparator: String?
    /// What an update does with the property.
    public var update: JSONUpdatePolicy?
    /// Whether descriptions and errors show the value.
    public var isSensitive: Bool
    /// Whether an archive holds the property.
    public var isArchived: Bool

    /// A policy that says what is named.
    public init(
        conversions: JSONConversions? = nil, nulls: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil,
        elements: JSONElementPolicy? = nil, date: JSONDateFormat? = nil, data: JSONDataFormat? = nil,
        joinSeparator: String? = nil, update: JSONUpdatePolicy? = nil, isSensitive: Bool = false, isArchived: Bool = true
    ) {
        self.conversions = conversions
        self.nulls = nulls
        self.mismatch = mismatch
        self.elements = elements
        self.date = date
        self.data = data
        self.joinSeparator = joinSeparator
        self.update = update
        self.isSensitive = isSensitive
        self.isArchived = isArchived
    }

    /// The form of binary data that this comes to; nil where it says nothing.
    var dataFormat: JSONDataFormat? { data ?? (conversions?.profile == .yyModel ? .utf8 : nil) }

    /// Nothing said.
    public static let none = JSONPropertyPolicy()

    /// What the property says, and where it says nothing, what the model does.
    func completed(by model: JSONPropertyPolicy) -> JSONPropertyPolicy {
        JSONPropertyPolicy(
            conversions: conversions ?? model.conversions, nulls: nulls ?? model.nulls, mismatch: mismatch ?? model.mismatch,
            elements: elements ?? model.elements, date: date ?? model.date, data: data ?? model.data,
            joinSeparator: joinSeparator ?? model.joinSeparator, update: update ?? model.update,
            isSensitive: isSensitive || model.isSensitive, isArchived: isArchived && model.isArchived)
    }
}
