import Testing

@testable import SluiceFeed

/// Where a text ends is known whatever the pieces in which it comes, and whatever is dropped of its beginning.
@Suite struct TextEndTests {
    @Test(arguments: ["", " ", "a", "a b\t\r\n ", " \n\n  a   ", "ab   cd    e", "          "])
    func theEndDoesNotDependOnPieces(_ text: String) {
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var end = TextEnd()
                for count in [first, second, bytes.count] {
                    #expect(length(bytes[..<count], &end) == plainLength(bytes[..<count]))
                }
            }
        }
    }

    @Test(arguments: ["a b\t\r\n ", " \n\n  a   ", "ab   cd    e", "          "])
    func theEndIsThatOfWhatIsLeft(_ text: String) {
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for dropped in 0...first {
                var end = TextEnd()
                _ = length(bytes[..<first], &end)
                end.drop(dropped)
                #expect(length(bytes[dropped..<first], &end) == plainLength(bytes[dropped..<first]))
                #expect(length(bytes[dropped...], &end) == plainLength(bytes[dropped...]))
            }
        }
    }

    private func length(_ bytes: ArraySlice<UInt8>, _ end: inout TextEnd) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe end.length(of: $0) }
    }

    private func plainLength(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while let last = rest.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { rest.removeLast() }
        return rest.count
    }
}
