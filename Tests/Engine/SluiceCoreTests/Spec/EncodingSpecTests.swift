// SPEC §1.11: encoding (F28, F31, F32), with what it needs of §1.1 (F1) and §1.2 (F7). F9 and F30 have files of their own.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

private enum Merged: SlotKeys { static let keys: [[JSONKeyPath]] = [["ext.a"], ["ext.b"], ["c"], ["ext.in.d"]] }
private enum Short: SlotKeys { static let keys: [[JSONKeyPath]] = [["ext.short"]] }
private enum Alternatives: SlotKeys { static let keys: [[JSONKeyPath]] = [["ID", "Id", "id", "ext.id"]] }
private enum OddKeys: SlotKeys { static let keys: [[JSONKeyPath]] = [["a/b.é"], [.literal("a/b.é")]] }

private enum Slashes: PolicyChoice { static let policy = JSONPropertyPolicy(date: .format("yyyy/MM/dd \"é\"")) }
private enum Text: PolicyChoice { static let policy = JSONPropertyPolicy(data: .utf8) }
private enum ArrayOfUnix: PolicyChoice {
    static let policy = JSONPropertyPolicy(date: .unix)
    static let layout = JSONLayout.array
}

@Suite struct EncodingSpecTests {
    enum Unix: PolicyChoice { static let policy = JSONPropertyPolicy(date: .unix) }
    typealias Stamped<Value: JSONBindable> = Formatted<Value, Unix>

    let status = CYZStatus(name: "n", weiboID: 12, numberWeiboID: 1)
    let ann = Person(
        id: 7, name: "Ann", host: Site(url: "a.example", port: 80), friends: [Person(id: 8, name: "Bo")],
        sites: ["home": Site(url: "b.example", port: 443)], password: "secret")

    // MARK: F28: a value becomes JSON

    @Test("F28: nils are written as null where the options say so, sorted by key")
    func cyzStatus() throws {
        #expect(
            try status.jsonString(options: .init(nils: .null, sortedKeys: true))
                == #"{"nm":"n","numberWeiboID":1,"time":null,"user":null,"userDictionary":null,"weiboID":12}"#)
        #expect(try status.jsonString() == #"{"nm":"n","weiboID":12,"numberWeiboID":1}"#)
    }

    @Test("F28: key paths build objects, and those that share a prefix share its object")
    func pathsMerge() throws {
        #expect(try Several<Short>(values: [4]).jsonString() == #"{"ext":{"short":4}}"#)
        #expect(try Several<Merged>(values: [1, 2, 3, 4]).jsonString() == #"{"ext":{"a":1,"b":2,"in":{"d":4}},"c":3}"#)
    }

    @Test("F28: of alternative keys the first one is written")
    func firstAlternative() throws {
        #expect(try Several<Alternatives>(values: [5]).jsonString() == #"{"ID":5}"#)
    }

    @Test("F28: what has no type of its own is written as it was read, null included")
    func untypedValues() throws {
        let value: JSONValue = ["array": [1, nil], "object": ["k": nil]]
        #expect(try value.jsonString() == #"{"array":[1,null],"object":{"k":null}}"#)
        #expect(try [Site?]([nil, Site(url: "u")]).jsonString() == #"[null,{"url":"u"}]"#)
    }

    @Test("F7: key paths are written as one literal key each where the options ask for it")
    func flatPaths() throws {
        let options = JSONWriter.Options(paths: .flat)
        #expect(
            try Several<Merged>(values: [1, 2, 3, 4]).jsonString(options: options) == #"{"ext.a":1,"ext.b":2,"c":3,"ext.in.d":4}"#
        )
        #expect(
            try Several<Merged>(values: [1, nil, 3, nil]).jsonString(options: .init(nils: .null, sortedKeys: true, paths: .flat))
                == #"{"c":3,"ext.a":1,"ext.b":null,"ext.in.d":null}"#)
        #expect(
            try Several<Merged>(values: [1, nil, nil, 4]).jsonString(options: .init(isPretty: true, paths: .flat))
                == "{\n  \"ext.a\": 1,\n  \"ext.in.d\": 4\n}")
        // The same key as a path and as it is.
        #expect(try Shared<Int, OddKeys>(1, 2).jsonString() == #"{"a/b":{"é":1},"a/b.é":2}"#)
        #expect(try Shared<Int, OddKeys>(nil, 2).jsonString(options: options) == #"{"a/b.é":2}"#)
        #expect(try Shared<Int, OddKeys>(1, 2).jsonString(options: options) == #"{"a/b.é":1}"#)
    }

    @Test("F28: layout has as many blanks a level as the options say")
    func indentation() throws {
        let value: JSONValue = ["a": [1]]
        #expect(try value.jsonString(options: .init(isPretty: true, indent: 4)) == "{\n    \"a\": [\n        1\n    ]\n}")
        #expect(try value.jsonString(options: .init(isPretty: true, indent: 0)) == "{\n\"a\": [\n1\n]\n}")
        #expect(try value.jsonString(options: .init(isPretty: true, indent: -3)) == "{\n\"a\": [\n1\n]\n}")
        #expect(try value.jsonString(options: .init(indent: 4)) == #"{"a":[1]}"#)
        #expect(try value.jsonString(options: .pretty) == "{\n  \"a\": [\n    1\n  ]\n}")
    }

    @Test("F28: slashes and characters outside ASCII are escaped where the options ask for it")
    func furtherEscapes() throws {
        let text = "a/b \"\\\n\u{1}é€😀\u{10FFFF}\u{FFFF}\u{7F}\u{80}/"
        #expect(
            try text.jsonString(options: .init(escapesSlashes: true))
                == "\"a\\/b \\\"\\\\\\n\\u0001é€😀\u{10FFFF}\u{FFFF}\u{7F}\u{80}\\/\"")
        #expect(
            try text.jsonString(options: .init(escapesNonASCII: true))
                == #""a/b \"\\\n\u0001\u00e9\u20ac\ud83d\ude00\udbff\udfff\uffff\#u{7F}\u0080/""#)
        for options in [
            JSONWriter.Options(escapesSlashes: true), .init(escapesNonASCII: true),
            .init(escapesSlashes: true, escapesNonASCII: true),
        ] {
            #expect(try String(json: text.jsonString(options: options)) == text)
            #expect(try ["é/": "/é"] == [String: String](json: ["é/": "/é"].jsonString(options: options)))
        }
        let both = JSONWriter.Options(escapesSlashes: true, escapesNonASCII: true)
        #expect(try ["é/": "/é"].jsonString(options: both) == #"{"\u00e9\/":"\/\u00e9"}"#)
        // Keys of models, whose text is made once.
        #expect(try Shared<Int, OddKeys>(1, 2).jsonString(options: both) == #"{"a\/b":{"\u00e9":1},"a\/b.\u00e9":2}"#)
        #expect(try Shared<Int, OddKeys>(1, 2).jsonString() == #"{"a/b":{"é":1},"a/b.é":2}"#)
    }

    @Test("F28: random text reads back from every kind of escapes")
    func escapesReadBack() throws {
        var random = SplitMix64(seed: 281)
        let options = [
            JSONWriter.Options(escapesSlashes: true), .init(escapesNonASCII: true),
            .init(escapesSlashes: true, escapesNonASCII: true),
        ]
        for _ in 0..<2000 {
            let length = Int(random.next() % 40)
            let bits = random.next() % 21 + 1
            let scalars = (0..<length).compactMap { _ in Unicode.Scalar(UInt32(truncatingIfNeeded: random.next() % (1 << bits))) }
            let text = String(String.UnicodeScalarView(scalars))
            let written = try text.jsonString(options: options[length % 3])
            #expect(try String(json: written) == text)
            if length % 3 > 0 { #expect(written.utf8.allSatisfy { $0 < 0x80 }) }
        }
    }

    // MARK: F28: numbers that JSON does not have

    static let omitting = JSONWriter.Options(nonFinite: .omit)

    @Test("F28: a number that is not finite is an error, null or a string, as the options say")
    func nonFiniteIsReplaced() throws {
        let values: [Double] = [1, .nan, .infinity, -.infinity]
        #expect(failure { () throws(JSONError) in try values.jsonString() }?.path == "[1]")
        #expect(try values.jsonString(options: .init(nonFinite: .null)) == "[1,null,null,null]")
        #expect(try values.jsonString(options: .init(nonFinite: .strings)) == #"[1,"NaN","Infinity","-Infinity"]"#)
        #expect(
            try values.map { Float($0) }.jsonString(options: .init(nonFinite: .strings)) == #"[1,"NaN","Infinity","-Infinity"]"#)
        #expect(try ["k": Double.nan].jsonString(options: .init(isPretty: true, nonFinite: .null)) == "{\n  \"k\": null\n}")
        #expect(try Place(x: .nan).jsonString(options: .init(nonFinite: .strings)) == #"["NaN",null,null]"#)
    }

    @Test("F28: a number that is left out leaves no key, no comma and no line behind")
    func nonFiniteIsLeftOut() throws {
        let omitting = Self.omitting
        let pretty = JSONWriter.Options(isPretty: true, nonFinite: .omit)
        for (values, text, lines) in [
            ([.nan], "[]", "[]"), ([.nan, 1], "[1]", "[\n  1\n]"), ([1, .nan], "[1]", "[\n  1\n]"),
            ([1, .infinity, 2], "[1,2]", "[\n  1,\n  2\n]"), ([.nan, .nan], "[]", "[]"),
        ] as [([Double], String, String)] {
            #expect(try values.jsonString(options: omitting) == text)
            #expect(try values.jsonString(options: pretty) == lines)
            #expect(try values.map { Float($0) }.jsonString(options: omitting) == text)
            #expect(try values.map { Percent($0) }.jsonString(options: omitting) == text)
            #expect(try values.map(Optional.some).jsonString(options: pretty) == lines)
            #expect(try [values, values].jsonString(options: omitting) == "[\(text),\(text)]")
        }
        #expect(try ["k": Double.nan].jsonString(options: omitting) == "{}")
        #expect(try ["k": Double.nan].jsonString(options: pretty) == "{}")
        #expect(
            try ["a": 1, "b": .nan, "c": 3].jsonString(options: .init(sortedKeys: true, nonFinite: .omit)) == #"{"a":1,"c":3}"#)
        #expect(
            try ["a": 1, "b": .nan, "c": 3].jsonString(options: .init(sortedKeys: true, isPretty: true, nonFinite: .omit))
                == "{\n  \"a\": 1,\n  \"c\": 3\n}")
        #expect(try Set([Double.nan, 1]).jsonString(options: .init(sortedKeys: true, nonFinite: .omit)) == "[1]")
    }

    @Test("F28: a member that is left out leaves no key behind, wherever it stands in its model")
    func nonFiniteMembersAreLeftOut() throws {
        let omitting = Self.omitting
        let pretty = JSONWriter.Options(isPretty: true, nonFinite: .omit)
        for (required, optional, text) in [
            (.nan, 1, #"{"defaulted":2.5,"optional":1}"#), (1, .nan, #"{"required":1,"defaulted":2.5}"#),
            (.nan, .nan, #"{"defaulted":2.5}"#), (.infinity, nil, #"{"defaulted":2.5}"#),
        ] as [(Double, Double?, String)] {
            let trio = Trio<Double>(required: required, optional: optional)
            #expect(try trio.jsonString(options: omitting) == text)
            #expect(try JSONValue(json: trio.jsonString(options: pretty)).jsonString() == text)
            #expect(try !trio.jsonString(options: pretty).contains(",\n}"))
            #expect(try [trio, trio].jsonString(options: omitting) == "[\(text),\(text)]")
        }
        #expect(try Shared<Double, Merged>(.nan, .nan, 3, .nan).jsonString(options: omitting) == #"{"c":3}"#)
        #expect(try Shared<Double, Merged>(.nan, 2, .nan, .nan).jsonString(options: omitting) == #"{"ext":{"b":2}}"#)
        #expect(
            try Shared<Double, Merged>(.nan, 2, .nan, .nan).jsonString(options: pretty) == "{\n  \"ext\": {\n    \"b\": 2\n  }\n}"
        )
        #expect(try Shared<Double, Merged>(.nan, .nan, .nan, .nan).jsonString(options: pretty) == "{}")
    }

    @Test("F28: a position in an array is kept with null")
    func nonFinitePositions() throws {
        #expect(try Place(x: .nan, y: 2).jsonString(options: Self.omitting) == "[null,2,null]")
        #expect(
            try Place(x: 1, y: .nan).jsonString(options: .init(isPretty: true, nonFinite: .omit)) == "[\n  1,\n  null,\n  null\n]"
        )
    }

    @Test("F28: leaving numbers out hides no other error")
    func omissionHidesNothing() throws {
        let alone = try #require(failure { () throws(JSONError) in try Double.nan.jsonString(options: Self.omitting) })
        #expect(alone.kind == .notWritable)
        var deep = Self.omitting
        deep.maximumDepth = 1
        #expect(failure { () throws(JSONError) in try [[Double.nan]].jsonString(options: deep) }?.kind == .depthLimit)
        #expect(failure { () throws(JSONError) in try [Unwritable()].jsonString(options: Self.omitting) }?.path == "[0]")
        #expect(
            failure { () throws(JSONError) in try Trio<Unwritable>(required: .init()).jsonString(options: Self.omitting) }?.path
                == "required")
    }

    // MARK: F28: formats of dates and binary data

    @Test("F28: a date is ISO 8601 in UTC, or as the options say")
    func datesOfTheOptions() throws {
        let moment = Moment(100_000_000)
        for (format, text) in [
            (JSONDateFormat.iso8601, #""1973-03-03T09:46:40Z""#), (.unix, "100000000"), (.milliseconds, "100000000000"),
            (.microseconds, "100000000000000"), (.rfc1123, #""Sat, 03 Mar 1973 09:46:40 GMT""#),
            // As YYModel writes it.
            (.format("yyyy-MM-dd'T'HH:mm:ssZ"), #""1973-03-03T09:46:40+0000""#), (.format("yyyy/MM/dd"), #""1973/03/03""#),
        ] {
            let options = JSONWriter.Options(dates: format)
            #expect(try moment.jsonString(options: options) == text)
            #expect(try [moment].jsonString(options: options) == "[\(text)]")
            #expect(try ["k": moment].jsonString(options: options) == "{\"k\":\(text)}")
            #expect(
                try Trio<Moment>(required: moment, defaulted: moment).jsonString(options: options)
                    == "{\"required\":\(text),\"defaulted\":\(text)}")
        }
        #expect(try Moment(0, 250_000_000).jsonString() == #""1970-01-01T00:00:00.250Z""#)
    }

    @Test("F28: a property's own format goes before that of the options")
    func datesOfProperties() throws {
        let model = Stamped<Moment>(styled: Moment(7), plain: Moment(8))
        #expect(try model.jsonString() == #"{"styled":7,"plain":"1970-01-01T00:00:08Z"}"#)
        #expect(try model.jsonString(options: .init(dates: .milliseconds)) == #"{"styled":7,"plain":8000}"#)
        #expect(try model.jsonString(options: .init(sortedKeys: true)) == #"{"plain":"1970-01-01T00:00:08Z","styled":7}"#)
        #expect(try Stamped<Moment>(plain: Moment(8)).jsonString() == #"{"plain":"1970-01-01T00:00:08Z"}"#)
        #expect(try Stamped<Moment>().jsonString(options: .init(nils: .null)) == #"{"styled":null,"plain":null}"#)
    }

    @Test("F28: literal text of a pattern is escaped like any other")
    func patternsAreEscaped() throws {
        let model = Formatted<Moment, Slashes>(styled: Moment(0))
        #expect(try model.jsonString() == #"{"styled":"1970/01/01 \"é\""}"#)
        #expect(
            try model.jsonString(options: .init(escapesSlashes: true, escapesNonASCII: true))
                == #"{"styled":"1970\/01\/01 \"\u00e9\""}"#)
    }

    @Test("F28: the format holds for the elements of a property, and not for the models in it")
    func formatsOfContainers() throws {
        #expect(try Stamped<[Moment]>(styled: [Moment(1), Moment(2)]).jsonString() == #"{"styled":[1,2]}"#)
        #expect(try Stamped<[String: [Moment?]]>(styled: ["k": [Moment(1), nil]]).jsonString() == #"{"styled":{"k":[1,null]}}"#)
        #expect(
            try Stamped<Set<Moment>>(styled: [Moment(10), Moment(9)]).jsonString(options: .sortedKeys) == #"{"styled":[10,9]}"#)
        typealias Inner = Formatted<Moment, Slashes>
        let inner = Inner(styled: Moment(0), plain: Moment(1))
        let text = #"{"styled":"1970/01/01 \"é\"","plain":"1970-01-01T00:00:01Z"}"#
        #expect(
            try Stamped<Inner>(styled: inner, plain: Moment(2)).jsonString()
                == #"{"styled":\#(text),"plain":"1970-01-01T00:00:02Z"}"#)
        #expect(try Stamped<[Inner]>(styled: [inner, inner]).jsonString() == #"{"styled":[\#(text),\#(text)]}"#)
        // A date after the model is in the property's format again.
        #expect(
            try Stamped<[Either]>(styled: [.moment(Moment(3)), .model(Site(url: "u")), .moment(Moment(4))]).jsonString()
                == #"{"styled":[3,{"url":"u"},4]}"#)
    }

    @Test("F28: a model that is written as an array has formats for its positions")
    func formatsOfPositions() throws {
        typealias Model = Formatted<Moment, ArrayOfUnix>
        #expect(try Model(styled: Moment(7), plain: Moment(8)).jsonString() == #"[7,"1970-01-01T00:00:08Z"]"#)
        #expect(try Model(plain: Moment(8)).jsonString() == #"[null,"1970-01-01T00:00:08Z"]"#)
        #expect(try [Model(styled: Moment(7))].jsonString(options: .init(isPretty: true)) == "[\n  [\n    7,\n    null\n  ]\n]")
    }

    @Test("F28: binary data has the form that its property asks for")
    func dataFormats() throws {
        #expect(try Formatted<Blob, Text>(styled: Blob()).jsonString() == #"{"styled":"utf8"}"#)
        #expect(try Formatted<[Blob], Text>(styled: [Blob()]).jsonString() == #"{"styled":["utf8"]}"#)
        #expect(try Stamped<Blob>(styled: Blob()).jsonString() == #"{"styled":"base64"}"#)
        #expect(try [Blob()].jsonString() == #"["base64"]"#)
    }

    @Test("F28: an error in a property with a format has its path, and the next one is written as ever")
    func errorsInContext() throws {
        let model = Stamped<[Double]>(styled: [1, .nan], plain: Moment(1))
        #expect(failure { () throws(JSONError) in try [model].jsonString() }?.path == "[0].styled[1]")
        #expect(try [model].jsonString(options: Self.omitting) == #"[{"styled":[1],"plain":"1970-01-01T00:00:01Z"}]"#)
        #expect(
            try Stamped<Double>(styled: .nan, plain: Moment(1)).jsonString(options: Self.omitting)
                == #"{"plain":"1970-01-01T00:00:01Z"}"#)
    }

    // MARK: F1 and F28: trees

    @Test("F28: a value becomes a tree, whatever the layout of the text would be")
    func trees() throws {
        let object = try status.jsonObject(options: .init(nils: .null, sortedKeys: true, isPretty: true))
        #expect(object.keys == ["nm", "numberWeiboID", "time", "user", "userDictionary", "weiboID"])
        #expect(object["weiboID"] == 12)
        #expect(object["time"] == .null)
        #expect(try [status].jsonValue()[0]?["nm"] == "n")
        #expect(try 1.5.jsonValue().number?.lexeme == "1.5")
        #expect(try Stamped<Moment>(styled: Moment(7)).jsonObject() == ["styled": 7])
        for (value, found) in [(JSONValue.array([]), "an array"), (.null, "null"), (1, "a scalar")] {
            let error = failure { () throws(JSONError) in try value.jsonObject() }
            #expect(error?.kind == .notWritable)
            #expect(error?.found == found)
        }
        #expect(failure { () throws(JSONError) in try [Double.nan].jsonValue() }?.path == "[0]")
        var deep: JSONValue = 1
        for _ in 0..<500 { deep = [deep] }
        #expect(failure { () throws(JSONError) in try deep.jsonValue(options: .init(maximumDepth: 499)) }?.kind == .depthLimit)
        #expect(try deep.jsonValue() == deep)
    }

    @Test("F1: a model is made of an object, and of a tree")
    func modelsOfTrees() throws {
        let object: JSONObject = ["url": "u", "port": 8080, "unknown": [1]]
        #expect(try Site(json: object) == Site(url: "u", port: 8080))
        #expect(try Site(json: JSONValue.object(object)) == Site(url: "u", port: 8080))
        #expect(try [Site](json: [["url": "u"]] as JSONValue) == [Site(url: "u")])
        #expect(try Site(json: ["url": "literal"]) == Site(url: "literal"))
        #expect(
            try Person(json: ann.jsonObject())
                == Person(id: 7, name: "Ann", host: ann.host, friends: ann.friends, sites: ann.sites))
        let error = try #require(failure { () throws(JSONError) in try Site(json: ["url": "u", "port": "x"]) })
        #expect(error.path == "port")
        #expect(failure { () throws(JSONError) in try Site(json: [:] as JSONObject) }?.keys == ["url"])
        // Text stays text.
        #expect(try Site(json: #"{"url":"u"}"#) == Site(url: "u"))
        #expect(try String(json: JSONValue.string("u")) == "u")
        var deep: JSONValue = 1
        for _ in 0..<600 { deep = [deep] }
        #expect(failure { () throws(JSONError) in try JSONValue(json: deep) }?.kind == .depthLimit)
    }

    // MARK: F31 and F32: text, and roots that are collections

    @Test("F31: text is compact without a line break at its end, or laid out on lines")
    func textForms() throws {
        #expect(try CYZStatus(name: "Apple", weiboID: 12).jsonString() == #"{"nm":"Apple","weiboID":12}"#)
        #expect(
            try CYZStatus(name: "Apple", weiboID: 12).jsonString(options: .pretty)
                == "{\n  \"nm\": \"Apple\",\n  \"weiboID\": 12\n}")
    }

    @Test("F31: text is appended to bytes that are kept, and lent in the writer's own memory")
    func keptMemory() throws {
        let books = (0..<3).map { CYZStatus(name: String(repeating: "Apple", count: 40 * $0), weiboID: $0) }
        var bytes = Array("[".utf8)
        for book in books {
            try book.write(into: &bytes)
            bytes.append(UInt8(ascii: ","))
        }
        bytes[bytes.count - 1] = UInt8(ascii: "]")
        #expect(bytes == (try books.jsonBytes()))
        bytes.removeAll(keepingCapacity: true)
        try books.write(into: &bytes, options: .pretty)
        #expect(bytes == (try books.jsonBytes(options: .pretty)))
        let lent = try books.withJSONText(options: .pretty) { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
        #expect(lent == bytes)

        struct Full: Error {}
        #expect(throws: Full.self) { try books.withJSONText { _ in throw Full() } }
        let before = bytes
        #expect(throws: JSONError.self) { try [1, Double.nan].write(into: &bytes) }
        #expect(throws: JSONError.self) { try [1, Double.nan].withJSONText { $0.byteCount } }
        #expect(bytes == before)
        // A call inside the closure writes elsewhere.
        try books.withJSONText { outer in
            let inner = try books[1].jsonBytes()
            #expect(try books[1].withJSONText { unsafe $0.withUnsafeBytes { unsafe Array($0) } } == inner)
            #expect(try unsafe outer.withUnsafeBytes { unsafe Array($0) } == books.jsonBytes())
        }
    }

    @Test("F31: what is written reads back, with every combination of options that keeps the values")
    func textRoundTrip() throws {
        var person = ann
        person.password = nil
        person.name = "Ann/\u{1}é😀"
        for nils in [JSONWriter.Options.Nils.omit, .null] {
            for bits in 0..<16 {
                let options = JSONWriter.Options(
                    nils: nils, sortedKeys: bits & 1 > 0, isPretty: bits & 2 > 0, indent: bits,
                    escapesSlashes: bits & 4 > 0, escapesNonASCII: bits & 8 > 0)
                #expect(try Person(json: person.jsonString(options: options)) == person)
                #expect(try Person(json: person.jsonBytes(options: options)) == person)
                #expect(try CYZStatus(json: status.jsonString(options: options)) == status)
                let text = try person.jsonString(options: options)
                #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
            }
        }
    }

    @Test("F32: sets, arrays and dictionaries of models are roots")
    func collectionsAreRoots() throws {
        let bags = [Site(url: "bag1"), Site(url: "bag2", port: 2)]
        #expect(try bags.jsonString(options: .init(nils: .null)) == #"[{"url":"bag1","port":null},{"url":"bag2","port":2}]"#)
        #expect(try Set(bags).jsonString(options: .sortedKeys) == #"[{"port":2,"url":"bag2"},{"url":"bag1"}]"#)
        #expect(try ["x": bags[0]].jsonString() == #"{"x":{"url":"bag1"}}"#)
        #expect(try Set<Site>(json: Set(bags).jsonString()) == Set(bags))
    }
}

/// A scalar that refuses.
private struct Unwritable: JSONScalarBindable, Sample {
    static var initial: Unwritable { Unwritable() }
    init() {}
    init?(jsonScalar scalar: JSONScalar) {}
    func write(to writer: inout JSONWriter) throws(JSONError) { throw JSONError.notWritable("better days", found: "this one") }
}

/// A moment or a model.
private enum Either: JSONScalarBindable {
    case moment(Moment)
    case model(Site)

    init?(jsonScalar scalar: JSONScalar) { nil }

    func write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .moment(let moment): try moment._write(to: &writer)
        case .model(let site): try site._write(to: &writer)
        }
    }
}

extension Moment: Sample { static var initial: Moment { Moment(0) } }
