// F15: keys of dictionaries that are not strings.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DictionaryKeySpecTests {
    @Test("B8: a key that the type does not have is left out with its value, where the policy says so")
    func unknownKeys() {
        let text = #"{"huge":1,"green":2,"h\u0075ge" : {"a":[1]},"deep blue":3,"x":null}"#
        for options in [JSONReader.Options(elements: .skipInvalid), .yyModel] {
            let reading = readings(of: [Color: Int].self, text, options: options)
            #expect(reading.value == [.green: 2, .deepBlue: 3])
            #expect(reading.report.droppedCount == 3)
            #expect(reading.report.issues.map(\.path) == ["huge", "huge", "x"])
            #expect(reading.report.issues.map(\.offset) == [1, 20, 58])
            #expect(reading.report.issues.allSatisfy { $0.kind == .invalidValue && $0.expected == "keys of Color" })
            #expect(reading.disagreements == [])
        }
    }

    @Test("B8: otherwise it is an error") func strictKeys() {
        for options in [JSONReader.Options.strict, .init(), .init(elements: .skipMistyped)] {
            let reading = readings(of: [Color: Int].self, #"{"green":2,"huge":1}"#, options: options)
            #expect(reading.outcome == .failure(.invalidValue, "huge"))
            #expect(reading.error?.found == #"the key "huge""#)
            #expect(reading.disagreements == [])
        }
    }

    @Test("B8: what stands after an unusable key is no loss of its own") func valuesOfUnusableKeys() {
        let options = JSONReader.Options(elements: .skipInvalid)
        for (text, drops) in [
            (#"{"huge":"x","red":7}"#, 1), (#"{"huge":[{}],"red":7,"green":"x"}"#, 2), (#"{"red":7,"huge":{}}"#, 1),
            (#"{"red":1,"huge":2,"red":7}"#, 1),
        ] {
            let reading = readings(of: [Color: Int].self, text, options: options)
            #expect(reading.value == [.red: 7], "\(text)")
            #expect(reading.report.droppedCount == drops, "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
        let raw = readings(of: [Color: RawJSON].self, #"{"huge":[ 1],"red":[ 2]}"#, options: options)
        #expect(raw.value == [.red: RawJSON(known: "[ 2]")])
        #expect(raw.disagreements == [])
        let nested = readings(of: [String: [Color: [Int]]].self, #"{"a":{"huge":[1]},"b":{"red":[1,"x"]}}"#, options: options)
        #expect(nested.value == ["a": [:], "b": [.red: [1]]])
        #expect(nested.report.issues.map(\.path) == ["a.huge", "b.red[1]"])
        #expect(nested.disagreements == [])
    }
}
