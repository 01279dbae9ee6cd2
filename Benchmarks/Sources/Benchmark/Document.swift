// JSON text in memory that does not move, in the forms in which the lanes want it.

internal import CBaselines
internal import Foundation

/// A text to be read.
@safe
final class Document {
    /// How the tables call it: `twitter.json`.
    let name: String
    /// Where it is as a file, for lanes that are processes of their own.
    let path: String
    let array: [UInt8]
    let data: Data
    private let memory: UnsafeMutableRawBufferPointer

    /// The text, for lanes in this process. It lives as long as the document.
    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
    var count: Int { array.count }

    /// Its lines, without what ends them.
    private(set) lazy var lines: [UnsafeRawBufferPointer] = {
        var lines: [UnsafeRawBufferPointer] = unsafe []
        var start = 0
        for index in 0..<count where unsafe bytes[index] == UInt8(ascii: "\n") {
            if index > start { unsafe lines.append(UnsafeRawBufferPointer(rebasing: bytes[start..<index])) }
            start = index + 1
        }
        if start < count { unsafe lines.append(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
        return unsafe lines
    }()

    /// Reads a file.
    convenience init(_ name: String, path: String) throws {
        self.init(name, [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), path: path)
    }

    init(_ name: String, _ array: [UInt8], path: String) {
        self.name = name
        self.path = path
        self.array = array
        data = Data(array)
        // 64 bytes of zeros after the text, which simdjson asks for.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: array.count + 64, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        unsafe memory.copyBytes(from: array)
        unsafe self.memory = UnsafeMutableRawBufferPointer(rebasing: memory[..<array.count])
    }

    deinit { unsafe memory.deallocate() }
}
