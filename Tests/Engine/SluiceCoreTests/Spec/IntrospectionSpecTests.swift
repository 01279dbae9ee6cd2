// Looking at models (F33), describing (F34), comparing (F35) and copying (F36) them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct IntrospectionSpecTests {
    // MARK: Schema

    @Test("F33: a schema lists the properties in declared order with types, keys, presence and direction")
    func schemaListsProperties() throws {
        let schema = Book.schema
        #expect(schema.name == "Book")
        #expect(schema.layout == .object)
        #expect(
            schema.properties.map(\.name) == [
                "name", "pages", "summary", "bookID", "dotted", "author", "secret", "stamp", "kind",
            ])
        #expect(
            schema.properties.map(\.typeName) == [
                "String", "Int", "String?", "String?", "Int?", "Author?", "String?", "Int", "String",
            ])
        #expect(schema["summary"]?.keys == ["ext.desc"])
        #expect(schema["bookID"]?.keys == ["id", "ID", "book_id"])
        #expect(schema["dotted"]?.keys == [.literal("a.b")])
        #expect(schema["name"]?.presence == .required)
        #expect(schema["pages"]?.presence == .defaulted)
        #expect(schema["author"]?.isOptional == true)
        #expect(schema["secret"]?.direction == .reading)
        #expect(schema["kind"]?.direction == .writing)
        #expect(schema["isOpen"] == nil)
        #expect(Membership.schema["token"]?.policy.isSensitive == true)
        #expect(Membership.schema["cache"]?.policy.isArchived == false)
    }

    @Test("F33: a property says what kind of JSON it and its elements are made of")
    func propertiesHaveKinds() {
        #expect(Gadget.schema.properties.map(\.kind) == [.string, .integer, .number, .array])
        #expect(Gadget.schema["array"]?.elementKind == .integer)
        #expect(Station.schema["weights"]?.kind == .dictionary)
        #expect(Station.schema["weights"]?.elementKind == .number)
        #expect(Membership.schema["extra"]?.kind == .any)
        #expect(Membership.schema["extra"]?.elementKind == nil)
        #expect(Book.schema["author"]?.kind == .model)
    }

    @Test("F33: the schema of a nested model is reached from its property, however deep a model leads back to itself")
    func nestedSchemasAreReachable() {
        #expect(Book.schema["author"]?.model == Author.schema)
        #expect(Tree.schema["children"]?.model?["children"]?.model?.name == "Tree")
        #expect(Station.schema["next"]?.model == Station.schema)
        #expect(Gadget.schema["array"]?.model == nil)
        #expect(Gadget.schema["none"] == nil)
    }

    @Test("F33: a fingerprint is the same in every process, and changes with the model")
    func fingerprintIsStable() {
        // Computed once more outside of Swift, from the list in SchemaFingerprint.swift.
        #expect(Gadget.schema.fingerprint == 17_181_870_893_298_935_225)
        #expect(Gadget.schema.fingerprint == Gadget.schema.fingerprint)
        let all = [
            Gadget.schema, Pair.schema, Station.schema, Membership.schema, Book.schema, Author.schema, Tree.schema,
            Trio<Int>.schema, Trio<String>.schema,
        ]
        #expect(Set(all.map(\.fingerprint)).count == all.count)
        #expect(Set(all).count == all.count)
    }

    // MARK: Description

    @Test("F34: a description is in YYModel's layout, without addresses, sorted by name")
    func descriptionIsLaidOut() {
        #expect(
            Gadget(string: "test", int: 100, float: 12.5).jsonDescription == """
                <Gadget> {
                    array = [];
                    float = 12.5;
                    int = 100;
                    string = "test"
                }
                """)
        let end = Station("b", weights: ["z": 1, "a": 2.5])
        #expect(
            Station("a", next: end, lines: [Station("c"), Station("d")]).description == """
                <Station> {
                    lines = [
                        <Station> {
                            lines = [];
                            name = "c";
                            next = <nil>;
                            weights = {}
                        };
                        <Station> {
                            lines = [];
                            name = "d";
                            next = <nil>;
                            weights = {}
                        }
                    ];
                    name = "a";
                    next = <Station> {
                        lines = [];
                        name = "b";
                        next = <nil>;
                        weights = {
                            a = 2.5;
                            z = 1
                        }
                    };
                    weights = {}
                }
                """)
    }

    @Test("F34: a description contains `string = \"test\"` and `array = []`")
    func descriptionOfTheAcceptExample() {
        let description = Gadget(string: "test", int: 100).jsonDescription
        #expect(description.contains(#"string = "test""#))
        #expect(description.contains("array = []"))
        #expect(description.contains("int = 100"))
    }

    @Test("F34: nil, null, sensitive values and values ignored in writing are all shown as what they are")
    func descriptionShowsEveryProperty() {
        var account = Membership(id: 7)
        account.tag = nil
        account.password = "p"
        account.hidden = 3
        #expect(
            account.description == """
                <Membership> {
                    cache = "cold";
                    client = "sluice";
                    extra = <null>;
                    id = 7;
                    password = "p";
                    tag = <nil>;
                    token = <nil>
                }
                """)
        account.token = "s3cr3t"
        #expect(account.debugDescription.contains("token = <redacted>"))
        #expect(!account.jsonSummary.contains("s3cr3t"))
        account.extra = ["a": [1, nil, ["b": false]], "c": [:]]
        #expect(
            account.jsonDescription.contains(
                """
                    extra = {
                        a = [
                            1;
                            <null>;
                            {
                                b = false
                            }
                        ];
                        c = {}
                    };
                """))
    }

    @Test("F34: a property that JSON leaves out is described all the same")
    func unwrittenPropertiesAreDescribed() throws {
        let book = try Book(json: #"{"name": "Emma", "secret": "s"}"#)
        #expect(book.jsonDescription.contains("secret = \"s\""))
        #expect(book.jsonDescription.contains("stamp = 3"))
    }

    @Test("F34: a long value is cut at 100 characters, never within an escape")
    func longValuesAreCut() {
        let long = String(repeating: "é", count: 101)
        #expect(Gadget(string: long).jsonDescription.contains("string = \"\(long.dropLast())\"...\n"))
        let exact = String(repeating: "é", count: 100)
        #expect(Gadget(string: exact).jsonDescription.contains("string = \"\(exact)\"\n"))
        let escaped = String(repeating: "x", count: 99) + "\n" + "tail"
        #expect(
            Gadget(string: escaped).jsonDescription.contains("string = \"\(String(repeating: "x", count: 99))\"...\n"))
        #expect(Gadget(string: "a\"b\n").jsonDescription.contains(#"string = "a\"b\n""#))
        let raw = (try? RawJSON(json: "[\(String(repeating: "9", count: 200))]"))?.jsonDescription
        #expect(raw == "[\n    \(String(repeating: "9", count: 100))...\n]")
    }

    @Test("F34: numbers that are not finite are shown, and do not stop the description")
    func nonFiniteNumbersAreShown() {
        #expect(Gadget(float: .nan).jsonDescription.contains("float = <nan>;"))
        let station = Station("a", weights: ["b": -.infinity, "c": 1])
        #expect(station.jsonDescription.contains("b = <-inf>;\n        c = 1"))
    }

    @Test("F34: an object that holds itself is described to where it comes again")
    func cyclesAreDescribed() {
        let first = Station("a")
        let second = Station("b", next: first)
        first.next = second
        first.lines = [second, first]
        defer {
            first.next = nil
            first.lines = []
        }
        #expect(
            first.jsonSummary == "name = a, next = {name = b, next = <…>, lines = [], weights = {}}, "
                + "lines = [{name = b, next = <…>, lines = [], weights = {}}, <…>], weights = {}")
        #expect(first.description.contains("next = <…>"))
    }

    @Test("F34: a summary is one line in declared order, as CYZBaseModel's")
    func summaryIsOneLine() throws {
        #expect(
            Gadget(string: "xiaowang", int: 45, array: [1, 2]).jsonSummary
                == "string = xiaowang, int = 45, float = 0, array = [1, 2]")
        #expect(try [Author](json: #"[{"login": "a"}, {"login": "b"}]"#).jsonSummary == "[{login = a}, {login = b}]")
    }

    @Test("F34: collections of models, and sets in any order, have the same description each time")
    func collectionsAreDescribed() throws {
        #expect(try [Int](json: "[]").jsonDescription == "[]")
        #expect(["k": Author(login: "a")].jsonDescription == "{\n    k = <Author> {\n        login = \"a\"\n    }\n}")
        let one = Set((0..<20).map { Pair("\($0)", nil) })
        let other = Set((0..<20).reversed().map { Pair("\($0)", nil) })
        #expect(one.jsonDescription == other.jsonDescription)
        #expect(one.jsonDescription.contains("<Pair> {"))
    }

    // MARK: Equality

    @Test("F35: models are equal, and hash alike, when all mapped properties are; ignored ones do not take part")
    func equalityCoversMappedProperties() {
        let left = Pair("Apple", nil)
        let right = Pair("Apple", nil)
        right.note = "another"
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        right.string2 = ""
        #expect(left != right)
        #expect(left == left)
    }

    @Test("F35: (\"Apple\", \"Apple\") and (\"Steve Jobs\", \"Steve Jobs\") are not equal")
    func equalPairsDoNotCancelOut() {
        let apple = Pair("Apple", "Apple")
        let jobs = Pair("Steve Jobs", "Steve Jobs")
        #expect(apple != jobs)
        #expect(Set([apple, jobs, Pair("Apple", "Apple")]).count == 2)
        #expect(Pair("a", nil) != Pair(nil, "a"))
        #expect(Pair("ab", "c") != Pair("a", "bc"))
    }

    @Test("F35: a struct's equality leaves ignored properties out and takes in those ignored in writing")
    func structsMayCompareByProperties() {
        let left = Membership(id: 1)
        var right = Membership(id: 1)
        right.hidden = 9
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        right.password = "other"
        #expect(left != right)
        right = left
        right.extra = ["x": 1]
        #expect(left != right)
        right = left
        right.token = "t"
        #expect(left != right)
    }

    @Test("F35: models inside are compared property by property, dictionaries whatever their order, NaN equals itself")
    func equalityIsDeep() {
        func station(_ reversed: Bool) -> Station {
            let keys = (0..<20).map { ("\($0)", Double($0)) }
            let weights = Dictionary(uniqueKeysWithValues: reversed ? keys.reversed() : keys)
            return Station("a", next: Station("b", weights: weights), lines: [Station("c", weights: ["x": .nan])])
        }
        #expect(station(false) == station(true))
        #expect(station(false).hashValue == station(true).hashValue)
        let other = station(false)
        other.lines[0].weights["x"] = .infinity
        #expect(station(false) != other)
    }

    @Test("F35: objects that hold themselves can be compared")
    func cyclesAreCompared() {
        func ring(_ names: String...) -> Station {
            let stations = names.map { Station($0) }
            for index in stations.indices { stations[index].next = stations[(index + 1) % stations.count] }
            return stations[0]
        }
        let (one, same, other) = (ring("a", "b"), ring("a", "b"), ring("a", "c"))
        defer { for ring in [one, same, other] { ring.next = nil } }
        #expect(one == same)
        #expect(one.hashValue == same.hashValue)
        #expect(one != other)
    }

    @Test("F34–F36: what is nested deeper than 512 levels is shown to there, equal to itself only, and not copied")
    func depthIsLimited() {
        func chain(_ count: Int) -> Station {
            (0..<count).reduce(Station("end")) { chain, _ in Station("s", next: chain) }
        }
        let (one, same) = (chain(600), chain(600))
        #expect(one.jsonSummary.contains("next = <"))
        #expect(one == one)
        #expect(one != same)
        #expect(one.hashValue == same.hashValue)
        #expect(chain(300) == chain(300))
        #expect(failure { () throws(JSONError) in try one.copy() }?.kind == .depthLimit)
        #expect(failure { () throws(JSONError) in try one.archive() }?.kind == .depthLimit)
    }

    // MARK: Copy

    @Test("F36: changing a copy leaves the original as it was, the objects inside included")
    func copiesShareNothing() throws {
        let original = Station("a", next: Station("b"), lines: [Station("c")], weights: ["x": 1.5])
        let copy = try original.copy()
        #expect(copy !== original)
        #expect(copy == original)
        #expect(copy.next !== original.next)
        copy.name = "z"
        copy.next?.name = "z"
        copy.lines[0].weights["y"] = 2
        #expect(original.name == "a")
        #expect(original.next?.name == "b")
        #expect(original.lines[0].weights == [:])
    }

    @Test("F36: a copy has every mapped property, whatever its key, direction and policy")
    func copiesAreComplete() throws {
        var account = Membership(id: 5)
        account.password = "p"
        account.cache = "warm"
        account.token = "t"
        account.tag = nil
        account.extra = [1, "(null)"]
        account.hidden = 8
        let copy = try account.copy()
        #expect(copy == account)
        #expect(copy.password == "p")
        #expect(copy.cache == "warm")
        #expect(copy.tag == nil)
        #expect(copy.hidden == 0)
        #expect(try Gadget(string: "\0\"é😀", int: .min, float: .leastNonzeroMagnitude, array: [1]).copy().int == .min)
    }

    @Test("F36: what cannot be copied is an error, not a crash")
    func unwritableCopiesThrow() throws {
        let ring = Station("a")
        ring.next = ring
        defer { ring.next = nil }
        let error = try #require(failure { () throws(JSONError) in try ring.copy() })
        #expect(error.kind == .notWritable)
        #expect(error.path == "next")
        #expect(failure { () throws(JSONError) in try Gadget(float: .nan).copy() }?.kind == .notWritable)
        let shared = Station("s")
        let twice = try Station("a", next: shared, lines: [shared]).copy()
        #expect(twice.next !== twice.lines[0])
    }

    // MARK: The plain path

    @Test("F33–F36: looking at a model changes nothing about how it is read and written")
    func plainPathIsUnchanged() throws {
        var account = Membership(id: 1)
        account.token = "t"
        _ = (account.jsonDescription, account.hashValue, try account.copy(), try account.archive())
        #expect(
            try account.jsonString()
                == #"{"user":{"id":1},"cache":"cold","token":"t","tag":"new","extra":null,"client":"sluice"}"#)
        #expect(try Membership(json: #"{"id": 3, "pw": "x"}"#).password == "x")
        let ring = Station("a")
        ring.next = ring
        defer { ring.next = nil }
        #expect(failure { () throws(JSONError) in try ring.jsonString() }?.kind == .depthLimit)
    }
}
