// Real documents, cut off at every byte and with bytes changed at random: each gives a value or an error, and never a crash. Run
// under AddressSanitizer with SLUICE_DAMAGE=full by `Scripts/net asan`; otherwise a sample is taken.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct DamagedInputTests {
    enum Document: String, CaseIterable, CustomTestStringConvertible {
        case user = "github_user.json"
        case weibo = "weibo.json"
        case twitter = "twitter.json"
        case canada = "canada.json"
        case events = "github_events.json"

        var testDescription: String { rawValue }

        /// The whole file, or 16 KB of a large one.
        func bytes() throws -> [UInt8] {
            let bytes = try Corpus.bytes(rawValue)
            return self == .user || self == .weibo ? bytes : Array(bytes.prefix(16 << 10))
        }
    }

    private static let isFull = ProcessInfo.processInfo.environment["SLUICE_DAMAGE"] == "full"

    @Test func theModelsBindWhatIsIntact() throws {
        #expect(try Account(json: Corpus.bytes("github_user.json")).followers != nil)
        let post = try Post(json: Corpus.bytes("weibo.json"))
        #expect(post.author?.icons?.isEmpty == false)
        #expect(post.pictures?.isEmpty == false)
        #expect(try Collection(json: Corpus.bytes("twitter.json")).statuses?.count == 100)
        let borders = try Collection(json: Corpus.bytes("canada.json")).features?.first?.borders
        #expect(borders?.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } } == 111_126)
        #expect(try [Post](json: Corpus.bytes("github_events.json")).contains { $0.source?.isEmpty == false && $0.commit != nil })
    }

    @Test(arguments: Document.allCases)
    func inputThatBreaksOffAnywhereIsAnError(_ document: Document) throws {
        let bytes = try document.bytes()
        var readers = Readers()
        var random = SplitMix64(seed: 61)
        var end = 0
        // What a file ends with after its value may be missing.
        let length = bytes.lastIndex { $0 > 0x20 } ?? 0
        while end <= length {
            let count = readers.read(Array(bytes[..<end]), as: document)
            #expect(count == 0, "cut at \(end)")
            end += Self.isFull ? 1 : 1 + Int(random.next() % 400)
        }
    }

    @Test(arguments: Document.allCases)
    func changedBytesGiveAValueOrAnError(_ document: Document) throws {
        let bytes = try document.bytes()
        var readers = Readers()
        var random = SplitMix64(seed: 62)
        var changed = bytes
        var values = 0
        let rounds = Self.isFull ? 10_000 : 60
        for _ in 0..<rounds {
            let offset = Int(random.next() % UInt64(bytes.count))
            // One bit, one of JSON's own characters, or any byte.
            changed[offset] =
                switch random.next() % 3 {
                case 0: bytes[offset] ^ (1 << UInt8(random.next() % 8))
                case 1: Array("{}[]\",:\\0-.e \n\u{1}\u{7F}".utf8)[Int(random.next() % 16)]
                default: UInt8(truncatingIfNeeded: random.next())
                }
            values += readers.read(changed, as: document)
            changed[offset] = bytes[offset]
        }
        // Slices are never whole; of whole documents some survive a change.
        let isSlice = try bytes.count != Corpus.bytes(document.rawValue).count
        #expect(isSlice ? values == 0 : values > rounds / 4)
        let isUsable = readers.readAgain()
        #expect(isUsable)
    }

    @Test func manyChangesAtOnceGiveAValueOrAnError() throws {
        let bytes = try Document.user.bytes()
        var readers = Readers()
        var random = SplitMix64(seed: 63)
        var failures = 0
        for round in 0..<(Self.isFull ? 10_000 : 300) {
            var changed = bytes
            for _ in 0...(round % 12) {
                let offset = Int(random.next() % UInt64(changed.count))
                switch random.next() % 4 {
                case 0: changed.remove(at: offset)
                case 1: changed.insert(UInt8(truncatingIfNeeded: random.next()), at: offset)
                case 2: changed.replaceSubrange(offset..<min(offset + 20, changed.count), with: bytes[..<Int(random.next() % 40)])
                default: changed[offset] = UInt8(truncatingIfNeeded: random.next())
                }
            }
            if readers.read(changed, as: .user) < 3 { failures += 1 }
        }
        #expect(failures > 0)
        let isUsable = readers.readAgain()
        #expect(isUsable)
    }
}

/// Reads a document as a model, as any JSON and as bytes, whole or in chunks, with readers that are used again and again.
private struct Readers: ~Copyable {
    private enum Way: UInt64 { case whole, validated, chunks }

    private var reader = JSONReader(options: JSONReader.Options().inPieces)
    private var full = JSONReader(options: JSONReader.Options(validation: .full).inPieces)
    private var random = SplitMix64(seed: 64)

    /// How many of the three readings, each in a way of its own, gave a value.
    mutating func read(_ bytes: [UInt8], as document: DamagedInputTests.Document) -> Int {
        // In memory of exactly this size, so that a read after its end is seen.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { unsafe memory.deallocate() }
        unsafe memory.copyBytes(from: bytes)
        let whole = UnsafeRawBufferPointer(memory)
        var count = unsafe isRead(JSONValue.self, bytes, whole) ? 1 : 0
        if unsafe isRead(RawJSON.self, bytes, whole) { count += 1 }
        let isBound =
            switch document {
            case .user: unsafe isRead(Account.self, bytes, whole)
            case .weibo: unsafe isRead(Post.self, bytes, whole)
            case .twitter, .canada: unsafe isRead(Collection.self, bytes, whole)
            case .events: unsafe isRead([Post].self, bytes, whole)
            }
        return isBound ? count + 1 : count
    }

    /// Whether sound documents are read after all the others.
    mutating func readAgain() -> Bool {
        (try? reader.read([Int].self, from: "[1]")) == [1] && (try? full.read(Bool.self, from: "true")) == true
    }

    private mutating func isRead<Value: JSONBindable>(
        _ type: Value.Type, _ bytes: [UInt8], _ whole: UnsafeRawBufferPointer
    ) -> Bool {
        switch Way(rawValue: random.next() % 3) {
        case .chunks:
            var source = BytesSource(bytes, chunkSize: 1 + Int(random.next() % 4096))
            return (try? reader.read(type, from: &source)) != nil
        case .validated: return (try? unsafe full.read(type, from: whole)) != nil
        case .whole, nil: return (try? unsafe reader.read(type, from: whole)) != nil
        }
    }
}
