// What reading allocates: the containers of the result and its long strings, and nothing for any token between.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite(.enabled(if: AllocationCounter.isAvailable, "allocations cannot be counted on this platform or under a sanitizer"))
struct AllocationTests {
    /// What a document may cost whatever its size: closures that an unoptimised build puts into memory of their own.
    private let perDocument = 2

    @Test func theCounterCounts() {
        let none = AllocationCounter.count {}
        var arrays: [[UInt8]] = []
        arrays.reserveCapacity(5)
        let some = AllocationCounter.count { for size in 1...5 { arrays.append([UInt8](repeating: 0, count: size * 100)) } }
        #expect(none == 0)
        #expect(some == 5)
        #expect(arrays.count == 5)
    }

    @Test func recordsOfSmallValuesAllocateNothingOfTheirOwn() throws {
        // 10 and 4,000 records: the array that holds them is allocated and little else, however many there are.
        let few = try allocations(records: 10, note: { _ in "short" })
        let many = try allocations(records: 4000, note: { _ in "short" })
        #expect(few <= 1 + perDocument)
        // The memory that elements are gathered in is kept between documents, but for its last step.
        #expect((few...(few + 1)).contains(many))
    }

    @Test func tweetsAndProductsAreBuiltInPlace() throws {
        #expect(Tweet.schema.draftReason == nil)
        #expect(Tweet.User.schema.draftReason == nil)
        #expect(Product.schema.draftReason == nil)
        #expect(Product.Size.schema.draftReason == nil)
        let tweet =
            #"{"id":505874924,"text":"short","user":{"id":1186275104,"screen_name":"ayuu","verified":false},"reply_to":null}"#
        let tweets = try (few: allocations(of: 10, Tweet.self, tweet), many: allocations(of: 1000, Tweet.self, tweet))
        #expect((0...1).contains(tweets.many - tweets.few))
        // A product is allocated nothing but the array of its tags.
        let product =
            #"{"id":7,"name":"Watering can","price":4.95,"inStock":true,"size":{"width":1,"height":2,"depth":3},"tags":["metal"]}"#
        let products = try (few: allocations(of: 10, Product.self, product), many: allocations(of: 1000, Product.self, product))
        #expect((990...991).contains(products.many - products.few))
    }

    @Test(arguments: [0, 1, 17, 500])
    func everyStringOverFifteenBytesIsOneAllocation(_ long: Int) throws {
        let base = try allocations(records: 1000, note: { _ in "fifteen bytes!!" })
        let more = try allocations(records: 1000, note: { $0 < long ? "sixteen bytes!!!" : "fifteen bytes!!" })
        #expect(more - base == long)
        let escaped = try allocations(records: 1000, note: { $0 < long ? #"sixteen \n bytes!!"# : #"\u0066\u00e9"# })
        #expect(escaped - base == long)
    }

    @Test func aValueWithoutAPropertyIsNotAllocated() throws {
        let skipped =
            #","skipped":{"deep":[["a string of more than fifteen bytes",1.5,null,{"\u00e9":"\u00e9 and more than fifteen bytes"}]]}"#
        let without = try allocations(records: 1000, note: { _ in "short" })
        let with = try allocations(records: 1000, note: { _ in "short" }, more: skipped)
        #expect(with == without)
    }

    @Test func aContainerIsOneAllocation() throws {
        var reader = JSONReader()
        let text = "[" + (0..<300).map { "[\($0), \($0 + 1), \($0 + 2)]" }.joined(separator: ",") + "]"
        var value = try reader.read([[Int]].self, from: text)
        let count = try counting { () throws(JSONError) in value = try reader.read([[Int]].self, from: text) }
        #expect(value.count == 300)
        #expect((301...(301 + perDocument)).contains(count))
        // Empty ones share a static one.
        let empty = "[" + repeatElement("[]", count: 300).joined(separator: ",") + "]"
        #expect(try counting { () throws(JSONError) in value = try reader.read([[Int]].self, from: empty) } == count - 300)
    }

    @Test func writingIntoMemoryAllocatesNothingPerValue() throws {
        let few = (0..<10).map { Trio<Int>(required: $0, optional: nil) }
        let many = (0..<1000).map { Trio<Int>(required: $0, optional: nil) }
        var sizes = (0, 0)
        let small = try counting { () throws(JSONError) in sizes.0 = try few.jsonBytes().count }
        let large = try counting { () throws(JSONError) in sizes.1 = try many.jsonBytes().count }
        #expect(sizes.1 > sizes.0 * 100)
        // Only the text's own memory grows, by doubling.
        #expect(large - small <= 12)
    }

    @Test func aSecondTextAllocatesAsMuchWhateverItsLength() throws {
        let few = (0..<10).map { Trio<Int>(required: $0, optional: nil) }
        let many = (0..<1000).map { Trio<Int>(required: $0, optional: nil) }
        // The buffer and the generator are kept from one call to the next.
        var size = try many.jsonBytes().count
        var (small, large) = (Int.max, Int.max)
        // The runtime's own tables may grow meanwhile, which counts as well: the least of several attempts is ours alone.
        for _ in 0..<20 {
            small = min(small, try counting { () throws(JSONError) in size += try few.jsonBytes().count })
            large = min(large, try counting { () throws(JSONError) in size += try many.jsonBytes().count })
        }
        #expect(large == small)
    }

    /// What the second reading of a document of `records` records allocates; the first one makes the reader's own memory.
    private func allocations(records: Int, note: (Int) -> String, more: String = "") throws -> Int {
        let list = (0..<records).map { number in
            #"{"id":\#(number),"name":"n\#(number)","score":\#(number).25,"isOn":true,"note":"\#(note(number))","gone":null\#(more)}"#
        }
        let text = "[\(list.joined(separator: ","))]"
        var reader = JSONReader()
        var value = try reader.read([Record].self, from: text)
        let count = try counting { () throws(JSONError) in value = try reader.read([Record].self, from: text) }
        #expect(value.count == records)
        #expect(value.last?.name == "n\(records - 1)")
        return count
    }

    /// What the second reading of an array allocates that has the same record `count` times.
    private func allocations<Value: JSONModel>(of count: Int, _ type: Value.Type, _ record: String) throws -> Int {
        let text = "[\(repeatElement(record, count: count).joined(separator: ","))]"
        var reader = JSONReader()
        var values = try reader.read([Value].self, from: text)
        let allocations = try counting { () throws(JSONError) in values = try reader.read([Value].self, from: text) }
        #expect(values.count == count)
        return allocations
    }

    /// Allocations of `body` alone.
    private func counting(_ body: () throws(JSONError) -> Void) throws(JSONError) -> Int { try AllocationCounter.count(body) }
}

private struct Record: JSONModel {
    var id: Int
    var name: String
    var score: Double
    var isOn: Bool
    var note: String
    var gone: String?

    struct JSONDraft: _JSONModelDraft {
        var id: Int?
        var name: String?
        var score: Double?
        var isOn: Bool?
        var note: String?
        var gone: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id)
        model.property("name", \JSONDraft.name)
        model.property("score", \JSONDraft.score)
        model.property("isOn", \JSONDraft.isOn)
        model.property("note", \JSONDraft.note)
        model.property("gone", \JSONDraft.gone, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Record.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = try bound.required(draft.id, 0)
        name = try bound.required(draft.name, 1)
        score = try bound.required(draft.score, 2)
        isOn = try bound.required(draft.isOn, 3)
        note = try bound.required(draft.note, 4)
        gone = draft.gone
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Tweet: JSONModel {
    var id: Int
    var text: String
    var user: User
    var replyTo: Int?

    struct User: JSONModel {
        var id: Int
        var screenName: String
        var verified: Bool

        static func _describeJSON(_ model: inout _ModelDescription<_InPlace<User>>) {
            model.keyStrategy = .snakeCase
            model._required("id", \User.id)
            model._required("screenName", \User.screenName)
            model._required("verified", \User.verified)
        }

        static let _jsonTable = PropertyTable._compiled(for: User.self)
        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Tweet>>) {
        model.keyStrategy = .snakeCase
        model._required("id", \Tweet.id)
        model._required("text", \Tweet.text)
        model._required("user", \Tweet.user)
        model._optional("replyTo", \Tweet.replyTo)
    }

    static let _jsonTable = PropertyTable._compiled(for: Tweet.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A product of a shop's catalogue.
private struct Product: JSONModel {
    var id: Int
    var name: String
    var price: Double
    var inStock: Bool
    var size: Size
    var tags: [String]

    struct Size: JSONModel {
        var width: Int
        var height: Int
        var depth: Int

        static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Size>>) {
            model._required("width", \Size.width)
            model._required("height", \Size.height)
            model._required("depth", \Size.depth)
        }

        static let _jsonTable = PropertyTable._compiled(for: Size.self)
        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Product>>) {
        model._required("id", \Product.id)
        model._required("name", \Product.name)
        model._required("price", \Product.price)
        model._required("inStock", \Product.inStock)
        model._required("size", \Product.size)
        model._required("tags", \Product.tags)
    }

    static let _jsonTable = PropertyTable._compiled(for: Product.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
