// The elements of a large array lie in several pieces of memory until the array is made.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// `{"name": "…", "place": 7}`
private struct Named: JSONModel, Equatable {
    var name: String
    var place: Int

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var place: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("place", \JSONDraft.place)
    }

    static let _jsonTable = PropertyTable._compiled(for: Named.self)

    init(_ place: Int) {
        name = "the element at place \(place)"
        self.place = place
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name, 0)
        place = try bound.required(draft.place, 1)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(name) } else { try writer.property(place) }
    }
}

@Suite struct LargeArrayTests {
    /// 24 bytes each: three pieces of memory and a part of a fourth.
    private static let elements = (0..<120_000).map { Named($0) }
    private static let parsers = [JSONReader.Options.Parser.automatic, .yajl]

    private func options(_ parser: JSONReader.Options.Parser) -> JSONReader.Options {
        var options = JSONReader.Options.tolerant
        options.parser = parser
        return options
    }

    @Test(arguments: parsers) func allElementsArrive(parser: JSONReader.Options.Parser) throws {
        let text = try Self.elements.jsonBytes()
        #expect(try [Named](json: text, options: options(parser)) == Self.elements)
        #expect(try [Named?](json: text, options: options(parser)) == Self.elements)
    }

    @Test(arguments: parsers) func aLargeArrayInALargeArrayArrivesToo(parser: JSONReader.Options.Parser) throws {
        let nested = [Array(Self.elements[..<40_000]), [], Array(Self.elements[40_000...])]
        #expect(try [[Named]](json: try nested.jsonBytes(), options: options(parser)) == nested)
    }

    @Test(arguments: parsers) func anElementThatDoesNotFitIsNamedByItsIndex(parser: JSONReader.Options.Parser) throws {
        var text = Array("[".utf8)
        for element in Self.elements { text += try element.jsonBytes() + Array(",".utf8) }
        let left = text + Array("17]".utf8)
        var reader = JSONReader(options: options(parser))
        #expect(try reader.read([Named].self, from: left) == Self.elements)
        #expect(reader.report.issues.map(\.path) == ["[120000]"])
        #expect(throws: JSONError.self) { try reader.read([Named].self, from: text) }
        // After an error the reader is as good as new.
        #expect(try reader.read([Named].self, from: left) == Self.elements)
    }
}

@Suite struct KeptReaderTests {
    @Test func aReaderThatIsKeptStartsAnewWithEachText() throws {
        for _ in 0..<3 {
            #expect(try [Int](json: "[1, 2]") == [1, 2])
            #expect(throws: JSONError.self) { try [Int](json: "[1, [2]") }
            #expect(try ["a": [1]] == [String: [Int]](json: #"{"a": [1]}"#))
            #expect(throws: JSONError.self) { try [Int](json: "[1]", options: .init(maximumDepth: 0)) }
        }
    }

    @Test func manyTasksReadAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { (try? [Int](json: "[\(task), \($0)]")) == [task, $0] }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
