// F20: what null, a value that does not fit and an absent key mean for a property, under each policy, for each presence and kind
// of type, and together with alternative keys and keys that occur twice.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Reads and checks that all ways of reading agree; the value or error, and how many values were left out.
private func read<Value: Sample, Rule: Rules>(
    _ type: Ruled<Value, Rule>.Type, _ text: String, _ options: JSONReader.Options = .init(),
    _ location: SourceLocation = #_sourceLocation
) -> (outcome: Outcome<Ruled<Value, Rule>>, dropped: Int) {
    let reading = readings(of: type, text, options: options)
    #expect(reading.disagreements == [], "\(text)", sourceLocation: location)
    return (reading.outcome, reading.report.droppedCount)
}

private enum Alternatives: Rules {
    static let presence = JSONPresence.optional
    static let keys: [JSONKeyPath] = ["ID", "Id", "ext.id"]
}

private enum RequiredAlternatives: Rules {
    static let presence = JSONPresence.required
    static let keys: [JSONKeyPath] = ["ID", "Id", "ext.id"]
}

private enum AtPath: Rules {
    static let presence = JSONPresence.optional
    static let keys: [JSONKeyPath] = ["a.b.c"]
}

@Suite struct NullSpecTests {
    static let policies: [JSONNullPolicy?] = [nil, .asNil, .keep, .empty, .default, .error]

    // MARK: Null

    /// What null gives under a policy; `empty` is the type's empty value, if it has one.
    private func table<Value: Sample>(
        _ type: Value.Type, _ sample: String, empty: Value?, _ location: SourceLocation = #_sourceLocation
    ) {
        func expect<Rule: Rules>(_ rule: Rule.Type, _ policy: JSONNullPolicy?) {
            typealias Model = Ruled<Value, Rule>
            let kept: Outcome<Model> = Rule.presence == .required ? .failure(.missingKeys, "") : .value(Model(.initial))
            let isOptional = Rule.presence == .optional
            let expected: Outcome<Model> =
                switch policy {
                case .asNil, nil: isOptional ? .value(Model(nil)) : kept
                case .keep, .default: kept
                case .empty: empty.map { .value(Model($0)) } ?? (isOptional ? .value(Model(nil)) : kept)
                case .error: .failure(.typeMismatch, "v")
                }
            let options = JSONReader.Options(nulls: policy)
            let comment: Comment = "\(Value.self), \(Rule.self), \(policy.map { "\($0)" } ?? "unsaid")"
            let result = read(Model.self, #"{"v": null}"#, options, location)
            #expect(result.outcome == expected, comment, sourceLocation: location)
            #expect(result.dropped == 0, comment, sourceLocation: location)
            // A null does not hinder a later value, and an absent key is no null.
            let later = read(Model.self, #"{"v": null, "v": \#(sample)}"#, options, location)
            let alone = read(Model.self, #"{"v": \#(sample)}"#, options, location)
            if policy != .error { #expect(later == alone, comment, sourceLocation: location) }
            #expect(read(Model.self, "{}", options, location).outcome == kept, comment, sourceLocation: location)
        }
        for policy in NullSpecTests.policies {
            expect(Required.self, policy)
            expect(Defaulted.self, policy)
            expect(Maybe.self, policy)
        }
    }

    @Test("F20: null means for each kind of property what the policy says")
    func everyPolicy() {
        table(Int.self, "7", empty: 0)
        table(UInt8.self, "7", empty: 0)
        table(Int128.self, "7", empty: 0)
        table(Double.self, "1.5", empty: 0)
        table(Float.self, "1.5", empty: 0)
        table(Bool.self, "false", empty: false)
        table(String.self, "\"x\"", empty: "")
        table([Int].self, "[1]", empty: [])
        table([Tree].self, #"[{"name": "x"}]"#, empty: [])
        table(Set<Int>.self, "[1]", empty: [])
        table([String: Int].self, #"{"a": 1}"#, empty: [:])
        table(Tree.self, #"{"name": "x"}"#, empty: nil)
        table(Color.self, "\"red\"", empty: nil)
        table(Level.self, "127", empty: nil)
        table(Exact.self, "1.5", empty: nil)
    }

    @Test("F20: the error of a null says what would have been accepted, and where the null stands")
    func errorOfNull() throws {
        for text in [#"{"v": null}"#, #"{"v":null }"#, "{\"v\" :\n null}"] {
            let reading = readings(of: Ruled<Int, Maybe>.self, text, options: .init(nulls: .error))
            let error = try #require(reading.error)
            #expect(reading.disagreements == [])
            #expect(error.found == "null")
            #expect(error.expected == Int.jsonExpectation)
            #expect(error.offset == text.utf8.count - (text.hasSuffix(" }") ? 6 : 5))
        }
        let word = readings(of: Ruled<Int, Maybe>.self, #"{"v": "(null)"}"#, options: .init(nulls: .error))
        #expect(word.error?.offset == 6)
        #expect(word.error?.found == "the string \"(null)\"")
        #expect(word.disagreements == [])
    }

    @Test("F20: a mismatch policy takes the null that the null policy refuses")
    func refusedNullIsAMismatch() {
        let options = JSONReader.Options(nulls: .error, mismatch: .keep)
        let result = read(Ruled<Int, Maybe>.self, #"{"v": null}"#, options)
        #expect(result.outcome == .value(Ruled(42)))
        #expect(result.dropped == 1)
    }

    @Test("F20: CYZ's nulls become empty values, except for properties that opt out")
    func accepted() {
        enum Empty: Rules { static let modelPolicy = JSONPropertyPolicy(nulls: .empty) }
        enum OptedOut: Rules {
            static let presence = JSONPresence.optional
            static let policy = JSONPropertyPolicy(nulls: .asNil)
            static let modelPolicy = JSONPropertyPolicy(nulls: .empty)
        }
        let text = #"{"v": null}"#
        #expect(read(Ruled<String, Empty>.self, text).outcome == .value(Ruled("")))
        #expect(read(Ruled<[Tree], Empty>.self, text).outcome == .value(Ruled([])))
        #expect(read(Ruled<[String: Int], Empty>.self, text).outcome == .value(Ruled([:])))
        #expect(read(Ruled<Int, Empty>.self, text).outcome == .value(Ruled(0)))
        #expect(read(Ruled<String, OptedOut>.self, text).outcome == .value(Ruled(nil)))
        // The reader says it where neither the property nor the model does.
        #expect(read(Ruled<Int, Defaulted>.self, text, .init(nulls: .empty)).outcome == .value(Ruled(0)))
        #expect(read(Ruled<Int, Empty>.self, text, .init(nulls: .keep)).outcome == .value(Ruled(0)))
    }

    @Test("F20: RM's null is as good as absent, and Swift's initial values stay")
    func acceptedOfRM() {
        #expect(read(Ruled<Int, Defaulted>.self, #"{"v": null}"#).outcome == .value(Ruled(42)))
        #expect(read(Ruled<Int, Maybe>.self, #"{"v": null}"#, .init(nulls: .keep)).outcome == .value(Ruled(42)))
        #expect(read(Ruled<Int, Defaulted>.self, #"{"v": 30, "v": null}"#, .init(nulls: .keep)).outcome == .value(Ruled(30)))
    }

    @Test("F20: YYModel's null is 0 for a number and nil for an object")
    func acceptedOfYYModel() {
        let text = #"{"v": null}"#
        #expect(read(Ruled<Int, Defaulted>.self, text, .yyModel).outcome == .value(Ruled(0)))
        #expect(read(Ruled<Bool, Required>.self, text, .yyModel).outcome == .value(Ruled(false)))
        #expect(read(Ruled<Int, Maybe>.self, text, .yyModel).outcome == .value(Ruled(nil)))
        #expect(read(Ruled<String, Maybe>.self, text, .yyModel).outcome == .value(Ruled(nil)))
        // What is said comes before the profile.
        let keeping = JSONReader.Options(conversions: .yyModel, nulls: .keep)
        #expect(read(Ruled<Int, Defaulted>.self, text, keeping).outcome == .value(Ruled(42)))
    }

    // MARK: Mismatch

    @Test(
        "F20: a value that does not fit is an error, or left out and counted",
        arguments: ["[1]", #"{"a": [{}]}"#, "\"x\"", "1.5"])
    func mismatches(_ json: String) {
        func expect<Rule: Rules>(_ rule: Rule.Type) {
            typealias Model = Ruled<Int, Rule>
            let kept: Outcome<Model> = Rule.presence == .required ? .failure(.missingKeys, "") : .value(Model(42))
            let thrown = Outcome<Model>.failure(json == "1.5" ? .invalidValue : .typeMismatch, "v")
            let cases: [(JSONMismatchPolicy?, Outcome<Model>)] = [
                (nil, thrown), (.throw, thrown), (.default, kept), (.keep, kept),
                (.nil, Rule.presence == .optional ? .value(Model(nil)) : kept),
            ]
            for (policy, expected) in cases {
                let options = JSONReader.Options(mismatch: policy)
                let result = read(Model.self, #"{"w": 1, "v": \#(json), "x": [2]}"#, options)
                #expect(result.outcome == expected, "\(Rule.self), \(policy.map { "\($0)" } ?? "unsaid")")
                #expect(result.dropped == (expected == thrown ? 0 : 1))
                // A value before it stays with `keep`, and goes with `default`.
                let second = read(Model.self, #"{"v": 7, "v": \#(json)}"#, options)
                switch policy {
                case .keep: #expect(second.outcome == .value(Model(7)))
                case .nil: #expect(second.outcome == .value(Model(Rule.presence == .optional ? nil : 7)))
                default: #expect(second.outcome == expected)
                }
                // A value after it counts.
                let third = read(Model.self, #"{"v": \#(json), "v": 7}"#, options)
                if expected != thrown { #expect(third.outcome == .value(Model(7))) }
            }
        }
        expect(Required.self)
        expect(Defaulted.self)
        expect(Maybe.self)
    }

    @Test("F20: a property at the end of a key path is left out like any other")
    func mismatchAtAPath() {
        let options = JSONReader.Options(mismatch: .keep)
        for value in ["[]", "{\"x\": {}}", "\"x\""] {
            let result = read(
                Ruled<Int, AtPath>.self, #"{"a": {"x": 1, "b": {"c": \#(value), "d": 2}, "b2": {}}, "e": []}"#, options)
            #expect(result.outcome == .value(Ruled(42)))
            #expect(result.dropped == 1)
        }
        // If a value on the way of a path is not an object, the property counts as absent, and nothing is counted as dropped.
        for value in ["null", "1", "[]", "\"x\"", "true"] {
            let result = read(Ruled<Int, AtPath>.self, #"{"a": {"b": \#(value)}}"#, .init(mismatch: .throw))
            #expect(result.outcome == .value(Ruled(42)))
            #expect(result.dropped == 0)
        }
    }

    @Test("F20: what is wrong deep inside a property is the loss of the property")
    func mismatchInside() throws {
        let text = #"{"v": {"name": "a", "children": [{"name": "b"}, {"name": [1, {"x": 2}], "children": []}]}, "w": 1}"#
        let reading = readings(
            of: Ruled<Tree, Maybe>.self, text, options: .init(conversions: .strict, mismatch: nil, elements: .strict))
        #expect(reading.outcome == .failure(.typeMismatch, "v.children[1].name"))
        enum Tolerant: Rules {
            static let presence = JSONPresence.optional
            static let policy = JSONPropertyPolicy(mismatch: .nil)
        }
        let tolerant = readings(of: Ruled<Tree, Tolerant>.self, text, options: .strict)
        #expect(tolerant.outcome == .value(Ruled(nil)))
        #expect(tolerant.report.issues.map(\.path) == ["v.children[1].name"])
        #expect(tolerant.disagreements == [])
    }

    // MARK: Alternative keys

    private static let mixed: [(String, Int?)] = [
        (#"{"ID": null, "Id": 2}"#, 2), (#"{"Id": 2, "ID": null}"#, 2), (#"{"ID": null, "Id": null, "ext": {"id": 3}}"#, 3),
        (#"{"ext": {"id": 3}, "Id": null, "ID": null}"#, 3), (#"{"ext": {"id": 3}, "Id": null, "ID": 1}"#, 1),
        (#"{"ID": 1, "Id": null}"#, 1), (#"{"ID": 1, "ext": {"id": null}}"#, 1), (#"{"ext": {"id": null}, "ID": 1}"#, 1),
        (#"{"Id": 2, "ID": null, "ext": {"id": 3}}"#, 2), (#"{"ID": null, "Id": 2, "ID": null}"#, 2),
    ]

    @Test("F20: null among alternative keys leaves the first that is not null", arguments: mixed)
    func alternatives(_ text: String, _ expected: Int?) {
        for policy in NullSpecTests.policies where policy != .error {
            let result = read(Ruled<Int, Alternatives>.self, text, .init(nulls: policy))
            #expect(result.outcome == .value(Ruled(expected)), "\(policy.map { "\($0)" } ?? "unsaid")")
            let required = read(Ruled<Int, RequiredAlternatives>.self, text, .init(nulls: policy))
            #expect(required.outcome == .value(Ruled(expected)), "\(policy.map { "\($0)" } ?? "unsaid")")
        }
        // What does not fit is passed over in the same way.
        let wrong = text.replacing("null", with: "[[\"x\"]]")
        for policy in [JSONMismatchPolicy.keep, .default, .nil] {
            let result = read(Ruled<Int, Alternatives>.self, wrong, .init(mismatch: policy))
            #expect(result.outcome == .value(Ruled(expected)), "\(wrong), \(policy)")
        }
    }

    @Test("F20: where all alternatives are null, the policy applies")
    func onlyNulls() {
        for text in [#"{"ID": null}"#, #"{"Id": null, "ID": null}"#, #"{"ext": {"id": null}, "ID": null}"#] {
            for policy in NullSpecTests.policies {
                let expected: Outcome<Ruled<Int, Alternatives>> =
                    switch policy {
                    case nil, .asNil: .value(Ruled(nil))
                    case .keep, .default: .value(Ruled(42))
                    case .empty: .value(Ruled(0))
                    case .error: .failure(.typeMismatch, "")
                    }
                let outcome = read(Ruled<Int, Alternatives>.self, text, .init(nulls: policy)).outcome
                if case .failure(let kind, _) = outcome {
                    #expect(kind == .typeMismatch && policy == .error)
                } else {
                    #expect(outcome == expected)
                }
            }
        }
    }

    // MARK: Keys that occur twice

    @Test("F20: of the same key twice the last counts, null or not")
    func duplicates() {
        let text = #"{"v": 7, "v": null}"#
        #expect(read(Ruled<Int, Maybe>.self, text).outcome == .value(Ruled(nil)))
        #expect(read(Ruled<Int, Maybe>.self, text, .init(nulls: .keep)).outcome == .value(Ruled(7)))
        #expect(read(Ruled<Int, Maybe>.self, text, .init(nulls: .empty)).outcome == .value(Ruled(0)))
        #expect(read(Ruled<Int, Maybe>.self, text, .init(nulls: .default)).outcome == .value(Ruled(42)))
        let ranked = #"{"ID": 7, "ID": null}"#
        #expect(read(Ruled<Int, Alternatives>.self, ranked).outcome == .value(Ruled(nil)))
        #expect(read(Ruled<Int, Alternatives>.self, ranked, .init(nulls: .keep)).outcome == .value(Ruled(7)))
        #expect(read(Ruled<Int, Alternatives>.self, ranked, .init(nulls: .empty)).outcome == .value(Ruled(0)))
        #expect(read(Ruled<Int, Alternatives>.self, ranked, .init(nulls: .default)).outcome == .value(Ruled(42)))
        #expect(read(Ruled<Int, Alternatives>.self, #"{"ID": 7, "ID": null, "Id": 2}"#).outcome == .value(Ruled(2)))
        #expect(read(Ruled<Int, Alternatives>.self, #"{"ID": null, "ID": 7, "Id": 2}"#).outcome == .value(Ruled(7)))
    }

    @Test("F20: only the last value of a key decides whether the property was null")
    func lastValueIsTheNull() throws {
        let counting = JSONReader.Options(countsProperties: true)
        for (text, nulls) in [(#"{"v": null, "v": 7}"#, 0), (#"{"v": 7, "v": null}"#, 1), (#"{"v": null, "v": null}"#, 1)] {
            let reading = readings(of: Ruled<Int, Maybe>.self, text, options: counting)
            #expect(reading.disagreements == [])
            let count = try #require(reading.report.properties.first { $0.name == "value" })
            #expect(count.nullCount == nulls, "\(text)")
            #expect(count.presentCount == 1 - nulls, "\(text)")
        }
    }

    @Test("F20: the first value counts where the options say so, and a null does not count")
    func firstDuplicates() {
        let options = JSONReader.Options(duplicateKeys: .first)
        #expect(read(Ruled<Int, Maybe>.self, #"{"v": 7, "v": null}"#, options).outcome == .value(Ruled(7)))
        #expect(read(Ruled<Int, Maybe>.self, #"{"v": 7, "v": "x"}"#, options).outcome == .value(Ruled(7)))
        #expect(read(Ruled<Int, Maybe>.self, #"{"v": 7, "v": [1]}"#, options).dropped == 0)
        let error = JSONReader.Options(duplicateKeys: .error, mismatch: .keep, elements: .skipInvalid)
        #expect(read(Ruled<Int, Maybe>.self, #"{"v": 7, "v": 8}"#, error).outcome == .failure(.duplicateKey, "v"))
    }

    @Test("F20: a second raw value that does not count is passed over, whatever follows it")
    func secondRawValue() {
        let options = JSONReader.Options(duplicateKeys: .first)
        for second in ["2", "[2]", "null"] {
            let text = #"{"required": "a", "optional": [1], "optional": \#(second), "defaulted": {}, "w": [3], "x": {"y": 4}}"#
            let reading = readings(of: Trio<RawJSON>.self, text, options: options)
            #expect(reading.value?.optional?.text == "[1]")
            #expect(reading.value?.required.text == "\"a\"")
            #expect(reading.value?.defaulted.text == "{}")
            #expect(reading.disagreements == [])
        }
    }

    @Test("F20: what a null or a mismatch replaces is released")
    func replaced() throws {
        enum Tag {}
        let policies: [(JSONNullPolicy, JSONMismatchPolicy)] = [
            (.asNil, .nil), (.keep, .keep), (.empty, .default), (.default, .throw),
        ]
        for (nulls, mismatch) in policies {
            let options = JSONReader.Options(nulls: nulls, mismatch: mismatch)
            for text in [
                #"{"required": "a", "required": null, "optional": "b", "optional": null}"#,
                #"{"required": "a", "required": [1], "optional": "b", "optional": {"c": "d"}}"#,
                #"{"required": "a", "defaulted": "b", "defaulted": [[]], "optional": "c", "optional": 7}"#,
            ] {
                _ = readings(of: Trio<Counted<Tag>>.self, text, options: options)
                #expect(Counted<Tag>.live == 0, "\(text)")
            }
        }
    }
}
