// A reader remembers which key followed which. That must not be seen in any result: each document is read by a kept reader and by a new one.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ExpectedKeysTests {
    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl], 0..<4 as Range<UInt64>)
    func aKeptReaderReadsWhatANewOneReads(_ parser: JSONReader.Options.Parser, _ seed: UInt64) {
        var random = SplitMix64(seed: 7100 + seed)
        for rule in [JSONReader.Options.UnknownKeys.ignore, .report, .reject] {
            let validation: JSONReader.Options.Validation = seed % 2 == 0 ? .bound : .full
            let options = JSONReader.Options(validation: validation, parser: parser, unknownKeys: rule)
            var kept = JSONReader(options: options)
            for _ in 0..<300 {
                let bytes = Array(document(&random).utf8)
                var new = JSONReader(options: options)
                let left = Result { () throws(JSONError) in try kept.read(Trio<Trio<Int>>.self, from: bytes) }
                let right = Result { () throws(JSONError) in try new.read(Trio<Trio<Int>>.self, from: bytes) }
                switch (left, right) {
                case (.success(let left), .success(let right)):
                    #expect(left.required.required == right.required.required)
                    #expect(left.required.optional == right.required.optional)
                    #expect(left.optional?.required == right.optional?.required)
                    #expect(kept.report == new.report)
                case (.failure(let left), .failure(let right)):
                    #expect((left.kind, left.path, left.offset) == (right.kind, right.path, right.offset))
                    #expect(left.keys == right.keys)
                default: Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(left), but \(right)")
                }
            }
        }
    }

    /// A document whose keys are missing, repeated, escaped, damaged, unknown, or in another order.
    private func document(_ random: inout SplitMix64) -> String {
        var inner = [#""required":1"#, #""optional":2"#, #""defaulted":3"#]
        for _ in 0..<random.below(4) { inner.append("\(random.pick(unknownKeys)):\(random.pick(values))") }
        if random.below(3) == 0 { inner.swapAt(random.below(inner.count), random.below(inner.count)) }
        if random.below(5) == 0 { inner.remove(at: random.below(inner.count)) }
        let object = "{\(inner.joined(separator: random.pick([",", " , "])))}"
        var outer = ["\"required\":\(object)", "\"optional\" :\(object)"]
        for _ in 0..<random.below(3) {
            outer.insert("\(random.pick(unknownKeys)):\(random.pick(values))", at: random.below(outer.count))
        }
        let text = "{\(outer.joined(separator: ","))}"
        return random.below(12) == 0 ? String(text.prefix(random.below(text.count))) : text
    }

    private var unknownKeys: [String] {
        [
            #""a""#, #""ab""#, #""required ""#, #""a\u0062""#, #""a\"b""#, #""""#, #""é""#, #""\ud800""#,
            #""a key of more than fifteen bytes""#,
            "\"\(String(repeating: "long", count: 30))\"", #""other""#, #""another""#,
        ]
    }

    private var values: [String] {
        ["1", "-0.5e3", "01", "null", "true", "tru", #""text""#, #""\x""#, #""\n""#, "[1,[2]]", #"{"a":{"b":1}}"#, "[", "1e"]
    }

    @Test func keysThatNeverComeAgainTakeTheMemoryOf256() throws {
        var reader = JSONReader()
        for number in 0..<20_000 {
            let value = try reader.read(
                Trio<Int>.self, from: Array(#"{"required":\#(number),"key\#(number)":"x","optional":7}"#.utf8))
            #expect(value.required == number)
            #expect(value.optional == 7)
        }
    }

    @Test func anUnboundKeyThatWasProvenIsComparedInFull() {
        var reader = JSONReader()
        for _ in 0..<3 { #expect((try? reader.read(Trio<Int>.self, from: Array(#"{"required":1,"unknown é":2}"#.utf8))) != nil) }
        let damaged = Array(#"{"required":1,"unknown "#.utf8) + [0xC3, 0x28] + Array(#"":2}"#.utf8)
        let error = #expect(throws: JSONError.self) { try reader.read(Trio<Int>.self, from: damaged) }
        #expect(error?.kind == .invalidUnicode)
        let cut = Array(#"{"required":1,"unknown é:2}"#.utf8)
        #expect(throws: JSONError.self) { try reader.read(Trio<Int>.self, from: cut) }
    }

    /// A key is compared in blocks of 16 bytes, with its quotes and the colon.
    @Test func aKeyMatchesItselfAndNothingElse() {
        let counts = [64, 1, 12, 13, 14, 15, 0, 28, 29, 30, 31, 60, 45, 46, 47, 2]
        let key = unsafe ExpectedKeyHandle(unboundKeyOf: NoBytes.address, 0, ReaderRows.ignored, room: 64)
        defer { key.free() }
        func matches(_ text: [UInt8]) -> (withColon: Bool, without: Bool) {
            unsafe (text + Array(repeating: 0x2C, count: 32)).withUnsafeBufferPointer { text in
                // Safe: the text is not empty.
                let start = unsafe text.baseAddress.unsafelyUnwrapped
                return unsafe (key.matches(start), key.matchesWithoutColon(start))
            }
        }
        for count in counts {
            let name = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            unsafe name.withUnsafeBufferPointer { unsafe key.replace(by: $0.baseAddress ?? NoBytes.address, count) }
            let text = [0x22] + name + Array("\":".utf8)
            #expect(matches(text) == (true, true))
            for index in text.indices {
                var other = text
                other[index] ^= 1
                #expect(matches(other) == (false, index == text.count - 1), "\(count) bytes, another at \(index)")
            }
            #expect(matches([0x22] + name + Array("\" :".utf8)) == (false, true))
            #expect(matches([0x22] + name + Array("x\":".utf8)) == (false, false))
            #expect(matches([0x22] + name.dropLast() + Array("\":".utf8)) == (count == 0, count == 0))
        }
    }

    @Test func theTwoKeysThatFollowedLastAreExpected() throws {
        var keys = ExpectedKeys()
        defer { keys.deallocate() }
        let level = try keys.level(of: #require(Trio<Int>._jsonTable.binding.model).level)
        let start = level.start
        let first = start.next
        let second = first.next
        let third = second.next
        #expect(third.next == .none)
        start.expect(third)
        #expect((start.next, start.other) == (third, first))
        start.expect(first)
        #expect((start.next, start.other) == (first, third))
        let bytes = Array("unknown".utf8)
        let added = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe level.addUnbound(buffer.baseAddress.unsafelyUnwrapped, buffer.count, row: ReaderRows.ignored)
        }
        let unbound = try #require(added)
        first.insert(unbound)
        #expect((first.next, first.other) == (unbound, second))
        #expect(unbound.next == second)
        // A key that comes twice in a row does not follow itself: it could not learn any more.
        second.expect(second)
        #expect(second.next == third)
        // All readers share this one.
        ExpectedKeyHandle.none.expect(first)
        #expect(ExpectedKeyHandle.none.next == .none)
    }
}
