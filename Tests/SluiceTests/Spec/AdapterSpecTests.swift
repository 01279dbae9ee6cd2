// `@JSONString` and `@JSONCodable` on properties whose type stands beside the model, and null in the string.
#if Macros

import Sluice
import Testing

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
}

#endif
