// What "Events and variants" shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

// swift-format-ignore
enum EventsArticle {
@JSONModel
struct Event {
    var id: String
    var created: Int
    @JSONInline var payload: Payload
}

@JSONModel(tag: .key("type", content: "data.object"))
enum Payload {
    @JSONKey("charge.paid") case chargePaid(Charge)
    @JSONKey("payout.failed") case payoutFailed(Payout)
    case unknown(String?, RawJSON)
}

@JSONModel
struct Charge {
    var amount: Int
}

@JSONModel
struct Payout {
    var reason: String
}

@JSONModel
struct Change<Object> {
    var object: Object
    @JSONKey("previous_attributes") var previous: JSONObject?
}

@JSONModel(tag: .key("type", content: "data"))
enum Updates {
    @JSONKey("charge.updated") case charge(Change<Charge>)
    @JSONKey("payout.updated") case payout(Change<Payout>)
    case unknown(String?, RawJSON)
}

@JSONModel
struct UpdateEvent {
    var id: String
    var created: Int
    @JSONInline var payload: Updates
}

@JSONModel
struct Page {
    var total: Int
    var next: String?
}

@JSONModel
struct Listing {
    @JSONInline var page: Page
    var items: [Int]
}

@JSONModel
struct Circle {
    var radius: Double
}

@JSONModel
struct Square {
    var side: Double
}

@JSONModel(tag: .key("type"))
enum Shape {
    case circle(Circle)             // {"type": "circle", "radius": 1}
    case square(Square)             // {"type": "square", "side": 2}
}

@JSONModel(tag: .key("type", content: "value"))
enum Command {
    case move(Circle)               // {"type": "move", "value": {"radius": 1}}
    case stop                       // {"type": "stop"}
}

@JSONModel(tag: .external)
enum Search {
    case found(Circle)              // {"found": {"radius": 1}}
    case nothing                    // "nothing"
}

@JSONModel(tag: .presence)
enum Figure {
    @JSONKey("radius") case circle(Circle)      // {"radius": 1}
    @JSONKey("side") case square(Square)        // {"side": 2}
}

@JSONModel(tag: .untagged)
enum Identifier {
    case number(Int)                // 7
    case text(String)               // "seven"
}

@JSONModel(
    tag: .function { object in
        object.contains("radius") ? "circle" : "square"
    })
enum Drawn {
    case circle(Circle)             // {"radius": 1}
    case square(Square)             // {"side": 2}
}

@JSONModel
enum Size: String, JSONKeyBindable {
    case small, large
}

static func copy<Value: JSONBindable>(of value: Value) throws -> Value {
    try Value(json: value.jsonBytes())
}
}

@Suite struct EventsArticleTests {
    private typealias Event = EventsArticle.Event
    private typealias Size = EventsArticle.Size

    @Test func whatStandsBesideThePayloadIsReadAndWritten() throws {
        let text =
            #"{"id":"e2","created":6,"type":"charge.updated","data":{"object":{"amount":4},"previous_attributes":{"amount":3}}}"#
        let event = try EventsArticle.UpdateEvent(json: text)
        guard case .charge(let change) = event.payload else { throw CancellationError() }
        #expect(change.object.amount == 4 && change.previous == ["amount": 3])
        #expect(try event.jsonString() == text)
        let other = text.replacing("charge.updated", with: "refund.updated")
        #expect(try EventsArticle.UpdateEvent(json: other).jsonString() == other)
    }

    @Test func anEventIsReadAndWritten() throws {
        let event = try Event(
            json: #"""
                {"id": "e1", "created": 5,
                 "data": {"object": {"amount": 3}}, "type": "charge.paid"}
                """#)
        if case .chargePaid(let charge) = event.payload { print(charge.amount) }
        print(try event.jsonString())

        guard case .chargePaid(let charge) = event.payload else { throw CancellationError() }
        #expect(charge.amount == 3)
        #expect(try event.jsonString() == #"{"id":"e1","created":5,"type":"charge.paid","data":{"object":{"amount":3}}}"#)
    }

    @Test func eachTagReadsAndWritesItsForm() throws {
        func check<Value: JSONBindable>(_ type: Value.Type, _ texts: String...) throws {
            for text in texts { #expect(try EventsArticle.copy(of: Value(json: text)).jsonString() == text) }
        }
        try check(EventsArticle.Shape.self, #"{"type":"circle","radius":1}"#, #"{"type":"square","side":2}"#)
        try check(EventsArticle.Command.self, #"{"type":"move","value":{"radius":1}}"#, #"{"type":"stop"}"#)
        try check(EventsArticle.Search.self, #"{"found":{"radius":1}}"#, #""nothing""#)
        try check(EventsArticle.Figure.self, #"{"radius":1}"#, #"{"side":2}"#)
        try check(EventsArticle.Identifier.self, "7", #""seven""#)
        try check(EventsArticle.Drawn.self, #"{"radius":1}"#, #"{"side":2}"#)
        try check(EventsArticle.Listing.self, #"{"total":2,"next":"b","items":[1,2]}"#)
    }

    @Test func keysOfDictionariesAreReadAndWritten() throws {
        let prices = try [Size: Double](json: #"{"small": 1.5, "large": 2}"#)
        let names = try [Int: String](json: #"{"7": "Ann"}"#)

        #expect(prices == [.small: 1.5, .large: 2])
        #expect(try names.jsonString() == #"{"7":"Ann"}"#)
    }
}

#endif
