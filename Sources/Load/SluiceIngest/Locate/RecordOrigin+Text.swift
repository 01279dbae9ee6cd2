// Reads the text of a record at its place. The file may have been compressed, or rotated to another name: a digest says whether the text that is
// there now is the record's.

internal import Foundation
internal import SluiceCompression
internal import SluiceCore
internal import SluiceFeed

/// A record that was found.
package struct LocatedRecord: Hashable, Sendable {
    /// The file that it is in now.
    package let path: String
    package let text: [UInt8]
    /// Whether that is another file than the one that was read.
    package let isMoved: Bool
}

extension RecordOrigin {
    /// The text of the record as its file has it, without the white space around it.
    ///
    /// The file may have been compressed with gzip or zstd since. If it has been rotated, files of the same folder are searched whose names
    /// differ from its own only in a number, a date or a compression: `app.log.1`, `app.log-20261125.gz`.
    ///
    /// - Throws: ``IngestError/input(_:)`` if there is no such file, if another text is at this place, or if the input was no file. Another
    ///   text is only recognised by the ``digest``.
    public func text() throws(IngestError) -> String { String(decoding: try locate().text, as: UTF8.self) }

    /// Finds the record in its file, or in one that this was rotated to.
    package func locate() throws(IngestError) -> LocatedRecord {
        let paths = paths.filter(IngestInput.isRegularFile)
        guard let first = paths.first ?? self.paths.first else { throw .input("\(input) is no file that can be read again") }
        var failure: JSONError?
        var hasText = false
        for path in paths + (digest == nil ? [] : RecordOrigin.relatives(of: first)) {
            do throws(JSONError) {
                guard let text = try text(in: path) else { continue }
                hasText = hasText || paths.contains(path)
                let isSame = unsafe text.withUnsafeBytes { unsafe RecordDigest.of($0) } == digest
                if digest == nil || isSame { return LocatedRecord(path: path, text: text, isMoved: !paths.contains(path)) }
            } catch {
                // Another file may be of another kind, or be written now.
                if paths.contains(path) { failure = failure ?? error }
            }
        }
        if let failure { throw .input("\(failure.summary)") }
        if paths.isEmpty {
            throw .input("\(first) is no file any more, and no file that it may have been rotated to has the record")
        }
        throw .input(
            hasText
                ? "another text is at byte \(byte) of \(first) now, and no file that it may have been rotated to has the record"
                : "\(first) has no record at byte \(byte) any more, and no file that it may have been rotated to has it")
    }

    /// The paths that the input may mean: without the range of a file, and with the letters that `%` stands for.
    private var paths: [String] {
        let whole = input.replacing(/\[[0-9]+:[0-9]*\]$/, with: "")
        guard whole.hasPrefix("/") || IngestInput.isRegularFile(whole) else { return [] }
        // A file may have a name that ends like a range.
        return [whole, input].flatMap { [IngestInput.path(ofIdentity: $0), $0] }.reduce(into: []) { found, path in
            if !found.contains(path) { found.append(path) }
        }
    }

    /// The other files of a file's folder that it may have been rotated to, in the order of their names.
    private static func relatives(of path: String) -> [String] {
        let url = URL(fileURLWithPath: path)
        let (folder, name) = (url.deletingLastPathComponent().path, url.lastPathComponent)
        let stem = FamilyName(ofFile: name).stem
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { $0 != name && FamilyName(ofFile: $0).stem == stem }.map { "\(folder)/\($0)" }
            .filter(IngestInput.isRegularFile)
    }

    /// The value at the record's place in a file; nil if the text ends before it, or if no value is there.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    private func text(in path: String) throws(JSONError) -> [UInt8]? {
        guard byte >= 0 else { return nil }
        let file = try OpenFile(path: path, waitsForWriter: false)
        // The source does not keep it open.
        defer { withExtendedLifetime(file) {} }
        var source = file.source
        let head = try FileBytes.read(file.descriptor, at: 0, most: 4, name: path)
        let compression: JSONCompression = JSONCompression.detect(head, isWhole: true) ?? .none
        var text: any ByteSource
        if compression == .none {
            guard byte < file.size ?? 0, try source.seek(to: byte) else { return nil }
            text = source
        } else {
            text = DecompressingSource(source, compression: compression)
            guard try RecordOrigin.skip(byte, of: &text) else { return nil }
        }
        // The records of any layout are values, and the next one begins here.
        var splitter = RecordSplitter(source: text, format: .concatenated, maximumRecordSize: .max)
        do throws(JSONError) {
            return try splitter.next().map { unsafe Array($0.bytes) }
        } catch {
            if error.kind == .inputOutput { throw error }
            return nil
        }
    }

    /// Reads over the beginning of a text. Returns false if it ends there.
    private static func skip(_ count: Int, of source: inout any ByteSource) throws(JSONError) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
        defer { unsafe buffer.deallocate() }
        var left = count
        while left > 0 {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(left, buffer.count)])
            let read = try unsafe source.read(into: room)
            if read == 0 { return false }
            left -= read
        }
        return true
    }
}
