import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct JSONValueTests {
    @Test func partsAreReachedByKeyAndIndex() throws {
        let value = try JSONValue(json: #"{"price": 12.50, "tags": ["a", null, true], "none": null}"#)
        #expect(value["price"]?.number?.lexeme == "12.50")
        #expect(value["price"]?.double == 12.5)
        #expect(value["price"]?.int == nil)
        #expect(value["tags"]?[0]?.string == "a")
        #expect(value["tags"]?[1]?.isNull == true)
        #expect(value["tags"]?[2]?.bool == true)
        #expect(value["tags"]?[3] == nil)
        #expect(value["tags"]?[-1] == nil)
        #expect(value["none"] == .null)
        #expect(value["absent"] == nil)
        #expect(value[0] == nil)
        #expect(value["tags"]?["a"] == nil)
        #expect(value.object?.keys == ["price", "tags", "none"])
        #expect(value.description == #"{"price":12.50,"tags":["a",null,true],"none":null}"#)
    }

    @Test func literalsMakeTheValuesThatTextDoes() throws {
        let value: JSONValue = ["a": [1, true, nil, "x"], "b": [:]]
        #expect(try value == JSONValue(json: #"{"a":[1,true,null,"x"],"b":{}}"#))
        #expect(try value != JSONValue(json: #"{"b":{},"a":[1,true,null,"x"]}"#))
        #expect(Set([value, value]).count == 1)
    }

    @Test func theLastOfTwoMembersCountsAndBothAreKept() throws {
        var object = try #require(try JSONValue(json: #"{"a":1,"b":2,"a":3}"#).object)
        #expect(object.count == 3)
        #expect(object["a"] == 3)
        object["a"] = 4
        object["c"] = 5
        #expect(JSONValue.object(object).description == #"{"a":1,"b":2,"a":4,"c":5}"#)
        object["a"] = nil
        #expect(JSONValue.object(object).description == #"{"b":2,"c":5}"#)
        #expect(!object.isEmpty)
    }

    // MARK: Numbers

    @Test(arguments: ["0", "-0", "1.50", "1e400", "-12.5E-3", "123456789012345678901234567890"])
    func numbersKeepTheirText(_ text: String) throws {
        let number = try #require(JSONNumber(lexeme: text))
        #expect(number.lexeme == text)
        #expect(number.description == text)
        #expect(try JSONValue.number(number).jsonString() == text)
    }

    @Test(arguments: ["", " 1", "1 ", "01", "+1", "1.", "NaN", "\"1\"", "[1]", "1 2", "true", "\u{FEFF}1"])
    func textThatIsNotANumberGivesNil(_ text: String) { #expect(JSONNumber(lexeme: text) == nil) }

    @Test func numbersBecomeIntegersExactlyOrNotAtAll() throws {
        func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(lexeme: text)) }
        #expect(try number("1e3").int == 1000)
        #expect(try number("7.0").integer(as: UInt8.self) == 7)
        #expect(try number("256").integer(as: UInt8.self) == nil)
        #expect(try number("-1").integer(as: UInt128.self) == nil)
        #expect(try number("\(UInt128.max)").integer(as: UInt128.self) == .max)
        #expect(try number("\(Int128.min)").integer(as: Int128.self) == .min)
        #expect(try number("1.5").int == nil)
        #expect(try number("1e400").double == nil)
        #expect(JSONNumber(UInt64.max).lexeme == "18446744073709551615")
        #expect(JSONNumber(0.1)?.lexeme == "0.1")
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
    }
}

@Suite struct RawJSONTests {
    private enum Raw: Rules { static let keys: [JSONKeyPath] = ["a", "b"] }

    @Test(
        "8: raw JSON is JSON: half a surrogate in it is an error, also where only structure is checked",
        arguments: [
            #""\ud800""#, #"{"k":"\udc00"}"#, #"{"\ud800":1}"#, #"["\\\ud800"]"#, #"[{"a":["x\ud800\u0041"]}]"#,
            #""\ud83d\ud83d\ude00""#,
        ])
    func halfSurrogates(_ raw: String) {
        for validation in [JSONReader.Options.Validation.bound, .full] {
            let options = JSONReader.Options(validation: validation)
            for reading in [
                readings(of: RawJSON.self, raw, options: options).disagreements + [
                    "\(readings(of: RawJSON.self, raw, options: options).error?.kind == .invalidUnicode)"
                ],
                readings(of: [RawJSON].self, "[1,\(raw)]", options: options).disagreements + [
                    "\(failure(reading: [RawJSON].self, "[1,\(raw)]", options: options)?.kind == .invalidUnicode)"
                ],
                readings(of: Ruled<RawJSON, Raw>.self, "{\"b\":\(raw)}", options: options).disagreements + [
                    "\(failure(reading: Ruled<RawJSON, Raw>.self, "{\"b\":\(raw)}", options: options)?.kind == .invalidUnicode)"
                ],
                readings(of: Figure.self, "{\"x\":\(raw),\"type\":\"z\"}", options: options).disagreements + [
                    "\(failure(reading: Figure.self, "{\"x\":\(raw),\"type\":\"z\"}", options: options)?.kind == .invalidUnicode)"
                ],
            ] {
                #expect(reading == ["true"])
            }
        }
        let reader = ColumnReader(columns: [
            JSONColumn(name: "r", type: .json, keys: ["r"]), JSONColumn(name: "t", type: .text, keys: ["t"], isTolerant: true),
        ])
        for text in ["{\"r\":\(raw)}", "{\"t\":[\(raw)]}", "{\"t\":{\"k\":\(raw)}}"] {
            let kind = failure { () throws(JSONError) in
                try unsafe Array(text.utf8).withUnsafeBytes { bytes in
                    Result { () throws(JSONError) in try unsafe reader.read(bytes) }
                }.get()
            }?.kind
            #expect(kind == .invalidUnicode, "\(text)")
        }
    }

    @Test(
        "8: whole pairs, and backslashes that escape none, stay as they are",
        arguments: [
            #""\ud83d\ude00""#, #"{"\\ud800":"\\\\ud800"}"#, #"["\u0041\"\\"]"#,
        ])
    func wholePairs(_ raw: String) {
        let reading = readings(of: RawJSON.self, raw, options: .init())
        #expect(reading.value?.text == raw)
        #expect(reading.disagreements == [])
    }

    @Test("8: raw JSON in a variant is JSON, also where its object was passed over by its brackets")
    func rawVariants() {
        for text in [#"{"t":"raw","c":[1,]}"#, #"{"c":{"x":nul},"t":"raw"}"#, #"{"t":"raw","c":01}"#] {
            let reading = readings(of: Wrapped.self, text, options: .init())
            #expect(reading.error?.kind == .syntax, "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
        for raw in ["[1, 2]", "7", "null", #""\u00e9""#, "{ }"] {
            let reading = readings(
                of: [Wrapped].self, #"[{"t":"raw", "c" : \#(raw) }, {"c":\#(raw),"t":"raw"}]"#, options: .init())
            #expect(reading.value?.map(\.text) == [raw, raw])
            #expect(reading.disagreements == [])
        }
    }

    private struct Wrapped: JSONPolymorphic, Equatable {
        var text: String
        static let jsonVariants = JSONVariants<Wrapped>(by: .key("t", content: "c"))
            .variant("raw", RawJSON.self) { Wrapped(text: $0.text) }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    @Test(
        arguments: [
            (#" [1 , "a" ]"#, #"[1 , "a" ]"#), ("\n\t{ } \r\n", "{ }"), (" \"é\\u00e9\" ", "\"é\\u00e9\""), ("null", "null"),
            (" -0.0e1 ", "-0.0e1"),
        ])
    func theBytesAreThoseOfTheTextWithoutTheBlanksAround(_ text: String, _ raw: String) throws {
        let (outcome, disagreements) = readEveryWay(RawJSON.self, text)
        guard case .value(let value) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(value.text == raw)
        #expect(disagreements == [])
        #expect(try value.jsonString() == raw)
        #expect(try [value, value].jsonString() == "[\(raw),\(raw)]")
    }

    @Test func rawJSONMayBeAMemberOrAnElement() throws {
        let text = #"{"b" : { "x" : [ 1, 2 ] } , "a":"\"," ,"c" :3.10 }"#
        let (outcome, disagreements) = readEveryWay([String: RawJSON].self, text)
        guard case .value(let members) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(members.mapValues(\.text) == ["b": #"{ "x" : [ 1, 2 ] }"#, "a": #""\",""#, "c": "3.10"])
        #expect(disagreements == [])
        let (rows, others) = readEveryWay([[RawJSON]].self, "[ [ 1 , [2] ] , [ ] , [{}, null ,\"]\"] ]")
        guard case .value(let list) = rows else { return #expect(Bool(false), "\(rows)") }
        #expect(list.map { $0.map(\.text) } == [["1", "[2]"], [], ["{}", "null", "\"]\""]])
        #expect(others == [])
    }

    @Test func whatIsNotJSONHasNoBytes() {
        for text in ["[1 2]", "{\"a\":}", "[1,]", "{]", "[}", "\"\u{1}\"", "[01]", "{\"a\" \"b\"}", "[tru]"] {
            let (outcome, disagreements) = readEveryWay(RawJSON.self, text)
            guard case .failure(.syntax, _) = outcome else { return #expect(Bool(false), "\(text): \(outcome)") }
            #expect(disagreements == [])
        }
    }
}

@Suite struct JSONScalarTests {
    /// Keeps all that a scalar says of itself.
    private struct Said: JSONScalarBindable, Equatable {
        let text: String

        init?(jsonScalar scalar: JSONScalar) {
            let parts: [Any?] = [
                scalar.kind, scalar.boolean, scalar.string, scalar.numberText, scalar.integer(as: Int8.self), scalar.double,
                scalar.float,
                scalar.timestamp.map { $0.seconds }, unsafe scalar.withUTF8 { $0.count },
            ]
            text = parts.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
        }

        func write(to writer: inout JSONWriter) throws(JSONError) {}
    }

    @Test(
        arguments: [
            ("true", "boolean true - - - - - - 0"), ("false", "boolean false - - - - - - 0"), ("7", "number - - 7 7 7.0 7.0 - 1"),
            ("1.50", "number - - 1.50 - 1.5 1.5 - 4"),
            ("300", "number - - 300 - 300.0 300.0 - 3"), ("1e39", "number - - 1e39 - 1e+39 - - 4"),
            ("1e400", "number - - 1e400 - - - - 5"),
            (#""\u00e9""#, "string - é - - - - - 2"), (#""1970-01-01T00:00:09Z""#, "string - 1970-01-01T00:00:09Z - - - - 9 20"),
            (#""""#, "string -  - - - - - 0"),
        ])
    func aScalarSaysWhatItIs(_ json: String, _ said: String) {
        for text in [json, "[\(json)]"] {
            let (outcome, disagreements) =
                text == json ? flattened(readEveryWay(Said.self, text)) : flattened(readEveryWay([Said].self, text))
            #expect(outcome == said)
            #expect(disagreements == [])
        }
    }

    private func flattened(_ result: (outcome: Outcome<Said>, disagreements: [String])) -> (String, [String]) {
        if case .value(let said) = result.outcome { (said.text, result.disagreements) } else { ("", []) }
    }

    private func flattened(_ result: (outcome: Outcome<[Said]>, disagreements: [String])) -> (String, [String]) {
        if case .value(let said) = result.outcome { (said.map(\.text).joined(), result.disagreements) } else { ("", []) }
    }
}
