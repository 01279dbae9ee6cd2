// SPEC §1.8: a document goes into a model that exists.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct UpdateSpecTests {
    @JSONModel
    struct User: Equatable {
        let id: Int
        var name: String
        var nick: String?
        @JSONIgnored var isOnline = false
    }

    @JSONModel
    struct Repository: Equatable {
        @JSONKey("id") var repoID: Int
        var name: String
        var user: User?
        var tags: [String] = ["initial"]
        @JSONUpdate(.append) var stars: [Int] = []
        @JSONUpdate(.append) var seen: Set<Int> = []
        @JSONUpdate(.append) var counts: [String: Int] = [:]
        @JSONUpdate(.replace) var owner: User?
        @JSONKey("meta.size") var size: Int?
        @JSONNull(.default) var level = 3
        var limit: Int? = 10
        @JSONIgnored var isOpen = false
    }

    /// A model that looks at its object before it is read.
    @JSONModel
    struct Hooked: Equatable, JSONWillRead {
        var time: Int?
        var note = "initial"
        var owner: User?
        @JSONIgnored var isOpen = false

        static func willRead(_ object: inout JSONObject) -> Bool {
            if let date = object["date"] { object["time"] = date }
            return object["veto"] == nil
        }
    }

    @JSONModel
    struct Holder: Equatable {
        var inner: Hooked
        var maybe: Hooked?
        @JSONUpdate(.replace) var other: Hooked?
        var list: [Hooked] = []
    }

    @JSONModel
    final class Counter {
        var count = 0
        var step = 1
    }

    private func repository() throws -> Repository {
        var repository = try Repository(
            json: #"{"id":1234,"name":"YYModel","user":{"id":5678,"name":"ibireme","nick":"i"},"meta":{"size":9},"limit":null}"#)
        repository.isOpen = true
        repository.user?.isOnline = true
        return repository
    }

    @Test("B10: a nested model that looks at its object first is merged as any other")
    func nestedModelsWithHooksMerge() throws {
        let owner = User(id: 1, name: "n")
        var holder = Holder(
            inner: Hooked(time: 1, note: "kept", owner: owner, isOpen: true), maybe: nil, other: Hooked(time: 1, note: "old"),
            list: [Hooked(note: "one")])
        let changes = try holder.update(
            json: #"{"inner":{"date":7,"owner":{"name":"m"}},"maybe":{"date":8},"other":{"date":9},"list":[{"date":3}]}"#)
        #expect(holder.inner == Hooked(time: 7, note: "kept", owner: User(id: 1, name: "m"), isOpen: true))
        #expect(holder.maybe == Hooked(time: 8))
        #expect(holder.other == Hooked(time: 9))
        #expect(holder.list == [Hooked(time: 3)])
        #expect(changes.changed.contains("inner.time") && changes.changed.contains("inner.owner.name"))
        #expect(!changes.contains("inner.note"))
        let before = holder
        let error = #expect(throws: JSONError.self) { try holder.update(json: #"{"inner":{"time":"x"}}"#) }
        #expect(error?.path == "inner.time")
        // A veto leaves the model as it was.
        try holder.update(json: #"{"inner":{"veto":1,"time":5}}"#)
        #expect(holder == before)
    }

    @Test("F24: absent keys keep, nested models merge")
    func absentKeepsAndNestedMerges() throws {
        var value = try repository()
        let changes = try value.update(json: #"{"name":"YYImage","user":{"name":"bot"}}"#)
        var expected = try repository()
        expected.name = "YYImage"
        expected.user?.name = "bot"
        #expect(value == expected)
        #expect(value.isOpen)
        #expect(value.user?.isOnline == true)
        #expect(value.limit == nil)
        #expect(changes.assigned == ["name", "user.name"])
        #expect(changes.changed == ["name", "user.name"])
        #expect(changes.contains("user") && changes.contains("user.name") && !changes.contains("tags"))
    }

    @Test("F24: only what differs has changed")
    func onlyWhatDiffersHasChanged() throws {
        var value = try repository()
        let changes = try value.update(json: #"{"name":"YYModel","meta":{"size":10},"user":{"id":5678}}"#)
        #expect(changes.assigned == ["name", "size", "user.id"])
        #expect(changes.changed == ["size"])
        #expect(try value.update(json: "{}").isEmpty)
    }

    @Test("F24: arrays replace, or append where the property says so")
    func arraysReplaceOrAppend() throws {
        var value = try repository()
        try value.update(
            json: #"{"tags":["a"],"stars":[1,2],"seen":[1],"counts":{"a":1,"b":2},"owner":{"id":1,"name":"o","nick":"n"}}"#)
        try value.update(json: #"{"tags":["b","c"],"stars":[3],"seen":[1,2],"counts":{"b":3},"owner":{"id":2,"name":"p"}}"#)
        #expect(value.tags == ["b", "c"])
        #expect(value.stars == [1, 2, 3])
        #expect(value.seen == [1, 2])
        #expect(value.counts == ["a": 1, "b": 3])
        #expect(value.owner == User(id: 2, name: "p", nick: nil))
    }

    @Test("F24: null makes an optional nil and leaves the rest")
    func nullInAnUpdate() throws {
        var value = try repository()
        value.level = 8
        try value.update(json: #"{"name":null,"user":{"nick":null},"meta":{"size":null},"level":null,"tags":null}"#)
        #expect(value.name == "YYModel")
        #expect(value.user?.nick == nil)
        #expect(value.size == nil)
        #expect(value.level == 3)
        #expect(value.tags == ["initial"])
    }

    @Test(
        "F24: after any failure the value is what it was",
        arguments: [
            #"{"name":"X","user":{"name":"#, #"{"name":"X","tags":7}"#, #"{"name":"X","user":{"name":"Y","id":"z"}}"#, "[]", "",
            #"{"name":"X"} x"#, #"{"stars":[1],"owner":{"id":1}}"#,
        ])
    func anUpdateIsAtomic(_ text: String) throws {
        var value = try repository()
        #expect(throws: JSONError.self) { try value.update(json: text) }
        #expect(try value == repository())
    }

    @Test("F24: an object of a class stays the same object")
    func anObjectIsUpdatedInPlace() throws {
        let counter = try Counter(json: #"{"count":4,"step":2}"#)
        let old = counter
        try counter.update(json: #"{"count":5}"#)
        #expect(counter.count == 5)
        #expect(counter.step == 2)
        #expect(old === counter)
    }
}

#endif
