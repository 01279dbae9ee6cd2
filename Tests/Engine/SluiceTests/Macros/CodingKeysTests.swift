// A type that was Codable brings its `CodingKeys` along: the same documents fit it.

#if Macros
import Foundation
import Sluice
import Testing

@JSONModel
private struct Order: Codable, Equatable {
    var orderID: Int
    var customer: String
    @JSONKey("ship.city") var city: String?
    var total = 0.0
    var isSelected = false  // has no case, so it takes no part

    enum CodingKeys: String, CodingKey {
        case orderID = "order.id"
        case customer
        case total = "sum"
    }
}

@JSONModel(keys: .snakeCase)
private struct Line: Codable, Equatable {
    var itemNumber: Int
    var `default`: Bool
    var unitPrice: Double

    private enum CodingKeys: String, Swift.CodingKey {
        case itemNumber, `default` = "is_default"
        case unitPrice = "price"
    }
}

@Suite struct CodingKeysTests {
    private static let text = #"{"order.id":7,"customer":"Ann","sum":2.5}"#

    @Test func keysAreThoseOfCodable() throws {
        let order = try Order(json: Self.text)
        #expect(order == Order(orderID: 7, customer: "Ann", total: 2.5))
        #expect(try order == JSONDecoder().decode(Order.self, from: Data(Self.text.utf8)))
        #expect(try order.jsonString() == Self.text)
    }

    @Test func propertiesWithoutACaseTakeNoPart() throws {
        let order = try Order(json: #"{"order.id":7,"customer":"Ann","isSelected":true,"orderID":8,"total":9}"#)
        #expect(order == Order(orderID: 7, customer: "Ann"))
        #expect(Order.schema["isSelected"] == nil)
    }

    @Test func aKeyOfSluicesOwnCountsBeforeCodables() throws {
        let order = try Order(json: #"{"order.id":7,"customer":"Ann","ship":{"city":"Bern"}}"#)
        #expect(order.city == "Bern")
    }

    @Test func casesWithoutARawValueFollowTheStrategy() throws {
        let line = try Line(json: #"{"item_number":1,"is_default":true,"price":0.5}"#)
        #expect(line == Line(itemNumber: 1, default: true, unitPrice: 0.5))
        #expect(try line.jsonString() == #"{"item_number":1,"is_default":true,"price":0.5}"#)
    }
}
#endif
