// The cells of random records, compared with what they were when every value took the way through the binder's events. Values take shorter
// ways now, and none of these may read a value differently. A fixture has a checksum of all that was read of each record.
//
// `SLUICE_RECORDED_CELLS=FOLDER swift test --filter RecordedCellTests` writes the checksums to FOLDER, and beside them the outcomes that they
// stand for: after an intended change, or to find a difference.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct RecordedCellTests {
    @Test(arguments: 0..<40) func cellsOfTablesAreThoseThatWereRecorded(_ set: Int) throws {
        var source = RandomRows(seed: UInt64(set))
        let columns = source.tableColumns()
        let rows = [JSONReader.Options.strict, .strict.throughYajl].map { TableRows(columns, $0) }
        try unsafe check("table", set, &source) { text, way in unsafe rows[way].outcome(of: text) }
    }

    @Test(arguments: 0..<30) func cellsOfBatchesAreThoseThatWereRecorded(_ set: Int) throws {
        var source = RandomRows(seed: UInt64(1000 + set))
        let columns = source.batchColumns()
        let rows = [JSONReader.Options.strict, .strict.throughYajl].map { BatchRows(columns, $0) }
        try unsafe check("batch", set, &source) { text, way in unsafe rows[way].outcome(of: text) }
    }

    /// Reads 50 records: each as it is, followed by space, damaged, and some cut at every byte.
    private func check(
        _ kind: String, _ set: Int, _ source: inout RandomRows, _ outcome: (UnsafeRawBufferPointer, Int) -> String
    ) throws {
        var (sums, outcomes): ([String], [String]) = ([], [])
        for number in 0..<50 {
            let record = source.record()
            var texts = [record]
            for _ in 0..<3 { texts.append(record + Array(repeating: UInt8(ascii: " "), count: source.random.below(49))) }
            for _ in 0..<2 { texts.append(source.random.damaged(record)) }
            if number % 10 == 0 { texts += (0..<record.count).map { Array(record.prefix($0)) } }
            var sum: UInt64 = 0xCBF2_9CE4_8422_2325
            for text in texts {
                // Other bytes lie around the record.
                let start = source.random.below(17)
                let buffer = Array(repeating: UInt8(ascii: "["), count: start) + text + Array(#""}],1234567890"#.utf8)
                let found = unsafe buffer.withUnsafeBytes { bytes in
                    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<(start + text.count)])
                    return (0...1).map { unsafe outcome(part, $0) }
                }
                #expect(found[0] == found[1], "\(String(decoding: text, as: UTF8.self))")
                for byte in found[0].utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
                outcomes.append("\(number) \(String(decoding: text, as: UTF8.self))\n  \(found[0])")
            }
            sums.append(String(UInt32(truncatingIfNeeded: sum ^ sum >> 32), radix: 36))
        }
        let name = "\(kind)\(set)"
        if let folder = ProcessInfo.processInfo.environment["SLUICE_RECORDED_CELLS"] {
            try outcomes.joined(separator: "\n").write(toFile: "\(folder)/\(name).txt", atomically: true, encoding: .utf8)
            try sums.joined(separator: " ").write(toFile: "\(folder)/\(name).sums", atomically: true, encoding: .utf8)
            return
        }
        let recorded = try #require(try recorded()[name])
        for (number, sum) in sums.enumerated() where !recorded.indices.contains(number) || recorded[number] != sum {
            Issue.record("record \(number) of \(name) is read differently")
        }
    }

    private func recorded() throws -> [String: [String]] {
        let text = try String(contentsOf: TestTables.folder.appendingPathComponent("Fixtures/cells.txt"), encoding: .utf8)
        return Dictionary(
            uniqueKeysWithValues: text.split(separator: "\n").map { line in
                let words = line.split(separator: " ").map(String.init)
                return (words[0], Array(words.dropFirst()))
            })
    }
}

/// What tables get of records.
private final class TableRows {
    private var reader: ColumnReader

    init(_ columns: [JSONColumn], _ options: JSONReader.Options) { reader = ColumnReader(columns: columns, options: options) }

    func outcome(of record: UnsafeRawBufferPointer) -> String {
        do throws(JSONError) { try unsafe reader.read(record) } catch { return error.words }
        var words: [String] = []
        var next = reader.nextColumn(from: 0)
        for index in reader.columns.indices {
            guard next == index else {
                words.append("-")
                continue
            }
            next = reader.nextColumn(from: index + 1)
            let cell = reader.cell(at: index)
            var word =
                switch reader.value(at: index) {
                case .null: "null"
                case .integer(let value): "\(value)"
                case .real(let value): "\(value)"
                case .text(let text): unsafe "'\(String(decoding: text, as: UTF8.self))'"
                }
            if reader.isOffType(at: index) { word += " off" }
            if cell.isContainer { word += " container" }
            if cell.isWord { word += " word" }
            words.append(word)
        }
        return "\(words.joined(separator: " | "))\(reader.hasUnknownValue ? " unknown" : "")\(reader.hasGapOnPath ? " gap" : "")"
    }
}

/// What batches get of records.
private final class BatchRows {
    private var reader: ColumnBatchReader

    init(_ columns: [JSONColumn], _ options: JSONReader.Options) {
        reader = ColumnBatchReader(columns: columns, options: options)
    }

    func outcome(of record: UnsafeRawBufferPointer) -> String {
        if let error = unsafe reader.append(record) { return "\(error.words)\(losses)" }
        let batch = reader.takeBatch()
        let words = batch.columns.map { $0.text(at: 0) }
        return "\(words.joined(separator: " | "))\(reader.hasUnknownValue ? " unknown" : "")\(losses)"
    }

    private var losses: String {
        let losses = reader.takeLosses()
        return losses.fractions + losses.digits == 0 ? "" : " lost \(losses.fractions), \(losses.digits)"
    }
}

extension JSONError {
    /// Which error it is, and where. Other tests hold how it is worded.
    fileprivate var words: String { "\(kind) at \(offset) in \(path), \(keys)" }
}
