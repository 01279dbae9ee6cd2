// What happens to nulls, to values and elements that do not fit, and to existing values in an update.

/// What an explicit null means for a property.
public enum JSONNullPolicy: Sendable, Hashable {
    /// Nil, if the property is an optional; otherwise as ``keep``. This is the default.
    case asNil
    /// As if the key were absent.
    case keep
    /// The empty value of the type: `""`, `[]`, `[:]`, 0, false. Properties of other types (dates, models) become nil if they are
    /// optionals, and otherwise get their initial value.
    case empty
    /// The initial value. When reading, this is the same as ``keep``; an update restores the initial value.
    case `default`
    /// An error of kind `typeMismatch`.
    case error
}

/// What happens to a property whose value does not fit it.
public enum JSONMismatchPolicy: Sendable, Hashable {
    /// The error is thrown. This is the default.
    case `throw`
    /// The property gets its initial value, as if the key were absent; the value is counted in the ``JSONReadReport``.
    case `default`
    /// The property keeps its value: the initial one, or in an update the current one; counted in the ``JSONReadReport``.
    case keep
    /// The property becomes nil if it is an optional, and is kept otherwise; counted in the ``JSONReadReport``.
    case `nil`
}

/// What happens to an element of a collection that does not fit.
public enum JSONElementPolicy: Sendable, Hashable {
    /// The error is thrown, and nothing is left out. This is the default.
    case strict
    /// An element of another JSON type, null included, is left out and counted in the ``JSONReadReport``. Another error of an element is
    /// still thrown: its content is impossible, or something inside it is wrong.
    case skipMistyped
    /// Every element that does not fit is left out and counted in the ``JSONReadReport``. ``JSONReader/Options/tolerant`` sets this; it is the
    /// default under YYModel's rules.
    case skipInvalid
    /// A null is left out and counted; every other element that does not fit is an error.
    case skipNull
}

/// What an update does to a property that already has a value.
public enum JSONUpdatePolicy: Sendable, Hashable {
    /// The new value replaces the old one.
    case replace
    /// A model is updated in its turn; every other value is replaced. This is the default.
    case merge
    /// New elements are appended to the old ones; every other value is replaced.
    case append
}
