// What the scanner reads against what yajl reads: the same values, the same errors at the same positions, whatever the text.

import CScan
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DocumentScannerTests {
    /// Documents that hold everything the scanner treats in a way of its own.
    static let documents = [
        #"{"a":[[1.5,2],[3,4e5]],"b":{"c":"\ud83d\ude00 x\u00e9","d":[true,false,null,{"e":{}}]},"f":[{},[],{"g":[[]]}],"\u0061b":1}"#,
        #"[{"id":1,"user":{"login":"x","tags":["p","q"]},"n":-0.5},{"user":{"login":"\\\"","tags":[]},"id":22},{"id":3}]"#,
        #"{ "deep" : [ [ [ { "x" : [ { "y" : "z" } ] } ] , 1 ] , "s" ] , "last" : null }"#,
        #"{"long":"0123456789abcdef0123456789abcdef","é":"日本語のテキスト、十分に長い","esc":"a\nb\tc\/d\b\f\r\u0000"}"#,
        #"[1,-1,0,-0,1.0,1e1,1E+2,1.25e-3,12345678901234567890,0.1234567890123456789,true,false,null,"",{},[]]"#,
        "[]", "{}", " [ ] ", "{\"\":{\"\":[]}}", "[[[[[[[[]]]]]]]]", "\"text\"", "17", "null",
    ]

    /// Whether the scanner reads a text to its end.
    private func isScanned(_ text: String, options: JSONReader.Options = .init()) -> Bool {
        var binder = Binder(options: options)
        defer { binder.deallocate() }
        var result: JSONValue?
        let bytes = Array(text.utf8)
        return binder.withHandle { binder in
            unsafe withUnsafeMutablePointer(to: &result) { root in
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe binder.state.begin(
                        BindingRegistry.shared.rootRow(for: JSONValue.self), at: UnsafeMutableRawPointer(root))
                    unsafe binder.state.beginChunk(bytes, at: .start)
                    let isRead = unsafe !bytes.isEmpty && DocumentScanner(binder, bytes).read()
                    binder.state.unwind()
                    return isRead
                }
            }
        }
    }

    @Test(arguments: documents) func plainJSONIsScanned(text: String) {
        #expect(isScanned(text))
        #expect(isScanned(text, options: .init(validation: .full)))
    }

    @Test(arguments: [
        "", " ", "{", "[", "{\"a\":1,}", "[1,]", "[,1]", "{\"a\" 1}", "{a:1}", "[01]", "[1.]", "[.5]", "[-]", "[1e]", "[1] 2",
        "[tru]", "[nul]", "[\"\u{1}\"]", "[\"\\x\"]", "[\"\\ud800\"]", "[\"\\ud800\\u0041\"]", "[1\u{0B},2]", "[1}", "{\"a\":[}",
        "-", "1.", "\"", "\"\\", "\"a", "tru", "[1]\u{0C}",
    ])
    func whateverIsNotPlainlyRightIsLeftToYajl(text: String) {
        #expect(!isScanned(text))
    }

    @Test(arguments: documents) func documentsReadTheSameInEveryWay(text: String) {
        for options in [JSONReader.Options(), JSONReader.Options(validation: .full)] {
            let (outcome, disagreements) = readEveryWay(JSONValue.self, text, options: options)
            #expect(disagreements.isEmpty)
            if case .failure(let kind, _) = outcome { Issue.record("\(kind)") }
        }
    }

    @Test(.enabled(if: Corpus.isPresent), arguments: ["twitter", "canada", "github_events", "github_user", "weibo"])
    func corpusFilesReadTheSameWithAndWithoutSkipping(name: String) throws {
        let bytes = try Corpus.bytes(name + ".json")
        var skipping = JSONReader()
        var validating = JSONReader(options: .init(validation: .full))
        #expect(try skipping.read(JSONValue.self, from: bytes) == validating.read(JSONValue.self, from: bytes))
        // Only the top-level keys are bound here, so that nearly all of the text is passed over or walked unbound.
        #expect(
            try skipping.read(Outline.self, from: bytes.first == UInt8(ascii: "[") ? wrapped(bytes) : bytes)
                == validating.read(Outline.self, from: bytes.first == UInt8(ascii: "[") ? wrapped(bytes) : bytes))
    }

    private func wrapped(_ bytes: [UInt8]) -> [UInt8] { Array("{\"id\": 7, \"rest\": ".utf8) + bytes + Array("}".utf8) }

    @Test(arguments: 0..<8) func damagedTextGivesTheSameErrorAtTheSamePosition(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet =
            Array(#"{}[]",:\/ 0123456789-+.eEtrufalsn\u\ud8dC"#.utf8) + [0, 9, 10, 11, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        var reader = JSONReader(options: .init(validation: .full))
        for _ in 0..<250 {
            var bytes = Array(DocumentScannerTests.documents.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[offset] = alphabet.randomElement(using: &random)!
                case 1: bytes.insert(alphabet.randomElement(using: &random)!, at: offset)
                case 2: bytes.remove(at: offset)
                default: bytes.removeSubrange(offset..<min(bytes.count, offset + 9))
                }
            }
            let size = Int.random(in: 1...40, using: &random)
            #expect(
                read(of: JSONValue.self, &reader, bytes) == read(of: JSONValue.self, &reader, bytes, chunks: size), "\(bytes)")
            #expect(read(of: Outline.self, &reader, bytes) == read(of: Outline.self, &reader, bytes, chunks: size), "\(bytes)")
            #expect(read(of: RawJSON.self, &reader, bytes) == read(of: RawJSON.self, &reader, bytes, chunks: size), "\(bytes)")
        }
    }

    /// A value, or kind, path and position of the error.
    private func read<Value: JSONBindable & Equatable>(
        of type: Value.Type, _ reader: inout JSONReader, _ bytes: [UInt8], chunks: Int? = nil
    ) -> Result<Value, JSONError> {
        Result { () throws(JSONError) in
            guard let chunks else { return try reader.read(type, from: bytes) }
            var source = BytesSource(bytes, chunkSize: chunks)
            var pieces = JSONReader(options: reader.options.inPieces)
            return try pieces.read(type, from: &source)
        }
    }

    /// The last bytes of a text are read one by one, because 16 cannot be read at once there. Only a long text is read where it lies: a short
    /// one is copied, and spaces follow it.
    @Test(arguments: 0...20, [0, PaddedText.capacity]) func aCharacterNearTheEndIsReadAsAnywhereElse(before: Int, blanks: Int)
        throws
    {
        let blank = String(repeating: " ", count: blanks)
        for after in 0...20 {
            let text = String(repeating: "a", count: before) + "é" + String(repeating: "b", count: after)
            for value in [
                try [String](json: "\(blank)[\"\(text)\"]")[0], try [String: String](json: "\(blank){\"k\":\"\(text)\"}")["k"],
                try JSONValue(json: "\(blank)\"\(text)\"").string,
                try [Substring](json: "\(blank)[\"\(text)\"]").first.map(String.init),
            ] {
                // What is taken for ASCII has as many UTF-16 units as bytes.
                #expect(value == text && value?.utf16.count == before + 1 + after)
            }
            var damaged = Array("\(blank)[\"\(text)\"]".utf8)
            damaged[blanks + 3 + before] = UInt8(ascii: "a")
            #expect(throws: JSONError.self) { try [String](json: damaged) }
            #expect(throws: JSONError.self) { try JSONValue(json: damaged) }
        }
    }

    @Test func aKeyAfterANestedContainerIsLookedUpInItsOwnObject() throws {
        // The key that is expected next in the child is `name`, too.
        let text = #"{"child":{"numbers":[[1],[2]],"id":1},"name":"five","child2":{"numbers":[[3]],"id":9}}"#
        let (outcome, disagreements) = readEveryWay(Parent.self, text)
        #expect(disagreements.isEmpty)
        #expect(outcome == .value(Parent(child: Child(numbers: [[1], [2]], id: 1), name: "five")))
    }

    @Test(arguments: [1, 2, 15, 16, 17, 40, 100, 250], [0, 50, 60, 70, 500, 1000, 1100, 3000])
    func containersOfEveryDepthAndSizeReadTheSame(depth: Int, size: Int) {
        var plain = JSONReader()
        var validating = JSONReader(options: .init(validation: .full))
        func repeated(_ text: String) -> String { String(repeating: text, count: depth) }
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}"), (#"[1,{"id":"#, "}]")] {
            let nested = repeated(opening) + "\"" + String(repeating: "x", count: size) + "\"" + repeated(closing)
            let child = #"{"numbers":[[1],[2]],"more":\#(nested),"id":1}"#
            let text = #"{"rest":\#(nested),"child":\#(child),"name":"n","list":[\#(nested),\#(nested)],"child2":\#(child)}"#
            // Cut and damaged, so that the attempt ends inside a container.
            for text in [text, text.replacing("]", with: "}", maxReplacements: depth), String(text.dropLast(7)), text + "]"] {
                let bytes = Array(text.utf8)
                let expected = read(of: Parent.self, &validating, bytes, chunks: 1000)
                #expect(read(of: Parent.self, &validating, bytes) == expected)
                if case .success = expected { #expect(read(of: Parent.self, &plain, bytes) == expected) }
                #expect(
                    read(of: JSONValue.self, &validating, bytes) == read(of: JSONValue.self, &validating, bytes, chunks: 1000))
            }
        }
    }

    @Test func anUnknownKeyIsPassedOverOnlyIfItsContainerCloses() {
        let long = String(repeating: "1,", count: 100) + "1"
        for rest in ["[\(long)}", "[\(long)", "{\(long)]", "[\(long)]]", "[\(long)],", "[\(long)] 1"] {
            let text = #"{"child":{"numbers":[],"id":1},"name":"n","rest":\#(rest)}"#
            let (outcome, disagreements) = readEveryWay(Parent.self, text)
            #expect(disagreements.isEmpty)
            guard case .failure = outcome else { return #expect(Bool(false), "\(text)") }
        }
    }

    // MARK: The scan

    @Test func theScanFindsTheSameEndAtEveryLevel() {
        var random = SplitMix64(seed: 99)
        let alphabet = Array(#"{}[]"\,: a"#.utf8)
        for _ in 0..<4000 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
            let depth = greatestDepth(bytes)
            for (limit, expected) in [(.max, slowEnd(bytes)), (depth, slowEnd(bytes)), (depth - 1, bytes.count)] where limit > 0 {
                for level in 0...2 {
                    var state = cscan_container(in_string: 0, escaped: 0, depth: 1, limit: limit)
                    let found = unsafe cscan_container_scan_at_level(Int32(level), &state, bytes, bytes.count)
                    #expect(found == expected, "level \(level), limit \(limit): \(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
    }

    private func slowEnd(_ bytes: [UInt8]) -> Int {
        var depth = 1
        for (index, bracket) in brackets(bytes) {
            depth += bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") ? 1 : -1
            if depth == 0 { return index }
        }
        return bytes.count
    }

    /// How many containers are open at most, until the first is closed.
    private func greatestDepth(_ bytes: [UInt8]) -> Int {
        var depth = 1
        var greatest = 1
        for (_, bracket) in brackets(bytes) where depth > 0 {
            depth += bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "[") ? 1 : -1
            greatest = max(greatest, depth)
        }
        return greatest
    }

    /// The brackets outside of strings, one byte at a time. Outside of strings too a backslash takes the next byte's meaning, as in
    /// the scan: JSON has none there.
    private func brackets(_ bytes: [UInt8]) -> [(Int, UInt8)] {
        var result: [(Int, UInt8)] = []
        var isInString = false
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if isEscaped {
                isEscaped = false
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { continue }
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if !isInString, "{}[]".utf8.contains(byte) {
                result.append((index, byte))
            }
        }
        return result
    }
}

/// A model that binds almost nothing of any document.
private struct Outline: Equatable {
    var id: JSONValue?
    var features: [Outline]?
    var search_metadata: JSONValue?
}

extension Outline: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        fileprivate var id: JSONValue?
        fileprivate var features: [Outline]?
        fileprivate var search_metadata: JSONValue?
        init() {}
    }

    static let _jsonTable = PropertyTable._compiled(for: Outline.self)

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("id", \JSONDraft.id, presence: .optional)
        model.property("features", \JSONDraft.features, presence: .optional)
        model.property("search_metadata", \JSONDraft.search_metadata, presence: .optional)
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        id = draft.id
        features = draft.features
        search_metadata = draft.search_metadata
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(features)
        case 2: try writer.property(search_metadata)
        default: break
        }
    }
}

/// A model whose key `name` holds a string.
private struct Child: Equatable {
    var numbers: [[Int]]
    var id: Int
    var name: String?
}

extension Child: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        fileprivate var numbers: [[Int]]?
        fileprivate var id: Int?
        fileprivate var name: String?
        init() {}
    }

    static let _jsonTable = PropertyTable._compiled(for: Child.self)

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("numbers", \JSONDraft.numbers)
        model.property("id", \JSONDraft.id)
        model.property("name", \JSONDraft.name, presence: .optional)
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        numbers = try bound.required(draft.numbers, 0)
        id = try bound.required(draft.id, 1)
        name = draft.name
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A model around it, whose key `name` has another slot.
private struct Parent: Equatable {
    var child: Child
    var name: String
}

extension Parent: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        fileprivate var child: Child?
        fileprivate var name: String?
        init() {}
    }

    static let _jsonTable = PropertyTable._compiled(for: Parent.self)

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("child", \JSONDraft.child)
        model.property("name", \JSONDraft.name)
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        child = try bound.required(draft.child, 0)
        name = try bound.required(draft.name, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
