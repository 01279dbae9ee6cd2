// What a type does with its encoder's containers, in unusual orders: the text is Foundation's. Where Foundation traps, it is an error.

import Foundation
import SluiceCodable
import SluiceCore
import Testing

/// A value that encodes itself by a closure.
struct Calls: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

@Suite struct ContainerCallTests {
    private enum Keys: String, CodingKey { case a, b, c, k }
    private struct Failure: Error {}
    private struct Both: Encodable { var a = 1, b = "x" }

    /// Compares the text of an array of a value and of 7 with the expected one, and with Foundation's without the 7: what a value leaves
    /// after in Foundation's encoder is taken for the next value, or traps there.
    private func expectSame(
        _ text: String, _ location: SourceLocation = #_sourceLocation, _ body: @escaping (any Encoder) throws -> Void
    ) throws {
        let (encoder, foundation) = (SluiceJSONEncoder(), JSONEncoder())
        for encoder in [encoder, foundation] { encoder.outputFormatting = .sortedKeys }
        let own = try encoder.encode([Calls(body), Calls { try 7.encode(to: $0) }])
        #expect(String(decoding: own, as: UTF8.self) == text, sourceLocation: location)
        let other = try foundation.encode([Calls(body)])
        #expect(String(decoding: other, as: UTF8.self) == text.dropLast(3) + "]", sourceLocation: location)
    }

    /// Foundation traps here, so only ours is asked.
    private func expectError(
        _ location: SourceLocation = #_sourceLocation, _ body: @escaping (any Encoder) throws -> Void
    ) {
        #expect(throws: EncodingError.self, sourceLocation: location) { try SluiceJSONEncoder().encode([Calls(body)]) }
        #expect(throws: EncodingError.self, sourceLocation: location) {
            try SluiceJSONEncoder().encode([Calls { encoder in try? body(encoder) }])
        }
    }

    // MARK: Errors in single-value containers that are caught

    @Test func anArrayThatFailsInASingleValueContainerKeepsItsFirstElements() throws {
        try expectSame("[[1],7]") { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode([1.0, .nan])
        }
        try expectSame("[[[1],[]],7]") { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode([[1], [], [.nan, 2.0]])
        }
        try expectSame("[[1,3],7]") { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode([1.0, .nan])
            var container = encoder.unkeyedContainer()
            try container.encode(3)
        }
    }

    @Test func whatIsEncodedInsteadOfAValueThatFailedDoesNotReplaceItsContainer() throws {
        try expectSame("[[1],7]") { encoder in
            var single = encoder.singleValueContainer()
            do { try single.encode([1.0, .nan]) } catch { try single.encodeNil() }
        }
        try expectSame("[{},7]") { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode(["a": [1, Double.nan]])
            try single.encode("instead")
        }
        try expectSame(#"["instead",7]"#) { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode(Double.nan)
            try single.encode("instead")
        }
    }

    @Test func aSuperclassThatFailsInASingleValueContainerKeepsItsFirstElements() throws {
        try expectSame(#"[{"a":1,"b":[1]},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            var single = container.superEncoder(forKey: .b).singleValueContainer()
            try? single.encode([1, Double.nan])
        }
    }

    @Test func aDictionaryThatFailsInASingleValueContainerIsAnObject() throws {
        try expectSame(#"[{"c":1},7]"#) { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode(["a": Double.nan])
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .c)
        }
        let encoder = SluiceJSONEncoder()
        let foundation = JSONEncoder()
        for encoder in [encoder, foundation] {
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.outputFormatting = .sortedKeys
        }
        for value in [1.0, .nan] {
            let calls = Calls { encoder in
                var single = encoder.singleValueContainer()
                try? single.encode(["aB": value])
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(1, forKey: .c)
            }
            let own = try JSONValue(json: Array(encoder.encode([calls])))
            #expect(try own == JSONValue(json: Array(foundation.encode([calls]))))
        }
    }

    @Test func aDocumentWhoseOnlyValueFailsHasItsFirstElements() throws {
        let calls = Calls { encoder in
            var single = encoder.singleValueContainer()
            try? single.encode([1.0, .nan])
        }
        #expect(String(decoding: try SluiceJSONEncoder().encode(calls), as: UTF8.self) == "[1]")
        #expect(String(decoding: try JSONEncoder().encode(calls), as: UTF8.self) == "[1]")
    }

    // MARK: Containers that go on

    @Test func aNestedContainerGoesOnWithTheValueOfItsKey() throws {
        try expectSame(#"[{"a":0,"k":{"else":"Second","foo":"Test"}},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(0, forKey: .a)
            try container.encode(["foo": "Test"], forKey: .k)
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
            try nested.encode("Second", forKey: AnyKey(stringValue: "else"))
        }
        try expectSame(#"[{"k":[1,2]},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode([1], forKey: .k)
            var nested = container.nestedUnkeyedContainer(forKey: .k)
            #expect(nested.count == 1)
            try nested.encode(2)
        }
        try expectSame(#"[{"k":{"a":2,"b":"x"}},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(Both(), forKey: .k)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            try nested.encode(2, forKey: .a)
        }
        try expectSame(#"[{"k":{"a":{"b":1,"c":2},"c":3}},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(
                Calls { encoder in
                    var container = encoder.container(keyedBy: Keys.self)
                    var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
                    try nested.encode(1, forKey: .b)
                }, forKey: .k)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            var inner = nested.nestedContainer(keyedBy: Keys.self, forKey: .a)
            try inner.encode(2, forKey: .c)
            try nested.encode(3, forKey: .c)
        }
    }

    @Test func aNestedContainerGoesOnWithWhatASuperclassHasEncoded() throws {
        try expectSame(#"[{"k":{"a":1,"b":"x","c":3}},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try Both().encode(to: container.superEncoder(forKey: .k))
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            try nested.encode(3, forKey: .c)
        }
    }

    @Test func aValueReplacesTheNestedContainerOfItsKey() throws {
        try expectSame(#"[{"k":{"b":1,"c":3}},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            try nested.encode(0, forKey: .a)
            try container.encode(["b": 1], forKey: .k)
            var again = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            try? nested.encode(2, forKey: .a)
            try again.encode(3, forKey: .c)
        }
    }

    @Test(arguments: [5, 100]) func manyNestedContainersOfAnObjectAreFoundAgain(_ count: Int) throws {
        for prefix in ["key", "ключ", "a/b\""] {
            let numbers = (0..<count).map { "\(prefix) \($0)" }
            let expected = numbers.map { [$0: ["first": 1, "second": 2]] }.reduce(into: [:]) { $0.merge($1) { $1 } }
            let data = try SluiceJSONEncoder().encode(
                Calls { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    for (number, key) in numbers.enumerated() {
                        let key = AnyKey(stringValue: key)
                        if number % 3 == 0 {
                            try container.encode(["first": 1], forKey: key)
                        } else {
                            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
                            try nested.encode(1, forKey: AnyKey(stringValue: "first"))
                        }
                    }
                    for key in numbers {
                        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(stringValue: key))
                        try nested.encode(2, forKey: AnyKey(stringValue: "second"))
                    }
                })
            #expect(try JSONDecoder().decode([String: [String: Int]].self, from: data) == expected)
        }
    }

    @Test func aContainerGoesOnWithTheValueOfASingleValueContainer() throws {
        try expectSame(#"[{"a":"c","b":"p"},7]"#) { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(["a": "c"])
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("p", forKey: .b)
        }
        try expectSame(#"[{"a":1,"b":2,"c":{"a":3}},7]"#) { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(Optional(Both()))
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(2, forKey: .b)
            var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .c)
            try nested.encode(3, forKey: .a)
        }
        for values in [["x"], []] {
            try expectSame(values.isEmpty ? "[[3],7]" : #"[["x",3],7]"#) { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(values)
                var container = encoder.unkeyedContainer()
                try container.encode(3)
            }
        }
        try expectSame(#"[{"a":1,"b":2,"c":3},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(3, forKey: .c)
            var single = encoder.singleValueContainer()
            try single.encode(["a": 1, "b": 2])
        }
    }

    @Test func aModelAndMembersAfterItAreOneObject() throws {
        let value = JSONValue.object(["a": 1, "b": [true]])
        let calls = Calls { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(value)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode("c", forKey: .c)
            try container.encode(2, forKey: .a)
        }
        let text = String(decoding: try SluiceJSONEncoder().encode([calls]), as: UTF8.self)
        #expect(text == #"[{"a":2,"b":[true],"c":"c"}]"#)
    }

    // MARK: Where Foundation traps

    @Test func aSecondValueInOnePlaceIsAnError() {
        expectError { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            try single.encode(2)
        }
        expectError { encoder in
            var single = encoder.singleValueContainer()
            try single.encode(1)
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
        }
        expectError { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(1, forKey: .a)
            _ = encoder.unkeyedContainer()
        }
        expectError { encoder in
            var single = encoder.singleValueContainer()
            try single.encode([1])
            _ = encoder.container(keyedBy: Keys.self)
        }
    }

    @Test func aNestedContainerInPlaceOfAnotherValueIsAnError() {
        for value in [42, nil] {
            expectError { encoder in
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(value, forKey: .k)
                _ = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
            }
        }
        expectError { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            _ = container.superEncoder(forKey: .k)
            _ = container.nestedUnkeyedContainer(forKey: .k)
        }
        expectError { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(["a": 1], forKey: .k)
            _ = container.nestedUnkeyedContainer(forKey: .k)
        }
        expectError { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            _ = container.nestedUnkeyedContainer(forKey: .k)
            _ = container.nestedContainer(keyedBy: Keys.self, forKey: .k)
        }
    }

    // MARK: Containers that are used late, or too early

    @Test func aNestedContainerWhoseValueIsCompleteIsRefused() throws {
        final class Box: @unchecked Sendable {
            var keyed: KeyedEncodingContainer<Keys>?
            var unkeyed: (any UnkeyedEncodingContainer)?
            var encoder: (any Encoder)?
        }
        let box = Box()
        try expectSame(#"[{"a":{},"b":[]},7]"#) { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            box.keyed = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
            box.unkeyed = container.nestedUnkeyedContainer(forKey: .b)
        }
        // Foundation takes these, and loses them.
        _ = try SluiceJSONEncoder().encode([
            Calls { encoder in
                var container = encoder.container(keyedBy: Keys.self)
                box.keyed = container.nestedContainer(keyedBy: Keys.self, forKey: .a)
                box.unkeyed = container.nestedUnkeyedContainer(forKey: .b)
                box.encoder = container.superEncoder()
            },
            Calls { encoder in
                #expect(throws: EncodingError.self) { try box.keyed?.encode(1, forKey: .c) }
                #expect(throws: EncodingError.self) { try box.unkeyed?.encode(1) }
                var single = box.encoder?.singleValueContainer()
                #expect(throws: EncodingError.self) { try single?.encode(1) }
                var nested = box.keyed?.nestedContainer(keyedBy: Keys.self, forKey: .k)
                #expect(throws: EncodingError.self) { try nested?.encode(1, forKey: .c) }
                try 1.encode(to: encoder)
            },
        ])
        #expect(throws: EncodingError.self) { try box.keyed?.encode(1, forKey: .c) }
        var single = box.encoder?.singleValueContainer()
        #expect(throws: EncodingError.self) { try single?.encode(1) }
    }

    @Test func aContainerThatIsUsedWhileAValueInsideEncodesItselfFailsTheDocument() {
        expectError { encoder in
            var container = encoder.container(keyedBy: Keys.self)
            let outer = container
            try container.encode(
                Calls { encoder in
                    var outer = outer
                    try? outer.encode(1, forKey: .a)
                    try 1.encode(to: encoder)
                }, forKey: .k)
        }
    }

    @Test func aLevelTooManyFailsTheDocumentAlthoughTheErrorIsCaught() {
        struct Deep: Encodable {
            let levels: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if levels > 1 { try? container.encode(Deep(levels: levels - 1)) }
            }
        }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Deep(levels: 512)) }
        #expect(throws: EncodingError.self) { try SluiceJSONEncoder().encode(Deep(levels: 512)) }
    }

    @Test func aDateThatEncodesNothingIsAnEmptyObjectAtTheTopToo() throws {
        for encoder in [JSONEncoder(), SluiceJSONEncoder()] {
            encoder.dateEncodingStrategy = .custom { _, _ in }
            encoder.dataEncodingStrategy = .custom { _, _ in }
            #expect(String(decoding: try encoder.encode(Date()), as: UTF8.self) == "{}")
            #expect(String(decoding: try encoder.encode(Data()), as: UTF8.self) == "{}")
            #expect(String(decoding: try encoder.encode([Optional(Date())]), as: UTF8.self) == "[{}]")
        }
    }
}
