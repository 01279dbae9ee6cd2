// SPEC §1.5.3: dates (F19), the forms of `JSONDateFormat` in both directions, and epochs found out by their magnitude.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DateSpecTests {
    // MARK: The strings that need no format

    @Test(
        "F19: every form of the mapping libraries has its epoch",
        arguments: [
            ("2014-05-06", 1_399_334_400, 0),
            ("2014-05-06 07:08:09", 1_399_360_089, 0), ("2014-05-06T07:08:09", 1_399_360_089, 0),
            ("2014-01-20T12:24:48Z", 1_390_220_688, 0), ("2014-01-20T12:24:48z", 1_390_220_688, 0),
            ("2014-05-06 07:08:09.000", 1_399_360_089, 0), ("2014-05-06T07:08:09.000", 1_399_360_089, 0),
            ("2014-01-20T12:24:48+0800", 1_390_191_888, 0), ("2014-01-20T12:24:48.000Z", 1_390_220_688, 0),
            ("2014-01-20T12:24:48+12:00", 1_390_177_488, 0),
            ("2014-01-20T12:24:48.000+0800", 1_390_191_888, 0), ("2014-01-20T12:24:48.000+12:00", 1_390_177_488, 0),
            ("Fri Sep 04 00:12:21 +0800 2015", 1_441_296_741, 0), ("Fri Sep 04 00:12:21.000 +0800 2015", 1_441_296_741, 0),
            ("Wed Sep 16 12:20:09 +0800 2015", 1_442_377_209, 0),
            // What their users asked for.
            ("2014-05-06 07:08:09.250", 1_399_360_089, 250_000_000),
            ("/Date(1508305864550+0000)/", 1_508_305_864, 550_000_000),
            ("2014-05-06T07:08:09.123456", 1_399_360_089, 123_456_000),
            ("2014-05-06T07:08:09.123456Z", 1_399_360_089, 123_456_000),
            ("Tue, 06 May 2014 07:08:09 GMT", 1_399_360_089, 0),
            ("2014-05-06T07:08", 1_399_360_080, 0), ("2014-05-06T07:08z", 1_399_360_080, 0),
        ] as [(String, Int64, Int32)])
    func formHasItsEpoch(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) throws {
        #expect(try [Moment](json: "[\"\(text)\"]") == [Moment(seconds, nanoseconds)])
    }

    @Test(
        "F19: a day that no calendar has is no date",
        arguments: [
            "2014-02-29", "2014-02-30", "2000-02-30", "1900-02-29", "2014-04-31", "2014-13-01", "2014-00-01", "2014-01-00",
            "2014-01-20T25:00:00Z", "2014-01-20T12:60:00Z", "2014-01-20T12:24:61Z", "2014-01-20T12:24:48+24:00",
        ])
    func impossibleDayIsNoDate(_ text: String) {
        #expect(failure(reading: [Moment].self, "[\"\(text)\"]")?.kind == .invalidValue)
        #expect(string(.iso8601, text) == nil)
    }

    @Test("F19: leap years are those of the Gregorian calendar")
    func leapYears() {
        for (year, isLeap) in [("2000", true), ("1900", false), ("2012", true), ("2014", false), ("0000", true), ("2400", true)] {
            #expect((string(.iso8601, "\(year)-02-29") != nil) == isLeap)
            #expect((string(.format("yyyy/MM/dd"), "\(year)/02/29") != nil) == isLeap)
            #expect((string(.rfc1123, "Tue, 29 Feb \(year) 00:00:00 GMT") != nil) == isLeap)
        }
    }

    @Test("F19: the first and the last year of four digits are read and written by every format")
    func extremeYears() throws {
        for (seconds, iso, rfc, slashes) in [
            (-62_135_596_800, "0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 GMT", "0001/01/01 00:00:00"),
            (253_402_300_799, "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT", "9999/12/31 23:59:59"),
        ] as [(Int64, String, String, String)] {
            let moment = JSONTimestamp(seconds: seconds, nanoseconds: 0)
            for (format, text) in [
                (JSONDateFormat.iso8601, iso), (.rfc1123, rfc), (.format("yyyy/MM/dd HH:mm:ss"), slashes),
            ] {
                #expect(try written(moment, format) == "\"\(text)\"")
                #expect(string(format, text) == moment)
            }
            #expect(try written(moment, .unix) == "\(seconds)")
            #expect(number(.unix, "\(seconds)") == moment)
        }
    }

    @Test("F19: offsets move a moment by up to a day")
    func extremeOffsets() {
        for (text, seconds) in [
            ("+23:59", -86_340), ("-23:59", 86_340), ("+14:00", -50_400), ("-12:00", 43_200), ("+00:00", 0), ("-00:00", 0),
            ("+05:45", -20_700),
        ] as [(String, Int64)] {
            #expect(string(.iso8601, "1970-01-01T00:00:00" + text)?.seconds == seconds)
            #expect(string(.format("yyyy-MM-dd'T'HH:mm:ssXXX"), "1970-01-01T00:00:00" + text)?.seconds == seconds)
            #expect(string(.format("yyyy-MM-dd HH:mm Z"), "1970-01-01 00:00 " + text)?.seconds == seconds)
        }
        for text in ["+24:00", "-24:00", "+00:60", "+1", "+", "+1:00", "0100"] {
            #expect(string(.iso8601, "1970-01-01T00:00:00" + text) == nil)
            #expect(string(.format("yyyy-MM-dd'T'HH:mm:ssXXX"), "1970-01-01T00:00:00" + text) == nil)
        }
    }

    // MARK: Epochs

    @Test(
        "F19: an epoch is exact, with a fraction, before 1970 and in any spelling of the number",
        arguments: [
            ("1390220688", 1_390_220_688, 0), ("0", 0, 0), ("-0", 0, 0), ("-1", -1, 0), ("1.5", 1, 500_000_000),
            ("-0.5", -1, 500_000_000), ("-1.25", -2, 750_000_000), ("1390220688.123456789", 1_390_220_688, 123_456_789),
            ("1390220688.000000001", 1_390_220_688, 1), ("1390220688.0000000019", 1_390_220_688, 1),
            ("0.0000000009", 0, 0), ("-0.0000000009", 0, 0), ("1.390220688e9", 1_390_220_688, 0),
            ("1390220688000e-3", 1_390_220_688, 0), ("13902206885E-1", 1_390_220_688, 500_000_000), ("1e0", 1, 0),
            ("9223372036854775807.999999999", .max, 999_999_999), ("-9223372036854775808", .min, 0), ("0e999999999999", 0, 0),
            ("1e-400", 0, 0),
        ] as [(String, Int64, Int32)])
    func epochIsExact(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) {
        let moment = JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(number(.unix, text) == moment)
        #expect(string(.unix, text) == moment)
        #expect(string(.unix, " \(text)\n") == moment)
    }

    @Test("F19: milliseconds and microseconds are exact too")
    func smallerUnits() {
        #expect(number(.milliseconds, "1508305864550") == JSONTimestamp(seconds: 1_508_305_864, nanoseconds: 550_000_000))
        #expect(number(.milliseconds, "-1") == JSONTimestamp(seconds: -1, nanoseconds: 999_000_000))
        #expect(number(.milliseconds, "0.5") == JSONTimestamp(seconds: 0, nanoseconds: 500_000))
        #expect(number(.milliseconds, "9223372036854775807000") == JSONTimestamp(seconds: .max, nanoseconds: 0))
        #expect(number(.microseconds, "1508305864550001") == JSONTimestamp(seconds: 1_508_305_864, nanoseconds: 550_001_000))
        #expect(number(.microseconds, "-0.001") == JSONTimestamp(seconds: -1, nanoseconds: 999_999_999))
        #expect(string(.microseconds, "1508305864550001") == number(.microseconds, "1508305864550001"))
    }

    @Test(
        "F19: what is no epoch is no date",
        arguments: [
            "", " ", "-", "1 2", "1.", ".5", "abc", "2014-05-06", "0x10", "1e", "NaN", "9223372036854775808",
            "-9223372036854775809", "1e19", "1e400", "123456789012345678901234567890",
        ])
    func noEpoch(_ text: String) {
        #expect(string(.unix, text) == nil)
        if !text.isEmpty { #expect(number(.unix, text) == nil) }
    }

    @Test("F19: an epoch is written as an integer, or with as much of a fraction as there is")
    func epochsAreWritten() throws {
        for (seconds, nanoseconds, unix, milliseconds, microseconds) in [
            (1_390_220_688, 0, "1390220688", "1390220688000", "1390220688000000"),
            (1_390_220_688, 500_000_000, "1390220688.5", "1390220688500", "1390220688500000"),
            (1_390_220_688, 123_456_000, "1390220688.123456", "1390220688123.456", "1390220688123456"),
            (0, 1, "0.000000001", "0.000001", "0.001"), (0, 0, "0", "0", "0"),
            (-1, 500_000_000, "-0.5", "-500", "-500000"), (-2, 999_999_999, "-1.000000001", "-1000.000001", "-1000000.001"),
            (
                .max, 999_999_999, "9223372036854775807.999999999", "9223372036854775807999.999999",
                "9223372036854775807999999.999"
            ),
            (.min, 0, "-9223372036854775808", "-9223372036854775808000", "-9223372036854775808000000"),
        ] as [(Int64, Int32, String, String, String)] {
            let moment = JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)
            for (format, text) in [
                (JSONDateFormat.unix, unix), (.milliseconds, milliseconds), (.microseconds, microseconds),
            ] {
                #expect(try written(moment, format) == text)
                #expect(number(format, text) == moment)
            }
        }
    }

    @Test("F19: the magnitude of an epoch tells its unit")
    func detection() {
        let moment = JSONTimestamp(seconds: 1_390_220_688, nanoseconds: 0)
        for text in ["1390220688", "1390220688000", "1390220688000000", "1390220688.0", "1.390220688e15"] {
            #expect(detected(text) == moment)
        }
        #expect(detected("1401234567000") == JSONTimestamp(seconds: 1_401_234_567, nanoseconds: 0))
        #expect(detected("1508305864550") == JSONTimestamp(seconds: 1_508_305_864, nanoseconds: 550_000_000))
        #expect(detected("0") == JSONTimestamp(seconds: 0, nanoseconds: 0))
        #expect(detected("-1.5") == JSONTimestamp(seconds: -2, nanoseconds: 500_000_000))
        #expect(detected("-100000000000") == JSONTimestamp(seconds: -100_000_000, nanoseconds: 0))
        #expect(detected("99999999999")?.seconds == 99_999_999_999)
        #expect(detected("100000000000")?.seconds == 100_000_000)
        #expect(detected("99999999999999")?.seconds == 99_999_999_999)
        #expect(detected("100000000000000")?.seconds == 100_000_000)
        #expect(detected("99999999999999999")?.seconds == 99_999_999_999)
        for text in ["100000000000000000", "-1e17", "1e400", "abc", ""] { #expect(detected(text) == nil) }
    }

    // MARK: Formats that name one form

    @Test("F19: a format that is named reads no other form")
    func formatsAreExclusive() {
        let texts = ["2014-01-20T12:24:48Z", "1390220688", "Mon, 20 Jan 2014 12:24:48 GMT", "20.01.2014 12:24:48"]
        let formats: [JSONDateFormat] = [.iso8601, .unix, .rfc1123, .format("dd.MM.yyyy HH:mm:ss")]
        for (index, format) in formats.enumerated() {
            for (other, text) in texts.enumerated() {
                #expect((string(format, text) == JSONTimestamp(seconds: 1_390_220_688, nanoseconds: 0)) == (index == other))
                if index != other { #expect(string(format, text) == nil) }
            }
        }
        #expect(string(.iso8601, "/Date(0)/") == nil)
        #expect(number(.iso8601, "1390220688") == nil)
        #expect(number(.rfc1123, "1390220688") == nil)
    }

    @Test("F19: a pattern of digits reads a number, too")
    func patternsReadNumbers() {
        #expect(number(.format("yyyyMMdd"), "20140506") == JSONTimestamp(seconds: 1_399_334_400, nanoseconds: 0))
        #expect(number(.format("yyyyMMdd"), "20140230") == nil)
        #expect(number(.format("yyyyMMdd"), "2014050") == nil)
    }

    @Test("F19: RFC 1123 loses the fraction and knows no year of five digits")
    func rfc1123() throws {
        let moment = JSONTimestamp(seconds: 784_887_151, nanoseconds: 999_999_999)
        #expect(try written(moment, .rfc1123) == #""Tue, 15 Nov 1994 08:12:31 GMT""#)
        for seconds in [253_402_300_800, -62_167_219_201] as [Int64] {
            let error = failure { () throws(JSONError) in
                try written(JSONTimestamp(seconds: seconds, nanoseconds: 0), .rfc1123)
            }
            #expect(error?.kind == .notWritable)
        }
    }

    // MARK: Patterns

    @Test(
        "F19: every field of a pattern is written and read",
        arguments: [
            ("yyyy-MM-dd'T'HH:mm:ssZ", "2014-05-06T07:08:09+0000"), ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", "2014-05-06T07:08:09Z"),
            ("yyyy-MM-dd HH:mm:ss X", "2014-05-06 07:08:09 Z"), ("yyyy-MM-dd HH:mm:ss XX", "2014-05-06 07:08:09 Z"),
            ("yyyy-MM-dd HH:mm:ss XXX", "2014-05-06 07:08:09 Z"), ("yyyy-MM-dd HH:mm:ss x", "2014-05-06 07:08:09 +00"),
            ("yyyy-MM-dd HH:mm:ss xx", "2014-05-06 07:08:09 +0000"), ("yyyy-MM-dd HH:mm:ss xxx", "2014-05-06 07:08:09 +00:00"),
            ("EEE, dd MMM yyyy HH:mm:ss zzz", "Tue, 06 May 2014 07:08:09 GMT"),
            ("EEEE, d MMMM y 'at' h:mm:ss a", "Tuesday, 6 May 2014 at 7:08:09 AM"),
            ("EEE MMM dd HH:mm:ss Z yyyy", "Tue May 06 07:08:09 +0000 2014"), ("M/d/yy, H:m:s", "5/6/14, 7:8:9"),
            ("yyyyMMddHHmmss", "20140506070809"), ("yyMMddHHmmss", "140506070809"),
            ("hh:mm:ss a dd.MM.yyyy", "07:08:09 AM 06.05.2014"),
            ("''yyyy'' 'o''clock' MM-dd HH:mm:ss", "'2014' o'clock 05-06 07:08:09"),
            ("yyyy年MM月dd日 HH:mm:ss", "2014年05月06日 07:08:09"), ("yyyyyy-MM-dd HH:mm:ss", "002014-05-06 07:08:09"),
        ])
    func fieldsAreWrittenAndRead(_ pattern: String, _ text: String) throws {
        let moment = JSONTimestamp(seconds: 1_399_360_089, nanoseconds: 0)
        #expect(try written(moment, .format(pattern)) == "\"\(text)\"")
        #expect(string(.format(pattern), text) == moment)
    }

    @Test("F19: fractions have as many digits as letters, and are read with any number of them")
    func fractions() throws {
        let moment = JSONTimestamp(seconds: 9, nanoseconds: 123_456_789)
        for digits in 1...9 {
            let pattern = "ss." + String(repeating: "S", count: digits)
            #expect(try written(moment, .format(pattern)) == "\"09.\("123456789".prefix(digits))\"")
            #expect(string(.format(pattern), "09.123456789") == moment)
            #expect(string(.format(pattern), "09.5") == JSONTimestamp(seconds: 9, nanoseconds: 500_000_000))
            #expect(string(.format(pattern), "09.") == nil)
        }
        #expect(string(.format("ss.SSSyyyy"), "09.1232014")?.nanoseconds == 123_000_000)
        #expect(string(.format("ss.SSSyyyy"), "09.122014") == nil)
    }

    @Test("F19: of a fraction or a year that a pattern has twice, the fuller one counts")
    func fieldsTwice() throws {
        let moment = JSONTimestamp(seconds: 0, nanoseconds: 999_999_900)
        #expect(try written(moment, .format("SSSSSSS.S")) == #""9999999.9""#)
        #expect(string(.format("SSSSSSS.S"), "9999999.9") == moment)
        #expect(string(.format("S.SSSSSSS"), "9.9999999") == moment)
        #expect(string(.format("yyyy, yy"), "1914, 14") == string(.iso8601, "1914-01-01"))
        #expect(string(.format("yy, yyyy"), "14, 1914") == string(.iso8601, "1914-01-01"))
    }

    @Test("F19: noon and midnight are twelve o'clock")
    func halfDays() throws {
        for (text, hour) in [
            ("12:00 AM", 0), ("12:30 AM", 0), ("01:00 am", 1), ("11:59 AM", 11), ("12:00 PM", 12), ("11:59 pm", 23),
        ] {
            #expect(string(.format("hh:mm a"), text).map { $0.seconds / 3600 } == Int64(hour))
        }
        #expect(try written(JSONTimestamp(seconds: 0, nanoseconds: 0), .format("hh:mm a")) == #""12:00 AM""#)
        #expect(try written(JSONTimestamp(seconds: 43_200, nanoseconds: 0), .format("hh:mm a")) == #""12:00 PM""#)
        for text in ["00:30 AM", "13:00 PM", "12:00 XM", "12:00", "12:00 A"] { #expect(string(.format("hh:mm a"), text) == nil) }
    }

    @Test("F19: a year of two digits is that of POSIX")
    func twoDigitYears() {
        for (text, year) in [("00", 2000), ("68", 2068), ("69", 1969), ("99", 1999)] {
            #expect(string(.format("yy"), text) == string(.iso8601, "\(year)-01-01"))
        }
        #expect(string(.format("yy"), "2014") == nil)
    }

    @Test("F19: a pattern reads nothing but what it says")
    func patternsAreExact() {
        for (pattern, text) in [
            ("yyyy-MM-dd", "2014-5-06"), ("yyyy-MM-dd", "2014-05-6"), ("yyyy-MM-dd", "2014-05-06 "),
            ("yyyy-MM-dd", " 2014-05-06"),
            ("yyyy-MM-dd", "2014-05"), ("yyyy-MM-dd", "2014/05/06"), ("yyyy-MM-dd", "2014-02-30"), ("yyyy-MM-dd", ""),
            ("yyyy-MM-dd", "14-05-06"), ("dd MMM yyyy", "06 Mai 2014"), ("dd MMM yyyy", "06 June 2014"),
            ("dd MMMM yyyy", "06 Jun 2014"), ("EEE d", "Die 6"), ("HH:mm", "24:01"), ("HH:mm", "07:60"), ("HH:mm:ss", "07:08:61"),
            ("yyyy Z", "2014 "), ("yyyy Z", "2014 PST"), ("yyyy 'at'", "2014 aT"), ("d/M", "0/1"), ("d/M", "1/13"),
        ] { #expect(string(.format(pattern), text) == nil, "\(pattern): \(text)") }
        #expect(string(.format("dd MMM yyyy"), "06 jun 2014") != nil)
        #expect(string(.format("d/M/yyyy"), "16/12/2014") != nil)
        #expect(string(.format("HH:mm"), "24:00")?.seconds == 86_400)
        #expect(string(.format("MM-dd"), "01-02")?.seconds == 86_400)
    }

    @Test(
        "F19: a pattern that is not understood is an error of the model",
        arguments: [
            ("yyyy-QQ", "the unknown field 'QQ'"), ("yyyy-MMMMM", "the unknown field 'MMMMM'"),
            ("ddd", "the unknown field 'ddd'"),
            ("yyyy'T", "a quote without an end"), ("", "no field"), ("'only text'", "no field"), ("---", "no field"),
            ("hh:mm", "the hour 'h' without 'a'"), ("HH:mm a", "'a' without the hour 'h'"),
            ("yyyyMd", "a number of no fixed width"), ("HH:mm ZHH", "a zone before a number"),
            ("ZZZZ", "the unknown field 'ZZZZ'"),
            ("SSSSSSSSSS", "the unknown field"), ("yyyy-MM-ddTHH", "the unknown field 'T'"), ("yyyy w", "the unknown field 'w'"),
        ])
    func badPatternsAreReported(_ pattern: String, _ words: String) throws {
        let problem = try #require(JSONDateFormat.format(pattern).problem(of: "day"))
        #expect(problem.kind == .invalidModel)
        #expect(problem.found.hasPrefix(words))
        #expect(problem.found.hasSuffix("in the date pattern \"\(pattern)\" of 'day'"))
        #expect(string(.format(pattern), "2014") == nil)
        #expect(
            failure { () throws(JSONError) in try written(.init(seconds: 0, nanoseconds: 0), .format(pattern)) }?.kind
                == .invalidModel)
    }

    private enum BadPattern: PolicyChoice { static let policy = JSONPropertyPolicy(date: .format("yyyy-QQ")) }

    @Test("F19: a model with such a pattern can neither be read nor written")
    func badPatternOfAModel() throws {
        let read = try #require(failure(reading: Formatted<Moment, BadPattern>.self, "{}"))
        #expect(read.kind == .invalidModel)
        #expect(read.found == "the unknown field 'QQ' in the date pattern \"yyyy-QQ\" of 'styled'")
        #expect(failure { () throws(JSONError) in try Formatted<Moment, BadPattern>().jsonString() }?.found == read.found)
    }

    // MARK: Against Foundation, and back

    @Test("F19: patterns agree with Foundation's formatter")
    func agreesWithFoundation() throws {
        var random = SplitMix64(seed: 191)
        for pattern in [
            "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd HH:mm:ss.SSS", "EEE, dd MMM yyyy HH:mm:ss Z", "EEEE d MMMM yyyy, h:mm:ss a XXX",
            "M/d/yyyy HH:mm:ss xxx", "yyyyMMddHHmmss", "'T'''hh:mm:ss a dd.MM.yyyy", "yyyy-MM-dd'T'HH:mm:ss.SSSZZZZZ",
            "E MMM dd HH:mm:ss XX yyyy", "H:m:s X d-M-yyyy",
        ] {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = pattern
            for _ in 0..<100 {
                // From 1600, when Foundation's calendar is Gregorian, to 2599.
                let seconds = -11_676_096_000 + Int64(random.next() % 31_556_908_800)
                let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
                let moment = JSONTimestamp(seconds: seconds, nanoseconds: 0)
                #expect(try written(moment, .format(pattern)) == "\"\(text)\"")
                #expect(string(.format(pattern), text) == moment)
            }
        }
    }

    @Test("F19: every moment reads back in every format that holds it")
    func roundTrips() throws {
        var random = SplitMix64(seed: 192)
        let full: [JSONDateFormat] = [.iso8601, .unix, .milliseconds, .microseconds, .format("y-MM-dd HH:mm:ss.SSSSSSSSS Z")]
        let ofSeconds: [JSONDateFormat] = [
            .rfc1123, .format("yyyyMMddHHmmss"), .format("EEE MMM dd hh:mm:ss a xxx yyyy"), .format("d/M/yyyy H:m:s"),
        ]
        for _ in 0..<3000 {
            let seconds = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            let nanoseconds = Int32(random.next() % 1_000_000_000)
            for format in full {
                try expectBack(JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds), format)
            }
            let near = Int64(random.next() % 315_537_897_600) - 62_135_596_800
            for format in ofSeconds { try expectBack(JSONTimestamp(seconds: near, nanoseconds: 0), format) }
        }
    }

    @Test("F19: no changed byte makes a pattern trap")
    func damagedText() throws {
        var random = SplitMix64(seed: 193)
        let formats: [(JSONDateFormat, String)] = [
            (.format("EEEE, d MMMM y 'at' h:mm:ss.SSS a XXX"), "Tuesday, 6 May 2014 at 7:08:09.123 AM +08:00"),
            (.format("yyyyMMddHHmmss"), "20140506070809"), (.unix, "-1390220688.5e3"),
            (.format("yyyy-MM-dd zzz"), "2014-05-06 GMT"), (.rfc1123, "Tue, 15 Nov 1994 08:12:31 GMT"),
        ]
        for (format, text) in formats {
            #expect(string(format, text) != nil)
            for length in 0...text.utf8.count {
                for _ in 0..<20 {
                    var bytes = Array(text.utf8.prefix(length))
                    if length > 0 { bytes[Int(random.next() % UInt64(length))] = UInt8(truncatingIfNeeded: random.next()) }
                    // A heap block that ends where the text does, for AddressSanitizer.
                    _ = unsafe bytes.withUnsafeBufferPointer {
                        unsafe format.moment(ofString: $0.baseAddress ?? NoBytes.address, length)
                    }
                    _ = unsafe bytes.withUnsafeBufferPointer {
                        unsafe format.moment(ofNumber: $0.baseAddress ?? NoBytes.address, length)
                    }
                }
            }
        }
    }

    @Test("F19: a pattern is compiled once, whoever asks")
    func patternsAreShared() async throws {
        let pattern = "yyyy 'shared by all threads' MM"
        let compiled = await withTaskGroup(of: ObjectIdentifier?.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    // A string of its own, so that the bytes are compared.
                    (try? DatePattern.compiled(String(decoding: Array(pattern.utf8), as: UTF8.self))).map(ObjectIdentifier.init)
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(!compiled.contains(nil))
        #expect(try DatePattern.compiled(pattern) === DatePattern.compiled(pattern))
    }

    private func expectBack(_ moment: JSONTimestamp, _ format: JSONDateFormat) throws {
        let text = try written(moment, format)
        let back = text.hasPrefix("\"") ? string(format, String(text.dropFirst().dropLast())) : number(format, text)
        if back != moment { Issue.record("\(moment) as \(format): \(text)") }
    }
}

private func string(_ format: JSONDateFormat, _ text: String) -> JSONTimestamp? {
    var text = text
    return text.withUTF8 { unsafe format.moment(ofString: $0.baseAddress ?? NoBytes.address, $0.count) }
}

private func number(_ format: JSONDateFormat, _ text: String) -> JSONTimestamp? {
    var text = text
    return text.withUTF8 { unsafe format.moment(ofNumber: $0.baseAddress ?? NoBytes.address, $0.count) }
}

private func detected(_ text: String) -> JSONTimestamp? {
    var text = text
    return text.withUTF8 { unsafe JSONTimestamp.epoch(detecting: $0.baseAddress ?? NoBytes.address, $0.count) }
}

private func written(_ moment: JSONTimestamp, _ format: JSONDateFormat) throws(JSONError) -> String {
    try Moment(moment.seconds, moment.nanoseconds).jsonString(options: .init(dates: format))
}
