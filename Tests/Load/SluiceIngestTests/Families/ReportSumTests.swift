#if SQLite
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SinkConformance
@testable import SluiceIngest

/// The report of several passes over logs.
@Suite struct ReportSumTests {
    /// A run that follows logs ends with such a pass nearly always.
    @Test func aPassThatReadsNothingChangesNothingThatTheOthersHaveFound() throws {
        let log = try LogFolder()
        try log.write("{")
        func pass() throws -> IngestReport {
            try log.run {
                $0.columns = [JSONColumn(name: "id", type: .integer), JSONColumn(name: "gone", type: .text)]
                ($0.contract, $0.primaryKey, $0.conflict) = (.discardValue, ["id"], .upsert)
            }
        }
        let idle = try log.run()
        try log.write("{\"id\":1,\"more\":2}\n")
        let (first, second) = (try pass(), try pass())
        #expect(second.outcome == .nothingToDo && second.records == 0)
        for sum in [first.followed(by: second), idle.followed(by: first).followed(by: second)] {
            #expect(sum.contract == .discardValue && sum.isMerged && sum.outcome == .complete)
            #expect(sum.unseenPaths == first.unseenPaths && sum.unknownValues == first.unknownValues)
            #expect(sum.rows == first.rows && sum.isWhole == first.isWhole)
        }
        #expect(first.unknownValues > 0 && first.unseenPaths.count == 1)
    }

    /// What could not be stored is read again, and counts once.
    @Test(arguments: ["write", "release", "store"]) func aBatchThatIsNotStoredIsNotCounted(name: String) throws {
        let call = try #require(Fault.Call(rawValue: name))
        let log = try LogFolder()
        try log.write(lines(1...20))
        var sum: IngestReport?
        for number in [2, 1] {
            let fault = Fault(call, number, .before)
            let report = try? log.run(into: FaultySink(log.loader.target(), fault)) { $0.batch = 5 }
            if let report { sum = sum?.followed(by: report) ?? report }
        }
        let report = try log.run()
        sum = sum?.followed(by: report) ?? report
        #expect(try log.ids() == Array(1...20))
        #expect(sum?.records == 20 && sum?.rows.added == 20, "\(sum.map { "\($0)" } ?? "")")
    }
}
#endif
