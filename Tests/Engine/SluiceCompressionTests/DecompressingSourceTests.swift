#if Compression
import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceCompression

@Suite struct DecompressingSourceTests {
    static let text = sampleText(700)

    @Test(arguments: CompressionFormat.allCases, [0, 1, 2, 700, 300_000])
    func whatASinkCompressesASourceGivesBack(_ format: CompressionFormat, _ count: Int) throws {
        let text = sampleText(count)
        let data = try compressed(text, format)
        for usesFastLibrary in [true, false] {
            let result = Decompressed(data, usesFastLibrary: usesFastLibrary)
            #expect(result.text == text)
            #expect(result.error == nil)
            #expect(result.compression.rawValue == format.rawValue)
        }
    }

    @Test(arguments: CompressionFormat.allCases) func inputIsReadHoweverItIsCut(_ format: CompressionFormat) throws {
        let data = try compressed(Self.text, format) + compressed([], format) + compressed(Self.text, format)
        let whole = Decompressed(data)
        #expect(whole.text == Self.text + Self.text)
        for cut in 0...data.count {
            for usesFastLibrary in [true, false] {
                let result = Decompressed(Named(CutSource(data, cut: cut)), usesFastLibrary: usesFastLibrary)
                #expect(result.text == whole.text && result.error == nil, "cut at \(cut)")
            }
        }
        for room in [1, 2, 3, 7, 64] {
            for usesFastLibrary in [true, false] {
                let result = Decompressed(
                    Named(BytesSource(data, chunkSize: room)), room: room, usesFastLibrary: usesFastLibrary)
                #expect(result.text == whole.text && result.error == nil, "pieces of \(room)")
            }
        }
    }

    @Test(arguments: CompressionFormat.allCases) func membersFollowOneAnother(_ format: CompressionFormat) throws {
        let parts = (0..<60).map { sampleText($0 * 3, seed: UInt64($0)) }
        let data = try parts.map { try compressed($0, format) }
        for usesFastLibrary in [true, false] {
            let result = Decompressed(data.flatMap { $0 }, room: 1 << 16, usesFastLibrary: usesFastLibrary)
            #expect(result.text == parts.flatMap { $0 })
            #expect(result.error == nil)
        }
    }

    @Test(arguments: CompressionFormat.allCases) func boundariesAreWhereMembersBegin(_ format: CompressionFormat) throws {
        let members = try (0..<4).map { try compressed(sampleText(100, seed: UInt64($0)), format) }
        let data = members.flatMap { $0 }
        var source = DecompressingSource(BytesSource(data))
        #expect(try text(of: &source).count == 400)
        var offset = 0
        for (index, member) in members.enumerated() {
            let boundary = CompressionBoundary(inputOffset: offset, textOffset: index * 100)
            #expect(source.member(before: index * 100).boundary == boundary)
            #expect(source.member(before: index * 100 + 99).boundary == boundary)
            // Decompression goes on from there.
            var later = DecompressingSource(BytesSource(Array(data[offset...])), startingAt: boundary)
            #expect(try text(of: &later) == (index..<4).flatMap { sampleText(100, seed: UInt64($0)) })
            #expect(later.member(before: 400).boundary == CompressionBoundary(inputOffset: data.count, textOffset: 400))
            offset += member.count
        }
        #expect(source.inputOffset == data.count)
    }

    /// Found by the fuzzer of feeds: with the kind of compression given, data that were taken up at their end were refused as cut off.
    @Test(arguments: CompressionFormat.allCases) func readingFromTheLastBoundaryGivesNoText(_ format: CompressionFormat) throws {
        let data = try compressed(Self.text, format)
        let compression = try #require(JSONCompression(rawValue: format.rawValue))
        let end = CompressionBoundary(inputOffset: data.count, textOffset: Self.text.count)
        for choice in [compression, .automatic] {
            var after = DecompressingSource(BytesSource([]), compression: choice, startingAt: end)
            #expect(try text(of: &after) == [])
        }
        var nothing = DecompressingSource(BytesSource([]), compression: compression)
        #expect(throws: JSONError.self) { try text(of: &nothing) }
    }

    @Test func veryManyMembersKeepFewBoundaries() throws {
        let members = try (0..<3000).map { _ in try compressed(sampleText(10), .gzip) }
        var source = DecompressingSource(BytesSource(members.flatMap { $0 }))
        #expect(try text(of: &source).count == 30_000)
        for offset in [0, 9, 10_000, 29_999, 30_000] {
            let boundary = source.member(before: offset).boundary
            #expect(boundary.textOffset <= offset)
            #expect(boundary.inputOffset == boundary.textOffset / 10 * members[0].count)
        }
        #expect(source.member(before: 30_000).boundary.textOffset > 20_000)
    }

    private func text(of source: inout DecompressingSource) throws -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { unsafe buffer.deallocate() }
        var text: [UInt8] = []
        while true {
            let count = try unsafe source.read(into: buffer)
            if count == 0 { return text }
            unsafe text += Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    @Test(arguments: ["", "{", "{\"a\":1}\n", "\u{1F}", "(", "(\u{B5}", "PQRS", "\u{FEFF}[]"])
    func textThatIsNotCompressedComesAsItIs(_ text: String) {
        for chunkSize in [1, 2, 100] {
            let result = Decompressed(BytesSource(Array(text.utf8), chunkSize: chunkSize))
            #expect(result.text == Array(text.utf8))
            #expect(result.error == nil)
            #expect(result.compression == .none)
        }
    }

    @Test func boundaryOfPlainTextIsTheOffsetItself() throws {
        var source = DecompressingSource(BytesSource(Self.text))
        #expect(try text(of: &source) == Self.text)
        #expect(source.member(before: 123).boundary == CompressionBoundary(inputOffset: 123, textOffset: 123))
        #expect(source.inputOffset == Self.text.count)
    }

    @Test func compressedBytesComeAsTheyAreWhereThatIsAsked() throws {
        let data = try compressed(Self.text, .gzip)
        #expect(Decompressed(data, .none).text == data)
    }

    /// A tape or a block device fills its last block with zeros.
    @Test(arguments: [1, 511, 300_000]) func zerosAfterGzipDataAreNoText(_ count: Int) throws {
        let data = try compressed(Self.text, .gzip) + compressed(Self.text, .gzip) + [UInt8](repeating: 0, count: count)
        for chunkSize in [1, 7, 100_000] where chunkSize > 1 || count < 1000 {
            let result = Decompressed(BytesSource(data, chunkSize: chunkSize))
            #expect(result.text == Self.text + Self.text && result.error == nil)
        }
    }

    // MARK: Errors

    /// The first bytes of frames of `zstd --long`: of a pipe, whose size is not known, and of a file.
    @Test(
        arguments: [
            ([0x04, 0xA8], "2 GiB", 31), ([0x00, 0x99], "576 MiB", 30), ([0x84, 0x90, 0, 0, 0, 0x20], "256 MiB", 28),
            ([0xE0, 0, 0, 0, 0, 1, 0, 0, 0], "4 GiB", 32),
            ([0xE0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "8796093022207 MiB", 63),
        ] as [([UInt8], String, Int)])
    func aWindowThatIsTooLargeIsNamedWithTheWayToReadIt(_ header: [UInt8], _ size: String, _ long: Int) {
        let data = [0x28, 0xB5, 0x2F, 0xFD] + header + [UInt8](repeating: 0, count: 40)
        for chunkSize in 1...data.count {
            let error = Decompressed(BytesSource(data, chunkSize: chunkSize)).error
            #expect(
                error?.found.contains("its zstd data need a window of \(size), and at most 128 MiB are allowed") == true,
                "\(error as Any)")
            // zstd itself reads no larger one.
            let hint =
                long > 31 ? "compress the text with a smaller window" : "decompress it into a pipe: zstd -dc --long=\(long)"
            #expect(error?.hint == hint)
        }
    }

    @Test(arguments: CompressionFormat.allCases) func eachErrorSaysWhatIsWrong(_ format: CompressionFormat) throws {
        let data = try compressed(Self.text, format)
        func words(_ bytes: [UInt8], _ compression: JSONCompression = .automatic) -> String? {
            let words = Decompressed(bytes, compression).error?.found
            #expect(Decompressed(bytes, compression, usesFastLibrary: false).error?.found == words)
            return words
        }
        let position = "byte \(data.count) of the compressed input"
        #expect(words(data + Array("no".utf8)) == "cannot read books: something else follows its \(format) data, at \(position)")
        // As gzip does, and zstd does not.
        let afterZero = words(data + [0])
        #expect(format == .gzip ? afterZero == nil : afterZero == words(data + Array("no".utf8)))
        #expect(words(data + [0, 1]) == words(data + Array("no".utf8)))
        #expect(
            words(Array(data.dropLast(1)))
                == "cannot read books: its \(format) data end too early, at byte \(data.count - 1) of the compressed input")
        var wrong = data
        wrong[data.count - (format == .gzip ? 8 : 1)] ^= 1
        #expect(
            words(wrong)?.hasPrefix("cannot read books: the text that its \(format) data give does not fit their checksum")
                == true)
        let compression = try #require(JSONCompression(rawValue: format.rawValue))
        #expect(words(Array("[1]".utf8), compression) == "cannot read books: it is not compressed with \(format)")
        #expect(
            words([], compression) == "cannot read books: its \(format) data end too early, at byte 0 of the compressed input")
        #expect(Decompressed(Array(data.dropLast(1))).error?.hint == "the file was cut off, or is still being written")
    }

    @Test(arguments: CompressionFormat.allCases) func whatWasCutOffGivesWhatCameBefore(_ format: CompressionFormat) throws {
        let text = sampleText(400_000)
        let data = try compressed(Self.text, format) + compressed(text, format)
        for count in [data.count / 2, data.count - 9, data.count - 1] {
            for usesFastLibrary in [true, false] {
                let result = Decompressed(Array(data[..<count]), usesFastLibrary: usesFastLibrary)
                #expect((Self.text + text).starts(with: result.text))
                #expect(result.text.count > 100_000)
                #expect(result.error?.kind == .inputOutput)
            }
        }
    }

    @Test(arguments: CompressionFormat.allCases) func anyCutIsAnError(_ format: CompressionFormat) throws {
        let first = try compressed(Self.text, format)
        let data = try first + compressed(Self.text, format)
        // Fewer bytes may be the start of a text.
        for count in 4..<data.count where count != first.count {
            for usesFastLibrary in [true, false] {
                let result = Decompressed(Array(data[..<count]), usesFastLibrary: usesFastLibrary)
                #expect((Self.text + Self.text).starts(with: result.text))
                #expect(
                    result.error?.found.contains("data end too early") == true, "\(count): \(String(describing: result.error))")
            }
        }
    }

    /// Flips each bit of the sample: the text is right, or there is an error.
    @Test(arguments: CompressionFormat.allCases, [0, 6])
    func noDamageGoesUnnoticed(_ format: CompressionFormat, _ level: Int) throws {
        let text = sampleText(300)
        let data = try compressed(text, format, level: level)
        for index in data.indices {
            for bit in 0..<8 {
                var damaged = data
                damaged[index] ^= 1 << UInt8(bit)
                for usesFastLibrary in [true, false] {
                    let result = Decompressed(damaged, room: 64, usesFastLibrary: usesFastLibrary)
                    // Data that no longer begin as compressed data do are plain text.
                    let isRight = result.text == text || result.compression == .none || result.error != nil
                    #expect(isRight, "byte \(index), bit \(bit)")
                }
            }
        }
    }

    /// Found in zstd frames that fit into one read: the text was lost, and the offset was that of the frame's first bytes.
    @Test(arguments: CompressionFormat.allCases, [1, 100, 1 << 20])
    func aWrongChecksumComesAfterAllTextAtItsOffset(_ format: CompressionFormat, _ room: Int) throws {
        for text in [Self.text, sampleText(400_000)] where text.count < 1000 || room > 1 {
            let whole = try compressed(text, format)
            for before in [[], whole] {
                var data = before + whole
                data[data.count - (format == .gzip ? 8 : 1)] ^= 1
                for usesFastLibrary in [true, false] {
                    let result = Decompressed(data, room: room, usesFastLibrary: usesFastLibrary)
                    #expect(result.text == (before.isEmpty ? [] : text) + text)
                    let words = try #require(result.error?.found)
                    let start = try #require(words.range(of: "does not fit their checksum at byte "))
                    let offset = try #require(Int(words[start.upperBound...].prefix(while: \.isNumber)))
                    #expect((data.count - 8)...data.count ~= offset, "\(words)")
                }
            }
        }
    }

    @Test func aSourceThatFailsIsNoDamagedData() throws {
        let data = try compressed(Self.text, .gzip)
        for call in 1...5 {
            let source = FaultySource(data, chunkSize: 50, .failure, at: call, isLasting: false)
            #expect(Decompressed(source).error?.found == "cannot read the faulty disk: Input/output error")
        }
    }

    @Test func bytesAppendedOneByOneAreDecompressedAndThoseOfAFailedReadAreLost() throws {
        let data = try compressed(Self.text, .gzip)
        for chunkSize in [1, 7, 50] { #expect(Decompressed(AppendingSource(data, chunkSize: chunkSize)).text == Self.text) }
        for call in 1...5 {
            let failing = FaultySource(data, chunkSize: 50, .failure, at: call, isLasting: true)
            let appending = AppendingSource(data, chunkSize: 50, failingAt: call)
            #expect(Decompressed(appending) == Decompressed(failing))
        }
    }

    @Test func allPartsOfAGzipHeaderArePassedOver() throws {
        let data = try compressed(Self.text, .gzip)
        let body = Array(data[10...])
        var header: [UInt8] = [0x1F, 0x8B, 8, 0b11100, 1, 2, 3, 4, 0, 255]
        header += [3, 0, 7, 7, 7] + Array("name".utf8) + [0] + Array("a comment".utf8) + [0]
        #expect(Decompressed(header + body).text == Self.text)
        header[3] |= 2
        for checksum in [crc(header), crc(header) ^ 1] {
            let result = Decompressed(header + [UInt8(checksum & 0xFF), UInt8(checksum >> 8 & 0xFF)] + body)
            #expect((result.error == nil) == (checksum == crc(header)))
        }
        header[3] |= 0x40
        #expect(Decompressed(header + body).error?.found.contains("gzip data are damaged") == true)
    }

    private func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc & 0xFFFF
    }

    @Test func skippableFramesOfZstdArePassedOver() throws {
        let data = try compressed(Self.text, .zstd)
        let skippable: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let result = Decompressed(skippable + data + skippable)
        #expect(result.text == Self.text)
        #expect(result.error == nil)
    }

    @Test(.enabled(if: ["/usr/bin/gzip", "/usr/bin/zstd"].allSatisfy(FileManager.default.isExecutableFile)))
    func otherToolsReadWhatIsWritten() throws {
        let text = sampleText(100_000)
        for format in CompressionFormat.allCases {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(compressed(text, format)).write(to: file)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/\(format)")
            process.arguments = ["-dc"]
            process.standardInput = try FileHandle(forReadingFrom: file)
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            #expect(try pipe.fileHandleForReading.readToEnd() == Data(text))
            process.waitUntilExit()
        }
    }
}
#endif
