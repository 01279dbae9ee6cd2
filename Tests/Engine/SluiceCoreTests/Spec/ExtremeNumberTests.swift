// Numbers whose digits or exponents no integer counts: whatever they are read into, the answer is a value or an error.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ExtremeNumberTests {
    private static let exponents = [
        "9223372036854775807", "-9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "1073741824", "-1073741824", "2147483648", "-2147483648", "99999999999999999999999999",
        "-99999999999999999999999999", "+0", "-0", "00000000000000000000000000000001",
    ]
    private static let mantissas = ["1", "-1", "0", "-0.0", "1.5", "9223372036854775808", "-9223372036854775809", "0.0000001"]

    static let lexemes =
        mantissas.flatMap { mantissa in exponents.map { "\(mantissa)e\($0)" } } + [
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
            "170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
            "340282366920938463463374607431768211456", String(repeating: "9", count: 400),
            "0." + String(repeating: "0", count: 400) + "1",
        ]

    private func check<Value: JSONBindable & Equatable>(_ type: Value.Type, _ lexeme: String, _ dates: JSONDateFormat? = nil) {
        for conversions in [
            JSONConversions.strict, .lenient, .init(overflow: .clamp), .init(overflow: .wrap), .truncating, .yyModel,
        ] {
            var options = JSONReader.Options(conversions: conversions, dates: dates)
            options.conversions.detectsEpochs = true
            for text in [lexeme, "\"\(lexeme)\"", "[\(lexeme)]"] {
                var reader = JSONReader(options: options)
                let whole = Outcome<Value> { () throws(JSONError) in try reader.read(type, from: text) }
                var source = BytesSource(Array(text.utf8), chunkSize: 3)
                let pieces = Outcome<Value> { () throws(JSONError) in try reader.read(type, from: &source) }
                // A number that is not one is no equal of itself.
                #expect("\(whole)" == "\(pieces)", "\(text) \(conversions)")
            }
        }
    }

    @Test(arguments: lexemes) func numbersOfAnySizeGiveAValueOrAnError(_ lexeme: String) {
        check(Int.self, lexeme)
        check(Int8.self, lexeme)
        check(UInt64.self, lexeme)
        check(Int128.self, lexeme)
        check(UInt128.self, lexeme)
        check(Double.self, lexeme)
        check(Float.self, lexeme)
        check(Bool.self, lexeme)
        check(String.self, lexeme)
        check(Level.self, lexeme)
    }

    @Test(arguments: lexemes) func datesOfAnySizeGiveAValueOrAnError(_ lexeme: String) {
        for format in [JSONDateFormat.unix, .milliseconds, .microseconds, .iso8601, .format("yyyyMMdd")] {
            check(Moment.self, lexeme, format)
        }
        check(Moment.self, lexeme)
        check(Moment.self, "/Date(\(lexeme))/")
        check(Moment.self, "+\(lexeme)-01-01")
    }
}
