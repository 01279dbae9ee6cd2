// Text that a conversion would read must be Unicode, whatever the conversion would make of it.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ConvertedTextTests {
    private static let broken: [[UInt8]] = [
        Array(#""A0"#.utf8) + [0xA2, 0xA2] + Array(#"1""#.utf8), [0x22, 0xFF, 0x22], Array(#""1\ud800""#.utf8),
    ]
    private static let options: [JSONReader.Options] = [.lenient, .tolerant, .yyModel]

    private func expectUnicodeError<Value: JSONBindable & Equatable>(_ type: Value.Type) {
        for options in Self.options {
            for text in Self.broken {
                let reading = readings(of: type, text, options: options)
                #expect(reading.error?.kind == .invalidUnicode, "\(type), \(String(decoding: text, as: UTF8.self))")
                #expect(reading.disagreements == [])
            }
        }
    }

    @Test func textThatIsNotUnicodeIsNotConvertedToANumber() {
        expectUnicodeError(Int.self)
        expectUnicodeError(UInt8.self)
        expectUnicodeError(Double.self)
        expectUnicodeError(Bool.self)
    }

    @Test func textThatIsNotUnicodeIsNotAScalarOfAnotherType() {
        expectUnicodeError(Moment.self)
    }
}
