// What becomes of nulls, of values and elements that do not fit, and of values that an update meets.

/// What an explicit null means for a property.
public enum JSONNullPolicy: Sendable, Hashable {
    /// Nil, where the property is an optional; otherwise as ``keep``. This is the default.
    case asNil
    /// As if the key were absent.
    case keep
    /// The empty value of the type: `""`, `[]`, `[:]`, 0, false. Types without one (dates, models) become nil where they may,
    /// and have their initial value otherwise.
    case empty
    /// The initial value. When reading, that is what ``keep`` does; an update goes back to it.
    case `default`
    /// An error of kind `typeMismatch`.
    case error
}

/// What becomes of a property whose value does not fit it.
public enum JSONMismatchPolicy: Sendable, Hashable {
    /// The error is thrown. This is the default.
    case `throw`
    /// The property gets its initial value, as if the key were absent; the value is counted in the ``JSONReadReport``.
    case `default`
    /// The property keeps the value it has: the initial one, or in an update the present one; counted in the ``JSONReadReport``.
    case keep
    /// The property becomes nil if it is an optional, and is kept otherwise; counted in the ``JSONReadReport``.
    case `nil`
}

/// What becomes of an element of a collection that does not fit.
public enum JSONElementPolicy: Sendable, Hashable {
    /// The error is thrown, and nothing is left out. This is the default.
    case strict
    /// An element of another JSON type, null included, is left out and counted in the ``JSONReadReport``; one that is an object, as it
    /// should be, with something wrong inside is an error. What ``JSONReader/Options/tolerant`` says.
    case skipMistyped
    /// The element is left out and counted in the ``JSONReadReport``, whatever is wrong with it. The default of YYModel's rules.
    case skipInvalid
    /// A null is left out and counted; everything else that does not fit is an error.
    case skipNull
}

/// What an update does with a property that has a value already.
public enum JSONUpdatePolicy: Sendable, Hashable {
    /// The new value takes the place of the old one.
    case replace
    /// A model is updated in turn; everything else is replaced. This is the default.
    case merge
    /// The new elements go behind the old ones; everything else is replaced.
    case append
}
