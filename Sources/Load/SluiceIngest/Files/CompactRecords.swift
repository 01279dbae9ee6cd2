// Turns records into lines of compact JSON, or into the elements of an array.

internal import SluiceCore

/// Checks records, and drops the white space between their tokens. All other bytes stay as they are.
final class CompactRecords: RecordText {
    // Unchecked: one thread uses it, and nothing that it calls uses this object again.
    @safe @exclusivity(unchecked) private var writer: CompactWriter

    /// - Parameters:
    ///   - isArray: Whether each record is an element after a comma; else it is a line.
    ///   - hidesText: Whether errors must not show the text of a record.
    init(isArray: Bool, hidesText: Bool) { writer = CompactWriter(isArray: isArray, hidesText: hidesText) }

    func append(_ record: UnsafeRawBufferPointer, at position: SourcePosition) -> JSONError? { unsafe writer.append(record) }

    var count: Int { writer.text.count }

    func take() -> [UInt8] {
        let taken = writer.text
        writer.text = []
        writer.text.reserveCapacity(taken.count + taken.count / 8)
        return taken
    }

    func takeUnknownKeys() -> CountedKeys { ([], 0) }

    var unseenColumns: Set<Int> { [] }
}

/// A checking reader, and the text of the records that it has checked.
private struct CompactWriter: ~Copyable {
    private let isArray: Bool
    private var reader: JSONReader
    var text: [UInt8] = []

    init(isArray: Bool, hidesText: Bool) {
        self.isArray = isArray
        reader = JSONReader(options: JSONReader.Options(validation: .full))
        reader.hidesText = hidesText
    }

    mutating func append(_ record: UnsafeRawBufferPointer) -> JSONError? {
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
}
