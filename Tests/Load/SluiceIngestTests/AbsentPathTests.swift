// Documents without the path of their records: an API that answers with an error in place of a page.

#if SQLite
import Foundation
import SluiceCompression
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

@Suite struct AbsentPathTests {
    private static let page = #"{"data":{"items":[{"id":1},{"id":2}]}}"# + "\n"
    private static let snapshot = #"{"data":{"items":[{"id":1}]}}"# + "\n" + #"{"error":"rate limited"}"# + "\n"

    private func upserts(_ options: inout IngestOptions) {
        (options.feed.path, options.primaryKey, options.conflict) = ("data.items", ["id"], .upsert)
    }

    /// A table that has the rows of a page.
    private func loaded(_ sink: LoaderSink) throws -> Loader {
        let loader = try Loader(sink)
        let report = try loader.load(file: loader.scratch.file("p1.json", Self.page), upserts)
        #expect(report.isSuccess, "\(report)")
        return loader
    }

    @Test(arguments: LoaderSink.databases, [(MissingRows.delete, 1), (.mark, 1), (.delete, 2), (.mark, 2)])
    func noRowIsMissingAfterADocumentWithoutThePath(sink: LoaderSink, run: (missing: MissingRows, workers: Int)) throws {
        for name in ["snap.ndjson", "snap.ndjson.gz", "-"] {
            let loader = try loaded(sink)
            func setUp(_ options: inout IngestOptions) {
                upserts(&options)
                (options.missing, options.workers, options.rejects) = (run.missing, run.workers, .table("bad"))
            }
            let report: IngestReport
            if name == "-" {
                report = try loader.load(Self.snapshot, setUp)
            } else {
                var bytes = Array(Self.snapshot.utf8)
                #if Compression
                if name.hasSuffix("gz") {
                    var packed = try CompressingSink(to: [UInt8](), format: .gzip)
                    try unsafe bytes.withUnsafeBytes { try unsafe packed.write($0) }
                    try packed.finish()
                    bytes = packed.sink
                }
                #endif
                try Data(bytes).write(to: loader.scratch.folder.appending(path: name))
                report = try loader.load(file: loader.scratch.path(name), setUp)
            }
            #expect(report.isLossy, "\(name): \(report)")
            #expect(report.missing?.refusal?.description == "records were rejected: 1", "\(String(describing: report.missing))")
            #expect(report.rejections.first?.reason.contains("there are 'error'") == true, "\(report.rejections)")
            #expect(try loader.rows("id", by: "id") == [[1], [2]])
            #expect(
                try loader.rows("error_type", "line", "json_line", of: "bad")
                    == [["missingKeys (document)", 2, #"{"error":"rate limited"}"#]])
        }
    }

    /// The documents of all inputs of a command are those of its run.
    @Test(arguments: LoaderSink.all) func oneFileOfSeveralMayLackThePath(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let files = [
            try loader.scratch.file("a.json", #"{"error":"rate limited"}"#), try loader.scratch.file("b.json", Self.page),
        ]
        for (index, columns, files, workers) in [
            (0, [], files, 1), (1, ["id:integer"], files, 1), (2, [], files.reversed(), 2),
        ] {
            let report = try loader.load(files: files, columns: columns, into: "t\(index)") {
                ($0.feed.path, $0.workers) = ("data.items", workers)
            }
            #expect(report.isLossy && report.rejected == 1, "\(report)")
            #expect(try loader.rows("id", of: "t\(index)") == [[1], [2]])
        }
    }

    @Test(
        arguments: LoaderSink.all,
        [
            #"{"error":"rate limited"}"#, #"{"data":{"Items":[{"id":1}]}}"#, #"{"data":[]}"#, #"{"data":{"items":null}}"#,
            "{\"error\":1}\n{\"error\":2}\n",
        ])
    func nothingIsWrittenIfNoDocumentHasThePath(sink: LoaderSink, text: String) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("p.json", text)
        func expectNothing(_ load: () throws -> IngestReport) throws {
            let error = #expect(throws: IngestError.self) { try load() }
            guard case .input(let message)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(message.description.contains("missing key 'data.items'"), "\(message)")
            #expect(!message.description.contains("did you mean 'data.items'"), "\(message)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: loader.scratch.folder.path) == ["p.json"])
            if sink == .postgres {
                #expect(
                    try loader.query("SELECT relname FROM pg_class WHERE relnamespace = current_schema::regnamespace").isEmpty)
            }
        }
        for columns in [[], ["id:integer"]] {
            try expectNothing { try loader.load(file: file, columns: columns) { $0.feed.path = "data.items" } }
            try expectNothing { try loader.load(text, columns: columns) { $0.feed.path = "data.items" } }
        }
        guard sink.isDatabase else { return }
        try expectNothing {
            try loader.load(file: file) { ($0.feed.path, $0.workers, $0.rejects) = ("data.items", 2, .table("bad")) }
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func documentsThatMayLackThePathHaveNoRecords(sink: LoaderSink, workers: Int)
        throws
    {
        for optional in [OptionalPath.yes, .empty] {
            let loader = try loaded(sink)
            let report = try loader.load(file: loader.scratch.file("snap.ndjson", Self.snapshot)) {
                upserts(&$0)
                ($0.feed.optional, $0.missing, $0.workers) = (optional, .delete, workers)
            }
            if optional == .yes {
                #expect(report.isLossy)
                #expect(
                    report.missing?.refusal?.description
                        == "1 document has no records at 'data.items'; with at(_:optional: .empty) they count as empty",
                    "\(String(describing: report.missing))")
                #expect(try loader.rows("id", by: "id") == [[1], [2]])
            } else {
                #expect(report.isSuccess)
                #expect(report.missing?.count == 1)
                #expect(try loader.rows("id", by: "id") == [[1]])
            }
        }
    }

    /// A run that goes on with a load that was refused removes no row either, whatever its own options say.
    @Test(arguments: LoaderSink.databases) func aRefusedLoadStaysRefusedWithoutTheOption(sink: LoaderSink) throws {
        let loader = try loaded(sink)
        let file = try loader.scratch.file("snap.ndjson", Self.snapshot)
        for (optional, isLossy, count) in [(OptionalPath.yes, true, 2), (.no, true, 2), (.yes, true, 2), (.empty, false, 1)] {
            let report = try loader.load(file: file) {
                upserts(&$0)
                ($0.feed.optional, $0.missing) = (optional, .delete)
            }
            #expect(isLossy ? report.isLossy : report.isSuccess, "\(optional): \(report)")
            #expect(try loader.count() == count, "\(optional)")
        }
    }

    /// A document after the last record is read again when the file has grown, and is still one document.
    @Test(arguments: LoaderSink.databases) func aDocumentWithoutThePathIsCountedOnce(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("grows.ndjson", "{\"i\":[{\"id\":1}]}\n{\"j\":1}\n")
        func load(_ change: (inout IngestOptions) -> Void = { _ in }) throws -> IngestReport {
            try loader.load(file: file) {
                ($0.feed.path, $0.feed.optional, $0.primaryKey, $0.conflict) = ("i", .yes, ["id"], .upsert)
                change(&$0)
            }
        }
        #expect(try load().isSuccess)
        try loader.scratch.append(#"{"i":[{"id":2}]}"# + "\n", to: file)
        #expect(try load().isSuccess)
        let checkpoint = try #require(try loader.value("SELECT checkpoint FROM _sluice_checkpoints")?.text)
        #expect(try JSONValue(json: checkpoint)["standing"]?["absentAtEnd"]?.int == 1)
        let last = try load { ($0.missing, $0.restarts) = (.delete, true) }
        #expect(
            last.missing?.refusal?.description.hasPrefix("1 document has no records at 'i'") == true,
            "\(String(describing: last.missing))")
    }

    /// What the first run has read counts for the next one, too.
    @Test(arguments: LoaderSink.databases) func aResumedRunKnowsWhatItsDocumentsHad(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("grows.ndjson", #"{"i":[{"id":1}]}"# + "\n")
        func load(_ file: String, into table: String = "records", _ change: (inout IngestOptions) -> Void = { _ in }) throws
            -> IngestReport
        {
            try loader.load(file: file, into: table) {
                ($0.feed.path, $0.primaryKey, $0.conflict) = ("i", ["id"], .upsert)
                change(&$0)
            }
        }
        #expect(try load(file).isSuccess)
        try loader.scratch.append(#"{"j":1}"# + "\n", to: file)
        let second = try load(file)
        #expect(second.isLossy && second.rejected == 1, "\(second)")
        let third = try load(file)
        #expect(third.outcome == .nothingToDo && third.rejectedBefore == 1)
        // A run that has nothing else to do says it again.
        let other = try loader.scratch.file("other.ndjson", "{\"j\":1}\n{\"i\":[{\"id\":1}]}\n{\"j\":1}\n")
        for _ in 1...2 {
            let report = try load(other, into: "t") { ($0.feed.optional, $0.missing) = (.yes, .delete) }
            #expect(report.isLossy)
            #expect(
                report.missing?.refusal?.description.hasPrefix("2 documents have no records at 'i'") == true,
                "\(String(describing: report.missing))")
        }
        #expect(try loader.count("t") == 1)
    }

    @Test(arguments: LoaderSink.databases) func anElementUnderAWildcardIsADocument(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let text = #"[{"jobs":[{"id":1}]},{"error":1},{"jobs":[]},{"jobs":[{"id":2}]}]"#
        let report = try loader.load(file: loader.scratch.file("a.json", text)) {
            ($0.feed.path, $0.rejects) = ("*.jobs", .table("bad"))
        }
        #expect(report.isLossy, "\(report)")
        #expect(try loader.rows("id") == [[1], [2]])
        #expect(try loader.rows("error_type", "line_byte_position", of: "bad") == [["missingKeys (document)", 21]])
    }
}
#endif
