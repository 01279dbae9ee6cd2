// Foundation's types in the forms that options and properties ask for. The model is written by hand, so that no macro is needed.

import Foundation
import Sluice
import Testing

@Suite struct FoundationWritingTests {
    struct Upload: JSONModel {
        var at: Date?
        var text: Data?
        var bytes: Data?
        var dates: [Date]?

        struct JSONDraft: _JSONModelDraft {
            var at: Date?
            var text: Data?
            var bytes: Data?
            var dates: [Date]?
            init() {}
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            model.property("at", \JSONDraft.at, presence: .optional, policy: JSONPropertyPolicy(date: .milliseconds))
            model.property("text", \JSONDraft.text, presence: .optional, policy: JSONPropertyPolicy(data: .utf8))
            model.property("bytes", \JSONDraft.bytes, presence: .optional)
            model.property("dates", \JSONDraft.dates, presence: .optional)
        }

        static let _jsonTable = PropertyTable._compiled(for: Upload.self)

        init(at: Date? = nil, text: Data? = nil, bytes: Data? = nil, dates: [Date]? = nil) {
            self.at = at
            self.text = text
            self.bytes = bytes
            self.dates = dates
        }

        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            self.init(at: draft.at, text: draft.text, bytes: draft.bytes, dates: draft.dates)
        }

        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
            switch slot {
            case 0: try writer.property(at)
            case 1: try writer.property(text)
            case 2: try writer.property(bytes)
            case 3: try writer.property(dates)
            default: break
            }
        }

        static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
            switch slot {
            case 0: \Upload.at
            case 1: \Upload.text
            case 2: \Upload.bytes
            case 3: \Upload.dates
            default: nil
            }
        }
    }

    private let date = Date(timeIntervalSince1970: 1_390_220_688.25)

    @Test("F28: dates and data have the form of their property, or else of the options")
    func formsOfPropertiesAndOptions() throws {
        let upload = Upload(at: date, text: Data("a\"b".utf8), bytes: Data([1, 2]), dates: [date])
        #expect(
            try upload.jsonString()
                == #"{"at":1390220688250,"text":"a\"b","bytes":"AQI=","dates":["2014-01-20T12:24:48.250Z"]}"#)
        #expect(
            try upload.jsonString(options: .init(dates: .unix))
                == #"{"at":1390220688250,"text":"a\"b","bytes":"AQI=","dates":[1390220688.25]}"#)
        #expect(
            try upload.jsonString(options: .init(dates: .format("yyyy/MM/dd")))
                == #"{"at":1390220688250,"text":"a\"b","bytes":"AQI=","dates":["2014/01/20"]}"#)
    }

    @Test("F28: data that is no text cannot be written as text")
    func dataThatIsNoText() throws {
        let error = #expect(throws: JSONError.self) { try Upload(text: Data([0xFF])).jsonString() }
        #expect(error?.kind == .notWritable)
        #expect(error?.path == "text")
    }

    @Test("F28: a decimal that is no number follows the options")
    func decimalsThatAreNoNumbers() throws {
        #expect(try [Decimal.nan, 1].jsonString(options: .init(nonFinite: .omit)) == "[1]")
        #expect(try [Decimal.nan, 1].jsonString(options: .init(nonFinite: .strings)) == #"["NaN",1]"#)
        #expect(try [Decimal.nan, 1].jsonString(options: .init(nonFinite: .null)) == "[null,1]")
        #expect(#expect(throws: JSONError.self) { try [Decimal.nan].jsonString() }?.path == "[0]")
    }

    @Test("F30: data holds the selected properties")
    func selectedData() throws {
        let upload = Upload(at: date, bytes: Data([1]))
        for bytes in [
            try upload.jsonBytes(include: ["at"]), try upload.jsonBytes(include: [\.at]),
            try upload.jsonBytes(exclude: ["bytes"]), try upload.jsonBytes(exclude: [\.bytes]),
        ] { #expect(Data(bytes) == Data(#"{"at":1390220688250}"#.utf8)) }
    }
}
