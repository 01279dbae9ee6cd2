#if Macros
import Foundation
import Testing

@testable import Sluice
@testable import SluiceTestSupport

@Suite struct DateTests {
    @JSONModel
    struct Times: Equatable {
        var at: Date
        var maybe: Date?
        var list: [Date] = []
        var holes: [Date?] = []
        var named: [String: Date] = [:]
        @JSONKey("deep.at") var deep: Date?
    }

    /// The forms of each family, with the seconds since 1970 that `date -u +%s` gives for them.
    static let forms: [(String, Double)] = [
        ("2014-01-20T12:24:48Z", 1_390_220_688), ("2014-01-20T12:24:48z", 1_390_220_688),
        ("2014-01-20T12:24:48+0800", 1_390_191_888), ("2014-01-20T12:24:48-08:00", 1_390_249_488),
        ("2014-01-20T12:24:48.250Z", 1_390_220_688.25), ("2014-01-20 12:24:48", 1_390_220_688),
        ("2014-01-20 12:24:48.500", 1_390_220_688.5), ("2014-01-20T12:24", 1_390_220_640), ("2014-01-20", 1_390_176_000),
        ("Sun Aug 31 00:29:15 +0000 2014", 1_409_444_955), ("Wed Sep 16 12:20:09 +0800 2015", 1_442_377_209),
        ("Fri Sep 04 00:12:21.000 +0800 2015", 1_441_296_741), ("Tue, 15 Nov 1994 08:12:31 GMT", 784_887_151),
        ("/Date(1508305864500+0000)/", 1_508_305_864.5), ("1969-12-31T23:59:59.75Z", -0.25),
        ("1600-02-29", -11_670_998_400), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @JSONModel
    struct Counted: Equatable {
        @JSONDate(.unix) var at: Date?
        @JSONDate(.milliseconds) var list: [Date] = []
        var number: Decimal?
    }

    @Test("M13: a boolean is no date", arguments: [#"{"at":true}"#, #"{"at":false}"#, #"{"list":[true]}"#])
    func booleansAreNoDates(_ json: String) {
        for options in [JSONReader.Options.lenient, .strict] {
            let reading = readings(of: Counted.self, Array(json.utf8), options: options)
            #expect(reading.disagreements == [])
            #expect(reading.error?.kind == .typeMismatch)
        }
        #expect(try! Counted(json: json, options: .yyModel) == Counted())
        #expect(throws: JSONError.self) { try Times(json: #"{"at":true}"#, options: .init(dates: .unix)) }
        #expect(try! Counted(json: #"{"at":1,"number":true}"#) == Counted(at: Date(timeIntervalSince1970: 1), number: 1))
    }

    @Test(arguments: forms) func everyFormHasItsMoment(_ text: String, _ seconds: Double) throws {
        let expected = Date(timeIntervalSince1970: seconds)
        let json =
            #"{"at":"\#(text)","maybe":"\#(text)","list":["\#(text)"],"holes":[null,"\#(text)"],"named":{"k":"\#(text)"},"deep":{"at":"\#(text)"}}"#
        let reading = readEveryWay(Times.self, json)
        #expect(reading.disagreements == [])
        let wanted = Times(
            at: expected, maybe: expected, list: [expected], holes: [nil, expected], named: ["k": expected], deep: expected)
        #expect(reading.outcome == .value(wanted))
    }

    @Test func escapedTextIsADateToo() throws {
        let times = try Times(json: #"{"at":"2014-01-20\u005412:24:48\u005A"}"#)
        #expect(times.at == Date(timeIntervalSince1970: 1_390_220_688))
    }

    @Test(arguments: [
        (1_390_220_688, "2014-01-20T12:24:48Z"), (1_390_220_688.25, "2014-01-20T12:24:48.250Z"),
        (-0.25, "1969-12-31T23:59:59.750Z"),
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (1_390_220_688.000_001, "2014-01-20T12:24:48.000001Z"),
        (0.999_999_9, "1970-01-01T00:00:01Z"),
    ])
    func momentsHaveThisText(_ seconds: Double, _ text: String) throws {
        let written = try Times(at: Date(timeIntervalSince1970: seconds)).jsonString()
        #expect(written == #"{"at":"\#(text)","list":[],"holes":[],"named":{}}"#)
    }

    @Test(arguments: [Date.distantFuture, Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: 0)])
    func landmarksReadBackEqualAndHaveFoundationsText(_ date: Date) throws {
        let text = try Times(at: date).jsonString()
        #expect(try Times(json: text) == Times(at: date))
        #expect(text.contains("\"" + ISO8601DateFormatter().string(from: date) + "\""))
    }

    /// Foundation's calendar is the Julian one before 1582 and says `0001-01-01`; ISO 8601 has the Gregorian calendar throughout.
    @Test func distantPastReadsBackEqual() throws {
        let text = try Times(at: .distantPast).jsonString()
        #expect(text.hasPrefix(#"{"at":"0000-12-30T00:00:00Z","#))
        #expect(try Times(json: text) == Times(at: .distantPast))
    }

    @Test func wholeMicrosecondsReadBackEqual() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            let moment = JSONTimestamp(
                seconds: .random(in: -2_000_000_000...4_000_000_000, using: &random),
                nanoseconds: .random(in: 0..<1_000_000, using: &random) * 1000)
            let date = Date(moment)
            #expect(JSONTimestamp(date) == moment)
            let text = try Times(at: date).jsonString()
            #expect(try Times(json: text).at == date, "\(text)")
        }
    }

    @Test func anyDateReadsBackWithinHalfAMicrosecond() throws {
        var random = SplitMix64(seed: 8)
        for _ in 0..<500 {
            let date = Date(timeIntervalSinceReferenceDate: .random(in: -3e9...3e9, using: &random))
            let again = try Times(json: try Times(at: date).jsonString()).at
            #expect(abs(again.timeIntervalSince(date)) <= 0.6e-6)
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
    func datesOutsideTimeAreNotWritable(_ interval: Double) {
        let times = Times(at: Date(timeIntervalSinceReferenceDate: interval))
        let error = #expect(throws: JSONError.self) { try times.jsonString() }
        #expect(error?.kind == .notWritable)
        #expect(error?.path == "at")
    }

    @Test(arguments: [#""soon""#, #""2014-02-30""#, #""""#, "12345", "true", "[]", "{}"])
    func whatIsNoDateIsAnErrorWithItsPosition(_ value: String) {
        let json = #"{"at":"2014-01-20","list":["2014-01-20",\#(value)]}"#
        let error = #expect(throws: JSONError.self) { try Times(json: json, options: .strict) }
        #expect(error?.path == "list[1]")
        #expect(error?.offset == 40)
        #expect(error?.expected == "Date")
        let isConvertible = value.hasPrefix("\"") || value == "12345"
        #expect(error?.kind == (isConvertible ? .invalidValue : .typeMismatch))
        #expect(readEveryWay(Times.self, json).disagreements == [])
    }
}
#endif
