// Nicolas Seriot's parser cases (https://github.com/nst/JSONTestSuite): `y_` must be accepted, `n_` refused, and what is done with
// each `i_`, where the RFC leaves the choice, is pinned here.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct JSONTestSuiteTests {
    /// What is done where the RFC leaves it to the implementation: nil is accepted. Numbers are kept as text, so none is too
    /// large; what is no Unicode, no UTF-8 or too deep is refused.
    static let choices: [String: JSONError.Kind?] = [
        "i_number_double_huge_neg_exp": nil, "i_number_huge_exp": nil, "i_number_neg_int_huge_exp": nil,
        "i_number_pos_double_huge_exp": nil, "i_number_real_neg_overflow": nil, "i_number_real_pos_overflow": nil,
        "i_number_real_underflow": nil, "i_number_too_big_neg_int": nil, "i_number_too_big_pos_int": nil,
        "i_number_very_big_negative_int": nil, "i_object_key_lone_2nd_surrogate": .invalidUnicode,
        "i_string_1st_surrogate_but_2nd_missing": .invalidUnicode, "i_string_1st_valid_surrogate_2nd_invalid": .invalidUnicode,
        "i_string_UTF-16LE_with_BOM": .unsupportedEncoding, "i_string_UTF-8_invalid_sequence": .invalidUnicode,
        "i_string_UTF8_surrogate_U+D800": .invalidUnicode, "i_string_incomplete_surrogate_and_escape_valid": .invalidUnicode,
        "i_string_incomplete_surrogate_pair": .invalidUnicode, "i_string_incomplete_surrogates_escape_valid": .invalidUnicode,
        "i_string_invalid_lonely_surrogate": .invalidUnicode, "i_string_invalid_surrogate": .invalidUnicode,
        "i_string_invalid_utf-8": .invalidUnicode, "i_string_inverted_surrogates_U+1D11E": .invalidUnicode,
        "i_string_iso_latin_1": .invalidUnicode, "i_string_lone_second_surrogate": .invalidUnicode,
        "i_string_lone_utf8_continuation_byte": .invalidUnicode, "i_string_not_in_unicode_range": .invalidUnicode,
        "i_string_overlong_sequence_2_bytes": .invalidUnicode, "i_string_overlong_sequence_6_bytes": .invalidUnicode,
        "i_string_overlong_sequence_6_bytes_null": .invalidUnicode, "i_string_truncated-utf-8": .invalidUnicode,
        "i_string_utf16BE_no_BOM": .unsupportedEncoding, "i_string_utf16LE_no_BOM": .unsupportedEncoding,
        "i_structure_500_nested_arrays": nil, "i_structure_UTF-8_BOM_empty_object": nil,
    ]

    @Test func everyCaseHasItsOutcomeHoweverItIsRead() throws {
        var counts = (accepted: 0, refused: 0, chosen: 0)
        for name in try Corpus.testSuite() where name.hasSuffix(".json") {
            let bytes = try Corpus.bytes("JSONTestSuite/\(name)")
            let (outcome, disagreements) = readEveryWay(JSONValue.self, bytes)
            #expect(disagreements == [], "\(name)")
            var kind: JSONError.Kind?
            if case .failure(let found, _) = outcome { kind = found }
            switch name.prefix(2) {
            case "y_":
                #expect(kind == nil, "\(name)")
                counts.accepted += 1
            case "n_":
                #expect(kind != nil, "\(name)")
                counts.refused += 1
            default:
                let choice = try #require(Self.choices[String(name.dropLast(5))], "no choice is pinned for \(name)")
                #expect(kind == choice, "\(name)")
                counts.chosen += 1
            }
        }
        #expect(counts == (95, 188, 35))
    }

    @Test func rawValuesHaveTheSameOutcomes() throws {
        for name in try Corpus.testSuite() where name.hasSuffix(".json") {
            let bytes = try Corpus.bytes("JSONTestSuite/\(name)")
            let (outcome, disagreements) = readEveryWay(RawJSON.self, bytes)
            #expect(disagreements == [], "\(name)")
            if name.hasPrefix("y_"), case .failure = outcome { Issue.record("\(name): \(outcome)") }
            if name.hasPrefix("n_"), case .value = outcome { Issue.record("\(name): \(outcome)") }
        }
    }

    @Test func whatIsAcceptedIsWrittenAndReadAgain() throws {
        for name in try Corpus.testSuite() where name.hasPrefix("y_") {
            let value = try JSONValue(json: Corpus.bytes("JSONTestSuite/\(name)"))
            #expect(try JSONValue(json: value.jsonBytes()) == value, "\(name)")
            #expect(try JSONValue(json: value.jsonBytes(options: .pretty)) == value, "\(name)")
        }
    }
}
