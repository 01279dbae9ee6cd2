// F8: of alternative keys the best that is there counts, whatever their order in the object, also where a worse one does not fit.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct AlternativeKeySpecTests {
    private enum Two: Rules {
        static let presence = JSONPresence.optional
        static let keys: [JSONKeyPath] = ["a", "t"]
    }
    private enum Three: Rules {
        static let presence = JSONPresence.required
        static let keys: [JSONKeyPath] = ["a", "t.x", "u"]
    }
    private enum Keeping: Rules {
        static let keys: [JSONKeyPath] = ["a", "t"]
        static let policy = JSONPropertyPolicy(mismatch: .keep)
    }

    /// Reads the members in every order; what all orders gave.
    private func read<Value: Sample & Equatable, Rule: Rules>(
        _ members: [String], _ type: Ruled<Value, Rule>.Type, options: JSONReader.Options = .strict
    ) -> Reading<Ruled<Value, Rule>> {
        var first: Reading<Ruled<Value, Rule>>?
        for order in permutations(members) {
            let text = "{" + order.joined(separator: ",") + "}"
            let reading = readings(of: type, text, options: options)
            #expect(reading.disagreements == [], "\(text)")
            if let first {
                #expect(reading.outcome == first.outcome, "\(text)")
                #expect(reading.report.droppedCount == first.report.droppedCount, "\(text)")
            }
            first = first ?? reading
        }
        return first!
    }

    private func permutations(_ items: [String]) -> [[String]] {
        if items.count < 2 { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test("B7: a worse alternative that does not fit is no error where a better one has a value")
    func worseAlternatives() {
        typealias Model = Ruled<String, Two>
        for worse in [#""t":[]"#, #""t":{"x":[1]}"#, #""t":7"#, #""t":true"#] {
            #expect(read([#""a":"x""#, worse], Model.self).outcome == .value(Model("x")))
            #expect(read([#""a":null"#, worse], Model.self).outcome == .failure(.typeMismatch, "t"))
            #expect(read([worse, #""z":[1]"#], Model.self).outcome == .failure(.typeMismatch, "t"))
        }
        #expect(read([#""a":[]"#, #""t":"x""#], Model.self).outcome == .failure(.typeMismatch, "a"))
        #expect(read([#""a":null"#, #""t":"x""#], Model.self).outcome == .value(Model("x")))
    }

    @Test("B7: of several alternatives the best that is there decides")
    func severalAlternatives() {
        typealias Model = Ruled<Int, Three>
        #expect(read([#""a":1"#, #""t":{"x":[]}"#, #""u":{}"#], Model.self).outcome == .value(Model(1)))
        #expect(read([#""t":{"x":2}"#, #""u":{}"#], Model.self).outcome == .value(Model(2)))
        #expect(read([#""t":{"x":[]}"#, #""u":3"#], Model.self).outcome == .failure(.typeMismatch, "t.x"))
        #expect(read([#""u":{}"#, #""z":3"#], Model.self).outcome == .failure(.typeMismatch, "u"))
        #expect(read([#""u":{}"#, #""t":{"y":1}"#, #""a":1"#], Model.self).outcome == .value(Model(1)))
    }

    @Test("B7: the error has the position where the worse alternative stands, and an outer position may take it")
    func placesOfPostponedErrors() {
        let reading = readings(of: Ruled<String, Two>.self, #"{"z":1,"t":[],"y":{"a":1}}"#, options: .strict)
        #expect(reading.error?.offset == 11)
        #expect(reading.error?.found == "an array")
        let text = #"[{"t":[]},{"t":[],"a":"x"},{"t":{}},{"a":"y"}]"#
        let list = readings(of: [Ruled<String, Two>].self, text, options: .init(elements: .skipInvalid))
        #expect(list.value == [Ruled("x"), Ruled("y")])
        #expect(list.report.issues.map(\.path) == ["[0].t", "[2].t"])
        #expect(list.report.issues.map(\.offset) == [6, 32])
        #expect(list.disagreements == [])
    }

    @Test("B7: what is left out of a worse alternative counts only where no better one has a value")
    func toleratedAlternatives() {
        typealias Model = Ruled<String, Keeping>
        let better = read([#""a":"x""#, #""t":[]"#], Model.self)
        #expect(better.outcome == .value(Model("x")))
        #expect(better.report.droppedCount == 0)
        let only = read([#""t":[]"#, #""z":1"#], Model.self)
        #expect(only.outcome == .value(Model(.initial)))
        #expect(only.report.droppedCount == 1)
        #expect(only.report.issues.map(\.path) == ["t"])
        let worse = read([#""a":[]"#, #""t":"x""#], Model.self)
        #expect(worse.outcome == .value(Model("x")))
        #expect(worse.report.droppedCount == 1)
        let raised = readings(of: Ruled<String, Two>.self, #"{"t":[],"a":"\ud800"}"#, options: .strict)
        #expect(raised.error?.kind == .invalidUnicode)
        #expect(raised.disagreements == [])
    }
}
