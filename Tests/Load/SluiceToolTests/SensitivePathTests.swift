#if CommandLine
import Foundation
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// `--sensitive` of check, convert and infer: whatever is wrong with a record, nothing that is printed shows a sensitive value.
@Suite struct SensitivePathTests {
    private static let secret = "zQ7wKx93mJv51"
    private static let number = "739182645908"
    private static let record =
        #"{"id":1,"user":{"name":"a","key":"\#(secret)"},"pin":\#(number),"note":"x","codes":["\#(secret)"]}"#
    private static let sensitive = SensitivePaths(["user.key", "pin", "codes"])

    private func shows(_ text: String) -> Bool {
        [Self.secret, Self.number].contains { secret in
            (0...(secret.count - 4)).contains { text.contains(secret.dropFirst($0).prefix(4)) }
        }
    }

    /// The record with one byte replaced, removed or added at each place, and cut off there; and records that are whole but unlike it.
    private static let damaged: [[UInt8]] = {
        let bytes = Array(record.utf8)
        var texts: [[UInt8]] = []
        for index in bytes.indices {
            for byte in Array("\"{}[,:\\x1 ".utf8) + [0x80, 0x00] {
                var text = bytes
                text[index] = byte
                texts.append(text)
                text[index] = bytes[index]
                text.insert(byte, at: index)
                texts.append(text)
            }
            texts.append(Array(bytes[..<index] + bytes[(index + 1)...]))
            texts.append(Array(bytes[..<index]))
        }
        let others = [
            #"{"user":"\#(secret)"}"#, #""\#(secret)""#, number, secret, #"["\#(secret)"]"#,
            #"{"id":{"\#(secret)":"\#(secret)"}}"#,
            #"{"user":{"key":{"\#(secret)":1}}}"#, #"{"pin":"\#(secret)"}"#, #"{"pin":\#(number).5,"pin":"\#(secret)"}"#,
            #"{"user":{"key":"a","key":"\#(secret)"}}"#, #"{"codes":{"\#(secret)":1,"\#(secret)":2}}"#,
            #"{"pin":\#(number)e999999}"#, #"{"id":"\#(number)"}"#, #"{"kez":"\#(secret)"}"#,
        ]
        return texts + others.map { Array($0.utf8) }
    }()

    private func feed(_ format: JSONFeedFormat = .automatic) -> FeedReading {
        FeedReading(format: format, sensitive: Self.sensitive)
    }

    @Test(arguments: [1, 2])
    func noReportOfACheckShowsASensitiveValue(workers: Int) throws {
        var progress = ProgressLine(isShown: false)
        var wrong = 0
        for format in [JSONFeedFormat.lines, .array, .concatenated, .sequence, .object] {
            for text in Self.damaged {
                var options = Check.Options()
                (options.feed, options.workers, options.isStrict) = (feed(format), workers, true)
                options.keptErrors = 100
                if workers == 2 { options.sightings = PathSightings(of: options.feed.sensitive) }
                let whole =
                    switch format {
                    case .array: [UInt8(ascii: "[")] + text + Array(",2]".utf8)
                    case .sequence: [0x1E] + text + [0x0A]
                    default: text
                    }
                let report = Check(options).run(BytesSource(whole), name: "feed", progress: &progress)
                wrong += report.wrong
                let unseen = options.sightings?.unseenPaths(hiding: SensitivePaths()).map(\.text) ?? []
                let words = report.text(isVerbose: true) + unseen.joined(separator: "\n")
                #expect(!shows(words), "\(String(decoding: whole, as: UTF8.self)): \(words)")
            }
        }
        #expect(wrong > Self.damaged.count)
    }

    @Test func withoutSensitivePathsTheSameReportsShowTheValues() {
        var progress = ProgressLine(isShown: false)
        let words = Self.damaged.map { Check(Check.Options()).run(BytesSource($0), name: "feed", progress: &progress).text() }
        #expect(words.count(where: shows) > 100)
    }

    @Test(arguments: ConvertCommand.Form.allCases, [1, 2])
    func noReportOfAConversionShowsASensitiveValue(form: ConvertCommand.Form, workers: Int) throws {
        let scratch = try Scratch()
        var rejected = 0
        for text in Self.damaged {
            // The good record decides the columns' types.
            var lines = form.hasColumns ? Array((Self.record + "\n").utf8) : []
            lines += text + [0x0A]
            let path = try scratch.file("a.ndjson", String(decoding: lines, as: UTF8.self))
            var options = IngestOptions()
            options.feed = feed(.lines)
            options.workers = workers
            options.sensitive = ["user.key", "pin", "codes"]
            options.keptRejections = 100
            var words = ""
            do {
                let report = try Conversion.report(options, form, of: path, to: scratch.path("out"))
                rejected += report.rejected
                let texts = report.rejections.map(\.reason) + report.unknownKeys.map(\.path) + report.unseenPaths.map(\.text)
                words = texts.joined(separator: "\n")
            } catch {
                #expect(!shows("\(error)"), "\(error)")
            }
            #expect(!shows(words), "\(String(decoding: lines, as: UTF8.self)): \(words)")
        }
        #expect(rejected > 500)
    }

    @Test func aWrongValueOfAnotherColumnIsStillShown() throws {
        let scratch = try Scratch()
        let path = try scratch.file("a.ndjson", Self.record + "\n" + #"{"id":"old","pin":\#(Self.number)}"# + "\n")
        var options = IngestOptions()
        options.feed = feed(.lines)
        options.columns = ["id", "pin"].map(Self.column)
        let report = try Conversion.report(options, .arrow, of: path, to: scratch.path("out"))
        // The type of a mixed column is text, so the second record fits. A strict reader of the same columns shows the wrong value.
        #expect(report.rejected == 0)
        let columns = Self.sensitive.marking([JSONColumn("id", .integer), JSONColumn("pin", .integer)])
        #expect(columns.map(\.isSensitive) == [false, true])
        var rows = ColumnBatchReader(columns: columns)
        let error = unsafe Array(#"{"id":"old","pin":\#(Self.number)}"#.utf8).withUnsafeBytes { unsafe rows.append($0) }
        #expect(error?.summary.contains(#"found the string "old""#) == true)
    }

    private static func column(_ name: String) -> JSONColumn {
        JSONColumn(name: name, type: .text, keys: [JSONKeyPath(name)], isTolerant: true)
    }

    @Test(arguments: Infer.Form.allCases, [1, 2])
    func noDescriptionShowsASensitiveValueOrAKeyInsideOne(form: Infer.Form, workers: Int) throws {
        var rejected = 0
        for text in Self.damaged {
            var options = Infer.Options(feed: feed(.lines), form: form, name: "Record", workers: workers)
            options.feed.sensitive = SensitivePaths(["user", "pin", "codes", "id", "kez"])
            var infer = Infer(options)
            try infer.observe(BytesSource(text + [0x0A]))
            rejected += infer.rejected
            if let error = infer.firstError { #expect(!shows("\(error)"), "\(error)") }
            guard let words = try? infer.text() else { continue }
            #expect(!shows(words), "\(words)")
        }
        #expect(rejected > 500)
    }

    @Test func aSensitiveObjectIsDescribedWithoutItsKeys() throws {
        func infer(_ form: Infer.Form, _ sensitive: [String]) throws -> String {
            var infer = Infer(
                Infer.Options(feed: FeedReading(sensitive: SensitivePaths(sensitive)), form: form, name: "Record"))
            try infer.observe(BytesSource(Array((Self.record + "\n").utf8)))
            #expect(infer.unseenPaths.isEmpty)
            return try infer.text()
        }
        #expect(try infer(.columns, ["user", "pin"]) == "id:integer\nuser:json\npin:integer\nnote:text\ncodes:json\n")
        #expect(try infer(.columns, ["user.key"]).contains("user_key:text=user.key\n"))
        let schema = try JSONValue(json: infer(.jsonSchema, ["user"]))
        #expect(try schema["properties"]?["user"]?.jsonString() == #"{"type":"object"}"#)
        let model = try infer(.swift, ["user", "pin", "codes[0]"])
        #expect(model.contains("    @JSONSensitive var user: JSONValue\n"), "\(model)")
        #expect(model.contains("    @JSONSensitive var pin: Int\n"), "\(model)")
        #expect(model.contains("    @JSONSensitive var codes: [String]\n"), "\(model)")
        #expect(model.contains("    var note: String\n"), "\(model)")
    }

    @Test func theValuesOfADictionaryAreDescribedWithoutTheKeysOfThoseThatAreSensitive() throws {
        let members = (0..<300).map { #""k\#($0)":{"name":"a"}"# }.joined(separator: ",")
        let text = #"{"users":{\#(members),"secret":{"\#(Self.secret)":[{"\#(Self.number)":1}]}}}"# + "\n"
        for form in [Infer.Form.jsonSchema, .swift] {
            var infer = Infer(
                Infer.Options(feed: FeedReading(sensitive: SensitivePaths(["users.secret"])), form: form, name: "Record"))
            try infer.observe(BytesSource(Array(text.utf8)))
            let words = try infer.text()
            #expect(words.contains("name") && !shows(words), "\(words)")
        }
    }

    @Test func aSensitivePathThatNoRecordHasIsNamed() throws {
        for form in Infer.Form.allCases {
            var infer = Infer(
                Infer.Options(
                    feed: FeedReading(sensitive: SensitivePaths(["user.kei", "user", "user.key"])), form: form, name: "Record"))
            try infer.observe(BytesSource(Array((Self.record + "\n").utf8)))
            #expect(infer.unseenPaths.map(\.text) == ["no record has user.kei, which --sensitive hides; did you mean user.key?"])
        }
    }

    @Test(arguments: [1, 3])
    func aCheckNamesASensitivePathThatNoRecordHas(workers: Int) throws {
        func unseen(_ texts: [String], _ sensitive: [String]) -> [String] {
            var progress = ProgressLine(isShown: false)
            var options = Check.Options()
            (options.feed, options.workers) = (FeedReading(sensitive: SensitivePaths(sensitive)), workers)
            let sightings = PathSightings(of: options.feed.sensitive)
            options.sightings = sightings
            for text in texts { _ = Check(options).run(BytesSource(Array(text.utf8)), name: "feed", progress: &progress) }
            return sightings.unseenPaths(hiding: SensitivePaths()).map(\.text)
        }
        let named = "no record has user.kei, which --sensitive hides; did you mean user.key?"
        #expect(unseen([Self.record], ["user.kei", "pin", "codes[0]", "user.kei", "user.key"]) == [named])
        // A key inside a sensitive value is not named.
        #expect(unseen([Self.record], ["user.kei", "user"]) == ["no record has user.kei, which --sensitive hides"])
        #expect(unseen([Self.record, #"{"user":{"kei":null}}"#], ["user.kei"]).isEmpty)
        #expect(unseen([#"{"user":{"kei":1}}"#, Self.record], ["user.kei"]).isEmpty)
        // The record is wrong, but it has the path. A record that is not an object may be anything.
        #expect(unseen([#"{"user":{"kei":1},"x":nul}"#, Self.record], ["user.kei"]).isEmpty)
        #expect(unseen(["[1,2]", "7", "", "{\"id\":"], ["user.kei"]).isEmpty)
        let late = String(repeating: Self.record + "\n", count: 500)
        #expect(unseen([late], ["user.kei"]) == [named])
        #expect(unseen([late + #"{"user":{"kei":1}}"#], ["user.kei"]).isEmpty)
        #expect(unseen([#"{"user":{"k\u0065i":1}}"# + "\n" + late], ["user.kei"]).isEmpty)
    }

    @Test func anUnknownKeyInsideASensitiveValueIsNotNamed() throws {
        #expect(Self.sensitive.shown("pin.\(Self.secret)") == "pin.<redacted>")
        #expect(Self.sensitive.shown("codes[0].x") == "codes.<redacted>")
        #expect(Self.sensitive.shown("user.name") == "user.name")
        #expect(Self.sensitive.shown("user.key") == "user.key")
        #expect(SensitivePaths([#""a.b""#]).shown(#""a.b".c"#) == #""a.b".<redacted>"#)
        #expect(SensitivePaths(["a.b"]).shown(#""a.b".c"#) == #""a.b".c"#)
    }
}
#endif
