#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

/// `URL`, `UUID` and `Data`, wherever a value is allowed.
@Suite struct IdentifierTests {
    @JSONModel
    struct Asset: Equatable {
        var id: UUID
        var place: URL
        var mirror: URL?
        var bytes: Data = Data()
        var parts: [Data?] = []
        var byID: [String: UUID] = [:]
        var places: Set<URL> = []
    }

    private static let id = UUID(
        uuid: (0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E, 0x5F))
    private static let idText = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

    @Test func everythingIsReadAndWrittenBack() throws {
        let json = """
            {"id":"\(Self.idText.lowercased())","place":"https:\\/\\/example.com/a?b=c#d","mirror":" file:///tmp/x ",\
            "bytes":"AAEC/w==","parts":["",null,"SGk="],"byID":{"one":"\(Self.idText)"},"places":["a:b","a:b","c:d"]}
            """
        let reading = readEveryWay(Asset.self, json)
        #expect(reading.disagreements == [])
        let asset = try Asset(json: json)
        #expect(reading.outcome == .value(asset))
        #expect(asset.id == Self.id)
        #expect(asset.place.absoluteString == "https://example.com/a?b=c#d")
        #expect(asset.mirror?.path == "/tmp/x")
        #expect(asset.bytes == Data([0, 1, 2, 255]))
        #expect(asset.parts == [Data(), nil, Data("Hi".utf8)])
        #expect(asset.byID == ["one": Self.id])
        #expect(asset.places.map(\.absoluteString).sorted() == ["a:b", "c:d"])
        #expect(try Asset(json: try asset.jsonData()) == asset)
    }

    @Test func writtenTextIsTheUsualOne() throws {
        let place = try #require(URL(string: "https://example.com/ä"))
        let text = try Asset(id: Self.id, place: place, bytes: Data([0, 1, 2, 255])).jsonString()
        let plain = try PlainJSON(foundation: Array(text.utf8))
        #expect(plain["id"]?.string == Self.idText)
        #expect(plain["place"]?.string == place.absoluteString)
        #expect(plain["bytes"]?.string == "AAEC/w==")
        #expect(plain["mirror"] == nil)
    }

    @Test(arguments: [
        ("id", #""E621E1F8-C36C-495A-93FC""#, "UUID"), ("id", #""""#, "UUID"), ("id", "7", "UUID"),
        ("place", #""""#, "URL"), ("place", #""  ""#, "URL"), ("place", "1.5", "URL"),
        ("place", #""http://[""#, "URL"),
        ("bytes", #""a""#, "Data"), ("bytes", #""%%%%""#, "Data"), ("bytes", "0", "Data"),
    ])
    func wrongContentsAreInvalidValuesWithTheirPosition(_ key: String, _ value: String, _ expected: String) {
        let members = [("id", "\"\(Self.idText)\""), ("place", #""a:b""#), ("bytes", #""AA==""#)]
        let text = members.map { "\"\($0)\":\($0 == key ? value : $1)" }.joined(separator: ",")
        let json = "{\"list\":[],\(text)}"
        let error = #expect(throws: JSONError.self) { try Asset(json: json) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == key)
        #expect(error?.expected == expected)
        let prefix = json.range(of: "\"\(key)\":").map { json.utf8.distance(from: json.startIndex, to: $0.upperBound) }
        #expect(error?.offset == prefix)
        #expect(error?.found == (value.hasPrefix("\"") ? "the string " : "the number ") + value)
    }

    @Test(arguments: ["null", "true", "[]", "{}"]) func otherTypesAreMismatches(_ value: String) {
        let error = #expect(throws: JSONError.self) { try [URL](json: "[\(value)]", options: .strict) }
        #expect(error?.kind == .typeMismatch)
        #expect(error?.path == "[0]")
        #expect(error?.offset == 1)
        #expect(error?.expected == "URL")
    }

    @Test func nullForAnOptionalIsNil() throws {
        let json = #"{"id":"\#(Self.idText)","place":"a:b","mirror":null,"bytes":null}"#
        let asset = try Asset(json: json)
        #expect(asset.mirror == nil)
        #expect(asset.bytes == Data())
    }

    @Test func dataIsReadAndWrittenLikeBytes() throws {
        let text = #"["a:b"]"#
        #expect(try [URL](json: Data(text.utf8)) == [URL(string: "a:b")])
        #expect(try [URL](json: Data(text.utf8)).jsonData() == Data(text.utf8))
        // A slice starts at an index other than 0.
        #expect(try [String](json: Data("xx[\"a\"]".utf8).dropFirst(2)) == ["a"])
        let error = #expect(throws: JSONError.self) { try [String](json: Data()) }
        #expect(error?.kind == .unexpectedEnd)
    }
}
#endif
