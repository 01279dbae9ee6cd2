import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Reads that fail, are short or are interrupted, at each call. A short or interrupted read changes no value. A failed read is an error
/// that names the source.
@Suite struct FaultyReadTests {
    static let text = #"{"id":-12.5,"text":"été \ud83d\ude00 \\ \"","list":[1,[],{"a":{"b":[true,null,1e3]}}],"id":"last"}"#

    @Test(arguments: FaultySource.Fault.allCases, [false, true])
    func aFaultAtEachCallOfAReader(_ fault: FaultySource.Fault, _ isLasting: Bool) throws {
        let bytes = Array(Self.text.utf8)
        var reader = JSONReader()
        let whole = try reader.read(JSONValue.self, from: bytes)
        for chunkSize in [1, 2, 3, 7, 31, 1000] {
            for call in 1...FaultySource.calls(bytes.count, chunkSize: chunkSize) {
                var source = FaultySource(bytes, chunkSize: chunkSize, fault, at: call, isLasting: isLasting)
                if fault == .shortRead {
                    #expect(try reader.read(JSONValue.self, from: &source) == whole, "chunks of \(chunkSize), call \(call)")
                    continue
                }
                let error = failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) }
                #expect(error?.kind == .inputOutput, "chunks of \(chunkSize), call \(call)")
                #expect(error?.found == "cannot read the faulty disk: Input/output error")
                #expect(try reader.read([Int].self, from: "[1]") == [1])
            }
        }
    }

    @Test func aReadThatSignalsInterruptIsTakenUpAgain() throws {
        let bytes = Array(Self.text.utf8)
        let (result, signals) = interrupted(bytes, pieceSize: 5) { descriptor in
            var source = FileDescriptorSource(descriptor: descriptor)
            var reader = JSONReader()
            return try? reader.read(JSONValue.self, from: &source)
        }
        #expect(try result == JSONValue(json: bytes))
        #expect(signals > 0)
    }
}
