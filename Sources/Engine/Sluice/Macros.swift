// The attributes for models. They are declared here and implemented in SluiceMacros, which generates the conformance that you could
// also write by hand against SluiceCore.
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
/// Every stored property takes part, whatever its access level, in the order of the source. Its key is its name, unless
/// ``JSONKey(_:)`` or the key strategy sets another one.
///
/// - A `let` with an initial value is written but never read: it cannot change.
/// - An optional with an initial value keeps that value when the key is absent and becomes nil on an explicit null.
/// - Static and computed properties are ignored; observed properties (`willSet`, `didSet`) are stored and take part.
/// - A property without a type annotation needs an initial value that shows its type: a scalar literal, or a call such as
///   `Author(name: "")`. For an array or dictionary literal, write the type out.
/// - A property that is a closure, or is `lazy`, `weak` or `unowned`, must be marked ``JSONIgnored(_:)``.
/// - A nested `enum CodingKeys: String, CodingKey`, as with Codable, names the keys of properties that have no ``JSONKey(_:)``.
///   Properties that it does not list take no part.
///
/// A struct keeps its memberwise initialiser. A final class keeps its implicit `init()` too, unless its inheritance clause names a type
/// of which the macro cannot know whether it is a class; then write `init() {}` yourself.
///
/// A generic model is bindable if its type parameters are. This is required only of the parameters that a property uses; the others
/// stay unconstrained:
///
/// ```swift
/// @JSONModel
/// struct Page<Item> {            // Page<Book> is a JSONModel; Page<Thread> is not, and still a fine type
///     var items: [Item]
///     var next: String?
/// }
/// ```
///
/// An enum with a raw value becomes a scalar, read and written as that value, which must be a `String` or an integer. An enum whose
/// cases have associated values is read as one of their types; a tag tells which (see `JSONTag`). ``JSONKey(_:)`` changes the tag's
/// value for a case; no two cases have the same. A case `unknown(RawJSON)` keeps values that fit no other case. An enum whose only case with a value is
/// `unknown(String)` is a string: that case keeps strings that are no other case's name, and those names can be changed, too:
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
/// A class must be final. Mark a class that has subclasses `@JSONBaseClass` instead, and its subclasses `@JSONSubclass`.
///
/// The attribute cannot be applied to a type that is declared inside a function, or that is `private` inside another type (use
/// `fileprivate`): Swift allows no extension of such types.
///
/// Models can be read and written on any thread. A struct or an enum may be isolated to the main actor, a class may not. In a module that
/// is isolated by default, mark a subclass of a model, and an extension that adds a protocol to a model, `nonisolated`.
///
/// - Parameter keys: How the key is derived from the name of a property that has no ``JSONKey(_:)`` of its own.
///   `@JSONModel(keys: .snakeCase)` binds `firstName` to `first_name`.
/// - Parameter layout: Whether the model's JSON form is an object, or an array of its properties in the order of their
///   declaration: `@JSONModel(layout: .array) struct Point { var longitude, latitude: Double }` is bound to `[-65.6, 43.4]`.
/// - Parameter conversions: How values of other JSON types are converted, for properties without ``JSONConvert(_:)``; nil to follow the
///   reader's options.
/// - Parameter null: What an explicit null means, for properties without ``JSONNull(_:)``.
/// - Parameter mismatch: What happens to a value that does not fit, for properties without ``JSONMismatch(_:)``.
/// - Parameter elements: What happens to elements that do not fit, for properties without ``JSONElements(_:)``.
/// - Parameter only: The names of the properties that take part; all others are treated as if marked ``JSONIgnored(_:)``.
/// - Parameter except: The names of properties that take no part.
/// - Parameter observe: Keys whose values `JSONDidRead.didRead(_:)` may ask for; no property needs to have them.
/// - Parameter tag: How the JSON shows which case an enum has, if its cases have associated values.
/// - Parameter unknownKeys: What happens to keys that no property has; nil to follow the reader's options.
@attached(
    extension,
    conformances: _JSONReadable, JSONReadable, JSONWritable, _ReadableModel, JSONModel, JSONScalarReadable,
    JSONScalarWritable, JSONPolymorphic, CustomReflectable,
    names: named(customMirror), named(_jsonTable), named(init(_jsonDraft:bound:)), named(init(_checkedDraft:bound:)),
    named(init(_keeping:readFrom:)), named(_writeJSON(_:to:)), named(_makeDraft()), named(_keepUnread(of:)),
    named(_jsonKeyPath(_:)),
    named(jsonVariants), named(init(jsonScalar:)), named(write(to:)), named(_jsonCases))
@attached(
    member,
    conformances: JSONModel, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, JSONDescribable,
    names: named(JSONDraft), named(_describeJSON(_:)), named(init), named(jsonVariants), named(_jsonVariants()),
    named(_write(to:)), named(_jsonTable), named(_bind(_:)), named(_bind(_:at:)), named(_store(_:at:)), named(write(to:)),
    named(_writeJSON(_:to:)), named(_jsonKeyPath(_:)))
public macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

// This is a separate declaration: if `JSONCodableModel` were among the conformances of every model, Swift 6.3's compiler would stop
// with an internal error at a model that derives from another by mistake.

/// Binds a model, and makes it `Codable` through its property table: for frameworks that accept only Codable types. The other parameters
/// are those of `@JSONModel`.
///
/// ```swift
/// @JSONModel(codable: true)
/// struct Order {
///     var id: Int
/// }
/// ```
///
/// - Parameter codable: Whether the model also conforms to `Codable`, through `JSONCodableModel`.
@attached(
    extension,
    conformances: _JSONReadable, JSONReadable, JSONWritable, _ReadableModel, JSONModel, JSONScalarReadable,
    JSONScalarWritable, JSONPolymorphic, JSONCodableModel, CustomReflectable,
    names: named(customMirror), named(_jsonTable), named(init(_jsonDraft:bound:)), named(init(_checkedDraft:bound:)),
    named(init(_keeping:readFrom:)), named(_writeJSON(_:to:)), named(_makeDraft()), named(_keepUnread(of:)),
    named(_jsonKeyPath(_:)),
    named(jsonVariants), named(init(jsonScalar:)), named(write(to:)), named(_jsonCases))
@attached(
    member,
    conformances: JSONModel, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, JSONDescribable,
    names: named(JSONDraft), named(_describeJSON(_:)), named(init), named(jsonVariants), named(_jsonVariants()),
    named(_write(to:)), named(_jsonTable), named(_bind(_:)), named(_bind(_:at:)), named(_store(_:at:)), named(write(to:)),
    named(_writeJSON(_:to:)), named(_jsonKeyPath(_:)))
public macro JSONModel(
    keys: JSONKeyStrategy = .verbatim, layout: JSONLayout = .object, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = [], observe: [String] = [], tag: JSONTag? = nil, unknownKeys: JSONUnknownKeys? = nil,
    codable: Bool
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Binds a class that has subclasses; the parameters are those of `@JSONModel`.
///
/// `JSONPolymorphic` decides which class is made from a JSON object; without it, the type that you read. An update keeps the
/// instance.
///
/// ```swift
/// @JSONBaseClass
/// class User { var id = 0 }
///
/// @JSONSubclass(of: User.self)
/// final class LocalUser: User { var host: String? }      // {"id": 7, "host": "here"}
/// ```
// This is a separate attribute, because the compiler (6.3.1) fails with an assertion at a subclass of a class whose macro declares
// conformances that it then does not add; `@JSONModel` declares some only for enums.
@attached(
    extension, conformances: _JSONReadable, JSONReadable, JSONWritable, _ReadableModel, JSONModel, CustomReflectable,
    names: named(customMirror))
@attached(
    member,
    conformances: JSONModel, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, JSONDescribable,
    names: named(JSONDraft), named(_describeJSON(_:)), named(_describeJSON(_:in:)), named(init), named(_ownTable),
    named(_jsonTable), named(_bind(_:)), named(_complete(_:at:)), named(_destroy(_:)), named(_writeJSON(_:to:)),
    named(_write(to:)), named(_jsonKeyPath(_:)), named(_jsonKeyPath(_:of:)), named(_jsonMirror()))
public macro JSONBaseClass(
    keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil, null: JSONNullPolicy? = nil,
    mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil, except: [String] = [],
    observe: [String] = []
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Binds a subclass of a model: its property table starts with the rows of its superclass.
///
/// ```swift
/// @JSONBaseClass
/// class User { var id = 0 }
///
/// @JSONSubclass(of: User.self)
/// final class LocalUser: User { var host: String? }      // {"id": 7, "host": "here"}
/// ```
///
/// - Parameter superclass: The superclass; it is marked with this attribute or with `@JSONBaseClass`.
///
/// The other parameters are those of `@JSONModel`, and apply to the subclass's own properties.
@attached(
    member, conformances: CustomStringConvertible, CustomDebugStringConvertible, JSONDescribable,
    names: named(JSONDraft), named(_describeJSON(_:in:)), named(init), named(_ownTable), named(_jsonTable), named(_bind(_:)),
    named(_complete(_:at:)), named(_destroy(_:)), named(_writeJSON(_:to:)), named(_jsonKeyPath(_:)),
    named(_jsonKeyPath(_:of:)), named(_jsonMirror()))
public macro JSONSubclass(
    of superclass: any JSONModel.Type, keys: JSONKeyStrategy = .verbatim, conversions: JSONConversions? = nil,
    null: JSONNullPolicy? = nil, mismatch: JSONMismatchPolicy? = nil, elements: JSONElementPolicy? = nil, only: [String]? = nil,
    except: [String] = []
) = #externalMacro(module: "SluiceMacros", type: "JSONModelMacro")

/// Names the key, the key path, or the alternative keys of a property.
///
/// ```swift
/// @JSONModel
/// struct Book {
///     @JSONKey("n") var name: String                           // {"n": "Emma"}
///     @JSONKey("ext.desc") var summary: String?                // {"ext": {"desc": "…"}}
///     @JSONKey("id", "ID", "book_id") var bookID: String?      // the first of these that is not null
///     @JSONKey("items[0].id") var first: Int?                  // {"items": [{"id": 7}]}
/// }
/// ```
///
/// A dot separates the keys of a path, and a number in brackets, or digits, is the index of an array's element. Write a key with
/// other characters in double quotes, or use ``JSONKey(literal:)``. See <doc:Paths>. Alternatives rank in the order given, whatever the
/// order of the keys in the document; the first one is written.
///
/// Several properties may have the same key: each reads the value by its own type, and the first property that is not nil is written. A
/// key may also be the beginning of another property's path. If the value there is an object, and the property with the short key takes a
/// scalar or an array, that is not a mismatch: the property keeps its value.
///
/// - Parameter keys: String literals, at least one, each a key or a path.
@attached(peer)
public macro JSONKey(_ keys: String...) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Names the key of a property literally: a dot in it does not separate components of a path.
///
/// ```swift
/// @JSONModel
/// struct Release {
///     @JSONKey(literal: "swift.version") var swiftVersion: String    // {"swift.version": "6.3"}
/// }
/// ```
@attached(peer)
public macro JSONKey(literal: String) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Keeps a property out of the JSON, in both directions or in one.
///
/// ```swift
/// @JSONModel
/// struct Account {
///     @JSONIgnored var isSelected = false                // neither read nor written
///     @JSONIgnored(.writing) var password: String?       // read, never written
///     @JSONIgnored(.reading) var client = "sluice"       // written, never read
///     @JSONIgnored(.archive) var session: String?        // read and written, but not in an archive
/// }
/// ```
///
/// A property that is left out in both directions may be of any kind: a closure, a tuple, `lazy`, `weak`. An update keeps its value.
///
/// A property that is not read needs an initial value, or must be a `var` of type `T?`, because nothing else initializes it.
///
/// - Parameter exclusion: Where the property is left out: `.reading`, `.writing` or `.archive`; by default in both reading and writing.
@attached(peer)
public macro JSONIgnored(_ exclusion: JSONExclusion = .both) =
    #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets how values of other JSON types are converted for a property: see `JSONConversions`.
///
/// ```swift
/// @JSONModel
/// struct Rating {
///     @JSONConvert(.truncating) var stars: Int           // 4.7 → 4
///     @JSONConvert(.strict) var count: Int               // 3, never "3"
/// }
/// ```
@attached(peer)
public macro JSONConvert(_ conversions: JSONConversions) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets the format of a date in JSON, in both directions: see `JSONDateFormat`.
///
/// ```swift
/// @JSONModel
/// struct Post {
///     @JSONDate(.unix) var published: Date               // 1390220688
///     @JSONDate(.milliseconds) var edited: Date?         // 1390220688000
/// }
/// ```
@attached(peer)
public macro JSONDate(_ format: JSONDateFormat) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets what an explicit null means for a property: see `JSONNullPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Profile {
///     @JSONNull(.empty) var tags: [String]               // null → []
///     @JSONNull(.error) var id: Int?
/// }
/// ```
@attached(peer)
public macro JSONNull(_ policy: JSONNullPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets what happens to a value that does not fit a property: see `JSONMismatchPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Profile {
///     @JSONMismatch(.nil) var age: Int?                  // {"age": "old"} → nil, counted in the report
/// }
/// ```
@attached(peer)
public macro JSONMismatch(_ policy: JSONMismatchPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets what happens to elements of a property that do not fit: see `JSONElementPolicy`.
///
/// ```swift
/// @JSONModel
/// struct Album {
///     @JSONElements(.strict) var photos: [String]        // one element that is not a string is an error
/// }
/// ```
@attached(peer)
public macro JSONElements(_ policy: JSONElementPolicy) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Lets a string property also be read from an array: the array's elements are joined.
///
/// ```swift
/// @JSONModel
/// struct Track {
///     @JSONJoin(", ") var artists: String                // ["Simon", "Garfunkel"] → "Simon, Garfunkel"
/// }
/// ```
@attached(peer)
public macro JSONJoin(_ separator: String) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets the format of binary data in JSON, in both directions: see `JSONDataFormat`.
///
/// ```swift
/// @JSONModel
/// struct Note {
///     @JSONData(.utf8) var body: Data                    // the bytes of the string itself, not Base64
/// }
/// ```
@attached(peer)
public macro JSONData(_ format: JSONDataFormat) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Sets what `update(json:options:)` does with a property: see `JSONUpdatePolicy`.
///
/// ```swift
/// @JSONModel
/// struct Timeline {
///     @JSONUpdate(.append) var posts: [Post] = []        // new posts are appended to the old ones
/// }
/// ```
@attached(peer)
public macro JSONUpdate(_ policy: JSONUpdatePolicy) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Binds a property to JSON text inside a string, in both directions.
///
/// ```swift
/// @JSONModel
/// struct Message {
///     @JSONString var payload: Payload                   // {"payload": "{\"id\": 7}"}
///     @JSONString var tags: [String]?                    // {"tags": "[\"a\", \"b\"]"}
/// }
/// ```
///
/// The type may be any bindable one. The reader's options and the property's other markers also apply inside the string. An error has the
/// position of the string, a path that continues inside it, and the position inside it as a hint. The text is written without line breaks. An
/// update replaces the whole value.
@attached(peer)
public macro JSONString() = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Binds a property by the `Codable` conformance of its type.
///
/// ```swift
/// @JSONModel
/// struct Trip {
///     @JSONCodable var route: Route                      // a type of another module
///     @JSONCodable var region: Region?
/// }
/// ```
///
/// Foundation's coders read and write the value in place, several times slower than a property table does. Dates inside have the format
/// set by the property, or else by the reader or writer. In the schema, the property has the kind `JSONModelSchema/Kind/codable`.
@attached(peer)
public macro JSONCodable() = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Puts the keys of a property's value into the object of the model around it.
///
/// ```swift
/// @JSONModel
/// struct Page { var total: Int; var next: String? }
///
/// @JSONModel
/// struct List {
///     @JSONInline var page: Page                         // {"total": 2, "next": null, "items": [1, 2]}
///     var items: [Int]
/// }
/// ```
///
/// The type is a model, or an enum with a tag whose cases hold models. It may itself have inlined properties. If the type is an optional, or
/// the property has an initial value, an object without any of the keys leaves it nil, or as it was. A key that two properties have is an
/// error of kind `invalidModel` at the first use. Unknown keys are those that neither model knows, and the rule of the outer one holds for
/// them. The object is captured and read twice, which is slower than to list the properties. See <doc:EventsAndVariants>.
@attached(peer)
public macro JSONInline() = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Keeps a property's value out of descriptions, dumps, errors and reports.
///
/// ```swift
/// @JSONModel
/// struct Login {
///     var name: String
///     @JSONSensitive var password: String                // errors say "a number", not which
/// }
///
/// print(Login(name: "x", password: "hunter2"))           // Login(name: "x", password: <redacted>)
/// ```
///
/// The model gets a mirror (`CustomReflectable`), which also descriptions use, and those of values around it. A description of your own
/// is left alone.
@attached(peer)
public macro JSONSensitive() = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Makes a property accept only values that meet these rules, besides having its type.
///
/// ```swift
/// @JSONModel
/// struct Person {
///     @JSONConstraint(.range(0...130)) var age: Int
///     @JSONConstraint(.length(1...80)) var name: String
///     @JSONConstraint(.format(.email)) var mail: String?
///     @JSONConstraint(.count(...10), .unique) var tags: [String] = []
/// }
///
/// try Person(json: #"{"age": 131, "name": "Ann"}"#)
/// // constraint 'maximum' at age (line 1, column 9, byte 8): expected a number from 0 to 130, found the number 131
/// ```
///
/// The values are checked while they are read, after conversions. The rules are part of the model's ``JSONReadable/jsonSchema(_:)``. A rule that
/// does not fit the property's type is an error of the compiler; where the type has a name of its own, it is an error of kind `invalidModel`
/// at the first use. `JSONConstraint` lists the rules. See <doc:SchemasForTools>.
@attached(peer)
public macro JSONConstraint(_ constraints: JSONConstraint...) =
    #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Names the column of a property, and gives it a type, for a table that records of the model are ingested into.
///
/// ```swift
/// @JSONModel
/// struct Event {
///     @JSONColumn("event_id", .text) var id: UInt64       // otherwise a column `id`
///     @JSONColumn(.json) var actor: Actor                 // one column, otherwise one for each property of `Actor`
///     @JSONColumn("labels") var tags: [String]
/// }
/// ```
///
/// Without it, a column has the name of the property's key, and a type that holds all values of the property's type. The article
/// "The loader" lists these types. A type that cannot hold the property's values is an error of the ingest.
@attached(peer)
public macro JSONColumn(_ name: String, _ type: ColumnType? = nil) =
    #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Gives the column of a property another type: see `JSONColumn(_:_:)`.
@attached(peer)
public macro JSONColumn(_ type: ColumnType) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// Gives each element of an array of models a row in a table of its own, for a table that records of the model are ingested into.
///
/// ```swift
/// @JSONModel
/// struct Order {
///     var id: Int
///     @JSONColumn(.table) var items: [Item]       // in `orders_items`, with the columns of `Item`
/// }
/// ```
///
/// A row has the key of its record's row and the element's position: the article "Nested feeds" shows such tables.
@attached(peer)
public macro JSONColumn(_ elements: ElementStorage) = #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

/// The same with a name for the table, which follows the name of the records' table: see `JSONColumn(_:)`.
@attached(peer)
public macro JSONColumn(_ name: String, _ elements: ElementStorage) =
    #externalMacro(module: "SluiceMacros", type: "JSONMarkerMacro")

#endif
