import Testing

@testable import SluiceCore

/// Texts are written straight into arrays if they are large, or if the caller's array has space.
@Suite struct TextAppendingTests {
    private func texts(_ count: Int) -> [String] { (0..<count).map { "text \($0)\n" + String(repeating: "é", count: $0 % 40) } }

    /// The text that a sink gets, which is never written into an array.
    private func text(of value: some JSONWritable) throws -> [UInt8] {
        var sink: [UInt8] = []
        try value.write(to: &sink)
        return sink
    }

    @Test func largeTextsInARowAreTheSame() throws {
        // Growing, shrinking and alternating sizes: the space that is made beforehand is too small, right or too large.
        for count in [10, 1000, 1000, 1000, 1100, 5000, 5000, 4000, 4000, 500, 500, 500, 3, 3, 5000, 3, 5000, 3] {
            let value = texts(count)
            #expect(try value.jsonBytes() == text(of: value))
        }
    }

    @Test func aShortTextAfterLargeOnesDoesNotKeepTheirMemory() throws {
        let large = texts(5000)
        for _ in 0..<3 { #expect(try large.jsonBytes().capacity < large.jsonBytes().count * 3 / 2) }
        #expect(try texts(1).jsonBytes().capacity < 200)
        for _ in 0..<3 { _ = try large.jsonBytes() }
        let half = texts(2000)
        #expect(try half.jsonBytes().capacity <= half.jsonBytes().count * 2)
    }

    @Test func anErrorInALargeTextIsThrown() throws {
        let large = texts(5000).map { ["k": $0] }
        for _ in 0..<3 { _ = try large.jsonBytes() }
        #expect(throws: JSONError.self) { try (Array(repeating: 1.5, count: 20_000) + [.nan]).jsonBytes() }
        #expect(try large.jsonBytes() == text(of: large))
    }

    @Test func bytesAreAppendedInEveryAmountOfSpace() throws {
        let value = texts(50)
        let expected = try [1, 2, 3] + text(of: value)
        for space in [0, 1, 2, 64, 100, expected.count - 1, expected.count, expected.count + 100, 2 * expected.count] {
            var bytes: [UInt8] = [1, 2, 3]
            bytes.reserveCapacity(space)
            try value.write(into: &bytes)
            #expect(bytes == expected)
        }
    }

    @Test func anotherArrayWithTheSameMemoryKeepsItsBytes() throws {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.reserveCapacity(1000)
        let other = bytes
        try ["a"].write(into: &bytes)
        #expect(other == [1, 2, 3])
        #expect(bytes == [1, 2, 3] + Array(#"["a"]"#.utf8))
    }

    @Test func afterAnErrorTheBytesAreAsTheyWere() throws {
        for space in [0, 1000] {
            var bytes: [UInt8] = [1, 2, 3]
            bytes.reserveCapacity(space)
            #expect(throws: JSONError.self) { try [1.5, .nan].write(into: &bytes) }
            #expect(bytes == [1, 2, 3])
        }
    }

    @Test func memoryThatIsKeptIsSoonLargeEnough() throws {
        let value = texts(300)
        var bytes: [UInt8] = []
        for _ in 0..<4 {
            bytes.removeAll(keepingCapacity: true)
            try value.write(into: &bytes)
        }
        let capacity = bytes.capacity
        for _ in 0..<3 {
            bytes.removeAll(keepingCapacity: true)
            try value.write(into: &bytes)
            #expect(bytes.capacity == capacity)
        }
    }

    @Test func manyTextsAreAppendedInLinearTime() throws {
        var bytes: [UInt8] = []
        var capacities: Set<Int> = []
        for number in 0..<10_000 {
            try [number].write(into: &bytes)
            capacities.insert(bytes.capacity)
        }
        #expect(bytes.count == 10_000 * 2 + 38_890)
        // The array grows by doubling.
        #expect(capacities.count < 30)
    }
}
