// Properties that bind by their Codable conformance, models that are Codable, and enums that keep what they do not know.

#if Macros
import Foundation
import Sluice
import SluiceCodable
import SluiceTestSupport
import Testing

/// A type of somebody else: Codable, and nothing more.
struct ForeignPlace: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case name = "place_name"
        case since, weights
    }
    var name: String
    var since: Date?
    var weights: [Int: Double]?
}

@JSONModel
struct CodableTrip: Equatable {
    @JSONCodable var places: [ForeignPlace]
    @JSONCodable var byNumber: [Int: String]?
    @JSONCodable @JSONKey("meta.home") var home: ForeignPlace?
    @JSONCodable @JSONDate(.unix) var dated: ForeignPlace?
    var after = 0
}

@JSONModel(codable: true)
struct CodableBook: Equatable {
    @JSONKey("n") var name: String
    var pages = 0
    var authors: [CodableAuthor]?
}

@JSONModel(codable: true)
final class CodableAuthor: Equatable {
    var login = ""
    init() {}
    static func == (left: CodableAuthor, right: CodableAuthor) -> Bool { left.login == right.login }
}

@JSONModel
enum OpenStatus: Equatable, Hashable {
    case active
    @JSONKey("on-hold") case paused
    case unknown(String)
}

@JSONModel
struct StatusHolder: Equatable {
    var status: OpenStatus
    var more: [OpenStatus]?
}

@JSONModel(codable: true)
struct CodableMoment: Equatable {
    var at: Date
}

@Suite struct CodablePropertyTests {
    @Test func decodersWithOtherDatesTakeTurns() throws {
        let (seconds, milliseconds) = (SluiceJSONDecoder(), SluiceJSONDecoder())
        seconds.dateDecodingStrategy = .secondsSince1970
        milliseconds.dateDecodingStrategy = .millisecondsSince1970
        let data = Data(#"{"at":60}"#.utf8)
        for _ in 0..<3 {
            #expect(try seconds.decode(CodableMoment.self, from: data).at == Date(timeIntervalSince1970: 60))
            #expect(try milliseconds.decode(CodableMoment.self, from: data).at == Date(timeIntervalSince1970: 0.06))
        }
    }

    @Test(arguments: [
        #"{"places":[],"after":1}"#,
        #"{"places":[{"place_name":"Bern","since":"2014-01-20T12:24:48Z","weights":{"7":1.5}}],"byNumber":{"1":"a"},"meta":{"home":{"place_name":"é"}},"dated":{"place_name":"x","since":1390220688},"after":2}"#,
    ])
    func codablePropertiesAreReadAndWritten(_ text: String) throws {
        let reading = readEveryWay(CodableTrip.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let trip) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(try CodableTrip(json: trip.jsonString()) == trip)
        #expect(try CodableTrip(archive: trip.archive()) == trip)
        if text.contains("dated") {
            #expect(trip.dated?.since == Date(timeIntervalSince1970: 1_390_220_688))
            #expect(trip.places.first?.weights == [7: 1.5])
            #expect(try trip.jsonString().contains(#""since":1390220688"#))
            #expect(try trip.jsonString().contains(#""since":"2014-01-20T12:24:48Z""#))
        }
    }

    @Test(arguments: [
        (#"{"places": [{"place_name": "a"}, {}]}"#, JSONError.Kind.missingKeys, "places[1]"),
        (#"{"places": [{"place_name": 7}]}"#, .typeMismatch, "places[0].place_name"),
        (#"{"places": [], "byNumber": 7}"#, .typeMismatch, "byNumber"),
        // M12: the number is a key of a dictionary, not an index.
        (#"{"places": [], "byNumber": {"3": 7}}"#, .typeMismatch, "byNumber.3"),
        (#"{"places": [{"place_name": "a", "weights": {"7": "x"}}]}"#, .typeMismatch, "places[0].weights.7"),
        (#"{"places": [], "meta": {"home": {"place_name": "a", "since": "x"}}}"#, .invalidValue, "meta.home"),
    ])
    func errorsHaveTheWholePathAndThePosition(_ text: String, _ kind: JSONError.Kind, _ path: String) throws {
        let reading = readings(of: CodableTrip.self, Array(text.utf8), options: .init())
        #expect(reading.disagreements == [])
        let error = try #require(reading.error)
        #expect(error.kind == kind, "\(error)")
        #expect(error.path.hasPrefix(path), "\(error)")
        #expect(error.offset >= 10, "\(error)")
    }

    @Test func theSchemaSaysCodable() {
        #expect(CodableTrip.schema["places"]?.kind == .codable)
        #expect(CodableTrip.schema["byNumber"]?.typeName == "Dictionary<Int, String>?")
    }

    @Test func aModelIsCodableWhenAsked() throws {
        let text = #"{"n":"Emma","pages":474,"authors":[{"login":"jane"}]}"#
        let book = try CodableBook(json: text)
        for decoder in [JSONDecoder(), SluiceJSONDecoder()] {
            #expect(try decoder.decode(CodableBook.self, from: Data(text.utf8)) == book)
        }
        for encoder in [JSONEncoder(), SluiceJSONEncoder()] {
            #expect(try CodableBook(json: encoder.encode(book)) == book)
        }
        let list = try PropertyListEncoder().encode(book)
        #expect(try PropertyListDecoder().decode(CodableBook.self, from: list) == book)
    }

    @Test func anOpenEnumKeepsWhatItDoesNotKnow() throws {
        let text = #"{"status":"on-hold","more":["active","gone","on-hold",""]}"#
        let reading = readEveryWay(StatusHolder.self, text)
        #expect(reading.disagreements == [])
        #expect(
            reading.outcome
                == .value(StatusHolder(status: .paused, more: [.active, .unknown("gone"), .paused, .unknown("")])))
        #expect(try StatusHolder(json: text).jsonString() == text)
        let error = #expect(throws: JSONError.self) { try StatusHolder(json: #"{"status": {}}"#) }
        #expect(error?.kind == .typeMismatch)
    }
}
#endif
