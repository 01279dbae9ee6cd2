import Testing

@testable import SluiceCore

@Suite struct ArrayWordsTests {
    /// Whether the words of an array are those of its elements.
    private func agrees<Element: Equatable>(_ array: [Element]) -> Bool {
        unsafe withUnsafePointer(to: array) { address in
            guard let words = unsafe ArrayWords(at: address), words.count == array.count else { return false }
            return array.indices.allSatisfy { index in
                // Safe: the array has that many elements of this type.
                unsafe (words.first + index * MemoryLayout<Element>.stride).load(as: Element.self) == array[index]
            }
        }
    }

    @Test func theLayoutOfArraysIsKnown() {
        #expect(ArrayWords.isKnown)
        #expect(PlainField.isKnown)
    }

    @Test func elementsAreFoundWhereTheyLie() {
        #expect(agrees([Int]()))
        #expect(agrees(Array(0..<1000)))
        #expect(agrees([true, false]))
        #expect(agrees(["", "a", "a text that is longer than a small one"]))
        #expect(agrees([[1.5], [], [2, 3]]))
        var kept = [1, 2, 3]
        kept.removeAll(keepingCapacity: true)
        #expect(agrees(kept))
        #expect(agrees(Array([1, 2, 3, 4].dropFirst(2))))
    }

    @Test func aNilArrayHasNoWords() {
        func count(_ array: [Int]?) -> Int? { unsafe withUnsafePointer(to: array) { unsafe ArrayWords(at: $0)?.count } }
        #expect(count(nil) == nil)
        #expect(count([]) == 0)
    }
}
