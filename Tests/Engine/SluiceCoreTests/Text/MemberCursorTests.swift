// Values found by their brackets and quotes, and the positions in arrays that key paths lead to.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct MemberCursorTests {
    private enum SecondOfC: KeyList { static let keys: [JSONKeyPath] = ["c.1"] }
    private enum Deep: KeyList { static let keys: [JSONKeyPath] = ["l.1.a"] }
    private enum Last: KeyList { static let keys: [JSONKeyPath] = ["c.1.2"] }

    private func elements(_ text: String) -> [String] {
        unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
            var cursor = unsafe ElementCursor(bytes)
            var found: [String] = []
            // A cursor that stood still would go on forever.
            while found.count < 20, let element = unsafe cursor.next() {
                unsafe found.append(String(decoding: element, as: UTF8.self))
            }
            return found
        }
    }

    private func members(_ text: String) -> [String] {
        unsafe Array(text.utf8).withUnsafeBufferPointer { bytes in
            var cursor = unsafe MemberCursor(bytes)
            var found: [String] = []
            while found.count < 20, let member = cursor.next() {
                unsafe found.append(String(decoding: member.value, as: UTF8.self))
            }
            return found
        }
    }

    @Test func elementsEndWithTheArray() {
        #expect(elements("[1,2]") == ["1", "2"])
        #expect(elements("[ true , null ]") == ["true", "null"])
        #expect(elements(#"[[1],{"a":2},"]",3]"#) == ["[1]", #"{"a":2}"#, #""]""#, "3"])
        #expect(elements("[]") == [])
        #expect(members(#"{"a":1,"b":[2]}"#) == ["1", "[2]"])
    }

    @Test(arguments: ["[1}", "[,]", "[1,,2]", "[:]", "[1", "[\"a", "[", "[}", "[1]]"]) func textThatIsNoArrayComesToAnEnd(
        _ text: String
    ) {
        #expect(elements(text).count < 5)
    }

    @Test(arguments: ["{\"a\":]", "{\"a\":}", "{\"a\":,\"b\":1}", "{\"a\"", "{\"a\\", "{\"a\":1]"])
    func textThatIsNoObjectComesToAnEnd(_ text: String) {
        #expect(members(text).count < 5)
    }

    @Test("B2: a scalar directly before the bracket is the element that a path leads to")
    func placesOfScalars() {
        for (text, value) in [
            (#"{"c":[1,2]}"#, 2.0), (#"{"c":[1,2 ]}"#, 2.0), (#"{"c":[1,-2.5e1]}"#, -25.0), (#"{"c":[1,2,3]}"#, 2.0),
            (#"{"c":[1,null]}"#, nil), (#"{"c":[1]}"#, nil), (#"{"c":[]}"#, nil), (#"{"c":[[],7],"z":1}"#, 7.0),
        ] as [(String, Double?)] {
            let reading = readings(of: Keyed<Double, SecondOfC>.self, text, options: .strict)
            #expect(reading.error == nil, "\(text)")
            #expect(reading.value?.value == value, "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
        let truth = readings(of: Keyed<Bool, SecondOfC>.self, #"{"c":[1,true]}"#, options: .strict)
        #expect(truth.value?.value == true)
        #expect(truth.disagreements == [])
        let nested = readings(of: Keyed<Int, Last>.self, #"{"c":[0,[1,2,3]]}"#, options: .strict)
        #expect(nested.value?.value == 3)
        #expect(nested.disagreements == [])
    }

    @Test("B2: a scalar where a path leads on is as an absent key")
    func scalarsOnTheWay() {
        for text in [#"{"l":[3,5]}"#, #"{"l":[3,null]}"#, #"{"l":[3,false]}"#, #"{"l":[3,"a"]}"#] {
            let reading = readings(of: Keyed<Int, Deep>.self, text, options: .strict)
            #expect(reading.error == nil, "\(text)")
            #expect(reading.value?.value == nil, "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
        let found = readings(of: Keyed<Int, Deep>.self, #"{"l":[3,{"a":5}]}"#, options: .strict)
        #expect(found.value?.value == 5)
    }
}
