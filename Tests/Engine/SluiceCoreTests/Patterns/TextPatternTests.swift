import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Patterns as ECMA-262 means them with the `u` flag, and what is refused.
@Suite struct TextPatternTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool { try TextPattern(pattern).matches(text) }

    private func failure(_ pattern: String) -> TextPattern.Failure? {
        do throws(TextPattern.Failure) {
            _ = try TextPattern(pattern)
            return nil
        } catch { return error }
    }

    // MARK: What matches

    @Test(
        arguments: [
            ("", "", true), ("", "x", true), ("a", "xay", true), ("^a", "xay", false), ("y$", "xay", true), ("a$", "xay", false),
            ("^$", "", true), ("^$", "\n", false), ("^abc$", "abc\n", false), ("a|", "x", true), ("^(?:a|b|)$", "b", true),
            ("^(a|bc)+d?$", "abcbca", true), ("^(a|bc)+d?$", "abcb", false), ("^a{3}$", "aa", false), ("^a{3}$", "aaa", true),
            ("^a{2,}$", "a", false), ("^a{2,}$", "aaaaa", true), ("^a{1,3}$", "aaaa", false), ("^a{0}b$", "b", true),
            ("^(a{2}){3}$", "aaaaaa", true), ("^(a{2}){3}$", "aaaaa", false), ("^(?:){9}$", "", true),
            ("^a*?b+?c??$", "aabb", true),
            ("(?<year>\\d{4})-(?<month>\\d\\d)", "on 2026-02-03", true), ("^.$", "🐲", true), ("^.$", "\r", false),
            ("^.$", "\u{2029}", false), ("^[^]$", "\n", true), ("[]", "a", false), ("^[^a]$", "é", true), ("^[a-]$", "-", true),
            ("^[-a]$", "-", true), ("^[\\-a]$", "-", true), ("^[\\]]$", "]", true), ("^[.*+?]$", "*", true),
            ("^[\\b]$", "\u{8}", true),
            ("^[\\d-]+$", "1-2", true), ("^[\\w.]+$", "a_0.", true), ("^[^\\W]$", "_", true), ("^[а-я]+$", "мир", true),
            ("^[日-本]$", "木", true), ("^[\u{10000}-\u{10FFFF}]$", "🐲", true), ("^[\\u{1F400}-\\u{1F4FF}]$", "🐲", true),
        ] as [(String, String, Bool)])
    func patternsMatchAsInECMAScript(_ pattern: String, _ text: String, _ verdict: Bool) throws {
        #expect(try matches(pattern, text) == verdict, "\(pattern)")
    }

    @Test func escapesAreThoseOfTheUFlag() throws {
        let escapes = [
            #"\t"#: "\t", #"\n"#: "\n", #"\v"#: "\u{B}", #"\f"#: "\u{C}", #"\r"#: "\r", #"\0"#: "\0", #"\cJ"#: "\n",
            #"\cj"#: "\n",
            #"\x41"#: "A", #"\u0041"#: "A", #"\u{41}"#: "A", #"\u{000041}"#: "A", #"\uD83D\uDC32"#: "🐲", #"\u{1F432}"#: "🐲",
            #"\/"#: "/", #"\^"#: "^", #"\$"#: "$", #"\\"#: "\\", #"\."#: ".", #"\("#: "(", #"\]"#: "]", #"\{"#: "{", #"\|"#: "|",
        ]
        for (escape, text) in escapes {
            #expect(try matches("^\(escape)$", text), "\(escape)")
            #expect(try matches("^[\(escape)]$", text), "[\(escape)]")
            #expect(try !matches("^\(escape)$", "x"), "\(escape)")
        }
        // Half of a surrogate pair is a code point, but no text has it.
        #expect(try !matches(#"\uD83D"#, "🐲"))
        #expect(try matches(#"^\uD83Da|b"#, "b"))
        #expect(try matches(#"^[\uD800-\uDFFFx]$"#, "x"))
    }

    @Test func wordsAndSpacesAreThoseOfECMAScript() throws {
        let spaces: [Unicode.Scalar] = [
            "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{FEFF}", "\u{1680}", "\u{2028}", "\u{2029}", "\u{3000}",
        ]
        for value in 0...0x3100 as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSpace = spaces.contains(scalar) || scalar.properties.generalCategory == .spaceSeparator
            #expect(try matches(#"^\s$"#, String(scalar)) == isSpace, "U+\(String(value, radix: 16))")
            if value == 0x100 { break }
        }
        for scalar in spaces {
            #expect(try matches(#"^\s$"#, String(scalar)))
            #expect(try !matches(#"\S"#, String(scalar)))
        }
        #expect(try matches(#"^\S$"#, "\u{180E}"))
        #expect(try !matches(#"\d"#, "٣"))
        #expect(try !matches(#"\w"#, "éЖ日"))
        #expect(try matches(#"^\W+$"#, "éЖ日"))
    }

    @Test func wordBoundariesLookAtBothSides() throws {
        #expect(try matches(#"\bcat\b"#, "a cat!"))
        #expect(try !matches(#"\bcat\b"#, "concatenate"))
        #expect(try matches(#"\Bcat\B"#, "concatenate"))
        #expect(try matches(#"^\b"#, "a"))
        #expect(try !matches(#"^\b"#, "é"))
        #expect(try matches(#"^\B$"#, ""))
        #expect(try matches(#"a\b"#, "aé"))
        #expect(try !matches(#"a\B$"#, "a"))
        #expect(try matches(#"^(?:\b|a)+$"#, "aa"))
    }

    @Test func propertiesAreThoseOfUnicode() throws {
        let cases: [(String, String, String)] = [
            ("L", "aÉ日", "1 "), ("Letter", "aÉ日", "1 "), ("Lu", "AÉ", "aé"), ("Nd", "1٣", "Ⅷa"), ("digit", "1٣", "a"),
            ("N", "1Ⅷ½", "a"),
            ("punct", "!¿", "a+"), ("gc=Sc", "€$", "a"), ("General_Category=Currency_Symbol", "€$", "a"), ("LC", "aA", "日1"),
            ("Script=Greek", "αΩ", "aЖ"), ("sc=Grek", "αΩ", "aЖ"), ("Script=Han", "日本", "ひ"), ("sc=Cyrl", "Ж", "a"),
            ("Any", "a🐲\n", ""),
            ("ASCII", "a~", "é"), ("Assigned", "a", "\u{378}"), ("Alphabetic", "aⅧ", "1"), ("Emoji", "🐲1", "a"),
            ("Uppercase", "A", "a"),
            ("White_Space", " \u{85}", "\u{FEFF}"), ("Co", "\u{E000}\u{F0000}\u{10FFFD}", "a\u{10FFFF}"),
            ("Cn", "\u{10FFFF}", "a"),
            ("NChar", "\u{FFFE}\u{5FFFF}", "\u{5FFFD}a"), ("VS", "\u{FE0F}\u{E0100}", "a"),
        ]
        for (property, members, others) in cases {
            for scalar in members.unicodeScalars {
                #expect(try matches("^\\p{\(property)}$", String(scalar)), "\(property): \(scalar.escaped(asASCII: true))")
                #expect(try !matches("^\\P{\(property)}$", String(scalar)), "\(property): \(scalar.escaped(asASCII: true))")
            }
            for scalar in others.unicodeScalars {
                #expect(try !matches("^[\\p{\(property)}]$", String(scalar)), "\(property): \(scalar.escaped(asASCII: true))")
                #expect(try matches("^[\\P{\(property)}]$", String(scalar)), "\(property): \(scalar.escaped(asASCII: true))")
            }
        }
    }

    @Test func categoriesDivideAllScalars() throws {
        let set = try TextPattern(#"^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{C}]$"#)
        let parts = try ["L", "M", "N", "P", "S", "Z", "C"].map { try TextPattern("^\\p{\($0)}$") }
        for value in stride(from: 0, through: 0x10FFFF, by: 37) as StrideThrough<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(set.matches(String(scalar)))
            #expect(parts.count { $0.matches(String(scalar)) } == 1, "U+\(String(value, radix: 16))")
        }
    }

    @Test func patternsAreEqualWhenTheirBytesAre() throws {
        #expect(try TextPattern("é") != TextPattern("e\u{301}"))
        #expect(try Set([TextPattern("a"), TextPattern("a"), TextPattern("b")]).count == 2)
    }

    // MARK: What is refused

    @Test(
        arguments: [
            ("(?=a)b", 0, "look-ahead"), ("ab(?!a)", 2, "look-ahead"), ("(?<=a)", 0, "look-behind"),
            ("é(?<!a)", 2, "look-behind"),
            (#"(a)\1"#, 3, "back-reference"), (#"(?<n>a)\k<n>"#, 7, "back-reference"),
            (#"\p{Script_Extensions=Greek}"#, 0, "Script_Extensions"), (#"\p{Script=Klingon}"#, 0, "Klingon"),
            (#"a\p{Regional_Indicator}"#, 1, "Regional_Indicator"), ("(a{1000}){1000}", 9, "states"),
            ("(a{99999999999999999999}){99999999999999999999}", 2, "states"), ("(?:a{5000}){0}a{6000}", 15, "states"),
        ] as [(String, Int, String)])
    func whatIsNotRegularIsRefusedByName(_ pattern: String, _ offset: Int, _ word: String) throws {
        let failure = try #require(failure(pattern))
        #expect(failure.isRefusal)
        #expect(failure.offset == offset)
        #expect(failure.reason.contains(word), "\(failure.reason)")
        #expect(TextPattern.isValid(pattern))
    }

    @Test(
        arguments: [
            ("a(b", 1, "closed"), ("a)b", 1, "closes no group"), ("*a", 0, "repeat"), ("a**", 2, "repeat"),
            ("a{1}{2}", 4, "no meaning"),
            ("^*", 1, "repeat"), ("(?=a)*", 5, "repeat"), (#"\b+"#, 2, "repeat"), ("a{", 2, "number"), ("a{1", 3, "'}'"),
            ("a{2,1}", 1, "order"),
            ("a}", 1, #"'\}'"#), ("]", 0, #"'\]'"#), ("{a}", 0, #"'\{'"#), ("[a", 0, "closed"), ("[b-a]", 1, "order"),
            (#"[\d-z]"#, 1, "range"),
            (#"[a-\d]"#, 1, "range"), (#"\a"#, 0, #"'\a'"#), (#"\-"#, 0, #"'\-'"#), (#"\é"#, 0, #"'\é'"#),
            (#"[\e]"#, 1, #"'\e'"#), (#"a\"#, 1, "missing"),
            (#"\c1"#, 0, "letter"), (#"\01"#, 0, "digit"), (#"[\1]"#, 1, #"'\1'"#), (#"\x4"#, 0, "hexadecimal"),
            (#"\u12"#, 2, "hexadecimal"),
            (#"\u{110000}"#, 2, "10FFFF"), (#"\u{}"#, 2, "10FFFF"), (#"\p"#, 0, "property"), (#"\p{}"#, 0, "property"),
            (#"\p{Lettr}"#, 0, "did you mean 'Letter'?"), (#"\p{Greek}"#, 0, "Script=Greek"), (#"\p{Foo=Bar}"#, 0, "Foo"),
            (#"\p{gc=X}"#, 0, "category"),
            ("(?P<n>a)", 2, "ECMA-262"), ("(?#c)", 2, "ECMA-262"), ("(?i)a", 2, "ECMA-262"), ("(?i:a)", 2, "ECMA-262"),
            ("(?<1>a)", 3, "name"),
            ("(?<a>x)(?<a>y)", 10, "two groups"), (#"\1"#, 0, "no group 1"), (#"(a)\2"#, 3, "no group 2"),
            (#"\k<n>"#, 0, "no group"),
            (#"\k"#, 2, "name"), ("(?<a", 3, "name"),
        ] as [(String, Int, String)])
    func whatIsNotValidHasItsOffset(_ pattern: String, _ offset: Int, _ word: String) throws {
        let failure = try #require(failure(pattern), "\(pattern)")
        #expect(!failure.isRefusal)
        #expect(failure.offset == offset, "\(pattern): \(failure.reason)")
        #expect(failure.reason.contains(word), "\(pattern): \(failure.reason)")
        #expect(!TextPattern.isValid(pattern))
    }
}
