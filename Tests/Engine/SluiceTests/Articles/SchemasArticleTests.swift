// The code of "Schemas for tools".
#if Macros

import Foundation
import Sluice
import Testing

@Suite struct SchemasArticleTests {
    /// Finds flights between two airports.
    @JSONModel
    struct FindFlights {
        /// The airport of departure, by its IATA code.
        @JSONConstraint(.pattern("^[A-Z]{3}$")) var from: String
        /// The airport of arrival, by its IATA code.
        @JSONConstraint(.pattern("^[A-Z]{3}$")) var to: String
        /// The day of departure.
        @JSONDate(.format("yyyy-MM-dd")) var day: Date
        @JSONConstraint(.range(1...9)) var passengers: Int = 1
        var cabin: Cabin?
    }

    @JSONModel
    enum Cabin: String {
        case economy, business
    }

    @JSONModel
    struct Tool {
        var name: String
        var inputSchema: RawJSON
    }

    @Test func theSchemaOfTheToolIsThatOfTheArticle() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed += items.map { "\($0)" } }

        print(try FindFlights.jsonSchema(.tools))

        let block = try #require(try Article("SchemasForTools").blocks("json").first)
        #expect(try JSONValue(json: printed[0]) == JSONValue(json: block))

        let offer = Tool(
            name: "find_flights", inputSchema: try FindFlights.jsonSchema(.tools))
        print(try offer.jsonString())
        #expect(printed[1] == #"{"name":"find_flights","inputSchema":"# + printed[0] + "}")
    }

    @Test func theCallsGiveWhatTheArticleSays() {
        var printed: [String] = []
        func print(_ items: Any...) { printed += items.map { "\($0)" } }

        func call(_ arguments: String) -> String {
            do {
                let flights = try FindFlights(json: arguments)
                return "searching from \(flights.from) to \(flights.to)"
            } catch {
                return error.summary
            }
        }

        print(call(#"{"from": "OSL", "to": "LHR", "day": "2026-05-17"}"#))
        // searching from OSL to LHR
        print(call(#"{"from": "Oslo", "to": "LHR", "day": "2026-05-17"}"#))
        // constraint 'pattern' at from (line 1, column 10, byte 9): expected a string that matches ^[A-Z]{3}$, found the string "Oslo"

        #expect(
            printed == [
                "searching from OSL to LHR",
                #"constraint 'pattern' at from (line 1, column 10, byte 9): expected a string that matches ^[A-Z]{3}$, found the string "Oslo""#,
            ])
    }

    @Test func eachPurposeHasASchema() throws {
        let strict = JSONReader.Options(
            conversions: .strict, unknownKeys: .reject)
        let reading = try FindFlights.jsonSchema(.reading(strict))
        let writing = try FindFlights.jsonSchema(.writing(.init(nils: .null)))

        #expect(try JSONValue(json: reading.text)["required"] == ["from", "to", "day"])
        #expect(try JSONValue(json: writing.text)["required"] == ["from", "to", "day", "passengers", "cabin"])
    }
}

#endif
