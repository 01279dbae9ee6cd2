// Duties that Sluice fulfils by not using parts of yajl, and by how it uses the others: tests of the sources, of writing, and of the
// words of errors. The rows are those of Sources/Engine/Sluice/Sluice.docc/YAJL.md.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct YajlDutyTests {
    // MARK: What is not used

    @Test(arguments: [
        "yajl_tree", "yajl_gen_double(", "yajl_gen_integer(", "gen_indent_string", "yajl_allow_comments",
        "yajl_allow_trailing_garbage", "yajl_allow_partial_values", "yajl_gen_validate_utf8", "yajl_gen_map_", "yajl_gen_string(",
    ])
    func p16p18p19p20p24p33p35PartsOfYajlAreLeftAlone(_ name: String) throws {
        for (file, source) in try sources() {
            // Comments may speak of them.
            let code = source.split(separator: "\n").filter { !$0.contains("//") }
            #expect(!code.contains { $0.contains(name) }, "\(file) uses \(name)")
        }
    }

    @Test func p25TheWriterOfAGeneratorIsSetOnce() throws {
        let calls = try sources().values.flatMap { $0.split(separator: "\n") }.filter { $0.contains("cyajl_gen_print_callback(") }
        #expect(calls.count == 1)
    }

    @Test func p40OnlyTheCoreSpeaksToYajl() throws {
        for (file, source) in try sources() where source.contains("import CYajl") {
            #expect(file.hasPrefix("Sources/Engine/SluiceCore/"), "\(file)")
            #expect(!source.contains("public import CYajl"), "\(file)")
        }
    }

    @Test(arguments: [[], ["-DCYAJL_WITHOUT_HEADERS"]])
    func p39YajlsHeadersAreNotNeeded(_ definitions: [String]) async throws {
        let header = TestTables.repository.appendingPathComponent("CYajl/CYajl.h").path
        let process = Process()
        // The compiler of Swift's own toolchain.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["clang", "-fsyntax-only", "-Wall", "-Wno-unused-function", "-Werror", "-x", "c"] + definitions + [header]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    // MARK: Writing

    @Test func p19DoublesAreWrittenInTheirShortestText() throws {
        #expect(try (0.1).jsonString() == "0.1")
        #expect(try Float(0.1).jsonString() == "0.1")
        #expect(try (86.5).jsonString() == "86.5")
        #expect(try Double.leastNonzeroMagnitude.jsonString() == "5e-324")
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(failure { () throws(JSONError) in try value.jsonString() }?.kind == .notWritable)
        }
    }

    @Test(arguments: ["{", "[1,]", "1 2", "", " ", "\"\u{1}\"", "{\"a\"}", "[1]]", "nul", "01"])
    func p21OnlyWholeValuesAreSpliced(_ text: String) {
        #expect((try? RawJSON(json: text)) == nil)
        #expect(JSONNumber(lexeme: text) == nil)
    }

    @Test func p22EveryScalarIsWrittenAsValidText() throws {
        let codes = Array(0...0x2FF) + [0x2027, 0x2028, 0x2029, 0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x10000, 0x10FFFF]
        for scalar in codes.compactMap(UnicodeScalar.init) {
            let text = "a\(Character(scalar))b"
            let written = try text.jsonString()
            #expect(try String(json: written) == text, "U+\(String(scalar.value, radix: 16))")
            #expect(!written.utf8.contains { $0 < 0x20 })
        }
        #expect(try "\u{1F}/".jsonString() == #""\u001f/""#)
    }

    // MARK: Errors

    @Test func p27WordsOfYajlAreNeverShown() {
        let damaged: [[UInt8]] = [
            Array("[1,]".utf8), Array("{\"a\" 1}".utf8), Array("{1:2}".utf8), Array("[tru]".utf8), Array("[\"\\x\"]".utf8),
            Array("[1.]".utf8), Array("[1e]".utf8), Array("[-]".utf8), Array("[\"a\nb\"]".utf8), Array("[1 2]".utf8),
            Array("@".utf8),
            [0x5B, 0x00, 0xFF, 0xFE, 0x5D], Array("{\"a\":1 \"b\"}".utf8), Array("[\"\\u12G4\"]".utf8), Array("/**/1".utf8),
        ]
        for bytes in damaged {
            let error = failure { () throws(JSONError) in try JSONValue(json: bytes) }
            #expect(error != nil)
            for words in ["lexical error", "parse error", "right here", "(null)", "yajl"] {
                #expect(error?.description.contains(words) == false, "\(error?.description ?? "")")
            }
            #expect(error?.found.contains("\n") == false)
        }
    }

    @Test(arguments: [
        (#"[1,]"#, 3), (#"{"a":1 "b":2}"#, 7), (#"{"a" 1}"#, 5), (#"[1 2]"#, 3), (#"{1:2}"#, 1), (#"[tru]"#, 1), ("[1}", 2),
        ("]", 0),
        (#"{"a":}"#, 5),
    ])
    func p28AnErrorIsAtTheSamePositionInEveryChunk(_ text: String, _ offset: Int) {
        #expect(failure(reading: JSONValue.self, text)?.offset == offset, "\(text)")
        #expect(positionsEveryWay(JSONValue.self, text) == [], "\(text)")
    }

    @Test(arguments: [
        "/* a */1", "1/* a */", "[1,/* a */2]", "// a\n1", "1 // a", "[1]/*", "{\"a\":1,}", "[1,]", "{a:1}", "['a']",
    ])
    func p35ExtensionsOfJSONAreRefused(_ text: String) {
        let (outcome, disagreements) = readEveryWay(JSONValue.self, text)
        guard case .failure = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(disagreements == [])
    }

    // MARK: Memory

    @Test func p38AReaderMayBeMoved() throws {
        var readers: [Box] = []
        for number in 0..<20 {
            var reader = JSONReader(options: .strict)
            #expect(try reader.read([Int].self, from: "[\(number)]") == [number])
            readers.append(Box(reader))
        }
        for (number, box) in readers.enumerated() {
            // The parser of each still knows its own state, though the reader lies elsewhere by now.
            #expect(try box.reader.read([String: [Int]].self, from: "{\"a\":[\(number)]}") == ["a": [number]])
            #expect(failure { () throws(JSONError) in try box.reader.read([Int].self, from: "[1,") }?.kind == .unexpectedEnd)
            var source = BytesSource(Array("[[\(number)]]".utf8), chunkSize: 1)
            #expect(try box.reader.read([[Int]].self, from: &source) == [[number]])
        }
    }

    private final class Box {
        var reader: JSONReader

        init(_ reader: consuming JSONReader) { self.reader = reader }
    }

    // MARK: Sources

    /// The Swift and C of the library, by path.
    private func sources() throws -> [String: String] {
        var sources: [String: String] = [:]
        let base = TestTables.repository.appendingPathComponent("Sources")
        let names = try #require(FileManager.default.enumerator(atPath: base.path))
        while let name = names.nextObject() as? String {
            guard name.hasSuffix(".swift") || name.hasSuffix(".h") || name.hasSuffix(".c") else { continue }
            sources["Sources/\(name)"] = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
        }
        #expect(sources.count > 50)
        return sources
    }
}
