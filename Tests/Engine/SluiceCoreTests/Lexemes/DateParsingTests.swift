import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Epochs are those that the popular mapping libraries assert for the same text, and Foundation's calendar.
@Suite struct DateParsingTests {
    // MARK: Forms

    @Test(arguments: [
        ("2014-05-06", 1_399_334_400), ("2014-05-06 07:08:09", 1_399_360_089), ("2014-05-06T07:08:09", 1_399_360_089),
        ("2014-01-20T12:24:48Z", 1_390_220_688), ("2014-05-06 07:08:09.000", 1_399_360_089),
        ("2014-05-06T07:08:09.000", 1_399_360_089),
        ("2014-01-20T12:24:48+0800", 1_390_191_888), ("2014-01-20T12:24:48.000Z", 1_390_220_688),
        ("2014-01-20T12:24:48+12:00", 1_390_177_488),
        ("2014-01-20T12:24:48.000+0800", 1_390_191_888), ("2014-01-20T12:24:48.000+12:00", 1_390_177_488),
        ("Fri Sep 04 00:12:21 +0800 2015", 1_441_296_741), ("Fri Sep 04 00:12:21.000 +0800 2015", 1_441_296_741),
        ("Wed Sep 16 12:20:09 +0800 2015", 1_442_377_209),
    ])
    func formsOfTheMappingLibrariesHaveTheirEpochs(_ text: String, _ seconds: Int64) {
        #expect(parsed(text) == JSONTimestamp(seconds: seconds, nanoseconds: 0))
    }

    @Test(arguments: [
        ("2014-01-20t12:24:48z", 1_390_220_688, 0), ("2014-01-20 12:24:48Z", 1_390_220_688, 0),
        ("2014-01-20T12:24", 1_390_220_640, 0),
        ("2014-01-20 12:24:48 UTC", 1_390_220_688, 0), ("2014-01-20 12:24:48.5 UTC", 1_390_220_688, 500_000_000),
        ("2014-01-20 12:24 UTC", 1_390_220_640, 0),
        ("2014-01-20 12:24Z", 1_390_220_640, 0), ("2014-01-20T12:24+08", 1_390_191_840, 0),
        ("2014-01-20T12:24:48-08", 1_390_249_488, 0),
        ("2014-01-20T12:24:48-0030", 1_390_222_488, 0), ("2014-01-20T12:24:48+05:45", 1_390_199_988, 0),
        ("2014-01-20T12:24:48-00:00", 1_390_220_688, 0),
        ("2014-01-20T12:24:48.5Z", 1_390_220_688, 500_000_000), ("2014-01-20T12:24:48.25", 1_390_220_688, 250_000_000),
        ("2014-01-20T12:24:48.123456", 1_390_220_688, 123_456_000),
        ("2014-01-20T12:24:48.123456Z", 1_390_220_688, 123_456_000),
        ("2014-01-20T12:24:48.123456789Z", 1_390_220_688, 123_456_789),
        ("2014-01-20T12:24:48.1234567899999Z", 1_390_220_688, 123_456_789),
        ("2014-01-20T12:24:48,5Z", 1_390_220_688, 500_000_000), ("1969-12-31T23:59:59.75Z", -1, 750_000_000),
        ("1970-01-01", 0, 0),
        ("0000-01-01T00:00:00Z", -62_167_219_200, 0), ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
        ("1600-02-29", -11_670_998_400, 0),
        ("2016-12-31T23:59:60Z", 1_483_228_800, 0), ("2016-12-31T23:59:60.5Z", 1_483_228_800, 500_000_000),
        ("2017-01-01T08:59:60+09:00", 1_483_228_800, 0), ("2014-01-20T24:00:00Z", 1_390_262_400, 0),
        ("2014-01-20T24:00Z", 1_390_262_400, 0),
        ("+012014-01-20T12:24:48Z", 316_959_740_688, 0), ("-000001-12-31T23:59:59Z", -62_167_219_201, 0),
        ("+002014-01-20", 1_390_176_000, 0),
        ("Tue, 15 Nov 1994 08:12:31 GMT", 784_887_151, 0), ("Tue, 15 Nov 1994 08:12:31 +0100", 784_883_551, 0),
        ("tue, 15 NOV 1994 08:12:31 -0000", 784_887_151, 0), ("Sat, 5 Nov 1994 08:12:31 GMT", 784_023_151, 0),
        ("Fri Sep 04 00:12:21.250 +0800 2015", 1_441_296_741, 250_000_000),
        ("fri sep 04 00:12:21 -0000 2015", 1_441_325_541, 0),
        ("/Date(1508305864550+0000)/", 1_508_305_864, 550_000_000), ("/Date(1508305864550)/", 1_508_305_864, 550_000_000),
        ("/Date(1508305864550-0700)/", 1_508_305_864, 550_000_000), ("/Date(-1)/", -1, 999_000_000), ("/Date(-2000)/", -2, 0),
        ("/Date(0)/", 0, 0),
        ("/Date(9223372036854775807)/", 9_223_372_036_854_775, 807_000_000),
        ("/Date(-9223372036854775808)/", -9_223_372_036_854_776, 192_000_000),
    ])
    func everyOtherFormIsRead(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) {
        let moment = parsed(text)
        #expect(moment?.seconds == seconds)
        #expect(moment?.nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", "2", "2014", "2014-05", "2014-05-0", "2014-5-6", "20140506", "2014/05/06", "2014-13-01", "2014-00-01",
        "2014-01-00", "2014-01-32", "2014-02-29",
        "1900-02-29", "2014-04-31", "2014-06-31", "2014-09-31", "2014-11-31", "2014-05-06T", "2014-05-06 07",
        "2014-05-06T07:", "2014-05-06T07:0",
        "2014-05-06T07:08:", "2014-05-06T07:08:0", "2014-05-06T07:08:09.", "2014-05-06T07:08:09.Z", "2014-05-06T07:08:09X",
        "2014-05-06T07:08:09ZZ",
        "2014-05-06T07:08:09 Z", "2014-05-06T07:08:09+", "2014-05-06T07:08:09+8", "2014-05-06T07:08:09+08:",
        "2014-05-06T07:08:09+08:0",
        "2014-05-06T07:08:09+080", "2014-05-06T07:08:09+24:00", "2014-05-06T07:08:09+08:60", "2014-05-06T07:08:09+08000",
        "2014-05-06T07:08:09*08:00",
        "2014-05-06T24:00:01Z", "2014-05-06T24:01Z", "2014-05-06T24:00:00.5Z", "2014-05-06T25:00:00Z", "2014-05-06T07:60:00Z",
        "2014-05-06T07:08:61Z",
        "2014-05-06X07:08:09Z", "2014-05-06  07:08:09", "2014-05-06Z", "2014-05-06T07-08-09Z", "a014-05-06", "201a-05-06",
        "2014-0a-06", "2014-05-0a",
        "2014.05-06", "2014-05.06", "-2014-05-06", "+2014-05-06", "+02014-05-06", "-000000-01-01", "+0000000002014-01-20",
        "+002014-01-2",
        "+999999999999-01-01", "-999999999999-01-01", "Tue, 15 Nov 1994 08:12:31", "Tue, 15 Nov 1994 08:12:31 ",
        "Tue, 15 Nov 1994 08:12:31 PST",
        "Tue, 15 Nov 1994 08:12:31 gmt", "Tue, 31 Nov 1994 08:12:31 GMT", "Tux, 15 Nov 1994 08:12:31 GMT",
        "Tue, 15 Nox 1994 08:12:31 GMT",
        "Tuesday, 15-Nov-94 08:12:31 GMT", "Tue,15 Nov 1994 08:12:31 GMT  ", "Tue, 15 Nov 1994 25:12:31 GMT",
        "Fri Sep 04 00:12:21 2015",
        "Fri Sep 04 00:12:21 +0800 15", "Fri Sep 04 00:12:21 08000 2015", "Fri Sep 31 00:12:21 +0800 2015",
        "Fri Sep 04 00:12:21. +0800 2015",
        "Fri Sep 04 00:12:21  2015 2015", "Fri Sep 04 00:12:21 +0800 2015 ", "Fri Sep  4 00:12:21 +0800 2015", "/Date()/  ",
        "/Date(-)/   ",
        "/Date(1508305864550)", "/Date(1508305864550+)/", "/Date(1508305864550+00)/", "/Date(1508305864550+00:00)/",
        "/Date(15083a5864550)/",
        "/Date(9223372036854775808)/", "/date(1508305864550)/", "/Date(1.5)/", "Date(1508305864550)", "1508305864",
        "1508305864.550", "not a date at all",
        "２014-05-06",
    ])
    func anythingElseIsNil(_ text: String) {
        #expect(parsed(text) == nil)
    }

    // MARK: Against Foundation

    @Test func randomDatesAgreeWithTheCalendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var random = SplitMix64(seed: 21)
        for _ in 0..<4000 {
            // 1583, where Foundation's calendar has become Gregorian, up to 9999.
            let seconds = -12_212_553_600 + Int64(random.next() % 265_614_853_800)
            let fields = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
            func two(_ field: Int?) -> String { let text = "\(field!)"; return text.count < 2 ? "0" + text : text }
            let date = "\(fields.year!)-\(two(fields.month))-\(two(fields.day))"
            let time = "\(two(fields.hour)):\(two(fields.minute)):\(two(fields.second))"
            for text in ["\(date)T\(time)Z", "\(date) \(time)", "\(date)T\(time).000+00:00"] {
                if parsed(text)?.seconds != seconds { Issue.record("\(text) is \(seconds)") }
            }
            if parsed(date)?.seconds != seconds - (seconds % 86_400 + 86_400) % 86_400 { Issue.record("\(date)") }
        }
    }

    @Test func everyDayOfEightCenturiesIsOneAfterTheOther() {
        // Also before 1970, and across 1900 and 2100, which are not leap years.
        var day: Int64 = 0
        var next: Int64?
        for year in 1600...2400 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, length) in zip(1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for dayOfMonth in [1, length] {
                    let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(dayOfMonth < 10 ? "0" : "")\(dayOfMonth)"
                    guard let seconds = parsed(text)?.seconds else {
                        Issue.record("\(text)")
                        continue
                    }
                    if let next, dayOfMonth == 1, seconds != next { Issue.record("\(text)") }
                    if dayOfMonth == length { next = seconds + 86_400 } else { day = seconds }
                    if dayOfMonth == length, seconds - day != Int64(length - 1) * 86_400 { Issue.record("\(text)") }
                }
                let after = length + 1
                #expect(parsed("\(year)-\(month < 10 ? "0" : "")\(month)-\(after)") == nil)
            }
        }
    }

    @Test func randomDatesAgreeWithISO8601FormatStyle() throws {
        var random = SplitMix64(seed: 22)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2000 {
            let milliseconds = Int64(random.next() % 4_000_000_000_000)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let text = date.formatted(style)
            let moment = try #require(parsed(text))
            #expect(
                abs(Double(moment.seconds) + Double(moment.nanoseconds) / 1e9 - date.timeIntervalSince1970) < 0.001_5,
                "\(text)")
        }
    }

    // MARK: Robustness

    @Test func noChangedByteMakesItTrapOrReadOutside() throws {
        let page = try GuardedPage()
        var random = SplitMix64(seed: 23)
        let forms = [
            "2014-01-20T12:24:48.123+08:00", "2014-05-06", "Fri Sep 04 00:12:21.500 +0800 2015",
            "Tue, 15 Nov 1994 08:12:31 GMT", "/Date(1508305864550+0000)/",
            "-000001-12-31T23:59:59Z", "2014-01-20T12:24", "2014-01-20T12:24:48Z", "Tue, 5 Nov 1994 08:12:31 +0100",
        ]
        var rejected = 0
        for form in forms {
            #expect(parsed(form) != nil)
            for length in 0...form.utf8.count {
                for _ in 0..<20 {
                    var bytes = Array(form.utf8.prefix(length))
                    if length > 0 { bytes[Int(random.next() % UInt64(length))] = UInt8(truncatingIfNeeded: random.next()) }
                    let atEnd = unsafe DateParsing.parse(page.atEnd(bytes), length)
                    let atStart = unsafe DateParsing.parse(page.atStart(bytes), length)
                    #expect(atEnd == atStart)
                    rejected += atEnd == nil ? 1 : 0
                }
            }
        }
        #expect(rejected > 1000)
    }
}

// MARK: - The moment itself

@Suite struct JSONTimestampTests {
    @Test func earlierComesFirst() {
        let moments = [(-2, 0), (-1, 0), (-1, 999_999_999), (0, 0), (0, 1), (1, 0)].map {
            JSONTimestamp(seconds: $0.0, nanoseconds: $0.1)
        }
        for (index, moment) in moments.enumerated() {
            for (other, later) in moments.enumerated() {
                #expect((moment < later) == (index < other))
                #expect((moment == later) == (index == other))
            }
        }
    }

    @Test func nanosecondsCarryIntoSeconds() {
        #expect(JSONTimestamp(seconds: 0, nanoseconds: -1) == JSONTimestamp(seconds: -1, nanoseconds: 999_999_999))
        #expect(JSONTimestamp(seconds: 5, nanoseconds: 2_000_000_001) == JSONTimestamp(seconds: 7, nanoseconds: 1))
        #expect(JSONTimestamp(seconds: 5, nanoseconds: -1_000_000_000) == JSONTimestamp(seconds: 4, nanoseconds: 0))
        #expect(JSONTimestamp(seconds: 0, nanoseconds: .min) == JSONTimestamp(seconds: -3, nanoseconds: 852_516_352))
        #expect(
            JSONTimestamp(seconds: .max, nanoseconds: 1_000_000_000) == JSONTimestamp(seconds: .max, nanoseconds: 999_999_999)
        )
        #expect(JSONTimestamp(seconds: .min, nanoseconds: -1) == JSONTimestamp(seconds: .min, nanoseconds: 0))
    }
}

private func parsed(_ text: String) -> JSONTimestamp? {
    var text = text
    return text.withUTF8 { bytes in
        guard let base = bytes.baseAddress else { return nil }
        return unsafe DateParsing.parse(base, bytes.count)
    }
}

/// A page of memory between two that cannot be read.
@safe
private final class GuardedPage {
    private let base: UnsafeMutableRawPointer
    private let size = Int(sysconf(Int32(_SC_PAGESIZE)))

    init() throws {
        let memory = unsafe mmap(nil, 3 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        try #require(unsafe memory != MAP_FAILED)
        unsafe base = unsafe try #require(memory)
        try #require(unsafe mprotect(base, size, PROT_NONE) == 0)
        try #require(unsafe mprotect(base + 2 * size, size, PROT_NONE) == 0)
    }

    deinit { unsafe _ = munmap(base, 3 * size) }

    func atStart(_ bytes: [UInt8]) -> UnsafePointer<UInt8> { unsafe store(bytes, at: base + size) }
    func atEnd(_ bytes: [UInt8]) -> UnsafePointer<UInt8> { unsafe store(bytes, at: base + 2 * size - bytes.count) }

    private func store(_ bytes: [UInt8], at start: UnsafeMutableRawPointer) -> UnsafePointer<UInt8> {
        unsafe start.copyMemory(from: bytes, byteCount: bytes.count)
        return unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
    }
}
