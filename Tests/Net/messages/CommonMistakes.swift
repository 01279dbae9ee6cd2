// The commonest mistakes in models. Each line that the compiler must complain about ends in the complaint, and no other line has one:
// Scripts/net messages compares.

import Sluice

struct Author { var name = "" }
enum Status: String { case draft, printed }
protocol Shape {}

@JSONModel struct Book {
    var name: String
    var author: Author?  // error: mark 'Author' with '@JSONModel', or the property with '@JSONIgnored'
    var states: [Status] = []  // error: mark 'Status' with '@JSONModel', or the property with '@JSONIgnored'
    var pages: [Double: String] = [:]  // error: a dictionary's keys are strings
    var shape: any Shape  // error: 'any Shape' may be of any type; use an enum
    var time: Duration  // error: 'Duration' is bound by its Codable conformance: mark the property with '@JSONCodable'
    var range: [ClosedRange<Int>]?  // error: 'ClosedRange<Int>' is bound by its Codable conformance
}

struct Page<Item> {
    @JSONModel struct Sibling { var item: Item? }
    @JSONModel struct Meta {
        var sibling: Sibling?  // error: if it depends on a generic parameter, constrain that to 'JSONBindable'
    }
}
extension Page {
    @JSONModel struct Extra {
        var item: Item?  // error: if it depends on a generic parameter, constrain that to 'JSONBindable'
    }
}

@JSONModel struct Untyped {
    var extra: [String: Any] = [:]  // error: property 'extra' has values of type 'Any', which JSON cannot be
}

@JSONModel struct Unclear {
    var tags = ["a"]  // error: type annotation missing for property 'tags'
    var action: () -> Void  // error: property 'action' has a function type, which JSON cannot represent
    var field: JSONField<Int?>  // error: null is a value of every field; write 'JSONField<Int>'
}

@JSONModel class Animal { var name = "" }  // error: '@JSONModel' requires class 'Animal' to be final
@JSONModel final class Dog: Animal { var tail = 1 }  // error: a subclass says '@JSONSubclass(of: Animal.self)'

@JSONBaseClass class User { var id = 0 }
@JSONModel final class Admin: User { var level = 1 }  // error: a subclass says '@JSONSubclass(of: User.self)'
@JSONBaseClass class Guest: User { var until = "" }  // error: a subclass says '@JSONSubclass(of: User.self)'

class Plain { var id = 0 }
@JSONSubclass(of: Plain.self) class Odd: Plain { var more = 1 }  // error: 'Plain' does not conform to expected type 'JSONModel'

@JSONBaseClass class Lazy { lazy var name = "" }  // error: lazy property 'name' cannot be bound to JSON
@JSONSubclass(of: Lazy.self) final class Lazier: Lazy { var more = 1 }

@JSONBaseClass class Root { var id = 0 }
@JSONSubclass(of: Root.self) final class Leaf: Root { var level = 1 }

@JSONModel(tag: .key("t")) enum Event {
    case opened(Untyped)
    @JSONKey("opened") case closed(Untyped)  // error: case 'closed' has the same name in JSON as case 'opened': 'opened'
}
@JSONModel enum Choice {
    @JSONKey("x") case first, second  // error: case 'second' has the same name in JSON as case 'first': 'x'
    case unknown(String)
}
@JSONModel enum Size: String {
    @JSONKey("s") case small  // error: write 'case small = "s"'
}

@JSONModel struct Pack<each Item> { var id = 0 }  // error: Swift's runtime stops at key paths of types with a parameter pack

@JSONModel enum Level { case low, high }  // error: enum 'Level' has no raw type

@JSONModel(except: ["pagse"]) struct Typo {  // error: 'Typo' has no stored property 'pagse'
    var pages = 1
}

@MainActor @JSONModel final class Screen { var title = "" }  // error: class 'Screen' is isolated to the main actor
@globalActor actor DatabaseActor { static let shared = DatabaseActor() }
@DatabaseActor @JSONModel final class Record { var title = "" }  // error: class 'Record' is isolated to '@DatabaseActor'
@DatabaseActor @JSONModel struct Row { var title = "" }

// None of these becomes an error because of one above.
func use() throws {
    _ = try Book(json: "{}").jsonString()
    _ = try [Unclear](json: "[]").map { try $0.copy() }
    _ = try Animal(json: "{}").archive()
    _ = try Lazier(json: "{}")
    _ = try Level(json: "1")
    _ = try [String: Typo](json: "{}")
    _ = try Screen(json: "{}")
    _ = try Row(json: "{}")
    _ = try Event(json: "{}").jsonString()
    print(Leaf().level)  // error: the generated initializer keeps 'Leaf' from inheriting 'init()'; add
}
