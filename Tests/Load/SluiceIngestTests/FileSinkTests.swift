// Files as sinks: what they hold, when they take their names, and what an ingest into them refuses.

#if SQLite
import Foundation
import SinkConformance
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest

@Suite struct FileSinkTests {
    private static let nested = #"{"id":1,"a":{"b":1.50},"t":"x,\u00e9"}"# + "\n" + #"{ "id" : 2 , "t" : null }"# + "\n"

    private func text(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

    // MARK: Forms

    @Test(arguments: [1, 2]) func recordsAreCopiedWhereNoOptionAsksForColumns(workers: Int) throws {
        let scratch = try Scratch()
        let input = try scratch.file("in.ndjson", Self.nested)
        let report = try Ingest([input], into: FileSink(path: scratch.path("out.ndjson"), .ndjson)).workers(workers).runBlocking()
        #expect(report.outcome == .complete && report.rows == RowCounts(added: 2) && report.columns.isEmpty)
        #expect(
            try text(scratch.path("out.ndjson")) == #"{"id":1,"a":{"b":1.50},"t":"x,\u00e9"}"# + "\n" + #"{"id":2,"t":null}"#
                + "\n")
        try Ingest([input], into: FileSink(path: scratch.path("out.json"), .json)).workers(workers).runBlocking()
        #expect(
            try text(scratch.path("out.json"))
                == "[\n" + #"{"id":1,"a":{"b":1.50},"t":"x,\u00e9"}"# + ",\n" + #"{"id":2,"t":null}"# + "\n]\n")
    }

    @Test func columnsThatAreDeclaredAreTheMembersOfALine() throws {
        let scratch = try Scratch()
        let input = try scratch.file("in.ndjson", Self.nested + #"{"id":"x"}"# + "\n" + #"{"id":3,"a":{"b":-2.5}}"#)
        let columns: [JSONColumn] = [.column("id", .integer), .column("b", .real, at: "a.b"), .column("t", .text)]
        let sink = FileSink(path: scratch.path("out"), .ndjson)
        let report = try Ingest([input], into: sink).columns(columns).runBlocking()
        #expect(report.rejected == 1 && report.rejections[0].position.line == 3)
        let lines = [#"{"id":1,"b":1.5,"t":"x,é"}"#, #"{"id":2,"t":null}"#, #"{"id":3,"b":-2.5}"#]
        #expect(try text(scratch.path("out")) == lines.map { $0 + "\n" }.joined())
        try Ingest([input], into: FileSink(path: scratch.path("out"), .csv)).columns(columns).runBlocking()
        #expect(try text(scratch.path("out")) == "id,b,t\r\n1,1.5,\"x,é\"\r\n2,,\r\n3,-2.5,\r\n")
    }

    @Test func anOptionAboutColumnsKeepsTheDigitsOfValues() throws {
        let scratch = try Scratch()
        let numbers = #"{"n":1.50,"big":123456789012345678901234567890,"o":{"e":1e2},"s":"\u0001\"\\","b":true}"# + "\n"
        let input = try scratch.file("in.ndjson", numbers)
        try Ingest([input], into: FileSink(path: scratch.path("out"), .ndjson)).contract(.evolve).runBlocking()
        let line = #"{"n":1.50,"big":123456789012345678901234567890,"o_e":1e2,"s":"\u0001\"\\","b":true}"#
        #expect(try text(scratch.path("out")) == line + "\n")
        try Ingest([input], into: FileSink(path: scratch.path("out"), .tsv)).fileNameColumn().runBlocking()
        #expect(
            try text(scratch.path("out"))
                == "n\tbig\to_e\ts\tb\tfilename\n1.50\t123456789012345678901234567890\t1e2\t\u{1}\"\\\\\ttrue\t\(input)\n")
    }

    @Test(arguments: [FileSink.Form.csv, .tsv], [1, 3]) func aKeyThatComesLateInAFileHasItsColumn(
        form: FileSink.Form, workers: Int
    ) throws {
        let scratch = try Scratch()
        let input = try scratch.file("in.ndjson", lines(1...3_000) + "{\"late\":1}\n")
        let report = try Ingest([input], into: FileSink(path: scratch.path("out"), form)).workers(workers).runBlocking()
        #expect(report.columns.map(\.name) == ["id", "name", "late"] && report.isWhole && report.rows.added == 3_001)
        let out = try text(scratch.path("out"))
        #expect(out.hasPrefix(form == .csv ? "id,name,late\r\n1,n1,\r\n" : "id\tname\tlate\n1\tn1\t\n"))
        #expect(out.hasSuffix(form == .csv ? "\r\n,,1\r\n" : "\n\t\t1\n"))
    }

    @Test func aKeyThatComesLateInASourceIsNamed() throws {
        let scratch = try Scratch()
        let bytes = BytesSource(Array((lines(1...20) + "{\"late\":1}\n").utf8))
        let report = try Ingest(bytes, into: FileSink(path: scratch.path("out"), .csv)).sample(10).runBlocking()
        #expect(report.outcome == .complete && !report.isWhole && report.unknownKeys.map(\.path) == ["late"])
        #expect(report.unknownKeys.map(\.position) == ["line 21"])
        #expect(try text(scratch.path("out")).hasSuffix("20,n20\r\n,\r\n"))
    }

    // MARK: When a file takes its name

    @Test(arguments: FileSink.Form.allCases) func theFileOfAnInputWithoutRecordsIsThere(form: FileSink.Form) throws {
        let scratch = try Scratch()
        let (input, output) = (try scratch.file("in.ndjson", ""), try scratch.file("out", "old"))
        let report = try Ingest([input], into: FileSink(path: output, form)).runBlocking()
        #expect(report.outcome == .complete)
        #expect(try text(output) == (form == .json ? "[\n]\n" : ""))
        try Ingest([input], into: FileSink(path: output, form)).columns([.column("a", .text), .column("b", .text)]).runBlocking()
        let headers: [FileSink.Form: String] = [.ndjson: "", .json: "[\n]\n", .csv: "a,b\r\n", .tsv: "a\tb\n"]
        #expect(try text(output) == headers[form])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == ["in.ndjson", "out"])
    }

    @Test(arguments: FileSink.Form.allCases) func anIngestThatIsCancelledLeavesTheOldFile(form: FileSink.Form) async throws {
        let scratch = try Scratch()
        let (input, output) = (try scratch.records("in.ndjson", 1...10_000), try scratch.file("out", "old"))
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await Ingest([input], into: FileSink(path: output, form)).batch(10).run()
        }
        #expect(try await task.value.outcome == .interrupted(2))
        #expect(try text(output) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted() == ["in.ndjson", "out"])
    }

    @Test func anIngestWithTooManyErrorsLeavesTheOldFile() throws {
        let scratch = try Scratch()
        let (input, output) = (try scratch.file("in.ndjson", lines(1...10) + "{\n{\n"), try scratch.file("out", "old"))
        let report = try Ingest([input], into: FileSink(path: output, .csv)).maximumErrors(1).runBlocking()
        #expect(report.outcome == .tooManyErrors)
        #expect(try text(output) == "old")
    }

    @Test func aDryRunWritesNoFile() throws {
        let scratch = try Scratch()
        for text in ["", lines(1...3)] {
            let input = try scratch.file("in.ndjson", text)
            for form in FileSink.Form.allCases {
                try Ingest([input], into: FileSink(path: scratch.path("out"), form)).dryRun().runBlocking()
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["in.ndjson"])
    }

    @Test func aFileKeepsItsModeAndALinkItsTarget() throws {
        let scratch = try Scratch()
        let (input, output) = (try scratch.records("in.ndjson", 1...3), try scratch.file("out", "old"))
        #expect(unsafe chmod(output, 0o640) == 0)
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "out")
        try Ingest([input], into: FileSink(path: scratch.path("link"), .ndjson)).runBlocking()
        #expect(try text(output) == lines(1...3))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "out")
        let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    // MARK: What is refused

    @Test func whatAFileCannotDoIsRefusedBeforeAnythingIsRead() throws {
        let scratch = try Scratch()
        let output = try scratch.file("out", "old")
        let ingest = Ingest(UnreadSource(), into: FileSink(path: output, .csv))
        let refused: [Ingest] = [
            ingest.rejects(.table("bad")), ingest.primaryKey("id"), ingest.conflict(.upsert), ingest.existing(.append),
            ingest.contract(.evolve),
        ]
        for ingest in refused {
            #expect(throws: IngestError.self) { try ingest.runBlocking() }
        }
        #expect(throws: IngestError.self) {
            try Ingest(UnreadSource(), into: FileSink(path: scratch.path("none/out"), .csv)).runBlocking()
        }
        let input = try scratch.records("in.ndjson", 1...3)
        #expect(throws: IngestError.self) { try Ingest([input], into: FileSink(path: input, .ndjson)).runBlocking() }
        #expect(try text(output) == "old" && text(input) == lines(1...3))
    }

    private struct UnreadSource: BufferSource, Sendable {
        var name: String { "a source" }
        mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
            Issue.record("something was read")
            return 0
        }
    }

    @Test func rejectedRecordsGoToAFile() throws {
        let scratch = try Scratch()
        let input = try scratch.file("in.ndjson", "{\"id\":1}\n{\n{\"id\":2}\n")
        let sink = FileSink(path: scratch.path("out"), .csv)
        let report = try Ingest([input], into: sink).rejects(.file(path: scratch.path("bad.ndjson"))).runBlocking()
        #expect(report.rejected == 1 && report.outcome == .complete)
        #expect(try text(scratch.path("bad.ndjson")).contains(#""line":2"#))
        #expect(try text(scratch.path("out")) == "id\r\n1\r\n2\r\n")
    }

    // MARK: The kit

    @Test(arguments: FileSink.Form.allCases) func filesConform(form: FileSink.Form) async throws {
        let scratch = try Scratch()
        let count = Counter()
        // TSV has no quotes that would tell an empty text from a missing value.
        try await SinkConformance.check(form == .tsv ? .nulInText : [.nulInText, .emptyText]) {
            let path = scratch.path("\(count.count()).out")
            return SinkConformance.Target(FileSink(path: path, form)) {
                guard FileManager.default.fileExists(atPath: path) else { return [] }
                switch form {
                case .ndjson: return try ConformanceTests.rows(ofLines: path)
                case .json: return try ConformanceTests.rows(ofArray: path)
                case .csv, .tsv: return try DelimitedFile.rows(path, form)
                }
            }
        }
    }
}

/// Reads CSV and TSV by the rules of RFC 4180 and of text/tab-separated-values.
enum DelimitedFile {
    static func rows(_ path: String, _ form: FileSink.Form) throws -> [SinkConformance.Row] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let records = form == .csv ? fields(ofCSV: bytes) : fields(ofTSV: bytes)
        guard let names = records.first else { return [] }
        return records.dropFirst().map { fields in
            var row: SinkConformance.Row = [:]
            for (name, field) in zip(names, fields) {
                guard let name, let field else { continue }
                row[name] =
                    switch name {
                    case "id", "i": .integer(Int64(field) ?? -1)
                    case "r": .real(Double(field) ?? .nan)
                    case "b": .bool(field == "true")
                    default: .text(field)
                    }
            }
            return row
        }
    }

    /// The fields of each line; nil for one that is empty and has no quotes.
    private static func fields(ofCSV bytes: [UInt8]) -> [[String?]] {
        var records: [[String?]] = []
        var record: [String?] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted) = (false, false)
        var index = 0
        func next() -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }
        func end() {
            record.append(field.isEmpty && !wasQuoted ? nil : String(decoding: field, as: UTF8.self))
            (field, wasQuoted) = ([], false)
        }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\"") where isQuoted && next() == UInt8(ascii: "\""):
                field.append(UInt8(ascii: "\""))
                index += 1
            case UInt8(ascii: "\""): (isQuoted, wasQuoted) = (!isQuoted, true)
            case UInt8(ascii: ",") where !isQuoted: end()
            case UInt8(ascii: "\r") where !isQuoted && next() == UInt8(ascii: "\n"):
                end()
                records.append(record)
                record = []
                index += 1
            case let byte: field.append(byte)
            }
            index += 1
        }
        return records
    }

    private static func fields(ofTSV bytes: [UInt8]) -> [[String?]] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { field in
                guard !field.isEmpty else { return nil }
                var text: [UInt8] = []
                var rest = field
                while let byte = rest.popFirst() {
                    guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                        text.append(byte)
                        continue
                    }
                    let meant: [UInt8: UInt8] = [0x74: 0x09, 0x6E: 0x0A, 0x72: 0x0D, 0x5C: 0x5C]
                    text.append(meant[letter] ?? letter)
                }
                return String(decoding: text, as: UTF8.self)
            }
        }
    }
}
#endif
