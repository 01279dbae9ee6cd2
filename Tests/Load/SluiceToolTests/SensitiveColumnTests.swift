#if CommandLine && os(Linux)
import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// `--sensitive`: what the tool prints, and the reasons that it stores, do not show a column's values.
@Suite(.enabled(if: Shell.isPresent)) struct SensitiveColumnTests {
    private static let secret = "zQ7wKx93mJv51"
    private static let number = "739182645908"

    private func shows(_ text: String) -> Bool {
        // Four digits of a time may be four digits of the secret number.
        let text = text.replacing(/"seconds":[0-9.e-]+|[0-9.,]+ (MB|records)\/s| in [0-9.]+ s/, with: "")
        return [Self.secret, Self.number].contains { secret in
            (0...(secret.count - 4)).contains { text.contains(secret.dropFirst($0).prefix(4)) }
        }
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
            #"["\#(s)",\#(number)]"#,
            #""\#(s)""#, number, s, #"{"pin":\#(number),}"#, #"{"pin":\#(number)x}"#,
            #"{"pin":\#(number)9999999999,"id":"\ud800"}"#,
        ]
    }()

    @Test(arguments: [
        "--workers 1", "--workers 2", "--contract discard-value", "--contract report", "--overflow rest",
    ])
    func noReportAndNoReasonShowsASensitiveColumn(options: String) throws {
        for rejects in ["bad.ndjson", "bad"] {
            let scratch = try Scratch()
            _ = try scratch.file("a.ndjson", Self.lines.joined(separator: "\n") + "\n")
            let names = "--sensitive user_key --sensitive pin --sensitive user"
            let run = try scratch.shell(
                "sluice ingest -v --sample-size 20 \(options) --type id:integer --type pin:integer \(names) a.ndjson -o e.db --rejects \(rejects); "
                    + "sluice ingest --sample-size 20 --report json --restart --append --type id:integer \(names) a.ndjson -o e.db"
            )
            #expect(run.output.contains("rejected"))
            #expect(!shows(run.output + run.errors), "\(run.output)\(run.errors)")
        }
    }

    @Test func theReasonsOfRejectedRecordsHideWhatTheirTextKeeps() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", Self.lines.joined(separator: "\n") + "\n")
        let command =
            "sluice ingest --sample-size 20 --type id:integer --sensitive user_key --sensitive pin a.ndjson -o e.db --rejects bad.ndjson"
        #expect(try scratch.shell(command).status == 2)
        let data = try Data(contentsOf: scratch.folder.appendingPathComponent("bad.ndjson"))
        var count = 0
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            var record = try #require(try JSONValue(json: String(line)).object)
            // The text is the file of rejects: it keeps the bytes.
            count += shows(record["json_line"]?.string ?? "") ? 1 : 0
            record["json_line"] = nil
            #expect(!shows("\(record)"), "\(record)")
        }
        #expect(count > 10)
    }

    @Test func aWrongValueOfAnotherColumnIsStillShown() throws {
        let scratch = try Scratch()
        _ = try scratch.file(
            "a.ndjson", #"{"id":1,"key":"\#(Self.secret)"}"# + "\n" + #"{"id":"old","key":"\#(Self.secret)"}"# + "\n")
        let run = try scratch.shell("sluice ingest --type id:integer --sensitive key a.ndjson -o e.db")
        #expect(run.status == 2)
        #expect((run.output + run.errors).contains(#"found the string "old""#))
    }

    @Test func aSensitiveColumnThatDoesNotExistIsRefused() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", #"{"id":1,"password":"\#(Self.secret)"}"# + "\n")
        let run = try scratch.shell("sluice ingest --sensitive pasword a.ndjson -o e.db")
        #expect(run.status == 2 || run.status == 64)
        #expect(run.errors.contains("--sensitive pasword: there is no such column; did you mean password?"))
    }
}
#endif
