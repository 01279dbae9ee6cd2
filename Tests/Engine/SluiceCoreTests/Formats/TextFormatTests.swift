import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Formats as the RFCs have them, beyond the cases of the JSON Schema Test Suite.
@Suite struct TextFormatTests {
    private static let cases: [(JSONTextFormat, accepted: [String], refused: [String])] = [
        (
            .dateTime,
            ["1996-12-19T16:39:57-08:00", "1990-12-31t23:59:60z", "2024-02-29T00:00:00.0Z", "0000-01-01T00:00:00+00:00"],
            [
                "1996-12-19", "1996-12-19 16:39:57Z", "2023-02-29T00:00:00Z", "1996-12-19T16:39Z", "1996-12-19T16:39:57.Z",
                "1996-12-19T16:39:57", "",
            ]
        ),
        (.date, ["1970-01-01", "9999-12-31", "0000-02-29"], ["1900-02-29", "1970-01-01T", "1970-1-01", "1970-00-01"]),
        (
            .time, ["00:00:00Z", "15:59:60-08:00", "12:00:00.123456789123456789+23:59", "00:29:60+00:30"],
            ["24:00:00Z", "12:00:60Z", "12:00:00", "12:00:00+0100", "12:00:00 Z", "12:00:00.Z", "1:00:00Z", "23:59:60+00:01"]
        ),
        (
            .duration, ["P1Y", "P1Y2M3DT4H5M6S", "PT1S", "P3W", "P1MT1M", "P1DT1H"],
            ["P", "PT", "P1", "P1S", "P1Y1D", "P1WT1H", "P1W1D", "PT1S1M", "P1H", "p1y", "P1DT", "PTT1S", "P1Y1Y"]
        ),
        (
            .email,
            [
                "a@b", "first.last@sub.example.com", "o'hara+tag@example.com", #""a\"b\\c"@example.com"#, #""""@example.com"#,
                "a@[192.0.2.1]",
                "a@[IPv6:2001:db8::1]", "a@[ipv6:::]", String(repeating: "a", count: 64) + "@b", "a@xn--9n2bp8q.com",
            ],
            [
                "a", "@b", "a@", "a@b@c", "a b@c", "a..b@c", ".a@b", "a.@b", "a@-b", "a@b.", "a@b..c", "ü@example.com", "a@ü.de",
                #""a@b"#, #""a"b@c"#,
                "\"a\n\"@b", #""a\"@b"#, "a@[192.0.2]", "a@[192.0.2.1", "a@[2001:db8::1]", "a@[IPv6:1]", "a@[192.0.2.1].com",
                String(repeating: "a", count: 65) + "@b",
            ]
        ),
        (
            .hostname,
            [
                "a", "a.b", "1.2.3.4", "a-b.c--d", "r3---sn-4g5e6nsz.example", "XN--9N2BP8Q.com",
                String(repeating: "a.", count: 126) + "a",
                "xn--bcher-kva.example", "xn--mgbh0fb.xn--kgbechtv",
            ],
            [
                "", ".", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", "bücher", String(repeating: "a", count: 64),
                String(repeating: "a.", count: 127) + "a",
                "xn--", "xn---", "xn--a", "xn--a-", "xn--example-", "xn---9uc", "xn--99999999", "xn--0ca24w", "xn--7a", "xn--X",
                "a.xn--l-fda.b",
                "xn--" + String(repeating: "9", count: 59), "xn--zz-zzzzzzzz",
            ]
        ),
        (
            .ipv4, ["0.0.0.0", "255.255.255.255", "1.20.30.4"],
            ["1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.0004", "1..3.4", "a.b.c.d", "1.2.3.4 "]
        ),
        (
            .ipv6,
            [
                "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "2001:DB8::a", "::1.2.3.4",
                "1:2:3:4:5:6:1.2.3.4", "1::1.2.3.4",
            ],
            [
                "", ":", ":::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1%eth0",
                "::1.2.3", "1.2.3.4", "::1.2.3.4:1",
                "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:8::", "::01.2.3.4",
            ]
        ),
        (
            .uri,
            [
                "http://a", "a:", "a:b", "A+b-c.9://x", "http://u:p@h:80/p;x=1?q=/?#f/?", "http://[::1]:80", "http://[v1.a:b]",
                "http://", "file:///etc/hosts",
                "urn:isbn:0", "a://%41.b/%2f", "a:/b//c", "a:?#",
            ],
            [
                "", "a", "//a", "/a", "1a:b", "a b:c", "a:b c", "a:%", "a:%4", "a:%4g", "a:ü", "http://[::1", "http://[1]",
                "http://[v.a]", "http://[v1.]",
                "http://a:b", "http://a@b@c", "http://[::1]x", "a:b#c#d", "a:[", "a:\\", "a:\u{7F}", "http://a:80x/", "http://%/",
            ]
        ),
        (
            .uriReference, ["", "a", "/a", "//a", "?q", "#f", "../a?b#c", "./a:b", "a/b:c", "http://a", "//u@h:1/p"],
            ["a b", "1:b", ":a", "%", "#a#b", "//[::1", "//a:b", "ü", "\\a"]
        ),
        (
            .uuid, ["00000000-0000-0000-0000-000000000000", "ABCDEFab-cdef-0123-4567-89abcdefABCD"],
            [
                "", "00000000000000000000000000000000", "{00000000-0000-0000-0000-000000000000}",
                "00000000-0000-0000-0000-00000000000g",
                "00000000-0000-0000-0000-0000000000000",
            ]
        ),
        (
            .regex, ["", "a|b", #"(?<=a)b(?!c)\1"#.replacing(#"\1"#, with: ""), #"(a)\1"#, "[^]", #"\p{Radical}"#],
            [#"\a"#, "(", "a**", "{", #"\1"#, "(?P<a>b)"]
        ),
        (.jsonPointer, ["", "/", "//", "/a~0~1/ü", "/ "], ["a", "#/a", "/~", "/~2", "/a~", "/~0~"]),
    ]

    @Test func formatsAreThoseOfTheRFCs() {
        for (format, accepted, refused) in TextFormatTests.cases {
            for text in accepted { #expect(format.accepts(text), "\(format): \(text)") }
            for text in refused { #expect(!format.accepts(text), "\(format): \(text)") }
        }
        #expect(TextFormatTests.cases.map(\.0) == JSONTextFormat.allCases)
    }

    @Test func aLineBreakAfterATextIsNotPartOfIt() {
        for (format, accepted, _) in TextFormatTests.cases where format != .jsonPointer && format != .regex {
            for text in accepted {
                #expect(!format.accepts(text + "\n"), "\(format): \(text)")
                #expect(!format.accepts("\n" + text), "\(format): \(text)")
                #expect(!format.accepts(text + "\0"), "\(format): \(text)")
            }
        }
    }

    /// Parts of texts, and texts with other bytes, have a verdict and are read within their ends.
    @Test func damagedTextsHaveAVerdict() {
        var random = SplitMix64(seed: 55)
        for (format, accepted, refused) in TextFormatTests.cases {
            var verdicts = (yes: 0, no: 0)
            for text in accepted + refused where text.utf8.count < 100 {
                let bytes = Array(text.utf8)
                for end in 0...bytes.count {
                    // Memory of just this size, so that tools see what is read after it.
                    let prefix = Array(bytes[..<end])
                    let verdict = unsafe prefix.withUnsafeBufferPointer { unsafe format.accepts($0) }
                    if verdict { verdicts.yes += 1 } else { verdicts.no += 1 }
                    if let prefix = String(bytes: prefix, encoding: .utf8) { #expect(format.accepts(prefix) == verdict) }
                }
                for index in bytes.indices {
                    var changed = bytes
                    changed[index] = .random(in: 0x80...0xFF, using: &random)
                    let isAccepted = unsafe changed.withUnsafeBufferPointer { unsafe format.accepts($0) }
                    if format != .jsonPointer && format != .regex { #expect(!isAccepted, "\(format): \(changed)") }
                }
            }
            #expect(verdicts.yes > 0 && verdicts.no > 0, "\(format)")
        }
    }

    @Test func longTextsAreReadOnce() {
        let long = String(repeating: "1", count: 1_000_000)
        #expect(JSONTextFormat.duration.accepts("P\(long)D"))
        #expect(JSONTextFormat.time.accepts("00:00:00.\(long)Z"))
        #expect(JSONTextFormat.uri.accepts("a://\(long)@\(long):\(long)/\(long)"))
        #expect(!JSONTextFormat.hostname.accepts(long))
        #expect(!JSONTextFormat.email.accepts("\(long)@a"))
        #expect(!JSONTextFormat.ipv4.accepts("\(long).1.1.1"))
        #expect(!JSONTextFormat.ipv6.accepts(String(repeating: "1:", count: 500_000)))
        #expect(JSONTextFormat.regex.accepts(String(repeating: "(a|", count: 100_000) + String(repeating: ")", count: 100_000)))
    }
}
