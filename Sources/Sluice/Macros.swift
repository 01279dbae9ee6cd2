// The attributes that a model is written with. They are declared here and implemented in SluiceMacros, which turns them into
// the conformance that one could also write by hand against SluiceCore.
#if Macros

public import SluiceCore

/// Binds a struct, a final class, or an enum with a raw value to JSON, in both directions.
///
/// ```swift
/// @JSONModel
/// struct Book {
///     let name: String                                 // required: an absent key is an error
///     var pages = 0                                    // has an initial value: an absent key keeps it
///     var author: Author?                              // optional: absent and null both mean nil
///     @JSONKey("ext.desc") var summary: String?        // found at {"ext": {"desc": …}}
///     @JSONIgnored var isOpen = false                  // neither read nor written
/// }
///
/// let book = try Book(json: #"{"name": "Emma", "pages": 474}"#)
/// try book.jsonString()
/// ```
///
/// Every stored property takes part, whatever its access level, in the order of the source. The key is the property's name
/// unless ``JSONKey(_:)`` or the key strategy says otherwise.
///
/// - A `let` with an initial value is written but never read: it cannot change.
/// - An optional with an initial value keeps that value when the key is absent and becomes nil on an explicit null.
/// - Static and computed properties are left alone; observed properties (`willSet`, `didSet`) are stored and take part.
/// - A property without a type annotation needs an initial value that shows its type: a scalar literal, or a call such as
///   `Author(name: "")`. The type of an array or dictionary literal has to be written out.
/// - A closure, a `lazy`, `weak` or `unowned` property has to be marked ``JSONIgnored(_:)``.
/// - A nested `enum CodingKeys: String, CodingKey`, as Codable has it, names the keys of properties that have no ``JSONKey(_:)``, and
///   the properties that it leaves out take no part.
///
/// A struct keeps its memberwise initialiser. A final class keeps its implicit `init()` too, unless it inherits from a type
/// whose name says nothing to a macro; then write `init() {}` yourself.
///
/// A generic model is bindable where its parameters are. The requirement is added for the parameters that a property uses;
/// the others stay free:
///
/// ```swift
/// @JSONModel
/// struct Page<Item> {            // Page<Book> is a JSONModel; Page<Thread> is not, and still a fine type
///     var items: [Item]
///     var next: String?
/// }
/// ```
///
/// An enum with a raw value becomes a scalar, read and written as that value, which has to be a `String` or an integer. An enum
/// whose cases hold values becomes one of their types, told apart by a tag (see `JSONTag`); its names can be changed with
/// ``JSONKey(_:)``, and a case `unknown(RawJSON)` keeps what no other case takes. An enum whose only case with a value is
/// `unknown(String)` is a string: that case keeps those that no other one has, and the names of the others can be changed:
///
/// ```swift
/// @JSONModel
/// enum Status: String { case active, suspended }
///
/// @JSONModel(tag: .key("type"))
/// enum Shape {
///     case circle(Circle)                            // {"type": "circle", "radius": 1}
///     @JSONKey("rect") case rectangle(Rectangle)     // {"type": "rect", "width": 2, "height": 3}
///     case unknown(RawJSON)
/// }
/// ```
///
/// A class has to be final; one with subclasses is marked `@JSONBaseClass` instead, and they are marked `@JSONSubclass`.
///
/// The attribute cannot be applied to a type that is declared inside a function, nor to one that is `private` inside
/// another type (use `fileprivate`): Swift lets no extension reach those.
///
/// Models are read and written on any thread. A struct or an enum may be isolated to the main actor, a class may not; where a module is
/// isolated by default, a subclass of a model and an extension that adds a protocol to one say `nonisolated`.
///
/// - Parameter keys: How the key is derived from the name of a property that has no ``JSONKey(_:)`` of its own.
///   `@JSONModel(keys: .snakeCase)` binds `firstName` to `first_name`.
/// - Parameter layout: Whether the model's JSON form is an object, or an array of its properties in the order of their
///   declaration: `@JSONModel(layout: .array) struct Point { var longitude, latitude: Double }` is bound to `[-65.6, 43.4]`.
/// - Parameter conversions: How values of other JSON types convert, where a property does not say; nil as the reader says.
/// - Parameter null: What an explicit null means for properties that do not say.
/// - Parameter mismatch: What becomes of a value that does not fit, for properties that do not say.
/// - Parameter elements: What becomes of elements that do not fit, for properties that do not say.
/// - Parameter only: The names of the properties that take part; all others are as if marked ``JSONIgnored(_:)``.
/// - Parameter except: The names of properties that take no part.
/// - Parameter observe: Keys whose values `JSONDidRead.didRead(_:)` may ask for, whether properties have them or not.
/// - Parameter tag: What tells the cases of an enum apart whose cases hold values.
/// - Parameter unknownKeys: What becomes of keys that no property has; nil as the reader says.
@attached(
    extension, conformances: JSONReadable, JSONWritable, JSONModel, JSONScalarReadable, JSONScalarWritable, JSONPolymorphic,
    names: named(_jsonTable), named(init(_jsonDraft:bound:)), named(init(_checkedDraft:bound:)),
    named(_writeJSON(_:to:)), named(_makeDraft()), named(_keepUnread(of:)), named(_jsonKeyPath(_:)),
    named(jsonVariants), named(init(jsonScalar:)), named(write(to:)))
@attached(
    member, conformances: JSONModel,
    names: named(JSONDraft), named(_describeJSON(_:)), named(init), named(jsonVariants), named(_jsonVariants()),
    named(_write(to:)), named(_jsonTable), named(_bind(_:)), named(_bind(_:at:)), named(_store(_:at:)), named(write(to:)),
    named(_writeJSON(_:to:)))
public macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

// A declaration of its own: with `JSONCodableModel` among those of every model, Swift 6.3's compiler ends with an internal error
// at a model that derives from another by mistake.

/// Binds a model and makes it `Codable` by way of its table: for frameworks that know nothing else. The other parameters are those of
/// `@JSONModel`.
///
/// ```swift
/// @JSONModel(codable: true)
/// struct Order {
///     var id: Int
/// }
/// ```
///
/// - Parameter codable: Whether the model also conforms to `Codable`, by way of `JSONCodableModel`.
@attached(
    extension, conformances: JSONReadable, JSONWritable, JSONModel, JSONScalarReadable, JSONScalarWritable, JSONPolymorphic,
    JSONCodableModel,
    names: named(_jsonTable), named(init(_jsonDraft:bound:)), named(init(_checkedDraft:bound:)),
    named(_writeJSON(_:to:)), named(_makeDraft()), named(_keepUnread(of:)), named(_jsonKeyPath(_:)),
    named(jsonVariants), named(init(jsonScalar:)), named(write(to:)))
@attached(
    member, conformances: JSONModel,
    names: named(JSONDraft), named(_describeJSON(_:)), named(init), named(jsonVariants), named(_jsonVariants()),
    named(_write(to:)), named(_jsonTable), named(_bind(_:)), named(_bind(_:at:)), named(_store(_:at:)), named(write(to:)),
    named(_writeJSON(_:to:)))
public macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil,
    codable: Bool
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Binds a class that has subclasses; the parameters are those of `@JSONModel`.
///
/// Which class an object becomes is decided by `JSONPolymorphic`; without it, by the type that is asked for. An object
/// is updated in place if all properties that are read can be set.
///
/// ```swift
/// @JSONBaseClass
/// class User { var id = 0 }
///
/// @JSONSubclass(of: User.self)
/// final class LocalUser: User { var host: String? }      // {"id": 7, "host": "here"}
/// ```
// An attribute of its own, because the compiler (6.3.1) ends in an assertion at a subclass of a class whose macro may add
// conformances that it does not add, and `@JSONModel` does that for enums.
@attached(extension, conformances: JSONReadable, JSONWritable, JSONModel)
@attached(
    member, conformances: JSONModel,
    names: named(JSONDraft), named(_describeJSON(_:)), named(_describeJSON(_:in:)), named(init), named(_ownTable),
    named(_jsonTable), named(_bind(_:)), named(_complete(_:at:)), named(_destroy(_:)), named(_writeJSON(_:to:)),
    named(_write(to:)), named(_jsonKeyPath(_:)), named(_jsonKeyPath(_:of:)))
public macro JSONBaseClass(
    keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil, null: JSONNullPolicy? = nil,
    mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil, except: [String] = [],
    observe: [String] = []
) = #externalMacro(module: "SluiceMacros", type: "JSONBaseClassMacro")

/// Binds a subclass of a model: its table starts with the rows of its superclass.
///
/// ```swift
/// @JSONBaseClass
/// class User { var id = 0 }
///
/// @JSONSubclass(of: User.self)
/// final class LocalUser: User { var host: String? }      // {"id": 7, "host": "here"}
/// ```
///
/// - Parameter superclass: The superclass, which is marked with this attribute or with `@JSONBaseClass`.
///
/// The other parameters are those of `@JSONModel`, and hold for the subclass's own properties.
@attached(
    member,
    names: named(JSONDraft), named(_describeJSON(_:in:)), named(init), named(_ownTable), named(_jsonTable), named(_bind(_:)),
    named(_complete(_:at:)), named(_destroy(_:)), named(_writeJSON(_:to:)), named(_jsonKeyPath(_:)),
    named(_jsonKeyPath(_:of:)))
public macro JSONSubclass(
    of superclass: any JSONModel.Type, keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = []
) = #externalMacro(module: "SluiceMacros", type: "JSONBaseClassMacro")

/// Names the key, the key path, or the alternative keys of a property.
///
/// ```swift
/// @JSONModel
/// struct Book {
///     @JSONKey("n") var name: String                           // {"n": "Emma"}
///     @JSONKey("ext.desc") var summary: String?                // {"ext": {"desc": "…"}}
///     @JSONKey("id", "ID", "book_id") var bookID: String?      // the first of these that is not null
/// }
/// ```
///
/// A dot separates the components of a path; ``JSONKey(literal:)`` is for keys that contain one. Alternatives rank in the
/// order given, whatever the order of the keys in the document; the first is the one that is written. Several properties may have
/// the same key: each is given the value, by its own type, and the first that is not nil is written. A key may also be the
/// beginning of another property's path; an object there is then no mismatch of a property that takes a scalar or an array, which
/// stays what it is. A component of digits is the place of an element: `items.0.id`.
///
/// - Parameter keys: String literals, at least one, each a key or a path without empty components.
@attached(peer)
public macro JSONKey(_ keys: String...) = #externalMacro(module: "SluiceMacros", type: "JSONKeyMacro")

/// Names the key of a property, taken as it is: a dot in it does not start a path.
///
/// ```swift
/// @JSONModel
/// struct Release {
///     @JSONKey(literal: "swift.version") var swiftVersion: String    // {"swift.version": "6.3"}
/// }
/// ```
@attached(peer)
public macro JSONKey(literal: String) = #externalMacro(module: "SluiceMacros", type: "JSONKeyMacro")

/// Keeps a property out of the JSON, in both directions or in one.
///
/// ```swift
/// @JSONModel
/// struct Account {
///     @JSONIgnored var isSelected = false                // neither read nor written
///     @JSONIgnored(.writing) var password: String?       // read, never written
///     @JSONIgnored(.reading) var client = "sluice"       // written, never read
///     @JSONIgnored(.archive) var session: String?        // read and written, but no part of an archive
/// }
/// ```
///
/// A property that is not read needs an initial value, or has to be a `var` of type `T?`, since nothing else initializes it.
///
/// - Parameter exclusion: What leaves the property out: `.reading`, `.writing`, `.archive`, or reading and writing when not given.
@attached(peer)
public macro JSONIgnored(_ exclusion: JSONExclusion = .both) =
    #externalMacro(module: "SluiceMacros", type: "JSONIgnoredMacro")

/// Says how values of other JSON types convert for a property: see `JSONConversions`.
///
/// ```swift
/// @JSONModel
/// struct Rating {
///     @JSONConvert(.truncating) var stars: Int           // 4.7 → 4
///     @JSONConvert(.strict) var count: Int               // 3, never "3"
/// }
/// ```
@attached(peer)
public macro JSONConvert(_ conversions: JSONConversions) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says how a date stands in JSON, in both directions: see `JSONDateFormat`.
///
/// ```swift
/// @JSONModel
/// struct Post {
///     @JSONDate(.unix) var published: Date               // 1390220688
///     @JSONDate(.milliseconds) var edited: Date?         // 1390220688000
/// }
/// ```
@attached(peer)
public macro JSONDate(_ format: JSONDateFormat) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says what an explicit null means for a property: see `JSONNullPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Profile {
///     @JSONNull(.empty) var tags: [String]               // null → []
///     @JSONNull(.error) var id: Int?
/// }
/// ```
@attached(peer)
public macro JSONNull(_ policy: JSONNullPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says what becomes of a value that does not fit a property: see `JSONMismatchPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Profile {
///     @JSONMismatch(.nil) var age: Int?                  // {"age": "old"} → nil, counted in the report
/// }
/// ```
@attached(peer)
public macro JSONMismatch(_ policy: JSONMismatchPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says what becomes of the elements of a property that do not fit: see `JSONElementPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Album {
///     @JSONElements(.strict) var photos: [String]        // one element that is no string is an error
/// }
/// ```
@attached(peer)
public macro JSONElements(_ policy: JSONElementPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Lets a string be read from an array too: its elements are joined.
///
/// ```swift
/// @JSONModel
/// struct Track {
///     @JSONJoin(", ") var artists: String                // ["Simon", "Garfunkel"] → "Simon, Garfunkel"
/// }
/// ```
@attached(peer)
public macro JSONJoin(_ separator: String) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says how binary data stands in JSON, in both directions: see `JSONDataFormat`.
///
/// ```swift
/// @JSONModel
/// struct Note {
///     @JSONData(.utf8) var body: Data                    // the bytes of the string itself, not Base64
/// }
/// ```
@attached(peer)
public macro JSONData(_ format: JSONDataFormat) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Says what `update(json:options:)` does with a property: see `JSONUpdatePolicy`.
///
/// ```swift
/// @JSONModel
/// struct Timeline {
///     @JSONUpdate(.append) var posts: [Post] = []        // new posts go behind the old ones
/// }
/// ```
@attached(peer)
public macro JSONUpdate(_ policy: JSONUpdatePolicy) = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Binds a property to JSON that stands in a string, in both directions.
///
/// ```swift
/// @JSONModel
/// struct Message {
///     @JSONString var payload: Payload                   // {"payload": "{\"id\": 7}"}
///     @JSONString var tags: [String]?                    // {"tags": "[\"a\", \"b\"]"}
/// }
/// ```
///
/// The type may be any bindable one. What the reader's options and the property's other markers say holds inside as well. Errors have the
/// place of the string, a path that goes on inside it, and the place inside as a hint. The text is written without line breaks. In an
/// update, the whole value is replaced.
@attached(peer)
public macro JSONString() = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Binds a property by the `Codable` conformance of its type.
///
/// ```swift
/// @JSONModel
/// struct Trip {
///     @JSONCodable var route: [Int: Place]               // a type of another module, a dictionary by numbers
///     @JSONCodable var region: Region?
/// }
/// ```
///
/// Foundation's coders read and write the value where it stands, several times slower than a table does. Dates inside have the form that
/// the property, or else the reader or writer, says. The schema says `JSONModelSchema/Kind/codable`.
@attached(peer)
public macro JSONCodable() = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

/// Keeps a property's value out of descriptions and errors.
///
/// ```swift
/// @JSONModel
/// struct Login {
///     var name: String
///     @JSONSensitive var password: String                // errors say "a number", not which
/// }
/// ```
@attached(peer)
public macro JSONSensitive() = #externalMacro(module: "SluiceMacros", type: "JSONPolicyMacro")

#endif
