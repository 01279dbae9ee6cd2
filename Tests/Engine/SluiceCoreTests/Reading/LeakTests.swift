// A document that fails at any byte leaves nothing behind: instances are counted, and must all be gone.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct LeakTests {
    @Test func aDocumentCutAtAnyByteLeavesNothing() throws {
        enum Tag {}
        typealias Model = [Trio<[String: [Counted<Tag>?]]>]
        let text = """
            [{"required": {"a": ["1", null, "2"], "b": ["3"], "c": []}, "skip": ["x"], "optional": {"d": ["4", "5", "6", "7", "8", "9"]}},
             {"optional": {"e": ["\\u0031", "e"]}, "required": {"a": [], "b": ["s"], "c": ["t"], "d": ["u"], "e": ["v"]}, "required": {"again": ["w"]}}]
            """
        try expectNothingLeft(Model.self, Tag.self, text)
    }

    @Test func setsModelsAndClassesLeaveNothing() throws {
        enum Tag {}
        try expectNothingLeft([String: Set<Held<Tag>>].self, Tag.self, #"{"a":["x","y"],"b":["z","z","\t"],"c":[]}"#)
        try expectNothingLeft(
            Trio<Trio<Counted<Tag>>>.self, Tag.self,
            #"{"required":{"required":"a","required":"b","optional":"c"},"optional":{"required":"d"}}"#)
        try expectNothingLeft(Keyed<Counted<Tag>, Ranked>.self, Tag.self, #"{"b":"1","c":{"d":"2"},"a":"3","b":"4"}"#)
    }

    @Test func everyKindOfErrorLeavesNothing() {
        enum Tag {}
        typealias Model = [Trio<[String: Counted<Tag>]>]
        let head = #"[{"required":{"a":"1","b":"2"},"optional":{"c":"3","#
        for tail in [
            #""d":4}}]"#, #""d":"\ud800"}}]"#, #""d":["#, #""d" 1"#, #""d":"4"}},{}]"#, #""d":"4"}},null]"#, #""d":"4"}}] x"#,
            #""d":"4"}}]["#,
            "\"d\":\u{B}\"4\"}}]", #""\udc00":"4"}}]"#, #"":{"#,
        ] {
            for size in [1, 7, 1000] {
                var reader = JSONReader(options: .strict.inPieces)
                var source = BytesSource(Array((head + tail).utf8), chunkSize: size)
                #expect(failure { () throws(JSONError) in try reader.read(Model.self, from: &source) } != nil)
                #expect(Counted<Tag>.live == 0, "\(tail)")
                #expect(failure { () throws(JSONError) in try reader.read(Model.self, from: head + tail) } != nil)
                #expect(Counted<Tag>.live == 0, "\(tail)")
            }
        }
        #expect(failure(reading: [Color: Counted<Tag>].self, #"{"red":"1","blue":"2","green":"3"}"#)?.kind == .invalidValue)
        #expect(Counted<Tag>.live == 0)
    }

    @Test func aValueThatIsReplacedIsReleased() throws {
        enum Tag {}
        do {
            let value = try Trio<Counted<Tag>>(
                json: #"{"required":"a","required":"b","optional":"c","optional":null,"defaulted":"d","required":"e"}"#)
            #expect(value.required.text == "e")
            #expect(Counted<Tag>.live == 2)
        }
        #expect(Counted<Tag>.live == 0)
    }

    private enum Ranked: KeyList { static let keys: [JSONKeyPath] = ["a", "b", "c.d"] }

    private func expectNothingLeft<Value: JSONBindable & Equatable, Tag>(
        _ type: Value.Type, _ tag: Tag.Type, _ text: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let bytes = Array(text.utf8)
        var reader = JSONReader(options: .strict.inPieces)
        do {
            let whole = try reader.read(type, from: bytes)
            #expect(Counted<Tag>.live > 0, sourceLocation: location)
            withExtendedLifetime(whole) {}
        }
        #expect(Counted<Tag>.live == 0, sourceLocation: location)
        for end in bytes.indices {
            let prefix = Array(bytes[..<end])
            #expect(failure { () throws(JSONError) in try reader.read(type, from: prefix) } != nil, sourceLocation: location)
            #expect(Counted<Tag>.live == 0, "whole, cut at \(end)", sourceLocation: location)
            for size in [1, 13, 4096] {
                var source = BytesSource(prefix, chunkSize: size)
                #expect(failure { () throws(JSONError) in try reader.read(type, from: &source) } != nil, sourceLocation: location)
                #expect(Counted<Tag>.live == 0, "chunks of \(size), cut at \(end)", sourceLocation: location)
            }
        }
        let (_, disagreements) = readEveryWay(type, bytes)
        #expect(disagreements == [], sourceLocation: location)
        #expect(Counted<Tag>.live == 0, sourceLocation: location)
    }
}

/// A hashable holder of a counted object.
struct Held<Tag>: JSONScalarBindable, Hashable {
    let object: Counted<Tag>

    init?(jsonScalar scalar: JSONScalar) {
        guard let object = Counted<Tag>(jsonScalar: scalar) else { return nil }
        self.object = object
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try object.write(to: &writer) }
    func hash(into hasher: inout Hasher) { hasher.combine(object.text) }
    static func == (left: Held, right: Held) -> Bool { left.object == right.object }
}
