// Half a surrogate pair never reaches yajl, and what yajl makes of one is never used: the same text has the same verdict at the same
// offset with every yajl. `Scripts/net any-yajl` runs all tests with the library as its authors released it, and compares the verdicts.

import CYajl
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct SurrogateGuardTests {
    private static let environment = ProcessInfo.processInfo.environment

    // MARK: What the parser gets

    @Test func aParserNeverGetsHalfASurrogatePair() {
        var random = SplitMix64(seed: 31)
        for _ in 0..<4000 {
            let text = Array("\"\(Self.string(&random))\",".utf8)
            let parts = Self.parts(of: text, cuts: [random.below(text.count), random.below(text.count)].sorted())
            let parsed = parts.flatMap(\.text)
            #expect(!Self.hasLoneHighSurrogate(parsed), "\(Self.words(text)) became \(Self.words(parsed))")
            // Each part ends where its range ends, and the ranges are the text.
            #expect(parts.flatMap { text[$0.range] } == text)
            for part in parts where part.isCopy { #expect(part.text.last == text[part.range].last) }
            if !Self.hasLoneHighSurrogate(text) { #expect(parsed == text) }
        }
    }

    @Test func itIsKnownWhetherTheTextHasASurrogate() {
        var random = SplitMix64(seed: 32)
        var found = 0
        for _ in 0..<4000 {
            let text = Array("\"\(Self.string(&random))\",".utf8)
            let cut = random.below(text.count)
            var filter = SurrogateGuard()
            var isKnown = false
            unsafe text.withUnsafeBytes { whole in
                for piece in [0..<cut, cut..<whole.count] {
                    _ = unsafe filter.forEachPart(of: UnsafeRawBufferPointer(rebasing: whole[piece])) { _, _, hasSurrogate in
                        isKnown = hasSurrogate
                        return .ok
                    }
                }
            }
            let expected = Self.hasSurrogate(text)
            #expect(filter.hasSurrogate == expected, "\(Self.words(text))")
            // The last part carries the news of all parts.
            #expect(isKnown == expected)
            if expected { found += 1 }
        }
        #expect((1000..<3900).contains(found))
    }

    @Test func textWithoutHalfAPairIsPassedAsItIs() {
        for text in [#""\ud83d\ude00\\ud800\\\\""#, #""\ud800\ud800x""#, #"["\u0041","\n"]"#, "", "plain"] {
            let parts = Self.parts(of: Array(text.utf8), cuts: [])
            #expect(parts.allSatisfy { !$0.isCopy })
            #expect(parts.count <= 1)
        }
    }

    @Test func aStringOfManyHalfPairsIsCopiedOnce() {
        let text = Array(("[\"" + String(repeating: #"\ud800\\x"#, count: 1000) + "\",1]").utf8)
        let parts = Self.parts(of: text, cuts: [])
        // The part before the first, the copy up to the closing quote, and the rest.
        #expect(parts.map(\.isCopy) == [false, true, false])
        #expect(Self.words(parts.last?.text ?? []) == ",1]")
    }

    // MARK: Verdicts

    @Test func damagedEscapesHaveOneVerdictWhereverTheyAreCut() throws {
        // `SLUICE_VERDICTS=200000:FILE` writes the verdicts on 200,000 documents to a file, to be compared with another library's.
        let order = Self.environment["SLUICE_VERDICTS"]?.split(separator: ":", maxSplits: 1)
        let count = order.flatMap { Int($0[0]) } ?? 3000
        var random = SplitMix64(seed: 32)
        var lines: [String] = []
        for number in 0..<count {
            let text = Self.document(&random)
            let options = Self.options[number % Self.options.count]
            switch number / Self.options.count % 5 {
            case 0: lines.append(verdict(JSONValue.self, text, options))
            case 1: lines.append(verdict([String: Int].self, text, options))
            case 2: lines.append(verdict(Trio<String>.self, text, options))
            case 3: lines.append(verdict(Trio<Int>.self, text, options))
            default: lines.append(verdict(RawJSON.self, text, options))
            }
        }
        guard let order, order.count == 2 else { return }
        try lines.joined(separator: "\n").write(toFile: String(order[1]), atomically: true, encoding: .utf8)
    }

    private static let options: [JSONReader.Options] = [
        .strict.throughYajl, .tolerant.throughYajl, JSONReader.Options(validation: .full).throughYajl,
        JSONReader.Options(unknownKeys: .reject).throughYajl, JSONReader.Options(duplicateKeys: .errorEverywhere).throughYajl,
    ]

    /// The verdict and its offset, after comparing it with that of the text cut inside each of its escapes.
    private func verdict<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: [UInt8], _ options: JSONReader.Options
    ) -> String {
        func words(_ read: (inout JSONReader) throws(JSONError) -> Value) -> String {
            var reader = JSONReader(options: options.inPieces)
            do throws(JSONError) {
                let value = try read(&reader)
                // Two equal dictionaries may have their entries in different orders.
                let words = (value as? [String: Int]).map { "\($0.sorted { $0.key < $1.key })" } ?? "\(value)"
                return "\(words), \(reader.report.droppedCount) left out"
            } catch {
                return error.summary
            }
        }
        let whole = words { reader throws(JSONError) in try reader.read(type, from: text) }
        for cut in text.indices where text[max(0, cut - 7)..<min(text.count, cut + 1)].contains(UInt8(ascii: "\\")) {
            var source = CutSource(text, cut: cut)
            let other = words { reader throws(JSONError) in try reader.read(type, from: &source) }
            #expect(other == whole, "\(Self.words(text)) cut at \(cut)")
        }
        return whole
    }

    // MARK: The library

    @Test func theLibraryIsTheOneThatIsToBeTested() {
        // The library of yajl's authors swallows a byte after half a pair, and fixed ones do not.
        guard let name = Self.environment["SLUICE_YAJL"] else { return }
        #expect(decodedByYajl(#"["\ud800abc"]"#) == (name == "unpatched" ? "?bc" : "?abc"))
    }

    private func decodedByYajl(_ text: String) -> String? {
        var result: String?
        var callbacks = yajl_callbacks()
        unsafe callbacks.yajl_string = { context, bytes, count in
            guard let context = unsafe context, let bytes = unsafe bytes else { return 0 }
            // Safe: the context is `result` below, alive and of this type for the whole call.
            unsafe context.assumingMemoryBound(to: String?.self).pointee = unsafe String(
                decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
            return 1
        }
        unsafe withUnsafeMutablePointer(to: &result) { context in
            unsafe withUnsafePointer(to: callbacks) { callbacks in
                let parser = unsafe YajlParser(callbacks: callbacks, context: context)
                _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe parser.parse($0) }
            }
        }
        return result
    }

    // MARK: Texts

    private static let pieces = [
        #"\ud800"#, #"\uD83D"#, #"\uDBff"#, #"\udc00"#, #"\uDE00"#, #"\ud83d\ude00"#, #"\u0041"#, #"\u0000"#, #"\\"#, #"\n"#,
        #"\""#, "u",
        "x", "?", "é", "😀", "ud800", "1", #"\/"#,
    ]

    private static func string(_ random: inout SplitMix64) -> String {
        (0..<random.below(8)).map { _ in pieces[random.below(pieces.count)] }.joined()
    }

    /// An object or array with damaged strings and keys. Of every fourth, one byte is wrong too.
    private static func document(_ random: inout SplitMix64) -> [UInt8] {
        let (first, second) = (string(&random), string(&random))
        let text =
            switch random.below(5) {
            case 0: "[\"\(first)\",\"\(second)\"]"
            case 1: "{\"\(first)\":1,\"\(second)\":2}"
            case 2: "{\"required\":\"\(first)\",\"optional\":\"\(second)\"}"
            case 3: "{\"x\":{\"\(first)\":[\"\(second)\"]},\"required\":\"\(second)\"}"
            default: "\"\(first)\(second)\""
            }
        var bytes = Array(text.utf8)
        if random.below(4) == 0 { bytes[random.below(bytes.count)] = Array("\\\"ud8,:]}\u{B}\n".utf8)[random.below(11)] }
        return bytes
    }

    /// What the parser gets of a text that is cut at these offsets.
    private static func parts(of text: [UInt8], cuts: [Int]) -> [(text: [UInt8], range: Range<Int>, isCopy: Bool)] {
        var parts: [(text: [UInt8], range: Range<Int>, isCopy: Bool)] = []
        var filter = SurrogateGuard()
        unsafe text.withUnsafeBytes { whole in
            for (start, end) in zip([0] + cuts, cuts + [text.count]) {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: whole[start..<end])
                _ = unsafe filter.forEachPart(of: piece) { part, range, _ in
                    let isOwn = unsafe piece.baseAddress.map { unsafe $0 + range.lowerBound == part.baseAddress } ?? false
                    unsafe parts.append((Array(part), (start + range.lowerBound)..<(start + range.upperBound), !isOwn))
                    return .ok
                }
            }
        }
        return parts
    }

    /// By a plain walk over the escapes: whether an escaped high surrogate has no other `\u` after it.
    private static func hasLoneHighSurrogate(_ text: [UInt8]) -> Bool {
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "\\")), start + 1 < text.count {
            index = start + 2
            guard text[start + 1] == UInt8(ascii: "u"), start + 6 <= text.count,
                let unit = UInt16(words(Array(text[(start + 2)..<(start + 6)])), radix: 16)
            else { continue }
            index = start + 6
            guard 0xD800...0xDBFF ~= unit else { continue }
            guard text[index...].starts(with: Array(#"\u"#.utf8)) else { return true }
            index = min(index + 6, text.count)
        }
        return false
    }

    /// Whether an escape is a surrogate, high or low.
    private static func hasSurrogate(_ text: [UInt8]) -> Bool {
        var index = 0
        while index + 1 < text.count {
            guard text[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if text[index + 1] == UInt8(ascii: "u"), index + 6 <= text.count,
                let unit = UInt16(words(Array(text[(index + 2)..<(index + 6)])), radix: 16), 0xD800...0xDFFF ~= unit
            {
                return true
            }
            index += 2
        }
        return false
    }

    private static func words(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }
}
