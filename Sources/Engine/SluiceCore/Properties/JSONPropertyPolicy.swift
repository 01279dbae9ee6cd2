// A property's settings besides its key: how its values convert, and what happens to values that do not fit.

/// A property's settings besides its key. A setting that is nil follows the model, and then the reader.
public struct JSONPropertyPolicy: Sendable, Hashable {
    /// How values of other JSON types convert.
    package var conversions: JSONConversions?
    /// What an explicit null means.
    package var nulls: JSONNullPolicy?
    /// What happens to a value that does not fit.
    package var mismatch: JSONMismatchPolicy?
    /// What happens to an element that does not fit.
    package var elements: JSONElementPolicy?
    /// The format of a date, for reading and writing.
    package var date: JSONDateFormat?
    /// The encoding of binary data, for reading and writing.
    package var data: JSONDataFormat?
    /// The separator that joins an array's elements into a string: with `", "`, `["a", 1.50, null, true]` is read as `"a, 1.50, true"`.
    /// Nulls are skipped; containers among the elements become their JSON text.
    package var joinSeparator: String?
    /// What an update does with the property.
    package var update: JSONUpdatePolicy?
    /// Whether the value is hidden in descriptions and errors.
    package var isSensitive: Bool
    /// Whether archives contain the property.
    package var isArchived: Bool
    /// What values must meet besides their type; nil for nothing.
    package var constraints: ConstraintSet?

    /// Makes a policy with the given settings; all others follow the model.
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

    /// The encoding of binary data that follows from the settings; nil if none sets it.
    var dataFormat: JSONDataFormat? { data ?? (conversions?.profile == .yyModel ? .utf8 : nil) }

    /// A policy without any setting.
    public static let none = JSONPropertyPolicy()

    /// The property's settings, with the model's where the property has none.
    func completed(by model: JSONPropertyPolicy) -> JSONPropertyPolicy {
        var result = JSONPropertyPolicy(
            conversions: conversions ?? model.conversions, nulls: nulls ?? model.nulls, mismatch: mismatch ?? model.mismatch,
            elements: elements ?? model.elements, date: date ?? model.date, data: data ?? model.data,
            joinSeparator: joinSeparator ?? model.joinSeparator, update: update ?? model.update,
            isSensitive: isSensitive || model.isSensitive, isArchived: isArchived && model.isArchived)
        result.constraints = constraints
        return result
    }
}
