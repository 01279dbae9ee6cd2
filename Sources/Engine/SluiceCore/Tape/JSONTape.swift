// A text in memory and its tape, from which `SluiceCodable` decodes: the kind, position and value of each entry.

/// The tape of one text: the entries of its values, in the order of the text.
///
/// Entry 0 is a null, used for values that are absent; entry 1 is the document's value. The text is not copied: if the tape must
/// outlive it, call ``keepText()`` first.
@safe
@usableFromInline
package final class JSONTape {
    @exclusivity(unchecked) @usableFromInline package private(set) var entries: UnsafeMutablePointer<TapeEntry>
    private var capacity: Int
    /// The text, without a byte order mark.
    @exclusivity(unchecked) package private(set) var start: UnsafePointer<UInt8>
    package private(set) var size: Int
    /// The position of the text's first byte in the input.
    private var origin = SourcePosition.start
    /// A copy of the text, if the tape has one.
    private var copy: UnsafeMutablePointer<UInt8>?
    private var scratch = ScratchBytes()
    let makesSmallStrings = SmallString.isKnown && StringWords.isKnown
    /// The position of the first byte of each page of ``pageSize`` bytes, as far as positions have been asked for.
    private var pages: [SourcePosition] = []
    /// For each indexed object, by its entry: the entries of its keys. Only objects whose keys cannot be compared byte by byte, or that
    /// are searched in vain too often, are indexed.
    var indexes: [Int: [String: Int]] = [:]
    @exclusivity(unchecked)
    var keySlots = KeySlots()
    /// A reader for models, kept here while it is not in use.
    @exclusivity(unchecked)
    private var reader: UnsafeMutablePointer<JSONReader>?

    /// The most entries that the tape may have.
    private let entryLimit: Int

    private static let firstCapacity = 256
    /// The greatest capacity, in entries, that is kept for the next text.
    private static let greatestKept = 1 << 18

    /// - Parameter entryLimit: The most entries that the tape may have, at least 3. More than ``greatestEntryCount`` are not possible.
    package init(entryLimit: Int = JSONTape.greatestEntryCount) {
        self.entryLimit = entryLimit
        capacity = min(JSONTape.firstCapacity, entryLimit)
        unsafe entries = .allocate(capacity: capacity)
        unsafe start = unsafe NoBytes.address
        size = 0
    }

    deinit {
        unsafe entries.deallocate()
        unsafe copy?.deallocate()
        scratch.deallocate()
        unsafe keySlots.deallocate()
        unsafe reader?.deinitialize(count: 1)
        unsafe reader?.deallocate()
    }

    // MARK: Making

    /// Texts of this size and above have no tape.
    package static let sizeLimit = Int(UInt32.max)

    /// The most entries of a tape: their indices are kept in signed numbers of 32 bits. A text reaches it from 3.2 GB on, if it is made
    /// of empty containers.
    package static let greatestEntryCount = Int(Int32.max)

    /// Scans a text of less than ``sizeLimit`` bytes, without a byte order mark; it replaces the tape's former text.
    ///
    /// - Parameters:
    ///   - isBare: Whether the text may be the members of an object without its braces.
    ///   - origin: The position of the text's first byte in the input.
    /// - Throws: The first error in the text, as yajl words it; an error of kind `sizeLimit` if it has more values than a tape can hold.
    package func scan(
        _ text: UnsafeRawBufferPointer, isBare: Bool = false, origin: SourcePosition = .start
    ) throws(JSONError) {
        var sink = unsafe sink(for: text, origin)
        let isRight = sink.scan(unsafe TextCursor(end: start + text.count), isBare: isBare)
        takeEntries(of: sink)
        if sink.isTooLong {
            throw JSONError(
                .sizeLimit, position: origin,
                expected: "a document of at most \(entryLimit) keys, values and containers, which count twice",
                found: "more")
        }
        if !isRight { throw syntaxError(isTooDeep: sink.isTooDeep) }
    }

    /// The same for a text that must be JSON in every respect, the inside of its strings and numbers included; false if it is not, or if it
    /// has a byte order mark, or more values than a tape can hold.
    ///
    /// - Parameter levels: How many levels of containers the text may have.
    package func scanChecked(_ text: UnsafeRawBufferPointer, levels: Int) -> Bool {
        var sink = unsafe sink(for: text, .start)
        let isRight = sink.scanChecked(unsafe TextCursor(end: start + text.count), levels: levels)
        takeEntries(of: sink)
        return isRight
    }

    /// Takes a text, and gives the tape's memory to a sink.
    @inline(__always)
    private func sink(for text: UnsafeRawBufferPointer, _ origin: SourcePosition) -> TapeSink {
        // Safe: an empty text gets a valid address, from which no byte is read.
        unsafe start = unsafe text.baseAddress.map { unsafe $0.assumingMemoryBound(to: UInt8.self) } ?? NoBytes.address
        size = text.count
        self.origin = origin
        return unsafe TapeSink(start, entries, capacity: capacity, entryLimit: entryLimit)
    }

    /// Takes the memory back from a sink, which may have replaced it.
    @inline(__always)
    private func takeEntries(of sink: TapeSink) {
        unsafe entries = unsafe sink.entries
        capacity = sink.capacity
    }

    /// Whether the tape's memory is small enough to keep it for another text.
    package var isSmall: Bool { capacity <= JSONTape.greatestKept }

    /// Forgets the text.
    package func clear() {
        unsafe (root, holdsSensitive) = (nil, false)
        if !pages.isEmpty { pages = [] }
        if !indexes.isEmpty { indexes = [:] }
        unsafe start = unsafe NoBytes.address
        size = 0
    }

    /// Copies the text, because the tape will outlive it.
    package func keepText() {
        let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: max(size, 1))
        unsafe kept.initialize(from: start, count: size)
        unsafe start = unsafe UnsafePointer(kept)
        unsafe copy = unsafe kept
    }

    // MARK: Values

    @inlinable @inline(__always)
    package subscript(_ index: Int) -> TapeEntry { unsafe entries[index] }

    /// The index of the entry after the value at an index.
    @inlinable @inline(__always)
    package func index(after index: Int) -> Int {
        let entry = unsafe entries[index]
        return entry.kind.code < TapeEntry.Kind.array.code ? index &+ 1 : entry.next
    }

    /// The text of the value at an index, as written in the input; for a string without its quotes.
    package func text(at index: Int) -> UnsafeRawBufferPointer {
        // Entry 0 stands for absent values, and has no position in the text.
        if index == 0 { return unsafe JSONTape.absent }
        let entry = unsafe entries[index]
        let offset = Int(entry.offset)
        let count =
            switch entry.kind {
            case .null, .true: 4
            case .false: 5
            case .integer, .double: unsafe TapeSink.numberEnd(start + offset, start + size) - (start + offset)
            case .number, .string: entry.count
            case .array, .object: unsafe Int(entries[index &+ 1].offset) - offset
            case .bounds: 0
            }
        return unsafe UnsafeRawBufferPointer(start: start + offset, count: count)
    }

    /// The string at an index, whose entry must be a string; nil if its text is not valid.
    package func string(at index: Int) -> String? {
        let entry = unsafe entries[index]
        let first = unsafe start + Int(entry.offset)
        let count = entry.count
        if entry.flags == 0 {
            if count <= SmallString.capacity, makesSmallStrings, size &- Int(entry.offset) >= 16 {
                // Safe: the text is ASCII, and 16 bytes are left.
                return unsafe SmallString.make(first, count)
            }
            return unsafe String.validated(first, count, isASCII: true)
        }
        if entry.flags & TapeEntry.isNotPlain == 0 { return unsafe String.validated(first, count, isASCII: false) }
        // Safe: the closing quote follows the string's bytes, and ends the decoding.
        guard unsafe scratch.decodeString(from: first, end: start + size) != nil else { return nil }
        let decoded = unsafe UnsafePointer(scratch.start)
        if scratch.isASCII, scratch.count <= SmallString.capacity, makesSmallStrings {
            // Safe: the memory for decoded text has more than 16 bytes.
            return unsafe SmallString.make(decoded, scratch.count)
        }
        return unsafe String.validated(decoded, scratch.count, isASCII: scratch.isASCII)
    }

    /// The text of an absent value.
    private static var absent: UnsafeRawBufferPointer {
        let null: StaticString = "null"
        // Safe: the text of a literal lives as long as the process.
        return unsafe UnsafeRawBufferPointer(start: null.utf8Start, count: null.utf8CodeUnitCount)
    }

    // MARK: Models

    /// Reads the value at an index with the property table of its type.
    package func read<Model: JSONReadable>(
        _ type: Model.Type, at index: Int, options: JSONReader.Options
    ) throws(JSONError) -> Model {
        var text = unsafe text(at: index)
        var offset = unsafe Int(entries[index].offset)
        if unsafe entries[index].kind == .string {
            // Safe: a string has a quote on both sides.
            unsafe text = unsafe UnsafeRawBufferPointer(start: start + offset - 1, count: text.count + 2)
            offset -= 1
        }
        do throws(JSONError) {
            let reader = unsafe takeReader(options)
            defer { unsafe keep(reader) }
            return try unsafe reader.pointee.read(type, from: text)
        } catch {
            throw error.shifted(by: position(of: offset))
        }
    }

    /// A reader with these options, for the caller alone: a model may need another reader while it is being made.
    private func takeReader(_ options: JSONReader.Options) -> UnsafeMutablePointer<JSONReader> {
        let kept = unsafe reader
        unsafe reader = nil
        if let kept = unsafe kept, unsafe kept.pointee.options == options { return unsafe kept }
        unsafe kept?.deinitialize(count: 1)
        let made = unsafe kept ?? .allocate(capacity: 1)
        unsafe made.initialize(to: JSONReader(options: options))
        return unsafe made
    }

    /// Keeps a reader for the next value.
    private func keep(_ used: UnsafeMutablePointer<JSONReader>) {
        unsafe reader?.deinitialize(count: 1)
        unsafe reader?.deallocate()
        unsafe reader = unsafe used
    }

    // MARK: Errors

    // Safe: a tape belongs to one decoder, and both are changed by whole assignments.
    /// The type of the whole document, if it is known.
    @exclusivity(unchecked) package var root: Any.Type?
    /// Whether the text has held a model with a sensitive property.
    @exclusivity(unchecked) package var holdsSensitive = false
    /// Whether errors must not show the text. Only they ask.
    package var hidesText: Bool { unsafe holdsSensitive || root.map { SensitiveTypes.hold($0) } ?? false }

    private static let pageSize = 16 << 10

    /// The position of a byte of the text. Each page is scanned once, however many positions are asked for.
    package func position(of offset: Int) -> SourcePosition {
        let page = offset / JSONTape.pageSize
        if pages.isEmpty { pages.append(origin) }
        while pages.count <= page {
            let first = (pages.count - 1) * JSONTape.pageSize
            // Safe: the page ends at or before `offset`, which is in the text.
            let bytes = unsafe UnsafeRawBufferPointer(start: start + first, count: JSONTape.pageSize)
            pages.append(unsafe pages[pages.count - 1].advanced(over: bytes))
        }
        let first = page * JSONTape.pageSize
        return unsafe pages[page].advanced(over: UnsafeRawBufferPointer(start: start + first, count: offset - first))
    }

    /// The line around a byte of the text.
    package func excerpt(at offset: Int) -> SourceExcerpt? {
        guard !hidesText else { return nil }
        // Cut first, so that the search for the ends of the line does not go through the whole text.
        let first = max(0, offset - 256)
        let text = unsafe UnsafeRawBufferPointer(start: start + first, count: min(size, offset + 256) - first)
        return unsafe SourceExcerpt(of: text, at: offset - first)
    }

    /// The byte offset of the value at an index; for a string that of its quote.
    package func offset(of index: Int) -> Int {
        let entry = unsafe entries[index]
        return Int(entry.offset) - (entry.kind == .string ? 1 : 0)
    }

    /// The first error in the text, as yajl reports it.
    private func syntaxError(isTooDeep: Bool) -> JSONError {
        unsafe fault(of: UnsafeRawBufferPointer(start: start, count: size))?.shifted(by: origin)
            ?? JSONError(
                isTooDeep ? .depthLimit : .syntax, position: origin, expected: isTooDeep ? "at most 512 levels" : "JSON")
    }

    /// The error in the string or number at an index.
    package func fault(at index: Int) -> JSONError {
        let offset = offset(of: index)
        var text = unsafe text(at: index)
        if unsafe entries[index].kind == .string {
            unsafe text = unsafe UnsafeRawBufferPointer(start: start + offset, count: text.count + 2)
        }
        let position = position(of: offset)
        return unsafe fault(of: text)?.shifted(by: position)
            ?? JSONError(.invalidValue, position: position, excerpt: excerpt(at: offset))
    }

    private func fault(of text: UnsafeRawBufferPointer) -> JSONError? {
        do throws(JSONError) {
            _ = try unsafe CheckedText(json: text, options: JSONReader.Options(validation: .full))
            return nil
        } catch {
            return hidesText ? error.withoutWords() : error
        }
    }
}
