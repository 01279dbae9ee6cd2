// Bytes come in, a value goes out. The reader owns the parser and the binder, and feeds the one into the other.

internal import CYajl

/// Reads JSON into models and other bindable values; made once and used for many documents.
///
/// A reader keeps its parser and its memory between documents: making them costs more than reading a small document. After an error
/// it can be used again. It is not `Sendable`: use one per task.
///
/// ```swift
/// var reader = JSONReader()
/// for line in lines {
///     let book = try reader.read(Book.self, from: line)      // String, [UInt8], UnsafeRawBufferPointer, RawSpan
/// }
/// ```
@safe
public struct JSONReader: ~Copyable {
    /// How documents are read.
    package let options: Options
    let binder: BinderHandle
    /// yajl's parser, kept for the next document; nil before the first that it reads and after an error.
    var yajl: YajlEvents?
    /// The memory for the text of sources, kept for the next one; nil before the first, and while a document is read.
    var sourceBuffer: SourceBuffer?
    /// Checks the text against the budgets before it is read; nil if the options set none.
    var budget: BudgetScanner?
    let hasBudget: Bool
    /// Whether the options have a contract that documents are checked by before they are read.
    var hasContract: Bool
    /// Checks documents by the contract of the options; nil before the first one.
    var checker: (any DocumentChecker)?
    /// The text of short documents.
    let shortText = PaddedText()
    /// The binding of the type read last: the registry is asked only when the type changes.
    private var rootType: ObjectIdentifier?
    private var rootRow: RowHandle

    /// Makes a reader. yajl's parser, and the memory for the text of a source, are made only when a document needs them.
    public init(options: Options = Options()) {
        self.options = options
        binder = BinderHandle(options: options.withoutContract)
        rootRow = ReaderRows.none
        budget = BudgetScanner(options, binder)
        hasBudget = options.hasBudget
        hasContract = options.contract != nil
    }

    deinit {
        sourceBuffer?.deallocate()
        shortText.deallocate()
        binder.free()
    }

    /// What was left out of the value of the last document; after an error, what had been left out until then.
    ///
    /// ```swift
    /// var reader = JSONReader()
    /// let tags = try reader.read([Int].self, from: #"[1, "x", 2]"#)     // [1, 2]
    /// reader.report.droppedCount                                        // 1
    /// reader.report.issues.first?.path                                  // "[1]"
    /// ```
    public var report: JSONReadReport {
        var report = binder.state.document.findings.report
        if report.unknownKeyCount > 0 { report.unknownKeys = binder.state.document.findings.unknownKeys }
        if options.countsProperties { report.properties = propertyCounts.list }
        return report
    }

    /// Whether anything was left out. It is `mutating` for speed alone: a reader in a class would be copied for a getter.
    package var hasReport: Bool {
        mutating get { !binder.state.document.findings.isBlank }
    }

    // MARK: Whole documents

    /// Reads one value from text that lies in memory as a whole.
    ///
    /// - Throws: ``JSONError``; no part of the value is kept then, and the reader can be used again.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ type: Value.Type, from text: some JSONBytes) throws(JSONError) -> Value {
        // Specialised in the caller's module: otherwise the value would be copied out through its metadata.
        var result: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &result) { root in
            unsafe text.withJSONBytes { bytes in unsafe run(type, at: UnsafeMutableRawPointer(root), bytes) }
        }
        if let failure { throw failure }
        // Moved, not copied: a copy of a model retains all its strings.
        guard let value = result.take() else { throw JSONReader.nothing }
        return value
    }

    /// Reads one value from a span of UTF-8 bytes; throws the same errors as for a buffer.
    @inlinable
    public mutating func read<Value: JSONReadable>(_ type: Value.Type, from bytes: RawSpan) throws(JSONError) -> Value {
        try unsafe bytes.withUnsafeBytes { buffer throws(JSONError) in try unsafe read(type, from: buffer) }
    }

    /// Reads a document into memory that holds a nil `Value?`. Returns the error, or nil.
    @usableFromInline
    package mutating func run<Value: JSONReadable>(
        _ type: Value.Type, at root: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer
    ) -> JSONError? {
        let row = row(for: type)
        let short = unsafe shortText.copy(bytes)
        let failure =
            if let short = unsafe short {
                unsafe run(row, at: root, bytes, scanning: short, padding: PaddedText.padding, isEmpty: true)
            } else {
                unsafe run(row, at: root, bytes, scanning: bytes, padding: 0, isEmpty: true)
            }
        // A reader that is kept must not keep the document's text.
        binder.state.shared.endDocument()
        if failure != nil { unsafe JSONReader.forget(type, at: root) }
        return failure
    }

    /// Destroys the value of a document that failed after it: the next document may be read into the same memory, which then has to
    /// hold nil.
    @inline(never)
    static func forget<Value: JSONReadable>(_ type: Value.Type, at root: UnsafeMutableRawPointer) {
        // Safe: the memory is the caller's optional.
        unsafe root.assumingMemoryBound(to: Value?.self).pointee = nil
    }

    /// The error for a document that has given neither a value nor an error. Only a bug in the binder can cause it.
    @usableFromInline static var nothing: JSONError { JSONError(.unexpectedEnd, expected: "a value", found: "none") }

    /// Reads a document whose value is bound by a row and stored at `root`. Returns the error, or nil.
    mutating func run(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe run(row, at: root, input, scanning: input, padding: 0, isEmpty: false)
    }

    /// Reads a record into the cells at `root`; texts are offsets in it. What the cells hold does not matter: an object fills them from its
    /// template.
    mutating func runRow(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ record: UnsafeRawBufferPointer
    ) -> JSONError? {
        unsafe binder.state.cells.input = unsafe record
        return unsafe run(row, at: root, record, scanning: record, padding: 0, isEmpty: true)
    }

    /// - Parameters:
    ///   - text: The input, or a copy of it, for the scanner.
    ///   - padding: How many spaces follow that text in memory.
    ///   - isEmpty: Whether the root surely holds nil.
    @inline(__always)
    private mutating func run(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer,
        scanning text: UnsafeRawBufferPointer, padding: Int, isEmpty: Bool
    ) -> JSONError? {
        if hasContract, let fault = unsafe fault(of: row, at: root, input) { return fault }
        if options.parser == .automatic {
            // An object begins without a byte order mark.
            let isObject = unsafe isEmpty && text.first == UInt8(ascii: "{")
            let chunk = unsafe isObject ? Chunk(text) : firstChunk(text)
            let isOpen =
                unsafe isObject
                && (binder.state.beginAgain(row, at: root, chunk) || binder.state.beginModel(row, at: root, chunk))
            if !isOpen { unsafe binder.state.begin(row, at: root, chunk, isEmpty: isEmpty) }
            binder.state.document.textShift = UInt(bitPattern: input.baseAddress) &- UInt(bitPattern: text.baseAddress)
            if isWithinBudget() {
                switch scan(padding: padding, isOpen: isOpen) {
                case .read: return nil
                case .misfit(let error): return error
                case .doubtful: break
                }
            }
            binder.state.unwind()
        }
        return unsafe runYajl(row, at: root, input)
    }

    /// Whether the chunk stays within all budgets.
    @inline(__always)
    private mutating func isWithinBudget() -> Bool {
        guard hasBudget else { return true }
        let chunk = binder.state.document.chunk
        budget?.begin(at: chunk.position.offset)
        return unsafe budget?.scan(chunk.bytes) == nil
    }

    /// How a scan ended.
    private enum Scan {
        case read
        case misfit(JSONError)
        /// yajl must read it.
        case doubtful
    }

    /// Whether a container of the last document was passed over by its brackets, unchecked.
    package var hasUncheckedText: Bool { binder.state.document.hasUncheckedText }

    /// Reads the chunk, and the spaces after it, with the scanner.
    ///
    /// - Parameter isOpen: Whether the object that the chunk begins with is open.
    @inline(__always)
    private func scan(padding: Int, isOpen: Bool) -> Scan {
        let text = unsafe binder.state.document.chunk.bytes
        guard unsafe !text.isEmpty else { return .doubtful }
        let padded = unsafe UnsafeRawBufferPointer(start: text.baseAddress, count: text.count &+ padding)
        let scanner = unsafe DocumentScanner(binder, padded)
        if isOpen ? scanner.readModel() : scanner.read() { return .read }
        // A value that does not fit is the first error in the text, unless the scanner has passed over some of it unchecked. An error
        // about missing keys also names unknown ones, and those are noted only while yajl makes the events.
        guard let misfit = binder.state.document.error, !binder.state.document.hasUncheckedText, misfit.kind != .missingKeys
        else {
            return .doubtful
        }
        binder.state.unwind()
        return .misfit(misfit)
    }

    /// Reads a document that updates the model at `root`, and lists the properties that it `assigned`. Returns the error, or nil.
    mutating func runUpdate(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer,
        _ assigned: inout [AssignedProperty]
    ) -> JSONError? {
        binder.state.update = Binder.Update(objects: ObjectUpdates())
        defer { binder.state.update = Binder.Update() }
        let failure = unsafe run(row, at: root, input)
        assigned = binder.state.update.assigned
        if failure == nil { binder.state.update.objects?.adopt() }
        return failure
    }

    /// Reads a document through yajl, which finds out what is wrong with it.
    @inline(never)
    private mutating func runYajl(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ input: UnsafeRawBufferPointer
    ) -> JSONError? {
        let parser = unsafe beginYajl(row, at: root, input)
        budget?.begin(at: binder.state.document.chunk.position.offset)
        let failure = parseChunk(parser, Self.noMore) ?? finish(parser)
        if failure == nil {
            keep(parser, after: input.count)
        } else {
            binder.state.unwind()
        }
        return failure
    }

    /// Keeps a parser for the next document, unless yajl may hold memory for a token of unusual size.
    mutating func keep(_ parser: YajlEvents, after size: Int) {
        if size <= SourceBuffer.keptSize { yajl = parser }
    }

    /// Begins a document for yajl, with the parser of the last one if that went well.
    mutating func beginYajl(
        _ row: RowHandle, at root: UnsafeMutableRawPointer, _ firstPart: UnsafeRawBufferPointer
    ) -> YajlEvents {
        unsafe binder.state.begin(row, at: root, firstChunk(firstPart))
        let parser = yajl ?? YajlEvents(binder: binder)
        yajl = nil
        parser.begin()
        return parser
    }

    /// Says that the documents that are read next lie in a text whose bytes stay as they are until the next call: their substrings share
    /// copies of it.
    package mutating func beginBatch(_ text: UnsafeRawBufferPointer) { unsafe binder.state.shared.beginBatch(text) }

    @inline(__always)
    mutating func row<Value: JSONReadable>(for type: Value.Type) -> RowHandle {
        if rootType != ObjectIdentifier(type) {
            rootRow = BindingRegistry.shared.rootRow(for: type)
            rootType = ObjectIdentifier(type)
        }
        return rootRow
    }
}

@available(*, unavailable, message: "a reader belongs to one task; make one for each")
extension JSONReader: @unchecked Sendable {}
