// The limits of a model's table: how many keys one level may have.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// A model of optional integers with a count of different keys: all properties are one in the draft, so the last value counts.
private struct ManyKeys<Count: KeyCount>: Equatable {
    var value: Int?

    static func == (left: ManyKeys, right: ManyKeys) -> Bool { left.value == right.value }
}

private protocol KeyCount {
    static var count: Int { get }
    static var prefix: String { get }
}

extension ManyKeys: JSONModel {
    struct JSONDraft: _JSONModelDraft {
        var value: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        for first in stride(from: 0, to: Count.count, by: 250) {
            let keys = (first..<min(first + 250, Count.count)).map { JSONKeyPath(stringLiteral: "\(Count.prefix)k\($0)") }
            model.property("value\(first)", \JSONDraft.value, keys: keys, presence: .optional)
        }
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { value = draft.value }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(value) }
    }
}

@Suite struct ManyKeyTests {
    private enum Most: KeyCount {
        static let count = 65_535
        static let prefix = ""
    }
    private enum TooMany: KeyCount {
        static let count = 65_536
        static let prefix = "a."
    }

    @Test func everyKeyOfTheGreatestLevelFindsItsRow() throws {
        for number in [0, 1, 32_767, 32_768, 65_533, 65_534] {
            #expect(try ManyKeys<Most>(json: "{\"k\(number)\":\(number)}").value == number)
        }
        #expect(try ManyKeys<Most>(json: "{\"k65535\":1}").value == nil)
    }

    @Test func modelWithMoreKeysOnOneLevelIsAnError() {
        let error = failure(reading: ManyKeys<TooMany>.self, "{\"a\":{\"k65535\":1}}")
        #expect(error?.kind == .invalidModel)
        #expect(error?.found.contains("65536 keys") == true)
        #expect(error?.found.contains("65535") == true)
        #expect(failure { () throws(JSONError) in try ManyKeys<TooMany>(value: 1).jsonString() }?.kind == .invalidModel)
    }
}
