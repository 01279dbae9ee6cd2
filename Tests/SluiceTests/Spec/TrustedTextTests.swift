#if Macros

import Sluice
import Testing

@JSONModel
private struct Reading: Equatable {
    var id: Int
    var name: String
}

@JSONModel
private struct OpenReading: Equatable {
    var id: Int
    var note: String?
}

@JSONModel
private struct Deep: Equatable {
    @JSONKey("user.login") var login: String
    @JSONKey("user.place.city") var city: String
    var inner: Reading
}

@JSONModel
private struct Alternative: Equatable {
    @JSONKey("best", "second") var value: Int
}

@JSONModel(unknownKeys: .reject)
private struct Exact: Equatable {
    var id: Int
}

@Suite("Trusted text")
struct TrustedTextTests {
    private let trusted = JSONReader.Options(validation: .trusted)

    @Test("Nothing is looked at behind the last value that a property wants")
    func endsEarly() throws {
        let text = #"{"id": 1, "name": "a", "rest": [tru"#
        #expect(try Reading(json: text, options: trusted) == Reading(id: 1, name: "a"))
        #expect(throws: JSONError.self) { try Reading(json: text) }
        #expect(throws: JSONError.self) { try Reading(json: text, options: JSONReader.Options(validation: .full)) }
    }

    @Test("The values that are wanted are checked as always")
    func checksWhatItReads() {
        for text in [
            #"{"id": 1, "name": "\ud800"}"#, #"{"id": 1,, "name": "a"}"#, #"{"x": [1, "id": 1, "name": "a"}"#,
            #"{"id": "x", "name": "a"}"#,
            #"{"id": 1, "name": "a"#, #"{"id": 1}"#, "", "[", "{",
        ] {
            let error = #expect(throws: JSONError.self) { try Reading(json: text, options: trusted) }
            let other = #expect(throws: JSONError.self) { try Reading(json: text) }
            #expect(error == other, "\(text)")
        }
    }

    @Test("An object that lacks a property is read to its end")
    func readingContinuesWhileAPropertyIsMissing() throws {
        #expect(try OpenReading(json: #"{"id": 1, "x": {"note": "b"}}"#, options: trusted) == OpenReading(id: 1, note: nil))
        #expect(throws: JSONError.self) { try OpenReading(json: #"{"id": 1, "x": tru}"#, options: trusted) }
        #expect(throws: JSONError.self) { try OpenReading(json: #"{"id": 1} x"#, options: trusted) }
        #expect(try OpenReading(json: #"{"note": null, "id": 1, x"#, options: trusted) == OpenReading(id: 1, note: nil))
    }

    @Test("Of a key that stands twice the first value counts if the object ends with it")
    func duplicates() throws {
        let text = #"{"id": 1, "name": "a", "name": "b"}"#
        #expect(try Reading(json: text, options: trusted).name == "a")
        #expect(try Reading(json: text).name == "b")
        let strict = JSONReader.Options(validation: .trusted, duplicateKeys: .error)
        #expect(throws: JSONError.self) { try Reading(json: text, options: strict) }
    }

    @Test("Key paths and models inside must have their values first")
    func nested() throws {
        let text = #"{"user": {"login": "y", "x": 1, "place": {"city": "B"}}, "inner": {"id": 1, "name": "a", "y": 2}, "z": "#
        let value = try Deep(json: text, options: trusted)
        #expect(value == Deep(login: "y", city: "B", inner: Reading(id: 1, name: "a")))
        // A model inside is read to its end: what follows it must be found.
        #expect(throws: JSONError.self) {
            try Deep(
                json: #"{"user": {"login": "y", "place": {"city": "B"}}, "inner": {"id": 1, "name": "a", tru"#, options: trusted)
        }
    }

    @Test("Models whose keys may still say something are read to their end")
    func wholeModels() throws {
        #expect(try Alternative(json: #"{"second": 2, "best": 1}"#, options: trusted).value == 1)
        #expect(throws: JSONError.self) { try Exact(json: #"{"id": 1, "other": 2}"#, options: trusted) }
        var reader = JSONReader(options: JSONReader.Options(validation: .trusted, unknownKeys: .report))
        _ = try reader.read(Reading.self, from: #"{"id": 1, "name": "a", "other": 2}"#)
        #expect(reader.report.unknownKeys.map(\.path) == ["other"])
    }

    @Test("An update takes all that the document says")
    func updates() throws {
        var value = Reading(id: 1, name: "a")
        try value.update(json: #"{"id": 2, "name": "b"}"#, options: trusted)
        #expect(value == Reading(id: 2, name: "b"))
    }

    @Test("A feed of lines goes on behind the line break", arguments: [1, 2])
    func lines(workers: Int) throws {
        let count = 5000
        let text = (0..<count).map { #"{"id": \#($0), "name": "n\#($0)", "rest": {"a": ["\#($0)"# + ($0 % 2 == 0 ? "\"]}}" : "") }
            .joined(separator: "\n")
        let options = JSONFeed<Reading>.Options(format: .lines, reading: trusted)
        let feed = JSONFeed<Reading>(bytes: Array(text.utf8), options: options)
        if workers > 1 { try feed.parallel(workers: workers) }
        var number = 0
        while let record = try feed.next() {
            #expect(record == Reading(id: number, name: "n\(number)"))
            number += 1
        }
        #expect(number == count)
        #expect(feed.consumedBytes == text.utf8.count)
    }
}

#endif
