import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct WholeFileTests {
    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("whole-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path)
    }

    @Test(arguments: [0, 1, 100, 4096, 65535, 65536, 65537, 3_000_001])
    func aFileIsReadIntoAnArrayOfItsSize(_ size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try withFile(bytes) { path in
            let read = try WholeFile.read(path)
            #expect(read == bytes)
            // An array may have a little more room than was asked for.
            #expect(read.capacity <= size + size / 4 + 64)
        }
    }

    /// The files of `/proc` say that they are empty.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func aFileThatDoesNotKnowItsSizeIsReadToItsEnd() throws {
        let text = String(decoding: try WholeFile.read("/proc/self/status"), as: UTF8.self)
        #expect(text.contains("VmPeak"))
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
        defer { unsafe unlink(path) }
        let bytes = [UInt8](repeating: 7, count: 200_000)
        Thread { FileHandle(forWritingAtPath: path)?.write(Data(bytes)) }.start()
        #expect(try WholeFile.read(path) == bytes)
    }

    @Test func aFolderIsAnErrorWithItsPath() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let error = try #require(throws: JSONError.self) { try WholeFile.read(folder) }
        #expect(error.kind == .inputOutput)
        #expect("\(error)".contains(folder))
    }
}
