// What a binder knows of a document: nothing of it is left when the next one begins, or when an attempt has failed.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct BinderStateTests {
    /// Memory that is used again, and so differs from one document to the next.
    private static let memory: Set = [
        "capture.decoded", "capture.spareParsers", "capture.textReader", "frames.unknownKeys", "attempts.findings",
        "expectedKeys",
    ]

    /// Ways to leave a document: each leaves something else in the binder.
    enum Use: String, CaseIterable, CustomTestStringConvertible {
        case value, misfit, damage, end, dropped, unknown, counted, attempts, failedAttempt, nullAlternatives, worseAlternative
        case captured, convertedContainer, escaped, chunks, unboundValue, update, cells, sensitive

        var testDescription: String { rawValue }

        var options: JSONReader.Options {
            var options = JSONReader.Options()
            switch self {
            case .dropped: options.elements = .skipInvalid
            case .unknown: options.unknownKeys = .report
            case .counted: options.countsProperties = true
            case .chunks: options.gathersUpTo = 0
            case .worseAlternative: options.mismatch = .keep
            case .convertedContainer: options.conversions = .yyModel
            default: break
            }
            return options
        }

        func read(_ reader: inout JSONReader) throws(JSONError) {
            switch self {
            case .value: _ = try reader.read([String: [Int]].self, from: #"{"a":[1,2],"b":[]}"#)
            case .misfit: _ = try reader.read([[String]].self, from: #"[["a"],["b",{"c":1}]]"#)
            case .damage: _ = try reader.read(Tree.self, from: #"{"name":"a","children":[{"name":"b","x":tru}]}"#)
            case .end: _ = try reader.read(Tree.self, from: #"{"name":"a","children":[{"nam":"b","#)
            case .dropped: _ = try reader.read([Int].self, from: #"[1,"x",[2],3]"#)
            case .unknown, .counted:
                _ = try reader.read(Tree.self, from: #"{"name":"a","nam":1,"children":[{"name":"b","x":[]}]}"#)
            case .attempts: _ = try reader.read([Tried].self, from: #"[1,{"name":"a","x":{}},[{"name":"b"}],["c"]]"#)
            case .failedAttempt: _ = try reader.read([Tried].self, from: #"[[{"name":"b","children":[{"name":1}]}]]"#)
            case .nullAlternatives: _ = try reader.read([Choice].self, from: #"[{"a":1,"b":null},{"b":null}]"#)
            case .worseAlternative: _ = try reader.read([Choice].self, from: #"[{"b":"x","a":[{"#)
            case .captured: _ = try reader.read([RawJSON].self, from: #"[{"a":[1]},[2],{"b":"#)
            case .convertedContainer: _ = try reader.read([Choice].self, from: #"[{"a":{"x":[1]}},{"a":[[["#)
            case .escaped: _ = try reader.read([String].self, from: #"["a\n\u00e9","b"]"#)
            case .chunks:
                var source = CutSource(Array(#"{"name":"a","children":[{"name":"b","x":[{"y":1}]}],"z":"abc"#.utf8), cut: 40)
                _ = try reader.read(Tree.self, from: &source)
            case .unboundValue:
                _ = try reader.read(
                    Tree.self, from: #"{"name":"a","children":[],"x":[[\#(String(repeating: "1,", count: 99))1]]}"#)
            case .update:
                var choice = Choice(value: 1)
                _ = try reader.update(&choice, from: Array(#"{"a":2,"x":tru"#.utf8))
            case .cells: _ = try reader.read([JSONValue].self, from: #"[{"a":[1,"\n"]},null]"#)
            case .sensitive:
                reader.hidesText = true
                defer { reader.hidesText = false }
                _ = try reader.read([Int].self, from: #"[1,"x"]"#)
            }
        }
    }

    /// A field that is not reset makes the second document begin with what the first one left there.
    @Test(arguments: Use.allCases) func aDocumentBeginsAsTheFirstOneDid(_ use: Use) {
        var reader = JSONReader(options: use.options)
        var root: JSONValue?
        unsafe withUnsafeMutablePointer(to: &root) { root in
            let row = BindingRegistry.shared.rootRow(for: JSONValue.self)
            unsafe reader.binder.state.begin(row, at: root)
            let first = reader.binder.state
            for _ in 0..<2 {
                _ = try? use.read(&reader)
                unsafe reader.binder.state.begin(row, at: root)
                var kept = Self.memory
                // The counters of a reader that counts are used again, too; no count may be left in them.
                if use == .unknown || use == .counted { kept.insert("document.findings") }
                #expect(Self.differences(reader.binder.state, first, except: kept) == [], "\(use)")
                #expect(reader.report == JSONReadReport() || use == .counted)
                #expect(reader.report.properties.allSatisfy { $0.objectCount == 0 && $0.presentCount == 0 })
            }
        }
    }

    /// A field that is not put back makes the document differ from what it was before the attempt.
    @Test(arguments: [
        "1", #""x""#, "[]", "{}", #"[{"name":"b"},{"name":1}]"#, #"{"name":"a","children":[{"name":"b","x":{"y":[]}},{}]}"#,
        #"{"a":"x","b":[1],"name":null}"#, "[1,[2,{", #"{"name":"a","children":[{"name":"\u00e9"},tru]}"#,
        #"{"b":null,"a":"x","c":[[{}]]}"#,
    ])
    func nothingOfAFailedAttemptIsLeftInTheDocument(_ text: String) {
        func check<Value: JSONReadable>(_ type: Value.Type, _ options: JSONReader.Options) -> Bool {
            let reader = JSONReader(options: options)
            let bytes = Array("[\(text)]".utf8)
            var root: [JSONValue]?
            var value: Value?
            return unsafe withUnsafeMutablePointer(to: &root) { root in
                unsafe withUnsafeMutablePointer(to: &value) { address in
                    unsafe bytes.withUnsafeBytes { bytes in
                        let rows = BindingRegistry.shared
                        unsafe reader.binder.state.begin(rows.rootRow(for: [JSONValue].self), at: root)
                        unsafe reader.binder.state.beginChunk(bytes, at: .start)
                        _ = reader.binder.state.openArray()
                        let before = reader.binder.state
                        let inside = unsafe UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
                        let fits = unsafe reader.binder.state.attempt(
                            .text(inside.assumingMemoryBound(to: UInt8.self)), for: rows.rootRow(for: type), at: address)
                        #expect(Self.differences(reader.binder.state, before, except: Self.memory) == [], "\(type) \(text)")
                        reader.binder.state.unwind()
                        return fits
                    }
                }
            }
        }
        var counting = JSONReader.Options()
        counting.unknownKeys = .report
        counting.countsProperties = true
        for options in [JSONReader.Options(), .tolerant, .yyModel, counting] {
            // None of the texts is a list of such lists.
            #expect(!check([[Bool]].self, options) || text == "[]")
            // An attempt that fits leaves only what it has noted.
            if !check(Tree.self, options) { #expect(!check([Tree].self, options) || text == "[]") }
            #expect(!check(Choice.self, options))
        }
    }

    /// The paths at which two values differ, such as `document.nesting`.
    private static func differences(_ one: Binder, _ other: Binder, except kept: Set<String>) -> [String] {
        differences(one, other, "", kept)
    }

    private static func differences(_ one: Any, _ other: Any, _ path: String, _ kept: Set<String>) -> [String] {
        if kept.contains(path) { return [] }
        let (left, right) = (Mirror(reflecting: one), Mirror(reflecting: other))
        guard left.children.count == right.children.count else { return ["\(path) has \(one), not \(other)"] }
        if left.children.isEmpty { return "\(one)" == "\(other)" ? [] : ["\(path) is \(one), not \(other)"] }
        return zip(left.children, right.children).enumerated().flatMap { index, pair in
            let name = pair.0.label ?? "\(index)"
            return differences(pair.0.value, pair.1.value, path.isEmpty ? name : path + "." + name, kept)
        }
    }

    @Test func aKeyThatIsNullIsNamedEvenAfterAnotherModelsAlternatives() throws {
        // The first object of the same depth has noted its second key, for the property of the same number.
        let error = try #require(
            failure(reading: Both.self, #"{"choice":{"b":null,"a":1},"named":{"key":null}}"#, options: .init()))
        #expect(error.kind == .missingKeys)
        #expect(error.keys == ["key"])
    }
}

/// Types that are tried one after the other.
private enum Tried: JSONPolymorphic {
    case number(Int), trees([Tree]), tree(Tree), choice(Choice)

    static let jsonVariants = JSONVariants<Tried>(by: .untagged)
        .variant("number", Int.self) { .number($0) }
        .variant("trees", [Tree].self) { .trees($0) }
        .variant("tree", Tree.self) { .tree($0) }
        .variant("choice", Choice.self) { .choice($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
}

/// A property with two keys.
private struct Choice: JSONModel {
    var value: Int

    struct JSONDraft: _JSONModelDraft {
        var value: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value, keys: ["a", "b"], presence: .required)
    }

    static let _jsonTable = PropertyTable._compiled(for: Choice.self)

    init(value: Int) { self.value = value }

    func _makeDraft() -> JSONDraft? {
        var draft = JSONDraft()
        draft.value = value
        return draft
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        value = try bound.required(draft.value, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(value) }
}

/// A property that is not named as its key.
private struct Named: JSONModel {
    var value: Int

    struct JSONDraft: _JSONModelDraft {
        var value: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value, keys: ["key"], presence: .required)
    }

    static let _jsonTable = PropertyTable._compiled(for: Named.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        value = try bound.required(draft.value, 0)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(value) }
}

/// One object of each.
private struct Both: JSONModel {
    var choice: Choice
    var named: Named

    struct JSONDraft: _JSONModelDraft {
        var choice: Choice?
        var named: Named?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("choice", \JSONDraft.choice, presence: .required)
        model.property("named", \JSONDraft.named, presence: .required)
    }

    static let _jsonTable = PropertyTable._compiled(for: Both.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        choice = try bound.required(draft.choice, 0)
        named = try bound.required(draft.named, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(choice) } else { try writer.property(named) }
    }
}
