import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Patterns and texts that somebody made to cost much, and a comparison with a matcher that tries everything.
@Suite struct HostilePatternTests {
    @Test func randomPatternsMatchAsTheNaiveMatcherSays() throws {
        var random = SplitMix64(seed: 51)
        var verdicts = (yes: 0, no: 0)
        for _ in 0..<6_000 {
            let naive = NaivePattern.random(&random, depth: 3)
            let pattern = try TextPattern(naive.source)
            for _ in 0..<6 {
                let text = NaivePattern.randomText(&random)
                let verdict = naive.matches(text)
                if verdict { verdicts.yes += 1 } else { verdicts.no += 1 }
                #expect(pattern.matches(String(String.UnicodeScalarView(text))) == verdict, "/\(naive.source)/ on \(text)")
            }
        }
        #expect(verdicts.yes > 5_000 && verdicts.no > 5_000, "\(verdicts)")
    }

    @Test func bytesThatAreNotUTF8CountAsReplacements() throws {
        var random = SplitMix64(seed: 52)
        var illFormed = 0
        for _ in 0..<3_000 {
            let naive = NaivePattern.random(&random, depth: 2)
            let pattern = try TextPattern(naive.source)
            for _ in 0..<4 {
                // Parts of valid characters and bytes that begin none.
                var bytes = Array(String(String.UnicodeScalarView(NaivePattern.randomText(&random))).utf8)
                for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                    let index = bytes.indices.randomElement(using: &random)!
                    if Bool.random(using: &random) {
                        bytes.remove(at: index)
                    } else {
                        bytes[index] = .random(in: 0x80...0xFF, using: &random)
                    }
                }
                let repaired = String(decoding: bytes, as: UTF8.self)
                if Array(repaired.utf8) != bytes { illFormed += 1 }
                let verdict = unsafe bytes.withUnsafeBufferPointer { unsafe pattern.matches($0) }
                #expect(verdict == naive.matches(Array(repaired.unicodeScalars)), "/\(naive.source)/ on \(bytes)")
            }
        }
        #expect(illFormed > 1_000)
    }

    @Test func nestedQuantifiersTakeOneStepPerByte() throws {
        let text = String(repeating: "a", count: 200_000)
        for source in ["^(a*)*b$", "^(((a+)+)+)+$", "(a|aa)+$", "^(a?){60}a{60}$", "(.*)*(.*)*(.*)*x", "^(a|a|a|a)*$"] {
            let pattern = try TextPattern(source)
            #expect(pattern.matches(text + "b") == (source == "^(a*)*b$"), "\(source)")
            #expect(pattern.matches(text) == ["^(((a+)+)+)+$", "(a|aa)+$", "^(a|a|a|a)*$"].contains(source), "\(source)")
        }
    }

    /// The automaton of `(a|b)*a(a|b){14}` has 2^15 states, more than a matcher keeps.
    @Test func textsThatFillTheMemoryForStatesGoOnMatching() throws {
        let pattern = try TextPattern("^(a|b)*a(a|b){14}$")
        var random = SplitMix64(seed: 53)
        var counts = (yes: 0, no: 0)
        for _ in 0..<60 {
            let text = (0..<2_000).map { _ in Bool.random(using: &random) ? "a" : "b" }
            let verdict = text[text.count - 15] == "a"
            if verdict { counts.yes += 1 } else { counts.no += 1 }
            #expect(pattern.matches(text.joined()) == verdict)
        }
        #expect(counts.yes > 10 && counts.no > 10)
    }

    @Test func manyThreadsShareOnePattern() throws {
        let pattern = try TextPattern(#"^(\p{L}|b)*a(a|é){11}$"#)
        let wrong = Lock()
        nonisolated(unsafe) var count = 0
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            // Two threads have the same texts each time.
            var random = SplitMix64(seed: UInt64(thread / 2))
            for _ in 0..<400 {
                let text = (0..<60).map { _ in ["a", "é", "b"].randomElement(using: &random)! }
                let verdict = text[text.count - 12] == "a" && !text.suffix(11).contains("b")
                if pattern.matches(text.joined()) != verdict { wrong.withLock { unsafe count += 1 } }
            }
            let verdict = pattern.matches("a" + String(repeating: "é", count: 11))
            if !verdict { wrong.withLock { unsafe count += 1 } }
        }
        #expect(unsafe count == 0)
    }

    @Test func manyAlternativesAreOnePattern() throws {
        let words = (0..<1_200).map { String($0, radix: 36) + "é" }
        let pattern = try TextPattern("^(?:" + words.joined(separator: "|") + ")$")
        for word in words { #expect(pattern.matches(word)) }
        #expect(!pattern.matches("é"))
        #expect(!pattern.matches(words[7] + "x"))
        #expect(throws: TextPattern.Failure.self) { try TextPattern((0..<10_000).map { "a\($0)" }.joined(separator: "|")) }
    }

    @Test func differentCharactersAreDifferentSymbols() throws {
        let characters = (0..<3_000).compactMap { Unicode.Scalar(0x4E00 + $0).map(String.init) }
        let pattern = try TextPattern("^(?:" + characters.joined(separator: "|") + ")+$")
        #expect(pattern.matches(characters.joined()))
        #expect(!pattern.matches(characters.joined() + "a"))
        let classes = (0..<400).compactMap { Unicode.Scalar(0x4E00 + $0).map { "[\\p{L}\($0)]" } }
        #expect(throws: TextPattern.Failure.self) { try TextPattern(classes.joined()) }
    }

    @Test func deepGroupsNeedNoStack() throws {
        let depth = 100_000
        let open = String(repeating: "(", count: depth)
        let close = String(repeating: ")*", count: depth)
        let used = try #require(
            stackUse {
                #expect(!TextPattern.isValid(open))
                #expect(TextPattern.isValid(open + "a" + close))
                #expect(throws: TextPattern.Failure.self) { try TextPattern(open + "a" + close) }
                let allowed = String(repeating: "(", count: 500) + "a" + String(repeating: ")*", count: 500)
                #expect((try? TextPattern(allowed))?.matches("aaa") == true)
            })
        #expect(used < 1 << 20, "\(used)")
    }

    @Test func everyPrefixOfAPatternCompilesOrHasAnOffset() {
        let sources = [
            #"^(?<year>\d{4})-(?:0[1-9]|1[0-2])\b.*?[^\]\-a-z\u{1F400}-\u{1F4FF}]{2,3}$"#,
            #"\uD83D\uDC32\x41\cA\0\p{L}\P{Script=Greek}+[\p{Lu}\-é日]"#,
            #"(?=a)(?!b)(?<=c)(?<!d)(?:e)\k<year>\1(?<year>f)"#,
        ]
        for source in sources {
            for end in source.utf8.indices {
                guard let prefix = String(source.utf8[..<end]) else { continue }
                expectVerdict(prefix)
            }
        }
        var random = SplitMix64(seed: 54)
        let signs = #"\^$.*+?()[]{}|/-,:=!<>abkpPuxcdDsSwWé日19"#.map(String.init) + [#"\p{"#, "(?<", #"\u{"#, "(?:", "[^"]
        var counts = (valid: 0, invalid: 0)
        for _ in 0..<30_000 {
            let source = (0..<Int.random(in: 0...9, using: &random)).map { _ in signs.randomElement(using: &random)! }.joined()
            if expectVerdict(source) { counts.valid += 1 } else { counts.invalid += 1 }
        }
        #expect(counts.valid > 500 && counts.invalid > 500, "\(counts)")
    }

    @discardableResult private func expectVerdict(_ source: String) -> Bool {
        do throws(TextPattern.Failure) {
            let pattern = try TextPattern(source)
            // Whatever the verdict, it is the same when the states are known.
            #expect(pattern.matches("a日1-b") == pattern.matches("a日1-b"), "\(source)")
            #expect(TextPattern.isValid(source))
            return true
        } catch {
            #expect(error.offset >= 0 && error.offset <= source.utf8.count, "\(source)")
            #expect(!error.reason.isEmpty)
            #expect(TextPattern.isValid(source) == error.isRefusal, "\(source)")
            return false
        }
    }
}
