#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

/// No report, and no reason that is stored, shows a value of a sensitive column. What the tool prints is tested with it.
@Suite struct SensitiveColumnTests {
    private static let secret = "zQ7wKx93mJv51"
    private static let number = "739182645908"

    private func shows(_ text: String) -> Bool {
        [Self.secret, Self.number].contains { secret in
            (0...(secret.count - 4)).contains { text.contains(secret.dropFirst($0).prefix(4)) }
        }
    }

    /// Everything that a report has, but its times: four digits of a time may be four digits of the secret number.
    private func text(of report: IngestReport) throws -> String {
        let json = try JSONEncoder().encode(report)
        var members = try #require(try JSONValue(json: Array(json)).object)
        for name in ["nanoseconds", "readingNanoseconds", "databaseNanoseconds"] { members[name] = nil }
        return try JSONValue.object(members).jsonString() + "\(report)"
    }

    /// Records with a secret and everything else that can be wrong in them.
    private static let lines: [String] = {
        let s = secret
        let good = #"{"id":1,"user":{"name":"a","key":"\#(s)"},"pin":\#(number),"note":"x"}"#
        return Array(repeating: good, count: 20) + [
            #"{"id":"x","user":{"name":"a","key":"\#(s)"},"pin":\#(number),"note":"x"}"#,
            #"{"id":{},"user":{"key":"\#(s)"},"pin":\#(number)}"#, #"{"id":1,"user":{"key":["\#(s)"]},"pin":"\#(s)"}"#,
            #"{"id":1,"user":"\#(s)","pin":[\#(number)]}"#, #"{"user":{"key":"\#(s)","id":1"#, #"{"user":{"key":\#(s)}}"#,
            #"{"user":{"key":"\#(s)}}"#, #"{"user":{"kye":"\#(s)\ud800"}}"#, #"{"user" {"key":"\#(s)"}}"#,
            #"["\#(s)",\#(number)]"#, #""\#(s)""#, number, s, #"{"pin":\#(number),}"#, #"{"pin":\#(number)x}"#,
            #"{"pin":\#(number)9999999999,"id":"\ud800"}"#,
        ]
    }()

    private enum Way: CaseIterable, Sendable {
        case oneWorker, twoWorkers, discardsValues, reports, overflows
        /// The database refuses the second record of a key.
        case hasKey
    }

    /// A file of CSV looks at all records first, so it has one column for `user` and none for its keys.
    @Test(arguments: LoaderSink.typed, Way.allCases)
    private func noReportAndNoReasonShowsASensitiveColumn(sink: LoaderSink, way: Way) throws {
        guard sink.isDatabase || way != .hasKey else { return }
        for name in sink.isDatabase ? ["bad.ndjson", "bad"] : ["bad.ndjson"] {
            let loader = try Loader(sink)
            let rejects: RejectsTarget = name == "bad" ? .table(name) : .file(path: loader.scratch.path(name))
            let file = try loader.scratch.file("a.ndjson", Self.lines.joined(separator: "\n") + "\n")
            let report = try loader.load(file: file) {
                ($0.sample, $0.rejects, $0.workers) = (20, rejects, way == .twoWorkers ? 2 : 1)
                $0.sensitive = ["user_key", "pin", "user"]
                $0.feed.sensitive = SensitivePaths($0.sensitive)
                $0.types = try ["id:integer", "pin:integer"].map { try TypeOption($0) }
                $0.keptRejections = 100
                switch way {
                case .discardsValues: $0.contract = .discardValue
                case .reports: $0.contract = .report
                case .overflows: $0.overflow = "rest"
                case .hasKey: ($0.primaryKey, $0.batch) = (["pin", "user_key"], 7)
                default: break
                }
            }
            #expect(report.rejected > 10 && report.rejections.count == report.rejected)
            #expect(try !shows(text(of: report)), "\(report.rejections)")
            var kept = 0
            for (text, reason) in try reasons(rejects, loader) {
                // The text is that of the record: it keeps the bytes.
                kept += shows(text) ? 1 : 0
                #expect(!shows(reason), "\(reason)")
            }
            #expect(kept > 10)
        }
    }

    /// The text of each rejected record, and what is said of it.
    private func reasons(_ rejects: RejectsTarget, _ loader: Loader) throws -> [(text: String, reason: String)] {
        guard let path = rejects.path else {
            return try loader.rows("json_line", "column_name", "error_type", "error_message", of: rejects.name).map {
                ($0[0].text ?? "", $0.dropFirst().compactMap(\.text).joined(separator: " "))
            }
        }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
            var record = try #require(try JSONValue(json: String(line)).object)
            let text = record["json_line"]?.string ?? ""
            record["json_line"] = nil
            return (text, "\(record)")
        }
    }

    @Test(arguments: LoaderSink.all) func aWrongValueOfAnotherColumnIsStillShown(sink: LoaderSink) throws {
        let text = #"{"id":1,"key":"\#(Self.secret)"}"# + "\n" + #"{"id":"old","key":"\#(Self.secret)"}"# + "\n"
        let report = try Loader(sink).load(text) {
            ($0.sensitive, $0.types) = (["key"], [try TypeOption("id:integer")])
            $0.feed.sensitive = SensitivePaths($0.sensitive)
        }
        #expect(report.rejections.first?.reason.contains(#"found the string "old""#) == true, "\(report.rejections)")
    }
}
#endif
