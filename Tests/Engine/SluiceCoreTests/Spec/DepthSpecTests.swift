// Values as deep as the options can be told to allow, and the stack that they take.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DepthSpecTests {
    private static let greatest = JSONReader.Options.greatestDepth

    /// What the documentation of `greatestDepth` promises.
    #if DEBUG
    private static let promisedStack = 2 << 20
    #else
    private static let promisedStack = 512 << 10
    #endif

    /// Runs on a thread of its own, and looks at how much of its stack was used.
    private func onSmallStack(_ body: @escaping () -> Void) {
        let use = stackUse(of: body)
        // A sanitizer makes frames larger; then it is the sanitizer that is asked.
        #expect(use ?? .max <= (AllocationCounter.isUnderSanitizer ? 8 << 20 : Self.promisedStack))
    }

    private static func nested(_ depth: Int, _ open: String, _ inside: String, _ close: String) -> String {
        String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
    }

    /// Does with a value all that goes through it level by level.
    private static func exercise<Value: JSONBindable & Hashable>(_ type: Value.Type, _ text: String) {
        let reading = JSONReader.Options(maximumDepth: .max)
        let writing = JSONWriter.Options(maximumDepth: .max)
        do {
            let value = try Value(json: text, options: reading)
            var source = BytesSource(Array(text.utf8), chunkSize: 61)
            var reader = JSONReader(options: reading)
            #expect(try reader.read(type, from: &source) == value)
            #expect(try value.jsonString(options: writing) == text)
            #expect(
                try value.jsonString(options: .init(sortedKeys: true, isPretty: true, maximumDepth: .max)).count >= text.count)
            #expect(value.hashValue == (try Value(json: text, options: reading)).hashValue)
            _ = "\(value)"
            _ = try value.jsonValue(options: writing)
            #expect(throws: JSONError.self) { try Value(json: text + "]", options: reading) }
        } catch {
            Issue.record(error)
        }
    }

    @Test("11: the limit cannot be set so high that the stack overflows")
    func theLimitHasALimit() {
        var options = JSONReader.Options(maximumDepth: 200_000)
        #expect(options.maximumDepth == Self.greatest)
        options.maximumDepth = 10
        #expect(options.maximumDepth == 10)
        options.maximumDepth = .max
        #expect(options.maximumDepth == Self.greatest)
        var writing = JSONWriter.Options(maximumDepth: 200_000)
        writing.maximumDepth = .max
        #expect(writing.maximumDepth == Self.greatest)
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let text = Self.nested(200_000, open, "1", close)
            for validation in [JSONReader.Options.Validation.bound, .full] {
                let options = JSONReader.Options(maximumDepth: 200_000, validation: validation)
                #expect(failure(reading: JSONValue.self, text, options: options)?.kind == .depthLimit)
                #expect(failure(reading: RawJSON.self, text, options: options)?.kind == .depthLimit)
            }
        }
    }

    @Test("11: values of the greatest depth are read, written, compared and freed on a small stack")
    func theGreatestDepth() {
        onSmallStack {
            Self.exercise(JSONValue.self, Self.nested(Self.greatest, "[", "1", "]"))
            Self.exercise(JSONValue.self, Self.nested(Self.greatest, #"{"a":"#, "1", "}"))
            Self.exercise(RawJSON.self, Self.nested(Self.greatest, "[", "1", "]"))
        }
    }

    @Test("11: so are models and their archives")
    func modelsOfTheGreatestDepth() {
        onSmallStack {
            let levels = Self.greatest / 2
            let text = Self.nested(levels, #"{"name":"n","children":["#, "", "]}")
            do {
                let tree = try Tree(json: text, options: .init(maximumDepth: .max))
                #expect(try tree.jsonString(options: .init(maximumDepth: .max)) == text)
                #expect(tree == tree)
                _ = tree.jsonDescription
                let link = try Link(
                    json: Self.nested(Self.greatest - 1, #"{"value":1,"next":"#, #"{"value":2}"#, "}"),
                    options: .init(maximumDepth: .max))
                #expect(link.next?.value == 1)
                #expect(
                    try Tree(archive: Tree(json: Self.nested(200, #"{"name":"n","children":["#, "", "]}")).archive()).name == "n")
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("11: variants and hooks inside each other end at their own limit before the stack does")
    func variantsOnASmallStack() {
        onSmallStack {
            for depth in [60, 64, 65, 250] {
                let tagged = Self.nested(depth, #"{"in":["#, "", #"],"type":"nest"}"#)
                let error = failure(reading: Tagged.self, tagged, options: .init(maximumDepth: .max))
                #expect(error == nil || error?.kind == .depthLimit)
                #expect((error == nil) == (depth <= Binder.maximumCaptureDepth))
                let untagged = Self.nested(depth, "[", "7", "]")
                let other = failure(reading: Untagged.self, untagged, options: .init(maximumDepth: .max))
                #expect(other == nil || other?.kind == .depthLimit)
            }
        }
    }

    private struct Tagged: JSONPolymorphic {
        var inside: [Tagged]
        static let jsonVariants = JSONVariants<Tagged>(by: .key("type"))
            .variant("nest", Inside.self) { Tagged(inside: $0.inside) }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private struct Inside: JSONModel {
        var inside: [Tagged]
        struct JSONDraft: _JSONModelDraft {
            var inside: [Tagged]?
            init() {}
        }
        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            model.property("inside", \JSONDraft.inside, keys: ["in"])
        }
        static let _jsonTable = PropertyTable._compiled(for: Inside.self)
        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            inside = try bound.required(draft.inside, 0)
        }
        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
    }

    private indirect enum Untagged: JSONPolymorphic {
        case number(Int)
        case list([Untagged])
        static let jsonVariants = JSONVariants<Untagged>(by: .untagged)
            .variant("number", Int.self) { .number($0) }
            .variant("list", [Untagged].self) { .list($0) }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }
}
