// Pushed bytes go to the splitter: at once if they are text; if they are compressed, they wait, and are decompressed piece by piece when
// the splitter needs text. So the waiting bytes are compressed ones, and memory does not depend on how much text they hold.

internal import SluiceCompression
internal import SluiceCore

/// Pushed bytes on their way to the splitter.
struct PushedInput {
    private var decompressor: Decompressor
    /// Bytes as they were pushed; those before `start` have been used.
    private var waiting: [UInt8] = []
    private var start = 0
    private var isFinished = false

    init(_ compression: JSONCompression) { decompressor = Decompressor(compression, name: "the input") }

    var compression: JSONCompression { decompressor.compression }
    var inputOffset: Int { decompressor.inputOffset }

    func member(before textOffset: Int) -> (boundary: CompressionBoundary, tail: TailDigest?) {
        decompressor.member(before: textOffset)
    }

    /// Takes the next pushed bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer, to splitter: inout RecordSplitter) {
        if decompressor.isPlain, start == waiting.count {
            decompressor.passOver(bytes.count)
            unsafe splitter.append(bytes)
        } else {
            waiting.removeFirst(start)
            start = 0
            unsafe waiting.append(contentsOf: bytes)
        }
    }

    /// Notes that no more bytes come.
    mutating func finish(_ splitter: inout RecordSplitter) {
        isFinished = true
        if decompressor.isPlain, start == waiting.count { splitter.finish() }
    }

    /// Gives the splitter more text, or tells it the end. Returns false if more bytes must be pushed first.
    mutating func feed(_ splitter: inout RecordSplitter) throws(JSONError) -> Bool {
        guard start < waiting.count || isFinished && splitter.canWait else { return false }
        let count: Int
        do throws(JSONError) {
            count = try decompress(into: &splitter)
        } catch {
            splitter.isBroken = true
            throw error
        }
        if count == 0, isFinished, start == waiting.count { splitter.finish() }
        return count > 0 || isFinished
    }

    /// Decompresses a piece into the splitter, and returns the size of its text in bytes.
    private mutating func decompress(into splitter: inout RecordSplitter) throws(JSONError) -> Int {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
        defer { unsafe output.deallocate() }
        while true {
            let step = try unsafe waiting.withUnsafeBufferPointer { (bytes) throws(JSONError) in
                let rest = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[start...]))
                return try unsafe decompressor.step(rest, isWhole: isFinished, into: output)
            }
            start += step.consumed
            if step.produced > 0 {
                unsafe splitter.append(UnsafeRawBufferPointer(rebasing: output[..<step.produced]))
                return step.produced
            }
            if start == waiting.count { return 0 }
        }
    }
}
