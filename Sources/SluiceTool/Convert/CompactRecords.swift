// Turns records into lines of compact JSON, or into the elements of an array.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

/// Checks records, and drops the white space between their tokens. All other bytes stay as they are.
struct CompactRecords: ~Copyable, RecordWorker {
    private let isArray: Bool
    private var reader: JSONReader
    private var text: [UInt8] = []

    /// - Parameters:
    ///   - isArray: Whether each record is an element behind a comma; else it is a line.
    ///   - hidesText: Whether errors must not show the text of a record.
    init(isArray: Bool, hidesText: Bool) {
        self.isArray = isArray
        reader = JSONReader(options: JSONReader.Options(validation: .full))
        reader.hidesText = hidesText
    }

    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
        do throws(JSONError) {
            _ = try unsafe reader.read(CheckedText.self, from: record)
        } catch {
            return error
        }
        if isArray { text.append(contentsOf: ",\n".utf8) }
        // A record may be the first line of a file that was appended to another, with the mark of its own.
        let value = unsafe record.first == 0xEF ? record.withoutByteOrderMark : record
        unsafe TextLayout.appendCompact(value, to: &text)
        if !isArray { text.append(UInt8(ascii: "\n")) }
        return nil
    }

    var isFull: Bool { text.count >= RecordPass.fullSize }

    mutating func takeOutput() -> [UInt8] {
        let taken = text
        text = []
        text.reserveCapacity(taken.count + taken.count / 8)
        return taken
    }
}
#endif
