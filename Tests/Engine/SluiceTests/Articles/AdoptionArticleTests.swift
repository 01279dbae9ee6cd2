// What "Mapping" and "Coming from Codable" show of models that are taken over from elsewhere, compiled and run.

#if Macros
import Foundation
import Sluice
import SluiceCodable
import Testing

// swift-format-ignore
@JSONModel
struct AccountPatch {
    var displayName: JSONField<String>           // absent: leave it; null: remove it; a value: set it
    var homepage: JSONField<URL>
}

// swift-format-ignore
@JSONModel
struct Delivery {
    @JSONString var payload: Account             // {"payload": "{\"id\": 7, …}"}
    @JSONString var attempts: [Int]?             // {"attempts": "[3, 5]"}
}

// swift-format-ignore
@JSONModel(unknownKeys: .collect(into: "rest"))
struct AuditEvent {
    var id: Int
    var rest: JSONObject                         // or [String: JSONValue]
}

// swift-format-ignore
@JSONModel
enum Visibility {
    case everyone                                // "everyone"
    @JSONKey("only-me") case owner               // "only-me"
    case unknown(String)                         // any other string
}

struct ShelfPlace: Codable {
    var row: String
}

// swift-format-ignore
@JSONModel
struct Shelf {
    @JSONCodable var places: [Int: ShelfPlace]  // a type with Codable
}

@JSONModel(codable: true)
struct Loan {
    var book: String
    @JSONDate(.unix) var due: Date
}

@Suite struct AdoptionArticleTests {
    @Test func aPatchIsReadAndApplied() throws {
        var homepage = URL(string: "https://example.com")
        let patch = try AccountPatch(json: #"{"homepage": null}"#)
        patch.homepage.apply(to: &homepage)
        #expect(homepage == nil)
        #expect(patch.displayName.isAbsent)
        #expect(try patch.jsonString() == #"{"homepage":null}"#)
    }

    @Test func textAndUnknownKeysAreReadAndWritten() throws {
        let text = #"{"payload":"{\"id\":7,\"display_name\":\"n\",\"created\":\"2014-05-06T00:00:00Z\"}","attempts":"[3,5]"}"#
        let delivery = try Delivery(json: text)
        #expect(delivery.payload.id == 7 && delivery.attempts == [3, 5])
        #expect(try AuditEvent(json: #"{"id":1,"who":"ann"}"#).jsonString() == #"{"id":1,"who":"ann"}"#)
        #expect(try [Visibility](json: #"["only-me","friends"]"#).jsonString() == #"["only-me","friends"]"#)
    }

    @Test func codableGoesBothWays() throws {
        #expect(try Shelf(json: #"{"places":{"7":{"row":"a"}}}"#).places[7]?.row == "a")
        let data = Data(#"{"book":"Emma","due":1390220688}"#.utf8)
        let loan = try SluiceJSONDecoder().decode(Loan.self, from: data)
        #expect(try SluiceJSONEncoder().encode(loan) == data)
        #expect(try JSONDecoder().decode(Loan.self, from: data).due == loan.due)
    }
}
#endif
