// What the articles "Getting started" and "Errors" show, compiled and run.

#if Macros
import Foundation
import Sluice
import SluiceCodable
import Testing

// swift-format-ignore
@JSONModel
struct City {
    var name: String        // an absent key is an error
    var population = 0      // an absent key keeps 0
    // {"geo": {"lat": 52.5}}; absent and null are nil
    @JSONKey("geo.lat") var latitude: Double?
}

struct Town: Codable {
    var name: String
}

@Suite struct GettingStartedArticleTests {
    @Test func aCodableTypeIsReadWithoutMacros() throws {
        let data = Data(#"[{"name":"Ulm"}]"#.utf8)

        let towns = try SluiceJSONDecoder().decode([Town].self, from: data)

        #expect(towns.map(\.name) == ["Ulm"])
    }

    @Test func aModelIsReadAndWritten() throws {
        let json = #"""
            {"name": "Berlin", "population": 3900000, "geo": {"lat": 52.52}}
            """#
        let city = try City(json: json)
        let text = try city.jsonString()

        #expect(try Article("GettingStarted").text.contains("`\(text)`"))

        let list = #"[{"name": "Berlin"}, {"name": "Paris"}]"#
        let cities = try [City](json: list)
        let names = cities.map(\.name)

        #expect(names == ["Berlin", "Paris"])
    }

    @Test func aFeedIsReadRecordByRecord() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson")
        try Data("{\"name\":\"Berlin\",\"population\":3}\n{\"name\":\"Paris\",\"population\":2}\n".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let path = url.path

        let feed = try JSONFeed<City>(path: path)
        var people = 0
        while let city = try feed.next() { people += city.population }

        #expect(people == 5)
    }

    @Test func aMisspeltKeyIsNamed() throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        do {
            _ = try City(json: #"{"nmae": "Berlin", "population": 3900000}"#)
        } catch {
            print(error)
        }

        #expect(try printed == [#require(Article("GettingStarted").blocks("text").last)])
    }

    @Test("the error of the README and of the article \"Errors\"", arguments: [Article.readme, Article("Errors")])
    func missingKeysAreInOneError(article: Article) throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        do {
            _ = try [Account](json: #"[{"id": 1, "balance": 1.5}]"#)
        } catch {
            print(error)
        }

        #expect(try printed == [#require(article.blocks("text").last)])
    }
}
#endif
