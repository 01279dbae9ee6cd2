// Dates: every known form and any pattern. What is read is written in a form that is read as the same moment.

import SluiceTestSupport

@testable import SluiceCore

enum DateFuzz: FuzzTarget {
    static let name = "date"

    private static let pieces = [
        "yyyy", "yy", "y", "M", "MM", "MMM", "MMMM", "d", "dd", "EEE", "EEEE", "H", "HH", "h", "hh", "a", "m", "mm", "s", "ss",
        "S", "SSS", "SSSSSSSSS", "Z", "ZZZZZ", "x", "xx", "xxx", "X", "XX", "XXX", "z", "-", "/", ":", ".", ",", " ", "'T'", "''",
        "'é'", "2", "Q", "'",
    ]

    private static let dates = [
        "2014-01-20T12:24:48Z", "2014-01-20 12:24:48.250+08:00", "1969-12-31T23:59:59.999999999Z", "+012014-01-20T00:00:00Z",
        "-000001-12-31T23:59:59Z", "2014-05-06", "2016-12-31T23:59:60Z", "2014-05-06T24:00:00Z",
        "Mon, 20 Jan 2014 12:24:48 GMT", "Fri Sep 04 00:12:21 +0800 2015", "/Date(1508305864550+0800)/", "/Date(-1)/",
        "1390220688.000000001", "-1.5e3", "9223372036854775807", "1e18", "-9223372036854775808.999999999",
    ]

    /// The pattern, a line break, and a date.
    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        let pattern = (0..<(1 + random.below(12))).map { _ in random.pick(pieces) }.joined()
        var date = random.pick(dates)
        if random.below(2) == 0, let compiled = try? DatePattern(pattern) {
            date = String(decoding: write(moment(&random), by: compiled), as: UTF8.self)
        }
        return Array("\(pattern)\n\(date)".utf8)
    }

    private static func moment(_ random: inout SplitMix64) -> JSONTimestamp {
        let shift = Int64(random.below(64))
        return JSONTimestamp(
            seconds: Int64(bitPattern: random.next()) >> shift, nanoseconds: random.pick([0, 1, 250_000_000, 999_999_999]))
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        let lines = input.bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
        let date = Array(lines.last ?? [])
        checkKnownForms(date)
        checkMoment(moment(&random))
        guard let pattern = try? DatePattern(String(decoding: lines.first ?? [], as: UTF8.self)) else { return }
        checkPattern(pattern, date)
        checkPattern(pattern, write(moment(&random), by: pattern))
    }

    /// Each form that a date is read in without a pattern, and the numbers.
    private static func checkKnownForms(_ date: [UInt8]) {
        exactly(date) { bytes, count in
            for moment in [
                DateParsing.parse(bytes, count), EpochParsing.moment(ofText: bytes, count, places: 9),
                EpochParsing.moment(bytes, count, places: 3), JSONTimestamp.epoch(detecting: bytes, count),
            ] {
                if let moment { checkMoment(moment) }
            }
        }
    }

    /// Every moment has a text in ISO 8601, and as a number, and is read back.
    private static func checkMoment(_ moment: JSONTimestamp) {
        promise(moment.nanoseconds >= 0 && moment.nanoseconds < 1_000_000_000, "\(moment) has nanoseconds out of range")
        let iso = written(DateFormatting.maximumLength) { DateFormatting.writeISO8601(moment, to: $0) }
        let again = exactly(iso) { DateParsing.parse($0, $1) }
        promise(again == moment, "\(moment) is written \(text(iso)), read as \(String(describing: again))")
        for places in [9, 6, 3] {
            let number = written(NumberFormatting.maximumLength) { DateFormatting.writeEpoch(moment, places: places, to: $0) }
            let again = exactly(number) { EpochParsing.moment($0, $1, places: places) }
            promise(again == moment, "\(moment) is written \(text(number)), read as \(String(describing: again))")
        }
        guard let pattern = try? DatePattern.rfc1123(of: moment) else { return }
        let mail = write(moment, by: pattern)
        let mailed = exactly(mail) { DateParsing.rfc1123($0, $1) }
        promise(
            mailed == JSONTimestamp(seconds: moment.seconds, nanoseconds: 0),
            "\(moment) is written \(text(mail)), read as \(String(describing: mailed))")
    }

    /// A date that a pattern reads is written by it in a form that it reads again, and writes as the same.
    private static func checkPattern(_ pattern: DatePattern, _ date: [UInt8]) {
        guard let moment = exactly(date, { pattern.moment(of: $0, $1) }) else { return }
        checkMoment(moment)
        let first = write(moment, by: pattern)
        guard let again = exactly(first, { pattern.moment(of: $0, $1) }) else {
            // Half an hour's name without AM or PM, a year beyond its digits: a pattern may lose what it would need.
            return
        }
        // A year has any number of digits, and so has no end before other digits.
        if pattern.text.contains(/y(?!y)[A-Za-z]/) { return }
        // A weekday goes by the whole date, of which a pattern may keep a part.
        if pattern.text.contains("E") { return }
        let second = write(again, by: pattern)
        promise(first == second, "'\(pattern.text)' writes \(moment) as \(text(first)), then as \(text(second))")
    }

    // MARK: Memory

    private static func write(_ moment: JSONTimestamp, by pattern: DatePattern) -> [UInt8] {
        written(pattern.maximumLength) { pattern.write(moment, to: $0) }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// The bytes that `body` writes into memory of exactly `maximum` bytes.
func written(_ maximum: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) -> [UInt8] {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: maximum)
    defer { memory.deallocate() }
    let count = body(memory)
    return Array(UnsafeBufferPointer(start: memory, count: count))
}

/// Gives `body` the bytes in memory of exactly their size, so that a read after them is seen.
func exactly<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    memory.update(from: bytes, count: bytes.count)
    return body(memory, bytes.count)
}
