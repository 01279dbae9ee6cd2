// How one of several types is told from an object: by the value of a key, by the presence of a key, by its only key, or by a
// function. What it says is compiled into the rows of the types, like everything else.

/// A type whose values are made of one of several other types, told apart by what the object holds.
///
/// A closed set is best an enum, for which `@JSONModel` writes the conformance:
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
/// An open one is a class that names its subclasses:
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
/// The keys may stand in any order: an object is captured, looked into, and read once its type is known.
public protocol JSONPolymorphic: JSONBindable {
    /// The type that properties are declared with: the type itself.
    associatedtype JSONBase = Self

    /// The types, and how they are told apart.
    static var jsonVariants: JSONVariants<JSONBase> { get }
}

/// What tells the variants of a type apart.
public struct JSONTag: Sendable {
    enum Form: Sendable {
        case key(String)
        case adjacent(key: String, content: String)
        case external
        case presence
        case untagged
        case function(@Sendable (JSONObjectPeek) -> String?)
    }

    let form: Form

    /// The value of a key beside the variant's own keys: `{"type": "circle", "radius": 1}`.
    public static func key(_ key: String) -> JSONTag { JSONTag(form: .key(key)) }
    /// The value of a key, the variant being the value of another: `{"type": "circle", "value": {"radius": 1}}`.
    public static func key(_ key: String, content: String) -> JSONTag { JSONTag(form: .adjacent(key: key, content: content)) }
    /// The only key of an object around the variant: `{"circle": {"radius": 1}}`; a variant without a value may be a string.
    public static let external = JSONTag(form: .external)
    /// The presence of a key that only the variant has; the variants are tried in order.
    public static let presence = JSONTag(form: .presence)
    /// Nothing: the first variant that the value can be read as, in order.
    public static let untagged = JSONTag(form: .untagged)
    /// What a function says after a look into the object; nil is the fallback.
    public static func function(_ choose: @escaping @Sendable (JSONObjectPeek) -> String?) -> JSONTag {
        JSONTag(form: .function(choose))
    }
}

/// A look into an object that has not been read yet, lent to the function of ``JSONTag/function(_:)``.
@safe
public struct JSONObjectPeek {
    private let scanner: ObjectScanner

    init(_ scanner: ObjectScanner) { self.scanner = scanner }

    /// Whether the object has a key.
    public func contains(_ key: String) -> Bool { scanner.member(key) != nil }

    /// The value of a key; nil if it is absent, or if its text is no JSON.
    public subscript(key: String) -> JSONValue? {
        guard let member = scanner.member(key) else { return nil }
        return try? unsafe JSONValue(json: UnsafeRawBufferPointer(member.value))
    }

    /// The text of a key whose value is a string, a number or a boolean, without reading anything else.
    public func tag(_ key: String) -> String? { scanner.member(key)?.tag }
}

/// The variants of a type, in order.
public struct JSONVariants<Base>: Sendable {
    /// One variant: its name, and how it is made.
    private struct Variant: Sendable {
        let name: String
        /// Nil for one without a value of its own.
        let payload: (any JSONBindable.Type)?
        /// Makes one without a value.
        let unit: (@Sendable () -> Base)?
        /// Reads the captured text, or a part of it.
        let read: @Sendable (_ tape: borrowing _Tape, _ variant: Int, _ part: Part?) -> Base?
        /// Reads the text on its own, for a trial.
        let attempt: @Sendable (_ text: RawJSON) throws(JSONError) -> Base?
    }

    @safe
    struct Part {
        let text: UnsafeBufferPointer<UInt8>
    }

    let tag: JSONTag
    private var variants: [Variant] = []
    /// The number of the variant for all else.
    private var fallbackIndex: Int?
    private var unknown: (@Sendable (String?, RawJSON) -> Base)?

    /// No variants yet, to be told apart by a tag.
    public init(by tag: JSONTag) { self.tag = tag }

    /// Adds a variant with a value of its own.
    ///
    /// - Parameters:
    ///   - name: The tag's value, or the key whose presence tells.
    ///   - make: Makes a value of the base of one of the variant's type.
    public func variant<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        var result = self
        result.variants.append(JSONVariants.made(name, type, make))
        return result
    }

    /// Adds a variant without a value.
    public func variant(_ name: String, _ make: @escaping @Sendable () -> Base) -> JSONVariants {
        var result = self
        result.variants.append(
            Variant(
                name: name, payload: nil, unit: make, read: { _, _, _ in make() }, attempt: { _ throws(JSONError) in nil }))
        return result
    }

    /// Adds the variant for objects without a tag, or with one that no other variant has.
    public func fallback<Value: JSONBindable>(
        _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        var result = self
        result.fallbackIndex = variants.count
        result.variants.append(JSONVariants.made("", type, make))
        return result
    }

    /// Keeps objects that no variant takes as they are.
    ///
    /// - Parameter make: Is given the tag, if there was one, and the whole value.
    public func unknown(_ make: @escaping @Sendable (_ tag: String?, _ value: RawJSON) -> Base) -> JSONVariants {
        var result = self
        result.unknown = make
        return result
    }

    private static func made<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> Variant {
        Variant(
            name: name, payload: type, unit: nil,
            read: { tape, variant, part in
                let value =
                    if let part {
                        unsafe tape.read(type, variant: variant, part: part.text)
                    } else {
                        tape.read(type, variant: variant)
                    }
                return value.map(make)
            },
            attempt: { (text) throws(JSONError) in make(try Value(json: text.text, options: .strict)) })
    }

    /// The types of all variants; one without a value counts as any JSON.
    var payloads: [any JSONBindable.Type] { variants.map { $0.payload ?? RawJSON.self } }

    // MARK: Reading

    func read(_ tape: borrowing _Tape) throws(JSONError) -> Base? {
        switch tag.form {
        case .key(let key):
            let name = tape.members.member(key)?.tag
            return try read(tape, named: name, key)
        case .adjacent(let key, let content):
            let name = tape.members.member(key)?.tag
            guard let index = index(of: name) else { return try read(tape, named: nil, key, found: name) }
            guard variants[index].payload != nil else { return variants[index].read(tape, index, nil) }
            guard let member = tape.members.member(content) else {
                throw JSONError(.missingKeys, expected: "the value of '\(name ?? "")'", found: "none", keys: [content])
            }
            return unsafe variants[index].read(tape, index, Part(text: member.value))
        case .external:
            var members = tape.members
            guard let member = members.next(), let index = variants.firstIndex(where: { member.hasKey($0.name) }) else {
                return try read(tape, named: nil, "the only key")
            }
            return unsafe variants[index].read(tape, index, Part(text: member.value))
        case .presence:
            let members = tape.members
            let index = variants.indices.first { $0 != fallbackIndex && members.member(variants[$0].name) != nil }
            if let index { return variants[index].read(tape, index, nil) }
            return try read(tape, named: nil, "a key")
        case .function(let choose):
            return try read(tape, named: choose(JSONObjectPeek(tape.members)), "the function's choice")
        case .untagged:
            let text = try tape.raw()
            for variant in variants {
                if let value = try? variant.attempt(text) { return value }
            }
            return try read(tape, named: nil, "the value's form")
        }
    }

    private func index(of name: String?) -> Int? {
        guard let name else { return nil }
        return variants.indices.first { $0 != fallbackIndex && variants[$0].name == name }
    }

    private func read(
        _ tape: borrowing _Tape, named name: String?, _ key: String, found: String? = nil
    ) throws(JSONError) -> Base? {
        if let index = index(of: name) { return variants[index].read(tape, index, nil) }
        if let fallbackIndex { return variants[fallbackIndex].read(tape, fallbackIndex, nil) }
        if let unknown { return unknown(name ?? found, try tape.raw()) }
        let names = variants.map { "'\($0.name)'" }.joined(separator: ", ")
        throw JSONError(
            .invalidValue, expected: "one of \(names) by \(key)",
            found: (name ?? found).map { "'\($0)'" } ?? "an object that is none of them")
    }

    /// The variant that a scalar is: one without a value, by its name.
    func read(_ scalar: JSONScalar) -> Base? {
        switch tag.form {
        case .external:
            return index(of: scalar.string).flatMap { variants[$0].unit?() }
        case .untagged:
            guard let text = scalar.rawText else { return nil }
            for variant in variants {
                if let value = try? variant.attempt(text) { return value }
            }
            return unknown?(nil, text)
        default:
            return nil
        }
    }
}

// MARK: Writing

extension JSONVariants {
    /// Writes a variant without a value.
    public func _write(_ name: String, to writer: inout JSONWriter) throws(JSONError) {
        switch tag.form {
        case .key(let key), .adjacent(let key, _):
            try writer.beginObject()
            try writer.member(key, name)
            writer.endObject()
        case .external: writer.write(name)
        case .presence, .function, .untagged: writer.writeNull()
        }
    }

    /// Writes a variant and its value.
    public func _write<Value: JSONBindable>(_ name: String, _ value: Value, to writer: inout JSONWriter) throws(JSONError) {
        switch tag.form {
        case .key(let key):
            let outer = writer.context
            defer { writer.context = outer }
            writer.pendingTag = (key: key, name: name)
            writer.context.isSpecial = true
            try value._write(to: &writer)
            if writer.pendingTag != nil {
                writer.pendingTag = nil
                throw JSONError(
                    .notWritable, expected: "a model, whose object has room for the key '\(key)'", found: "a \(Value.self)")
            }
        case .adjacent(let key, let content):
            try writer.beginObject()
            try writer.member(key, name)
            try writer.member(content, value)
            writer.endObject()
        case .external:
            try writer.beginObject()
            try writer.member(name, value)
            writer.endObject()
        case .presence, .function, .untagged:
            try value._write(to: &writer)
        }
    }
}

// MARK: Conformance

extension JSONPolymorphic {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.polymorphic(Self.self) }

    public static func _bind(_ tape: _Tape, at destination: _Destination) throws(JSONError) -> _Tape.Outcome {
        guard let value = try jsonVariants.read(tape) else { return .unbound }
        destination.store(value)
        return .bound
    }

    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool {
        guard let value = jsonVariants.read(scalar) else { return false }
        destination.store(value)
        return true
    }

    /// The types of the variants, where the type is the one that properties are declared with, and not one of its variants.
    static var _payloads: [any JSONBindable.Type]? { JSONBase.self == Self.self ? jsonVariants.payloads : nil }
}

extension JSONModel where Self: JSONPolymorphic {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.model(Self.self) }
}
