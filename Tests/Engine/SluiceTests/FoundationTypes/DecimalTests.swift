#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct DecimalTests {
    @JSONModel
    struct Account: Equatable {
        var balance: Decimal
        var limit: Decimal?
        var history: [Decimal] = []
        var rates: [String: Decimal?] = [:]
    }

    @Test(arguments: [
        ("0.1", "0.1"), ("-0.1", "-0.1"), ("0", "0"), ("-0", "0"), ("-0.0", "0"), ("0e999", "0"), ("0.000e-999", "0"),
        ("1.50", "1.5"), ("12e3", "12000"), ("-2.5E-3", "-0.0025"), ("100000000000000000000", "100000000000000000000"),
        ("0.1234567890123456789012345678901234567", "0.1234567890123456789012345678901234567"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("-34028236692093846346337460743176821145.5", "-34028236692093846346337460743176821145.5"),
        ("1.000000000000000000000000000000000000000000000000000000000000", "1"),
        ("123456789012345678901234567890.000000000000000000000000000000", "123456789012345678901234567890"),
        ("1000000000000000000000000000000000000000000000000000", "1000000000000000000000000000000000000000000000000000"),
        ("0.000000000000000000000000000000000000000000000000000001", "0.000000000000000000000000000000000000000000000000000001"),
        ("9007199254740993", "9007199254740993"), ("1e+2", "100"), ("1E2", "100"),
    ])
    func digitsAreKeptExactly(_ lexeme: String, _ description: String) throws {
        let json = #"{"balance":\#(lexeme),"limit":\#(lexeme),"history":[\#(lexeme),1],"rates":{"a":\#(lexeme),"b":null}}"#
        let reading = readEveryWay(Account.self, json)
        #expect(reading.disagreements == [])
        let account = try Account(json: json)
        #expect(reading.outcome == .value(account))
        #expect(account.balance.description == description)
        #expect(account.history.map(\.description) == [description, "1"])
        #expect(account.rates["a"]??.description == description)
        #expect(account.rates["b"] == .some(nil))
        #expect(try Account(json: try account.jsonString()) == account)
        #expect(try account.jsonString().hasPrefix(#"{"balance":\#(description),"#))
    }

    @Test(arguments: ["1e127", "1e-127", "99999999999999999999999999999999999999e127", "12e128", "-1e-128"])
    func exponentsAtTheEdgeReadBackEqual(_ lexeme: String) throws {
        let account = try Account(json: #"{"balance":\#(lexeme)}"#)
        #expect(!account.balance.isZero)
        #expect(try Account(json: try account.jsonString()) == account)
    }

    /// 128 bits of digits and an exponent from -128 to 127 are all that a decimal has.
    @Test(arguments: [
        "340282366920938463463374607431768211456", "1234567890123456789012345678901234567890123",
        "0.1234567890123456789012345678901234567890123", "1e400", "1e-400", "1e-129",
        "1e-9223372036854775808", "-1.5e9223372036854775807", "1e-1073741824", "1e1073741824", "1e-9223372036854775809",
        "1e99999999999999999999999", "-1e-99999999999999999999999", "99999999999999999999999999999999999999e129",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000012",
        "10000000000000000000000000000000000000000000000000000000001",
    ])
    func moreThanADecimalHoldsIsAnErrorNotARounding(_ lexeme: String) {
        let json = #"{"balance":1,"history":[1,\#(lexeme)]}"#
        let error = #expect(throws: JSONError.self) { try Account(json: json, options: .strict) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == "history[1]")
        #expect(error?.offset == 26)
        #expect(error?.expected == "Decimal")
        #expect(readEveryWay(Account.self, json).disagreements == [])
    }

    @Test func stringIsNoDecimal() {
        let error = #expect(throws: JSONError.self) { try Account(json: #"{"balance":"0.1"}"#, options: .strict) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.path == "balance")
        #expect(error?.offset == 11)
    }

    @Test func notANumberIsNotWritable() {
        let error = #expect(throws: JSONError.self) { try Account(balance: .nan).jsonString() }
        #expect(error?.kind == .notWritable)
        #expect(error?.path == "balance")
    }

    @Test func manyDecimalsKeepTheirDigits() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<2000 {
            let digits = String(UInt64.random(in: 1...UInt64.max, using: &random))
            let point = Int.random(in: 0..<digits.count, using: &random)
            let fraction = digits.suffix(point)
            let lexeme = point == 0 ? digits : (digits.dropLast(point).isEmpty ? "0" : digits.dropLast(point)) + "." + fraction
            let account = try Account(json: #"{"balance":\#(lexeme)}"#)
            let expected = try #require(Decimal(string: String(lexeme)))
            #expect(account.balance == expected)
            #expect(try Account(json: try account.jsonString()) == account)
        }
    }
}
#endif
