// The kinds of type that the attribute is put on: generic, nested, recursive, classes and enums, and containers of them.

#if Macros
public import Sluice
import Testing

@testable import SluiceTestSupport

@JSONModel
struct Page<Item> {
    var items: [Item]
    var next: String?
    var total = 0
}

extension Page: Equatable where Item: Equatable {}

@JSONModel
struct Pair<First, Second> {
    let first: First
    var second: Second?
    var more: [String: Second] = [:]
}

extension Pair: Equatable where First: Equatable, Second: Equatable {}

struct Outside<Value> {
    @JSONModel
    struct Inside {
        var value: Value
        var sibling: Sibling?
    }

    @JSONModel
    struct Sibling { var x: Int }
}

@JSONModel
struct Tree: Equatable {
    var value: Int
    var children: [Tree] = []
    var named: [String: Tree] = [:]
}

@JSONModel
final class Node {
    let id: Int
    var children: [Node] = []
    var next: Node?

    init(id: Int) { self.id = id }

    var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
}

@JSONModel
public final class Settings {
    public var theme = "dark"
    var size: Int?
    @JSONIgnored(.reading) public let version: Int = 1
}

class Base { init() {} }

@JSONModel
final class Derived: Base {
    var extra = 0
    override init() {}
}

/// A public model in a namespace, as a library would have it.
public enum API {
    @JSONModel
    public struct User: Equatable, Sendable {
        public var name: String
        public var status: Status
        var level: Level = .low
        public init(name: String, status: Status) { (self.name, self.status) = (name, status) }
    }

    @JSONModel
    public enum Status: String, Sendable { case active, suspended = "on hold" }

    @JSONModel
    enum Level: Int { case low = 1, high = 10 }

    @JSONModel
    enum Byte: UInt8 { case zero, last = 255 }
}

enum Size: String, JSONKeyBindable { case small, large }

@Suite struct TypeTests {
    @Test func genericModelsBindWithEachArgument() throws {
        let numbers = readEveryWay(Page<Int>.self, #"{"items":[1,2],"next":"n"}"#)
        #expect(numbers.disagreements == [])
        #expect(numbers.outcome == .value(Page(items: [1, 2], next: "n")))
        #expect(try Page<Tree>(json: #"{"items":[{"value":1}]}"#) == Page(items: [Tree(value: 1)]))
        #expect(try Page<Page<String?>>(json: #"{"items":[{"items":["a",null]}]}"#) == Page(items: [Page(items: ["a", nil])]))
        #expect(try Page(items: [1.5]).jsonString() == #"{"items":[1.5],"total":0}"#)
        let pair = Pair(first: [1: 2].count, second: "x", more: ["k": "v"])
        #expect(try Pair<Int, String>(json: try pair.jsonString()) == pair)
        // A page of what cannot be bound is a fine type all the same.
        #expect(Page<() -> Void>(items: [{}]).items.count == 1)
    }

    @Test func modelsInsideGenericTypesBind() throws {
        let inside = try Outside<[Double]>.Inside(json: #"{"value":[1,2.5],"sibling":{"x":3}}"#)
        #expect(inside.value == [1, 2.5])
        #expect(inside.sibling?.x == 3)
        #expect(try Outside<() -> Void>.Sibling(json: #"{"x":1}"#).x == 1)
    }

    @Test func treesHoldThemselves() throws {
        let json =
            #"{"value":1,"children":[{"value":2,"children":[{"value":3}]},{"value":4}],"named":{"a":{"value":5,"named":{"b":{"value":6}}}}}"#
        let tree = Tree(
            value: 1, children: [Tree(value: 2, children: [Tree(value: 3)]), Tree(value: 4)],
            named: ["a": Tree(value: 5, named: ["b": Tree(value: 6)])])
        let reading = readEveryWay(Tree.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(tree))
        #expect(try Tree(json: try tree.jsonString()) == tree)
        let error = #expect(throws: JSONError.self) { try Tree(json: json.replacing("6", with: "true"), options: .strict) }
        #expect(error?.path == "named.a.named.b.value")
    }

    @Test func classesOfAnyDepthComeBack() throws {
        var text = #"{"id":0}"#
        for id in 1..<200 { text = #"{"id":\#(id),"children":[\#(text)]}"# }
        let node = try Node(json: text)
        #expect(node.depth == 200)
        let again = try Node(json: try node.jsonString())
        #expect(again.depth == 200)
        #expect(again.children[0].children[0].id == 197)
        let list = try Node(json: #"{"id":1,"next":{"id":2,"next":{"id":3,"next":null}}}"#)
        #expect(list.next?.next?.id == 3)
        #expect(list.next?.next?.next == nil)
    }

    @Test func nestingPastTheLimitIsAnError() throws {
        var text = #"{"id":0}"#
        for id in 1...128 { text = #"{"id":\#(id),"children":[\#(text)]}"# }
        let error = #expect(throws: JSONError.self) { try Node(json: text, options: .init(maximumDepth: 256)) }
        #expect(error?.kind == .depthLimit)
        let node = try Node(json: text)
        #expect(node.depth == 129)
        let writing = #expect(throws: JSONError.self) { try node.jsonString(options: .init(maximumDepth: 256)) }
        #expect(writing?.kind == .depthLimit)
        #expect(try node.jsonString().utf8.count > 128 * 10)
    }

    @Test func classesKeepTheirInitialisersAndAncestors() throws {
        #expect(try Settings().jsonString() == #"{"theme":"dark","version":1}"#)
        let settings = try Settings(json: #"{"theme":"light","size":3,"version":9}"#)
        #expect(settings.theme == "light")
        #expect(settings.size == 3)
        #expect(settings.version == 1)
        #expect(try Derived(json: #"{"extra":4}"#).extra == 4)
        #expect(Derived().extra == 0)
    }

    @Test func enumsAreTheirRawValues() throws {
        let json = #"{"name":"n","status":"on hold","level":10}"#
        let user = try API.User(json: json)
        #expect(user.status == .suspended)
        #expect(user.level == .high)
        #expect(try user.jsonString() == json)
        #expect(try [API.Byte](json: "[0,255]") == [.zero, .last])
    }

    @Test(arguments: [
        (#"{"name":"n","status":"gone"}"#, "status", 21), (#"{"name":"n","status":"active","level":2}"#, "level", 38),
        (#"{"name":"n","status":"active","level":1e99}"#, "level", 38), (#"{"name":"n","status":7}"#, "status", 21),
    ])
    func unknownRawValueIsInvalidWithItsPosition(_ json: String, _ path: String, _ offset: Int) {
        let error = #expect(throws: JSONError.self) { try API.User(json: json) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == path)
        #expect(error?.position.offset == offset)
        #expect(error?.expected == (path == "status" ? #"a case of Status ("active", "on hold")"# : "a case of Level (1, 10)"))
    }

    @JSONModel
    struct Containers: Equatable {
        var set: Set<String> = []
        var sets: [Set<Int>] = []
        var sizes: [Size: Double] = [:]
        var users: [String: API.User] = [:]
        var grid: [[Int?]] = []
        var statuses: Set<API.Status> = []
        var maybe: [String: [API.Status?]?] = [:]
        var any: [JSONValue] = []
    }

    @Test func containersOfEverythingComeBack() throws {
        let json = #"""
            {"set":["b","a","b"],"sets":[[1,1],[]],"sizes":{"small":1.5,"large":2},
             "users":{"x":{"name":"n","status":"active","level":1}},"grid":[[1,null],[],[2]],"statuses":["active","active"],
             "maybe":{"a":null,"b":["active",null]},"any":[1,"a",null,{"k":[true]}]}
            """#
        let value = Containers(
            set: ["a", "b"], sets: [[1], []], sizes: [.small: 1.5, .large: 2],
            users: ["x": API.User(name: "n", status: .active)], grid: [[1, nil], [], [2]], statuses: [.active],
            maybe: ["a": nil, "b": [.active, nil]], any: [1, "a", nil, ["k": [true]]])
        let reading = readEveryWay(Containers.self, json)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(value))
        for options in [JSONWriter.Options(), .pretty, .sortedKeys, .init(nils: .null)] {
            #expect(try Containers(json: try value.jsonString(options: options)) == value, "\(options)")
        }
    }

    @Test func nilInADictionaryIsWrittenAsNull() throws {
        #expect(try ["a": Int?.none].jsonString() == #"{"a":null}"#)
        #expect(try [String: Int?](json: #"{"a":null}"#) == ["a": nil])
    }

    @Test func equalSetsWithSortedKeysMakeEqualText() throws {
        let set = Set((0..<50).map { "e\($0)" })
        let text = try set.jsonString(options: .sortedKeys)
        #expect(text == "[" + set.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]")
        #expect(try Set([3, 20, 100]).jsonString(options: .init(sortedKeys: true, isPretty: true)) == "[\n  100,\n  20,\n  3\n]")
    }

    @Test func unknownDictionaryKeyIsInvalid() {
        let error = #expect(throws: JSONError.self) { try Containers(json: #"{"sizes":{"small":1,"huge":2}}"#) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == "sizes.huge")
        #expect(error?.found.contains("huge") == true)
    }

    @Test func arraysAndDictionariesOfModelsStandAtTheTop() throws {
        #expect(try [Tree](json: #"[{"value":1},{"value":2}]"#).map(\.value) == [1, 2])
        #expect(try [String: Tree](json: #"{"a":{"value":1}}"#) == ["a": Tree(value: 1)])
        #expect(try Tree?(json: "null") == nil)
        #expect(try Tree?(json: #"{"value":1}"#)?.value == 1)
        #expect(try [[Tree?]](json: #"[[null,{"value":1}]]"#) == [[nil, Tree(value: 1)]])
        #expect(try Int(json: " 7 ") == 7)
        #expect(try ["a": [Tree(value: 1)]].jsonString() == #"{"a":[{"value":1,"children":[],"named":{}}]}"#)
    }
}
#endif
