import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Records inside documents.
@Suite struct RecordPathTests {
    typealias Numbers = [String: Int]

    /// Documents, a path, and the records at this path.
    static let inputs: [(String, JSONRecordPath, [String])] = [
        (#"{"statuses": [{"a":1}, {"a":2}], "count": 2}"#, "statuses", [#"{"a":1}"#, #"{"a":2}"#]),
        (#"{"meta":{"n":[1,{"statuses":[7]}]},"statuses":[{"a":1}]}"#, "statuses", [#"{"a":1}"#]),
        (#"{"data": {"x": "]}", "items": [1, [2], "s", null]}, "y": []}"#, "data.items", ["1", "[2]", "\"s\"", "null"]),
        (#"{"data":{"items":[]}}"#, "data.items", []),
        (#"{"data":{"items":{"a":1}}}"#, "data.items", [#"{"a":1}"#]),
        (#"{"data":{"items": 17 }}"#, "/data/items", ["17"]),
        (#"[{"jobs":[1,2],"x":0},{"y":[9],"jobs":[]},{"jobs":[3]}]"#, "*.jobs", ["1", "2", "3"]),
        (#"{"p":{"jobs":[1,2]},"q":{"jobs":3}}"#, "*.jobs", ["1", "2", "3"]),
        (#"[{"i":[1]},{"i":[2]},{"i":[3]}]"#, "[1].i", ["2"]),
        (#"{"pages":[{"i":[1]},{"i":[2]}]}"#, "pages[*].i", ["1", "2"]),
        (#"{"u1":{"a":1},"u2":{"a":2}}"#, "*", [#"{"a":1}"#, #"{"a":2}"#]),
        (#"{"u1":1,"u2":null,"u3":[2,null]}"#, "*", ["1", "null", "2", "null"]), (#"[1,null,3]"#, "[*]", ["1", "null", "3"]),
        (#"{"users":{"u1":null}}"#, "users.*", ["null"]),
        (#"{"a.b":{"c/d~":[1]}}"#, "/a.b/c~1d~0", ["1"]),
        (#"{"st\u0061tuses":[1],"statuses\"":[2]}"#, "statuses", ["1"]),
        ("{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ]\n  }\n}\n", "a.b", ["1", "2"]),
        ("{\"i\":[1,2]}\n{\"i\":[]}\n\n{\"n\":0,\"i\":[]}\r\n{\"i\":[3]}\n", "i", ["1", "2", "3"]),
        ("{\"i\":[1]}{\"i\":[2]} {\"n\":3,\"i\":[]}\n{\"i\":4}", "i", ["1", "2", "4"]),
        // A wildcard over an empty container has no records.
        ("[]", "*.jobs", []), ("{}", "*.jobs", []), (#"{"a":[]}"#, "a[*].i", []), (#"{"a":{"x":{},"y":[]}}"#, "a.*.*", []),
        (#"{"a":{}}"#, "a.*", []), ("[[],{}]", "*.*.i", []),
        ("{\n\"i\":[1]}\n{\n\"i\":[2]}", "i", ["1", "2"]),
        ("\u{FEFF}{\"i\":[1]}", "i", ["1"]),
        ("\u{1E}{\"i\":[1]}\n\u{1E}{\"i\":[2]}\n", "i", ["1", "2"]),
        (#"{"i":[1],"i":[2]}"#, "i", ["1", "2"]), (#"[{"a":1}]"#, "", [#"{"a":1}"#]), (#"{"a":[1]}"#, "", [#"{"a":[1]}"#]),
        ("", "i", []), (" \n ", "i", []),
    ]

    @Test(arguments: inputs) func recordsStandAtThePath(_ text: String, _ path: JSONRecordPath, _ records: [String]) {
        let bytes = Array(text.utf8)
        let whole = Pieces(bytes, at: path)
        #expect(whole.texts == records, "\(text)")
        #expect(whole.errors == [], "\(text)")
        for piece in whole.pieces {
            #expect(piece.position == position(of: piece.position.offset, in: bytes))
            #expect(bytes[piece.position.offset...].starts(with: piece.text.utf8))
        }
        for size in 1...max(bytes.count, 1) {
            #expect(Pieces(bytes, chunkSize: size, at: path).isEqual(whole), "\(text), chunks of \(size)")
            #expect(Pieces(pushing: bytes, pieceSize: size, at: path).isEqual(whole), "\(text), pieces of \(size)")
        }
    }

    @Test func keysAreComparedByTheirBytes() {
        // Composed and decomposed, plain and escaped: Swift's String takes them for equal, JSON does not.
        for (key, path, count) in [
            ("\u{E9}", "\u{E9}", 1), ("e\u{301}", "\u{E9}", 0), (#"\u00e9"#, "\u{E9}", 1), (#"e\u0301"#, "\u{E9}", 0),
            (#"e\u0301"#, "e\u{301}", 1), (#"\u00e9"#, "e\u{301}", 0),
        ] {
            let text = "{\"\(key)\":[1],\"x\":0}"
            #expect(Pieces(Array(text.utf8), at: JSONRecordPath(stringLiteral: path)).texts.count == count, "\(text) at \(path)")
        }
    }

    /// Damaged documents: what is given out before, and the errors.
    static let damaged: [(String, JSONFeedFormat, [String], [JSONError.Kind], [Int])] = [
        // The envelope, before, between and after records.
        (#"{"a" 1, "i": [1]}"#, .object, [], [.syntax], [5]),
        (#"{"a": tru, "i": [1]}"#, .object, [], [.syntax], [6]),
        (#"{"a": {"b": [1}}, "i": [1]}"#, .object, [], [.syntax], [14]),
        (#"{"i": [1], "a": nul}"#, .object, ["1"], [.syntax], [16]),
        (#"{"i": [1] "a": 1}"#, .object, ["1"], [.syntax], [10]),
        (#"{"i": [1], "a": 1"#, .object, ["1"], [.unexpectedEnd], [17]),
        (#"{"i": [1], }"#, .object, ["1"], [.syntax], [11]),
        (#"{"i": [1]] "#, .object, ["1"], [.syntax], [9]),
        (#"{"i": [1], "k": "a"#, .object, ["1"], [.unexpectedEnd], [18]),
        (#"{"i": [1], "k"#, .object, ["1"], [.unexpectedEnd], [13]),
        (#"{"i": }"#, .object, [], [.syntax], [6]),
        // The array of the records.
        (#"{"i": [1 2], "a": 1}"#, .object, ["1"], [.syntax], [9]),
        (#"{"i": [1,,2], "a": 1}"#, .object, ["1"], [.syntax], [9]),
        (#"{"i": [1"#, .object, ["1"], [.unexpectedEnd], [8]),
        // After the document.
        (#"{"i": [1]} x"#, .object, ["1"], [.trailingContent], [11]),
        // Lines: the next document is read.
        (
            "{\"i\":[1],\n{\"i\":[2]}\n{\"i\":[3 \n{\"i\":[4]} 5\n{\"i\":[6]}", .lines, ["1", "2", "3", "4", "6"],
            [.unexpectedEnd, .unexpectedEnd, .trailingContent], [9, 28, 39]
        ),
        ("{\"i\" [1]}\n{\"i\":[2]}", .lines, ["2"], [.syntax], [5]),
        // Documents one after the other: the next one begins at the beginning of a line.
        ("{\n\"i\":[1],,\n\"x\":1}\n{\n\"i\":[2]}", .concatenated, ["1", "2"], [.syntax], [10]),
    ]

    @Test(arguments: damaged)
    func damagedEnvelopeIsAnErrorWithItsPosition(
        _ text: String, _ format: JSONFeedFormat, _ records: [String], _ kinds: [JSONError.Kind], _ offsets: [Int]
    ) {
        let bytes = Array(text.utf8)
        let whole = Pieces(bytes, format: format, at: "i")
        #expect(whole.texts == records, "\(text)")
        #expect(whole.errors.map(\.kind) == kinds, "\(text): \(whole.errors)")
        #expect(whole.errors.map(\.offset) == offsets, "\(text): \(whole.errors)")
        for error in whole.errors { #expect(error.position == position(of: error.offset, in: bytes)) }
        for size in 1...bytes.count {
            let pieces = Pieces(bytes, format: format, chunkSize: size, at: "i")
            #expect(pieces.isEqual(whole), "\(text), chunks of \(size): \(pieces) \(whole)")
            #expect(Pieces(pushing: bytes, format: format, pieceSize: size, at: "i").isEqual(whole), "\(text), pieces of \(size)")
        }
    }

    /// yajl names the position where a token began, and does so only after the token has ended. The buffer no longer has its beginning then.
    @Test(arguments: [JSONFeedFormat.object, .concatenated], 1...90)
    func tokenThatBeganInEarlierReadsIsAnErrorAtItsPosition(_ format: JSONFeedFormat, _ readSize: Int) {
        let long = String(repeating: "y", count: 200)
        let bytes = Array("{\"i\":[1],\n\"x\":[-1,{\"n\":9\"\(long)\"}]}\n{\"i\":[2]}\n".utf8)
        let whole = Pieces(bytes, format: format, at: "i")
        #expect(whole.texts == (format == .object ? ["1"] : ["1", "2"]))
        #expect(whole.errors.map(\.offset) == [24])
        let pieces = Pieces(bytes, format: format, chunkSize: 7, at: "i", readSize: readSize)
        #expect(pieces.isEqual(whole), "\(pieces) \(whole)")
    }

    @Test(arguments: ["@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@", #"{"i":[1,2],"x":{"y":[1,2,3]}}"#], [1, 2, 3, 7, 58, 64, 100])
    func otherEncodingsAreNamedHoweverTheirBytesCome(_ text: String, _ size: Int) {
        let format = JSONFeedFormat.object
        let bytes: [UInt8] = text.utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }
        let whole = Pieces(bytes, format: format, at: "i")
        #expect(whole.errors.first?.found.contains("UTF-32") == true)
        let pieces = Pieces(bytes, format: format, chunkSize: size, at: "i", readSize: size)
        #expect(pieces.isEqual(whole), "\(pieces) \(whole)")
    }

    /// The line after the last record has none, and changes nothing about the last one.
    @Test func rangeIsThatOfTheLastRecordAtTheEndOfAFeed() throws {
        for workers in [nil, 1, 2] {
            let feed = JSONFeed<Int>(
                bytes: Array("{\"i\":[1]}\n{\"j\":[2,3]}\n".utf8), options: .init(format: .lines, at: "i", atOptional: true))
            if let workers { try feed.parallel(workers: workers) }
            #expect(try feed.next() == 1)
            #expect(try feed.next() == nil)
            #expect(feed.recordRange == 6..<7)
        }
    }

    /// Zeros in the middle of a document are no other encoding.
    @Test(arguments: 1...100) func zerosInAKeyAreControlCharacters(_ size: Int) {
        let zeros = String(repeating: "\u{0}", count: 46)
        let bytes = Array("{\"\u{1}\(zeros)a\":[],\"id\":{\"ext\":\"7\",\"x\":[1,2]}}".utf8)
        let whole = Pieces(bytes, format: .object, at: "i")
        #expect(whole.errors.map(\.kind) == [.syntax])
        let pieces = Pieces(bytes, format: .object, chunkSize: size, at: "i", readSize: size)
        #expect(pieces.isEqual(whole), "\(pieces) \(whole)")
    }

    /// A document that is given up in the middle of a key leaves nothing of it to the next one.
    @Test(arguments: 1...90)
    func documentAfterAKeyThatIsNotWholeIsReadFromItsBeginning(_ readSize: Int) {
        let bytes = Array(#"{"i":[1],"x":'9,"\#(String(repeating: "k", count: 90))":1}\#n{"y":1,"i":[2]}"#.utf8)
        let whole = Pieces(bytes, format: .concatenated, at: "i")
        #expect(whole.texts == ["1", "2"])
        #expect(whole.errors.map(\.offset) == [13])
        let pieces = Pieces(bytes, format: .concatenated, chunkSize: 7, at: "i", readSize: readSize)
        #expect(pieces.isEqual(whole), "\(pieces) \(whole)")
    }

    // MARK: Documents without the path

    /// Documents, a path, the records at it, and the documents without it: where each begins, and the hint.
    static let absent: [(String, JSONRecordPath, [String], [Int], [String])] = [
        (
            "{\"data\":{\"items\":[1]}}\n{\"error\":\"rate limited\"}\n", "data.items", ["1"], [23], ["there are 'error'"]
        ),
        (
            "{\"data\":{\"Items\":[1]}}\n{\"data\":{\"items\":[2]}}", "data.items", ["2"], [0],
            ["did you mean 'data.Items'?"]
        ),
        ("{\"i\":[1,2]}\n{\"i\":[]}\n\n {\"n\":0}\r\n{\"i\":[3]}\n", "i", ["1", "2", "3"], [22], ["there are 'n'"]),
        ("{\"i\":[1]}{\"i\":[2]} {\"n\":3}\n{\"i\":4}", "i", ["1", "2", "4"], [19], ["there are 'n'"]),
        ("\u{1E}{\"j\":[1]}\n\u{1E}{\"i\":[2]}\n", "i", ["2"], [1], ["there are 'j'"]),
        (
            #"[{"jobs":[1,2],"x":0},{"y":[9]},{"jobs":[3]}, 7,  null ,{"jobs":null},[1]]"#, "*.jobs", ["1", "2", "3"],
            [22, 46, 50, 56, 70],
            [
                "there are '*.y'", "the value at '*' is a number", "the value at '*' is null",
                "the value at '*.jobs' is null", "the value at '*' is an array",
            ]
        ),
        (
            #"{"p":{"jobs":[1]},"next":"x","q":{"jobs":{}}}"#, "*.jobs", ["1", "{}"], [25], ["the value at '*' is a string"]
        ),
        (
            #"{"a":[{"b":[{"i":[1]},{"j":2}]},{"c":[]},{"b":[]}]}"#, "a[*].b[*].i", ["1"], [22, 32],
            ["there are 'a[*].b[*].j'", "there are 'a[*].c'"]
        ),
        (#"{"i":[1]}{"i":null}{"i":[2]}"#, "i", ["1", "2"], [9], ["the value at 'i' is null"]),
        (#"[[1],[2,3]] [[4]]"#, "[1]", ["2", "3"], [12], ["the documents hold no object on the way there"]),
    ]

    @Test(arguments: absent)
    func aDocumentWithoutThePathIsRejectedWithTheHint(
        _ text: String, _ path: JSONRecordPath, _ records: [String], _ offsets: [Int], _ hints: [String]
    ) throws {
        let bytes = Array(text.utf8)
        let whole = Pieces(bytes, at: path)
        #expect(whole.texts == records, "\(text)")
        #expect(whole.errors.map(\.kind) == offsets.map { _ in .missingKeys }, "\(text): \(whole.errors)")
        #expect(whole.errors.map(\.offset) == offsets, "\(text): \(whole.errors)")
        #expect(whole.errors.map(\.hint) == hints, "\(text): \(whole.errors)")
        for error in whole.errors {
            #expect(error.position == position(of: error.offset, in: bytes))
            #expect(error.keys == [path.description])
        }
        for size in 1...bytes.count {
            #expect(Pieces(bytes, chunkSize: size, at: path).isEqual(whole), "\(text), chunks of \(size)")
            #expect(Pieces(pushing: bytes, pieceSize: size, at: path).isEqual(whole), "\(text), pieces of \(size)")
        }
        for workers in [nil, 1, 2] {
            func feed(_ invalid: JSONFeed<JSONValue>.InvalidRecords, isOptional: Bool = false) throws -> JSONFeed<JSONValue> {
                let options = JSONFeed<JSONValue>.Options(at: path, atOptional: isOptional, invalidRecords: invalid)
                let feed = JSONFeed<JSONValue>(source: BytesSource(bytes, chunkSize: 7), options: options)
                return try workers.map { try feed.parallel(workers: $0) } ?? feed
            }
            let thrown = FeedOutcome(of: try feed(.throw))
            #expect(thrown.errors == whole.errors && thrown.records.count == records.count)
            let skipping = try feed(.skip)
            var count = 0
            while try skipping.next() != nil { count += 1 }
            #expect(count == records.count && skipping.rejectedCount == offsets.count)
            #expect(skipping.reasons == whole.errors)
            let optional = try feed(.throw, isOptional: true)
            while try optional.next() != nil { count -= 1 }
            #expect(count == 0 && optional.rejectedCount == 0)
        }
    }

    /// What a tree says of a path.
    private struct Expected {
        var records: [String] = []
        var absentCount = 0

        /// Adds the records of a document. Returns whether it has the path.
        mutating func take(_ value: JSONValue, _ path: ArraySlice<PathStep>, isAny: Bool = false) throws -> Bool {
            guard let component = path.first else {
                if case .array(let elements) = value {
                    records += try elements.map { try $0.jsonString() }
                } else if isAny || value != .null {
                    records.append(try value.jsonString())
                } else {
                    return false
                }
                return true
            }
            let children: [(key: String, value: JSONValue)]
            switch value {
            case .array(let elements): children = elements.enumerated().map { ("\($0.offset)", $0.element) }
            case .object(let object): children = object.members.map { ($0.key, $0.value) }
            default: return false
            }
            var isFound = component == .any
            for child in children {
                switch component {
                case .any: if try !take(child.value, path.dropFirst(), isAny: true) { absentCount += 1 }
                case .key(let name): if name == child.key, try take(child.value, path.dropFirst()) { isFound = true }
                case .index(let index): if "\(index)" == child.key, try take(child.value, path.dropFirst()) { isFound = true }
                }
            }
            return isFound
        }
    }

    private static func randomJSON(_ random: inout SplitMix64, depth: Int = 0) -> String {
        let keys = ["a", "b", "i", "0"]
        switch Int.random(in: depth > 3 ? 4...6 : 0...6, using: &random) {
        case 0...1:
            let members = keys.filter { _ in Bool.random(using: &random) }.map {
                "\"\($0)\":\(randomJSON(&random, depth: depth + 1))"
            }
            return "{" + members.joined(separator: ",") + "}"
        case 2...3:
            let count = Int.random(in: 0...2, using: &random)
            return "[" + (0..<count).map { _ in randomJSON(&random, depth: depth + 1) }.joined(separator: ",") + "]"
        case 4: return "null"
        case 5: return "\(Int.random(in: 0...99, using: &random))"
        default: return "\"s\""
        }
    }

    @Test(arguments: ["i", "a.i", "*.i", "a.*.i", "a[*].b[*].i", "*", "a.*", "[1].i", "*.*", "0.i", "*.a.b"] as [JSONRecordPath])
    func recordsAndDocumentsWithoutThemAreThoseOfTheTree(_ path: JSONRecordPath) throws {
        var random = SplitMix64(seed: 46)
        for _ in 0..<400 {
            let documents = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.randomJSON(&random) }
            var expected = Expected()
            for document in documents where try !expected.take(JSONValue(json: document), path.components[...]) {
                expected.absentCount += 1
            }
            let bytes = Array(documents.joined(separator: "\n").utf8)
            for format in [JSONFeedFormat.lines, .concatenated] {
                let whole = Pieces(bytes, format: format, at: path)
                #expect(whole.texts == expected.records, "\(documents)")
                #expect(whole.errors.map(\.kind) == Array(repeating: .missingKeys, count: expected.absentCount), "\(documents)")
                for size in [1, 2, 5] {
                    #expect(Pieces(bytes, format: format, chunkSize: size, at: path).isEqual(whole), "\(documents), \(size)")
                    #expect(
                        Pieces(pushing: bytes, format: format, pieceSize: size, at: path).isEqual(whole), "\(documents), \(size)")
                }
            }
        }
    }

    /// Damage decides: a document that is cut off before the path, or in which something follows, is not one without the path.
    @Test(arguments: [
        (#"{"n":0,"#, JSONError.Kind.unexpectedEnd), (#"{"n":0} x"#, .trailingContent), (#"[{"n":tru},{"i":[1]}]"#, .syntax),
        (#"[tru,{"i":[1]}]"#, .syntax), (#"[1x,{"i":[1]}]"#, .syntax), (#"[{"n":0"#, .unexpectedEnd), ("[5", .unexpectedEnd),
    ])
    func aDamagedDocumentIsNotOneWithoutThePath(_ text: String, _ kind: JSONError.Kind) {
        let (bytes, path) = (Array(text.utf8), text.hasPrefix("[") ? "*.i" : "i" as JSONRecordPath)
        for format in [JSONFeedFormat.object, .lines, .concatenated] {
            let whole = Pieces(bytes, format: format, at: path)
            // A document that is no line has ended before what follows.
            if format == .lines || kind != .trailingContent {
                #expect(whole.errors.map(\.kind) == [kind], "\(text): \(whole.errors)")
            }
            for size in 1...bytes.count {
                let pieces = Pieces(bytes, format: format, chunkSize: size, at: path)
                #expect(pieces.isEqual(whole), "\(text), chunks of \(size): \(pieces) \(whole)")
            }
        }
    }

    @Test func aFeedThatSkipsFailsIfNoDocumentHasThePath() throws {
        for workers in [nil, 1, 2] {
            let feed = JSONFeed<Int>(
                bytes: Array("{\"j\":[1]}\n{\"k\":2}\n".utf8), options: .init(format: .lines, at: "i", invalidRecords: .skip))
            if let workers { try feed.parallel(workers: workers) }
            let error = failure { () throws(JSONError) in _ = try feed.next() }
            #expect(error?.kind == .missingKeys && error?.keys == ["i"] && error?.hint == "there are 'j', 'k'")
            #expect(feed.rejectedCount == 2)
            #expect(try feed.next() == nil)
        }
    }

    @Test func theTextOfALineWithoutThePathIsRejectedAsAWhole() throws {
        let sink = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Int>(
            bytes: Array("{\"i\":[1]}\n  {\"j\":[2,3]}\n{\"i\":[4]}\n".utf8),
            options: .init(format: .lines, at: "i", invalidRecords: .rejects(sink)))
        #expect(try feed.next() == 1)
        #expect(try feed.next() == 4)
        #expect(feed.rejectedRecords.map(\.range) == [10..<23])
        #expect(feed.rejectedRecords.map(\.index) == [1])
    }

    @Test(arguments: [
        (#"{"data":{"items":[1],"meta":0}}"#, "data.itms", "did you mean 'data.items'?"),
        (#"{"dta":{"items":[1]}}"#, "data.items", "did you mean 'dta.items'?"),
        (#"{"a":1,"b":[2]}"#, "statuses", "there are 'a', 'b'"),
        (#"[1,2]"#, "items", "the documents hold no object on the way there"),
        (#"{"a.b":{"items":[]}}"#, "/a.b/itemz", "did you mean '\"a.b\".items'?"),
        (#"{"data":[]}"#, "data.items", "the value at 'data' is an empty array"),
        (#"{"data":{}}"#, "data.items", "the value at 'data' is an empty object"),
        (#"{"data":"items"}"#, "data.items", "the value at 'data' is a string"),
        (#"{"data":{"items":null}}"#, "data.items", "the value at 'data.items' is null"),
        (#"{"data":[1]}"#, "data.items", "the value at 'data' is an array"),
        (#"{"data":[{"items":[1]}]}"#, "data.items", "an array stands there; did you mean 'data[*].items'?"),
    ])
    func pathThatMatchesNothingIsAnErrorAtTheEnd(_ text: String, _ path: String, _ hint: String) throws {
        let found = Pieces(Array(text.utf8), at: try JSONRecordPath(path))
        #expect(found.texts == [])
        #expect(found.errors.map(\.kind) == [.missingKeys])
        #expect(found.errors.first?.keys == [path])
        #expect(found.errors.first?.hint == hint)
    }

    @Test(arguments: ["a..b", ".a", "a.", "a[x]", "a[1", "a]b[", "[-1]"])
    func malformedPathIsAnError(_ path: String) throws {
        #expect(throws: JSONError.self) { try JSONRecordPath(path) }
    }

    @Test(arguments: [
        (
            #"{"count":2,"statuses":[{"a":[{}]},{"a":2}],"x":[1,2],"y":[],"meta":{"items":[{"b":1}],"z":{"deep":[{}]}}}"#,
            [RecordArray(path: "statuses", count: 2), RecordArray(path: "meta.items", count: 1)]
        ),
        (#" {"a.b":[{},{},{"c":"#, [RecordArray(path: #""a.b""#, count: 3)]), (#"{"a":{"b":"c"#, []), (#"[{"a":[{}]}]"#, []),
        ("", []), ("{}", []),
        (#"{"a":[{}"#, [RecordArray(path: "a", count: 1)]),
    ])
    func arraysOfObjectsAreFoundInTheFirstBytes(_ text: String, _ arrays: [RecordArray]) {
        let bytes = Array(text.utf8)
        #expect(unsafe bytes.withUnsafeBytes { unsafe RecordArray.all(in: $0) } == arrays)
        // Any beginning of a text is looked at without harm.
        for count in bytes.indices { _ = unsafe bytes[..<count].withUnsafeBytes { unsafe RecordArray.all(in: $0) } }
    }

    // MARK: Typed envelopes

    /// The envelope's members may come before and after the records, and the model may have a property for these.
    @Test(arguments: 1...60) func envelopeIsThereAtTheEnd(_ size: Int) throws {
        let text = Array(#"{"next": "p2", "items": [{"a":1}, {"a":2}], "other": {"x": [1]}, "count": 2}"#.utf8)
        let feed = JSONFeed<Numbers>(source: BytesSource(text, chunkSize: size), options: .init(at: "items"))
        let page = feed.envelope(as: Page.self)
        #expect(try feed.next() == ["a": 1])
        #expect(try page.value() == nil)
        #expect(try feed.next() == ["a": 2])
        #expect(try feed.next() == nil)
        #expect(try page.value() == Page(count: 2, next: "p2", items: []))
    }

    @Test func eachDocumentHasItsEnvelope() throws {
        let text = "{\"items\":[1],\"count\":1}\n{\"items\":[2,3],\"count\":2}\n{\"items\":[],\"count\":0}\n"
        let feed = JSONFeed<Int>(bytes: Array(text.utf8), options: .init(at: "items"))
        let page = feed.envelope(as: Page.self)
        var counts: [Int?] = []
        while let _ = try feed.next() { counts.append(try page.value()?.count) }
        #expect(counts == [nil, 1, 1])
        #expect(try page.value() == Page(count: 0, items: []))
    }

    /// Workers read ahead; what can be seen of an envelope does not.
    @Test(arguments: 1...4) func workersGiveAnEnvelopeOutWithItsRecords(_ workers: Int) throws {
        let text =
            #"{"items":[1],"count":1}{"items":[2,3],"count":"x"}{"items":[4],"count":3}{"items":[],"count":4}"#
        let feed = JSONFeed<Int>(bytes: Array(text.utf8), options: .init(at: "items"))
        let page = feed.envelope(as: Page.self)
        try feed.parallel(workers: workers)
        var counts: [String] = []
        func note() { counts.append((try? page.value().map { "\($0.count)" } ?? "none") ?? "misfit") }
        while let _ = try feed.next() { note() }
        note()
        #expect(counts == ["none", "1", "1", "misfit", "4"])
    }

    /// Such a feed is read in one thread, whatever was asked for.
    @Test func envelopeOfAFeedWithRejectsIsGivenOut() throws {
        let rejects = JSONRejects(to: [UInt8]())
        let feed = JSONFeed<Int>(
            bytes: Array(#"{"items":[1],"count":1}"#.utf8), options: .init(at: "items", invalidRecords: .rejects(rejects)))
        let page = feed.envelope(as: Page.self)
        try feed.parallel(workers: 2)
        while try feed.next() != nil {}
        #expect(try page.value()?.count == 1)
    }

    @Test func envelopeOfAFeedThatFailedIsNotThere() throws {
        let text = #"{"items":["x"],"count":1}"#
        for workers in [nil, 1, 2] {
            let feed = JSONFeed<Int>(
                bytes: Array(text.utf8), options: .init(at: "items", invalidRecords: .skip, maximumErrors: 0))
            let page = feed.envelope(as: Page.self)
            if let workers { try feed.parallel(workers: workers) }
            #expect(throws: JSONError.self) { try feed.next() }
            #expect(try page.value() == nil)
        }
    }

    /// An envelope that does not fit its model costs no record.
    @Test(
        arguments: [
            #"{"items":[1,2,3],"count":"many"}"#, #"{"count":{"n":[1]},"items":[1,2,3],"x":[]}"#,
            #"{"x":{"items":[0]},"count":[], "items":[1,2,3]}"#,
            #"{"next":[1,[2]],"items":[1,2,3]}"#, #"{"items":[1,2,3]}"#,
        ], [1, 2, 3, 7, 1000])
    func envelopeThatDoesNotFitCostsNoRecord(_ text: String, _ size: Int) throws {
        let feed = JSONFeed<Int>(source: BytesSource(Array(text.utf8), chunkSize: size), options: .init(at: "items"))
        let page = feed.envelope(as: Page.self)
        let outcome = FeedOutcome(of: feed)
        #expect(outcome.records == [1, 2, 3])
        #expect(outcome.errors == [])
        #expect(throws: JSONError.self) { try page.value() }
    }

    /// After a misfit of the envelope its text is still checked.
    @Test(
        arguments: [
            #"{"count":[],"items":[1],"x" 1}"#, #"{"count":"a","items":[1],"x":nul}"#, #"{"count":"a","items":[1]"#,
            #"{"items":[1],"count":"a","x":null)l)"}"#, #"{"items":[1],"count":"a""#,
        ])
    func damageAfterAMisfitIsFound(_ text: String) throws {
        let unbound = FeedOutcome(of: JSONFeed<Int>(bytes: Array(text.utf8), options: .init(at: "items")))
        for size in 1...text.utf8.count {
            let feed = JSONFeed<Int>(source: BytesSource(Array(text.utf8), chunkSize: size), options: .init(at: "items"))
            _ = feed.envelope(as: Page.self)
            let outcome = FeedOutcome(of: feed)
            #expect(outcome.records == [1])
            #expect(outcome.errors.count == 1)
            #expect(outcome == unbound, "\(text) in chunks of \(size)")
        }
    }

    @Test func oversizedRecordsAtAPathArePassedOver() {
        let long = "[" + String(repeating: "1,", count: 200) + "1]"
        let text = Array("{\"x\":\(long),\"i\":[1,\(long),2],\"i\":\(long)}".utf8)
        for size in [1, 16, 100, 10_000] {
            let found = Pieces(text, chunkSize: size, at: "i", readSize: 16, maximumRecordSize: 100)
            #expect(found.texts.prefix(2) == ["1", "2"])
            #expect(found.errors.map(\.kind) == [.sizeLimit])
        }
    }

    @Test func envelopeThatIsLongerThanTheBufferTakesConstantMemory() throws {
        let filler = #"{"x":[" \" ]} ", 1, {"i":[0]}]}"#
        let before = (0..<20_000).map { #""k\#($0)":\#(filler)"# }.joined(separator: ",")
        let items = (0..<20_000).map { #"{"a":\#($0)}"# }.joined(separator: ",")
        let text = Array("{\(before),\"i\":[\(items)],\(before)}".utf8)
        var splitter = RecordSplitter(source: BytesSource(text, chunkSize: 1000), at: "i", readSize: 1024)
        var count = 0
        while try splitter.next() != nil { count += 1 }
        #expect(count == 20_000)
        #expect(splitter.bufferSize <= 4096)
        #expect(splitter.position.offset == text.count)
    }
}

private struct Page: JSONModel, Equatable {
    var count: Int
    var next: String?
    var items: [Int]?

    struct JSONDraft: _JSONModelDraft {
        var count: Int?
        var next: String?
        var items: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("count", \JSONDraft.count)
        model.property("next", \JSONDraft.next)
        model.property("items", \JSONDraft.items)
    }

    static let _jsonTable = PropertyTable._compiled(for: Page.self)

    init(count: Int, next: String? = nil, items: [Int]? = nil) {
        self.count = count
        self.next = next
        self.items = items
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        count = try bound.required(draft.count, 0)
        next = draft.next
        items = draft.items
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
