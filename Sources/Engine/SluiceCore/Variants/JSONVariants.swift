// Values of a type that has several variants. The variant of an object is found by the value of a key, by the presence of a key, by the
// object's only key, or by a function. The variants are compiled into rows, as properties are.

/// A type with several variants, each of which is read as a type of its own. The content of the JSON value decides which one it is.
///
/// If all variants are known, use an enum; `@JSONModel` generates its conformance:
///
/// ```swift
/// @JSONModel(tag: .key("type"))
/// enum Shape {
///     case circle(Circle)                  // {"type": "circle", "radius": 1}
///     case square(Square)
///     case unknown(RawJSON)                // any other tag: the bytes are kept
/// }
/// ```
///
/// Otherwise use a class that lists its subclasses:
///
/// ```swift
/// extension User: JSONPolymorphic {
///     static let jsonVariants = JSONVariants<User>(by: .presence)
///         .variant("localName", LocalUser.self) { $0 }
///         .variant("remoteName", RemoteUser.self) { $0 }
///         .fallback(User.self) { $0 }
/// }
/// ```
///
/// The keys may be in any order: the object's text is captured, searched for the tag, and read once its type is known.
public protocol JSONPolymorphic: JSONBindable {
    /// The type that properties are declared with, by default the type itself. A subclass inherits that of its base class.
    associatedtype JSONBase = Self

    /// The variants, and the tag that distinguishes them.
    static var jsonVariants: JSONVariants<JSONBase> { get }
}

extension JSONObjectPeek {
    /// Whether the object has a key.
    public func contains(_ key: String) -> Bool { member(key) != nil }

    /// The value of a key; nil if the key is absent, or if the value is not valid JSON.
    public subscript(key: String) -> JSONValue? {
        guard let member = member(key) else { return nil }
        return try? unsafe JSONValue(json: UnsafeRawBufferPointer(member.value))
    }

    /// The value of a key as text, if it is a string, a number or a boolean; otherwise nil. Nothing else of the object is parsed.
    public func tag(_ key: String) -> String? { member(key)?.tag }

    private func member(_ key: String) -> MemberCursor.Member? {
        do throws(JSONError) {
            return try captured.member(key)
        } catch {
            failure.error = failure.error ?? error
            return nil
        }
    }
}

/// The variants of a type, in order.
public struct JSONVariants<Base>: Sendable {
    // The table does not depend on the base type. Only the closures do, and they are specialised in the module that makes them.
    let table: VariantTable

    /// An empty list of variants, which a tag will distinguish.
    public init(by tag: JSONTag) { table = VariantTable(tag: tag) }

    private init(_ table: VariantTable) { self.table = table }

    /// The variants of a type that may be generic, made by the first caller. For generated code.
    public static func _made(for type: Any.Type, _ make: () -> JSONVariants) -> JSONVariants {
        JSONVariants(VariantTable.known.object(for: type) { make().table })
    }

    /// Adds a variant with a value of its own.
    ///
    /// - Parameters:
    ///   - name: The variant's name: the value of the tag, or with ``JSONTag/presence`` and ``JSONTag/external`` the key.
    ///   - type: The type that the variant is read as.
    ///   - make: Converts a value of the variant's type to the base type.
    @inlinable
    public func variant<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        adding(name, type, isFallback: false, make)
    }

    /// Adds a variant without a value.
    @inlinable
    public func variant(_ name: String, _ make: @escaping @Sendable () -> Base) -> JSONVariants {
        adding(name) { destination in destination.store(make()) }
    }

    /// Adds the variant for objects without a tag, or with a tag that no other variant has.
    @inlinable
    public func fallback<Value: JSONBindable>(
        _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        adding("", type, isFallback: true, make)
    }

    /// Keeps objects that match no variant, as raw JSON.
    ///
    /// - Parameter make: Makes the base value from the tag, nil if there was none, and the whole JSON value.
    @inlinable
    public func unknown(_ make: @escaping @Sendable (_ tag: String?, _ value: RawJSON) -> Base) -> JSONVariants {
        addingUnknown { tag, value, destination in destination.store(make(tag, value)) }
    }

    @inlinable
    func adding<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, isFallback: Bool, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        adding(
            name, type, isFallback: isFallback,
            bind: { captured, variant, destination in
                guard let value = captured.read(Value.self, variant: variant, at: destination) else { return false }
                destination.store(make(value))
                return true
            },
            attempt: { captured, variant, destination in
                guard let value = captured.attempt(Value.self, variant: variant) else { return false }
                let made = make(value)
                if captured.keepsValue { captured.keep { $0.store(made) } }
                destination.store(made)
                return true
            })
    }

    @usableFromInline
    func adding(
        _ name: String, _ payload: (any JSONReadable.Type)?, isFallback: Bool, bind: @escaping VariantTable.Bind,
        attempt: @escaping VariantTable.Attempt
    ) -> JSONVariants {
        JSONVariants(
            table.adding(.init(name: name, payload: payload, bind: bind, attempt: attempt), isFallback: isFallback))
    }

    @usableFromInline
    func adding(_ name: String, _ store: @escaping @Sendable (_Destination) -> Void) -> JSONVariants {
        let bind: VariantTable.Bind = { _, _, destination in
            store(destination)
            return true
        }
        return JSONVariants(
            table.adding(
                .init(name: name, payload: nil, bind: bind, attempt: { _, _, _ in false }, store: store), isFallback: false))
    }

    @usableFromInline
    func addingUnknown(_ store: @escaping VariantTable.StoreUnknown) -> JSONVariants {
        JSONVariants(table.adding(store))
    }
}

/// The variants of a type, with the type erased: each variant's closures read a value and store it at a destination.
@usableFromInline
final class VariantTable: Sendable {
    /// Reads a captured value as the variant and stores the result. Returns false if the value does not fit; the binder then has the
    /// error, or a tolerant frame has dropped the value.
    @usableFromInline typealias Bind = @Sendable (_ captured: _CapturedValue, _ variant: Int, _ destination: _Destination) -> Bool
    /// Tries to read a captured value as the variant, and stores the result. Returns false if the value does not fit; then nothing has
    /// changed.
    @usableFromInline typealias Attempt =
        @Sendable (_ captured: _CapturedValue, _ variant: Int, _ destination: _Destination) -> Bool
    @usableFromInline typealias StoreUnknown = @Sendable (_ tag: String?, _ value: RawJSON, _ destination: _Destination) -> Void

    struct Variant: Sendable {
        let name: String
        /// The type that the variant is read as; nil for a variant without a value.
        let payload: (any JSONReadable.Type)?
        let bind: Bind
        let attempt: Attempt
        /// Stores the variant if it has no value; nil for a variant with one.
        var store: (@Sendable (_Destination) -> Void)?
    }

    fileprivate static let known = TypeSlots<VariantTable>()

    let tag: JSONTag
    let variants: [Variant]
    /// The index of the fallback variant.
    fileprivate let fallbackIndex: Int?
    private let unknown: StoreUnknown?
    /// Whether values of no variant are kept.
    fileprivate var hasUnknown: Bool { unknown != nil }

    init(tag: JSONTag, variants: [Variant] = [], fallbackIndex: Int? = nil, unknown: StoreUnknown? = nil) {
        self.tag = tag
        self.variants = variants
        self.fallbackIndex = fallbackIndex
        self.unknown = unknown
    }

    func adding(_ variant: Variant, isFallback: Bool) -> VariantTable {
        VariantTable(
            tag: tag, variants: variants + [variant], fallbackIndex: isFallback ? variants.count : fallbackIndex,
            unknown: unknown)
    }

    func adding(_ unknown: @escaping StoreUnknown) -> VariantTable {
        VariantTable(tag: tag, variants: variants, fallbackIndex: fallbackIndex, unknown: unknown)
    }

    /// Whether there is no tag, so that the variants are tried one after the other.
    var isUntagged: Bool { if case .untagged = tag.form { true } else { false } }

    /// The types of all variants. For a variant without a value this is ``RawJSON``.
    var payloads: [any JSONReadable.Type] { variants.map { $0.payload ?? RawJSON.self } }

    // MARK: Reading

    /// Finds the variant of a captured value, reads the value as that variant, and stores the result. Returns false if the value does
    /// not fit; the binder then has the error, or a tolerant frame has dropped the value.
    ///
    /// - Throws: ``JSONError`` if no variant matches.
    func bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> Bool {
        if captured.isStored, let isBound = try bindStored(captured, at: destination) { return isBound }
        switch tag.form {
        case .key(let key):
            let member = try captured.member(key)
            let own = member == nil ? indexOfOwnClass(captured, at: destination) : nil
            if let index = index(of: member) ?? own { return try bind(captured, index, at: destination) }
            return try bindRest(captured, ofTag: key, member, at: destination)
        case .adjacent(let key, let content):
            try captured.checkWhole()
            let member = try captured.member(key)
            let own = member == nil ? indexOfOwnClass(captured, at: destination) : nil
            guard let index = index(of: member) ?? own else {
                return try bindRest(captured, ofTag: key, member, at: destination)
            }
            guard variants[index].payload != nil else { return variants[index].bind(captured, index, destination) }
            guard let value = try captured.member(at: content.components) else {
                let name = variants[index].name
                throw JSONError(.missingKeys, expected: "the value of '\(name)'", found: "none", keys: [content.description])
            }
            return unsafe variants[index].bind(captured.part(value.value, at: content.components), index, destination)
        case .external:
            try captured.checkWhole()
            guard let (member, index) = try captured.onlyMember({ key in index { key.isEqual(to: $0.name) } }) else {
                return try bindRest(captured, nil, "the only key", at: destination)
            }
            return unsafe variants[index].bind(captured.part(member.value, at: [variants[index].name]), index, destination)
        case .presence:
            var found: Int?
            for index in variants.indices where index != fallbackIndex && found == nil {
                if try captured.member(variants[index].name) != nil { found = index }
            }
            if let index = found ?? indexOfOwnClass(captured, at: destination) {
                return try bind(captured, index, at: destination)
            }
            return try bindRest(captured, nil, "a key", at: destination)
        case .function(let choose):
            let peek = JSONObjectPeek(captured)
            let name = choose(peek)
            if let error = peek.failure.error { throw error }
            let own = name == nil ? indexOfOwnClass(captured, at: destination) : nil
            if let index = index(of: name) ?? own { return try bind(captured, index, at: destination) }
            return try bindRest(captured, name, "the function's choice", at: destination)
        case .untagged:
            return try bindFirst(captured, at: destination)
        }
    }

    /// Stores the variant that a captured text has chosen.
    private func bind(_ captured: _CapturedValue, _ index: Int, at destination: _Destination) throws(JSONError) -> Bool {
        // A variant without a value does not read the text.
        if variants[index].payload == nil { try captured.checkWhole() }
        return variants[index].bind(captured, index, destination)
    }

    /// Does the same for the stored form, which ``JSONVariants/_write(_:_:to:)`` writes for copies and archives: `{"#circle": …}`.
    /// Returns nil if the value is not in that form.
    private func bindStored(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> Bool? {
        var members = captured.members
        guard let member = members.next() else { return nil }
        let part = unsafe captured.part(member.value)
        if let index = variants.indices.first(where: { member.key.isEqual(to: VariantTag.stored(variants[$0].name)) }) {
            try captured.checkWhole()
            return variants[index].bind(part, index, destination)
        }
        guard let unknown, member.key.isEqual(to: VariantTag.stored("")) else { return nil }
        try captured.checkWhole()
        let text = try part.raw()
        switch tag.form {
        case .key(let key), .adjacent(let key, _): unknown(part.members.members(key)?.last.tag, text, destination)
        case .external, .presence, .untagged, .function: unknown(nil, text, destination)
        }
        return true
    }

    /// Tries the variants in order, and stores the first one that the value fits.
    private func bindFirst(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> Bool {
        switch captured.outcome(of: self) {
        case .fits(let variant, let store, let findings):
            if let store, captured.store(store, findings, at: destination) { return true }
            if variants[variant].attempt(captured, variant, destination) { return true }
        case .underWay:
            // One of the type's variants is the type itself, directly, so the same value is tried again. That can never fit.
            if captured.isScalar { return false }
            throw JSONError.misfit
        case .unfit:
            break
        case nil:
            captured.begin(self)
            let found = variants.indices.first { index in
                !captured.hasFailed && captured.mayBe(index) && variants[index].attempt(captured, index, destination)
            }
            captured.end(self, found)
            if found != nil { return true }
        }
        if captured.hasFailed { return false }
        try captured.check()
        if captured.isScalar {
            guard let unknown else { return false }
            unknown(nil, try captured.raw(), destination)
            return true
        }
        return try bindRest(captured, nil, "the value's form", at: destination)
    }

    /// The variant of the object that the value updates: its class stays if the JSON does not tell one.
    private func indexOfOwnClass(_ captured: _CapturedValue, at destination: _Destination) -> Int? {
        guard let object = captured.updatedObject(at: destination) else { return nil }
        return variants.firstIndex { variant in
            variant.payload.map { ObjectIdentifier($0) } == ObjectIdentifier(type(of: object))
        }
    }

    /// The index of the variant whose name is the member's value.
    private func index(of member: MemberCursor.Member?) -> Int? {
        member.flatMap { member in index { member.hasTag($0.name) } }
    }

    private func index(of name: String?) -> Int? {
        name.flatMap { name in index { $0.name == name } }
    }

    /// The index of the first variant that matches, not counting the fallback.
    private func index(where isChosen: (Variant) -> Bool) -> Int? {
        variants.indices.first { $0 != fallbackIndex && isChosen(variants[$0]) }
    }

    /// Does what ``bindRest(_:_:_:isMissing:at:)`` does for a tag whose value is the name of no variant.
    private func bindRest(
        _ captured: _CapturedValue, ofTag key: String, _ member: MemberCursor.Member?, at destination: _Destination
    ) throws(JSONError) -> Bool {
        let isMissing = member.map { unsafe $0.value.first == UInt8(ascii: "n") } ?? true
        return try bindRest(captured, member?.tag, key, isMissing: isMissing, at: destination)
    }

    /// Stores a value that matches no variant: as the fallback, or else as an unknown value; otherwise throws.
    ///
    /// - Parameter isMissing: Whether the object lacks the key of the tag, or has null there.
    private func bindRest(
        _ captured: _CapturedValue, _ name: String?, _ key: String, isMissing: Bool = false, at destination: _Destination
    ) throws(JSONError) -> Bool {
        // The fallback of an untagged type was already tried with the other variants if this is an attempt.
        if let fallbackIndex, !captured.isTried || !isUntagged {
            return variants[fallbackIndex].bind(captured, fallbackIndex, destination)
        }
        if let unknown {
            unknown(name, try captured.raw(), destination)
            return true
        }
        try captured.checkWhole()
        if captured.isArray, !isUntagged {
            throw JSONError(.typeMismatch, expected: captured.binding.expectation, found: "an array")
        }
        if isMissing {
            throw JSONError(
                .missingKeys, expected: "an object of \(captured.binding.expectation)", found: "one without them", keys: [key])
        }
        let names = variants.map { "'\($0.name)'" }.joined(separator: ", ")
        throw JSONError(
            .invalidValue, expected: "one of \(names) by \(key)",
            found: name.map { "'\($0)'" } ?? "an object of another kind")
    }

    /// Stores the variant whose name is the scalar, and which has no value. Returns false if there is no such variant, or if the
    /// tag is not external.
    func store(_ scalar: JSONScalar, at destination: _Destination) -> Bool {
        switch tag.form {
        case .external:
            guard let index = index(of: scalar.string), let store = variants[index].store else { return false }
            store(destination)
            return true
        default:
            return false
        }
    }
}

// MARK: Conformance

extension JSONPolymorphic {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.polymorphic(Self.self, variantTypes) }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        try jsonVariants.table.bind(captured, at: destination) ? .bound : .unbound
    }

    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool {
        jsonVariants.table.store(scalar, at: destination)
    }

    fileprivate static var variantTypes: _VariantTypes {
        let table = jsonVariants.table
        // A subclass of the base is itself a variant, and has no variants of its own.
        return _VariantTypes(
            form: table.tag.form, names: table.variants.map(\.name),
            payloads: JSONBase.self == Self.self ? table.payloads : nil,
            named: table.variants.compactMap { variant in
                variant.payload.flatMap { variant.name.isEmpty ? nil : (name: variant.name, payload: $0) }
            },
            hasValue: table.variants.map { $0.payload != nil }, fallbackIndex: table.fallbackIndex, hasUnknown: table.hasUnknown)
    }
}

extension _ReadableModel where Self: JSONPolymorphic {
    public static var _variantTypes: _VariantTypes? { variantTypes }
}

extension JSONModel where Self: JSONPolymorphic {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.model(Self.self) }
}
