import Foundation
import Testing

@testable import SluiceCore

@Suite struct FileBytesTests {
    @Test func bytesAreThoseAtTheOffsetAndFewerAtTheEnd() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("0123456789".utf8).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let file = try FileHandle(forReadingFrom: path)
        func text(_ offset: Int, _ count: Int) throws -> String {
            String(decoding: try FileBytes.read(file.fileDescriptor, at: offset, most: count, name: "file"), as: UTF8.self)
        }
        #expect(try text(3, 4) == "3456")
        #expect(try text(8, 4) == "89")
        #expect(try text(10, 4) == "")
        #expect(try text(0, 0) == "")
        #expect(try file.offset() == 0)
    }

    @Test func aFileThatCannotBeReadIsAnErrorAndNoEnd() throws {
        let folder = try FileHandle(forReadingFrom: FileManager.default.temporaryDirectory)
        let error = #expect(throws: JSONError.self) {
            try FileBytes.read(folder.fileDescriptor, at: 0, most: 4, name: "the folder")
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.found.contains("cannot read the folder") == true)
    }
}
