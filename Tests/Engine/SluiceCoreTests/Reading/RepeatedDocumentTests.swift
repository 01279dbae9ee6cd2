// A reader begins a flat document as it began the last one: nothing of the one may be found in the other.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct RepeatedDocumentTests {
    private static let texts: [String] = [
        #"{"id":1,"name":"x"}"#, #"{"id":2}"#, #"{"name":"a name of more than fifteen","id":3,"note":null}"#, #" {"id":4}"#,
        #"{"id":5,"note":"a note","share":2.5,"isOpen":true} "#, #"{ "isOpen" : false , "id" : 6 }"#, "\u{FEFF}{\"id\":7}",
        #"{"id":8,"other":"x","more":null}"#, #"{"id":9,"other":{"a":[1,2]}}"#, #"{"id":10,"name":"\u00e9\n"}"#,
        #"{"id":11,"name":"é, and more than sixteen letters"}"#, #"{"id":12,"id":13}"#, #"{"id":14,"name":"a","name":null}"#,
        #"{"id":"15"}"#, #"{"id":16.5}"#, #"{"id":null}"#, "{}", #"{"name":"x"}"#, "[1]", "null", "", #"{"id":17"#,
        #"{"id":18}}"#,
        #"{"id":19,"note":nul}"#, #"{"id":20,}"#, #"{"id":21,"name":"\ud800"}"#, #"{"id":22,"inner":{"id":23}}"#,
        #"{"id":24,"inner":{"name":"x"}}"#, #"{"id":25,"part":"a part that is long enough"}"#, #"{"id":26,"part":"short"}"#,
        #"{"id":27,"name":""# + String(repeating: "long ", count: 80) + #""}"#,
    ]

    private static let choices: [JSONReader.Options] = [
        .lenient, .strict, .tolerant, .init(countsProperties: true), .init(unknownKeys: .report), .init(unknownKeys: .reject),
        .init(validation: .full), .init(duplicateKeys: .error), .init(maximumTokenSize: 60), .init(parser: .yajl),
    ]

    private enum Outcome: Equatable {
        case value(Flat, dropped: Int, unknown: Int)
        case failure(String)
    }

    /// Reads a document into one of two places.
    @safe
    private final class Roots {
        private let roots = UnsafeMutablePointer<Flat?>.allocate(capacity: 2)

        init() { unsafe roots.initialize(repeating: nil, count: 2) }
        deinit { unsafe roots.deallocate() }

        func read(_ text: String, with reader: inout JSONReader, into number: Int) -> Outcome {
            var text = text
            let root = unsafe roots + number
            if let error = text.withUTF8({
                unsafe reader.run(Flat.self, at: UnsafeMutableRawPointer(root), UnsafeRawBufferPointer($0))
            }) {
                return .failure("\(error)")
            }
            defer { unsafe root.pointee = nil }
            guard let value = unsafe root.pointee else { return .failure("nothing") }
            return .value(value, dropped: reader.report.droppedCount, unknown: reader.report.unknownKeyCount)
        }
    }

    @Test(arguments: RepeatedDocumentTests.choices.indices) func aDocumentIsReadAsByANewReader(choice: Int) {
        let options = Self.choices[choice]
        let roots = Roots()
        let wanted = Self.texts.map { text in
            var reader = JSONReader(options: options)
            return roots.read(text, with: &reader, into: 0)
        }
        var reader = JSONReader(options: options)
        var random = SplitMix64(seed: 49)
        for first in Self.texts.indices {
            for second in Self.texts.indices {
                for index in [first, second, second] {
                    let outcome = roots.read(Self.texts[index], with: &reader, into: random.below(2))
                    #expect(outcome == wanted[index], "\(Self.texts[index]) after \(Self.texts[first])")
                }
            }
        }
    }

    @Test func onlyFlatDocumentsAreRepeated() throws {
        var reader = JSONReader()
        for text in [#"{"id":1,"name":"x","note":null}"#, #"{ "id" : 8, "other": "x", "more":3}"#] {
            // Keys are found the short way when they have come in this order before.
            for _ in 0..<3 { _ = try reader.read(Flat.self, from: text) }
            #expect(reader.binder.state.repeatable != nil, "\(text)")
        }
        for text in [#"{"id":9,"other":{}}"#, #"{"id":10,"name":"\n"}"#, #"{"id":1,"id":2}"#, "\u{FEFF}{\"id\":7}"] {
            _ = try reader.read(Flat.self, from: text)
            #expect(reader.binder.state.repeatable == nil, "\(text)")
        }
        #expect(failure { () throws(JSONError) in try reader.read(Flat.self, from: #"{"name":"x"}"#) } != nil)
        #expect(reader.binder.state.repeatable == nil)
    }

    /// If a field of ``Binder/Document`` is added that a flat document changes, ``Binder/beginAgain(_:at:_:)`` must set it.
    @Test func aRepeatedDocumentLeavesWhatTheFirstOneLeft() throws {
        let root = UnsafeMutablePointer<Flat?>.allocate(capacity: 1)
        unsafe root.initialize(to: nil)
        defer {
            unsafe root.deinitialize(count: 1)
            unsafe root.deallocate()
        }
        var reader = JSONReader()
        func read(_ text: String, times: Int = 1) -> [String] {
            var text = text
            for _ in 0..<times {
                let failure = text.withUTF8 { bytes in
                    unsafe reader.run(Flat.self, at: UnsafeMutableRawPointer(root), UnsafeRawBufferPointer(bytes))
                }
                #expect(failure == nil)
                unsafe root.pointee = nil
            }
            let document = Mirror(reflecting: reader.binder.state.document)
            let frame = Mirror(reflecting: reader.binder.state.document.frame)
            return (Array(document.children) + Array(frame.children)).filter { $0.label != "textShift" }
                .map { "\($0.label ?? ""): \($0.value)" }
        }
        let bare = #"{"id":1}"#
        let wanted = read(bare, times: 3)
        for text in [
            #"{"id":5,"note":"a note","share":2.5,"isOpen":true,"name":null,"part":"a part that is long enough"}"#,
            #"{"id":8,"other":"x","more":12}"#, #"{ "isOpen" : false, "id" : 6 } "#,
        ] {
            // Keys are found the short way when they have come in this order before.
            _ = read(text, times: 3)
            #expect(reader.binder.state.repeatable != nil, "\(text)")
            #expect(read(bare) == wanted, "after \(text)")
        }
    }

    @Test func nullIsReadAlikeByBothParsers() {
        for text in [
            #"{"id":1,"note":null}"#, #"{"id":1,"note":null,"note":"x"}"#, #"{"id":1,"note":"x","note":null}"#, #"{"id":null}"#,
            #"{"id":1,"note":null,"note":null,"inner":null}"#, #"{"id":1,"inner":null,"inner":{"id":2}}"#,
            #"{"id":1,"note":nulll}"#,
            #"{"id":1,"inner":{"id":2},"inner":null}"#, #"{"id":1,"note":n"#, #"{"id":1,"note":null"#,
        ] {
            for rule in [JSONReader.Options.DuplicateKeys.last, .first, .error] {
                for nulls in [nil, JSONNullPolicy.asNil, .keep, .error, .default, .empty] {
                    let options = JSONReader.Options(duplicateKeys: rule, nulls: nulls)
                    let (_, disagreements) = readEveryWay(Flat.self, text, options: options)
                    #expect(disagreements == [], "\(text)")
                }
            }
        }
    }

    @Test func theDepthOfNestedModelsIsLimitedAlikeByBothParsers() {
        let text = #"{"id":1,"inner":{"id":2,"name":"x"}}"#
        for depth in 1...3 {
            let (outcome, disagreements) = readEveryWay(Flat.self, text, options: JSONReader.Options(maximumDepth: depth))
            #expect(disagreements == [])
            if case .value = outcome { #expect(depth > 1) } else { #expect(depth == 1) }
        }
    }
}

/// A model that is built where it lives, with a property of each kind that the scanner stores itself.
private struct Flat: JSONModel, Equatable {
    struct Inner: JSONModel, Equatable {
        var id: Int = 0
        var name: String?

        static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Inner>>) {
            model._required("id", \Inner.id)
            model._optional("name", \Inner.name)
        }

        static let _jsonTable = PropertyTable._compiled(for: Inner.self)
        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
            if slot == 0 { try writer.property(id) } else { try writer.property(name) }
        }
    }

    var id: Int = 0
    var name: String?
    var note: String?
    var share: Double?
    var isOpen: Bool?
    var part: Substring?
    var inner: Inner?

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Flat>>) {
        model._required("id", \Flat.id)
        model._optional("name", \Flat.name)
        model._optional("note", \Flat.note)
        model._optional("share", \Flat.share)
        model._optional("isOpen", \Flat.isOpen)
        model._optional("part", \Flat.part)
        model._optional("inner", \Flat.inner)
    }

    static let _jsonTable = PropertyTable._compiled(for: Flat.self)

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(id)
        case 1: try writer.property(name)
        case 2: try writer.property(note)
        case 3: try writer.property(share)
        case 4: try writer.property(isOpen)
        case 5: try writer.property(part)
        default: try writer.property(inner)
        }
    }
}
