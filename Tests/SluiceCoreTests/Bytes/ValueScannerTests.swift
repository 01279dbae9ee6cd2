import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ValueScannerTests {
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
                var scanner = ValueScanner()
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
            var scanner = ValueScanner()
            #expect(scan(&scanner, Array(text.utf8)) == 1)
        }
    }

    private func scan(_ scanner: inout ValueScanner, _ bytes: [UInt8]) -> Int? {
        unsafe bytes.withUnsafeBytes { unsafe scanner.end(in: $0) }
    }
}
