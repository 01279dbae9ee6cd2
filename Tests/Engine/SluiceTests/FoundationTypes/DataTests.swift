// Documents and archives in `Data`, and what Foundation's types cannot write.
#if Macros

import Foundation
import Sluice
import Testing

@Suite struct DataTests {
    @JSONModel
    struct Parcel: Equatable {
        var id: Int
        var size = CGSize(width: 1, height: 2)
        @JSONCodable var label = Label(text: "a")
    }

    /// A type that is only Codable, and refuses a text on both ways.
    struct Label: Codable, Equatable {
        struct Refused: Error, CustomStringConvertible { let description = "the text is bad" }

        var text: String

        init(text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            if text == "bad" { throw Refused() }
        }

        func encode(to encoder: any Encoder) throws {
            if text == "bad" { throw Refused() }
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    @Test func dataIsReadWithOptions() throws {
        let data = Data(#"{"id":"7","size":[3,4.5],"label":"b"}"#.utf8)
        let parcel = Parcel(id: 7, size: CGSize(width: 3, height: 4.5), label: Label(text: "b"))
        #expect(try Parcel(json: data) == parcel)
        #expect(try Parcel(json: data, options: .lenient) == parcel)
        #expect(try Parcel(json: data[...], options: .init()) == parcel)
        let error = #expect(throws: JSONError.self) { try Parcel(json: data, options: .strict) }
        #expect(error?.path == "id")
        #expect(error?.kind == .typeMismatch)
    }

    @Test func anArchiveMayBeData() throws {
        let parcel = Parcel(id: 7)
        let archive = Data(try parcel.archive())
        #expect(try Parcel(archive: archive) == parcel)
        let error = #expect(throws: JSONError.self) { try Parcel(archive: archive.dropLast(3)) }
        #expect(error?.kind == .unusableArchive)
    }

    @Test func aSizeThatIsNoneNamesItsForm() {
        let error = #expect(throws: JSONError.self) { try Parcel(json: Data(#"{"id":1,"size":[3]}"#.utf8)) }
        #expect(error?.description.contains("[width, height]") == true, "\(String(describing: error))")
    }

    @Test func whatACodableTypeThrowsIsTheErrorsWord() {
        let reading = #expect(throws: JSONError.self) { try Parcel(json: Data(#"{"id":1,"label":"bad"}"#.utf8)) }
        #expect(reading?.path == "label")
        #expect(reading?.found.contains("the text is bad") == true, "\(String(describing: reading))")
        let writing = #expect(throws: JSONError.self) { try Parcel(id: 1, label: Label(text: "bad")).jsonString() }
        #expect(writing?.kind == .notWritable)
        #expect(writing?.found.contains("the text is bad") == true, "\(String(describing: writing))")
    }

    @Test func numbersThatAreNotFiniteHaveNoJSON() {
        for number in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: JSONError.self) { try JSONValue(jsonObject: ["a": number]) }
            #expect(error != nil)
        }
    }
}
#endif
