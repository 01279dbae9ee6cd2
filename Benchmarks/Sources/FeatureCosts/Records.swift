// One record, bound in many ways: each model differs from `Plain` in one feature, so the difference in instructions is what that
// feature costs.

import Foundation
import Sluice

@JSONModel
struct Person: Equatable {
    var id: Int
    var name: String
}

/// The record without any feature.
@JSONModel
struct Plain {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?
}

/// The same with every policy said, and none at work.
@JSONModel(conversions: .lenient, null: .keep, mismatch: .throw, elements: .strict)
struct WithPolicies {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?
}

/// A null that becomes the empty string, and one element that is left out.
@JSONModel(mismatch: .nil, elements: .skipInvalid)
struct Tolerant {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [Int]
    var author: Person
    var created: String
    @JSONNull(.empty) var note: String
}

@JSONModel
struct WithDate {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: Date
    var note: String?
}

@JSONModel
struct WithEpoch {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    @JSONDate(.milliseconds) var created: Date
    var note: String?
}

/// One scalar for two properties, and an object that is a property and the way to another.
@JSONModel
struct Shared {
    var id: Int
    @JSONKey("id") var text: String
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    @JSONKey("author.name") var authorName: String
    var created: String
    var note: String?
}

@JSONModel
struct Alternatives {
    @JSONKey("ID", "id") var id: Int
    @JSONKey("name", "title") var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?
}

@JSONModel
struct Place {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    @JSONKey("tags.0") var tag: String
    var author: Person
    var created: String
    var note: String?
}

@JSONModel
struct Checked: JSONDidRead {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?

    mutating func didRead(_ context: JSONReadContext) -> Bool { pages > 0 }
}

@JSONModel
struct Prepared: JSONWillRead {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?

    static func willRead(_ object: inout JSONObject) -> Bool { object["id"] != nil }
}

@JSONModel
struct Completed: JSONDidWrite {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?

    func didWrite(_ object: inout JSONObject) -> Bool { true }
}

@JSONModel(tag: .key("kind"))
enum Item {
    case book(Plain)
    case film(Person)
}

/// The same record by references.
@JSONModel
final class PlainObject {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?
}

@JSONBaseClass
class Publication {
    var id: Int
    var title: String
    var pages = 0
    var price: Double
}

@JSONSubclass(of: Publication.self)
final class BookObject: Publication {
    var available: Bool
    var tags: [String]
    var author: Person
    var created: String
    var note: String?
}
