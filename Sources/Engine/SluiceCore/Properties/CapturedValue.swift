// A value whose text is captured and read later. This file has only what the types that are bound in this way need; the binder does
// the rest.

/// The text of a captured value, for a type that decides by it what the value becomes; valid for one call only.
@safe
public struct _CapturedValue {
    /// The address of the binder that has captured it.
    let reader: UnsafeMutableRawPointer
    let content: Content
    let binding: BindingHandle
    /// The keys from the captured value to the part of it that is read.
    var part: [String] = []

    /// What was captured.
    @safe
    enum Content {
        case text(UnsafeBufferPointer<UInt8>)
        /// A scalar, for a type with variants that are tried, or with an adapter.
        case scalar(JSONScalar)
    }

    /// The outcome of binding a captured value.
    public enum Outcome: Sendable {
        /// It was stored.
        case bound
        /// It does not fit; the reader reports the error.
        case unbound
    }
}
