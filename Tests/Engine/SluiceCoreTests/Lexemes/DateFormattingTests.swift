import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DateFormattingTests {
    @Test(
        arguments: [
            (1_390_220_688, 0, "2014-01-20T12:24:48Z"), (1_390_220_688, 500_000_000, "2014-01-20T12:24:48.500Z"),
            (1_390_220_688, 123_456_000, "2014-01-20T12:24:48.123456Z"),
            (1_390_220_688, 123_456_789, "2014-01-20T12:24:48.123456789Z"),
            (1_390_220_688, 1, "2014-01-20T12:24:48.000000001Z"), (1_390_220_688, 1000, "2014-01-20T12:24:48.000001Z"),
            (1_390_220_688, 1_000_000, "2014-01-20T12:24:48.001Z"), (0, 0, "1970-01-01T00:00:00Z"),
            (-1, 0, "1969-12-31T23:59:59Z"),
            (-1, 999_000_000, "1969-12-31T23:59:59.999Z"), (951_782_400, 0, "2000-02-29T00:00:00Z"),
            (-62_167_219_200, 0, "0000-01-01T00:00:00Z"),
            (-62_167_219_201, 0, "-000001-12-31T23:59:59Z"), (253_402_300_799, 0, "9999-12-31T23:59:59Z"),
            (253_402_300_800, 0, "+010000-01-01T00:00:00Z"),
            (Int64.max, 999_999_999, "+292277026596-12-04T15:30:07.999999999Z"),
            (Int64.min, 0, "-292277022657-01-27T08:29:52Z"),
        ] as [(Int64, Int32, String)])
    func momentHasItsText(_ seconds: Int64, _ nanoseconds: Int32, _ text: String) {
        #expect(written(JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)) == text)
    }

    @Test func nanosecondsSetOutOfRangeAreCarried() {
        var moment = JSONTimestamp(seconds: 1, nanoseconds: 0)
        moment.nanoseconds = -500_000_000
        #expect(written(moment) == "1970-01-01T00:00:00.500Z")
        moment.nanoseconds = .max
        #expect(written(moment) == "1970-01-01T00:00:03.147483647Z")
        moment = JSONTimestamp(seconds: .max, nanoseconds: 0)
        moment.nanoseconds = .max
        #expect(written(moment) == "+292277026596-12-04T15:30:07.999999999Z")
    }

    @Test func everyMomentReadsBack() {
        var random = SplitMix64(seed: 31)
        let fractions: [Int32] = [0, 1_000_000, 1000, 1]
        for round in 0..<20_000 {
            // All magnitudes: from seconds around 1970 to the ends of Int64.
            let seconds = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            let unit = fractions[round % 4]
            let nanoseconds = unit == 0 ? 0 : Int32(random.next() % UInt64(1_000_000_000 / unit)) * unit
            let moment = JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)
            let text = written(moment)
            var bytes = text
            let back = bytes.withUTF8 { unsafe DateParsing.parse($0.baseAddress!, $0.count) }
            if back != moment { Issue.record("\(moment) written \(text)") }
        }
    }

    // Found by `Scripts/net fuzz`: the midnight before the first moment is beyond 64 bits.
    @Test(arguments: [0, 1, 799, 86_399, 86_400] as [UInt64])
    func momentsAtTheEndsOfTimeReadBack(_ distance: UInt64) {
        expectReadsBack(Int64.min + Int64(distance))
        expectReadsBack(Int64.max - Int64(distance))
    }

    private func expectReadsBack(_ seconds: Int64) {
        var text = written(JSONTimestamp(seconds: seconds, nanoseconds: 1))
        let back = text.withUTF8 { unsafe DateParsing.parse($0.baseAddress!, $0.count) }
        #expect(back == JSONTimestamp(seconds: seconds, nanoseconds: 1))
    }

    @Test(arguments: ["-292277022657-01-27T08:29:51Z", "+292277026596-12-04T15:30:08Z", "-292277022657-01-26"])
    func momentsBeyondTheEndsOfTimeAreNotRead(_ text: String) {
        var text = text
        let moment = text.withUTF8 { unsafe DateParsing.parse($0.baseAddress!, $0.count) }
        #expect(moment == nil)
    }

    @Test func momentsOfOurEraLookLikeFoundations() {
        var random = SplitMix64(seed: 32)
        for _ in 0..<4000 {
            let seconds = -12_212_553_600 + Int64(random.next() % 265_614_853_800)
            let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            if written(JSONTimestamp(seconds: seconds, nanoseconds: 0)) != text { Issue.record("\(text)") }
        }
    }

    @Test func theLongestTextFits() {
        var bytes = [UInt8](repeating: 0xA5, count: DateFormatting.maximumLength + 16)
        let longest = JSONTimestamp(seconds: .min, nanoseconds: 999_999_999)
        let count = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe DateFormatting.writeISO8601(longest, to: $0.baseAddress!)
        }
        #expect(count <= DateFormatting.maximumLength)
        #expect(bytes[count...].allSatisfy { $0 == 0xA5 })
    }
}

private func written(_ moment: JSONTimestamp) -> String {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DateFormatting.maximumLength) { buffer in
        let count = unsafe DateFormatting.writeISO8601(moment, to: buffer.baseAddress!)
        return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
}
