// The index finds every key of a level and no other, whatever the keys.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct KeyTableTests {
    @Test func randomSetsOfKeysAreFoundAndOthersAreNot() {
        var random = SplitMix64(seed: 51)
        for size in [0, 1, 2, 3, 7, 8, 20, 64, 200, 1000] {
            var keys = Set<[UInt8]>()
            while keys.count < size { keys.insert(random.key()) }
            var others = Set<[UInt8]>()
            while others.count < 500 { others.insert(random.key()) }
            expect(Array(keys), absent: others.subtracting(keys))
        }
    }

    /// Keys of one length with one first, middle and last byte.
    private let alike = (100..<200).map { Array("a\($0)xymmxy\($0)z".utf8) }

    @Test func keysThatTheBriefHashCannotTellApartAreFoundByAllTheirBytes() {
        let tuples = Set(
            alike.map { key in unsafe key.withUnsafeBufferPointer { unsafe KeyHash.tuple($0.baseAddress!, $0.count) } })
        #expect(tuples.count == 1)
        expect(alike, absent: [Array("a999xymmxy999z".utf8), Array("amm".utf8)], isPerfect: false)
    }

    @Test func theKeysOfAUsualModelHaveASlotEach() {
        let keys = ["id", "type", "actor", "login", "created_at", "updated_at", "public", "payload", "repo", "org", "url", ""]
        expect(keys.map { Array($0.utf8) }, absent: [Array("ib".utf8), Array("actress".utf8)], isPerfect: true)
    }

    @Test func keysWithCommonBeginningsAndEndsSpreadOverTheSlots() {
        let keys = (0..<10_000).map { Array("metric_\(1_000_000 + $0)_of_a_sensor".utf8) }
        let slots = keys.map { key in
            unsafe key.withUnsafeBufferPointer { unsafe KeyHash.full($0.baseAddress!, $0.count, KeyHash.seed) & 0xFFFF }
        }
        // 10,000 keys in 65,536 slots: at random, no slot has more than six of them.
        #expect(Dictionary(grouping: slots, by: \.self).values.map(\.count).max()! <= 10)
        expect(Array(keys.prefix(2000)), absent: Set(keys.suffix(2000)), isPerfect: false)
    }

    @Test func keysThatDifferInOneByteAreKeptApart() {
        for length in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 62, 63, 64, 65, 200] {
            let key = (0..<length).map { UInt8(0x61 + $0 % 26) }
            let others = (0..<length).map { index in
                var other = key
                other[index] ^= 1
                return other
            }
            expect([key], absent: Set(others + [Array(key.dropLast()), key + [0x61], []]))
            expect(others, absent: [key])
        }
    }

    /// - Parameter isPerfect: Whether each key must have a slot of its own; nil if it may.
    private func expect(_ keys: [[UInt8]], absent: Set<[UInt8]>, isPerfect: Bool? = nil) {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: keys.count + 1)
        defer { unsafe rows.deallocate() }
        let texts = unsafe keys.map { key in
            let text = UnsafeMutablePointer<UInt8>.allocate(capacity: max(key.count, 1))
            unsafe text.initialize(from: key, count: key.count)
            return unsafe text
        }
        defer { for index in unsafe texts.indices { unsafe texts[index].deallocate() } }
        for index in keys.indices {
            let row = unsafe PropertyRow(
                kind: .ignored, depth: 0, flags: [], rank: 0, slot: UInt32(index), offset: 0, key: texts[index],
                keyCount: keys[index].count, binding: ReaderRows.ignored.binding)
            unsafe (rows + index).initialize(to: row)
        }
        unsafe (rows + keys.count).initialize(to: ReaderRows.none.content)
        let level = unsafe KeyTable.make(rows: rows, count: keys.count)
        defer {
            unsafe level.content.slots.deallocate()
            unsafe level.address.deallocate()
        }
        if let isPerfect { #expect((level.content.multiplier != 0) == isPerfect) }
        func slot(_ key: [UInt8]) -> Int? {
            unsafe (key + [0]).withUnsafeBufferPointer { bytes in
                unsafe level.row(forKey: bytes.baseAddress!, key.count).map { Int($0.slot) }
            }
        }
        for (index, key) in keys.enumerated() { #expect(slot(key) == index) }
        for key in absent { #expect(slot(key) == nil) }
    }
}

extension SplitMix64 {
    /// A key of up to 90 bytes, of only five different characters, so that many keys are similar.
    fileprivate mutating func key() -> [UInt8] {
        let length = next() % 4 == 0 ? next() % 90 : next() % 12
        return (0..<length).map { _ in UInt8(truncatingIfNeeded: 0x61 + next() % 5) }
    }
}
