// What was read lives as long as its owner, and what was read in vain not at all.

#if Macros
import Sluice
import Synchronization
import Testing

@testable import SluiceTestSupport

/// Counts its own instances.
@JSONModel
final class Counted {
    static let alive = Atomic(0)

    var name: String { didSet {} }
    @JSONKey("best", "good", "path.fair") var list: [Counted] = []
    var named: [String: Counted?] = [:]
    @JSONIgnored private var token = Token()

    /// Comes with every instance, whichever initialiser made it, and goes with it.
    private final class Token {
        init() { Counted.alive.add(1, ordering: .relaxed) }
        deinit { Counted.alive.subtract(1, ordering: .relaxed) }
    }
}

@Suite(.serialized) struct LifetimeTests {
    private var alive: Int { Counted.alive.load(ordering: .relaxed) }

    private static let json = #"""
        {"name":"a","path":{"fair":[{"name":"f1"},{"name":"f2"}]},"good":[{"name":"g","named":{"x":{"name":"n"},"y":null}}],
         "best":[{"name":"b1"},{"name":"b2","list":null,"best":[{"name":"deep, and longer than fifteen bytes"}]}],
         "named":{"x":{"name":"n1"},"x":{"name":"n2"}},"named":{"z":{"name":"n3"}},"name":"another of more than fifteen bytes"}
        """#

    @Test func replacedInstancesAreReleased() throws {
        do {
            let root = try Counted(json: Self.json)
            #expect(root.list.map(\.name) == ["b1", "b2"])
            #expect(root.list[1].list.count == 1)
            #expect(root.named.keys.sorted() == ["z"])
            #expect(alive == 5)
        }
        #expect(alive == 0)
    }

    @Test func truncatedDocumentLeavesNoInstances() {
        let bytes = Array(Self.json.utf8)
        var reader = JSONReader(options: JSONReader.Options().inPieces)
        for count in 0..<bytes.count {
            var source = BytesSource(Array(bytes[..<count]), chunkSize: 7)
            #expect(throws: JSONError.self) { _ = try reader.read(Counted.self, from: Array(bytes[..<count])) }
            #expect(throws: JSONError.self) { _ = try reader.read(Counted.self, from: &source) }
        }
        #expect(alive == 0)
    }

    @Test func wrongValueAnywhereLeavesNoInstances() {
        for (index, character) in Self.json.enumerated() where character == "\"" || character == "[" || character == "{" {
            let position = Self.json.index(Self.json.startIndex, offsetBy: index)
            let damaged = Self.json[..<position] + "7" + Self.json[Self.json.index(after: position)...]
            #expect(throws: JSONError.self) { try Counted(json: String(damaged)) }
        }
        #expect(alive == 0)
    }

    @JSONModel struct Wide<Item> { var a: Item; var b: [Item] = []; var c: [String: Item] = [:]; var d: Item? }
    @JSONModel struct First { var x: Int; var second: [Second] = [] }
    @JSONModel struct Second { var x: Int; var first: First? }

    /// A table is compiled once, by the task that needs it first.
    @Test func tablesAreCompiledByManyTasksAtOnce() async throws {
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<64 {
                group.addTask {
                    var sum = 0
                    switch task % 4 {
                    case 0: sum += try Wide<Int>(json: #"{"a":1}"#).a
                    case 1: sum += try Wide<Wide<UInt16>>(json: #"{"a":{"a":1}}"#).a.a == 1 ? 1 : 0
                    case 2: sum += try First(json: #"{"x":1,"second":[{"x":2,"first":{"x":3}}]}"#).x
                    default: sum += try [Second](json: #"[{"x":1,"first":{"x":3,"second":[]}}]"#)[0].x
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sums == 64)
    }
}
#endif
