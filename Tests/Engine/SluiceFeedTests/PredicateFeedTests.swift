import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// Feeds that give out only the records that match a predicate.
@Suite struct PredicateFeedTests {
    typealias Predicate = JSONPredicate<Watched>

    // Not stored: LeakSanitizer finds no reference to the boxes of indirect cases, whose addresses carry the number of the case.
    static var predicates: [(Predicate, @Sendable (Watched) -> Bool)] {
        [
            (\.type == "push", { $0.type == "push" }),
            (\.type != "push", { $0.type != "push" }),
            (\.type == "push" && \.size > 3, { $0.type == "push" && $0.size > 3 }),
            (\.size <= 2 || \.actor.login == "ann", { $0.size <= 2 || $0.actor.login == "ann" }),
            (!(\.actor.login >= "b"), { !($0.actor.login >= "b") }),
            (\.note == nil, { $0.note == nil }),
            (\.note != nil && \.size < 5, { $0.note != nil && $0.size < 5 }),
            (\.note == "x", { $0.note == "x" }),
            (!(\.note == "x"), { $0.note != "x" }),
            (\.note > "a", { ($0.note ?? "") > "a" }),
            (.property(\.type, isOneOf: ["push", "fork"]), { ["push", "fork"].contains($0.type) }),
            (.property(\.note, isOneOf: ["y", "x"]), { ["x", "y"].contains($0.note) }),
            (.property(\.size, isOneOf: []), { _ in false }),
            // Not a property of the JSON: compared when the record has been read.
            (\.doubledSize >= 8, { $0.doubledSize >= 8 }),
            (\.doubledSize >= 8 && \.type == "push", { $0.doubledSize >= 8 && $0.type == "push" }),
        ]
    }

    /// Records of all kinds, damaged ones among them.
    ///
    /// - Parameter areCut: Whether some break off; elsewhere than in lines, they would take the next record with them.
    static func texts(_ count: Int, areCut: Bool) -> [String] {
        var random = SplitMix64(seed: 11)
        return (0..<count).map { number in
            var members = [
                "\"type\":\"\(random.pick(["push", "watch", "fork", "p\\u0075sh"]))\"", "\"size\": \(random.below(6))",
                "\"actor\":{\"id\":\(number),\"login\":\"\(random.pick(["ann", "bob"]))\"}", "\"rest\":{\"a\":[1,{\"b\":\"}\"}]}",
            ]
            if random.below(2) == 0 { members.append("\"note\":\(random.pick(["\"x\"", "\"y\"", "null"]))") }
            members.shuffle(using: &random)
            let text = "{\(members.joined(separator: ","))}"
            switch random.below(30) {
            case 0: return text.replacing("\"login\":", with: "\"name\":")
            case 1: return text.replacing("\"size\": ", with: "\"size\":\"x\",\"x\":")
            case 2 where areCut: return String(text.dropLast(3))
            case 3: return "[\(text)]"
            default: return text
            }
        }
    }

    private static func feed(of count: Int, _ format: JSONFeedFormat) -> [UInt8] {
        let texts = texts(count, areCut: format == .lines || format == .sequence)
        switch format {
        case .array: return Array("[\(texts.joined(separator: ", \n"))]\n".utf8)
        case .concatenated: return Array(texts.joined(separator: " ").utf8)
        case .sequence: return Array(texts.map { "\u{1E}\($0)\n" }.joined().utf8)
        default: return Array((texts.joined(separator: "\n") + "\n").utf8)
        }
    }

    /// What is wanted of all the records that can be read; a damaged record need not be seen where it cannot match.
    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated, .sequence], [JSONReader.Options.Parser.automatic, .yajl])
    func recordsThatMatchAreGivenOut(_ format: JSONFeedFormat, _ parser: JSONReader.Options.Parser) throws {
        let bytes = Self.feed(of: 120, format)
        for validation in [JSONReader.Options.Validation.bound, .full] {
            let reading = JSONReader.Options(validation: validation, conversions: .strict, parser: parser)
            var options = JSONFeed<Watched>.Options(
                format: format, invalidRecords: .skip, keptReasons: .max, reading: reading)
            let all = FeedOutcome(of: JSONFeed<Watched>(bytes: bytes, options: options))
            #expect(all.rejected > 4)
            for (index, (predicate, isWanted)) in Self.predicates.enumerated() {
                options.predicate = predicate
                let feed = JSONFeed<Watched>(bytes: bytes, options: options)
                let outcome = FeedOutcome(of: feed)
                #expect(outcome.records == all.records.filter(isWanted), "predicate \(index)")
                #expect(outcome.accepted + outcome.rejected + feed.unmatchedCount == all.accepted + all.rejected)
                #expect(outcome.rejected <= all.rejected)
                if validation == .full { #expect(feed.reasons == all.reasons, "predicate \(index)") }
                for reason in feed.reasons { #expect(all.reasons.contains(reason)) }
            }
        }
    }

    @Test(arguments: [JSONFeedFormat.lines, .array, .concatenated, .sequence])
    func itDoesNotMatterHowTheBytesCome(_ format: JSONFeedFormat) throws {
        let bytes = Self.feed(of: 40, format)
        for (index, (predicate, _)) in Self.predicates.enumerated() {
            for limit in [nil, 3] {
                let options = JSONFeed<Watched>.Options(
                    format: format, invalidRecords: .skip, keptReasons: .max, reading: .strict, limit: limit, where: predicate)
                let feed = JSONFeed<Watched>(bytes: bytes, options: options)
                let whole = FeedOutcome(of: feed)
                let words = "predicate \(index), limit \(limit ?? -1)"
                for size in [1, 2, 3, 5, 7, 64, 1000] {
                    let chunked = JSONFeed<Watched>(source: BytesSource(bytes, chunkSize: size), options: options)
                    #expect(FeedOutcome(of: chunked) == whole, "\(words), chunks of \(size)")
                    #expect(chunked.unmatchedCount == feed.unmatchedCount)
                    #expect(chunked.checkpoint.position == feed.checkpoint.position)
                    #expect(
                        FeedOutcome<Watched>(pushing: bytes, pieceSize: size, options) == whole, "\(words), pieces of \(size)")
                }
                for workers in [1, 2, 7] {
                    let parallel = try JSONFeed<Watched>(bytes: bytes, options: options).parallel(workers: workers)
                    #expect(FeedOutcome(of: parallel) == whole, "\(words), \(workers) workers")
                    #expect(parallel.unmatchedCount == feed.unmatchedCount)
                    #expect(parallel.rejectedRecords == feed.rejectedRecords)
                    #expect(parallel.checkpoint.recordIndex == feed.checkpoint.recordIndex)
                }
            }
        }
    }

    @Test func readingGoesOnAfterAnyRecordThatMatches() throws {
        let bytes = Self.feed(of: 60, .lines)
        let options = JSONFeed<Watched>.Options(
            invalidRecords: .skip, keptReasons: .max, reading: .strict, where: \.type == "push" && \.size > 1)
        let feed = JSONFeed<Watched>(bytes: bytes, options: options)
        var checkpoints = [feed.checkpoint]
        var records: [Watched] = []
        while let record = try feed.next() {
            records.append(record)
            checkpoints.append(feed.checkpoint)
        }
        for (index, checkpoint) in checkpoints.enumerated() {
            let rest = try JSONFeed<Watched>(source: BytesSource(bytes), options: options, resumingFrom: checkpoint)
            #expect(FeedOutcome(of: rest).records == Array(records[index...]))
            #expect(Array(feed.rejectedRecords.suffix(rest.rejectedCount)) == rest.rejectedRecords)
            #expect(rest.checkpoint.recordIndex == feed.checkpoint.recordIndex)
        }
    }

    @Test func tornRecordIsRejectedWhereverItBreaksOff() throws {
        let text = #"{"type":"watch","actor":{"login":"ann"},"size":1,"rest":[{"a":"]"}]}"#
        for count in 1..<text.utf8.count {
            let bytes = Array("\(text.prefix(count))\n\(text.replacing("watch", with: "push"))\n".utf8)
            let feed = JSONFeed<Watched>(
                bytes: bytes, options: .init(format: .lines, invalidRecords: .skip, where: \.type == "push"))
            #expect(try feed.next()?.type == "push")
            #expect(try feed.next() == nil)
            #expect(feed.rejectedRecords.map(\.range) == [0..<count])
            #expect(feed.unmatchedCount == 0)
        }
    }

    /// The text after the decision is not looked at.
    @Test func restOfARecordThatDoesNotMatchIsNotChecked() throws {
        let bytes = Array("{\"type\":\"watch\",\"size\":tru,\"actor\":[}}\n".utf8)
        func feed(_ validation: JSONReader.Options.Validation) -> JSONFeed<Watched> {
            JSONFeed(
                bytes: bytes,
                options: .init(
                    format: .lines, invalidRecords: .skip, reading: .init(validation: validation), where: \.type == "push"))
        }
        let bound = feed(.bound)
        #expect(try bound.next() == nil)
        #expect([bound.unmatchedCount, bound.rejectedCount] == [1, 0])
        let full = feed(.full)
        #expect(try full.next() == nil)
        #expect([full.unmatchedCount, full.rejectedCount] == [0, 1])
    }

    /// Texts are compared as Swift compares them, however they are written.
    @Test(arguments: [
        ("\"caf\u{E9}\"", true), ("\"cafe\u{301}\"", true), ("\"caf\\u00e9\"", true), ("\"cafe\"", false), ("\"\"", false),
        ("\"plain\"", true), ("\"pl\\u0061in\"", true), ("\"plain \"", false),
    ])
    func textsAreComparedByTheirCharacters(_ value: String, _ isWanted: Bool) throws {
        let text = "{\"type\":\(value),\"size\":1,\"actor\":{\"login\":\"x\"}}"
        for predicate in [.property(\.type, isOneOf: ["plain", "caf\u{E9}"]), \.type == "plain" || \.type == "caf\u{E9}"]
            as [Predicate]
        {
            let feed = JSONFeed<Watched>(bytes: Array(text.utf8), options: .init(format: .lines, where: predicate))
            #expect(try (feed.next() != nil) == isWanted)
        }
    }
}

/// A record with a model inside it.
struct Watched: JSONModel, Equatable {
    var type: String
    var size: Int
    var note: String?
    var actor: Actor
    var doubledSize: Int { size * 2 }

    struct Actor: JSONModel, Equatable {
        var login: String

        struct JSONDraft: _JSONModelDraft {
            var login: String?
            init() {}
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("login", \JSONDraft.login) }

        static let _jsonTable = PropertyTable._compiled(for: Actor.self)

        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            login = try bound.required(draft.login, 0)
        }

        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(login) }

        static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { slot == 0 ? \Actor.login : nil }
    }

    struct JSONDraft: _JSONModelDraft {
        var type: String?
        var size: Int?
        var note: String?
        var actor: Actor?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("type", \JSONDraft.type)
        model.property("size", \JSONDraft.size)
        model.property("note", \JSONDraft.note, presence: .optional)
        model.property("actor", \JSONDraft.actor)
    }

    static let _jsonTable = PropertyTable._compiled(for: Watched.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        type = try bound.required(draft.type, 0)
        size = try bound.required(draft.size, 1)
        note = draft.note
        actor = try bound.required(draft.actor, 3)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(type)
        case 1: try writer.property(size)
        case 2: try writer.property(note)
        case 3: try writer.property(actor)
        default: break
        }
    }

    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? {
        switch slot {
        case 0: \Watched.type
        case 1: \Watched.size
        case 2: \Watched.note
        case 3: \Watched.actor
        default: nil
        }
    }
}
