// Trees of Foundation's and Swift's values, numbers and points of Core Graphics, and any JSON as properties.

#if Macros
import Foundation
import Sluice
import SluiceTestSupport
import Testing

@JSONModel
struct TreeBook: Equatable {
    var name: String
    var pages: Int?
    var price: Double?
    var isOpen: Bool?
    var tags: [String]?
    var author: TreeAuthor?
    var published: Date?
}

@JSONModel
struct TreeAuthor: Equatable { var id: UInt64 }

@JSONModel
struct Drawing: Equatable {
    var frame: CGRect
    var center: CGPoint?
    var sizes: [CGSize]?
    var width: CGFloat = 1
}

@JSONModel
struct AnyJSON: Equatable {
    var object: JSONObject
    var number: JSONNumber?
    var list: [JSONObject]?
}

@Suite struct FoundationTreeTests {
    @Test func aDictionaryOfAnyIsRead() throws {
        let dictionary: [String: Any] = [
            "name": "Emma", "pages": 474, "price": 12.5, "isOpen": true, "tags": ["a", "b"], "author": ["id": UInt64.max],
            "published": Date(timeIntervalSince1970: 1_390_220_688), "other": NSNull(),
        ]
        let book = try TreeBook(jsonObject: dictionary)
        #expect(book.pages == 474 && book.price == 12.5 && book.isOpen == true && book.author?.id == .max)
        #expect(book.published == Date(timeIntervalSince1970: 1_390_220_688))
        #expect(try [TreeBook](jsonArray: [dictionary, ["name": "x"]]).map(\.name) == ["Emma", "x"])
    }

    @Test func whatJSONSerializationMakesIsRead() throws {
        let text = #"{"name":"Emma","pages":474,"price":12.5,"isOpen":true,"tags":["a"],"author":{"id":7}}"#
        let tree = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let dictionary = try #require(tree as? [String: Any])
        let book = try TreeBook(jsonObject: dictionary)
        #expect(try book.jsonString() == text)
        #expect(try TreeBook(jsonObject: dictionary as NSDictionary) == book)
        #expect(
            try TreeBook(jsonObject: NSDictionary(dictionary: ["name": NSString("n"), "isOpen": NSNumber(value: true)])).isOpen
                == true)
        #expect(try JSONValue(foundation: NSNumber(value: 1)) == 1)
        #expect(try JSONValue(foundation: NSNumber(value: 1.5)) == 1.5)
        #expect(try JSONValue(foundation: [true, 0, NSNumber(value: true)] as [Any]) == [true, 0, true])
        #expect(try JSONValue(foundation: Decimal(string: "12.50") as Any).description == "12.5")
    }

    @Test func aDictionaryOfAnyIsMade() throws {
        let book = TreeBook(name: "Emma", pages: 474, price: 12.5, isOpen: true, tags: ["a"], author: TreeAuthor(id: .max))
        let dictionary = try book.jsonDictionary()
        #expect(dictionary["pages"] as? Int == 474)
        #expect(dictionary["price"] as? Double == 12.5)
        #expect(dictionary["isOpen"] as? Bool == true)
        #expect(dictionary["tags"] as? [String] == ["a"])
        #expect((dictionary["author"] as? [String: Any])?["id"] as? UInt == .max)
        #expect(try TreeBook(jsonObject: dictionary) == book)
        #expect(JSONSerialization.isValidJSONObject(dictionary))
        #expect(try book.jsonDictionary(options: .init(nils: .null))["published"] is NSNull)
    }

    @Test("M7: a number beyond the range of Double is an error of jsonDictionary()")
    func numbersBeyondDoubleAreAnError() throws {
        let any = try AnyJSON(json: #"{"object": {"a": [1, {"b": -1e400}]}}"#)
        let error = #expect(throws: JSONError.self) { try any.jsonDictionary() }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == "object.a[1].b")
        #expect(error?.found == "the number -1e400")
        let large = try AnyJSON(json: #"{"object": {"a": 1e308, "b": 18446744073709551616, "c": -0.0, "a": 2}}"#)
        let object = try #require(try large.jsonDictionary()["object"] as? [String: Any])
        #expect(object["a"] as? Int == 2 && object["b"] as? Double == 18_446_744_073_709_551_616)
        #expect(try JSONValue(foundation: JSONNumber(lexeme: "1e400") as Any).description == "1e400")
    }

    @Test func whatJSONDoesNotHaveIsAnErrorAtItsPath() {
        let bad = #expect(throws: JSONError.self) {
            try TreeBook(jsonObject: ["name": "x", "author": ["ids": [1, Thread.current]]])
        }
        #expect(bad?.kind == .invalidValue && bad?.path == "author.ids[1]")
        let nan = #expect(throws: JSONError.self) { try TreeBook(jsonObject: ["price": Double.nan]) }
        #expect(nan?.path == "price")
        var nested: Any = 1
        for _ in 0..<600 { nested = [nested] }
        let deep = #expect(throws: JSONError.self) { try JSONValue(foundation: nested) }
        #expect(deep?.kind == .depthLimit)
        let key = #expect(throws: JSONError.self) { try TreeBook(jsonObject: NSDictionary(dictionary: [1: 2])) }
        #expect(key?.kind == .invalidValue)
    }

    @Test(arguments: [
        #"{"frame":[[1,2],[3.5,4]],"center":[0,-1],"sizes":[[1,2],[3,4]],"width":2.5}"#, #"{"frame":[[0,0],[0,0]],"width":1}"#,
    ])
    func geometryIsWrittenAsArrays(_ text: String) throws {
        let reading = readEveryWay(Drawing.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let drawing) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(try drawing.jsonString() == text)
        // As Codable writes them.
        let encoded = try JSONEncoder().encode([drawing.frame])
        #expect(try [CGRect](json: encoded) == [drawing.frame])
        #expect(try Drawing(archive: drawing.archive()) == drawing)
    }

    @Test(arguments: [
        (#"{"frame": [[1, 2]]}"#, "frame", "one element"), (#"{"frame": [[1, 2], [3]]}"#, "frame[1]", "one element"),
        (#"{"frame": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [1, 2]]}"#, "frame", "6 elements"),
        (#"{"frame": [[1, "x"], [3, 4]]}"#, "frame[0][1]", "the string \"x\""), (#"{"frame": {"x": 1}}"#, "frame", "an object"),
    ])
    func geometryOfOtherShapesDoesNotFit(_ text: String, _ path: String, _ found: String) {
        let reading = readings(of: Drawing.self, Array(text.utf8), options: .strict)
        #expect(reading.disagreements == [])
        #expect(reading.error?.path == path)
        #expect(reading.error?.found == found)
    }

    @Test func anyJSONIsAProperty() throws {
        let text = #"{"object":{"b":1.50,"a":[null]},"number":1e400,"list":[{},{"x":1}]}"#
        let reading = readEveryWay(AnyJSON.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let value) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(value.number?.description == "1e400" && value.object.keys == ["b", "a"])
        #expect(try value.jsonString() == text)
        #expect(try AnyJSON(archive: value.archive()) == value)
        let made = AnyJSON(object: ["a": 1.5, "b": -2, "c": [0.25]], number: JSONNumber(3))
        #expect(try made.jsonString() == #"{"object":{"a":1.5,"b":-2,"c":[0.25]},"number":3}"#)
    }

    @Test func theTextOfNSDateIsADate() throws {
        let date = Date(timeIntervalSince1970: 1_390_220_688)
        #expect(try Date(json: "\"\(date as NSDate)\"") == date)
        #expect(try Date(json: #""2014-01-20 12:24:48 +0000""#) == date)
    }
}
#endif
