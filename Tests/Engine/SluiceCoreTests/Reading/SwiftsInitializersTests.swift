// `init(json:)` is a member of String, Array and Int. A reference without a label must still mean Swift's own initializer.

import SluiceCore
import Testing

struct SwiftsInitializersTests {
    @Test func referencesWithoutALabelMeanTheInitializersOfSwift() {
        let line = "1,x,3"
        #expect(line.split(separator: ",").map(String.init) == ["1", "x", "3"])
        #expect(line.split(separator: ",").map(String.init).compactMap(Int.init) == [1, 3])
        #expect(Array(line.utf8).split(separator: 0x2C).map(Array.init) == [[0x31], [0x78], [0x33]])
        #expect([[1, 1], [2]].map(Set.init) == [[1], [2]])
        #expect(["0.5", "y"].compactMap(Double.init) == [0.5])
    }
}
