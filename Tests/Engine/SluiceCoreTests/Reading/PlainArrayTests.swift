// Arrays of scalars and points are read in loops of their own: whatever they hold, it is read as yajl reads it.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// `[13.4, 52.5]`
private struct Point: JSONModel, Equatable {
    var longitude: Double
    var latitude: Double
    var height: Double?

    struct JSONDraft: _JSONModelDraft {
        var longitude: Double?
        var latitude: Double?
        var height: Double?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("longitude", \JSONDraft.longitude)
        model.property("latitude", \JSONDraft.latitude)
        model.property("height", \JSONDraft.height, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Point.self)

    init(_ longitude: Double, _ latitude: Double, _ height: Double? = nil) {
        self.longitude = longitude
        self.latitude = latitude
        self.height = height
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        longitude = try bound.required(draft.longitude, 0)
        latitude = try bound.required(draft.latitude, 1)
        height = draft.height
        if longitude == 13, latitude == 13 { throw JSONError(.invalidValue, expected: "a luckier place", found: "13") }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

@Suite struct PlainArrayTests {
    /// Texts between the brackets of an array: some are allowed in an array of numbers, many are not.
    private static let insides = [
        "", " ", "1", "1,2", " 1 , 2 ", "1,2,", ",1", "1,,2", "1 2", "01", "1.", "-", "+1", "1e400", "1e3", "-0", "-0.0",
        "0.1234567890123456789", "9007199254740993", "9223372036854775807", "9223372036854775808", "null", "1,null", "\"1\"",
        "true",
        "[1]", "{}", "1}", "1.5,2.5,3.5", "1.5,2.5,3.5,4.5",
        "1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5,9.5,10.5,11.5,12.5,13.5,14.5,15.5,16.5,17.5",
        "\"a\",\"\",\"0123456789abcde\",\"0123456789abcdef\",\"é\",\"\\u00e9\",\"x\\ny\"", "\"a\",1", "\"a\"", "\"\u{1}\"",
        "13,13,1",
        "\t1,\r\n2\t", "1\u{0B}", "1 /", "123456789012345678901234567890", "1.7976931348623159e308",
    ]

    private func expectAgreement<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, _ options: JSONReader.Options
    ) {
        let disagreements = readEveryWay(type, text, options: options).disagreements
        #expect(disagreements == [], "\(text)")
    }

    @Test(arguments: insides) func arraysReadTheSameInEveryWay(inside: String) {
        for tail in ["", String(repeating: " ", count: 60)] {
            let text = "[" + inside + "]" + tail
            for options in [JSONReader.Options.strict, .lenient, .tolerant, .yyModel] {
                expectAgreement([Double].self, text, options)
                expectAgreement([Int].self, text, options)
                expectAgreement([String].self, text, options)
                expectAgreement(Point.self, text, options)
                let nested = "[\(text), [1.5, 2, 3], [], [1, 2]]\(tail)"
                expectAgreement([[Double]].self, nested, options)
                expectAgreement([Point].self, nested, options)
                expectAgreement([Point?].self, nested, options)
                expectAgreement([[[Int]]].self, "[\(nested), []]", options)
            }
        }
    }

    @Test func pointsAreThoseOfTheText() throws {
        let text = "[[1.5, -2.25, 3], [1e1,2],[0.1,0.2,null] , [ 4 , 5 , 6.5 ] ]" + String(repeating: " ", count: 60)
        let points = try [Point](json: text)
        #expect(points == [Point(1.5, -2.25, 3), Point(10, 2), Point(0.1, 0.2), Point(4, 5, 6.5)])
    }

    @Test func aPointThatIsRefusedIsNamedWithItsPosition() {
        let text = "[[1,2,3], [13,13,1], [4,5,6]]" + String(repeating: " ", count: 60)
        let reading = readings(of: [Point].self, text, options: .strict)
        #expect(reading.outcome == .failure(.invalidValue, "[1]"))
        #expect(reading.disagreements == [])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 16, 17, 100, 1000, 20_000]) func longArraysGrow(count: Int) throws {
        let numbers = (0..<count).map { Double($0) * 0.5 }
        let integers = Array(0..<count)
        let texts = integers.map { "element number \($0)" }
        let space = String(repeating: " ", count: 60)
        #expect(try [Double](json: "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]" + space) == numbers)
        #expect(try [Int](json: "[" + integers.map { "\($0)" }.joined(separator: ", ") + "]" + space) == integers)
        #expect(try [String](json: "[" + texts.map { "\"\($0)\"" }.joined(separator: ",\n") + "]" + space) == texts)
        // Whatever has been gathered of an array that turns out otherwise is freed, and read again.
        #expect(throws: JSONError.self) {
            try [String](json: "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + ",{}]" + space)
        }
    }
}
