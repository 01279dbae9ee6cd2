// A value that is tried as several types leaves no trace of the attempts that fail.

#if Macros
import Sluice
import SluiceTestSupport
import Testing

@JSONModel(unknownKeys: .reject)
struct StrictTried: Equatable { var id: Int? }

@JSONModel(unknownKeys: .reject)
struct NamedTried: Equatable { var name: String }

@JSONModel(unknownKeys: .report)
struct ReportingTried: Equatable {
    var a: Int
    var c: Int
}

@JSONModel(unknownKeys: .report)
struct OtherTried: Equatable { var c: String }

@JSONModel(tag: .untagged)
enum StrictChoice: Equatable {
    case strict(StrictTried)
    case named(NamedTried)
}

@JSONModel(tag: .untagged)
indirect enum ReportingChoice: Equatable {
    case first(ReportingTried)
    case pair(ReportingPair)
    case second(OtherTried)
    case nest(ReportingNest)
}

@JSONModel
struct ReportingPair: Equatable {
    var inner: ReportingChoice
    var b: Int
}

@JSONModel
struct ReportingNest: Equatable {
    var inner: ReportingChoice
    var b: String
}

@JSONModel
struct ReportingHolder: Equatable { var e: ReportingChoice }

@JSONModel
struct PlainTried: Equatable { var id: Int }

@JSONModel
struct PlainNamedTried: Equatable { var name: String }

@JSONModel(tag: .untagged)
enum PlainChoice: Equatable {
    case plain(PlainTried)
    case named(PlainNamedTried)
}

@Suite struct AttemptTests {
    @Test("M15: the variant that fits is found after one that rejects unknown keys")
    func rejectedKeysOnlyEndAnAttempt() throws {
        #expect(try StrictChoice(json: #"{"name": "n"}"#) == .named(NamedTried(name: "n")))
        #expect(try [StrictChoice](json: #"[{"id": 1}, {"name": "n"}]"#).count == 2)
        let neither = readings(of: StrictChoice.self, Array(#"{"id": 1, "name": "n"}"#.utf8), options: .init())
        #expect(neither.disagreements == [])
        #expect(neither.error?.kind == .invalidValue)
        // The reader's own rule is as strict.
        let options = JSONReader.Options(unknownKeys: .reject)
        #expect(try PlainChoice(json: #"{"name": "n"}"#, options: options) == .named(PlainNamedTried(name: "n")))
        #expect(try PlainChoice(json: #"{"id": 1}"#, options: options) == .plain(PlainTried(id: 1)))
        #expect(throws: JSONError.self) { try PlainChoice(json: #"{"id": 1, "x": 1}"#, options: options) }
    }

    @Test("M16: the unknown keys of a failed attempt are in no report")
    func failedAttemptsReportNothing() {
        let text = #"{"e": {"x": 1, "c": "s"}}"#
        let once = readings(of: ReportingHolder.self, Array(text.utf8), options: .init(countsProperties: true))
        #expect(once.disagreements == [])
        #expect(once.report.unknownKeys.map(\.path) == ["e.x"])
        #expect(once.report.unknownKeys.map(\.count) == [1])
        #expect(once.report.unknownKeyCount == 1)
    }

    @Test func rememberedValuesReportTheirKeysOnce() {
        // "inner" is read while the outer value is tried as a pair, and used again when that turns out to be a nest.
        let text = #"[{"e": {"inner": {"x": 1, "c": "s", "y": 2}, "b": "q"}}, {"e": {"c": "t", "x": 1}}]"#
        let read = readings(of: [ReportingHolder].self, Array(text.utf8), options: .init(countsProperties: true))
        #expect(read.disagreements == [])
        #expect(read.report.unknownKeys.map(\.path) == ["[0].e.inner.x", "[0].e.inner.y"])
        #expect(read.report.unknownKeys.map(\.count) == [2, 1])
        #expect(read.report.unknownKeyCount == 3)
        let counts = read.report.properties.filter { $0.model == "OtherTried" }
        #expect(counts.map(\.objectCount) == [2])
        #expect(read.report.properties.filter { $0.model == "ReportingTried" && $0.objectCount > 0 }.isEmpty)
    }
}
#endif
