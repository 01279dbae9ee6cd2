// A scalar that several properties want, cut inside.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct SharedScalarTests {
    @Test(arguments: [
        #"{"?" :"\ud83d\ude00😀","name":"x"}"#,
        "{\"id\":{\"a\":[1] },\n  \"?\" :\"\\ud83d\\ude00😀\",\"name\":\"2014\"}", #"{"?":"\ud83d\ude00😀"}"#,
        #"{"?":"\ud83d\ude00"}"#, #"{"?":"a\nb"}"#, #"{"?":"\u00e9\ud83d\ude00"}"#,
    ])
    func aStringThatSeveralPropertiesWantIsWholeHoweverItIsCut(_ text: String) {
        let options = JSONReader.Options(conversions: .yyModel, mismatch: .keep)
        for options in [options, JSONReader.Options(), .strict] {
            let reading = readings(of: Both.self, text, options: options)
            #expect(reading.disagreements == [], "\(reading.disagreements.first ?? "")")
        }
    }
}

private struct Both: JSONModel, Equatable {
    var figure: Figure?
    var numbers: [Int]?

    struct JSONDraft: _JSONModelDraft {
        var figure: Figure?
        var numbers: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("figure", \JSONDraft.figure, keys: ["?"], presence: .optional)
        model.property("numbers", \JSONDraft.numbers, keys: ["?"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Both.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        figure = draft.figure
        numbers = draft.numbers
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
