// Variants without a tag: the first that the value can be read as. Each value is tried once for each type, however deep it lies.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// A value that contains itself in two ways.
private indirect enum Nest: JSONPolymorphic, Hashable {
    case text(Int)
    case pairs([[Nest]])
    case list([Nest])
    case named([String: Nest])

    static let jsonVariants = JSONVariants<Nest>(by: .untagged)
        .variant("text", Int.self) { .text($0) }
        .variant("pairs", [[Nest]].self) { .pairs($0) }
        .variant("list", [Nest].self) { .list($0) }
        .variant("named", [String: Nest].self) { .named($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .text(let value): try Nest.jsonVariants._write("text", value, to: &writer)
        case .pairs(let value): try Nest.jsonVariants._write("pairs", value, to: &writer)
        case .list(let value): try Nest.jsonVariants._write("list", value, to: &writer)
        case .named(let value): try Nest.jsonVariants._write("named", value, to: &writer)
        }
    }
}

/// A variant that is the type itself, whose own object it would be tried with forever.
private indirect enum Circular: JSONPolymorphic, Equatable {
    case again(Circular)
    case number(Int)
    case list([Circular])
    case other(RawJSON)

    static let jsonVariants = JSONVariants<Circular>(by: .untagged)
        .variant("again", Circular.self) { .again($0) }
        .variant("number", Int.self) { .number($0) }
        .variant("list", [Circular].self) { .list($0) }
        .unknown { _, raw in .other(raw) }

    func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
}

/// Models among the variants, one of which leaves elements out.
private enum Solid: JSONPolymorphic, Equatable {
    case disc(Disc)
    case bar(Bar)
    case counts(Ruled<[Int], Leaving>)

    static let jsonVariants = JSONVariants<Solid>(by: .untagged)
        .variant("disc", Disc.self) { .disc($0) }
        .variant("bar", Bar.self) { .bar($0) }
        .variant("counts", Ruled<[Int], Leaving>.self) { .counts($0) }

    func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
}

private enum Leaving: Rules {
    static let presence = JSONPresence.required
    static let policy = JSONPropertyPolicy(elements: .skipInvalid)
}

@Suite struct UntaggedTests {
    private func nested(_ depth: Int, _ inside: String) -> String {
        String(repeating: "[", count: depth) + inside + String(repeating: "]", count: depth)
    }

    @Test func theFirstVariantThatFitsIsTaken() {
        for (text, value) in [
            ("1", Nest.text(1)), ("[]", .pairs([])), ("[[1],[2,3]]", .pairs([[.text(1)], [.text(2), .text(3)]])),
            ("[1,[2]]", .list([.text(1), .list([.text(2)])])), (#"{"a":[[]]}"#, .named(["a": .pairs([[]])])),
            (#"[{"\n":1}]"#, .list([.named(["\n": .text(1)])])),
        ] {
            for options in [JSONReader.Options.strict, .init(), .tolerant] {
                let reading = readings(of: Nest.self, text, options: options)
                #expect(reading.outcome == .value(value), "\(text)")
                #expect(reading.disagreements == [])
            }
        }
    }

    @Test(arguments: [16, 60]) func deepValuesTakeNoMoreThanTheirLength(_ depth: Int) throws {
        // Two recursive variants: three attempts a level, so 3^60 if each level asked the one below afresh.
        let bad = readings(of: Nest.self, nested(depth, #""x""#), options: .strict)
        #expect(bad.outcome == .failure(.invalidValue, ""))
        #expect(bad.disagreements == [])
        let good = readings(of: Nest.self, nested(depth, "1,[2]"), options: .strict)
        #expect(good.error == nil)
        #expect(good.disagreements == [])
        #expect(try good.value?.jsonString() == nested(depth, "1,[2]"))
        let objects = String(repeating: #"{"a":["#, count: depth / 2) + "7" + String(repeating: "]}", count: depth / 2)
        #expect(try Nest(json: objects).jsonString() == objects)
    }

    @Test func manyValuesAreTriedOneByOne() throws {
        let text = "[" + (0..<2000).map { #"[[\#($0)],{"k":[1,2]}]"# }.joined(separator: ",") + "]"
        #expect(try Nest(json: text).jsonString() == text)
        #expect(try [Nest](json: text).count == 2000)
    }

    @Test(arguments: [150, 511, 100_000]) func theNestingLimitHolds(_ depth: Int) {
        for inside in ["1", #""x""#, ""] {
            let bytes = Array(nested(depth, inside).utf8)
            let reading = readings(of: Nest.self, bytes, options: .strict)
            #expect(reading.error?.kind == .depthLimit, "\(depth) \(inside)")
            #expect(reading.disagreements == [])
        }
        // Two brackets of `pairs` are one level of variants.
        let own = readings(of: Nest.self, nested(depth, "1"), options: .init(maximumDepth: 10, elements: .skipInvalid))
        #expect(own.error?.kind == .depthLimit)
        #expect(readings(of: Nest.self, nested(10, "1"), options: .init(maximumDepth: 10)).error == nil)
        #expect(readings(of: Nest.self, nested(11, "1"), options: .init(maximumDepth: 10)).error?.kind == .depthLimit)
    }

    @Test func aVariantOfItsOwnTypeIsNotTriedForever() {
        #expect(readings(of: Circular.self, "5", options: .strict).outcome == .value(.number(5)))
        #expect(
            readings(of: Circular.self, "[5,[6]]", options: .strict).outcome == .value(.list([.number(5), .list([.number(6)])])))
        #expect(readings(of: Circular.self, "true", options: .strict).outcome == .value(.other(RawJSON(known: "true"))))
        let text = readings(of: Circular.self, #""\n\u00e9""#, options: .strict)
        #expect(text.value != nil)
        #expect(text.disagreements == [])
        #expect(readings(of: Circular.self, #"{"a":1}"#, options: .strict).outcome == .value(.other(RawJSON(known: #"{"a":1}"#))))
    }

    @Test func textThatIsNoJSONIsNeverLeftOut() {
        for text in [#"[{"radius":[1,]}]"#, #"[{"radius":[nul]},{"radius":1}]"#, #"[[1}]"#] {
            let reading = readings(of: [Solid].self, text, options: .init(elements: .skipInvalid))
            #expect(reading.error?.kind == .syntax, "\(text)")
            #expect(reading.disagreements == [], "\(text)")
        }
        let half = readings(of: [Solid].self, #"[{"radius":"\ud800"}]"#, options: .init(elements: .skipInvalid))
        #expect(half.error?.kind == .invalidUnicode)
        #expect(half.disagreements == [])
    }

    @Test func whatAVariantLeavesOutIsCountedOnce() {
        let text = #"[{"v":[1,"x",{}]},{"width":2},{"v":[7]},[],{"radius":1}]"#
        let reading = readings(of: [Solid].self, text, options: .init(elements: .skipInvalid))
        #expect(
            reading.value == [
                .counts(Ruled([1])), .bar(Bar(w: 2)), .counts(Ruled([7])), .disc(Disc(r: 1)),
            ])
        #expect(reading.report.issues.map(\.path) == ["[0].v[1]", "[0].v[2]", "[3]"])
        #expect(reading.report.droppedCount == 3)
        #expect(reading.disagreements == [])
    }
}
