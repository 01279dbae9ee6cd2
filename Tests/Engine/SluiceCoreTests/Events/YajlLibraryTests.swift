import CYajl
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct YajlLibraryTests {
    @Test func theVersionHasThreeNumbers() {
        #expect(YajlLibrary.version.wholeMatch(of: /2\.\d+\.\d+/) != nil)
        #expect(SluiceVersion.text.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    #if os(Linux)
    // The end of a process can be observed here, and address space be limited: macOS does not enforce RLIMIT_AS.
    static let sentence = "Sluice: there is no memory left for yajl; the process ends here.\n"

    // A sanitizer's allocator ends the process by itself.
    private static let canRunOutOfMemory = !AllocationCounter.isUnderSanitizer

    @Test(.enabled(if: canRunOutOfMemory, "a sanitizer ends the process first"))
    func aParserWithoutMemoryEndsTheProcessWithASentence() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            skipBacktrace()
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 10)
            let quote = [UInt8(ascii: "\"")]
            let parser = unsafe YajlParser(
                callbacks: YajlEvents.callbacks, context: UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8))
            limitMemory(more: 32 << 20)
            _ = unsafe quote.withUnsafeBytes { unsafe parser.parse($0) }
            // A string that does not end is gathered in yajl's own buffer, the only one that grows here.
            unsafe piece.withUnsafeBytes { bytes in
                for _ in 0..<4096 { _ = unsafe parser.parse(bytes) }
            }
        }
        #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.hasSuffix(Self.sentence) == true)
    }

    @Test(.enabled(if: canRunOutOfMemory, "a sanitizer ends the process first"))
    func yajlsBuffersStayBelowTheLimitOfAToken() async {
        // CVE-2022-24795 needs a buffer of gigabytes. With room for no more than a few megabytes, tokens of 64 are refused, not gathered.
        await #expect(processExitsWith: .success) {
            for text in [#"["\n"#, #"{"\ud800"#, "[1"] {
                let digits = [UInt8](repeating: UInt8(ascii: "1"), count: 64 << 20)
                var source = BytesSource(Array(text.utf8) + digits, chunkSize: 4096)
                var reader = JSONReader(options: JSONReader.Options(maximumTokenSize: 1 << 20).inPieces)
                limitMemory(more: 24 << 20)
                do throws(JSONError) {
                    _ = try reader.read(JSONValue.self, from: &source)
                    exit(1)
                } catch {
                    if error.kind != .sizeLimit { exit(2) }
                }
            }
        }
    }

    @Test(.enabled(if: canRunOutOfMemory, "a sanitizer ends the process first"))
    func functionsWithoutMemoryEndTheProcessWithASentence() async {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            skipBacktrace()
            // As much as no machine has.
            _ = unsafe YajlAllocation.functions.pointee.malloc(nil, .max >> 1)
        }
        #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.hasSuffix(Self.sentence) == true)
        let other = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            skipBacktrace()
            _ = unsafe YajlAllocation.functions.pointee.realloc(nil, nil, .max >> 1)
        }
        #expect(other.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }?.hasSuffix(Self.sentence) == true)
    }
    #endif
}

#if os(Linux)
/// Ends the process at once, without the backtrace, which Swift takes seconds to write.
func skipBacktrace() { for number in [SIGABRT, SIGILL, SIGTRAP] { _ = signal(number, SIG_DFL) } }

/// Limits the address space of the process to what it has and this many bytes more.
private func limitMemory(more bytes: Int) {
    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let size = (pages?.split(separator: " ").first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    var limit = rlimit(rlim_cur: rlim_t(size + bytes), rlim_max: rlim_t(size + bytes))
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
}
#endif
