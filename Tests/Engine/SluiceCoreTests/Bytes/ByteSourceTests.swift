import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ByteSourceTests {
    @Test(arguments: [1, 3, 10, 11, 100])
    func bytesComeInPiecesOfTheChosenSize(_ size: Int) {
        let bytes = Array("hello world".utf8)
        var source = BytesSource(bytes, chunkSize: size)
        var pieces: [[UInt8]] = []
        while true {
            let piece = unsafe read { unsafe source.read(into: $0) }
            if piece.isEmpty { break }
            pieces.append(piece)
        }
        #expect(pieces.flatMap(\.self) == bytes)
        #expect(pieces.dropLast().allSatisfy { $0.count == min(size, 64) })
        let rest = unsafe read { unsafe source.read(into: $0) }
        #expect(rest == [])
    }

    @Test func noPieceIsLargerThanTheBuffer() {
        var source = BytesSource([UInt8](repeating: 7, count: 200))
        let piece = unsafe read { unsafe source.read(into: $0) }
        #expect(piece.count == 64)
        var none = BytesSource([], chunkSize: 0)
        let nothing = unsafe read { unsafe none.read(into: $0) }
        #expect(nothing == [])
    }

    @Test func aPipeIsReadUntilItIsClosed() throws {
        let pipe = Pipe()
        let text = "[\(String(repeating: "1,", count: 20_000))2]"
        let writer = Thread {
            pipe.fileHandleForWriting.write(Data(text.utf8))
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        var source = FileDescriptorSource(descriptor: pipe.fileHandleForReading.fileDescriptor)
        var reader = JSONReader()
        let numbers = try reader.read([Int].self, from: &source)
        #expect(numbers.count == 20_001)
        #expect(numbers.last == 2)
    }

    @Test func whatTheSourceThrowsIsThrownAndTheReaderStaysUsable() throws {
        struct Broken: ByteSource {
            var calls = 0
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
                calls += 1
                guard calls < 3 else { throw JSONError(.inputOutput, found: "gone") }
                unsafe buffer.copyBytes(from: "[1,[2,".utf8)
                return 6
            }
        }
        var source = Broken()
        var reader = JSONReader()
        #expect(failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) }?.found == "gone")
        #expect(try reader.read([Int].self, from: "[1]") == [1])
    }

    /// 0 stands for one byte more than there is room for.
    @Test(arguments: [-1, .min, .max, 1 << 30, 0])
    func aSourceThatClaimsWhatItCannotHaveReadIsNamed(_ claim: Int) throws {
        struct Liar: ByteSource {
            var claims: [Int]
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                guard !claims.isEmpty else { return 0 }
                unsafe buffer.copyBytes(from: "[1,".utf8)
                let claim = claims.removeFirst()
                return claim == 0 ? buffer.count + 1 : claim
            }
        }
        var reader = JSONReader()
        for claims in [[claim], [3, claim], [3, 3, 3, claim, 3]] {
            var source = Liar(claims: claims)
            let error = failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) }
            #expect(error?.kind == .inputOutput)
            #expect(error?.summary.hasPrefix("input/output error: cannot read Liar: it claims ") == true)
            #expect(try reader.read([Int].self, from: "[1]") == [1])
        }
    }

    @Test func aSourceMayHaveANameOfItsOwn() {
        struct Liar: ByteSource {
            var name: String { "the captured" }
            mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { -1 }
        }
        var source = Liar()
        var reader = JSONReader()
        let error = failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) }
        #expect(error?.found == "cannot read the captured: it claims -1 bytes, and there is room for 262144")
        #expect(FileDescriptorSource(descriptor: 0, name: "standard input").name == "standard input")
    }

    private func read(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe body($0) }
        return Array(buffer[..<count])
    }
}
