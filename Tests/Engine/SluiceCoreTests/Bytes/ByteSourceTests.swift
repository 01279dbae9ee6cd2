import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ByteSourceTests {
    @Test(arguments: [1, 3, 10, 11, 100])
    func bytesComeInPiecesOfTheChosenSize(_ size: Int) throws {
        let bytes = Array("hello world".utf8)
        var source = BytesSource(bytes, chunkSize: size)
        var pieces: [[UInt8]] = []
        while true {
            let piece = try unsafe read { try unsafe source.read(into: $0) }
            if piece.isEmpty { break }
            pieces.append(piece)
        }
        #expect(pieces.flatMap(\.self) == bytes)
        #expect(pieces.dropLast().allSatisfy { $0.count == min(size, 64) })
        let rest = try unsafe read { try unsafe source.read(into: $0) }
        #expect(rest == [])
    }

    @Test func noPieceIsLargerThanTheBuffer() throws {
        var source = BytesSource([UInt8](repeating: 7, count: 200))
        let piece = try unsafe read { try unsafe source.read(into: $0) }
        #expect(piece.count == 64)
        var none = BytesSource([], chunkSize: 0)
        let nothing = try unsafe read { try unsafe none.read(into: $0) }
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
        struct Broken: BufferSource {
            var calls = 0
            mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
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

    @Test func aSourceGivesAsManyBytesAsThereIsRoomFor() throws {
        struct Endless: ByteSource {
            var rooms: [Int] = []
            mutating func read(into output: inout OutputRawSpan) {
                rooms.append(output.freeCapacity)
                if rooms.count == 1 { output.append(UInt8(ascii: "[")) }
                while !output.isFull, rooms.count < 4 { output.append(UInt8(ascii: " ")) }
                if rooms.count == 4 { output.append(UInt8(ascii: "]")) }
            }
        }
        var source = Endless()
        var reader = JSONReader()
        #expect(try reader.read([Int].self, from: &source) == [])
        #expect(source.rooms.count >= 4)
        #expect(source.name == "Endless")
        #expect(FileDescriptorSource(descriptor: 0, name: "standard input").name == "standard input")
    }

    private func read(_ body: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe body($0) }
        return Array(buffer[..<count])
    }
}
