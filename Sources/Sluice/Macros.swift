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
/// An enum becomes a scalar, read and written as its raw value, which has to be a `String` or an integer:
///
/// ```swift
/// @JSONModel
/// enum Status: String { case active, suspended }
/// ```
///
/// The attribute cannot be applied to a type that is declared inside a function, nor to one that is `private` inside
/// another type (use `fileprivate`): Swift lets no extension reach those.
///
/// - Parameter keys: How the key is derived from the name of a property that has no ``JSONKey(_:)`` of its own.
///   `@JSONModel(keys: .snakeCase)` binds `firstName` to `first_name`.
/// - Parameter layout: Whether the model's JSON form is an object, or an array of its properties in the order of their
///   declaration: `@JSONModel(layout: .array) struct Point { var longitude, latitude: Double }` is bound to `[-65.6, 43.4]`.
@attached(
    extension, conformances: JSONBindable, JSONModel, JSONScalarBindable,
    names: named(_jsonTable), named(init(_jsonDraft:bound:)), named(init(_checkedDraft:bound:)),
    named(_writeJSON(_:to:)))
@attached(member, names: named(JSONDraft), named(_describeJSON(_:)), named(init))
public macro JSONModel(keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object) =
    #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

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
/// order given, whatever the order of the keys in the document; the first is the one that is written. A key binds one property:
/// a model in which two properties are read from the same key is refused at its first use with an error of kind `invalidModel`.
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
/// }
/// ```
///
/// A property that is not read needs an initial value, or has to be a `var` of type `T?`, since nothing else initializes it.
///
/// - Parameter direction: Which direction leaves the property out: `.reading`, `.writing`, or both when not given.
@attached(peer)
public macro JSONIgnored(_ direction: JSONDirection = .both) =
    #externalMacro(module: "SluiceMacros", type: "JSONIgnoredMacro")

#endif
