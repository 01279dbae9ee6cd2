// The strict walk: what a sink is told of a value, and what ends the walk.

import Testing

@testable import SluiceCore

@Suite struct ValueWalkTests {
    /// Writes down what it is told.
    private struct Notes: ValueSink {
        static var stringRule: StringRule { .loose }
        static var allowsTrailingComma: Bool { true }

        var words: [String] = []
        /// How many containers it takes.
        var room = Int.max

        mutating func literal(_ literal: ValueLiteral, at address: TextCursor.Address) { words.append("\(literal)") }
        mutating func string(_ string: TextString) { words.append("'\(string.decoded ?? "?")'") }
        mutating func number(at address: TextCursor.Address, _ text: TextCursor) -> TextCursor.Address? {
            words.append("number")
            return unsafe NumberParsing.lexemeEnd(address, text.end)
        }
        mutating func open() -> [String]? {
            room -= 1
            return room < 0 ? nil : []
        }
        mutating func key(_ key: TextString, of container: inout [String]) { container.append(key.decoded ?? "?") }
        mutating func close(
            _ container: [String], isObject: Bool, from opening: TextCursor.Address, to end: TextCursor.Address, count: Int
        ) {
            words.append(unsafe "\(isObject ? "object" : "array") \(container) of \(count) in \(end - opening) bytes")
        }
        mutating func openTooDeep() { words.append("too deep") }
    }

    private func isRead<Sink: ValueSink>(
        _ text: String, levels: Int = 9, _ sink: inout Sink, isBare: Bool = false
    ) -> Bool {
        unsafe (Array(text.utf8) + Array("]}\",1".utf8)).withUnsafeBufferPointer { bytes in
            let start = unsafe bytes.baseAddress.unsafelyUnwrapped
            let walk = unsafe ValueWalk<Sink>(text: TextCursor(end: start + text.utf8.count))
            return unsafe isBare ? walk.readMembers(start, levels: levels, &sink) : walk.read(start, levels: levels, &sink)
        }
    }

    private func isValid(_ text: String, levels: Int = 9) -> Bool {
        var nothing = NoSink()
        return isRead(text, levels: levels, &nothing)
    }

    @Test func aSinkIsToldOfEachTokenInTheOrderOfTheText() {
        var notes = Notes()
        #expect(isRead(#" {"a" : [1, true, "x\n", []], "b": {"c": null}} "#, &notes))
        #expect(
            notes.words == [
                "number", "true", "'x\n'", "array [] of 0 in 2 bytes", "array [] of 4 in 20 bytes", "null",
                #"object ["c"] of 1 in 11 bytes"#, #"object ["a", "b"] of 2 in 46 bytes"#,
            ])
    }

    @Test func aSinkEndsTheWalkByRefusingAContainer() {
        for (room, closed) in [(3, 3), (2, 1), (1, 0), (0, 0)] {
            var notes = Notes(room: room)
            #expect(isRead("[[1],[]]", &notes) == (room == 3))
            #expect(notes.words.filter { $0.hasPrefix("array") }.count == closed)
        }
    }

    @Test func aContainerBelowTheLastLevelIsToldAndEndsTheWalk() {
        for levels in 0...4 {
            var notes = Notes()
            #expect(isRead(#"[{"a":[1]}]"#, levels: levels, &notes) == (levels >= 3))
            #expect((notes.words.first == "too deep") == (levels < 3))
            #expect(isValid(#"[{"a":[1]}]"#, levels: levels) == (levels >= 3))
        }
    }

    @Test(arguments: [("[1,]", true), ("{\"a\":1,}", true), ("[,]", false), ("[1,,]", false), ("{,}", false), ("[1,}", false)])
    func onlyASinkThatAllowsItGetsACommaInTheEnd(_ text: String, _ isAllowed: Bool) {
        var notes = Notes()
        #expect(isRead(text, &notes) == isAllowed)
        #expect(!isValid(text))
    }

    @Test(
        arguments: [
            "1", "[]", "{}", " [ 1 , 2 ] ", #"{"a":{"b":[true,false,null,"é\u00e9",-1.5e+3]}}"#, "\"\"", #"{"":[[[]]]}"#,
            #"{"key with more than sixteen bytes":"a value with more than sixteen bytes, too"}"#,
        ])
    func aValueThatIsCutIsNotValid(_ text: String) {
        #expect(isValid(text))
        let bytes = Array(text.utf8)
        let end = bytes.count - bytes.reversed().prefix { $0 == 0x20 }.count
        for count in 0..<end {
            #expect(!isValid(String(decoding: bytes[..<count], as: UTF8.self)), "\(count)")
        }
    }

    @Test(
        arguments: [
            "", " ", "tru", "True", "nul", "falsee", "1 2", "01", "1.", "-", "+1", ".5", "[1 2]", "[1:2]", #"{"a"}"#, #"{"a",1}"#,
            #"{a:1}"#,
            #"{"a":}"#, #"{"a":1 "b":2}"#, "[1]]", "{]", "[}", #"["a]"#, "\u{1}", "[1\u{1}]", "[1,\u{B}2]", #"["\x"]"#, "['a']",
        ])
    func whatIsNotJSONEndsTheWalk(_ text: String) { #expect(!isValid(text)) }

    @Test func membersWithoutBracesGoOnToTheEndOfTheText() {
        for (text, isRight) in [
            (#""a":1"#, true), (#" "a" : [1] , "b":2 , "#, true), ("", true), (" ", true), (#""a":1}"#, false), (#""a""#, false),
            (#""a":1 2"#, false), (#""a":1\#u{1}"#, false), (#""a":1,\#u{1}"#, false), ("\u{1}", false), (#"1"#, false),
            (",", false),
        ] {
            var notes = Notes()
            #expect(isRead(text, &notes, isBare: true) == isRight, "\(text)")
            #expect((notes.words.last?.hasPrefix("object") ?? false) == isRight)
        }
    }

    @Test func aTapeHasTheFlagsOfTheStringsThatItIsMadeOf() {
        #expect(TapeEntry.isNotASCII == TextString.isNotASCII)
        #expect(TapeEntry.isNotPlain == TextString.isNotPlain)
    }
}
