// F9: several properties write one key, and a selection chooses among them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private enum OneKey: SlotKeys { static let keys: [[JSONKeyPath]] = [["v"], ["v"], ["w"], ["v"]] }
private enum LeafAndPath: SlotKeys { static let keys: [[JSONKeyPath]] = [["ext.d"], ["ext.d"], ["ext.d.e"], ["f"]] }
private enum NestedGroups: SlotKeys {
    static let keys: [[JSONKeyPath]] = [["a"], ["a.b"], ["a.b"], ["a.b.c"], ["a.d"], ["z"]]
}
private enum TwoDates: SlotKeys {
    static let keys: [[JSONKeyPath]] = [["at"], ["at"]]
    static let policies = [JSONPropertyPolicy(date: .unix), JSONPropertyPolicy(date: .format("yyyy"))]
}

extension EncodingSpecTests {
    @Test("F9: of the properties of one key the first that is not nil is written")
    func firstNonNilIsWritten() throws {
        #expect(try Shared<Int, OneKey>(1, 2, 3, 4).jsonString() == #"{"v":1,"w":3}"#)
        #expect(try Shared<Int, OneKey>(nil, 2, 3, 4).jsonString() == #"{"v":2,"w":3}"#)
        #expect(try Shared<Int, OneKey>(nil, nil, nil, 4).jsonString() == #"{"v":4}"#)
        #expect(try Shared<Int, OneKey>(nil, nil, 3, nil).jsonString() == #"{"w":3}"#)
        #expect(try Shared<Int, OneKey>(nil, nil, nil, nil).jsonString() == "{}")
        #expect(try Shared<Int, OneKey>(nil, nil, 3, 4).jsonString(options: .init(nils: .null)) == #"{"v":4,"w":3}"#)
        #expect(try Shared<Int, OneKey>(nil, nil, nil, nil).jsonString(options: .init(nils: .null)) == #"{"v":null,"w":null}"#)
        #expect(try Shared<Int, OneKey>(nil, 2, nil, 4).jsonString(options: .pretty) == "{\n  \"v\": 2\n}")
        #expect(try Shared<Double, OneKey>(.nan, 2.5, .nan, 4).jsonString(options: Self.omitting) == #"{"v":2.5}"#)
        #expect(
            try Shared<Double, OneKey>(.nan, 2.5, .nan, 4).jsonString(options: .init(isPretty: true, nonFinite: .omit))
                == "{\n  \"v\": 2.5\n}")
        #expect(failure { () throws(JSONError) in try Shared<Double, OneKey>(nil, .nan).jsonString() }?.path == "p1")
    }

    @Test("F9: a key that also leads on is written as a value, or else as an object")
    func leafBeforeObject() throws {
        #expect(try Shared<Int, LeafAndPath>(1, 2, 3, 4).jsonString() == #"{"ext":{"d":1},"f":4}"#)
        #expect(try Shared<Int, LeafAndPath>(nil, 2, 3, 4).jsonString() == #"{"ext":{"d":2},"f":4}"#)
        #expect(try Shared<Int, LeafAndPath>(nil, nil, 3, 4).jsonString() == #"{"ext":{"d":{"e":3}},"f":4}"#)
        #expect(try Shared<Int, LeafAndPath>(nil, nil, nil, 4).jsonString() == #"{"f":4}"#)
        #expect(try Shared<Int, LeafAndPath>(nil, nil, nil, nil).jsonString(options: .pretty) == "{}")
        #expect(
            try Shared<Int, LeafAndPath>(nil, nil, nil, 4).jsonString(options: .init(nils: .null))
                == #"{"ext":{"d":null},"f":4}"#)
        #expect(
            try Shared<Int, LeafAndPath>(1, nil, nil, nil).jsonString(options: .init(nils: .null)) == #"{"ext":{"d":1},"f":null}"#
        )
        #expect(
            try Shared<Int, LeafAndPath>(1, 2, 3, 4).jsonString(options: .init(paths: .flat)) == #"{"ext.d":1,"ext.d.e":3,"f":4}"#
        )
    }

    @Test("M23: a nil beside a path into it is null, unless the path has a value", arguments: [false, true])
    func nilBesidePath(_ isPretty: Bool) throws {
        let options = JSONWriter.Options(nils: .null, isPretty: isPretty)
        func text(_ shared: Shared<Int, NestedGroups>) throws -> String {
            try shared.jsonString(options: options).filter { $0 != "\n" && $0 != " " }
        }
        #expect(try text(Shared(nil, nil, nil, nil, nil, nil)) == #"{"a":null,"z":null}"#)
        #expect(try text(Shared(nil, nil, nil, nil, 5, nil)) == #"{"a":{"b":null,"d":5},"z":null}"#)
        #expect(try text(Shared(nil, nil, 3, nil, nil, nil)) == #"{"a":{"b":3,"d":null},"z":null}"#)
        #expect(try text(Shared(nil, nil, nil, 4, nil, 6)) == #"{"a":{"b":{"c":4},"d":null},"z":6}"#)
        #expect(try text(Shared(1, nil, nil, nil, nil, 6)) == #"{"a":1,"z":6}"#)
        let kept = try Shared<Int, NestedGroups>(nil, nil, nil, nil, nil, 6).jsonString(include: ["p3", "p5"], options: options)
        #expect(kept.filter { $0 != "\n" && $0 != " " } == #"{"a":null,"z":6}"#)
    }

    @Test("F9: keys that lead on may hold keys that lead on")
    func nestedAlternatives() throws {
        #expect(try Shared<Int, NestedGroups>(1, 2, 3, 4, 5, 6).jsonString() == #"{"a":1,"z":6}"#)
        #expect(try Shared<Int, NestedGroups>(nil, 2, 3, 4, 5, 6).jsonString() == #"{"a":{"b":2,"d":5},"z":6}"#)
        #expect(try Shared<Int, NestedGroups>(nil, nil, nil, 4, 5, 6).jsonString() == #"{"a":{"b":{"c":4},"d":5},"z":6}"#)
        #expect(try Shared<Int, NestedGroups>(nil, nil, nil, nil, nil, 6).jsonString() == #"{"z":6}"#)
    }

    @Test("F9: each property of a shared key has its own format, and nils inside its value are its own")
    func alternativesHaveFormats() throws {
        #expect(try Shared<Moment, TwoDates>(Moment(5), Moment(6)).jsonString() == #"{"at":5}"#)
        #expect(try Shared<Moment, TwoDates>(nil, Moment(6)).jsonString() == #"{"at":"1970"}"#)
        #expect(
            try Shared<Site, OneKey>(nil, Site(url: "u"), nil, nil).jsonString(options: .init(nils: .null))
                == #"{"v":{"url":"u","port":null},"w":null}"#)
    }

    @Test("F30: a selection chooses among the properties of one key")
    func selectionOfAlternatives() throws {
        let shared = Shared<Int, OneKey>(1, 2, 3, 4)
        #expect(try shared.jsonString(include: ["p1", "p3"]) == #"{"v":2}"#)
        #expect(try shared.jsonString(exclude: ["p0"]) == #"{"v":2,"w":3}"#)
        #expect(
            try Shared<Int, OneKey>(nil, nil, nil, nil).jsonString(include: ["p2"], options: .init(nils: .null)) == #"{"w":null}"#
        )
        let nested = Shared<Int, LeafAndPath>(1, 2, 3, 4)
        #expect(try nested.jsonString(include: ["p2"]) == #"{"ext":{"d":{"e":3}}}"#)
        #expect(try nested.jsonString(include: ["p1", "p2"]) == #"{"ext":{"d":2}}"#)
        #expect(try nested.jsonString(exclude: ["p2"], options: .init(nils: .null)) == #"{"ext":{"d":1},"f":4}"#)
        #expect(try nested.jsonString(include: ["p3"], options: .init(nils: .null)) == #"{"f":4}"#)
        #expect(try Shared<Int, LeafAndPath>(nil, nil, 3, 4).jsonString(exclude: ["p2"]) == #"{"f":4}"#)
        // Nothing but alternatives is left of the key, so it is null.
        #expect(
            try Shared<Int, LeafAndPath>(nil, nil, 3, 4).jsonString(include: ["p0"], options: .init(nils: .null))
                == #"{"ext":{"d":null}}"#)
    }
}
