// F19: whose conversions hold: those of the property, the model or the reader; and what an error shows.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What a custom type is told about its property.
private struct Seen: JSONScalarBindable, Sample {
    var conversions: JSONConversions
    var data: JSONDataFormat
    init(conversions: JSONConversions, data: JSONDataFormat) {
        self.conversions = conversions
        self.data = data
    }
    init?(jsonScalar scalar: JSONScalar) { self.init(conversions: scalar.conversions, data: scalar.dataFormat) }
    func write(to writer: inout JSONWriter) throws(JSONError) {}
    static var initial: Seen { Seen(conversions: .truncating, data: .base64) }
}

extension ConversionSpecTests {
    private enum OwnStrict: Rules { static let policy = JSONPropertyPolicy(conversions: .strict) }
    private enum OwnLenient: Rules {
        static let policy = JSONPropertyPolicy(conversions: .lenient)
        static let modelPolicy = JSONPropertyPolicy(conversions: .strict)
    }
    private enum ModelStrict: Rules { static let modelPolicy = JSONPropertyPolicy(conversions: .strict) }

    @Test("F19: the property's conversions come before the model's, and the model's before the reader's")
    func precedence() {
        let text = #"{"v": "7"}"#
        for options in [JSONReader.Options.strict, .init(), .yyModel] {
            let isStrict = options == .strict
            #expect(readings(of: Ruled<Int, OwnStrict>.self, text, options: options).outcome == .failure(.typeMismatch, "v"))
            #expect(readings(of: Ruled<Int, ModelStrict>.self, text, options: options).outcome == .failure(.typeMismatch, "v"))
            #expect(readings(of: Ruled<Int, OwnLenient>.self, text, options: options).outcome == .value(Ruled(7)))
            let unsaid = readings(of: Ruled<Int, Defaulted>.self, text, options: options).outcome
            #expect(unsaid == (isStrict ? .failure(.typeMismatch, "v") : .value(Ruled(7))))
        }
    }

    @Test("F19: a policy holds for the elements of its property, and for nothing else")
    func policiesOfElements() {
        let nested = #"{"v": {"a": ["7"], "b": []}}"#
        typealias Strict = Ruled<[String: [Int]], OwnStrict>
        typealias Lenient = Ruled<[String: [Int]], OwnLenient>
        #expect(readings(of: Strict.self, nested, options: .init()).outcome == .failure(.typeMismatch, "v.a[0]"))
        #expect(readings(of: Lenient.self, nested, options: .strict).outcome == .value(Ruled(["a": [7], "b": []])))
        let inner = readings(of: Ruled<[Ruled<Int, Defaulted>], OwnStrict>.self, #"{"v": [{"v": "7"}]}"#, options: .init())
        #expect(inner.outcome == .value(Ruled([Ruled(7)])))
    }

    @Test("F19: YYModel's profile takes numbers among elements as it does in properties, and their text only without a loss")
    func elementsOfYYModel() {
        let text = #"[300, 1.5, true, "2", "12abc", "x", "null", null, [1], {"a": 1}]"#
        let reading = readings(of: [Int8].self, text, options: .yyModel)
        #expect(reading.outcome == .value([44, 1, 1, 2]))
        #expect(reading.report.issues.map(\.path) == ["[4]", "[5]", "[6]", "[7]", "[8]", "[9]"])
        #expect(reading.disagreements == [])
    }

    @Test("F19: a custom type sees the conversions that hold for it")
    func conversionsOfScalars() {
        enum Own: Rules { static let policy = JSONPropertyPolicy(data: .utf8) }
        func read<Rule: Rules>(_ rule: Rule.Type, _ options: JSONReader.Options) -> Seen? {
            readings(of: Ruled<Seen, Rule>.self, #"{"v": 1}"#, options: options).value?.value
        }
        #expect(read(Defaulted.self, .strict) == Seen(conversions: .strict, data: .base64))
        #expect(read(Defaulted.self, .init()) == Seen(conversions: .lenient, data: .base64))
        #expect(read(Defaulted.self, .yyModel) == Seen(conversions: .yyModel, data: .utf8))
        #expect(read(OwnStrict.self, .init()) == Seen(conversions: .strict, data: .base64))
        #expect(read(Own.self, .strict) == Seen(conversions: .strict, data: .utf8))
    }

    private enum Secret: Rules { static let policy = JSONPropertyPolicy(isSensitive: true) }

    @Test("F19: an error does not show a sensitive value")
    func sensitive() throws {
        for json in [#""hunter2""#, #"["hunter2"]"#, #"[{"a": ["hunter2"]}]"#] {
            let error = try #require(readings(of: Ruled<[Int], Secret>.self, #"{"v": \#(json)}"#, options: .strict).error)
            #expect(!error.description.contains("hunter2"))
        }
        let error = try #require(readings(of: Ruled<Int, Defaulted>.self, #"{"v": "hunter2"}"#, options: .init()).error)
        #expect(error.description.contains("hunter2"))
    }
}
