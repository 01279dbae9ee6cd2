import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

/// The paths that errors suggest lead to where they say, whatever the keys.
@Suite struct SuggestedPathTests {
    private static let hostile = [
        "", "*", "**", "/", "/x", "x/y", "//", "~", "~0", "~1", "~01", "a~1b", "[", "]", "[0]", "[*]", "a[0]", "a[", "a]", "]a[",
        ".", "..", "a.b",
        ".a", "a.", "0", "-1", "a", "é", "e\u{301}", "\u{301}", "\u{301}b", "\u{200D}", "😀", "\u{FE0F}", "\r\n", "\n", "\r",
        "\u{0}", " ", "\"", "\\",
        "'", "/.", "*.*", "~\u{301}", ".\u{301}", "1\u{301}", "[\u{301}0]",
    ]

    private func expectSameKeys(_ keys: [String]) throws {
        let text = JSONRecordPath.joined(keys)
        let path = try #require(try? JSONRecordPath(text), "\(keys) as \(text)")
        #expect(bytes(path.components) == bytes(keys.map { .key($0) }), "\(keys) as \(text)")
    }

    /// Components whose keys are compared byte by byte.
    private func bytes(_ components: [PathStep]) -> [String: [UInt8]] {
        var bytes: [String: [UInt8]] = [:]
        for (index, component) in components.enumerated() {
            switch component {
            case .key(let key): bytes["\(index) name"] = Array(key.utf8)
            case .index(let number): bytes["\(index) index \(number)"] = []
            case .any: bytes["\(index) any"] = []
            }
        }
        return bytes
    }

    @Test func oneHostileKeyIsFoundAgain() throws {
        for key in Self.hostile { try expectSameKeys([key]) }
    }

    @Test func twoHostileKeysAreFoundAgain() throws {
        for first in Self.hostile {
            for second in Self.hostile { try expectSameKeys([first, second]) }
        }
        try expectSameKeys([])
    }

    @Test func randomKeysAreFoundAgain() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<3000 {
            let keys = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.hostile.randomElement(using: &random) ?? "" }.joined()
            }
            try expectSameKeys(keys)
        }
    }

    @Test func plainKeysAreJoinedByDots() {
        #expect(JSONRecordPath.joined(["data", "items"]) == "data.items")
        #expect(JSONRecordPath.joined(["data", "my.items"]) == #"data."my.items""#)
        #expect(JSONRecordPath.joined(["a]", "/b"]) == #""a]"./b"#)
        #expect(JSONRecordPath.joined(["*"]) == #""*""#)
    }

    /// The paths in quotes in an error's hint.
    private func suggestions(_ path: JSONRecordPath, _ text: String) throws -> [String] {
        let feed = JSONFeed<JSONValue>(bytes: Array(text.utf8), options: .init(format: .object, at: path))
        var hint = ""
        while true {
            do throws(JSONError) {
                guard try feed.next() != nil else { break }
            } catch {
                hint = error.hint ?? ""
            }
        }
        return hint.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
    }

    private func records(_ path: String, _ text: String) throws -> Int {
        let feed = try JSONFeed<JSONValue>(bytes: Array(text.utf8), options: .init(format: .object, at: JSONRecordPath(path)))
        var count = 0
        while try feed.next() != nil { count += 1 }
        return count
    }

    @Test func suggestedPathLeadsToTheRecords() throws {
        for (path, text) in [
            ("datta.items", #"{"data":{"items":[1,2]}}"#), ("/dat.a/items", #"{"data.a":{"items":[1,2]}}"#),
            ("list[0].itms", #"{"list":[{"items":[1,2]}]}"#), ("/itemss", #"{"/items":[1,2]}"#),
            ("[0].it.ems", #"[{"it":{"em.s":[1,2]}}]"#), ("a.*.itms", #"{"a":{"x":{"items":[1,2]}}}"#),
            ("/lisst[/0/b", #"{"list[":[{"b":[1,2]}]}"#),
        ] as [(JSONRecordPath, String)] {
            let found = try suggestions(path, text)
            #expect(found.count == 1)
            for suggestion in found { #expect(try records(suggestion, text) == 2, "\(suggestion)") }
        }
    }

    @Test func keysAfterManyAreQuoted() throws {
        let feed = JSONFeed<JSONValue>(
            bytes: Array(#"{"a":{"x":{"ite.ms":[1,2]}}}"#.utf8), options: .init(format: .object, at: "a.*.items"))
        let error = failure { () throws(JSONError) in while try feed.next() != nil {} }
        #expect(error?.hint == #"did you mean 'a[*]."ite.ms"'?"#)
    }
}
