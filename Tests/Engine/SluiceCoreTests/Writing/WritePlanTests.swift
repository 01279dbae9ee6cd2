// The steps of a plan: that a model took the short way is shown by its steps, not by its text.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private enum Paths: SlotKeys { static let keys: [[JSONKeyPath]] = [["a.b"], ["z"], ["a.c"]] }
private enum Shares: SlotKeys { static let keys: [[JSONKeyPath]] = [["v"], ["v"], ["w.x"], ["w"]] }
private enum Dates: PolicyChoice { static let policy = JSONPropertyPolicy(date: .unix) }
private enum Others: PolicyChoice { static let policy = JSONPropertyPolicy(nulls: .empty, isSensitive: true) }

@Suite struct WritePlanTests {
    @Test func modelWithoutFormatsHasMembersOnly() {
        #expect(operations(of: Trio<Int>.self) == [.member, .member, .member])
        #expect(operations(of: Person.self) == [.member, .open, .member, .member, .close, .member, .member])
        #expect(operations(of: Person.self, .flat) == [.member, .member, .member, .member, .member])
        #expect(operations(of: Place.self) == [.member, .member, .member])
        // What is said of reading alone does not concern writing.
        #expect(operations(of: Formatted<Moment, Others>.self) == [.member, .member])
    }

    @Test func formatsAndSharedKeysHaveStepsOfTheirOwn() {
        #expect(operations(of: Formatted<Moment, Dates>.self) == [.memberInContext, .member])
        #expect(
            operations(of: Shared<Int, Shares>.self) == [
                .alternative, .alternative, .null, .endOfAlternatives, .alternative, .openOrNull, .member, .close,
                .endOfAlternatives,
            ])
    }

    @Test func keysAreWrittenAsTheVariantSays() {
        #expect(keys(of: Several<Paths>.self) == [#""a":"#, #""b":"#, #""c":"#, #""z":"#])
        #expect(keys(of: Several<Paths>.self, [.flat, .sorted]) == [#""a.b":"#, #""a.c":"#, #""z":"#])
    }

    @Test func everyVariantIsMadeOnceWhateverThreadAsks() async {
        let table = Trio<[Float]>._jsonTable
        let plans = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<PlanOptions.count).map { unsafe Int(bitPattern: table.steps(PlanOptions(rawValue: $0))) }
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(plans.count == 1)
        #expect(plans.first.map { Set($0).count } == PlanOptions.count)
    }

    @Test func optionsChooseTheVariant() {
        #expect(PlanOptions(.init()) == [])
        #expect(PlanOptions(.init(sortedKeys: true, paths: .flat)) == [.sorted, .flat])
        #expect(PlanOptions(.init(escapesSlashes: true, escapesNonASCII: true)) == [.escapedSlashes, .escapedNonASCII])
        #expect(PlanOptions(.init(nils: .null, isPretty: true, nonFinite: .omit, dates: .unix)) == [])
    }

    private func operations<Model: JSONModel>(of type: Model.Type, _ variant: PlanOptions = []) -> [WriteStep.Operation] {
        steps(of: type, variant).map(\.operation)
    }

    private func keys<Model: JSONModel>(of type: Model.Type, _ variant: PlanOptions = []) -> [String] {
        steps(of: type, variant).filter { $0.keyCount > 0 }.map {
            unsafe String(decoding: UnsafeBufferPointer(start: $0.key, count: $0.keyCount), as: UTF8.self)
        }
    }

    private func steps<Model: JSONModel>(of type: Model.Type, _ variant: PlanOptions) -> [WriteStep] {
        let table = type._jsonTable
        var steps: [WriteStep] = []
        var next = unsafe table.steps(variant)
        // Safe: an end follows the last step.
        while unsafe next.pointee.operation != .end {
            unsafe steps.append(next.pointee)
            unsafe next += 1
        }
        return steps
    }
}
