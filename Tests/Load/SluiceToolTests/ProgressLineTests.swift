#if CommandLine
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct ProgressLineTests {
    private func state(_ bytes: Int, of total: Int?, after seconds: Double, rejected: Int = 0) -> IngestProgress {
        IngestProgress(
            bytes: bytes, totalBytes: total, records: 84_211, rejected: rejected, nanoseconds: UInt64(seconds * 1e9))
    }

    @Test func theLineSaysHowFarAndHowLong() {
        #expect(
            ProgressLine.text(for: state(50_000_000, of: 200_000_000, after: 0.5), width: 79)
                == "25 % of 200.0 MB  84,211 records  100.0 MB/s  0:02 left")
        #expect(
            ProgressLine.text(for: state(1_000_000, of: 10_000_000_000, after: 1, rejected: 3), width: 79)
                == "0 % of 10,000.0 MB  84,211 records  3 rejected  1.0 MB/s  166:39 left")
        #expect(ProgressLine.text(for: state(1_000_000, of: nil, after: 2), width: 79) == "1.0 MB  84,211 records  0.5 MB/s")
        #expect(ProgressLine.text(for: state(0, of: 0, after: 0), width: 79) == "0.0 MB  84,211 records  0.0 MB/s")
    }

    @Test func theLineFitsTheTerminalWhoseWidthChanges() {
        let state = state(50_000_000, of: 200_000_000, after: 0.5, rejected: 7)
        let whole = ProgressLine.text(for: state, width: .max)
        #expect(whole == "25 % of 200.0 MB  84,211 records  7 rejected  100.0 MB/s  0:02 left")
        for width in 0...whole.count { #expect(ProgressLine.text(for: state, width: width).count <= width) }
        #expect(
            ProgressLine.text(for: state, width: whole.count - 1) == "25 % of 200.0 MB  84,211 records  7 rejected  0:02 left")
        #expect(ProgressLine.text(for: state, width: 45) == "25 % of 200.0 MB  84,211 records  7 rejected")
        #expect(ProgressLine.text(for: state, width: 20) == "25 % of 200.0 MB")
        #expect(ProgressLine.text(for: state, width: 14) == "84,211 records")

        var shown: [String] = []
        var width = 80
        var line = ProgressLine(isShown: true, width: { width }, put: { shown.append($0) })
        line.show(state)
        width = 21
        line.show(state)
        // The last column stays free: a line that fills it wraps.
        #expect(shown == ["\r\(whole)\u{1B}[K", "\r25 % of 200.0 MB\u{1B}[K"])
    }

    @Test func inAFileTheStatesFollowEachOtherLineByLine() {
        var shown: [String] = []
        var line = ProgressLine(isShown: true, width: nil, put: { shown.append($0) })
        for tick in 0..<3_000 {
            let state = state(tick, of: nil, after: Double(tick) / 1_000)
            if line.isDue(state.nanoseconds) { line.show(state) }
        }
        line.clear()
        #expect(shown == ["0.0 MB  84,211 records  0.0 MB/s\n", "0.0 MB  84,211 records  0.0 MB/s\n"])
    }

    @Test func theLineIsShownTenTimesASecondAtTheMost() {
        var shown: [String] = []
        var line = ProgressLine(isShown: true, put: { shown.append($0) })
        for tick in 0..<1_000 {
            let state = state(tick, of: 1_000, after: Double(tick) / 1_000)
            if line.isDue(state.nanoseconds) { line.show(state) }
        }
        #expect(shown.count == 9)
        line.clear()
        line.clear()
        #expect(shown.last == "\r\u{1B}[K")
        #expect(shown.count == 10)
    }

    @Test func withoutATerminalNothingIsShown() {
        var shown = 0
        var line = ProgressLine(isShown: false, put: { _ in shown += 1 })
        #expect(!line.isDue(.max - 1))
        line.show(state(1, of: 2, after: 1))
        line.clear()
        #expect(shown == 0)
    }

    @Test(arguments: [1, 2]) func theTimeThatIsLeftIsRightWhereTheFirstRecordIsNotStored(workers: Int) throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "bad\n" + String(repeating: "{\"a\":1}\n", count: 1_000))
        var options = IngestSetup(database: scratch.path("out.db"))
        options.workers = workers
        var shown: [String] = []
        let line = ProgressLine(isShown: true, width: nil, put: { shown.append($0) })
        #expect(try options.ingest().run(inputs: [file], progress: line).stored == 1_000)
        // Whole days would be left.
        #expect(!shown.contains { $0.contains(/[0-9]{4,}:[0-9]{2} left/) }, "\(shown)")
    }
}

struct PlainNumbersTests {
    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_000, "-1,000"), (-999, "-999")])
    func thousandsAreGrouped(value: Int, text: String) {
        #expect(value.grouped == text)
    }

    @Test(arguments: [
        (0.0, 1, "0.0"), (0.05, 1, "0.1"), (1.949, 2, "1.95"), (1234.5, 1, "1,234.5"), (9.999, 2, "10.00"), (-0.5, 1, "-0.5"),
        (-0.001, 1, "0.0"), (7.02, 3, "7.020"), (41.6, 0, "42"),
    ])
    func decimalsAreFixed(value: Double, decimals: Int, text: String) {
        #expect(value.fixed(decimals) == text)
    }
}
#endif
