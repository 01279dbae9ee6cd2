// The report of much that is left out: each position is right, and finding it does not read the document again.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ReportPositionSpecTests {
    private struct Shared: JSONModel, Equatable {
        var number: Int?
        var list: [Int]?

        struct JSONDraft: _JSONModelDraft {
            var number: Int?
            var list: [Int]?
            init() {}
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            let policy = JSONPropertyPolicy(mismatch: .nil, elements: .skipInvalid)
            model.property("number", \JSONDraft.number, keys: ["v"], presence: .optional, policy: policy)
            model.property("list", \JSONDraft.list, keys: ["v"], presence: .optional, policy: policy)
        }

        static let _jsonTable = PropertyTable._compiled(for: Shared.self)
        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            number = draft.number
            list = draft.list
        }
        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
    }

    /// The position of a byte, counted afresh.
    private func position(of offset: Int, in bytes: [UInt8]) -> SourcePosition {
        let lines = bytes[..<offset].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return SourcePosition(offset: offset, line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }

    @Test("4: strings with escapes that are left out have their positions, all of them", arguments: [0, 3, 100, Int.max])
    func escapedStrings(_ limit: Int) {
        let text =
            "[" + (0..<60).map { $0 % 3 == 0 ? #""\n""# : $0 % 3 == 1 ? "\n\(#""\u00e9\"x""#)" : "\($0)" }.joined(separator: ",")
            + "]"
        let bytes = Array(text.utf8)
        let reading = readings(of: [Int].self, bytes, options: .init(elements: .skipInvalid, reportLimit: limit))
        #expect(reading.value?.count == 20)
        #expect(reading.report.droppedCount == 40)
        #expect(reading.report.issues.count == min(limit, 40))
        for issue in reading.report.issues {
            #expect(bytes[issue.offset] == UInt8(ascii: "\""))
            #expect(issue.position == position(of: issue.offset, in: bytes))
        }
        #expect(reading.disagreements == [])
    }

    @Test("4: a text that is read twice has its positions twice") func sharedKeys() {
        let text = "[" + (0..<20).map { "{\"v\": [\($0),\n \"\\t\",\n{}]}" }.joined(separator: ",\n") + "]"
        let bytes = Array(text.utf8)
        let reading = readings(of: [Shared].self, bytes, options: .init(reportLimit: .max))
        #expect(reading.report.droppedCount == 60)
        for issue in reading.report.issues { #expect(issue.position == position(of: issue.offset, in: bytes)) }
        #expect(reading.disagreements == [])
    }

    @Test("4: a hundred thousand that are left out are no more than a hundred thousand times one")
    func manyElements() throws {
        let text = "[" + String(repeating: #""\n","#, count: 100_000) + "1]"
        for limit in [0, 100, Int.max] {
            let options = JSONReader.Options(elements: .skipInvalid, reportLimit: limit)
            let (value, report) = try [Int].reading(json: text, options: options)
            #expect(value == [1])
            #expect(report.droppedCount == 100_000)
            #expect(report.issues.last?.offset == (limit == 0 ? nil : 1 + 5 * (min(limit, 100_000) - 1)))
        }
    }
}
