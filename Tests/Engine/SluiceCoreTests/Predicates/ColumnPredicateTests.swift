import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Conditions on columns, decided before a record is read.
@Suite struct ColumnPredicateTests {
    static let id = JSONColumn(name: "id", type: .integer, keys: ["id"])
    static let size = JSONColumn(name: "size", type: .real, keys: ["payload.size"])
    static let type = JSONColumn(name: "type", type: .text, keys: ["type"])
    static let isPublic = JSONColumn(name: "public", type: .bool, keys: ["public"])
    static let date = JSONColumn(name: "created_at", type: .timestamp, keys: ["created_at"])
    static let raw = JSONColumn(name: "payload", type: .json, keys: ["payload"])
    static let name = JSONColumn(name: "name", type: .text, keys: ["name", "user.name", "NAME"])
    static let loose = JSONColumn(name: "loose", type: .integer, keys: ["loose"], isTolerant: true)

    /// What a filter says of a record.
    static func verdict(_ predicate: RecordPredicate, _ record: some StringProtocol) -> RecordFilter.Verdict {
        var filter = predicate.makeFilter()
        return unsafe Array(record.utf8).withUnsafeBytes { unsafe filter.verdict(on: $0) }
    }

    static let record = """
        {"id": 7, "type":"Push\\u0045vent","public":true , "created_at":"2014-01-20T12:24:48.5Z",
        "payload":{"x":[{"size":1}],"size":2.5},"loose":"text","none":null}
        """

    @Test(arguments: [
        (id, RecordPredicate.Operator.equal, RecordPredicate.Literal.integer(7)), (id, .less, .real(7.5)),
        (id, .greater, .real(6.9)),
        (id, .notEqual, .integer(8)), (id, .lessOrEqual, .integer(7)), (id, .greaterOrEqual, .integer(7)),
        (id, .less, .real(1e300)), (id, .greater, .real(-1e300)),
        (size, .equal, .real(2.5)), (size, .greater, .integer(2)), (size, .less, .integer(3)), (size, .notEqual, .integer(2)),
        (type, .equal, .text("PushEvent")), (type, .less, .text("PushEvents")), (type, .greater, .text("Push")),
        (type, .notEqual, .text("")), (isPublic, .equal, .boolean(true)), (isPublic, .greater, .boolean(false)),
        (isPublic, .equal, .integer(1)), (date, .equal, .text("2014-01-20T13:24:48.500+01:00")),
        (date, .less, .text("2014-01-21")),
        (date, .greater, .text("2014-01-20T12:24:48Z")), (loose, .notEqual, .integer(1)),
    ])
    func comparisonHolds(_ column: JSONColumn, _ comparison: RecordPredicate.Operator, _ literal: RecordPredicate.Literal) throws
    {
        let predicate = try RecordPredicate(column, comparison, literal)
        #expect(Self.verdict(predicate, Self.record) == .matches)
        #expect(Self.verdict(!predicate, Self.record) == .doesNotMatch)
        // Absent and null, it is neither true nor false.
        let empty = "{\"\(column.keys[0].components[0])\":null}"
        for text in ["{}", empty, "{\"other\":[{\"id\":7}]}"] {
            #expect(Self.verdict(predicate, text) == .doesNotMatch)
            #expect(Self.verdict(!predicate, text) == .doesNotMatch)
            #expect(Self.verdict(RecordPredicate(isPresent: column), text) == .doesNotMatch)
            #expect(Self.verdict(!RecordPredicate(isPresent: column), text) == .matches)
        }
        #expect(Self.verdict(RecordPredicate(isPresent: column), Self.record) == .matches)
    }

    @Test func valuesOfATolerantColumnThatAreOfAnotherTypeAreOnlyUnequal() throws {
        for comparison in RecordPredicate.Operator.allCases where comparison != .notEqual {
            #expect(Self.verdict(try RecordPredicate(Self.loose, comparison, .integer(1)), Self.record) == .doesNotMatch)
        }
    }

    @Test func oneOfSeveralLiterals() throws {
        let predicate = try RecordPredicate(Self.id, isOneOf: [.integer(1), .integer(7), .real(8)])
        #expect(Self.verdict(predicate, "{\"id\":8}") == .matches)
        #expect(Self.verdict(predicate, "{\"id\":9}") == .doesNotMatch)
        #expect(Self.verdict(!predicate, "{\"id\":null}") == .doesNotMatch)
        #expect(Self.verdict(try RecordPredicate(Self.id, isOneOf: []), "{\"id\":8}") == .doesNotMatch)
    }

    @Test func conditionsGoTogetherByTheRulesOfSQL() throws {
        let yes = try RecordPredicate(Self.id, .equal, .integer(7))
        let no = try RecordPredicate(Self.id, .equal, .integer(8))
        let unknown = try RecordPredicate(JSONColumn(name: "none", type: .integer, keys: ["none"]), .equal, .integer(1))
        let truths: [(RecordPredicate, FilterTruth)] = [(yes, .yes), (no, .no), (unknown, .unknown)]
        for (left, leftTruth) in truths {
            for (right, rightTruth) in truths {
                let isBoth = leftTruth == .yes && rightTruth == .yes
                let isOne = leftTruth == .yes || rightTruth == .yes
                let isNeither = leftTruth == .no && rightTruth == .no
                let isOneNo = leftTruth == .no || rightTruth == .no
                #expect((Self.verdict(left && right, Self.record) == .matches) == isBoth)
                #expect((Self.verdict(left || right, Self.record) == .matches) == isOne)
                #expect((Self.verdict(!(left || right), Self.record) == .matches) == isNeither)
                #expect((Self.verdict(!(left && right), Self.record) == .matches) == isOneNo)
            }
        }
    }

    @Test func literalsOfAnotherTypeAreRefused() {
        let pairs: [(JSONColumn, RecordPredicate.Literal)] = [
            (Self.id, .text("7")), (Self.id, .boolean(true)), (Self.id, .real(.nan)), (Self.size, .text("")),
            (Self.type, .integer(7)), (Self.isPublic, .integer(2)), (Self.isPublic, .text("true")),
            (Self.date, .text("yesterday")),
            (Self.date, .integer(0)), (Self.raw, .text("{}")),
        ]
        for (column, literal) in pairs {
            let error = #expect(throws: JSONError.self) { try RecordPredicate(column, .equal, literal) }
            #expect(error?.kind == .invalidValue)
            #expect(error?.expected.contains("'\(column.name)'") == true)
        }
    }

    @Test func bestAlternativeCountsWhateverTheOrder() throws {
        let predicate = try RecordPredicate(Self.name, .equal, .text("a"))
        for text in [
            #"{"NAME":"b","user":{"name":"c"},"name":"a"}"#, #"{"name":"a","NAME":"b"}"#, #"{"NAME":"a"}"#,
            #"{"NAME":"b","user":{"x":{},"name":"a"}}"#, #"{"name":null,"NAME":"a"}"#, #"{"user":7,"NAME":"a","name":null}"#,
        ] {
            #expect(Self.verdict(predicate, text) == .matches, "\(text)")
        }
        for text in [#"{"NAME":"a","name":"b"}"#, #"{"user":{"name":"b"},"NAME":"a"}"#, #"{"user":{},"name":null}"#] {
            #expect(Self.verdict(predicate, text) == .doesNotMatch, "\(text)")
        }
    }

    @Test func keysMayHaveEscapesAndIndicesOfArrays() throws {
        let element = JSONColumn(name: "second", type: .integer, keys: ["list.1.n"])
        let predicate = try RecordPredicate(Self.id, .equal, .integer(7)) && RecordPredicate(element, .equal, .integer(2))
        #expect(Self.verdict(predicate, #"{"list":[{"n":1},{"n":2}],"\u0069d":7}"#) == .matches)
        #expect(Self.verdict(predicate, #"{"list":[{"n":2},{"n":1}],"\u0069d":7}"#) == .doesNotMatch)
        #expect(Self.verdict(predicate, #"{"list":[],"id":7}"#) == .doesNotMatch)
        let odd = JSONColumn(name: "odd", type: .integer, keys: [JSONKeyPath.literal(""), .literal("a\"\\b")])
        #expect(Self.verdict(try RecordPredicate(odd, .equal, .integer(1)), #"{"a\"\\b":1}"#) == .matches)
        #expect(Self.verdict(try RecordPredicate(odd, .equal, .integer(1)), #"{"a\"\\b":2,"":1}"#) == .matches)
    }

    /// The text after the decision is skipped by its brackets and quotes.
    @Test func restOfARecordThatDoesNotMatchIsNotRead() throws {
        let predicate = try RecordPredicate(Self.type, .equal, .text("Push"))
        #expect(Self.verdict(predicate, #"{"type":"Watch","a":tru,"b":[1 2],"c":"\q}"}"#) == .doesNotMatch)
        #expect(Self.verdict(predicate, #"{"a":{"b":[1 2}},"type":"Watch"} "#) == .doesNotMatch)
    }

    @Test func recordThatIsCutOffAnywhereIsToBeRead() throws {
        let predicates = [
            try RecordPredicate(Self.id, .equal, .integer(8)), try RecordPredicate(Self.size, .less, .integer(0)),
            try RecordPredicate(Self.name, .equal, .text("a")), !RecordPredicate(isPresent: Self.raw),
        ]
        for predicate in predicates {
            #expect(Self.verdict(predicate, Self.record) == .doesNotMatch)
            let bytes = Array(Self.record.utf8)
            for count in bytes.indices {
                var filter = predicate.makeFilter()
                // A copy that ends where the text does, so that a read after it is seen.
                let verdict = unsafe Array(bytes[..<count]).withUnsafeBytes { unsafe filter.verdict(on: $0) }
                #expect(verdict == .unclear, "cut off at \(count)")
            }
            for tail in ["}", "]", " {}", ",", " x"] { #expect(Self.verdict(predicate, Self.record + tail) == .unclear) }
        }
    }

    @Test(arguments: [
        "7", "[]", "", "null", "{\"id\":\"x\"}", "{\"id\":1.5}", "{\"id\":[]}", "{id:8}", "{\"id\" 8}",
    ])
    func undecidedRecordsAreUnclear(_ text: String) throws {
        #expect(Self.verdict(try RecordPredicate(Self.id, .equal, .integer(7)), text) == .unclear)
    }

    /// A filter says the same as a look at the value that was read.
    @Test func filtersAgreeWithWhatIsRead() throws {
        let keys = ["id", "size", "type", "payload", "name", "user", "NAME"]
        var random = SplitMix64(seed: 3)
        var counts = (matching: 0, others: 0)
        for _ in 0..<4000 {
            let members = keys.shuffled(using: &random).prefix(random.below(8)).map { key in
                SampleJSON.Member(key, .random(&random, depth: random.below(3), keys: keys))
            }
            let text = SampleJSON.object(members).text(&random)
            let record = try JSONValue(json: text)
            let number = random.pick([1, 7, 300])
            let comparison = random.pick([RecordPredicate.Operator.equal, .less, .notEqual])
            let size = Self.verdict(try RecordPredicate(Self.size, comparison, .integer(Int64(number))), text)
            switch record["payload"]?["size"] {
            case .number(let value)?:
                guard let value = value.double else { continue }
                let isRight =
                    comparison == .equal
                    ? value == Double(number) : comparison == .less ? value < Double(number) : value != Double(number)
                #expect(size == (isRight ? .matches : .doesNotMatch), "\(text)")
            case nil, .null?: #expect(size == .doesNotMatch, "\(text)")
            default: #expect(size == .unclear, "\(text)")
            }
            let name = Self.verdict(try RecordPredicate(Self.name, .equal, .text("x")), text)
            let alternatives = [record["name"], record["user"]?["name"], record["NAME"]]
            let best = alternatives.compactMap { $0 == .null ? nil : $0 }.first
            if let found = best?.string ?? (best == nil ? "" : nil) {
                #expect(name == (found == "x" ? .matches : .doesNotMatch), "\(text)")
                if name == .matches { counts.matching += 1 } else { counts.others += 1 }
            } else if case .object? = best {
                #expect(name == .unclear, "\(text)")
            }
        }
        #expect(counts.matching > 20 && counts.others > 100, "\(counts)")
    }
}
