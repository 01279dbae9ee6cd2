// A rule that leaves a value out, such as that for repeated keys, does not hide damage in its text.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct LeftOutTextTests {
    /// What makes a text damaged in which it stands inside a string.
    static let damages: [[UInt8]] = [[0x00], [0x0A], [0xFF], [0xC3], Array(#"\ud83d"#.utf8), Array(#"\x"#.utf8)]

    /// Values around a text: too short to be passed over, passed over, and deeper.
    static let values = [
        (#"""#, #"""#), (#"{"k":""#, #""}"#), (#"[""#, #""]"#), (#"{""#, #"":1}"#),
        (#"{"a long key, so that the object is passed over":"and a long text, too","k":""#, #""}"#),
        (#"["a long text, so that the array is passed over by its brackets and quotes",[[""#, #""]]]"#),
    ]

    @Test(arguments: damages) func aRepeatedKeyLeavesNoDamagedValueOut(damage: [UInt8]) {
        let options = JSONReader.Options(duplicateKeys: .first)
        check(JSONValue.self, #"{"a":1,"a":"#, "}", damage, options)
        check([String: JSONValue].self, #"{"a":1,"a":"#, "}", damage, options)
        check(Trio<Int>.self, #"{"required":1,"required":"#, "}", damage, options)
        check([Trio<Int>].self, #"[{"required":1,"defaulted":2,"required":"#, #","optional":3}]"#, damage, options)
    }

    @Test(arguments: damages) func aToleranceLeavesNoDamagedValueOut(damage: [UInt8]) {
        let options = JSONReader.Options(conversions: .strict, mismatch: .nil, elements: .skipInvalid)
        check([[Int: Bool]].self, "[{},", "]", damage, options)
        check([Trio<Int>].self, #"[{"required":1,"optional":"#, "}]", damage, options)
        check([String: [Int]].self, #"{"a":"#, "}", damage, options)
        check([Int: JSONValue].self, #"{"no number":"#, "}", damage, options)
    }

    private func check<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ start: String, _ end: String, _ damage: [UInt8], _ options: JSONReader.Options
    ) {
        for (opening, closing) in LeftOutTextTests.values {
            func text(_ inside: [UInt8]) -> [UInt8] { Array((start + opening).utf8) + inside + Array((closing + end).utf8) }
            let sound = readEveryWay(type, text(Array("x".utf8)), options: options)
            #expect(sound.disagreements == [])
            guard case .value = sound.outcome else {
                Issue.record("\(type) does not leave \(opening)x\(closing) out: \(sound.outcome)")
                continue
            }
            let damaged = readEveryWay(type, text(damage), options: options)
            #expect(damaged.disagreements == [])
            if case .value(let value) = damaged.outcome {
                Issue.record("\(type): \(String(decoding: text(damage), as: UTF8.self)) is read as \(value)")
            }
        }
    }
}
