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

    @Test func keysThatCollideAreKeptApart() {
        // Same length, same first, middle and last byte: one hash for all.
        let keys = (0..<100).map { Array("a\(100 + $0)xy\(100 + $0)z".utf8) }.map { key in key[..<4] + [0x6D, 0x6D] + key[6...] }
            .map { Array($0) }
        let hashes = Set(
            keys.map { key in unsafe key.withUnsafeBufferPointer { unsafe KeyTable.hash($0.baseAddress!, key.count) } })
        #expect(hashes.count == 1)
        expect(keys, absent: [Array("a999mm999z".utf8), Array("amm".utf8)])
    }

    @Test func keysThatDifferInOneByteAreKeptApart() {
        for length in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 62, 63, 64, 65, 200] {
            let key = (0..<length).map { UInt8(0x61 + $0 % 26) }
            let others = (0..<length).map { place in
                var other = key
                other[place] ^= 1
                return other
            }
            expect([key], absent: Set(others + [Array(key.dropLast()), key + [0x61], []]))
            expect(others, absent: [key])
        }
    }

    private func expect(_ keys: [[UInt8]], absent: Set<[UInt8]>) {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: keys.count + 1)
        defer { unsafe rows.deallocate() }
        let texts = unsafe keys.map { key in
            let text = UnsafeMutablePointer<UInt8>.allocate(capacity: max(key.count, 1))
            unsafe text.initialize(from: key, count: key.count)
            return unsafe text
        }
        defer { for index in unsafe texts.indices { unsafe texts[index].deallocate() } }
        for index in keys.indices {
            var row = ReaderRows.ignored.content
            unsafe row.key = unsafe UnsafePointer(texts[index])
            row.keyCount = keys[index].count
            row.slot = UInt32(index)
            unsafe (rows + index).initialize(to: row)
        }
        unsafe (rows + keys.count).initialize(to: ReaderRows.none.content)
        let level = unsafe KeyTable.make(rows: rows, count: keys.count)
        defer {
            unsafe level.content.slots.deallocate()
            unsafe level.address.deallocate()
        }
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
