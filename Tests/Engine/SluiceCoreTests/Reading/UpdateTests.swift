// What an update does with null and with alternative keys: found by the property tests.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct UpdateTests {
    private enum AsNil: Rules { static let policy = JSONPropertyPolicy(nulls: .asNil) }

    private enum RequiredAsNil: Rules {
        static let presence = JSONPresence.required
        static let policy = JSONPropertyPolicy(nulls: .asNil)
    }

    @Test("F24: null leaves what cannot be nil alone, also where the policy says what holds anyway")
    func explicitAsNilKeepsWhatCannotBeNil() throws {
        var defaulted = Updated<AsNil>(value: 7)
        try defaulted.update(json: #"{"v": null}"#)
        #expect(defaulted.value == 7)
        var required = Updated<RequiredAsNil>(value: 7)
        try required.update(json: #"{"v": null}"#)
        #expect(required.value == 7)
        var plain = Updated<Defaulted>(value: 7)
        try plain.update(json: #"{"v": null}"#, options: .init(nulls: .asNil))
        #expect(plain.value == 7)
    }

    @Test func anUpdateThatUsesUpABudgetChangesNothing() {
        var model = Updated<Defaulted>(value: 7)
        for text in [#"{"v": 8, "x": [1, 2, 3]}"#, #"{"v": 8, "x": 1, "x": 2}"#] {
            let error = failure { () throws(JSONError) in
                _ = try model.update(
                    json: text, options: .init(duplicateKeys: .errorEverywhere, maximumElementCount: 2))
            }
            #expect(error?.kind == .sizeLimit || error?.kind == .duplicateKey)
            #expect(model.value == 7)
        }
    }

    @Test("F9: null for raw JSON that shares its key is nil, as it is for raw JSON that does not")
    func nullOfASharedKeyIsNilForRawJSON() {
        for text in [#"{"v": null}"#, #"{"v": null , "w": 1}"#] {
            let read = readings(of: SharedRaw.self, text, options: .init())
            #expect(read.value == SharedRaw(raw: nil, number: nil))
            #expect(read.disagreements.isEmpty)
        }
        let kept = readings(of: SharedRaw.self, #"{"v": [ 1 ]}"#, options: .init(mismatch: .keep))
        #expect(kept.value == SharedRaw(raw: RawJSON(known: "[ 1 ]"), number: nil))
        #expect(kept.disagreements.isEmpty)
    }
}

/// A model of one number that can be updated.
private struct Updated<Rule: Rules>: JSONModel {
    var value: Int

    struct JSONDraft: _JSONModelDraft {
        var value: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("value", \JSONDraft.value, keys: Rule.keys, presence: Rule.presence, policy: Rule.policy)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(value: Int) { self.value = value }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        value = Rule.presence == .required ? try bound.required(draft.value, 0) : draft.value ?? 42
    }

    func _makeDraft() -> JSONDraft? {
        var draft = JSONDraft()
        draft.value = value
        return draft
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(value) }
}

/// Two properties of one key.
private struct SharedRaw: JSONModel, Equatable {
    var raw: RawJSON?
    var number: Int?

    struct JSONDraft: _JSONModelDraft {
        var raw: RawJSON?
        var number: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("raw", \JSONDraft.raw, keys: ["v"], presence: .optional)
        model.property("number", \JSONDraft.number, keys: ["v"], presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: SharedRaw.self)

    init(raw: RawJSON?, number: Int?) { (self.raw, self.number) = (raw, number) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        (raw, number) = (draft.raw, draft.number)
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(raw) } else { try writer.property(number) }
    }
}
