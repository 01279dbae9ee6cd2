import CScan
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ContainerScannerTests {
    @Test(
        arguments: [
            #"{"a":[1,{"b":"}]"}],"c":"\"{"}"#, "[]", "{}", "[[[]],{}]", #""text""#, #""\\""#, #""a\"b,]}""#, "1", "-1.5e3",
            "true", "null", #"[""]"#, #""""#,
            #"["\\\"]", "]"]"#,
        ])
    func theEndIsFoundHoweverTheValueIsCut(_ value: String) {
        let count = value.utf8.count
        let isScalar = !"[{\"".contains(value.first ?? "x")
        for tail in [",", "]", "}", " ", "\n", "\t", "\r", "", "{", "[", "\""] {
            let bytes = Array((value + tail + (tail.isEmpty ? "" : "rest")).utf8)
            for cut in 0...bytes.count {
                var scanner = ContainerScanner()
                #expect(!scanner.isInside)
                var end = scan(&scanner, Array(bytes[..<cut]))
                #expect(scanner.isInside == (cut > 0))
                #expect(!scanner.isInScalar || isScalar)
                if end == nil { end = scan(&scanner, Array(bytes[cut...])).map { $0 + cut } }
                // A number or literal is ended by what follows it only.
                let expected: Int? = isScalar && tail.isEmpty ? nil : count
                #expect(end == expected, "\(value)\(tail) cut at \(cut)")
                #expect(scanner.isInScalar == isScalar)
            }
        }
    }

    @Test func aByteThatStartsNoValueIsConsumed() {
        for text in [",,", "],", "}]", "  "] {
            var scanner = ContainerScanner()
            #expect(scan(&scanner, Array(text.utf8)) == 1)
        }
    }

    /// The rule of CScan's header, one byte at a time.
    private func plainEnd(_ bytes: some Sequence<UInt8>, inString: inout Bool, escaped: inout Bool, depth: inout Int) -> Int? {
        for (index, byte) in bytes.enumerated() {
            let isEscaped = escaped
            escaped = byte == UInt8(ascii: "\\") && !isEscaped
            switch byte {
            case UInt8(ascii: "\"") where !isEscaped: inString.toggle()
            case UInt8(ascii: "{"), UInt8(ascii: "["): if !inString { depth += 1 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if !inString { depth -= 1 }
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }

    @Test func garbageEndsWhereThePlainRuleSaysHoweverItIsCut() {
        var random = SplitMix64(seed: 3)
        let words: [[UInt8]] =
            ["[", "]", "{", "}", "\"", "\\", "\\\"", "x", "\n"].map { Array($0.utf8) }
            + [Array(repeating: UInt8(ascii: "\\"), count: 63), Array(repeating: UInt8(ascii: " "), count: 61), [0, 0xFF]]
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in words.randomElement(using: &random) ?? [] }
            let pieces = [1, 2, 63, 64, 65, 128, bytes.count + 1, Int.random(in: 1...200, using: &random)]
            let pieceSize = pieces.randomElement(using: &random) ?? 1
            for level in 0...cscan_level() {
                var state = cscan_container(in_string: 0, escaped: 0, depth: 1, limit: .max)
                var inString = false
                var escaped = false
                var depth = 1
                for start in stride(from: 0, to: bytes.count, by: pieceSize) {
                    let piece = Array(bytes[start..<min(start + pieceSize, bytes.count)])
                    let expected = plainEnd(piece, inString: &inString, escaped: &escaped, depth: &depth)
                    let found = unsafe cscan_container_scan_at_level(level, &state, piece, piece.count)
                    // There are many pieces: an expectation for each would take most of the time.
                    let isAsExpected =
                        found == expected ?? piece.count
                        && (expected != nil
                            || state.depth == depth && state.escaped == (escaped ? 1 : 0)
                                && state.in_string == (inString ? .max : 0))
                    if !isAsExpected {
                        Issue.record("level \(level), pieces of \(pieceSize), from \(start): \(bytes)")
                        return
                    }
                    if expected != nil { break }
                }
            }
        }
    }

    private func scan(_ scanner: inout ContainerScanner, _ bytes: [UInt8]) -> Int? {
        unsafe bytes.withUnsafeBytes { unsafe scanner.end(in: $0) }
    }
}
