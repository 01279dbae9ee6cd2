// F30: `include:` and `exclude:` write some properties of a model.

import SluiceTestSupport
import Testing

@testable import SluiceCore

extension EncodingSpecTests {
    @Test("F30: include writes the named properties and nothing else, models inside them whole")
    func includeByKeyPath() throws {
        let text = #"{"user_id":7,"profile":{"host":{"url":"a.example","port":80}}}"#
        #expect(try ann.jsonString(include: [\.id, \.host]) == text)
        #expect(try ann.jsonString(include: ["id", "host"]) == text)
        #expect(try ann.jsonBytes(include: [\.id, \.host]) == Array(text.utf8))
        #expect(try ann.jsonBytes(include: ["id", "host"]) == Array(text.utf8))
        #expect(try ann.jsonObject(include: [\.id, \.host]) == JSONValue(json: text).object)
        #expect(try ann.jsonObject(include: ["id", "host"]) == JSONValue(json: text).object)
        var sink: [UInt8] = []
        try ann.write(to: &sink, include: ["id", "host"])
        #expect(String(decoding: sink, as: UTF8.self) == text)
        #expect(try ann.jsonString(include: [\.id], options: .pretty) == "{\n  \"user_id\": 7\n}")
        #expect(try ann.jsonString(include: [\.name], options: .init(paths: .flat)) == #"{"profile.name":"Ann"}"#)
    }

    @Test("F30: exclude writes everything but the named properties")
    func excludeByKeyPath() throws {
        let text = #"{"user_id":7,"profile":{"name":"Ann"},"sites":{"home":{"url":"b.example","port":443}}}"#
        #expect(try ann.jsonString(exclude: [\.host, \.friends]) == text)
        #expect(try ann.jsonString(exclude: ["host", "friends"]) == text)
        #expect(try ann.jsonBytes(exclude: [\.host, \.friends]) == Array(text.utf8))
        #expect(try ann.jsonBytes(exclude: ["host", "friends"]) == Array(text.utf8))
        #expect(try ann.jsonObject(exclude: [\.host, \.friends]) == JSONValue(json: text).object)
        #expect(try ann.jsonObject(exclude: ["host", "friends"]) == JSONValue(json: text).object)
        var sink: [UInt8] = []
        try ann.write(to: &sink, exclude: ["host", "friends"])
        #expect(String(decoding: sink, as: UTF8.self) == text)
    }

    @Test("F30: a dotted name reaches into models, and into the models of collections")
    func deepSelection() throws {
        #expect(try ann.jsonString(include: ["id", "host.url"]) == #"{"user_id":7,"profile":{"host":{"url":"a.example"}}}"#)
        #expect(
            try ann.jsonString(include: ["friends.id", "sites.port"])
                == #"{"friends":[{"user_id":8}],"sites":{"home":{"port":443}}}"#)
        #expect(try ann.jsonString(include: ["friends.name", "friends"]) == ann.jsonString(include: ["friends"]))
        #expect(
            try ann.jsonString(exclude: ["host.port", "friends.friends", "friends.sites", "sites.url"])
                == #"{"user_id":7,"profile":{"name":"Ann","host":{"url":"a.example"}},"friends":[{"user_id":8,"profile":{"name":"Bo"}}],"sites":{"home":{"port":443}}}"#
        )
        #expect(
            try ann.jsonString(exclude: ["host.port", "host", "friends", "sites"]) == #"{"user_id":7,"profile":{"name":"Ann"}}"#)
        // A tree: the names count at their own level.
        var carl = Person(id: 9, name: "Carl")
        carl.friends = [ann, Person(id: 10, name: "Dee")]
        #expect(
            try carl.jsonString(include: ["friends.friends.id"]) == #"{"friends":[{"friends":[{"user_id":8}]},{"friends":[]}]}"#)
    }

    @Test("F30: of the properties that are included, those that are excluded are left out")
    func selectionOfBoth() throws {
        var person = ann
        person.friends[0].host = Site(url: "u", port: 80)
        #expect(
            try person.jsonString(include: ["id", "name"], exclude: ["name"], options: .sortedKeys)
                == person.jsonString(include: ["id"], options: .sortedKeys))
        #expect(
            try person.jsonString(include: ["friends.host"], exclude: ["friends.host.port"], options: .sortedKeys)
                == person.jsonString(include: ["friends.host.url"], options: .sortedKeys))
        #expect(
            try person.jsonString(include: ["friends.host.url"], exclude: ["friends"], options: .sortedKeys)
                == person.jsonString(include: [] as JSONSelection, options: .sortedKeys))
        #expect(try person.jsonString(include: [\.id, \.name], exclude: [\.name]) == person.jsonString(include: [\.id]))
    }

    @Test("F30: a selection holds for each model of a collection")
    func selectionOfCollections() throws {
        #expect(try [ann, ann].jsonString(include: ["id"]) == #"[{"user_id":7},{"user_id":7}]"#)
        #expect(try ["k": [ann]].jsonString(include: ["id"]) == #"{"k":[{"user_id":7}]}"#)
        #expect(try Optional(ann).jsonString(include: ["id"]) == #"{"user_id":7}"#)
        #expect(
            try Set([Site(url: "b", port: 1), Site(url: "a", port: 2)]).jsonString(include: ["url"], options: .sortedKeys)
                == #"[{"url":"a"},{"url":"b"}]"#)
        #expect(try [Person]().jsonString(include: ["id"]) == "[]")
    }

    @Test("F30: a selection and the other options go together")
    func selectionWithOptions() throws {
        #expect(try ann.jsonString(include: ["name", "id"], options: .sortedKeys) == #"{"profile":{"name":"Ann"},"user_id":7}"#)
        #expect(
            try Person(id: 1, name: "E").jsonString(include: ["host"], options: .init(nils: .null))
                == #"{"profile":{"host":null}}"#)
        #expect(try Person(id: 1, name: "E").jsonString(include: ["host"]) == "{}")
        #expect(try ann.jsonString(include: [] as JSONSelection) == "{}")
        #expect(try ann.jsonString(exclude: [] as JSONSelection) == ann.jsonString())
        let stamped = Stamped<Moment>(styled: Moment(7), plain: Moment(8))
        #expect(try stamped.jsonString(include: ["styled"], options: .init(dates: .rfc1123)) == #"{"styled":7}"#)
        #expect(try stamped.jsonString(exclude: ["styled"], options: .init(dates: .milliseconds)) == #"{"plain":8000}"#)
    }

    @Test("F30: a position of an array that is not selected is kept with null")
    func selectionOfPositions() throws {
        let place = Place(x: 1, y: 2, site: Site(url: "u", port: 3))
        #expect(try place.jsonString(include: ["y"]) == "[null,2,null]")
        #expect(try place.jsonString(exclude: ["y", "site.port"]) == #"[1,null,{"url":"u"}]"#)
    }

    @Test(
        "F30: a name that is not written is an error that says it",
        arguments: [
            ("nme", "'nme'", "a property that Person writes", ""), ("user_id", "'user_id'", "a property that Person writes", ""),
            ("password", "'password'", "a property that Person writes", ""), ("", "''", "a property that Person writes", ""),
            (".id", "''", "a property that Person writes", ""), ("host.", "''", "a property that Site writes", "host"),
            ("host.login", "'login'", "a property that Site writes", "host"),
            ("friends.host.x", "'x'", "a property that Site writes", "friends[0].host"),
            ("name.first", "'first'", "no property inside 'name', which is not a model", ""),
        ])
    func unknownNames(_ name: String, _ found: String, _ expected: String, _ path: String) throws {
        var person = ann
        person.friends[0].host = Site(url: "u")
        for error in [
            failure { () throws(JSONError) in try person.jsonString(include: JSONSelection(["id", name])) },
            failure { () throws(JSONError) in try person.jsonString(exclude: JSONSelection(["id", name])) },
        ] {
            #expect(error?.kind == .notWritable)
            #expect(error?.found == found)
            #expect(error?.expected == expected)
            #expect(error?.path == path)
        }
    }

    @Test("F30: a key path that is of no written property is an error")
    func unknownKeyPaths() throws {
        for error in [
            failure { () throws(JSONError) in try ann.jsonString(include: [\.id, \.password]) },
            failure { () throws(JSONError) in try ann.jsonString(exclude: [\.password]) },
            failure { () throws(JSONError) in try ann.jsonString(include: [\.host?.url]) },
            failure { () throws(JSONError) in try Site(url: "u").jsonString(include: [\.url]) },
        ] {
            #expect(error?.kind == .notWritable)
            #expect(error?.expected.hasPrefix("key paths of properties that ") == true)
        }
    }

    @Test("F30: only models have properties to select")
    func selectionOfScalars() throws {
        #expect(failure { () throws(JSONError) in try [1].jsonString(include: ["a"]) }?.kind == .notWritable)
        #expect(failure { () throws(JSONError) in try JSONValue.null.jsonString(exclude: ["a"]) }?.kind == .notWritable)
    }
}
