// `@JSONString` and `@JSONCodable` on properties whose type is declared next to the model, and null in the string.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct AdapterSpecTests {
    /// The types of the properties are only visible inside this type.
    enum Outside {
        @JSONModel
        struct Inner: Equatable {
            var id: Int
        }

        struct Coded: Codable, Equatable {
            var id: Int
        }

        @JSONModel
        struct Message: Equatable {
            @JSONString var payload: Inner
            @JSONString var more: [Inner]?
            @JSONCodable var coded: Coded
            @JSONCodable var codedMore: [Coded]?
        }

        @JSONModel
        final class Letter {
            @JSONString var payload: Inner
            @JSONCodable var coded: Coded?
        }
    }

    @Test func anAdapterFindsATypeBesideTheModel() throws {
        let text = #"{"payload":"{\"id\":1}","more":"[{\"id\":2}]","coded":{"id":3},"codedMore":[{"id":4}]}"#
        let message = try Outside.Message(json: text)
        #expect(
            message
                == Outside.Message(payload: .init(id: 1), more: [.init(id: 2)], coded: .init(id: 3), codedMore: [.init(id: 4)]))
        #expect(try message.jsonString() == text)
        let letter = try Outside.Letter(json: #"{"payload":"{\"id\":1}"}"#)
        #expect(try letter.jsonString() == #"{"payload":"{\"id\":1}"}"#)
    }

    @JSONModel
    struct Texts: Equatable {
        @JSONString var list: [Int]?
        @JSONString var initial: [Int]? = [1]
        @JSONString @JSONNull(.error) var strict: [Int]?
        @JSONString var needed: [Int] = [2]
    }

    @Test func jsonThatIsCutOffInAStringIsAnUnexpectedEnd() {
        for (text, kind) in [
            (#"{"needed":"[1,2"}"#, JSONError.Kind.unexpectedEnd), (#"{"needed":"[1,"}"#, .unexpectedEnd),
            (#"{"needed":""}"#, .invalidValue),
            (#"{"needed":"[1,]"}"#, .invalidValue), (#"{"needed":"[1] 2"}"#, .invalidValue),
        ] {
            let reading = readings(of: Texts.self, text, options: .strict)
            #expect(reading.error?.kind == kind, "\(text)")
            #expect(reading.error?.path.hasPrefix("needed") == true)
            #expect(reading.disagreements == [])
            // A policy takes it for a value that does not fit.
            let left = readings(of: Texts.self, text, options: .init(mismatch: .keep))
            #expect(left.value?.needed == [2])
            #expect(left.report.issues.map(\.kind) == [kind])
            #expect(left.disagreements == [])
        }
    }

    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func nullInAStringIsNil(parser: JSONReader.Options.Parser) throws {
        let options = JSONReader.Options(parser: parser)
        #expect(
            try Texts(json: #"{"list":"null","initial":" null\n"}"#, options: options).list == nil)
        #expect(try Texts(json: #"{"list":"null","initial":" null "}"#, options: options).initial == nil)
        #expect(try Texts(json: #"{"list":"[3]"}"#, options: options).list == [3])
        for text in [#"{"list":"nul"}"#, #"{"list":"null1"}"#, #"{"list":""}"#, #"{"strict":"null"}"#, #"{"needed":"null"}"#] {
            #expect(throws: JSONError.self) { try Texts(json: text, options: options) }
        }
    }
}

#endif
