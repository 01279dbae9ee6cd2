// A property of any JSON members that an update adds to.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct AppendedObjectSpecTests {
    @JSONModel
    struct Note: Equatable {
        var id: Int
        @JSONUpdate(.append) var labels: JSONObject = ["kind": "note"]
    }

    @Test func membersAreAddedAndThoseWithTheSameKeyAreReplaced() throws {
        var note = try Note(json: #"{"id":1,"labels":{"kind":"bill","sum":1.50}}"#)
        #expect(try note.jsonString() == #"{"id":1,"labels":{"kind":"bill","sum":1.50}}"#)
        let changes = try note.update(json: #"{"labels":{"sum":[2,null],"new":{"a":{}},"kind":"bill"}}"#)
        #expect(changes.changed == ["labels"])
        #expect(try note.jsonString() == #"{"id":1,"labels":{"kind":"bill","sum":[2,null],"new":{"a":{}}}}"#)
    }

    @Test func anEmptyObjectAddsNothing() throws {
        var note = Note(id: 1)
        #expect(try note.update(json: #"{"labels":{}}"#).changed == [])
        #expect(note == Note(id: 1))
    }

    @Test func anUpdateThatFailsAfterTheMembersAddsNothing() throws {
        var note = Note(id: 1)
        #expect(throws: JSONError.self) {
            try note.update(json: #"{"labels":{"a":1,"b":"long enough to be on the heap"},"id":"x"}"#)
        }
        #expect(throws: JSONError.self) { try note.update(json: #"{"labels":{"a":1,"b":["x"]"#) }
        #expect(note == Note(id: 1))
    }

    @Test func theMembersAreThoseOfEachWay() {
        let (outcome, disagreements) = readEveryWay(Note.self, #"{"labels":{"a":1,"b":[{"c":null}]},"id":7}"#)
        #expect(disagreements == [])
        #expect(outcome == .value(Note(id: 7, labels: ["a": 1, "b": [["c": nil]]])))
    }
}
#endif
